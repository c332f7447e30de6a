// SPDX-License-Identifier: MIT
// Random lines of the command table about how the alignment is shown, edited and
// compared; many are refused, as they should be.
#pragma once

#include "random.h"

const char *random_line(struct random *random); // until the next call
