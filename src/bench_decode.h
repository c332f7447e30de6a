// SPDX-License-Identifier: MIT
// Decoding without a window: one sentence on one core, by length, and a stream of them on
// one core and on all.
#pragma once

#include "base/error.h"
#include "formats/model_dir.h"

// roof_us: reading the weights of one target token (bench_kernels).
MUST_CHECK bool bench_decode(const struct model_dir *dir, const char *text,
                             double roof_us, struct error *err);
// The sentences before the TABs of a file: nine for each of times, 1 to SAMPLES.
MUST_CHECK bool bench_stream(struct model_dir *dir, const char *path, int times,
                             struct error *err);
