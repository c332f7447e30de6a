// SPDX-License-Identifier: MIT
// A model's config.json: every fact explicit, nothing guessed, nothing unknown; but of
// Hugging Face's much is not about the network, and passed over. models/README.md lists
// the fields.
#pragma once

#include "engine/model.h"

#include <stddef.h>

// Reads and checks everything that can be checked without the weights.
MUST_CHECK bool config_read(struct model_config *config, const char *path,
                            struct error *err);
// The same on bytes in memory; path is for the sentence.
MUST_CHECK bool config_parse(struct model_config *config, const char *text, size_t size,
                             const char *path, struct error *err);
