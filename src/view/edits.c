// SPDX-License-Identifier: MIT
// Marks of edits, the strip and the list. See edits.h.
#include "view/edits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/widgets.h"

enum {
    BAR = 3,
    LINK_H = 24,
    LINK_GAP = 10,
    WORD_BAR = 16,
    BELOW_WORDS = 27,
    LIST_W = 360,
    LIST_LINES = 14,
    PAD = 10
};

const char edits_field[] = "begins with";

// A bar beside rows or columns, with a gap to what it is beside.
static void draw_bar(struct ui *ui, struct rect at, bool hollow)
{
    if (hollow)
        draw_frame(ui->list, at, 1, 1, ui->style->accent);
    else
        draw_fill(ui->list, at, 1, ui->style->accent);
}

static void mark_rows(struct ui *ui, const struct grid *grid, struct lens_span rows,
                      bool before, bool hollow)
{
    float x = before ? grid->sight.x - BAR - 1 : grid->sight.x + grid->sight.w + 2;
    float top = grid->area.y + (float)rows.first * grid->cell_h + grid->gap / 2;
    float end = grid->area.y + (float)(rows.last + 1) * grid->cell_h - grid->gap / 2;
    top = fmaxf(top, grid->sight.y);
    end = fminf(end, grid->sight.y + grid->sight.h);
    if (end > top)
        draw_bar(ui, rect_make(x, top, BAR, fmaxf(2, end - top)), hollow);
}

static void mark_columns(struct ui *ui, const struct grid *grid, struct lens_span columns,
                         bool hollow)
{
    float left = grid->area.x + (float)columns.first * grid->cell_w + grid->gap / 2;
    float end = grid->area.x + (float)(columns.last + 1) * grid->cell_w - grid->gap / 2;
    left = fmaxf(left, grid->sight.x);
    end = fminf(end, grid->sight.x + grid->sight.w);
    if (end > left)
        draw_bar(ui, rect_make(left, grid->sight.y - BAR - 2, fmaxf(2, end - left), BAR),
                 hollow);
}

static void mark_cell(struct ui *ui, const struct grid *grid, int row, int column)
{
    struct rect cell = grid_cell(grid, row, column);
    float size = fminf(9, fmaxf(3, fminf(cell.w, cell.h) * 0.4f));
    struct rect dot = rect_make(cell.x + cell.w - size - 1, cell.y + 1, size, size);
    if (row < grid->from_row || row >= grid->to_row || column < grid->from_column ||
        column >= grid->to_column)
        return;
    if (size >= 5)
        draw_fill(ui->list, rect_inset(dot, -1.5f), size, ui->style->ground);
    draw_fill(ui->list, dot, size / 2, ui->style->accent);
}

void edits_mark(struct ui *ui, const struct scene *scene, const struct grid *grid)
{
    for (int i = 0; i < scene->n_marks; i++) {
        const struct edit_mark *mark = &scene->marks[i];
        bool rows = mark->rows.first >= 0, columns = mark->columns.first >= 0;
        if (rows && columns)
            mark_cell(ui, grid, mark->rows.first, mark->columns.first);
        else if (rows)
            mark_rows(ui, grid, mark->rows, mark->word, mark->hollow);
        else if (columns)
            mark_columns(ui, grid, mark->columns, mark->hollow);
    }
}

static void mark_words(struct ui *ui, const struct ribbon *ribbon,
                       const struct ribbon_word *words, struct lens_span span, float y,
                       bool hollow)
{
    for (int i = span.first; i >= 0 && i <= span.last; i++) {
        float x = ribbon->bands.x + words[i].x - ribbon->outside;
        if (x >= ribbon->bands.x && x <= ribbon->bands.x + ribbon->bands.w)
            draw_bar(ui, rect_make(x - WORD_BAR / 2, y, WORD_BAR, BAR), hollow);
    }
}

void edits_mark_ribbons(struct ui *ui, const struct scene *scene,
                        const struct ribbon *ribbon)
{
    for (int i = 0; i < scene->n_marks; i++) {
        const struct edit_mark *mark = &scene->marks[i];
        mark_words(ui, ribbon, ribbon->top, mark->columns, ribbon->area.y + 18,
                   mark->hollow);
        mark_words(ui, ribbon, ribbon->bottom, mark->rows,
                   ribbon->bands.y + ribbon->bands.h + BELOW_WORDS, mark->hollow);
    }
}

struct link {
    const char *label, *brief, *line;
};

static float link_width(const struct ui *ui, const char *label)
{
    return ui_text_width(ui, FONT_TEXT, 14, label, -1) + 8;
}

static float links_width(const struct ui *ui, const struct link *links, int count)
{
    float width = 0;
    for (int i = 0; i < count; i++)
        width += link_width(ui, links[i].label) + LINK_GAP;
    return width;
}

// In brief where the words have no room, and then as many as have.
static const char *draw_links(struct ui *ui, struct rect at, const struct link *links,
                              int count)
{
    const char *line = NULL;
    float right = at.x + at.w;
    bool brief = links_width(ui, links, count) > at.w + LINK_GAP;
    for (int i = 0; i < count && !ui->paper; i++) {
        const char *label = brief ? links[i].brief : links[i].label;
        float w = link_width(ui, label);
        if (at.x + w > right)
            break;
        if (widget_link(ui, links[i].line, rect_make(at.x, at.y, w, LINK_H), label))
            line = links[i].line;
        at.x += w + LINK_GAP;
    }
    return line;
}

static const char *draw_offers(struct ui *ui, struct rect at)
{
    static const struct link links[] = {
        {"Pin row", "Pin", "what-if toggle pin"},
        {"Hard row", "Hard", "what-if toggle hard"},
        {"All hard", "All hard", "what-if toggle hard all"},
        {"Mute", "Mute", "what-if toggle mute"},
        {"Boost", "Boost", "what-if toggle boost"},
        {"Begin with…", "Begin…", "what-if type"},
        {"Shuffle memory", "Mix memory", "what-if toggle shuffle"},
        {"Shuffle words", "Mix words", "what-if toggle shuffle-words"},
    };
    float w = ui_text_width(ui, FONT_BOLD, 13.5f, "What if", -1) + 16;
    ui_text_fit(ui, FONT_BOLD, 13.5f, rect_make(at.x, at.y, w, LINK_H), -1,
                ui->style->accent, "What if");
    return draw_links(ui, rect_make(at.x + w, at.y, at.w - w, at.h), links,
                      sizeof links / sizeof *links);
}

// What can be done to the list, at the right; its left edge in *x.
static const char *draw_history(struct ui *ui, struct rect at,
                                const struct edits_strip *strip, float *x)
{
    struct link links[4];
    int count = 0;
    const char *other = strip->before ? "After" : "Before";
    if (strip->count)
        links[count++] = (struct link){"Undo", "Undo", "what-if undo"};
    if (strip->count < strip->total)
        links[count++] = (struct link){"Redo", "Redo", "what-if redo"};
    if (strip->count)
        links[count++] = (struct link){"Clear", "Clear", "what-if clear"};
    if (strip->count)
        links[count++] = (struct link){other, other, "what-if before"};
    float w = links_width(ui, links, count);
    *x = at.x + at.w - w;
    return draw_links(ui, rect_make(*x, at.y, w, at.h), links, count);
}

// The newest first, as far as the line goes.
static void draw_edits(struct ui *ui, struct rect at, const struct edits_strip *strip)
{
    struct color color = strip->before ? ui->style->dim : ui->style->ink;
    for (int i = strip->count - 1; i >= 0 && at.w > 30; i--) {
        char text[200];
        snprintf(text, sizeof text, i ? "%.180s ·" : "%.180s", strip->edits[i]);
        if (ui_text_fit(ui, FONT_TEXT, 13.5f, at, -1, color, text))
            return;
        float w = ui_text_width(ui, FONT_TEXT, 13.5f, text, -1) + 6;
        at.x += w;
        at.w -= w;
    }
}

static void draw_note(struct ui *ui, struct rect *at, const char *note)
{
    ui_text_fit(ui, FONT_TEXT, 13.5f, *at, -1, ui->style->warn, note);
    float w = ui_text_width(ui, FONT_TEXT, 13.5f, note, -1) + 14;
    at->x += w;
    at->w = fmaxf(0, at->w - w);
}

static const char *draw_line(struct ui *ui, struct rect at,
                             const struct edits_strip *strip)
{
    char label[40];
    float right;
    at.h = LINK_H;
    const char *line = draw_history(ui, at, strip, &right);
    snprintf(label, sizeof label, strip->count == 1 ? "%d edit" : "%d edits",
             strip->count);
    if (!strip->total) {
        ui_text_fit(
            ui, FONT_TEXT, 13.5f, rect_make(at.x, at.y, right - at.x, at.h), -1,
            ui->style->dim,
            "drag a cell up or down; choose a row or a column; click a next word");
        return line;
    }
    float w = link_width(ui, label);
    if (widget_link(ui, "edits", rect_make(at.x - 4, at.y, w, at.h), label))
        line = "what-if list";
    struct rect rest = rect_make(at.x + w + 8, at.y, right - at.x - w - 16, at.h);
    if (*strip->note)
        draw_note(ui, &rest, strip->note);
    draw_edits(ui, rest, strip);
    return line;
}

static void draw_field(struct ui *ui, struct rect at, const struct edits_strip *strip,
                       struct edits_result *result)
{
    float w = ui_text_width(ui, FONT_TEXT, 13.5f, edits_field, -1) + 12;
    ui_text_fit(ui, FONT_TEXT, 13.5f, rect_make(at.x, at.y, w, LINK_H), -1,
                ui->style->ink, edits_field);
    struct rect field = rect_make(at.x + w, at.y - 1, at.w - w, LINK_H + 1);
    if (ui_has_focus(ui, ui_hash(edits_field)) && ui_take_key(ui, KEY_ENTER, 0))
        result->entered = true;
    result->typed = widget_text(ui, edits_field, field, 14, "words of the translation",
                                strip->typed, strip->scroll_x);
}

// Without a mark of what there could be done: on paper nothing is said of no edit.
static bool is_empty(const struct ui *ui, const struct edits_strip *strip)
{
    return ui->paper && !strip->count && !strip->asks && !strip->typed;
}

float edits_strip_height(const struct edits_strip *strip)
{
    if (!strip->asks && !strip->total && !strip->typed)
        return 0;
    return (float)(strip->asks ? 2 * EDITS_STRIP_H : EDITS_STRIP_H);
}

struct edits_result edits_strip_draw(struct ui *ui, struct rect at,
                                     const struct edits_strip *strip)
{
    struct edits_result result = {0};
    if (is_empty(ui, strip))
        return result;
    if (strip->asks) {
        result.line = draw_offers(ui, at);
        at.y += EDITS_STRIP_H;
    }
    if (strip->typed) {
        draw_field(ui, at, strip, &result);
        return result;
    }
    const char *line = draw_line(ui, at, strip);
    result.line = line ? line : result.line;
    return result;
}

bool edits_list_draw(struct ui *ui, struct rect at, const struct edits_strip *strip,
                     int *to)
{
    int lines = strip->total < LIST_LINES ? strip->total : LIST_LINES;
    int first = strip->count - lines / 2; // what is in force and what was undone
    first = first > strip->total - lines ? strip->total - lines : first < 0 ? 0 : first;
    float w = fminf(LIST_W, at.w);
    struct rect box = rect_make(at.x, at.y, w, (float)lines * LINK_H + 2 * PAD);
    *to = -1;
    ui_hover(ui, ui_hash("edits box"), box); // what lies under it is out of reach
    draw_fill(ui->list, box, 10, ui->style->panel);
    draw_frame(ui->list, box, 10, 1, ui->style->dim);
    for (int k = 0; k < lines; k++) {
        int i = first + k;
        char id[40], text[220];
        struct rect row =
            rect_make(box.x + PAD, box.y + PAD + (float)k * LINK_H, w - 2 * PAD, LINK_H);
        snprintf(id, sizeof id, "edit %d", i + 1);
        snprintf(text, sizeof text, "%d  %.200s", i + 1, strip->edits[i]);
        ui_id self = ui_hash(id);
        bool hot = ui_hover(ui, self, row), undone = i >= strip->count;
        ui_text_fit(ui, hot ? FONT_MEDIUM : FONT_TEXT, 13.5f, row, -1,
                    undone ? ui->style->dim : ui->style->ink, text);
        if (ui_clicked(ui, self, row))
            *to = i + 1;
    }
    return ui->input->pressed && !rect_contains(box, ui->input->x, ui->input->y);
}
