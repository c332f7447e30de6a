// SPDX-License-Identifier: MIT
// Matrices as people type and paste them: a row a line, numbers separated by spaces,
// tabs or commas; or in brackets, [[1, 0], [0, 1]], as NumPy prints them too; or rows
// separated by semicolons. And numbers as they are written, the shortest that read as the
// same double.
#pragma once

#include "align/attend.h"
#include "base/buf.h"

// text: NUL-terminated. Blank text is no matrix (rows 0). name: for errors, "Q". The
// numbers lie in the arena.
MUST_CHECK bool attend_text_parse(struct attend_matrix *out, const char *text,
                                  const char *name, struct arena *arena,
                                  struct error *err);
// A row a line, numbers in columns.
void attend_text_write(struct buf *out, const struct attend_matrix *matrix);
// "0.1", never "0.10000000000000001".
void attend_text_number(struct buf *out, double value);

struct attend_names { // of rows or columns
    const char *const *at;
    int count;
};
// One a line; on a single line separated by commas or tabs, else by spaces. At most
// ATTEND_MAX; false when memory is short.
MUST_CHECK bool attend_text_names(struct attend_names *out, const char *text,
                                  struct arena *arena, struct error *err);
