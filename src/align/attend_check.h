// SPDX-License-Identifier: MIT
// Whether matrices fit together, each refusal one sentence. Internal to attend.c.
#pragma once

#include "align/attend.h"

MUST_CHECK bool attend_check(const struct attend *input, struct error *err);
// Widths of queries and keys as they are compared.
MUST_CHECK bool attend_check_width(const struct attend *input, int q, int k,
                                   struct error *err);
