// SPDX-License-Identifier: MIT
// The rules between a Transformer's facts. Inside the engine only; model_config_check is
// in model.h.
#pragma once

#include "engine/model.h"

MUST_CHECK bool transformer_check(const struct model_config *config, const char *path,
                                  struct error *err);
