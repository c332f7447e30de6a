// SPDX-License-Identifier: MIT
// A matrix of a sheet as JSON: rows of numbers. See attend_sheet.h.
#pragma once

#include "align/attend.h"
#include "base/arena.h"
#include "formats/json.h"

// Takes the next value: [[1, 0], [0, 1]], or with flat one row without the outer
// brackets, [1, 0]. Rows are of one length, numbers finite, and of either there are at
// most ATTEND_MAX. *out is in the arena.
MUST_CHECK bool attend_rows_take(struct json *json, const char *field, bool flat,
                                 struct arena *arena, struct attend_matrix *out);
