// SPDX-License-Identifier: MIT
// From tokens to the words that are shown, and back. See look.h.
#include "app/look.h"

#include <math.h>

#include "app/state.h"
#include "view/minimap.h"
#include "view/panel.h"

static const struct lens_span none = {NOWHERE, NOWHERE};

void look_init(struct look *look)
{
    *look =
        (struct look){.row_anchor = NOWHERE, .column = NOWHERE, .column_end = NOWHERE};
}

static struct lens_span span_of(int a, int b)
{
    return a < b ? (struct lens_span){a, b} : (struct lens_span){b, a};
}

// The words of tokens a to b; a hidden one counts for the word before it.
static struct lens_span words_of(const struct lens_axis *axis, int tokens, int a, int b)
{
    struct lens_span span = span_of(a, b);
    if (a < 0 || b < 0)
        return none;
    if (!axis)
        return span;
    int first = NOWHERE, last = NOWHERE;
    for (int i = 0; i < tokens && i <= span.last; i++) {
        int word = axis->word[i];
        if (word < 0)
            continue;
        first = i <= span.first || first < 0 ? word : first;
        last = word;
    }
    return first < 0 ? none : (struct lens_span){first, last};
}

static const struct lens_axis *target_axis(const struct show *show)
{
    return show->lens ? &show->lens->target : NULL;
}

static const struct lens_axis *source_axis(const struct show *show)
{
    return show->lens ? &show->lens->source : NULL;
}

// Tokens that the axis of a lens was made for; empty: where it has no words.
static int known_of(const struct lens_axis *axis, int empty)
{
    return axis->n > 0 ? axis->words[axis->n - 1].last + 1 : empty;
}

static int known_rows(const struct show *show)
{
    const struct lens_axis *axis = target_axis(show);
    return axis ? known_of(axis, show->rows) : show->rows;
}

// Of n source tokens: the lens may still be that of a shorter sentence before.
static int known_columns(const struct show *show, int n)
{
    const struct lens_axis *axis = source_axis(show);
    int known = axis ? known_of(axis, 0) : n;
    return known < n ? known : n;
}

static int clamp(int value, int count)
{
    return value < count ? value : count - 1;
}

void look_scene(struct app *app, struct show *show, struct scene *scene)
{
    const struct look *look = &app->look;
    const struct scene real = *scene;
    int rows = scene->rows, n = scene->now ? scene->now->n_src : 0;
    int row = clamp(app->selected, rows), other = clamp(look->row_anchor, rows);
    show_look(show, &look->lens, scene);
    int known = known_rows(show);
    if (show->lens && known < rows) {
        row = clamp(row, known);
        other = clamp(other, known);
    }
    const struct lens_axis *target = target_axis(show);
    struct lens_span lead = words_of(target, known, row, row);
    struct lens_span targets = words_of(target, known, row, other < 0 ? row : other);
    n = known_columns(show, n);
    struct lens_span sources = words_of(source_axis(show), n, clamp(look->column, n),
                                        clamp(look->column_end, n));
    bool turned = scene->lens.transpose;
    scene->port = look->port;
    scene->hard = look->hard;
    scene->ribbon = look->ribbon;
    scene->selected = turned ? NOWHERE : lead.first;
    scene->selected_s = turned ? lead.first : NOWHERE;
    scene->marked_rows = turned ? sources : targets;
    scene->marked_columns = turned ? targets : sources;
    remarks_scene(app, show, &real, scene);
}

int look_rows(const struct app *app)
{
    const struct lens_axis *axis = target_axis(&app->show);
    bool fewer = app->reveal.on && app->reveal.rows < app->show.rows;
    int rows = fewer ? app->reveal.rows : app->show.rows;
    return axis ? axis->n : rows;
}

int look_row(const struct app *app)
{
    int known = known_rows(&app->show), row = clamp(app->selected, known);
    return words_of(target_axis(&app->show), known, row, row).first;
}

int look_columns(const struct app *app)
{
    const struct lens_axis *axis = source_axis(&app->show);
    return axis ? axis->n : app->show.now ? app->show.now->n_src : 0;
}

int look_column(const struct app *app)
{
    int n = known_columns(&app->show, app->show.now ? app->show.now->n_src : 0);
    int column = clamp(app->look.column_end, n);
    return words_of(source_axis(&app->show), n, column, column).first;
}

void look_select(struct app *app, int row, bool extend)
{
    const struct lens_axis *axis = target_axis(&app->show);
    int count = look_rows(app), was = app->selected;
    int word = row >= count ? count - 1 : row;
    app->selected = word < 0 ? NOWHERE : axis ? axis->words[word].first : word;
    if (!extend || word < 0)
        app->look.row_anchor = NOWHERE;
    else if (app->look.row_anchor < 0)
        app->look.row_anchor = was;
    app->look.reveal = true;
    app->dirty = true;
}

void look_select_column(struct app *app, int column, bool extend)
{
    const struct lens_axis *axis = source_axis(&app->show);
    int count = look_columns(app);
    int word = column >= count ? count - 1 : column;
    int token = word < 0 ? NOWHERE : axis ? axis->words[word].first : word;
    app->look.column_end = token;
    if (!extend || word < 0 || app->look.column < 0)
        app->look.column = token;
    app->dirty = true;
}

void look_hover(const struct app *app, const struct scene *shown, struct scene *real)
{
    bool turned = shown->lens.transpose;
    int t = turned ? shown->hover_s : shown->hover_t;
    int s = turned ? shown->hover_t : shown->hover_s;
    const struct lens *lens = app->show.lens;
    real->hover_t =
        lens && t >= 0 && t < lens->target.n ? lens->target.words[t].first : t;
    real->hover_s =
        lens && s >= 0 && s < lens->source.n ? lens->source.words[s].first : s;
}

// A press on a target word selects it, on a source word alone that one; Shift extends.
static void press(struct app *app, const struct scene *shown)
{
    bool turned = shown->lens.transpose;
    bool extend = (app->ui.input->mods & MOD_SHIFT) != 0;
    int t = turned ? shown->hover_s : shown->hover_t;
    int s = turned ? shown->hover_t : shown->hover_s;
    if (t >= 0 && shown->row_of && (t = shown->row_of[t]) < 0)
        return; // of the other one alone
    if (t >= look_rows(app))
        return;
    if (t >= 0) {
        look_select(app, t, extend);
        app->look.reveal = false; // it is where the pointer is
    } else if (s >= 0) {
        bool again =
            !extend && s == look_column(app) && app->look.column == app->look.column_end;
        look_select_column(app, again ? NOWHERE : s, extend);
    }
}

static void pan(struct app *app, const struct panel *panel, float dx, float dy)
{
    app->look.port = panel->port;
    app->look.port.column += dx;
    app->look.port.row += dy;
    app->dirty = true;
}

static void take_wheel(struct app *app, const struct panel *panel)
{
    const struct input *input = app->ui.input;
    const struct grid *grid = &panel->grid;
    float up = input->wheel_y, left = input->wheel_x;
    if (!(fabsf(up) > 0) && !(fabsf(left) > 0))
        return;
    if (panel->is_ribbon) {
        pan(app, panel, -(up + left) * (float)grid->n_src * 0.05f, 0);
    } else if (input->mods & MOD_CTRL) {
        app->look.port = grid_zoom(grid, powf(1.2f, up), input->x, input->y);
        app->dirty = true;
    } else if (!grid_is_whole(grid)) {
        bool sideways = (input->mods & MOD_SHIFT) != 0;
        float across = 60 / grid->cell_w, down = 60 / grid->cell_h;
        pan(app, panel, -(sideways ? up : left) * across, sideways ? 0 : -up * down);
    }
}

static void take_drag(struct app *app, const struct panel *panel)
{
    const struct input *input = app->ui.input;
    struct look *look = &app->look;
    const struct grid *grid = &panel->grid;
    if (input->pressed && rect_contains(panel->map, input->x, input->y))
        look->drag = DRAG_MAP;
    else if (input->pressed && !grid_is_whole(grid) &&
             rect_contains(grid->sight, input->x, input->y))
        look->drag = DRAG_CELLS;
    if (!input->down)
        look->drag = DRAG_NONE;
    bool moved = fabsf(look->drag_x - input->x) + fabsf(look->drag_y - input->y) > 0;
    if (look->drag == DRAG_MAP && (moved || input->pressed)) {
        look->port = minimap_port(grid, panel->map, input->x, input->y);
        app->dirty = true;
    } else if (look->drag == DRAG_CELLS && moved && !input->pressed) {
        pan(app, panel, (look->drag_x - input->x) / grid->cell_w,
            (look->drag_y - input->y) / grid->cell_h);
    }
    look->drag_x = input->x;
    look->drag_y = input->y;
}

void look_pointer(struct app *app, const struct panel *panel, struct scene *shown)
{
    const struct input *input = app->ui.input;
    app->look.grid = panel->grid;
    app->look.grid.port = panel->port;
    if (!shown->now || shown->now->n_src == 0 || (app->ui.hot && !app->what_if.editing))
        return; // what has the pointer lies over the matrix
    panel_hit(panel, shown, input->x, input->y, &shown->hover_t, &shown->hover_s);
    if (input->pressed && shown->hover_t < shown->rows)
        press(app, shown);
    if (what_if_pointer(app, panel, shown) || !shown->now->has_attention)
        return;
    take_drag(app, panel);
    if (rect_contains(panel->area, input->x, input->y))
        take_wheel(app, panel);
}

bool look_reveal(struct app *app, const struct panel *panel, const struct scene *shown)
{
    bool wanted = app->look.reveal;
    app->look.reveal = false;
    if (!wanted || (shown->selected < 0 && shown->selected_s < 0))
        return false;
    struct grid_port port = panel_reveal(panel, shown);
    bool moved = fabsf(port.column - panel->port.column) > 0.01f ||
                 fabsf(port.row - panel->port.row) > 0.01f;
    app->look.port = port;
    return moved;
}
