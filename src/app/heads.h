// SPDX-License-Identifier: MIT
// The attention chooser of a Transformer: which of its maps stands on the screen, and the
// page that shows all of them, layer × head, as small maps. A model with one attention
// has nothing to choose.
#pragma once

#include "align/alignment.h"
#include "view/heads.h"

struct app;
struct rect;
struct scene;
struct show;

struct heads_key { // what the small maps were made of
    int begun, rows;
    enum ended ended;
    enum map_kind kind;
    int pool;
    float tau; // that they were read again at; negative: as decoded
};

struct heading {
    struct map_choice choice; // as asked for; a model without it shows the mean of all
    bool open;                // the page
    enum heads_sort sort;
    int pool; // MAP_MEAN or MAP_MAX, of the pooled maps on the page
    struct arena arena;
    struct heads_key key;
    struct head_tile *tiles;  // (count) in their order; NULL: none yet
    struct head_tile *sorted; // as the page has them
    int count;
};

void heads_init(struct heading *heading);
void heads_finish(struct heading *heading);
// The choice of a model that has it, for what it decoded.
void heads_choose(const struct app *app, struct show *show);
// Whether the model in use has maps to choose from.
bool heads_there(const struct app *app);
// "cross-attention, layer 2 of 3, head 1 of 4"; "" where there is nothing to choose.
void heads_say(const struct alignment *alignment, char *out, size_t size);
// Layers and heads of the model in use, which is a Transformer.
struct map_shape heads_shape(const struct app *app);
// What the page has of `count` layers or heads: each, and all of several pooled.
int heads_with_pooled(int count);
// Whether there is something to make the small maps of.
bool heads_have_rows(const struct alignment *of, enum map_kind kind);
// The small maps of a sentence, unless those that stand are of it.
void heads_make_tiles(struct app *app, const struct alignment *of);
// The single heads in the order of what they read, into .sorted: how many. Equals stay as
// they were.
int heads_sort_tiles(const struct heading *heading);

// heads_page.c
// The line that says which map is seen, above the matrix; takes it from `at`.
void heads_title(struct app *app, struct rect *at, const struct scene *scene);
// The page, in the place of matrix and microscope.
void heads_draw(struct app *app, struct rect at);
