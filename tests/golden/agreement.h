// SPDX-License-Identifier: MIT
// The engine beside a reference that computed the same: one model's dump with one set of
// kernels, sentence by sentence. Anything that differs fails the test that compares.
#pragma once

#include "dump.h"
#include "engine/decoder.h"
#include "formats/model_dir.h"

struct agreement {
    struct dump dump;
    const struct kernels *kernels;
    const char *reference; // its name: "PyTorch"
    double bound, least;   // of the largest magnitude of a row, which is `least` at least
    int most_steps;        // of a sentence
    struct model_dir *dir;
    struct arena arena;
    struct encoding encoding;
    struct decoder decoder;
    int sentence, step, steps, rows; // so far; the test counts
    double tau, worst;               // difference / largest magnitude
};

// Reads tests/golden/FOLDER/NAME.txt, which is of the model `dir`, and closes that. For
// each line that begins a sentence, which agree_read takes, `compare` reads to its end.
void agree_model(struct agreement *run, const char *folder, struct model_dir *dir,
                 void (*compare)(struct agreement *run));
void agree_read(struct agreement *run);
// Compares the tokens, gets ready for the first step and reads the line after them.
void agree_begin(struct agreement *run);
// The steps from this line to the end of the sentence. What `compare` reads of a step
// stands before its five best tokens; the next step is given the reference's token.
void agree_steps(struct agreement *run, void (*compare)(struct agreement *run));
// Infinite ones are masked: there the engine has less than -1e30.
void agree_values(struct agreement *run, const char *what, const float *got,
                  const float *want, int n);
// The next line, which has this word and n numbers.
void agree_line(struct agreement *run, const char *word, const float *got, int n);
// The rows of the encoder's memory from this line on, in their order; returns how many.
int agree_memory(struct agreement *run);

// For models of few numbers: 1e-5, and twice that for AVX-512, whose order of sums is
// another than that of every other set; its worst is 1.2e-5.
double agree_bound(const struct kernels *kernels);

// A model of tests/golden/FOLDER, or with NULL a bundled one.
struct model_dir *agree_open(const char *folder, const char *model);

enum { AGREE_MOST_MODELS = 80 };
struct agree_models { // one for each dump
    char name[AGREE_MOST_MODELS][64];
    int count;
};

void agree_find(struct agree_models *models, const char *folder);
struct CMUnitTest;
// The tests of a program: `first`, and each model with plain kernels and with the best
// ones of this machine. `compare` is given the model's name.
int agree_run(const char *group, struct agree_models *models,
              const struct CMUnitTest *first, size_t n_first,
              void (*compare)(const char *model, const struct kernels *kernels));
