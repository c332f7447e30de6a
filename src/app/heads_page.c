// SPDX-License-Identifier: MIT
// The attention chooser in the window: the line above the matrix, and the page of all
// maps with its keys. See heads.h.
#include <stdio.h>

#include "app/state.h"
#include "view/wrap.h"

enum { TITLE = 26 };

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
    return heads_have_rows(of, kind) ? "no memory for the small maps"
                                     : "the rows are coming";
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
    app_run(app, line);
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
        app_run(app, "attention page off");
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
        app_run(app, result.line);
    if (result.opened < 0)
        return;
    there.chosen = page->tiles[result.opened].choice;
    move(app, &there, 0);
    app_run(app, "attention page off");
}

void heads_draw(struct app *app, struct rect at)
{
    struct heading *heading = &app->heading;
    const struct alignment *of = show_decoded(&app->show);
    struct map_shape shape = heads_shape(app);
    enum map_kind kind = heading->choice.kind;
    struct heads_page page = {.chosen = heading->choice,
                              .sort = heading->sort,
                              .pool = heading->pool,
                              .map = app->map,
                              .shade = app->shade,
                              .mark = "⏎"};
    if (heads_have_rows(of, kind) && app->show.now->attention.kind == kind) {
        heads_make_tiles(app, of);
        page.maps = of->maps;
        page.mark = mark_of(of, kind);
        page.chosen = app->show.now->attention;
        page.count = heads_sort_tiles(heading);
        page.tiles = heading->sorted;
    }
    page.across = heads_with_pooled(shape.heads[kind]);
    page.empty = page.count ? NULL : why_empty(app, of);
    take_keys(app, &page);
    take_result(app, &page, heads_page_draw(&app->ui, at, &page));
}
