// SPDX-License-Identifier: MIT
// See heap.h. Elsewhere than in glibc there is nothing to say.
#include "heap.h"

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

enum { LARGE_BLOCK = 1 << 20 };

void heap_give_back_models(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK);
#endif
}
