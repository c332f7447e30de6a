// SPDX-License-Identifier: MIT
// The field "readings" of a sentence's JSON, after a comma. Inside formats only.
#pragma once

#include "base/buf.h"

struct reading;

void write_readings(struct buf *out, const struct reading *reading, int rows);
