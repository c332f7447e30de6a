// SPDX-License-Identifier: MIT
// The functions of the recurrent family; family.h says what each does, recurrent.c is
// their table. Inside the engine only.
#pragma once

#include "engine/family.h"

bool recurrent_encode(const struct encode_job *job, struct error *err);
bool recurrent_reorder(struct encoding *encoding, struct arena *arena,
                       const struct model_config *config, const int *order);
bool recurrent_encoding_finite(const struct encoding *encoding,
                               const struct model_config *config);
// Whether a step reads an embedding that is not looked up.
bool recurrent_embeds(const struct model_config *config);
bool recurrent_take_memory(struct decoder *decoder, struct arena *arena);
void recurrent_take_workspace(struct workspace *work, struct taking *taking,
                              const struct model_config *config, bool of_one);
void recurrent_restart(struct decoder *decoder);
const float *recurrent_step(struct decoder *const *decoders, int count,
                            struct workspace *work);
void recurrent_adopt(struct decoder *decoder, const int *parents, int n);
const float *recurrent_state(const struct decoder *decoder, int hypothesis);
bool recurrent_attention_finite(const struct decoder *decoder, int hypothesis);
