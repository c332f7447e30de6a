// SPDX-License-Identifier: MIT
// What `alphascope evaluate` reads, a pair at a time: test files (source TAB reference
// [TAB reference]...), with a file of further references beside them or without, gold
// alignments, and test pairs joined to long ones. A line that cannot be used is a pair
// with an error in it, so that nothing passes in silence.
#pragma once

#include "cli/lines.h"
#include "evaluate/bleu.h"

enum { PAIR_TEST, PAIR_GOLD };
enum { PAIRS_MAX_GOLD = 8, PAIRS_JOINED = 6 };

struct pair {
    int kind;   // PAIR_TEST, PAIR_GOLD
    int file;   // gold: which one
    int joined; // test: 0, or so many lines
    long line, last_line;
    bool failed; // why says what is wrong with the line
    struct error why;
    struct bleu_text source;
    struct bleu_text references[BLEU_MAX_REFERENCES]; // test
    int n_references;
    size_t length; // of text: the whole line
    char text[LINE_KEPT_BYTES + 1];
};

struct joiner { // lines that become one
    int count;
    bool too_long;
    long first_line;
    size_t source_length, reference_length;
    char source[TEXT_MAX_BYTES], reference[LINE_KEPT_BYTES / 2];
};

struct pairs {
    const char *test, *references; // paths, borrowed; NULL: none
    const char *gold[PAIRS_MAX_GOLD];
    int n_gold;
    bool joined;
    int at;      // 0: the test file; then gold files
    bool opened; // the file at `at`
    bool references_end;
    int due;          // joiners below this one may be full
    long long before; // bytes of files that are finished
    long long total;  // of all; 0: not known
    long extra; // lines of the references file that no line of the test file matches
    struct lines lines, reference_lines;
    struct joiner joiners[PAIRS_JOINED + 1]; // [k] joins k lines
};

// The heap, because of its size. Sizes of files are asked for here; nothing is opened.
struct pairs *pairs_create(struct error *err);
void pairs_destroy(struct pairs *pairs); // NULL is fine
void pairs_measure(struct pairs *pairs);
// LINES_END when all files are done; LINES_FAILED when one cannot be read.
enum lines_result pairs_next(struct pairs *pairs, struct pair *pair, struct error *err);
// 0 to 1; negative: not known.
double pairs_share(const struct pairs *pairs);
// The path of the file that a pair came from.
const char *pair_path(const struct pairs *pairs, const struct pair *pair);
