// SPDX-License-Identifier: MIT
// The bars above and below the matrix. They draw knobs and report what the user did with
// them; they change nothing themselves.
#pragma once

#include "ui/ui.h"
#include "view/scene.h"

enum { CONTROLS_MAX_MODELS = 12, CONTROLS_MAX_LINKS = 8 };

struct topbar {                              // what the bar shows
    const char *languages;                   // "English → French"
    bool more_languages;                     // other groups exist: the words are a button
    const char *labels[CONTROLS_MAX_MODELS]; // "Additive", "Dot", ...
    int count, chosen;
    bool beside[CONTROLS_MAX_MODELS]; // stands beside the chosen one
    bool more;                        // the menu of what has no room is open
    // Quiet words at the right. Where not all have room the last ones stand there, and
    // "More" before them leads to the others.
    const char *links[CONTROLS_MAX_LINKS];
    int n_links;
    const char *model_line; // "RNNsearch · Bahdanau, Cho, Bengio 2015"
};
struct topbar_left { // what had no room
    struct rect at;  // of "More"
    int count;       // in all; 0: everything has room
    int models;      // the last of them,
    int links;       // and the first of them
};
struct topbar_result {
    int model;      // newly chosen; NOWHERE
    bool languages; // next group wanted
    bool help;
    int link;  // pressed; NOWHERE
    bool more; // pressed
    struct topbar_left left;
};
struct topbar_result controls_topbar(struct ui *ui, struct rect at,
                                     const struct topbar *bar);

// The menu under "More": model, link, or more, when the pointer went down outside.
struct topbar_result controls_more(struct ui *ui, const struct topbar_left *left,
                                   const struct topbar *bar);

struct bottombar {
    float tau;
    bool reread;
    int selected, rows; // of the rows that are shown
    int all_rows;       // that there are
    bool bare;          // nothing is decoded: no mode of τ, and nothing to reveal
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
