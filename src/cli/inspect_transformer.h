// SPDX-License-Identifier: MIT
// The facts of a Transformer for `alphascope inspect`, a line each.
#pragma once

#include "base/buf.h"
#include "formats/model_dir.h"

void inspect_transformer(struct buf *out, const struct model_dir *dir);
