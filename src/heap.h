// SPDX-License-Identifier: MIT
// How the C library keeps memory, for a program that lives long.
#pragma once

// A window lives long and opens many models. glibc would learn from the first large block
// that is freed to keep the next ones, up to 32 MB, in pieces between what lives on.
void heap_give_back_models(void);
