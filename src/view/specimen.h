// SPDX-License-Identifier: MIT
// One row under the microscope: its numbers, what the model in use calls its parts, and
// the eight steps from scores to the next word.
#pragma once

#include "align/softmax.h"
#include "view/scene.h"

#include <stddef.h>

// OVERVIEW shows all at once; the others one after the other.
enum scope_step {
    SCOPE_OVERVIEW,
    SCOPE_SCORE,
    SCOPE_MASK,
    SCOPE_SCALE,
    SCOPE_SHIFT,
    SCOPE_EXP,
    SCOPE_ALPHA,
    SCOPE_BLEND,
    SCOPE_WORD,
    SCOPE_STEPS,
};

struct scope_words {     // as the scorer's paper writes them
    const char *formula; // "e = vᵀ tanh(W s + U h)"
    const char *query;   // "s₍ₜ₋₁₎, the state before this word"
    const char *key;     // "U h"
};

struct specimen {
    const struct alignment *now;
    struct scope_words words;
    int t, n, rows;
    const float *e, *alpha; // (n); NULL without attention
    const bool *blocked;    // (n) by a mask; NULL: nothing is
    const float *all;       // (rows, n) α of every row that is shown
    float tau;              // alpha = softmax(e / tau)
    bool reread;            // the next word was chosen by another α
    bool edited; // alpha is not what the softmax gives: a what-if or dropout made it
    struct softmax_parts parts;
    enum colormap map;
};

// tau: of the α that the scene shows. False: no row is selected.
bool specimen_take(struct specimen *out, const struct scene *scene,
                   const struct scope_words *words, float tau);
// What was done to the row after the softmax, where it is edited: "edited", "dropout".
const char *specimen_deed(const struct specimen *row);
// The k positions with the largest α, largest first; returns how many there are.
int specimen_heaviest(const struct specimen *row, int k, int *out);

const char *step_name(const struct specimen *row, enum scope_step step); // "÷ τ"
bool specimen_is_blocked(const struct specimen *row, int s);
// Its α are those of several heads of a Transformer, and no score stands behind them.
bool specimen_pooled(const struct specimen *row);
// A mask leaves this row nothing to read.
bool specimen_reads_nothing(const struct specimen *row);
const char *step_digit(enum scope_step step); // "2b"
// The formula with this row's numbers, and one sentence about why the step is made.
void step_formula(const struct specimen *row, enum scope_step step, char *out,
                  size_t size);
void step_reason(const struct specimen *row, enum scope_step step, char *out,
                 size_t size);
// SCORE to BLEND: the number that the step gives position s, and the same as text, of
// BLEND "0.774 h₅".
double step_value(const struct specimen *row, enum scope_step step, int s);
void step_text(const struct specimen *row, enum scope_step step, int s, char *out,
               size_t size);
// What the whole column comes to: "max +10.03", "Σ 1.292"; "" when nothing.
void step_total(const struct specimen *row, enum scope_step step, char *out, size_t size);
// The arithmetic of one position: "exp(-1.71) = 0.181".
void step_work(const struct specimen *row, enum scope_step step, int s, char *out,
               size_t size);
bool specimen_knows_context(const struct specimen *row); // the length of c
// What is blended: "h", or "v" of the bare equation. "h₁₂"
const char *specimen_value(const struct specimen *row);
void specimen_value_name(const struct specimen *row, int s, char *out, size_t size);
