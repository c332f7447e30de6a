// SPDX-License-Identifier: MIT
// The field "readings" of a sentence's JSON, after a comma. Inside formats only.
#pragma once

#include <stdbool.h>

#include "base/buf.h"

struct reading;

// Doubts that a lens is the cause of: nobody need be told.
unsigned write_expected(const struct reading *reading);
// Every row is a whole softmax of one target word: else the matrix has no readings.
bool write_whole(const struct reading *reading);
void write_readings(struct buf *out, const struct reading *reading, int rows);
