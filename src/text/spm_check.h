// SPDX-License-Identifier: MIT
// A model file's normalisation table, checked before SentencePiece walks it.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// True when data is a protocol buffer whose normalisation tables (if any) lead nowhere
// outside themselves. The rest of the file is left to the library's own parser.
bool spm_check(const unsigned char *data, size_t size);
