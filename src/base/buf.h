// SPDX-License-Identifier: MIT
// A growable byte buffer that is made with its maximum. Failure is sticky: after the
// first failed append nothing more is added and `failed` stays set, so a writer checks
// once.
#pragma once

#include "base/error.h"

#include <stddef.h>

struct buf {
    char *data; // always NUL-terminated once anything was appended; NULL before
    size_t length, capacity, max_bytes;
    bool failed;
};

void buf_init(struct buf *buf, size_t max_bytes);
void buf_finish(struct buf *buf); // a zeroed buf is fine
void buf_clear(struct buf *buf);  // keeps the memory, clears `failed`
bool buf_append(struct buf *buf, const char *bytes, size_t length);
bool buf_add(struct buf *buf, const char *text); // NUL-terminated text
bool buf_printf(struct buf *buf, const char *format, ...) PRINTF_LIKE(2, 3);
// The bytes so far as a C string; "" when empty.
const char *buf_text(const struct buf *buf);
