// SPDX-License-Identifier: MIT
// Buttons, links and segmented choices. A press counts when it is released on the same
// control. Hit areas are at least 24 units high, whatever is drawn.
#include "ui/widgets.h"

static const float label_size = 13.5f, label_pad = 11, corner = 6, least_hit = 24;

static struct rect hit_area(struct rect rect)
{
    float more_w = least_hit - rect.w, more_h = least_hit - rect.h;
    if (more_w > 0) {
        rect.x -= more_w / 2;
        rect.w = least_hit;
    }
    if (more_h > 0) {
        rect.y -= more_h / 2;
        rect.h = least_hit;
    }
    return rect;
}

static bool take_press(struct ui *ui, ui_id id)
{
    if (!ui_has_focus(ui, id))
        return false;
    bool enter = ui_take_key(ui, KEY_ENTER, 0);
    return ui_take_key(ui, KEY_SPACE, 0) || enter;
}

static void draw_label(struct ui *ui, ui_id id, struct rect rect, float pad,
                       enum font font, struct color color, const char *label)
{
    struct rect inside = rect_make(rect.x + pad, rect.y, rect.w - 2 * pad, rect.h);
    bool cut = ui_text_fit(ui, font, label_size, inside, 0, color, label);
    if (cut && ui_is_hot(ui, id))
        ui_tooltip(ui, rect, label);
}

// Grounds come lighter under the pointer, and more so while pressed.
static struct color ground_of(const struct ui *ui, ui_id id, struct color rest)
{
    float lift = 0;
    if (ui_is_hot(ui, id))
        lift = ui_is_active(ui, id) ? 0.14f : 0.07f;
    return color_mix(rest, ui->style->ink, lift);
}

static void draw_button(struct ui *ui, ui_id id, struct rect rect, const char *label,
                        bool selected, bool enabled)
{
    const struct style *style = ui->style;
    struct color ground = ground_of(ui, id, selected ? style->accent : style->panel);
    struct color ink = selected ? style->on_accent : style->ink;
    struct color line = selected ? style->accent : style->line;
    if (!enabled) {
        ground = color_fade(ground, selected ? 0.5f : 1);
        ink = selected ? ink : color_fade(style->dim, 0.6f);
    }
    draw_fill(ui->list, rect, corner, ground);
    draw_frame(ui->list, rect, corner, 1, line);
    float pad = rect.w < 60 ? 2 : label_pad / 2;
    draw_label(ui, id, rect, pad, selected ? FONT_MEDIUM : FONT_TEXT, ink, label);
    ui_focus_ring(ui, id, rect, corner);
}

bool widget_button(struct ui *ui, const char *id, struct rect rect, const char *label,
                   bool selected, bool enabled)
{
    ui_id self = ui_hash(id);
    struct rect hit = hit_area(rect);
    bool pressed = false;
    if (ui->paper && !selected)
        return false;
    if (enabled) {
        ui_focusable(ui, self);
        ui_hover(ui, self, hit);
        pressed = ui_clicked(ui, self, hit);
        pressed = take_press(ui, self) || pressed;
    }
    draw_button(ui, self, rect, label, selected, enabled);
    return pressed;
}

bool widget_link(struct ui *ui, const char *id, struct rect rect, const char *label)
{
    ui_id self = ui_hash(id);
    struct rect hit = hit_area(rect);
    ui_focusable(ui, self);
    bool hot = ui_hover(ui, self, hit);
    bool pressed = ui_clicked(ui, self, hit);
    pressed = take_press(ui, self) || pressed;
    draw_label(ui, self, rect, 0, FONT_TEXT, hot ? ui->style->ink : ui->style->dim,
               label);
    ui_focus_ring(ui, self, rect, corner);
    return pressed;
}

// A choice's segments share the width equally when every label fits so, and in
// proportion to their labels otherwise.
struct segments {
    struct rect rect;
    const char *const *labels;
    int count;
    float total; // of the natural widths; 0: equal shares
};

static float natural_width(const struct ui *ui, const char *label)
{
    return ui_text_width(ui, FONT_MEDIUM, label_size, label, -1) + 2 * label_pad;
}

static struct segments lay_segments(const struct ui *ui, struct rect rect,
                                    const char *const *labels, int count)
{
    struct segments all = {rect, labels, count, 0};
    float widest = 0, total = 0;
    for (int i = 0; i < count; i++) {
        float width = natural_width(ui, labels[i]);
        widest = width > widest ? width : widest;
        total += width;
    }
    if (widest * (float)count > rect.w)
        all.total = total;
    return all;
}

static float segment_width(const struct ui *ui, const struct segments *all, int i)
{
    if (all->total > 0)
        return all->rect.w * natural_width(ui, all->labels[i]) / all->total;
    return all->rect.w / (float)all->count;
}

static bool choice_keys(struct ui *ui, int count, int *next)
{
    static const struct {
        enum key key;
        int step;
    } moves[] = {{KEY_LEFT, -1}, {KEY_UP, -1}, {KEY_RIGHT, 1}, {KEY_DOWN, 1}};
    int before = *next;
    for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++)
        while (ui_take_key(ui, moves[i].key, 0))
            *next += moves[i].step;
    if (ui_take_key(ui, KEY_HOME, 0))
        *next = 0;
    if (ui_take_key(ui, KEY_END, 0))
        *next = count - 1;
    if (*next >= count)
        *next = count - 1;
    if (*next < 0)
        *next = 0;
    return *next != before;
}

static bool do_segment(struct ui *ui, ui_id id, struct rect rect, const char *label,
                       bool chosen)
{
    const struct style *style = ui->style;
    struct rect hit = hit_area(rect);
    bool hot = ui_hover(ui, id, hit);
    if (chosen || hot)
        draw_fill(ui->list, rect, corner,
                  ground_of(ui, id, chosen ? style->accent : style->ground));
    draw_label(ui, id, rect, 4, chosen ? FONT_MEDIUM : FONT_TEXT,
               chosen ? style->on_accent : style->ink, label);
    return ui_clicked(ui, id, hit);
}

bool widget_choice(struct ui *ui, const char *id, struct rect rect,
                   const char *const *labels, int count, int *chosen)
{
    ui_id self = ui_hash(id);
    int before = *chosen;
    if (count <= 0)
        return false;
    ui_focusable(ui, self);
    if (ui_has_focus(ui, self))
        choice_keys(ui, count, chosen);
    draw_fill(ui->list, rect, corner, ui->style->ground);
    draw_frame(ui->list, rect, corner, 1, ui->style->line);
    struct segments all = lay_segments(ui, rect, labels, count);
    struct rect at = rect;
    int clicked = -1;
    for (int i = 0; i < count; i++) {
        at.w = segment_width(ui, &all, i);
        // Segment ids follow from the choice's; the sum may wrap.
        if (do_segment(ui, self + 1 + (ui_id)i, at, labels[i], i == *chosen))
            clicked = i;
        at.x += at.w;
    }
    if (clicked >= 0)
        *chosen = clicked;
    ui_focus_ring(ui, self, rect, corner);
    return *chosen != before;
}
