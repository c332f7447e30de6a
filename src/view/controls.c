// SPDX-License-Identifier: MIT
// Top bar: name, languages, one button a model. Bottom bar: τ, its mode, the stepper.
#include "view/controls.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/widgets.h"
#include "view/tau.h"

static float draw_languages(struct ui *ui, const struct topbar *bar, float x,
                            struct rect at, bool *pressed)
{
    float w = ui_text_width(ui, FONT_TEXT, 14, bar->languages, -1);
    if (bar->more_languages) {
        *pressed = widget_button(ui, "languages", rect_make(x - 8, at.y, w + 24, at.h),
                                 bar->languages, false, true);
        return x + w + 24;
    }
    draw_text(ui->list, FONT_TEXT, 14, x, at.y + 20, 0, ui->style->dim, bar->languages,
              -1);
    return x + w;
}

static float link_width(struct ui *ui, const char *label, bool tight)
{
    return ui_text_width(ui, FONT_TEXT, 13.5f, label, -1) + (tight ? 16 : 24);
}

static float model_width(struct ui *ui, const char *label, bool tight)
{
    return ui_text_width(ui, FONT_MEDIUM, 13.5f, label, -1) + (tight ? 16 : 28);
}

static bool has_room(struct ui *ui, const struct topbar *bar, float room, bool tight)
{
    for (int i = 0; i < bar->count; i++)
        room -= model_width(ui, bar->labels[i], tight) + (tight ? 3 : 6);
    for (int i = 0; i < bar->n_links; i++)
        room -= link_width(ui, bar->links[i], tight);
    return room >= 0;
}

static bool draw_model(struct ui *ui, const struct topbar *bar, int i, struct rect at)
{
    char id[32];
    snprintf(id, sizeof id, "model %d", i);
    bool pressed = widget_button(ui, id, at, bar->labels[i], i == bar->chosen, true);
    if (bar->beside[i])
        draw_fill(ui->list, rect_make(at.x + 8, at.y + at.h - 5, at.w - 16, 2), 1,
                  ui->style->accent);
    return pressed;
}

// The model in a place of the bar where `shown` have room: the chosen one is always
// there.
static int model_in(const struct topbar *bar, int place, int shown)
{
    return place == shown - 1 && bar->chosen >= shown ? bar->chosen : place;
}

static int models_that_fit(struct ui *ui, const struct topbar *bar, float room,
                           bool tight)
{
    for (int shown = bar->count; shown > 0; shown--) {
        float w = 0;
        for (int i = 0; i < shown; i++)
            w += model_width(ui, bar->labels[model_in(bar, i, shown)], tight) +
                 (tight ? 3 : 6);
        if (w <= room)
            return shown;
    }
    return 0;
}

// Those that have room before `right`; returns the next x.
static float draw_models(struct ui *ui, const struct topbar *bar, struct rect at,
                         float right, bool tight, struct topbar_result *result)
{
    int shown = models_that_fit(ui, bar, right - at.x, tight);
    for (int place = 0; place < shown; place++) {
        int i = model_in(bar, place, shown);
        float w = model_width(ui, bar->labels[i], tight);
        if (draw_model(ui, bar, i, rect_make(at.x, at.y, w, at.h)))
            result->model = i;
        at.x += w + (tight ? 3 : 6);
    }
    result->left.models = bar->count - shown;
    return at.x;
}

// From the right, as far as `left`; returns where they begin.
static float draw_links(struct ui *ui, const struct topbar *bar, struct rect at,
                        float left, bool tight, struct topbar_result *result)
{
    int i = bar->n_links - 1;
    for (; i >= 0; i--) {
        float w = link_width(ui, bar->links[i], tight);
        if (at.x - w < left)
            break;
        at.x -= w;
        if (widget_link(ui, bar->links[i], rect_make(at.x, at.y, w, at.h), bar->links[i]))
            result->link = i;
    }
    result->left.links = i + 1;
    return at.x;
}

// Bytes of the name that model_line begins with, -1: all.
static int name_length(const struct topbar *bar)
{
    const char *end = strstr(bar->model_line, " · ");
    return end ? (int)(end - bar->model_line) : -1;
}

// Room for the name in a bar wide enough to say it.
static float name_width(struct ui *ui, const struct topbar *bar, float bar_width)
{
    if (bar_width < 1200)
        return 0;
    return ui_text_width(ui, FONT_TEXT, 13.5f, bar->model_line, name_length(bar)) + 48;
}

// Name and paper; where both have no room the name alone, and the rest to who points at
// it.
static void draw_model_line(struct ui *ui, const struct topbar *bar, struct rect at)
{
    char name[96];
    bool whole = ui_text_width(ui, FONT_TEXT, 13.5f, bar->model_line, -1) <= at.w;
    snprintf(name, sizeof name, "%.*s", whole ? -1 : name_length(bar), bar->model_line);
    ui_text_fit(ui, FONT_TEXT, 13.5f, at, 1, ui->style->dim,
                whole ? bar->model_line : name);
    if (ui_hover(ui, ui_hash("model line"), at) && !whole)
        ui_tooltip(ui, at, bar->model_line);
}

struct topbar_result controls_topbar(struct ui *ui, struct rect at,
                                     const struct topbar *bar)
{
    struct topbar_result result = {.model = NOWHERE, .link = NOWHERE};
    bool tight = at.w < 700;
    float x = at.x + (bar->more_languages ? 8 : 0);
    if (!tight) {
        draw_text(ui->list, FONT_BOLD, 17, at.x, at.y + 20, 0, ui->style->ink,
                  "alphascope", -1);
        x = at.x + (bar->more_languages ? 120 : 108);
    }
    x = draw_languages(ui, bar, x, at, &result.languages) + (tight ? 10 : 28);
    struct rect help = rect_make(at.x + at.w - 28, at.y, 28, at.h);
    result.help = widget_link(ui, "help", help, "?");
    float name = name_width(ui, bar, at.w), room = help.x - x - name;
    float more = has_room(ui, bar, room, tight) ? 0 : link_width(ui, "More", tight);
    x = draw_models(ui, bar, rect_make(x, at.y, 0, at.h), help.x - more - 6, tight,
                    &result);
    float right = draw_links(ui, bar, rect_make(help.x, at.y, 0, at.h), x + more + name,
                             tight, &result);
    result.left.count = result.left.models + result.left.links;
    if (result.left.count) {
        right -= more;
        result.left.at = rect_make(right, at.y, more, at.h);
        result.more = widget_link(ui, "More", result.left.at, "More");
    }
    struct rect line = rect_make(x + 16, at.y, right - 16 - (x + 16), at.h);
    if (line.w > 60)
        draw_model_line(ui, bar, line);
    return result;
}

struct topbar_result controls_more(struct ui *ui, const struct topbar_left *left,
                                   const struct topbar *bar)
{
    enum { WIDTH = 176, LINE = 34, PAD = 8 };
    struct topbar_result result = {.model = NOWHERE, .link = NOWHERE};
    float w = fminf(WIDTH, ui->input->width - 16);
    float x = fmaxf(8, fminf(left->at.x, ui->input->width - w - 8));
    struct rect box =
        rect_make(x, left->at.y + left->at.h + 4, w, LINE * (float)left->count + 2 * PAD);
    struct rect row = rect_make(box.x + PAD, box.y + PAD, w - 2 * PAD, LINE - 4);
    ui_hover(ui, ui_hash("more menu"), box); // what lies under it is out of reach
    draw_fill(ui->list, box, 10, ui->style->panel);
    draw_frame(ui->list, box, 10, 1, ui->style->dim);
    int first = bar->count - left->models; // another model may be in use since
    first = first > 0 ? first : 0;
    first -= first > 0 && bar->chosen >= first; // its place above is the chosen one's
    for (int i = first; i < bar->count; i++) {
        if (i == bar->chosen)
            continue;
        if (draw_model(ui, bar, i, row))
            result.model = i;
        row.y += LINE;
    }
    for (int i = 0; i < left->links && i < bar->n_links; i++, row.y += LINE)
        if (widget_link(ui, bar->links[i], row, bar->links[i]))
            result.link = i;
    result.more = ui->input->pressed && !rect_contains(box, ui->input->x, ui->input->y) &&
                  !rect_contains(left->at, ui->input->x, ui->input->y);
    return result;
}

static void draw_ticks(struct ui *ui, struct rect track, bool compact)
{
    const struct tau_tick *ticks = tau_ticks();
    bool tight = track.w < 330;
    float middle = track.y + track.h / 2;
    for (int i = 0; i < TAU_TICKS; i++) {
        float x = track.x + track.w * ticks[i].position;
        draw_fill(ui->list, rect_make(x - 0.5f, middle + 8, 1, compact ? 4 : 6), 0,
                  ui->style->dim);
        if (tight && i % 3 != 0) // 0, 1, ∞ alone
            continue;
        float w = ui_text_width(ui, FONT_TEXT, 12, ticks[i].label, -1);
        draw_text(ui->list, FONT_TEXT, 12, x - w / 2, middle + (compact ? 25 : 30), 0,
                  ui->style->dim, ticks[i].label, -1);
    }
}

static void draw_tau(struct ui *ui, struct rect at, const struct bottombar *bar,
                     bool compact, struct bottombar_result *result)
{
    char value[32];
    tau_format(value, sizeof value, bar->tau);
    const char *text = bar->typing ? bar->typing : value;
    const char *caption = compact ? "τ" : "temperature τ";
    float line = compact ? at.y + at.h / 2 + 8 : at.y + at.h - 28;
    float size = compact ? 22 : 26, x = at.x + (compact ? 20 : 0);
    ui_id id = ui_hash("tau value");
    bool hot = ui_behave(ui, id, at);
    draw_text(ui->list, FONT_TEXT, compact ? 16 : 13.5f, at.x, compact ? line : at.y + 30,
              0, ui->style->dim, caption, -1);
    struct color ink = bar->typing || hot ? ui->style->accent : ui->style->ink;
    draw_text(ui->list, FONT_BOLD, size, x, line, 0, ink, text, -1);
    if (bar->typing) {
        float w = ui_text_width(ui, FONT_BOLD, size, text, -1);
        draw_fill(ui->list, rect_make(x + w + 2, line - size * 0.85f, 2, size), 0, ink);
    }
    ui_focus_ring(ui, id, rect_make(at.x - 10, at.y + 8, at.w, at.h - 16), 6);
    result->tau_clicked = ui_clicked(ui, id, at);
    if (ui_has_focus(ui, id) && !bar->typing && ui_take_key(ui, KEY_ENTER, 0))
        result->tau_clicked = true;
}

static void draw_mode(struct ui *ui, struct rect at, const struct bottombar *bar,
                      bool compact, struct bottombar_result *result)
{
    static const char *const modes[2] = {"re-read", "re-decode"};
    int chosen = bar->reread ? 0 : 1;
    float y = compact ? at.y + (at.h - 32) / 2 : at.y + 26;
    if (widget_choice(ui, "mode", rect_make(at.x, y, at.w, 32), modes, 2, &chosen)) {
        result->mode_changed = true;
        result->reread = chosen == 0;
    }
    if (!compact)
        ui_text_fit(ui, FONT_TEXT, 12, rect_make(at.x, at.y + 64, at.w + 20, 18), -1,
                    ui->style->dim,
                    !bar->has_attention ? "no scores: τ changes nothing"
                    : bar->reread       ? "τ on the stored scores"
                                        : "τ inside the loop");
}

// "row 4 of 14", and while rows are revealed that they are.
static void stepper_text(const struct bottombar *bar, bool wide, char *out, size_t size)
{
    if (bar->revealing && bar->selected >= 0 && bar->selected + 1 < bar->rows)
        snprintf(out, size, "row %d · %d of %d revealed", bar->selected + 1, bar->rows,
                 bar->all_rows);
    else if (bar->revealing)
        snprintf(out, size, wide ? "row %d of %d · revealed · %g row/s" : "row %d of %d",
                 bar->rows, bar->all_rows, (double)bar->speed);
    else if (bar->selected >= 0)
        snprintf(out, size, "row %d of %d", bar->selected + 1, bar->rows);
    else
        snprintf(out, size, "%d rows", bar->rows);
}

static void draw_stepper(struct ui *ui, struct rect at, const struct bottombar *bar,
                         bool compact, struct bottombar_result *result)
{
    static const char *const glyphs[4] = {"⏮", "◀", "▶", "⏭"};
    static const char *const ids[4] = {"first row", "row back", "next row", "last row"};
    bool wide = at.w >= 300, any = bar->all_rows > 0;
    float button = wide ? 44 : 38, h = compact ? 30 : 36, y = at.y + (compact ? 4 : 24);
    for (int i = 0; i < 4; i++)
        if (widget_button(ui, ids[i],
                          rect_make(at.x + (float)i * (button + 5), y, button, h),
                          glyphs[i], false, any))
            result->step = (enum step)(STEP_FIRST + i);
    char text[96];
    stepper_text(bar, wide, text, sizeof text);
    float line = at.y + (compact ? 37 : 64);
    struct rect reveal = rect_make(at.x + at.w - 56, line - 1, 56, 20);
    if (wide)
        reveal = rect_make(at.x + 4 * (button + 5) + 8, y, 68, h);
    ui_text_fit(ui, FONT_TEXT, 12, rect_make(at.x, line, wide ? at.w : at.w - 60, 18), -1,
                ui->style->dim, text);
    float hint = at.x + ui_text_width(ui, FONT_TEXT, 12, text, -1) + 14;
    if (wide && !bar->revealing)
        ui_text_fit(ui, FONT_TEXT, 12, rect_make(hint, line, at.x + at.w - hint, 18), -1,
                    ui->style->dim, "↓ ↑ next, back   ? all keys");
    if (bar->bare)
        return;
    result->reveal = widget_button(ui, "reveal", reveal, "reveal", bar->revealing, any);
    struct rect play = rect_make(reveal.x + 73, y, 62, h);
    if (wide)
        result->play = widget_button(ui, "reveal play", play,
                                     bar->playing ? "pause" : "play", bar->playing, any);
}

struct bottombar_result controls_bottombar(struct ui *ui, struct rect at,
                                           const struct bottombar *bar)
{
    struct bottombar_result result = {.tau = bar->tau, .reread = bar->reread};
    draw_fill(ui->list, at, 8, ui->style->panel);
    draw_frame(ui->list, at, 8, 1, ui->style->line);
    bool compact = at.h < 80;
    float stepper_w = at.w >= 1180 ? 346 : at.w >= 800 ? 172 : 0;
    bool tight = at.w < 600;
    float mode_w = at.w >= 1180 ? 200 : tight ? 156 : 184;
    float gap = at.w >= 1180 ? 40 : tight ? 4 : 28;
    float right = at.x + at.w - 20;
    struct rect stepper = rect_make(right - stepper_w, at.y, stepper_w, at.h);
    struct rect mode = rect_make(right - mode_w, at.y, mode_w, at.h);
    if (stepper_w > 0)
        mode.x = stepper.x - gap - mode_w;
    if (bar->bare)
        mode.x += mode_w;
    draw_tau(ui, rect_make(at.x + 20, at.y, compact ? 84 : 116, at.h), bar, compact,
             &result);
    float x = at.x + (tight ? 116 : compact ? 140 : 176);
    struct rect track =
        rect_make(x, compact ? at.y + 8 : at.y + 26, mode.x - gap - 28 - x, 32);
    if (track.w >= 100) {
        float position = tau_to_position(bar->tau);
        draw_ticks(ui, track, compact);
        if (widget_slider(ui, "tau", track, 0.02f, &position)) {
            result.tau_changed = true;
            result.tau = tau_of_position(position);
        }
    }
    if (!bar->bare)
        draw_mode(ui, mode, bar, compact, &result);
    if (stepper_w > 0)
        draw_stepper(ui, stepper, bar, compact, &result);
    return result;
}
