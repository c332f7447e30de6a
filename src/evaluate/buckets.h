// SPDX-License-Identifier: MIT
// Sentences by their length: 1-10, 11-20, 21-30, 31-40, 41-50, 51 and more words.
#pragma once

#include <stddef.h>

enum { BUCKETS = 6 };

// Words are what white space parts.
int bucket_words(const char *text, size_t length);
int bucket_of(int words); // 0 to BUCKETS - 1; no words count as one
// "1-10", "51+"; static.
const char *bucket_name(int bucket);
