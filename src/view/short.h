// SPDX-License-Identifier: MIT
// A label for the middle of a sentence: whole, or cut between two characters with "…".
#pragma once

enum { SHORT_BYTES = 72 };

struct short_text {
    char text[SHORT_BYTES];
};

struct short_text number_text(double value, int decimals); // with a real minus sign
struct short_text signed_text(double value, int decimals); // with its sign, 0 without
struct short_text short_of(const char *text);              // NULL gives ""
