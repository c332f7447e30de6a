// SPDX-License-Identifier: MIT
// Top bar: name, languages, one button a model. Bottom bar: τ, its mode, the stepper.
#include "view/controls.h"

#include <math.h>
#include <stdio.h>

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

struct topbar_result controls_topbar(struct ui *ui, struct rect at,
                                     const struct topbar *bar)
{
    struct topbar_result result = {.model = NOWHERE};
    draw_text(ui->list, FONT_BOLD, 17, at.x, at.y + 20, 0, ui->style->ink, "alphascope",
              -1);
    float x = at.x + 108;
    x = draw_languages(ui, bar, x, at, &result.languages) + 28;
    for (int i = 0; i < bar->count; i++) {
        char id[32];
        snprintf(id, sizeof id, "model %d", i);
        float w = ui_text_width(ui, FONT_MEDIUM, 13.5f, bar->labels[i], -1) + 28;
        if (x + w > at.x + at.w - 40)
            break;
        if (widget_button(ui, id, rect_make(x, at.y, w, at.h), bar->labels[i],
                          i == bar->chosen, true))
            result.model = i;
        x += w + 6;
    }
    struct rect help = rect_make(at.x + at.w - 28, at.y, 28, at.h);
    result.help = widget_link(ui, "help", help, "?");
    struct rect line = rect_make(x + 16, at.y, help.x - 16 - (x + 16), at.h);
    if (line.w > 60)
        ui_text_fit(ui, FONT_TEXT, 13.5f, line, 1, ui->style->dim, bar->model_line);
    return result;
}

static void draw_ticks(struct ui *ui, struct rect track)
{
    const struct tau_tick *ticks = tau_ticks();
    bool tight = track.w < 360;
    for (int i = 0; i < TAU_TICKS; i++) {
        float x = track.x + track.w * ticks[i].position;
        draw_fill(ui->list, rect_make(x - 0.5f, track.y + track.h / 2 + 8, 1, 6), 0,
                  ui->style->dim);
        if (tight && i % 3 != 0) // 0, 1, ∞ alone
            continue;
        float w = ui_text_width(ui, FONT_TEXT, 12, ticks[i].label, -1);
        draw_text(ui->list, FONT_TEXT, 12, x - w / 2, track.y + track.h / 2 + 30, 0,
                  ui->style->dim, ticks[i].label, -1);
    }
}

static void draw_tau(struct ui *ui, struct rect at, const struct bottombar *bar,
                     struct bottombar_result *result)
{
    char value[32];
    tau_format(value, sizeof value, bar->tau);
    struct rect box = rect_make(at.x + 20, at.y + 12, 120, at.h - 24);
    draw_text(ui->list, FONT_TEXT, 13.5f, box.x, at.y + 30, 0, ui->style->dim,
              "temperature τ", -1);
    ui_id id = ui_hash("tau value");
    bool hot = ui_behave(ui, id, box);
    const char *text = bar->typing ? bar->typing : value;
    struct color ink = bar->typing || hot ? ui->style->accent : ui->style->ink;
    draw_text(ui->list, FONT_BOLD, 26, box.x, at.y + at.h - 28, 0, ink, text, -1);
    if (bar->typing) {
        float w = ui_text_width(ui, FONT_BOLD, 26, text, -1);
        draw_fill(ui->list, rect_make(box.x + w + 2, at.y + at.h - 50, 2, 26), 0, ink);
    }
    ui_focus_ring(ui, id, box, 6);
    bool pressed = ui_clicked(ui, id, box);
    if (ui_has_focus(ui, id) && !bar->typing && ui_take_key(ui, KEY_ENTER, 0))
        pressed = true;
    result->tau_clicked = pressed;
}

static void draw_mode(struct ui *ui, struct rect at, const struct bottombar *bar,
                      struct bottombar_result *result)
{
    static const char *const modes[2] = {"re-read", "re-decode"};
    int chosen = bar->reread ? 0 : 1;
    struct rect box = rect_make(at.x, at.y + 26, at.w, 32);
    if (widget_choice(ui, "mode", box, modes, 2, &chosen)) {
        result->mode_changed = true;
        result->reread = chosen == 0;
    }
    ui_text_fit(ui, FONT_TEXT, 12, rect_make(at.x, at.y + 64, at.w + 24, 18), -1,
                ui->style->dim,
                bar->reread ? "τ on the stored scores" : "τ inside the loop");
}

static void draw_stepper(struct ui *ui, struct rect at, const struct bottombar *bar,
                         struct bottombar_result *result)
{
    static const char *const glyphs[4] = {"⏮", "◀", "▶", "⏭"};
    static const char *const ids[4] = {"first row", "row back", "next row", "last row"};
    for (int i = 0; i < 4; i++)
        if (widget_button(ui, ids[i], rect_make(at.x + (float)i * 50, at.y + 24, 44, 36),
                          glyphs[i], false, bar->rows > 0))
            result->step = (enum step)(STEP_FIRST + i);
    char text[64];
    if (bar->selected >= 0)
        snprintf(text, sizeof text, "row %d of %d", bar->selected + 1, bar->rows);
    else
        snprintf(text, sizeof text, "%d rows", bar->rows);
    float x = at.x + 214;
    if (at.x + at.w - x > 70)
        ui_text_fit(ui, FONT_TEXT, 13.5f, rect_make(x, at.y + 32, at.x + at.w - x, 20),
                    -1, ui->style->dim, text);
    ui_text_fit(ui, FONT_TEXT, 12, rect_make(at.x, at.y + 64, at.w, 18), -1,
                ui->style->dim, "↓ ↑ or click: next row, back   ? all keys");
}

struct bottombar_result controls_bottombar(struct ui *ui, struct rect at,
                                           const struct bottombar *bar)
{
    struct bottombar_result result = {.tau = bar->tau, .reread = bar->reread};
    draw_fill(ui->list, at, 8, ui->style->panel);
    draw_frame(ui->list, at, 8, 1, ui->style->line);
    draw_tau(ui, at, bar, &result);
    float stepper_w = at.w >= 1180 ? 346 : at.w >= 900 ? 290 : 0, mode_w = 200;
    struct rect stepper = rect_make(at.x + at.w - 20 - stepper_w, at.y, stepper_w, at.h);
    float mode_x = stepper_w > 0 ? stepper.x - 40 - mode_w : at.x + at.w - 24 - mode_w;
    struct rect track = rect_make(at.x + 176, at.y + 26, mode_x - 64 - at.x - 176, 32);
    if (track.w >= 120) {
        float position = tau_to_position(bar->tau);
        draw_ticks(ui, track);
        if (widget_slider(ui, "tau", track, 0.02f, &position)) {
            result.tau_changed = true;
            result.tau = tau_of_position(position);
        }
    }
    draw_mode(ui, rect_make(mode_x, at.y, mode_w, at.h), bar, &result);
    if (stepper_w > 0)
        draw_stepper(ui, stepper, bar, &result);
    return result;
}
