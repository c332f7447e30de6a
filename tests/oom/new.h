/* SPDX-License-Identifier: MIT */
/* C++ memory with a limit: operator new, as SentencePiece calls it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* From now on at most `bytes` more may be held; a new above that throws bad_alloc. */
void new_limit(size_t bytes);
/* No limit any more. True when it was met. */
bool new_unlimit(void);

#ifdef __cplusplus
}
#endif
