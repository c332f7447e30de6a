// SPDX-License-Identifier: MIT
// Edits between the screen and the list: which are in force, what is selected, the cell
// that is dragged, the strip. See what_if.h.
#include "app/what_if.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/state.h"
#include "view/edits.h"
#include "view/panel.h"

enum { DRAG_PX = 160, DEAD_PX = 3 };

static const struct lens_span nothing = {NOWHERE, NOWHERE};

bool what_if_is_here(const struct app *app)
{
    const struct what_if *what_if = &app->what_if;
    return app->model >= 0 && what_if->model == app->model &&
           !strcmp(what_if->text, textedit_text(app->edit));
}

const struct edits *what_if_now(const struct app *app)
{
    const struct what_if *what_if = &app->what_if;
    bool rest = what_if->before || app->beaming.beam.width || !what_if->edits.count ||
                !what_if_is_here(app);
    return rest ? NULL : &what_if->edits;
}

unsigned what_if_stamp(const struct app *app)
{
    const struct edits *edits = what_if_now(app);
    return edits ? edits->changes : 0;
}

// From token a to token b, with the other tokens of their words.
static struct lens_span span_of(const struct lens_axis *axis, int a, int b, int count)
{
    int first = a < b ? a : b, last = a < b ? b : a;
    if (first < 0 || !count)
        return nothing;
    last = last < count ? last : count - 1;
    first = first < count ? first : count - 1;
    if (axis && axis->n && axis->words[axis->n - 1].last >= last) {
        if (axis->word[first] >= 0)
            first = axis->words[axis->word[first]].first;
        if (axis->word[last] >= 0)
            last = axis->words[axis->word[last]].last;
    }
    return (struct lens_span){first, last};
}

struct lens_span what_if_rows(const struct app *app)
{
    const struct lens *lens = app->show.lens;
    int a = app->selected, b = app->look.row_anchor;
    return span_of(lens ? &lens->target : NULL, a, b < 0 ? a : b, app->show.rows);
}

struct lens_span what_if_columns(const struct app *app)
{
    const struct lens *lens = app->show.lens;
    return span_of(lens ? &lens->source : NULL, app->look.column, app->look.column_end,
                   app->show.now ? app->show.now->n_src : 0);
}

int what_if_token(const struct app *app, int place)
{
    const struct alignment *now = show_decoded(&app->show);
    if (!now || place < 0 || place >= now->n_src)
        return NOWHERE;
    return now->order ? now->order[place] : place;
}

int what_if_column(const struct app *app)
{
    return what_if_token(app, app->look.column_end);
}

int what_if_place(const struct alignment *now, int token)
{
    for (int s = 0; now && s < now->n_src; s++)
        if ((now->order ? now->order[s] : s) == token)
            return s;
    return NOWHERE;
}

void what_if_row_shown(const struct app *app, int t, float *alpha)
{
    struct scene scene;
    app_scene(app, &scene);
    int n = scene.now->n_src;
    for (int s = 0; s < n; s++)
        alpha[what_if_token(app, s)] = scene.alpha[(size_t)t * (size_t)n + (size_t)s];
}

// The token behind a word that is shown; NOWHERE: several.
static int only_token(const struct lens_axis *axis, int word)
{
    if (!axis)
        return word;
    struct lens_span span = axis->words[word];
    return span.first == span.last ? span.first : NOWHERE;
}

static void press(struct app *app, const struct scene *shown)
{
    struct what_if *what_if = &app->what_if;
    const struct lens *lens = app->show.lens;
    bool turned = shown->lens.transpose;
    int t =
        only_token(lens ? &lens->target : NULL, turned ? shown->hover_s : shown->hover_t);
    int s =
        only_token(lens ? &lens->source : NULL, turned ? shown->hover_t : shown->hover_s);
    if (t < 0 || s < 0) {
        app_say(app,
                "this cell is several tokens in one: Alt+W shows them, each to edit");
        return;
    }
    size_t at = (size_t)shown->hover_t * (size_t)shown->now->n_src;
    what_if->editing = EDITING_PRESSED;
    what_if->replaces = false;
    what_if->row = t;
    what_if->column = what_if_token(app, s);
    what_if->alpha = shown->alpha[at + (size_t)shown->hover_s];
    what_if->from_y = app->ui.input->y;
}

static void drag(struct app *app)
{
    struct what_if *what_if = &app->what_if;
    float value = what_if->alpha + (what_if->from_y - app->ui.input->y) / DRAG_PX;
    value = roundf(fminf(fmaxf(value, 0), 1) * 100) / 100;
    const struct edits *edits = &what_if->edits;
    bool same = what_if->replaces && edits->count &&
                fabsf(edits->list[edits->count - 1].value - value) < 0.005f;
    char line[80];
    snprintf(line, sizeof line, "what-if cell %d %d %.2f", what_if->row + 1,
             what_if->column + 1, (double)value);
    if (!same && app_run(app, line))
        what_if->replaces = true; // the whole drag is one edit
    snprintf(line, sizeof line, "α = %.2f", (double)value);
    ui_tooltip(&app->ui, rect_make(app->ui.input->x + 12, app->ui.input->y - 12, 1, 1),
               line);
}

// Of two matrices side by side only that of the model in use is edited.
static bool is_ours(const struct app *app, const struct scene *shown)
{
    const struct lens *lens = app->show.lens;
    return shown->now == (lens ? lens->shown : app->show.now);
}

bool what_if_pointer(struct app *app, const struct panel *panel,
                     const struct scene *shown)
{
    struct what_if *what_if = &app->what_if;
    const struct input *input = app->ui.input;
    if (!input->down) {
        what_if->replaces = what_if->replaces && what_if->editing == EDITING_NOT;
        what_if->editing = EDITING_NOT;
        return false;
    }
    bool cell = shown->hover_t >= 0 && shown->hover_s >= 0 &&
                shown->hover_t < shown->rows && shown->now->has_attention;
    if (input->pressed && cell && !panel->is_ribbon && is_ours(app, shown) &&
        (what_if->asks || (input->mods & MOD_ALT)))
        press(app, shown);
    if (what_if->editing == EDITING_PRESSED && !input->pressed &&
        fabsf(input->y - what_if->from_y) >= DEAD_PX)
        what_if->editing = EDITING_DRAGGED;
    if (what_if->editing == EDITING_DRAGGED)
        drag(app);
    return what_if->editing != EDITING_NOT;
}

static void take_typing(struct app *app, const struct edits_result *result)
{
    struct what_if *what_if = &app->what_if;
    char line[TEXT_MAX_BYTES + 32];
    if (result->typed) {
        what_if->replaces =
            what_if->typed_count && what_if->edits.count == what_if->typed_count;
        snprintf(line, sizeof line, "what-if prefix %s", textedit_text(what_if->typed));
        if (app_run(app, line))
            what_if->typed_count = what_if->edits.count;
        what_if->replaces = false;
    }
    if (result->entered)
        ui_set_focus(&app->ui, ui_hash("sentence"));
    if (!ui_has_focus(&app->ui, ui_hash(edits_field))) {
        what_if->typing = false;
        app->dirty = true;
    }
}

// Texts of the edits, for one frame.
struct texts {
    char text[EDITS_MAX][WHAT_IF_TEXT];
    const char *at[EDITS_MAX];
    char note[80];
};

static struct edits_strip strip_of(struct app *app, struct texts *texts)
{
    struct what_if *what_if = &app->what_if;
    struct edits_strip strip = {.asks = what_if->asks,
                                .edits = texts->at,
                                .note = texts->note,
                                .typed = what_if->typing ? what_if->typed : NULL,
                                .scroll_x = &what_if->scroll_x};
    texts->note[0] = '\0';
    if (!what_if_is_here(app))
        return strip;
    strip.count = what_if->edits.count;
    strip.total = what_if->edits.total;
    strip.before = what_if->before;
    for (int i = 0; i < strip.total; i++) {
        struct edit edit = edits_at(&what_if->edits, i);
        what_if_describe(app, &edit, texts->text[i]);
        texts->at[i] = texts->text[i];
    }
    what_if_note(app, texts->note, sizeof texts->note);
    return strip;
}

bool what_if_draw(struct app *app, struct rect *at)
{
    struct texts texts;
    struct edits_strip strip = strip_of(app, &texts);
    float h = edits_strip_height(&strip);
    if (!(h > 0))
        return false;
    struct edits_result result = edits_strip_draw(&app->ui, *at, &strip);
    if (result.line)
        app_run(app, result.line);
    if (strip.typed)
        take_typing(app, &result);
    at->y += h;
    at->h -= h;
    return true;
}

void what_if_draw_list(struct app *app, struct rect at)
{
    struct texts texts;
    struct edits_strip strip = strip_of(app, &texts);
    int to;
    if (!app->what_if.listed || !strip.total)
        return;
    float h = edits_strip_height(&strip);
    at.y += h;
    at.h -= h;
    bool outside_it = edits_list_draw(&app->ui, at, &strip, &to);
    char line[40];
    snprintf(line, sizeof line, "what-if keep %d", to);
    if (to >= 0)
        app_run(app, line);
    if (outside_it && app->ui.hot != ui_hash("edits"))
        app_run(app, "what-if list off");
}

void what_if_choose(struct app *app, int k)
{
    char line[40];
    snprintf(line, sizeof line, "what-if word here %d", k + 1);
    app_run(app, line);
}

bool what_if_dismiss(struct app *app)
{
    struct what_if *what_if = &app->what_if;
    bool any = what_if->typing || what_if->listed || what_if->asks;
    if (what_if->typing)
        ui_set_focus(&app->ui, ui_hash("sentence"));
    else if (what_if->listed)
        what_if->listed = false;
    else
        what_if->asks = false;
    what_if->typing = false;
    return any;
}
