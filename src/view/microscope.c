// SPDX-License-Identifier: MIT
// score → softmax → blend, with the real numbers of the selected row. When the source is
// longer than the panel, the overview keeps the positions with the largest α, in their
// order, and sums the rest in words: nothing is left out silently. A step lists them all
// and scrolls. See microscope.h.
#include "view/microscope.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "ui/widgets.h"
#include "view/candidates.h"
#include "view/short.h"
#include "view/wrap.h"

enum {
    LINE = 16,
    MAX_LINES = 40,
    PAD = 20,
    TOP_LINE = 20,
    STEP_LINE = 22,
    MOST_LINE = 30,
    HEAD = 26
};

struct selection { // source positions that are listed, in order
    int at[MAX_LINES];
    int count;
    float rest; // Σα of those left out
};

struct frame { // columns of the panel
    float x, right, label_right, bar_x, bar_w;
    int hover_s;
};

static struct frame frame_of(struct rect at, float number)
{
    float label = at.w >= 320 ? 92 : 76;
    struct frame f = {.x = at.x + PAD, .right = at.x + at.w - PAD};
    f.label_right = at.x + label;
    f.bar_x = f.label_right + 12;
    f.bar_w = f.right - number - f.bar_x;
    return f;
}

static int by_position(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static struct selection select_positions(const struct specimen *row, int room)
{
    struct selection chosen = {0};
    room = room > MAX_LINES ? MAX_LINES : room < 1 ? 1 : room;
    chosen.count = specimen_heaviest(row, room, chosen.at);
    qsort(chosen.at, (size_t)chosen.count, sizeof *chosen.at, by_position);
    float rest = 0;
    for (int s = 0; s < row->n; s++)
        rest += row->alpha[s];
    for (int i = 0; i < chosen.count; i++)
        rest -= row->alpha[chosen.at[i]];
    chosen.rest = fmaxf(0, rest);
    return chosen;
}

static void draw_label(struct ui *ui, const struct frame *f, float y, float h, float size,
                       const char *text, bool marked)
{
    struct rect at = rect_make(f->x, y, f->label_right - f->x, h);
    ui_text_fit(ui, FONT_TEXT, size, at, 1, marked ? ui->style->accent : ui->style->ink,
                text);
}

static void draw_value(struct ui *ui, const struct frame *f, float y, const char *text)
{
    struct rect at = rect_make(f->right - 60, y, 60, LINE);
    ui_text_fit(ui, FONT_TEXT, 12, at, 1, ui->style->dim, text);
}

struct range {
    float low, high;
};

static void widen(struct range *range, double value)
{
    if (!isfinite(value))
        return;
    range->low = fminf(range->low, (float)value);
    range->high = fmaxf(range->high, (float)value);
}

static void draw_bar(struct ui *ui, const struct frame *f, float y, struct range range,
                     double value, struct color color)
{
    if (!isfinite(value))
        return;
    float unit = f->bar_w / fmaxf(1e-6f, range.high - range.low);
    float zero = f->bar_x - range.low * unit, length = (float)value * unit;
    draw_fill(
        ui->list,
        rect_make(length < 0 ? zero + length : zero, y, fmaxf(1, fabsf(length)), 10), 2,
        color);
}

static float draw_scores(struct ui *ui, const struct specimen *row, const struct frame *f,
                         const struct selection *chosen, float y)
{
    struct range range = {0, 0};
    for (int i = 0; i < chosen->count; i++)
        widen(&range, (double)row->e[chosen->at[i]]);
    for (int i = 0; i < chosen->count; i++, y += LINE) {
        int s = chosen->at[i];
        char text[32];
        draw_label(ui, f, y, LINE, 12.5f, row->now->source[s].text, s == f->hover_s);
        draw_bar(ui, f, y + 3, range, (double)row->e[s],
                 color_fade(ui->style->dim, specimen_is_blocked(row, s) ? 0.3f : 0.75f));
        step_text(row, SCOPE_SCORE, s, text, sizeof text);
        draw_value(ui, f, y, text);
    }
    return y;
}

static struct color alpha_color(const struct ui *ui, const struct specimen *row, int s)
{
    return colormap_at(row->map, ui->style->theme, fmaxf(0.35f, row->alpha[s]));
}

static float draw_weights(struct ui *ui, const struct specimen *row,
                          const struct frame *f, const struct selection *chosen, float y)
{
    char text[64];
    for (int i = 0; i < chosen->count; i++, y += LINE) {
        int s = chosen->at[i];
        draw_label(ui, f, y, LINE, 12.5f, row->now->source[s].text, s == f->hover_s);
        if (specimen_is_blocked(row, s)) {
            draw_value(ui, f, y, "masked");
            continue;
        }
        draw_fill(ui->list,
                  rect_make(f->bar_x, y + 3, fmaxf(1.5f, f->bar_w * row->alpha[s]), 10),
                  2, alpha_color(ui, row, s));
        step_text(row, SCOPE_ALPHA, s, text, sizeof text);
        draw_value(ui, f, y, text);
    }
    if (chosen->count < row->n) {
        snprintf(text, sizeof text, "and %d more, Σα = %.3f", row->n - chosen->count,
                 (double)chosen->rest);
        struct rect at = rect_make(f->bar_x, y, f->right - f->bar_x, LINE);
        ui_text_fit(ui, FONT_TEXT, 12, at, -1, ui->style->dim, text);
        y += LINE;
    }
    return y;
}

static float draw_title(struct ui *ui, const struct frame *f, float y, const char *text)
{
    struct rect at = rect_make(f->x, y, f->right - f->x, 18);
    ui_text_fit(ui, FONT_TEXT, 13, at, -1, ui->style->dim, text);
    return y + 22;
}

// A low panel leaves the scores out: the weights say more.
static float draw_attention(struct ui *ui, const struct specimen *row,
                            const struct frame *f, struct rect at, float y)
{
    bool pooled = specimen_pooled(row);
    float said = 0; // by what says why there are no scores, beyond the title of scores
    if (pooled)
        said = scope_draw_pooled(ui, rect_make(f->x, y, f->right - f->x, 0), 13) - y - 22;
    float left =
        at.h - 48 - said - 3 * 22 - 2 * 12 - ALIGNMENT_TOP * TOP_LINE - LINE - 12;
    int lines = (int)(left / LINE);
    bool both = lines >= 8 && !pooled;
    int listed = both ? lines / 2 : lines + 1;
    if (listed == row->n - 1) // the line that says "1 more" has room for that one
        listed++;
    struct selection chosen = select_positions(row, listed);
    char text[256];
    snprintf(text, sizeof text, "1  score   %.200s", row->words.formula);
    y = pooled ? y + said + 22 + 12 : draw_title(ui, f, y, text);
    if (both)
        y = draw_scores(ui, row, f, &chosen, y) + 12;
    snprintf(text, sizeof text, "2  softmax, then %s", specimen_deed(row));
    y = draw_title(ui, f, y,
                   pooled        ? "α"
                   : row->edited ? text
                                 : "2  softmax   α = exp(e/τ) / Σ exp(e/τ)");
    y = draw_weights(ui, row, f, &chosen, y) + 12;
    // Re-reading shows another α than the one that chose the word.
    return draw_title(ui, f, y,
                      row->now->blends                          ? "3  blend   c = Σ α v"
                      : row->now->attention.kind == MAP_ENCODER ? "3  blend   Σ α v"
                      : pooled ? row->reread ? "next word, at τ = 1" : "next word"
                      : row->now->maps ? "3  blend   Σ α v, more layers  →  next word"
                      : row->reread    ? "3  blend at τ = 1: re-reading keeps the words"
                                       : "3  blend   c = Σ α h   →   next word");
}

static void draw_overview(struct ui *ui, const struct specimen *row, struct rect at,
                          int hover_s)
{
    struct frame f = frame_of(at, 52);
    f.hover_s = hover_s;
    float y = at.y + 48;
    if (row->now->has_attention) {
        y = draw_attention(ui, row, &f, at, y);
    } else {
        struct rect words = rect_make(f.x, y, f.right - f.x, 0);
        y = wrap_draw(
                ui, FONT_TEXT, 13, ui->style->dim, words, 19, -1,
                "no scores and no α: the context is c = m, the same at every step") +
            10;
        y = draw_title(ui, &f, y, "next word");
    }
    candidates_draw(ui, row, rect_make(f.x, y, f.right - f.x, 0), TOP_LINE);
}

// The heading of one of the three steps; the current one is marked.
static float draw_group(struct ui *ui, const struct frame *f, float y, const char *text,
                        bool current)
{
    if (current)
        draw_fill(ui->list, rect_make(f->x - 10, y + 2, 3, 18), 1.5f, ui->style->accent);
    ui_text_fit(ui, current ? FONT_BOLD : FONT_TEXT, current ? 15 : 13,
                rect_make(f->x, y, f->right - f->x, 22), -1,
                current ? ui->style->accent : ui->style->dim, text);
    return y + HEAD;
}

// A step's list: lines grow where the sentence is short.
struct lines {
    struct rect at;
    float h;
    int count, first;
};

static struct lines lay_lines(struct ui *ui, const struct specimen *row,
                              const struct frame *f, float y, float room, int first)
{
    struct lines lines = {.h = floorf(room / (float)row->n)};
    lines.h = fminf(fmaxf(lines.h, STEP_LINE), MOST_LINE);
    lines.count = (int)(room / lines.h);
    lines.count = lines.count < 1 ? 1 : lines.count < row->n ? lines.count : row->n;
    lines.at =
        rect_make(f->x - 10, y, f->right - f->x + 20, lines.h * (float)lines.count);
    if (ui_hover(ui, ui_hash("microscope list"), lines.at))
        first -= (int)lroundf(ui->input->wheel_y * 2);
    first = first > row->n - lines.count ? row->n - lines.count : first;
    lines.first = first < 0 ? 0 : first;
    return lines;
}

static void draw_thumb(struct ui *ui, const struct specimen *row,
                       const struct lines *lines)
{
    float unit = lines->at.h / (float)row->n;
    if (lines->count < row->n)
        draw_fill(ui->list,
                  rect_make(lines->at.x + lines->at.w + 2,
                            lines->at.y + unit * (float)lines->first, 3,
                            unit * (float)lines->count),
                  1.5f, ui->style->dim);
}

static struct lines draw_list(struct ui *ui, const struct specimen *row,
                              const struct frame *f, float y, float room,
                              struct scope scope)
{
    struct lines lines = lay_lines(ui, row, f, y, room, scope.first);
    bool bars = scope.step != SCOPE_MASK;
    bool weights = scope.step == SCOPE_ALPHA || scope.step == SCOPE_BLEND;
    float larger = lines.h >= 27 ? 2 : 0;
    struct range range = {0, 0};
    for (int s = 0; bars && s < row->n; s++)
        widen(&range, step_value(row, scope.step, s));
    for (int i = 0; i < lines.count; i++, y += lines.h) {
        int s = lines.first + i;
        char text[64];
        bool marked = s == f->hover_s || s == row->parts.best;
        draw_label(ui, f, y, lines.h, 14 + larger, row->now->source[s].text, marked);
        if (bars)
            draw_bar(ui, f, y + lines.h / 2 - 5, range, step_value(row, scope.step, s),
                     weights ? alpha_color(ui, row, s)
                             : color_fade(ui->style->dim, 0.75f));
        step_text(row, scope.step, s, text, sizeof text);
        ui_text_fit(ui, FONT_MEDIUM, 16 + larger,
                    rect_make(f->right - 84, y, 84, lines.h), 1, ui->style->ink, text);
    }
    draw_thumb(ui, row, &lines);
    return lines;
}

// The current step's formula, its place in the softmax, and its numbers.
static float draw_step(struct ui *ui, const struct specimen *row, const struct frame *f,
                       float y, float bottom, struct scope *scope)
{
    char text[256], total[64];
    if (scope->step != SCOPE_SCORE && scope->step != SCOPE_WORD) {
        step_formula(row, scope->step, text, sizeof text);
        ui_text_fit(ui, FONT_MEDIUM, 15, rect_make(f->x, y, f->right - f->x, 22), -1,
                    ui->style->ink, text);
        y += HEAD;
    }
    if (scope->step == SCOPE_WORD)
        return candidates_draw(ui, row, rect_make(f->x, y, f->right - f->x, 0), 28);
    step_total(row, scope->step, total, sizeof total);
    float foot = total[0] ? STEP_LINE + 4 : 0;
    struct lines lines = draw_list(ui, row, f, y, bottom - foot - y, *scope);
    scope->first = lines.first;
    y += lines.at.h;
    if (!total[0])
        return y;
    draw_fill(ui->list, rect_make(f->bar_x, y + 1, f->right - f->bar_x, 1), 0,
              ui->style->line);
    ui_text_fit(ui, FONT_MEDIUM, 14,
                rect_make(f->bar_x, y + 4, f->right - f->bar_x, STEP_LINE), 1,
                ui->style->accent, total);
    return y + foot;
}

static void draw_steps(struct ui *ui, const struct specimen *row, struct rect at,
                       struct scope *scope, int hover_s)
{
    struct frame f = frame_of(at, 92);
    f.hover_s = hover_s;
    float y = at.y + 48, bottom = at.y + at.h - 12;
    char heads[3][256];
    int current = scope->step == SCOPE_SCORE ? 0 : scope->step < SCOPE_BLEND ? 1 : 2;
    snprintf(heads[0], sizeof heads[0], "1  score   %.200s", row->words.formula);
    snprintf(heads[1], sizeof heads[1], "2  softmax");
    snprintf(heads[2], sizeof heads[2], "3  blend   →   %s", step_name(row, SCOPE_WORD));
    if (current > 0)
        snprintf(heads[current], sizeof heads[current], "%s  %s%s",
                 step_digit(scope->step), current == 1 ? "softmax:  " : "",
                 step_name(row, scope->step));
    for (int i = 0; i < 3; i++) {
        y = draw_group(ui, &f, y, heads[i], i == current);
        if (i == current)
            y = draw_step(ui, row, &f, y, bottom - HEAD * (float)(2 - i), scope) + 8;
    }
}

static struct scope draw_buttons(struct ui *ui, struct rect at, struct scope scope,
                                 bool steps)
{
    static const char *const ids[] = {"microscope back", "microscope next",
                                      "microscope open"};
    static const char *const glyphs[] = {"◀", "▶", "↗"};
    static const char *const hints[] = {"one step back (Alt+↑)", "step by step (Alt+↓)",
                                        "enlarge (Ctrl+M)"};
    for (int i = scope.step == SCOPE_OVERVIEW ? 1 : 0; i < 3; i++) {
        struct rect button =
            rect_make(at.x + at.w - PAD - 26 - 30 * (float)(2 - i), at.y + 14, 26, 24);
        bool able = i == 2 || (steps && (i == 0 || scope.step != SCOPE_WORD));
        if (widget_button(ui, ids[i], button, glyphs[i], false, able))
            scope = i == 2 ? scope_toggle(scope) : scope_move(scope, i == 0 ? -1 : 1);
        if (ui_is_hot(ui, ui_hash(ids[i])))
            ui_tooltip(ui, button, hints[i]);
    }
    return scope;
}

static void draw_name(struct ui *ui, const struct specimen *row, struct rect at,
                      bool overview)
{
    char text[256];
    bool wide = at.w >= 320, attends = row->now->has_attention;
    const char *before = wide || !attends ? "How " : "";
    const char *after = !attends              ? " was chosen"
                        : !(wide || overview) ? ""
                        : row->now->blends || row->now->attention.kind != MAP_CROSS
                            ? " reads"
                            : " looked back";
    snprintf(text, sizeof text, "%s“%s”%s", before,
             short_of(row->now->target[row->t].text).text, after);
    float buttons = overview ? 62 : 92;
    struct rect head = rect_make(at.x + PAD, at.y + 14, at.w - 2 * PAD - buttons, 24);
    ui_text_fit(ui, FONT_BOLD, 16, head, -1, ui->style->ink, text);
}

struct scope microscope_draw(struct ui *ui, const struct specimen *row, bool any_rows,
                             struct rect at, struct scope scope, int hover_s)
{
    draw_fill(ui->list, at, 8, ui->style->panel);
    draw_frame(ui->list, at, 8, 1, ui->style->line);
    if (!row && any_rows) {
        struct rect line = rect_make(at.x + PAD, at.y + at.h * 0.4f, at.w - 2 * PAD, 22);
        ui_text_fit(ui, FONT_TEXT, 14, line, 0, ui->style->dim,
                    "click a row to look inside");
    }
    if (!row)
        return scope;
    draw_name(ui, row, at, scope.step == SCOPE_OVERVIEW);
    if (specimen_reads_nothing(row)) {
        scope_draw_masked(ui, rect_make(at.x + PAD, at.y + 56, at.w - 2 * PAD, 0), 14);
        return scope;
    }
    bool steps = row->now->has_attention && !specimen_pooled(row);
    scope = draw_buttons(ui, at, scope, steps);
    if (scope.step == SCOPE_OVERVIEW || !steps)
        draw_overview(ui, row, at, hover_s);
    else
        draw_steps(ui, row, at, &scope, hover_s);
    return scope;
}
