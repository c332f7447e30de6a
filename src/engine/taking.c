// SPDX-License-Identifier: MIT
// Many arrays from one arena, and one answer whether all of them fitted. See family.h.
#include "engine/family.h"

static void *take(struct taking *taking, int rows, int cols, size_t size)
{
    size_t count = (size_t)rows * (size_t)cols;
    void *memory = taking->ok ? arena_alloc(taking->arena, count, size) : NULL;
    taking->ok = memory != NULL;
    return memory;
}

float *take_floats(struct taking *taking, int rows, int cols)
{
    return take(taking, rows, cols, sizeof(float));
}

double *take_doubles(struct taking *taking, int count)
{
    return take(taking, count, 1, sizeof(double));
}

int *take_ints(struct taking *taking, int count)
{
    return take(taking, count, 1, sizeof(int));
}

bool *take_bools(struct taking *taking, int count)
{
    return take(taking, count, 1, sizeof(bool));
}
