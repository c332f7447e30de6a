// SPDX-License-Identifier: MIT
// A sheet of the calculator: matrices, what is done to them, and what there is to see.
//
//   {"format": "alphascope-sheet", "version": 1,
//    "title": "Three keys", "note": "Row 1 reads …",
//    "Q": [[1, 0, 1], [0, 1, 0]], "K": [[1, 1, 0], …], "V": [[1, 2], …],
//    "W_Q": …, "W_K": …, "W_V": …, "W_q": …, "W_k": …, "v": [1, 1],
//    "score": "dot" | "scaled-dot" | "cosine" | "additive", "normalise": false,
//    "mask": "none" | "causal" | [[1, 0], …], "tau": 1 | "inf",
//    "positions": [[0, 0], …], "order": [2, 1, 3],
//    "beside": "nothing" | "hard" | "in-order" | "naive",
//    "names": {"queries": ["a", "b"], "keys": […], "values": […]}}
//
// Only format, version and Q must be there; align/attend.h says what the others mean and
// what stands for one that is not given. A sheet with "scaling" has no matrices but
// {"seed": 7, "queries": 32, "keys": 32}, see align/attend_scaling.h. Unknown fields are
// refused.
#pragma once

#include "align/attend_scaling.h"
#include "formats/attend_text.h"

enum { ATTEND_SHEET_VERSION = 1, ATTEND_SHEET_BYTES = 32 << 20, ATTEND_NAME_BYTES = 96 };
enum { ATTEND_TITLE_BYTES = 160, ATTEND_NOTE_BYTES = 640 };
enum { ATTEND_SEED_MAX = 1 << 30 };

enum attend_beside { // what the result stands beside
    BESIDE_NOTHING,
    BESIDE_HARD,     // τ = 0: the value of the best key alone
    BESIDE_IN_ORDER, // the memory as it was before `order`
    BESIDE_NAIVE,    // the softmax without subtracting the maximum
    BESIDE_COUNT,
};
const char *attend_beside_name(enum attend_beside beside);

enum attend_named { NAMED_QUERIES, NAMED_KEYS, NAMED_VALUES, NAMED_COUNT };
const char *attend_named_name(enum attend_named named);

struct attend_sheet {
    struct arena arena;       // holds everything below
    const char *title, *note; // "" when not given
    struct attend input;
    enum attend_beside beside;
    struct attend_names names[NAMED_COUNT]; // count 0: none
    bool is_scaling;
    struct scaling scaling;
};

// An empty one: no matrix, the scaled dot product, τ = 1.
void attend_sheet_init(struct attend_sheet *sheet);
// what: for errors, the file's name. Sizes are checked as attend_compute checks them. End
// with attend_sheet_finish, also after a failure.
MUST_CHECK bool attend_sheet_parse(struct attend_sheet *sheet, const char *bytes,
                                   size_t size, const char *what, struct error *err);
MUST_CHECK bool attend_sheet_read(struct attend_sheet *sheet, const char *path,
                                  struct error *err);
void attend_sheet_finish(struct attend_sheet *sheet); // a zeroed one is fine
MUST_CHECK bool attend_sheet_write(struct buf *out, const struct attend_sheet *sheet,
                                   struct error *err);
// By its first bytes.
bool attend_sheet_is(const char *path);
// The input that stands beside: with τ = 0, or without its order.
struct attend attend_sheet_beside(const struct attend_sheet *sheet);

// The sheets that come with the program, in the order in which they are shown; their
// files are assets/sheets/NAME.json.
extern const char *const attend_sheet_bundled[];
extern const int attend_sheet_bundled_count;
