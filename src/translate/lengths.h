// SPDX-License-Identifier: MIT
// The lengths of the vectors behind a row. Inside the room only.
#pragma once

#include "align/alignment.h"
#include "engine/decoder.h"

// ‖h‖ of every position.
void lengths_memory(const struct encoding *encoding, const struct model_config *config,
                    struct alignment *alignment);
float lengths_state(const struct decoder *decoder); // ‖s‖ of the top layer, as it is
// After the step of row t; before: what lengths_state said before it.
void lengths_row(const struct decoder *decoder, float before, struct alignment *alignment,
                 int t);
