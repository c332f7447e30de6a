// SPDX-License-Identifier: MIT
// The functions of the Transformer's family; family.h says what each does,
// transformer_decoder.c has their table. Inside the engine only.
#pragma once

#include "engine/transformer_run.h"
#include "engine/transformer_tower.h"

bool transformer_encode(const struct encode_job *job, struct error *err);
// x (n, d) of the job's one sentence after the first layers, before the norm over the
// last. False: the arena is full.
bool transformer_climb(const struct encode_job *job, int layers, float *x);
bool transformer_reorder(struct encoding *encoding, struct arena *arena,
                         const struct model_config *config, const int *order);
bool transformer_encoding_finite(const struct encoding *encoding,
                                 const struct model_config *config);
