// SPDX-License-Identifier: MIT
// One kind of error for the whole program: a code for logic, a sentence for people.
// The place that fails knows the words; the caller decides what to do with them.
#pragma once

#include <stdbool.h>

#define PRINTF_LIKE(at, first) __attribute__((__format__(__printf__, at, first)))
#define MUST_CHECK __attribute__((warn_unused_result))

enum status {
    OK,
    ERR_NOMEM,
    ERR_IO,
    ERR_FORMAT,
    ERR_LIMIT,
    ERR_CANCELLED,
    ERR_USAGE,
    ERR_BROKEN, // a model's own numbers are not finite
};

struct error {
    enum status code;
    char
        text[512]; // one sentence, no newline; names the file, the field, found, expected
};

// Fills *err (which may be NULL) and returns false, so that `return fail_with(...)` reads
// well. Control characters in the result are replaced by '?': the text may quote outside
// data.
bool fail_with(struct error *err, enum status code, const char *format, ...)
    PRINTF_LIKE(3, 4);
// The one sentence for an allocation that failed.
bool fail_nomem(struct error *err, const char *what);
