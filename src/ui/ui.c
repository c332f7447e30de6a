// SPDX-License-Identifier: MIT
// The immediate-mode core. A widget is a call per frame; what outlives the frame is who
// is hot, active and focused. Hot is found at the start of a frame among the rectangles
// of the last one (the later registered lies on top): a press goes to what was on screen
// when the user aimed, and nothing below the topmost widget ever lights up, not for one
// frame.
#include "ui/ui.h"

#include "text/utf8.h"

#include <stdio.h>
#include <string.h>

enum { ELIDE_MAX_CLUSTERS = 512, TOOLTIP_LINES = 3, TOOLTIP_COLUMNS = 60 };
static const float tooltip_size = 13, tooltip_line = 18, tooltip_pad = 8;
// Half the height of a capital: lowers a baseline so that text sits in the middle.
static const float half_cap = 0.35f;
static const char ellipsis[] = "\xe2\x80\xa6";

void ui_init(struct ui *ui, const struct ui_host *host)
{
    *ui = (struct ui){.host = host};
}

static ui_id area_at(const struct ui_area *areas, int count, float x, float y)
{
    for (int i = count - 1; i >= 0; i--)
        if (rect_contains(areas[i].rect, x, y))
            return areas[i].id;
    return 0;
}

static bool id_known(const ui_id *ids, int count, ui_id id)
{
    for (int i = 0; i < count; i++)
        if (ids[i] == id)
            return true;
    return false;
}

// A frame may hold a release and a press: the release came first when the button is down.
static bool released_first(const struct input *input)
{
    return input->pressed && input->released && input->down;
}

// The ring goes; so that no key goes to a widget that does not show it, the focus goes
// home unless the pressed widget takes it.
static void press_ends_keyboard_focus(struct ui *ui)
{
    ui->active = 0;
    if (ui->keyboard_focus && ui->home != 0)
        ui->focus = ui->home;
    ui->keyboard_focus = false;
}

void ui_begin(struct ui *ui, const struct input *input, const struct style *style,
              struct draw_list *list)
{
    ui->input = input;
    ui->style = style;
    ui->list = list;
    memcpy(ui->old_areas, ui->areas, sizeof(ui->areas));
    ui->n_old_areas = ui->n_areas;
    ui->n_areas = 0;
    memcpy(ui->old_focus_order, ui->focus_order, sizeof(ui->focus_order));
    ui->n_old_focus = ui->n_focus;
    ui->n_focus = 0;
    if (input->pressed)
        press_ends_keyboard_focus(ui);
    ui->home = 0;
    ui->animating = false;
    ui->tooltip[0] = '\0';
    memset(ui->consumed, 0, sizeof(ui->consumed));
    ui->hot = area_at(ui->old_areas, ui->n_old_areas, input->x, input->y);
    ui->hot_is_new = ui->hot == 0;
}

static bool is_tab(const struct key_event *key)
{
    return key->key == KEY_TAB && (key->mods & ~(unsigned)MOD_SHIFT) == 0;
}

static int focus_index(const struct ui *ui)
{
    for (int i = 0; i < ui->n_focus; i++)
        if (ui->focus_order[i] == ui->focus)
            return i;
    return -1;
}

static void move_focus(struct ui *ui, bool back)
{
    if (ui->n_focus == 0)
        return;
    int at = focus_index(ui);
    if (at < 0)
        at = back ? ui->n_focus - 1 : 0;
    else
        at = (at + (back ? ui->n_focus - 1 : 1)) % ui->n_focus;
    ui->focus = ui->focus_order[at];
    ui->focus_chosen = true;
    ui->keyboard_focus = true;
    ui->animating = true; // the ring shows in the next frame
}

// Whoever took the key may have moved the focus (and with it dropped the ring): that
// stands.
static void escape(struct ui *ui, bool taken)
{
    ui_id before = ui->focus;
    if (ui->keyboard_focus || ui->active != 0)
        ui->animating = true;
    if (ui->keyboard_focus || !taken)
        ui->focus = ui->home;
    if (ui->focus != before)
        ui->animating = true;
    ui->active = 0;
    ui->keyboard_focus = false;
}

static void end_keys(struct ui *ui)
{
    for (int i = 0; i < ui->input->n_edits; i++) {
        const struct key_event *key = &ui->input->edits[i].key;
        if (key->key == KEY_ESCAPE)
            escape(ui, ui->consumed[i]);
        if (!is_tab(key) || ui->consumed[i])
            continue;
        ui->consumed[i] = true;
        move_focus(ui, (key->mods & MOD_SHIFT) != 0);
    }
}

// A focused widget that is gone (its panel closed) leaves the focus to the home widget.
static void end_vanished(struct ui *ui)
{
    bool was_there = id_known(ui->old_focus_order, ui->n_old_focus, ui->focus);
    bool is_there = id_known(ui->focus_order, ui->n_focus, ui->focus);
    if (!was_there || is_there || ui->home == 0 || ui->n_focus == UI_MAX_FOCUS)
        return;
    ui->focus = ui->home;
    ui->keyboard_focus = false;
    ui->animating = true;
}

// How many bytes of text go on one line of so many columns; breaks after a space when it
// can. *next is where the following line starts.
static size_t wrap_line(const char *text, size_t length, int columns, size_t *next)
{
    size_t at = 0, space = 0;
    int used = 0;
    while (at < length) {
        size_t end = utf8_next(text, length, at);
        used += utf8_columns(text + at, end - at);
        if (used > columns && at > 0)
            break;
        if (text[at] == ' ')
            space = at;
        at = end;
    }
    size_t cut = at < length && space > 0 ? space : at;
    *next = cut;
    while (*next < length && text[*next] == ' ')
        (*next)++;
    return cut;
}

struct tooltip_text {
    char line[TOOLTIP_LINES][sizeof(((struct ui *)0)->tooltip) + sizeof(ellipsis)];
    int count;
    float width;
};

static void wrap_tooltip(const struct ui *ui, struct tooltip_text *out)
{
    const char *text = ui->tooltip;
    size_t length = strlen(text);
    float room = ui->input->width - 2 * tooltip_pad - 8;
    *out = (struct tooltip_text){0};
    while (length > 0 && out->count < TOOLTIP_LINES) {
        char whole[sizeof(out->line[0])];
        size_t next, bytes = wrap_line(text, length, TOOLTIP_COLUMNS, &next);
        bool more = next < length && out->count == TOOLTIP_LINES - 1;
        snprintf(whole, sizeof(whole), "%.*s%s", (int)bytes, text, more ? ellipsis : "");
        char *line = out->line[out->count++];
        ui_elide(ui, FONT_TEXT, tooltip_size, room, whole, line, sizeof(out->line[0]));
        float width = ui_text_width(ui, FONT_TEXT, tooltip_size, line, -1);
        out->width = width > out->width ? width : out->width;
        text += next;
        length -= next;
    }
}

static float keep_between(float value, float low, float high)
{
    if (value > high)
        value = high;
    return value > low ? value : low;
}

// Below what it explains; above it where the window ends.
static struct rect place_tooltip(const struct ui *ui, float w, float h)
{
    const float gap = 6, edge = 4;
    struct rect at = ui->tooltip_at;
    float y = at.y + at.h + gap;
    if (y + h > ui->input->height - edge)
        y = at.y - gap - h;
    return rect_make(keep_between(at.x, edge, ui->input->width - edge - w),
                     keep_between(y, edge, ui->input->height - edge - h), w, h);
}

static void draw_tooltip(struct ui *ui)
{
    struct tooltip_text text;
    wrap_tooltip(ui, &text);
    if (text.count == 0)
        return;
    struct rect box = place_tooltip(ui, text.width + 2 * tooltip_pad,
                                    (float)text.count * tooltip_line + 2 * tooltip_pad);
    const struct style *style = ui->style;
    draw_clip(ui->list, rect_make(0, 0, -1, -1));
    draw_fill(ui->list, box, 6, color_mix(style->panel, style->ink, 0.06f));
    draw_frame(ui->list, box, 6, 1, color_mix(style->line, style->ink, 0.25f));
    for (int i = 0; i < text.count; i++) {
        float middle = box.y + tooltip_pad + ((float)i + 0.5f) * tooltip_line;
        draw_text(ui->list, FONT_TEXT, tooltip_size, box.x + tooltip_pad,
                  middle + half_cap * tooltip_size, 0, style->ink, text.line[i], -1);
    }
}

void ui_end(struct ui *ui)
{
    end_vanished(ui);
    end_keys(ui);
    if (!ui->input->down || ui->input->focus_lost)
        ui->active = 0;
    ui->press_origin = ui->active;
    if (area_at(ui->areas, ui->n_areas, ui->input->x, ui->input->y) != ui->hot)
        ui->animating = true; // the layout moved under the pointer
    if (ui->tooltip[0] != '\0')
        draw_tooltip(ui);
}

ui_id ui_hash(const char *name)
{
    ui_id hash = 2166136261u;
    for (const char *at = name; *at != '\0'; at++)
        hash = (hash ^ (unsigned char)*at) * 16777619u;
    return hash != 0 ? hash : 1;
}

bool ui_hover(struct ui *ui, ui_id id, struct rect rect)
{
    if (ui->n_areas < UI_MAX_AREAS)
        ui->areas[ui->n_areas++] = (struct ui_area){id, rect};
    // What the last frame did not have is hot at once where nothing else was.
    if (ui->hot_is_new && rect_contains(rect, ui->input->x, ui->input->y))
        ui->hot = id;
    bool hot = ui_is_hot(ui, id);
    if (hot && ui->input->pressed && ui->active == 0) {
        ui->active = id;
        if (!released_first(ui->input))
            ui->press_origin = id;
    }
    return hot;
}

void ui_focusable(struct ui *ui, ui_id id)
{
    if (ui->n_focus < UI_MAX_FOCUS)
        ui->focus_order[ui->n_focus++] = id;
}

bool ui_behave(struct ui *ui, ui_id id, struct rect rect)
{
    ui_focusable(ui, id);
    bool hot = ui_hover(ui, id, rect);
    if (ui->input->pressed && ui->active == id) {
        ui->focus = id;
        ui->focus_chosen = true;
    }
    return hot;
}

bool ui_is_hot(const struct ui *ui, ui_id id)
{
    return ui->hot == id && (ui->active == 0 || ui->active == id);
}

bool ui_is_active(const struct ui *ui, ui_id id)
{
    return ui->active == id;
}

bool ui_has_focus(const struct ui *ui, ui_id id)
{
    return ui->focus == id;
}

void ui_set_focus(struct ui *ui, ui_id id)
{
    ui->focus = id;
    ui->focus_chosen = true;
    ui->keyboard_focus = false;
}

bool ui_clicked(const struct ui *ui, ui_id id, struct rect rect)
{
    return ui->input->released && ui->press_origin == id &&
           rect_contains(rect, ui->input->x, ui->input->y);
}

static bool take(struct ui *ui, struct key_event wanted)
{
    for (int i = 0; i < ui->input->n_edits; i++) {
        const struct key_event *key = &ui->input->edits[i].key;
        if (ui->consumed[i] || key->key != wanted.key || key->mods != wanted.mods)
            continue;
        if (wanted.key == KEY_CHAR && key->ch != wanted.ch)
            continue;
        ui->consumed[i] = true;
        return true;
    }
    return false;
}

bool ui_take_key(struct ui *ui, enum key key, unsigned mods)
{
    return key != KEY_NONE && key != KEY_CHAR &&
           take(ui, (struct key_event){.key = key, .mods = mods});
}

bool ui_take_char(struct ui *ui, char ch, unsigned mods)
{
    return take(ui, (struct key_event){.key = KEY_CHAR, .ch = ch, .mods = mods});
}

float ui_text_width(const struct ui *ui, enum font font, float size, const char *text,
                    int length)
{
    size_t bytes = length < 0 ? strlen(text) : (size_t)length;
    if (bytes == 0)
        return 0;
    return ui->host->text_width(ui->host->context, font, size, text, bytes);
}

bool ui_text_fit(struct ui *ui, enum font font, float size, struct rect rect, int align,
                 struct color color, const char *text)
{
    char shown[1024];
    bool cut = ui_elide(ui, font, size, rect.w, text, shown, sizeof(shown));
    float width = ui_text_width(ui, font, size, shown, -1);
    float x = rect.x + (rect.w - width) * 0.5f * (float)(align + 1);
    draw_text(ui->list, font, size, x, rect.y + rect.h / 2 + half_cap * size, 0, color,
              shown, -1);
    return cut;
}

// Ends of the clusters of text that, with the ellipsis, leave room in out_size bytes.
static int cluster_ends(const char *text, size_t length, size_t out_size,
                        size_t ends[ELIDE_MAX_CLUSTERS])
{
    int count = 0;
    size_t at = 0;
    while (at < length && count < ELIDE_MAX_CLUSTERS) {
        at = utf8_next(text, length, at);
        if (at + sizeof(ellipsis) > out_size)
            break;
        ends[count++] = at;
    }
    return count;
}

bool ui_elide(const struct ui *ui, enum font font, float size, float width,
              const char *text, char *out, size_t out_size)
{
    size_t length = strlen(text), ends[ELIDE_MAX_CLUSTERS];
    const float slack = 0.01f; // a label given exactly its own width stays whole
    bool room = length < out_size;
    if (room && ui_text_width(ui, font, size, text, (int)length) <= width + slack) {
        memcpy(out, text, length + 1);
        return false;
    }
    out[0] = '\0';
    float left = width + slack - ui_text_width(ui, font, size, ellipsis, -1);
    if (left < 0 || out_size < sizeof(ellipsis))
        return true;
    int fits = 0, over = cluster_ends(text, length, out_size, ends) + 1;
    while (over - fits > 1) { // `fits` clusters fit, `over` do not
        int middle = fits + (over - fits) / 2;
        float w = ui_text_width(ui, font, size, text, (int)ends[middle - 1]);
        if (w <= left)
            fits = middle;
        else
            over = middle;
    }
    size_t kept = fits > 0 ? ends[fits - 1] : 0;
    while (kept > 0 && text[kept - 1] == ' ')
        kept--;
    memcpy(out, text, kept);
    memcpy(out + kept, ellipsis, sizeof(ellipsis));
    return true;
}

void ui_tooltip(struct ui *ui, struct rect at, const char *text)
{
    ui->tooltip_at = at;
    utf8_clean(ui->tooltip, sizeof(ui->tooltip), text, strlen(text), NULL);
}

void ui_focus_ring(struct ui *ui, ui_id id, struct rect rect, float radius)
{
    if (ui->keyboard_focus && ui->focus == id)
        draw_frame(ui->list, rect_inset(rect, -3), radius + 3, 2, ui->style->ring);
}
