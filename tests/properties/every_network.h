// SPDX-License-Identifier: MIT
// The same random numbers in every run, and every network of tests/golden. Include after
// cmocka.h.
#pragma once

#include "formats/model_dir.h"

static uint32_t random_state = 20150519;

static inline int next_random(int below) // a linear congruence (Knuth 1997, 3.2.1)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (int)((uint64_t)random_state * (uint64_t)below >> 32);
}

static inline void for_every_network(void (*check)(const struct network *network))
{
    static struct model_listing listing[MODEL_LISTING_MAX];
    int count = model_dir_list(ALPHASCOPE_TESTS "/golden/models", listing, NULL);
    assert_true(count > 40);
    for (int i = 0; i < count; i++) {
        struct model_dir *dir = model_dir_open(listing[i].path, NULL);
        assert_non_null(dir);
        check(&dir->network);
        model_dir_close(dir);
    }
}
