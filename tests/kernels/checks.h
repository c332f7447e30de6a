// SPDX-License-Identifier: MIT
// What the kernel tests share: random numbers, memory that ends where its data end, and
// the sets of kernels that run here.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/kernels.h"

uint32_t next_random(void);
float next_float(void); // -1 .. 1
void fill_floats(float *out, int n);

// Bytes that end where the allocation ends, so that a sanitizer sees any read past them,
// `offset` off from alignment.
struct block {
    unsigned char *raw, *data;
};
struct block block_make(size_t bytes, size_t offset);

const struct kernels *set_at(int k); // NULL after the last

// How many floats `got` is away from the true value `want`, in units of the last place.
double ulps(float got, double want);

void products_agree_for_every_shape_format_and_offset(void **state);
void products_agree_for_random_shapes(void **state);
void a_missing_bias_adds_nothing(void **state);
void a_sum_is_the_same_alone_and_among_others(void **state);
void columns_are_a_matrix_of_their_own(void **state);
void the_first_maximum_is_found_while_multiplying(void **state);
void small_products_are_exact(void **state);
void blends_agree(void **state);
void reading_reads_every_byte(void **state);

void every_float_has_its_exponential(void **state);
void every_float_has_its_tangent(void **state);
void every_float_has_its_sigmoid(void **state);
void what_is_special_stays_so(void **state);
void arrays_of_every_length_agree(void **state);
void tanh_dots_agree(void **state);
void sums_of_exponentials_agree(void **state);
void far_exponentials_vanish(void **state);

void gates_agree(void **state);
void softmaxes_agree(void **state);
void softmaxes_leave_out_what_has_no_weight(void **state);

void kernels_bench(void); // prints a table
