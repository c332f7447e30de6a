// SPDX-License-Identifier: MIT
// Outside data for a terminal: no control characters, valid UTF-8, aligned columns.
#pragma once

#include "base/buf.h"

#include <stdint.h>

struct cJSON;

void show_text(struct buf *out, const char *text, int columns);  // padded at the right
void show_number(struct buf *out, uint64_t number, int columns); // "4,796,976", right
void show_json(struct buf *out, const struct cJSON *value);      // on one line
// The fields of an object, one a line, names aligned, each after indent.
void show_fields(struct buf *out, const struct cJSON *object, const char *indent);
