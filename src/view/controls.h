// SPDX-License-Identifier: MIT
// The bars above and below the matrix. They draw knobs and report what the user did with
// them; they change nothing themselves.
#pragma once

#include "ui/ui.h"
#include "view/scene.h"

enum { CONTROLS_MAX_MODELS = 12, CONTROLS_MAX_LINKS = 6 };

struct topbar {                              // what the bar shows
    const char *languages;                   // "English → French"
    bool more_languages;                     // other groups exist: the words are a button
    const char *labels[CONTROLS_MAX_MODELS]; // "Additive", "Dot", ...
    int count, chosen;
    bool beside[CONTROLS_MAX_MODELS]; // stands beside the chosen one
    // Quiet words at the right; where not all have room, the last ones.
    const char *links[CONTROLS_MAX_LINKS];
    int n_links;
    const char *model_line; // "RNNsearch · Bahdanau, Cho, Bengio 2015"
};
struct topbar_result {
    int model;      // newly chosen; NOWHERE
    bool languages; // next group wanted
    bool help;
    int link; // pressed; NOWHERE
};
struct topbar_result controls_topbar(struct ui *ui, struct rect at,
                                     const struct topbar *bar);

struct bottombar {
    float tau;
    bool reread;
    int selected, rows; // of the rows that are shown
    int all_rows;       // that there are
    bool revealing, playing;
    float speed;        // rows a second, of playing
    bool has_attention; // of what is shown; true while nothing is
    const char *typing; // a τ being typed, or NULL
};
enum step { STEP_NONE, STEP_FIRST, STEP_BACK, STEP_NEXT, STEP_LAST };
struct bottombar_result {
    bool tau_changed, mode_changed, tau_clicked;
    bool reveal, play; // pressed
    float tau;
    bool reread;
    enum step step;
};
struct bottombar_result controls_bottombar(struct ui *ui, struct rect at,
                                           const struct bottombar *bar);
