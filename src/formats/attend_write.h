// SPDX-License-Identifier: MIT
// What a sheet comes to, for a terminal or a program.
#pragma once

#include "formats/attend_sheet.h"

// One object and a newline: scores of masked pairs too, `masked` beside them. A naive
// softmax that overflows has null where its numbers are none.
MUST_CHECK bool attend_write_json(struct buf *out, const struct attend_sheet *sheet,
                                  struct error *err);
// Tables with four decimals; a masked pair is a dot.
MUST_CHECK bool attend_write_text(struct buf *out, const struct attend_sheet *sheet,
                                  struct error *err);

// "q₂", or the name that the sheet gives it: of the row that stands at place i, from 0,
// in the order of this input.
void attend_row_name(const struct attend_sheet *sheet, const struct attend *input,
                     enum attend_named named, int i, char *out, size_t size);
// "e = q·k / √3"
void attend_score_formula(const struct attend *input, int width, char *out, size_t size);
