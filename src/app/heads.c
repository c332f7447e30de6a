// SPDX-License-Identifier: MIT
// See heads.h. A small map is the view of its choice, read and then made small: what it
// says is what the large one says.
#include "app/heads.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "align/readings.h"
#include "app/command.h"
#include "app/state.h"
#include "view/wrap.h"

enum {
    TILES_MAX_BYTES = 64 << 20,
    LIVE_CELLS = 1 << 16, // of all maps together: up to so many follow every row
    TITLE = 26
};

void heads_init(struct heading *heading)
{
    *heading =
        (struct heading){.choice = {MAP_CROSS, MAP_MEAN, MAP_MEAN}, .pool = MAP_MEAN};
}

void heads_finish(struct heading *heading)
{
    arena_finish(&heading->arena);
    heading->tiles = heading->sorted = NULL;
    heading->count = 0;
}

bool heads_there(const struct app *app)
{
    return app->model >= 0 &&
           app->library.entries[app->model].listing.config.family == FAMILY_TRANSFORMER;
}

void heads_choose(const struct app *app, struct show *show)
{
    show->choice = app->heading.choice;
}

void heads_say(const struct alignment *alignment, char *out, size_t size)
{
    out[0] = '\0';
    if (alignment && alignment->maps)
        map_say(alignment->maps, alignment->attention, out, size);
}

// ---- the small maps ----

static float tau_of(const struct app *app)
{
    return app->show.uses_reread ? app->show.reread_tau : -1;
}

static struct heads_key key_of(const struct app *app, const struct alignment *of)
{
    const struct heading *heading = &app->heading;
    const struct alignment *now = app->show.now;
    return (struct heads_key){.begun = app->show.begun,
                              .rows = alignment_rows(of),
                              .ended = alignment_ended(of),
                              .kind = now->attention.kind,
                              .pool = heading->pool,
                              .tau = now->attention.kind == MAP_CROSS ? tau_of(app) : -1};
}

static bool same_key(const struct heads_key *a, const struct heads_key *b)
{
    return a->begun == b->begun && a->rows == b->rows && a->ended == b->ended &&
           a->kind == b->kind && a->pool == b->pool && !(a->tau < b->tau) &&
           !(a->tau > b->tau);
}

// α of a view as it is on the screen: (rows, n_src), or NULL when memory is short.
static const float *shown_alpha(const struct app *app, const struct alignment *view,
                                struct arena *arena)
{
    float tau = app->heading.key.tau;
    int rows = alignment_rows(view);
    if (tau < 0)
        return view->alpha;
    float *alpha = arena_alloc(arena, (size_t)rows * (size_t)view->n_src, sizeof *alpha);
    if (alpha)
        translate_reread(view, app->show.edits, tau, 0, rows, alpha);
    return alpha;
}

static void shrink(struct head_tile *tile, float *out, const float *alpha, int rows,
                   int n)
{
    for (int t = 0; t < rows; t++)
        for (int s = 0; s < n; s++) {
            int y = t * tile->rows / rows, x = s * tile->columns / n;
            float *cell = out + y * tile->columns + x;
            *cell = fmaxf(*cell, alpha[(size_t)t * (size_t)n + (size_t)s]);
        }
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static bool fill_tile(struct app *app, const struct alignment *view,
                      struct head_tile *tile)
{
    struct arena scratch;
    struct heading *heading = &app->heading;
    int rows = alignment_rows(view), n = view->n_src;
    arena_init(&scratch, TILES_MAX_BYTES);
    const float *alpha = shown_alpha(app, view, &scratch);
    tile->rows = least(rows, HEADS_TILE);
    tile->columns = least(n, HEADS_TILE);
    tile->masked = view->blocked != NULL;
    size_t cells = (size_t)tile->rows * (size_t)tile->columns;
    float *small = arena_alloc(&heading->arena, cells, sizeof *small);
    if (small && alpha) {
        struct attention of = {alpha, rows, n, view->source};
        struct matrix_reading reading = readings_matrix(&of);
        bool sums = map_keeps_sums(view->maps, view->attention);
        tile->entropy_bits = sums ? reading.entropy_bits : NAN;
        tile->diagonal = sums ? reading.diagonal : NAN;
        tile->special = sums ? reading.share_special : NAN;
        shrink(tile, small, alpha, rows, n);
    }
    tile->alpha = small;
    arena_finish(&scratch);
    return small && alpha;
}

static bool add_tile(struct app *app, const struct alignment *of,
                     struct map_choice choice)
{
    struct heading *heading = &app->heading;
    struct error err;
    struct alignment *view = map_view(of, choice, &err);
    struct head_tile *tile = &heading->tiles[heading->count];
    tile->choice = choice;
    bool ok = view && fill_tile(app, view, tile);
    heading->count += ok;
    alignment_destroy(view);
    return ok;
}

// The place behind the last of several is all of them, pooled.
static int place_at(int at, int count, int pool)
{
    return at < count ? at : pool;
}

static int with_pooled(int count)
{
    return count > 1 ? count + 1 : count;
}

static bool add_tiles(struct app *app, const struct alignment *of)
{
    const struct map_shape *shape = &of->maps->shape;
    struct heading *heading = &app->heading;
    enum map_kind kind = heading->key.kind;
    int layers = shape->layers[kind], heads = shape->heads[kind];
    size_t most = (size_t)with_pooled(layers) * (size_t)with_pooled(heads);
    heading->tiles = arena_alloc(&heading->arena, most, sizeof *heading->tiles);
    heading->sorted = arena_alloc(&heading->arena, most, sizeof *heading->sorted);
    bool ok = heading->tiles && heading->sorted;
    for (int l = 0; ok && l < with_pooled(layers); l++)
        for (int h = 0; ok && h < with_pooled(heads); h++)
            ok = add_tile(app, of,
                          (struct map_choice){kind, place_at(l, layers, heading->pool),
                                              place_at(h, heads, heading->pool)});
    return ok;
}

static bool has_rows(const struct alignment *of, enum map_kind kind)
{
    return of && of->maps && maps_kept(of->maps, kind) && of->n_src > 0 &&
           (kind == MAP_ENCODER || alignment_rows(of) > 0);
}

// While rows are coming the small maps of a long sentence stand until it has ended.
static bool follows(const struct alignment *of, const struct heads_key *old,
                    const struct heads_key *key)
{
    const struct map_shape *shape = &of->maps->shape;
    long heads = (long)shape->layers[key->kind] * shape->heads[key->kind];
    return key->ended != ENDED_NOT || old->kind != key->kind ||
           heads * of->n_src * key->rows <= LIVE_CELLS;
}

static int compare_tiles(const struct head_tile *a, const struct head_tile *b,
                         enum heads_sort sort)
{
    float x = sort == HEADS_ENTROPY    ? a->entropy_bits
              : sort == HEADS_DIAGONAL ? a->diagonal
                                       : -a->special;
    float y = sort == HEADS_ENTROPY    ? b->entropy_bits
              : sort == HEADS_DIAGONAL ? b->diagonal
                                       : -b->special;
    return x < y ? -1 : x > y;
}

// The single heads in the order of what they read; equals stay as they were.
static int sort_tiles(const struct heading *heading)
{
    struct head_tile *out = heading->sorted;
    int count = 0;
    for (int i = 0; i < heading->count; i++) {
        struct head_tile tile = heading->tiles[i];
        if (heading->sort != HEADS_GRID && !map_single(tile.choice))
            continue;
        int place = count++;
        while (heading->sort != HEADS_GRID && place > 0 &&
               compare_tiles(&tile, &out[place - 1], heading->sort) < 0) {
            out[place] = out[place - 1];
            place--;
        }
        out[place] = tile;
    }
    return count;
}

static void make_tiles(struct app *app, const struct alignment *of)
{
    struct heading *heading = &app->heading;
    struct heads_key key = key_of(app, of);
    if (heading->tiles &&
        (same_key(&key, &heading->key) || !follows(of, &heading->key, &key)))
        return;
    heads_finish(heading);
    arena_init(&heading->arena, TILES_MAX_BYTES);
    heading->key = key;
    if (!add_tiles(app, of))
        heads_finish(heading);
}

// ---- commands ----

static bool is(const char *a, const char *b)
{
    return !strcmp(a, b);
}

static struct map_shape shape_of(const struct app *app)
{
    const struct transformer_config *t =
        &app->library.entries[app->model].listing.config.transformer;
    return (struct map_shape){
        .layers = {t->decoder.layers, t->encoder.layers, t->decoder.layers},
        .heads = {t->decoder.heads, t->encoder.heads, t->decoder.heads}};
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
    struct map_shape shape = shape_of(app);
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

// ---- in the window ----

static void run(struct app *app, const char *line)
{
    struct error err;
    if (!app_command(app, line, &err))
        app_say(app, err.text);
    app->dirty = true;
}

void heads_title(struct app *app, struct rect *at, const struct scene *scene)
{
    char text[160];
    struct ui *ui = &app->ui;
    heads_say(scene->now, text, sizeof text);
    if (!*text)
        return;
    float w = ui_text_width(ui, FONT_BOLD, 16, text, -1);
    ui_text_fit(ui, FONT_BOLD, 16, rect_make(at->x, at->y, at->w, 22), -1, ui->style->ink,
                text);
    struct rect rest = rect_make(at->x + w + 16, at->y, at->w - w - 16, 22);
    bool self = scene->now->attention.kind != MAP_CROSS;
    if (rest.w > 60)
        ui_text_fit(ui, FONT_TEXT, 14, rest, -1, ui->style->dim,
                    self ? "τ acts on cross-attention only" : "Ctrl+H: every head");
    at->y += TITLE;
    at->h -= TITLE;
}

static const char *why_empty(const struct app *app, const struct alignment *of)
{
    enum map_kind kind = app->heading.choice.kind;
    if (of && of->maps && !maps_kept(of->maps, kind))
        return "the sentence is too long: the map of every head was not kept";
    if (!of || of->n_src == 0)
        return "nothing to translate yet";
    return has_rows(of, kind) ? "no memory for the small maps" : "the rows are coming";
}

// A tile beside the chosen one, `across` of them in a row.
static void move(struct app *app, const struct heads_page *page, int by)
{
    int at = -1;
    char line[64], layer[16], head[16];
    for (int i = 0; i < page->count; i++)
        at = map_same(page->tiles[i].choice, page->chosen) ? i : at;
    int to = at < 0 ? 0 : at + by;
    if (to < 0 || to >= page->count)
        return;
    struct map_choice choice = page->tiles[to].choice;
    map_place_print(choice.layer, layer, sizeof layer);
    map_place_print(choice.head, head, sizeof head);
    snprintf(line, sizeof line, "attention %s %s %s", map_kind_word(choice.kind), layer,
             head);
    run(app, line);
}

static void take_keys(struct app *app, const struct heads_page *page)
{
    const struct {
        enum key key;
        int by;
    } keys[] = {{KEY_LEFT, -1},           {KEY_RIGHT, 1},    {KEY_UP, -page->across},
                {KEY_DOWN, page->across}, {KEY_PAGE_UP, -1}, {KEY_PAGE_DOWN, 1},
                {KEY_BACKSPACE, -1},      {KEY_SPACE, 1}};
    if (app->help || !page->count)
        return;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (ui_take_key(&app->ui, keys[i].key, 0))
            move(app, page, keys[i].by);
    if (ui_take_key(&app->ui, KEY_ENTER, 0))
        run(app, "attention page off");
}

static const char *mark_of(const struct alignment *of, enum map_kind kind)
{
    if (kind == MAP_DECODER)
        return of->maps->start;
    const struct label *last = &of->source[of->n_src - 1];
    return last->special ? last->text : "⏎";
}

static void take_result(struct app *app, const struct heads_page *page,
                        struct heads_result result)
{
    struct heads_page there = *page;
    if (result.line)
        run(app, result.line);
    if (result.opened < 0)
        return;
    there.chosen = page->tiles[result.opened].choice;
    move(app, &there, 0);
    run(app, "attention page off");
}

void heads_draw(struct app *app, struct rect at)
{
    struct heading *heading = &app->heading;
    const struct alignment *of = show_decoded(&app->show);
    struct map_shape shape = shape_of(app);
    enum map_kind kind = heading->choice.kind;
    struct heads_page page = {.chosen = heading->choice,
                              .sort = heading->sort,
                              .pool = heading->pool,
                              .map = app->map,
                              .shade = app->shade,
                              .mark = "⏎"};
    if (has_rows(of, kind) && app->show.now->attention.kind == kind) {
        make_tiles(app, of);
        page.maps = of->maps;
        page.mark = mark_of(of, kind);
        page.chosen = app->show.now->attention;
        page.count = sort_tiles(heading);
        page.tiles = heading->sorted;
    }
    page.across = with_pooled(shape.heads[kind]);
    page.empty = page.count ? NULL : why_empty(app, of);
    take_keys(app, &page);
    take_result(app, &page, heads_page_draw(&app->ui, at, &page));
}
