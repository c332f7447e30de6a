// SPDX-License-Identifier: MIT
// The lines that choose a map of a Transformer, and what its page shows. See heads.h.
#include <stdio.h>
#include <string.h>

#include "app/command.h"
#include "app/state.h"

static bool is(const char *a, const char *b)
{
    return !strcmp(a, b);
}

static bool check_place(const char *what, const char *word, int count, int *place,
                        struct error *err)
{
    return map_place_read(word, count, place) ||
           fail_with(err, ERR_USAGE,
                     "attention: found %s '%.60s', expected 1 to %d, mean or max", what,
                     word, count);
}

static bool use(struct app *app, struct map_choice choice, struct error *err)
{
    const struct alignment *of = show_decoded(&app->show);
    if (of && of->maps && !maps_kept(of->maps, choice.kind))
        return fail_with(err, ERR_LIMIT,
                         "the sentence is too long for every head's map of the %s: they "
                         "were not kept",
                         choice.kind == MAP_ENCODER ? "encoder" : "decoder");
    if (choice.kind != app->heading.choice.kind) { // other rows, other columns
        look_select(app, NOWHERE, false);
        look_select_column(app, NOWHERE, false);
        app->look.port = (struct grid_port){0};
    }
    app->heading.choice = choice;
    block_follow(app);
    return true;
}

// What a model of this shape has of the choice; the rest is the mean.
static struct map_choice within(struct map_choice choice, const struct map_shape *shape)
{
    if (choice.layer >= shape->layers[choice.kind])
        choice.layer = MAP_MEAN;
    if (choice.head >= shape->heads[choice.kind])
        choice.head = MAP_MEAN;
    return choice;
}

// One head on or back, through all layers; from a pooled one the first or last of its
// own.
static struct map_choice step(struct map_choice choice, const struct map_shape *shape,
                              int by)
{
    int layers = shape->layers[choice.kind], heads = shape->heads[choice.kind];
    int last = layers * heads;
    int layer = choice.layer < 0 ? 0 : choice.layer;
    int at = layer * heads + choice.head + by;
    if (choice.head < 0 || choice.layer < 0)
        at = by > 0             ? layer * heads
             : choice.layer < 0 ? last - 1
                                : layer * heads + heads - 1;
    at = (at + last) % last;
    choice.layer = at / heads;
    choice.head = at % heads;
    return choice;
}

static bool read_kind(const char *word, enum map_kind *kind)
{
    for (int i = 0; i < MAP_KINDS; i++)
        if (is(word, map_kind_word((enum map_kind)i))) {
            *kind = (enum map_kind)i;
            return true;
        }
    if (!is(word, "kind"))
        return false;
    *kind = (enum map_kind)((*kind + 1) % MAP_KINDS);
    return true;
}

// "cross", "encoder 2 3", "layer 2", "head mean", "next"
static bool choose_line(struct app *app, const char *argument, struct error *err)
{
    char word[3][64] = {"", "", ""}, more;
    struct map_shape shape = heads_shape(app);
    struct map_choice choice = within(app->heading.choice, &shape);
    int n = sscanf(argument, "%63s %63s %63s %c", word[0], word[1], word[2], &more);
    bool kind = (n == 1 || n == 3) && read_kind(word[0], &choice.kind);
    choice = within(choice, &shape);
    int layers = shape.layers[choice.kind], heads = shape.heads[choice.kind];
    if (n == 1 && (is(word[0], "next") || is(word[0], "back")))
        choice = step(choice, &shape, is(word[0], "next") ? 1 : -1);
    else if (n == 2 && is(word[0], "layer")) {
        if (!check_place("layer", word[1], layers, &choice.layer, err))
            return false;
    } else if (n == 2 && is(word[0], "head")) {
        if (!check_place("head", word[1], heads, &choice.head, err))
            return false;
    } else if (n == 3 && kind) {
        if (!check_place("layer", word[1], layers, &choice.layer, err) ||
            !check_place("head", word[2], heads, &choice.head, err))
            return false;
    } else if (!kind) {
        return fail_with(err, ERR_USAGE,
                         "attention: found '%.60s', expected cross, encoder, decoder or "
                         "kind, or these with a layer and a head, next or back",
                         argument);
    }
    return use(app, choice, err);
}

static void open_page(struct app *app)
{
    if (app->bottleneck.open)
        bottleneck_close(app);
    app->beaming.open = app->blocking.open = false;
    app->scope.page = SCOPE_PANEL;
    app->heading.open = true;
}

static bool page_line(struct app *app, const char *argument, struct error *err)
{
    bool on = is(argument, "on") || (is(argument, "toggle") && !app->heading.open);
    if (!on && !is(argument, "off") && !is(argument, "toggle"))
        return fail_with(err, ERR_USAGE,
                         "attention page: found '%.60s', expected on, off or toggle",
                         argument);
    app->heading.open = false;
    if (on)
        open_page(app);
    return true;
}

static bool sort_line(struct app *app, const char *argument, struct error *err)
{
    enum heads_sort *sort = &app->heading.sort;
    if (is(argument, "next")) {
        *sort = (enum heads_sort)((*sort + 1) % HEADS_SORTS);
        return true;
    }
    for (int i = 0; i < HEADS_SORTS; i++)
        if (is(argument, heads_sort_word((enum heads_sort)i))) {
            *sort = (enum heads_sort)i;
            return true;
        }
    return fail_with(err, ERR_USAGE,
                     "attention sort: found '%.60s', expected grid, entropy, diagonal, "
                     "special or next",
                     argument);
}

// What is on the screen and pooled is pooled in the other way too.
static bool pool_line(struct app *app, const char *argument, struct error *err)
{
    struct heading *heading = &app->heading;
    struct map_choice choice = heading->choice;
    int pool = heading->pool == MAP_MEAN ? MAP_MAX : MAP_MEAN;
    if (!is(argument, "toggle") && (!map_place_read(argument, 0, &pool) || pool >= 0))
        return fail_with(err, ERR_USAGE,
                         "attention pool: found '%.60s', expected mean, max or toggle",
                         argument);
    heading->pool = pool;
    choice.layer = choice.layer < 0 ? pool : choice.layer;
    choice.head = choice.head < 0 ? pool : choice.head;
    return use(app, choice, err);
}

bool command_attention(struct app *app, const char *argument, struct error *err)
{
    static const struct {
        const char *name;
        bool (*run)(struct app *app, const char *argument, struct error *err);
    } lines[] = {{"page ", page_line}, {"sort ", sort_line}, {"pool ", pool_line}};
    if (!heads_there(app))
        return fail_with(err, ERR_USAGE,
                         "attention: this model has one attention, there are no layers "
                         "and heads to choose from");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        size_t length = strlen(lines[i].name);
        if (!strncmp(argument, lines[i].name, length))
            return lines[i].run(app, argument + length, err);
    }
    return choose_line(app, argument, err);
}
