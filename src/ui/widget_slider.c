// SPDX-License-Identifier: MIT
// A slider over 0..1. The knob taken off its centre keeps that distance while it is
// dragged, so that it does not jump; a press on the track brings it under the pointer.
// What a position means, and where it should snap, is the caller's affair.
#include "ui/widgets.h"

static const float knob_radius = 11, track_height = 6, knob_edge = 3;

static float clamp_unit(float value)
{
    if (!(value > 0)) // also NaN
        return 0;
    return value < 1 ? value : 1;
}

static float drag(struct ui *ui, struct rect rect, float position)
{
    float knob = rect.x + position * rect.w, x = ui->input->x;
    if (ui->input->pressed) {
        bool on_knob = x >= knob - knob_radius && x <= knob + knob_radius;
        ui->grab = on_knob ? x - knob : 0;
    }
    if (!(rect.w > 0))
        return position;
    return clamp_unit((x - ui->grab - rect.x) / rect.w);
}

// The move a key asks for, or false.
static bool key_move(enum key key, float step, float *position)
{
    switch (key) {
    case KEY_LEFT:
    case KEY_DOWN:
        *position -= step;
        return true;
    case KEY_RIGHT:
    case KEY_UP:
        *position += step;
        return true;
    case KEY_PAGE_DOWN:
        *position -= 5 * step;
        return true;
    case KEY_PAGE_UP:
        *position += 5 * step;
        return true;
    case KEY_HOME:
        *position = 0;
        return true;
    case KEY_END:
        *position = 1;
        return true;
    default:
        return false;
    }
}

static float take_keys(struct ui *ui, float step, float position)
{
    for (int i = 0; i < ui->input->n_edits; i++) {
        const struct key_event *key = &ui->input->edits[i].key;
        if (ui->consumed[i] || key->mods != 0)
            continue;
        if (key_move(key->key, step, &position))
            ui->consumed[i] = true;
        position = clamp_unit(position);
    }
    return position;
}

static void draw_slider(struct ui *ui, ui_id id, struct rect rect, float position)
{
    const struct style *style = ui->style;
    float middle = rect.y + rect.h / 2, knob = rect.x + position * rect.w;
    struct rect track = {rect.x, middle - track_height / 2, rect.w, track_height};
    draw_fill(ui->list, track, track_height / 2, style->line);
    track.w = knob - rect.x;
    draw_fill(ui->list, track, track_height / 2, style->accent);
    bool lit = ui_is_hot(ui, id) || ui_is_active(ui, id);
    float radius = knob_radius + knob_edge / 2;
    struct rect outer = {knob - radius, middle - radius, 2 * radius, 2 * radius};
    struct rect inner = rect_inset(outer, knob_edge);
    draw_fill(ui->list, outer, radius, style->ground);
    draw_fill(ui->list, inner, radius - knob_edge,
              lit ? color_mix(style->ink, style->accent, 0.25f) : style->ink);
    ui_focus_ring(ui, id, outer, radius);
}

bool widget_slider(struct ui *ui, const char *id, struct rect rect, float step,
                   float *position)
{
    ui_id self = ui_hash(id);
    float now = clamp_unit(*position), height = rect.h;
    if (height < 2 * knob_radius + 2)
        height = 2 * knob_radius + 2;
    struct rect hit = {rect.x - knob_radius, rect.y + (rect.h - height) / 2,
                       rect.w + 2 * knob_radius, height};
    bool hot = ui_behave(ui, self, hit);
    if (ui_is_active(ui, self))
        now = drag(ui, rect, now);
    else if (hot)
        now = clamp_unit(now + step * (ui->input->wheel_y - ui->input->wheel_x));
    if (ui_has_focus(ui, self))
        now = take_keys(ui, step, now);
    bool changed = now < *position || now > *position;
    if (changed)
        *position = now;
    draw_slider(ui, self, rect, now);
    return changed;
}
