// SPDX-License-Identifier: MIT
// Buckets of ten words, as the figures of the papers have them (Bahdanau, Cho, Bengio
// 2015; Cho et al. 2014): by the length of the source. See buckets.h.
#include "evaluate/buckets.h"

#include <stdbool.h>

#include "text/utf8.h"

int bucket_words(const char *text, size_t length)
{
    int words = 0;
    bool within = false;
    for (size_t at = 0; at < length;) {
        size_t from = at;
        utf8_decode(text, length, &at);
        bool blank = utf8_blank(text + from, at - from);
        words += !blank && !within ? 1 : 0;
        within = !blank;
    }
    return words;
}

int bucket_of(int words)
{
    int bucket = words > 0 ? (words - 1) / 10 : 0;
    return bucket < BUCKETS ? bucket : BUCKETS - 1;
}

const char *bucket_name(int bucket)
{
    static const char *const names[BUCKETS] = {"1-10",  "11-20", "21-30",
                                               "31-40", "41-50", "51+"};
    return names[bucket];
}
