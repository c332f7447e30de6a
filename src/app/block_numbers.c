// SPDX-License-Identifier: MIT
// The numbers of the encoder's block: a sentence is encoded once more as far as the
// layer, on the worker's thread. See block.h.
#include <stdlib.h>
#include <string.h>

#include "app/state.h"

enum { BLOCK_MAX_BYTES = 512 << 20 };
static const struct block_key nothing = {.begun = -1};

static void destroy(struct worker_task *task)
{
    struct block_numbers *numbers = (struct block_numbers *)task;
    arena_finish(&numbers->arena);
    free(numbers);
}

static void make(struct worker_task *task)
{
    struct block_numbers *numbers = (struct block_numbers *)task;
    numbers->made =
        block_make(&numbers->block, &numbers->arena, numbers->network, numbers->ids,
                   numbers->n, numbers->key.layer, numbers->key.position, &numbers->why);
    numbers->network = NULL;
}

static void drop_shown(struct blocking *blocking)
{
    if (blocking->shown)
        destroy(&blocking->shown->task);
    blocking->shown = NULL;
}

void block_init(struct blocking *blocking)
{
    *blocking = (struct blocking){.asked = nothing};
}

void block_finish(struct blocking *blocking)
{
    drop_shown(blocking);
}

static bool same_key(struct block_key a, struct block_key b)
{
    return a.begun == b.begun && a.layer == b.layer && a.position == b.position;
}

static struct block_key key_of(const struct app *app)
{
    const struct alignment *of = show_decoded(&app->show);
    int n = of ? of->n_src : 0, at = app->selected < 0 ? 0 : app->selected;
    return (struct block_key){app->show.begun, app->heading.choice.layer,
                              n == 0   ? 0
                              : at < n ? at
                                       : n - 1};
}

static bool check(const struct app *app, const struct alignment *of, struct error *err)
{
    struct map_choice choice = app->heading.choice;
    struct map_shape shape = heads_shape(app);
    int layers = shape.layers[MAP_ENCODER], heads = shape.heads[MAP_ENCODER];
    if (!of || of->n_src == 0)
        return fail_with(err, ERR_USAGE, "nothing to translate yet");
    if (choice.layer >= layers || choice.head >= heads)
        return fail_with(
            err, ERR_USAGE,
            "layer %d, head %d is not of this model: its encoder has %d × %d "
            "heads. Alt+Q goes on to one of them.",
            choice.layer + 1, choice.head + 1, layers, heads);
    if (of->order)
        return fail_with(err, ERR_USAGE,
                         "the sentence is shuffled by an edit: the block is told of it "
                         "in its order. Alt+C clears the edits.");
    return !app_is_forming(app) ||
           fail_with(err, ERR_USAGE,
                     "a checkpoint of the training is on the screen: the "
                     "block is told of the trained model. Alt+PageDown goes "
                     "on to it.");
}

// What the worker needs is copied: the sentence may have left when it comes to it.
static bool fill(struct block_numbers *numbers, const struct alignment *of)
{
    struct arena *arena = &numbers->arena;
    size_t n = (size_t)of->n_src;
    numbers->n = of->n_src;
    numbers->ids = arena_alloc(arena, n, sizeof *numbers->ids);
    numbers->tokens = arena_alloc(arena, n, sizeof *numbers->tokens);
    numbers->powers = arena_alloc(arena, n, sizeof *numbers->powers);
    bool ok = numbers->ids && numbers->tokens && numbers->powers;
    for (size_t s = 0; ok && s < n; s++) {
        const char *text = of->source[s].text;
        numbers->ids[s] = of->source[s].id;
        numbers->tokens[s] = arena_copy(arena, text, strlen(text));
        ok = numbers->tokens[s] != NULL;
    }
    return ok;
}

static struct block_numbers *create(const struct app *app, const struct alignment *of,
                                    struct block_key key, struct error *err)
{
    const struct network *network = &app->library.entries[app->model].dir->network;
    struct block_numbers *numbers = calloc(1, sizeof *numbers);
    if (!numbers) {
        fail_nomem(err, "a layer of the encoder");
        return NULL;
    }
    numbers->task = (struct worker_task){make, destroy};
    arena_init(&numbers->arena, BLOCK_MAX_BYTES);
    numbers->key = key;
    numbers->head = app->heading.choice.head;
    numbers->config = network->config.transformer;
    numbers->network = network;
    if (!fill(numbers, of)) {
        destroy(&numbers->task);
        fail_nomem(err, "a layer of the encoder");
        return NULL;
    }
    return numbers;
}

void block_update(struct app *app)
{
    struct blocking *blocking = &app->blocking;
    if (!blocking->open || !heads_there(app) || app->shown != app->generation)
        return;
    const struct alignment *of = show_decoded(&app->show);
    struct block_numbers *numbers = NULL;
    struct block_key key = key_of(app);
    if (same_key(key, blocking->asked))
        return;
    blocking->why = (struct error){0};
    if (check(app, of, &blocking->why))
        numbers = create(app, of, key, &blocking->why);
    blocking->waits = numbers != NULL;
    blocking->asked = numbers ? key : nothing;
    if (numbers)
        worker_compute(app->worker, &numbers->task);
    else
        drop_shown(blocking);
}

// Those that are not what was asked for last are of no use any more.
void block_take(struct app *app, struct worker_task *task)
{
    struct blocking *blocking = &app->blocking;
    struct block_numbers *numbers = (struct block_numbers *)task;
    if (!blocking->waits || !same_key(numbers->key, blocking->asked)) {
        destroy(task);
        return;
    }
    blocking->waits = false;
    drop_shown(blocking);
    if (numbers->made) {
        blocking->shown = numbers;
        return;
    }
    blocking->why = numbers->why;
    destroy(task);
}

bool block_stands(const struct app *app)
{
    const struct blocking *blocking = &app->blocking;
    if (!blocking->open || !heads_there(app) || app->shown != app->generation)
        return true;
    return !blocking->waits &&
           (*blocking->why.text || same_key(key_of(app), blocking->asked));
}

bool block_current(const struct app *app)
{
    const struct blocking *blocking = &app->blocking;
    return blocking->shown && app->shown == app->generation &&
           same_key(key_of(app), blocking->shown->key);
}
