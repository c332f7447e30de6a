// SPDX-License-Identifier: MIT
// The times of the window, without a display.
#pragma once

#include "base/error.h"

#include <stdbool.h>

// text: about 20 tokens; long_text: about 60. models: the folder; model: an id or a path,
// NULL: the first. times: how often each thing is measured, 1 to SAMPLES.
MUST_CHECK bool bench_window(const char *models, const char *model, const char *text,
                             const char *long_text, int times, struct error *err);
