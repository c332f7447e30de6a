// SPDX-License-Identifier: MIT
// The bottleneck: BLEU over the length of the source, for a model that reads one fixed
// vector (RNNencdec; Cho et al. 2014) and one that may look back (RNNsearch; Bahdanau,
// Cho, Bengio 2015). The curves come from the models' reports, and on request from a
// bundled sample, translated here and now.
#pragma once

#include "app/worker.h"
#include "formats/report.h"
#include "ui/draw.h"

enum { CURVE_NONE, CURVE_ATTENTION, CURVES }; // without attention; with

enum {
    BOTTLENECK_LENGTHS = 6,
    BOTTLENECK_GROUPS = 20,
    BOTTLENECK_SAMPLE = 400,
    BOTTLENECK_UNITS = CURVES * BOTTLENECK_LENGTHS * BOTTLENECK_GROUPS,
};

struct bottleneck {
    bool open;
    int model[CURVES]; // library entries; NOWHERE: there is none of this kind
    struct report report[CURVES];
    int dim; // d: numbers in the fixed vector

    struct arena arena, joined; // the sample; what is joined from it
    const char *source[BOTTLENECK_SAMPLE], *reference[BOTTLENECK_SAMPLE];
    int n_sample;
    char languages[32];              // of the sample
    float words[BOTTLENECK_LENGTHS]; // mean source words of k + 1 sentences joined
    struct measure_unit units[BOTTLENECK_UNITS];
    uint64_t run; // of the measuring; 0: not yet
    int measured; // units so far
    struct bleu sums[CURVES][BOTTLENECK_LENGTHS];
    int offset; // into the sample: each click brings another sentence
};

struct app;

// Finds the two models in the group of the one in use and reads reports and sample.
// False: one sentence that says what is missing.
MUST_CHECK bool bottleneck_open(struct app *app, struct error *err);
// Leaves the page and ends the measuring.
void bottleneck_close(struct app *app);
// Begins measuring the sample anew.
MUST_CHECK bool bottleneck_measure(struct app *app, struct error *err);
void bottleneck_take(struct app *app, const struct worker_event *event);
bool bottleneck_busy(const struct app *app);
// Whether the page shows a library entry or measures it; what was measured of it is
// forgotten when not.
bool bottleneck_uses(struct app *app, int entry);
// The page, in the place of matrix and microscope.
void bottleneck_draw(struct app *app, struct rect at);
void bottleneck_finish(struct bottleneck *bottleneck);
