// SPDX-License-Identifier: MIT
// Tensors of a file to the slots of a network. Inside formats/ only.
#pragma once

#include "engine/model.h"
#include "formats/safetensors.h"

// network->config is set. Every slot gets its tensor, in place in the snapshot; a
// missing, misshapen, unusable or left-over tensor, and a weight that is not finite, is
// an error that names it. path is for the sentence.
MUST_CHECK bool bind_network(struct network *network, const struct safetensors *file,
                             const char *path, struct error *err);
