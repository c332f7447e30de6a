// SPDX-License-Identifier: MIT
// The decoder's memory, by the widths of its network. Inside the engine only.
#pragma once

#include "engine/decoder.h"

// All arrays of the decoder, for decoder->max hypotheses. False: the arena is full.
MUST_CHECK bool decoder_take_memory(struct decoder *decoder, struct arena *arena);
