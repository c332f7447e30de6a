// SPDX-License-Identifier: MIT
// What stands side by side, drawn: two panels with everything, up to six small multiples,
// or the difference of two. All panels are laid out before any is drawn, so that what is
// pointed at in one is marked in the others too.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/state.h"
#include "view/difference.h"
#include "view/heatmap.h"
#include "view/legend.h"
#include "view/multiples.h"
#include "view/panel.h"
#include "view/short.h"
#include "view/tau.h"
#include "view/wrap.h"

enum { SIDES_MAX = RIVALS_MAX + 1, NAME_BYTES = 200, PAIR_GAP = 40 };

struct side {
    const struct rival *rival; // NULL: the main one
    struct scene scene;
    char name[NAME_BYTES], note[NAME_BYTES];
};

struct sides {
    float head_w; // of the longest name
    struct side list[SIDES_MAX];
    int count, main; // main: its place
};

static bool has_kind(const struct app *app, enum rival_kind kind)
{
    for (int i = 0; i < app->rivals.count; i++)
        if (app->rivals.list[i]->what.kind == kind)
            return true;
    return false;
}

// What sets it apart: its τ, its edits.
static void note_of(const struct app *app, const struct side *side, char *out,
                    size_t size)
{
    char tau[32];
    const struct rival *rival = side->rival;
    const struct edits *edits = what_if_now(app);
    bool unedited = rival && rival->what.kind == RIVAL_UNEDITED;
    *out = '\0';
    tau_format(tau, sizeof tau, rival ? rivals_tau(app, rival) : app->tau);
    if (unedited)
        snprintf(out, size, "before, without edits");
    else if (!rival && has_kind(app, RIVAL_UNEDITED) && edits)
        snprintf(out, size, "after %d edit%s", edits->count,
                 edits->count == 1 ? "" : "s");
    else if (has_kind(app, RIVAL_TAU))
        snprintf(out, size, "τ = %s%s", tau,
                 side->scene.now && side->scene.now->edited ? ", edited" : "");
}

// Which of its maps is seen, where it has several. Cross-attention is what all show, and
// so it is not named.
static void add_attention(struct side *side)
{
    static const char cross[] = "cross-attention, ";
    char said[120];
    size_t used = strlen(side->note);
    heads_say(side->scene.now, said, sizeof said);
    if (*said)
        snprintf(side->note + used, sizeof side->note - used, "%s%s", used ? " · " : "",
                 said + (strncmp(said, cross, strlen(cross)) ? 0 : strlen(cross)));
}

static void name_side(const struct app *app, struct side *side, bool whole)
{
    const struct rival *rival = side->rival;
    bool model = rival && rival->what.kind == RIVAL_MODEL;
    int entry = model ? rival->what.model : app->model;
    (whole ? library_line : library_label)(&app->library, entry, side->name,
                                           sizeof side->name);
    note_of(app, side, side->note, sizeof side->note);
    add_attention(side);
}

static int clip(int last, int count)
{
    return last < count ? last : count - 1;
}

static struct lens_span within(struct lens_span span, int count)
{
    bool none = span.first < 0 || span.first >= count;
    return none ? (struct lens_span){NOWHERE, NOWHERE}
                : (struct lens_span){span.first, clip(span.last, count)};
}

static bool same_columns(const struct scene *a, const struct scene *b)
{
    return a->now && b->now && difference_same_source(a->now, b->now);
}

// The selection of the main one, by target position; columns where they are the same.
static void select_like(const struct scene *main, struct scene *other)
{
    int n = other->now ? other->now->n_src : 0;
    bool turned = main->lens.transpose, same = turned || same_columns(main, other);
    other->selected = main->selected < other->rows ? main->selected : NOWHERE;
    other->selected_s = main->selected_s < n ? main->selected_s : NOWHERE;
    other->marked_rows = within(main->marked_rows, other->rows);
    other->marked_columns = within(main->marked_columns, same ? n : 0);
}

static void add_side(struct app *app, struct sides *sides, struct rival *rival,
                     const struct scene *main)
{
    struct side *side = &sides->list[sides->count++];
    side->rival = rival;
    side->scene = *main;
    if (rival) {
        app_scene(app, &side->scene);
        show_scene(&rival->show, &side->scene);
        reveal_limit(app, &side->scene);
        look_scene(app, &rival->show, &side->scene);
        select_like(main, &side->scene);
    }
}

static void take_sides(struct app *app, struct sides *sides, const struct scene *main)
{
    struct rivals *rivals = &app->rivals;
    sides->count = 0;
    for (int i = 0; i < rivals->count; i++)
        if (rivals_first(rivals->list[i]))
            add_side(app, sides, rivals->list[i], main);
    sides->main = sides->count;
    add_side(app, sides, NULL, main);
    for (int i = 0; i < rivals->count; i++)
        if (!rivals_first(rivals->list[i]))
            add_side(app, sides, rivals->list[i], main);
}

// What is pointed at in one is pointed at in all where the source is the same. Returns
// the side under the pointer, else the main one.
static int point(struct sides *sides)
{
    int at = NOWHERE;
    for (int i = 0; i < sides->count; i++)
        if (sides->list[i].scene.hover_s >= 0 || sides->list[i].scene.hover_t >= 0)
            at = i;
    for (int i = 0; at >= 0 && i < sides->count; i++) {
        const struct scene *from = &sides->list[at].scene;
        struct scene *to = &sides->list[i].scene;
        if (i == at)
            continue;
        if (from->lens.transpose && from->hover_t < to->rows)
            to->hover_t = from->hover_t;
        else if (!from->lens.transpose && same_columns(from, to))
            to->hover_s = from->hover_s;
    }
    return at < 0 ? sides->main : at;
}

static const char *words_of(const struct app *app, const struct scene *scene)
{
    if (!scene->now || alignment_ended(scene->now) == ENDED_NOT || reveal_hides(app))
        return "…"; // not written yet
    return scene->now->translation ? scene->now->translation : "";
}

static struct multiple multiple_of(const struct app *app, const struct sides *sides,
                                   int i)
{
    const struct side *side = &sides->list[i];
    return (struct multiple){side->name, side->note, words_of(app, &side->scene),
                             sides->head_w};
}

// All names, before the first is drawn.
static void name_sides(struct app *app, struct sides *sides, int count, bool whole)
{
    sides->head_w = 0;
    for (int i = 0; i < count; i++) {
        name_side(app, &sides->list[i], whole);
        struct multiple multiple = multiple_of(app, sides, i);
        sides->head_w = fmaxf(sides->head_w, multiples_head_width(&app->ui, &multiple));
    }
}

// The main panel comes last: what is zoomed and read is of it.
static void point_at(struct app *app, struct sides *sides, const struct panel *panels)
{
    for (int i = 0; i < sides->count; i++)
        if (i != sides->main)
            look_pointer(app, &panels[i], &sides->list[i].scene);
    look_pointer(app, &panels[sides->main], &sides->list[sides->main].scene);
}

// Side by side one colour means one α.
static void share_scale(const struct app *app, struct sides *sides, int count)
{
    float most = 0;
    if (app->shade != SHADE_MAX)
        return; // the others need no look at every α in every frame
    for (int i = 0; i < count; i++)
        most = fmaxf(most, heatmap_max(&sides->list[i].scene));
    for (int i = 0; i < count; i++)
        sides->list[i].scene.all_max = most;
}

static void draw_pair(struct app *app, struct rect all, struct sides *sides)
{
    struct panel panels[2];
    struct rect at[2];
    float half = (all.w - PAIR_GAP) / 2;
    float head = all.h >= 420 ? 84 : 46; // the translation has its lines, used or not
    for (int i = 0; i < 2; i++) {
        at[i] = rect_make(all.x + (float)i * (half + PAIR_GAP), all.y, half, all.h);
        struct rect room = rect_make(at[i].x, at[i].y + head, half, all.h - head);
        panels[i] = panel_layout(&app->ui, room, &sides->list[i].scene);
    }
    point_at(app, sides, panels);
    point(sides);
    name_sides(app, sides, 2, true);
    share_scale(app, sides, 2);
    for (int i = 0; i < 2; i++) {
        struct side *side = &sides->list[i];
        struct multiple multiple = multiple_of(app, sides, i);
        multiples_head(&app->ui, at[i], &side->scene, &multiple, head > 50 ? 3 : 1);
        panel_draw(&app->ui, &side->scene, &panels[i]);
    }
    draw_fill(app->ui.list, rect_make(all.x + half + PAIR_GAP / 2, all.y, 1, all.h), 0,
              app->ui.style->line);
}

// Cells keep their size while one types, as those of a single matrix do.
static struct multiples_cells cells_of(struct app *app, const struct sides *sides,
                                       struct rect room)
{
    struct rivals *rivals = &app->rivals;
    struct multiples_cells cells = {.rows = 1, .n_src = 1};
    for (int i = 0; i < sides->count; i++) {
        const struct scene *scene = &sides->list[i].scene;
        int rows = scene_rows(scene), n = scene->now ? scene->now->n_src : 0;
        cells.rows = rows > cells.rows ? rows : cells.rows;
        cells.n_src = n > cells.n_src ? n : cells.n_src;
    }
    if (!memcmp(&room, &rivals->kept_room, sizeof room))
        cells.keep = rivals->kept;
    rivals->kept_room = room;
    return cells;
}

// The others have no room: this says so, and who they are.
static void name_rest(struct app *app, struct rect at, struct sides *sides, int from)
{
    char line[600];
    int used = snprintf(line, sizeof line, "no room for %d more:", sides->count - from);
    for (int i = from; i < sides->count && used > 0 && (size_t)used < sizeof line; i++) {
        struct side *side = &sides->list[i];
        name_side(app, side, false);
        used +=
            snprintf(line + used, sizeof line - (size_t)used, "%s %.60s%s%s",
                     i > from ? "," : "", side->name, *side->note ? " " : "", side->note);
    }
    ui_text_fit(&app->ui, FONT_TEXT, 13, at, -1, app->ui.style->dim, line);
}

// Whether all have the columns of the main one. While one of them is still decoded, as it
// was: names must not come and go while one types.
static bool columns_are_shared(struct app *app, const struct sides *sides)
{
    const struct scene *main = &sides->list[sides->main].scene;
    bool whole = app->show.told, same = !main->lens.transpose && !app->look.ribbon;
    for (int i = 0; i < sides->count; i++) {
        const struct rival *rival = sides->list[i].rival;
        whole = whole && (!rival || (rival->show.told && rival->shown == app->shown));
        same = same && same_columns(main, &sides->list[i].scene);
    }
    if (whole)
        app->rivals.shared = same;
    return app->rivals.shared;
}

static void draw_multiples(struct app *app, struct rect all, struct sides *sides)
{
    struct panel panels[SIDES_MAX];
    struct multiples m = multiples_place(all, sides->count, app->look.ribbon,
                                         columns_are_shared(app, sides));
    struct multiples_cells cells = cells_of(app, sides, m.at[0]);
    int count = sides->count;
    sides->count = m.shown;
    for (int i = 0; i < m.shown; i++)
        panels[i] = multiples_panel(&app->ui, &m, i, &sides->list[i].scene, &cells);
    if (cells.n_src > 1)
        app->rivals.kept = panels[0].grid.fitted;
    sides->main = sides->main < m.shown ? sides->main : 0;
    point_at(app, sides, panels);
    int pointed = point(sides), told = pointed;
    name_sides(app, sides, m.shown, false);
    share_scale(app, sides, m.shown);
    for (int i = 0; i < m.shown; i++) {
        struct side *side = &sides->list[i];
        struct multiple multiple = multiple_of(app, sides, i);
        multiples_draw(&app->ui, &m, i, &side->scene, &panels[i], &multiple);
        if (side->scene.now && side->scene.now->has_attention &&
            !(sides->list[told].scene.now && sides->list[told].scene.now->has_attention))
            told = i;
    }
    struct scene scene = sides->list[told].scene;
    struct remarks marks = scene.remarks ? *scene.remarks : (struct remarks){.n_tgt = 0};
    marks.disagreeing = marks.n_tgt = 0; // rows have no marks here
    scene.remarks = scene.remarks ? &marks : NULL;
    if (scene.now && scene.now->has_attention && scene.now->n_src > 0)
        legend_draw(&app->ui, &scene, m.legend);
    sides->count = count;
    if (m.rest.h > 0)
        name_rest(app, m.rest, sides, m.shown);
}

static float draw_side_name(struct app *app, struct rect at, const struct side *side,
                            int i, const char *words)
{
    char name[2 * NAME_BYTES + 16];
    struct ui *ui = &app->ui;
    snprintf(name, sizeof name, "%s  %s%s%s", i ? "B" : "A", side->name,
             *side->note ? " · " : "", side->note);
    draw_fill(ui->list, rect_make(at.x, at.y + 4, 12, 12), 3, difference_hue(ui, i));
    struct rect line = rect_make(at.x + 20, at.y, at.w - 20, 20);
    float w = fminf(ui_text_width(ui, FONT_BOLD, 14.5f, name, -1) + 1, line.w);
    ui_text_fit(ui, FONT_BOLD, 14.5f, rect_make(line.x, line.y, w, 20), -1,
                ui->style->ink, name);
    line.x += w + 14;
    line.w -= w + 14;
    if (line.w > 40)
        ui_text_fit(ui, FONT_TEXT, 14, line, -1, ui->style->dim, words);
    return at.y + 22;
}

static void draw_mean(struct app *app, struct rect *at, const struct difference *made)
{
    char text[80];
    if (!made || isnan(made->mean_bits) || reveal_hides(app))
        return;
    snprintf(text, sizeof text, "mean divergence %.3f bits", (double)made->mean_bits);
    float w = ui_text_width(&app->ui, FONT_TEXT, 13.5f, text, -1) + 16;
    ui_text_fit(&app->ui, FONT_TEXT, 13.5f, rect_make(at->x, at->y, at->w, 20), 1,
                app->ui.style->dim, text);
    at->w -= w;
}

// What is selected in the main one, where its rows stand in the difference.
static void select_paired(const struct difference *made, int side,
                          const struct scene *main, struct scene *scene)
{
    select_like(main, scene);
    scene->row_of = made->rows.at[side];
    scene->selected = difference_place(made, side, main->selected);
    scene->marked_rows = (struct lens_span){
        difference_place(made, side, main->marked_rows.first),
        difference_place(made, side, main->marked_rows.last),
    };
    if (scene->selected >= scene->rows)
        scene->selected = scene->rows - 1;
    scene->marked_rows = within(scene->marked_rows, scene->rows);
}

// Rows of a difference are target words, whatever way the main one stands.
static struct scene upright_of(const struct scene *main)
{
    struct scene upright = *main;
    if (!main->lens.transpose)
        return upright;
    upright.lens.transpose = false;
    upright.selected = main->selected_s;
    upright.selected_s = main->selected;
    upright.marked_rows = main->marked_columns;
    upright.marked_columns = main->marked_rows;
    return upright;
}

// The scene of a difference, selected as the main one is.
static struct scene scene_of(struct app *app, const struct difference *made,
                             const struct sides *sides)
{
    struct scene scene;
    const struct scene *main = &sides->list[sides->main].scene;
    scene_init(&scene);
    scene.now_ms = app->now_ms;
    scene.shade = app->shade;
    scene.port = app->look.port;
    scene.now = made->shown;
    scene.alpha = made->shown->alpha;
    scene.rows = alignment_rows(made->shown);
    scene.changed = made->differs;
    scene.difference = made;
    for (int i = 0; i < 2; i++)
        scene.names[i] = sides->list[i].name;
    if (reveal_hides(app)) // else all of it, which may be more than either has
        reveal_limit(app, &scene);
    struct scene upright = upright_of(main);
    if (!made->by_words)
        select_paired(made, sides->main, &upright, &scene);
    return scene;
}

static void draw_difference(struct app *app, struct rect all, struct sides *sides)
{
    const struct difference *made = rivals_subtract(app);
    struct rect head = all;
    draw_mean(app, &head, made);
    for (int i = 0; i < 2; i++) {
        struct side *side = &sides->list[i];
        name_side(app, side, false);
        head.y = draw_side_name(app, head, side, i,
                                made && !reveal_hides(app) ? made->words[i]
                                                           : words_of(app, &side->scene));
    }
    all.h -= head.y + 6 - all.y;
    all.y = head.y + 6;
    if (!made) {
        all.y += all.h / 3;
        wrap_draw(&app->ui, FONT_MEDIUM, 16, app->ui.style->ink, all, 24, 0,
                  app->rivals.refused.text);
        return;
    }
    struct scene scene = scene_of(app, made, sides);
    struct panel panel = panel_layout(&app->ui, all, &scene);
    if (look_reveal(app, &panel, &scene)) {
        scene.port = app->look.port;
        panel = panel_layout(&app->ui, all, &scene);
    }
    if (made->by_words) // rows and columns are not those that are selected elsewhere
        panel_hit(&panel, &scene, app->ui.input->x, app->ui.input->y, &scene.hover_t,
                  &scene.hover_s);
    else
        look_pointer(app, &panel, &scene);
    panel_draw(&app->ui, &scene, &panel);
}

void rivals_draw(struct app *app, struct rect at, struct scene *scene)
{
    struct sides sides;
    what_if_draw(app, &at); // of the main one
    take_sides(app, &sides, scene);
    if (rivals_show_difference(app))
        draw_difference(app, at, &sides);
    else if (sides.count == 2 && at.w >= 880 && at.h >= 330)
        draw_pair(app, at, &sides);
    else
        draw_multiples(app, at, &sides);
}

bool rivals_fading(struct app *app)
{
    struct scene scene;
    for (int i = 0; i < app->rivals.count; i++) {
        app_scene(app, &scene);
        show_scene(&app->rivals.list[i]->show, &scene);
        if (scene_fading(&scene))
            return true;
    }
    return false;
}
