// SPDX-License-Identifier: MIT
// The steps as a table whose columns appear one after the other, and beside it what the
// newest one does to the heaviest positions. See scope.h.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/widgets.h"
#include "view/candidates.h"
#include "view/scope.h"
#include "view/short.h"
#include "view/strip.h"
#include "view/table.h"
#include "view/wrap.h"

enum { COLUMNS = SCOPE_BLEND - SCOPE_SCORE + 1, PAD = 18, WORKED = 8 };

static enum scope_step step_of(int column)
{
    return (enum scope_step)(SCOPE_SCORE + column);
}

static void cell_text(const struct specimen *row, int column, int s, char *out,
                      size_t size)
{
    step_text(row, step_of(column), s, out, size);
}

static double cell_value(const struct specimen *row, int column, int s)
{
    return step_value(row, step_of(column), s);
}

static void total_text(const struct specimen *row, int column, char *out, size_t size)
{
    step_total(row, step_of(column), out, size);
}

static void fill_columns(struct table_column *columns, enum scope_step step)
{
    static const char *const heads[COLUMNS] = {"e",   "+ mask", "e / τ", "− max",
                                               "exp", "α",      "α h"};
    for (int i = 0; i < COLUMNS; i++) {
        enum scope_step mine = step_of(i);
        columns[i] = (struct table_column){
            .head = heads[i],
            .shown = mine <= step,
            .current = mine == step,
            .bars = mine != SCOPE_MASK,
            .text = cell_text,
            .value = cell_value,
            .total = total_text,
        };
    }
}

// The block's letters: larger where there is room for many lines.
struct block {
    struct rect at; // what is left of it
    float word, line, size, small;
};

static float bottom_of(const struct block *block)
{
    return block->at.y + block->at.h;
}

static void go_down(struct block *block, float y)
{
    block->at.h -= y - block->at.y;
    block->at.y = y;
}

// A line of it: a position's word, small, and what belongs to it, large.
static void draw_line(struct ui *ui, const struct specimen *row, struct block *block,
                      int s, const char *text)
{
    struct rect at = block->at;
    bool best = s == row->parts.best;
    ui_text_fit(ui, best ? FONT_BOLD : FONT_TEXT, block->small,
                rect_make(at.x, at.y, block->word, block->line), -1,
                best ? ui->style->accent : ui->style->dim, row->now->source[s].text);
    float x = at.x + block->word + 10;
    ui_text_fit(ui, FONT_MEDIUM, block->size,
                rect_make(x, at.y, at.x + at.w - x, block->line), -1, ui->style->ink,
                text);
    go_down(block, at.y + block->line);
}

static void draw_work(struct ui *ui, const struct specimen *row, struct block *block,
                      enum scope_step step, int s)
{
    char text[128];
    step_work(row, step, s, text, sizeof text);
    draw_line(ui, row, block, s, text);
}

// "0.774 h₅, length 9.53"
static void term_text(const struct specimen *row, int s, bool wide, char *out,
                      size_t size)
{
    double norm = (double)row->now->memory_norm[s];
    step_text(row, SCOPE_BLEND, s, out, size);
    size_t used = strlen(out);
    if (wide && norm > 0)
        snprintf(out + used, size - used, ", length %.2f", (double)row->alpha[s] * norm);
}

// The blend, term by term, and how much of the weight the others have.
static void draw_terms(struct ui *ui, const struct specimen *row, struct block *block,
                       const int *heaviest, int count)
{
    char text[96];
    float rest = 1, x = block->at.x + block->word + 10;
    int drawn = 0;
    for (; drawn < count && 2 * block->line <= block->at.h; drawn++) {
        int s = heaviest[drawn];
        float alpha = row->alpha[s], y = block->at.y + block->line - 5;
        rest -= alpha;
        draw_fill(ui->list,
                  rect_make(x, y, fmaxf(1, (block->at.x + block->at.w - x) * alpha), 3),
                  1.5f, colormap_at(row->map, ui->style->theme, fmaxf(0.35f, alpha)));
        term_text(row, s, block->at.w >= 300, text, sizeof text);
        draw_line(ui, row, block, s, text);
    }
    if (drawn == row->n)
        return;
    snprintf(text, sizeof text, "and %d more, Σα = %.3f", row->n - drawn,
             (double)fmaxf(0, rest));
    ui_text_fit(ui, FONT_TEXT, block->small + 1,
                rect_make(block->at.x, block->at.y + 4, block->at.w, block->line), -1,
                ui->style->dim, text);
}

// Formula and reason; the reason only where numbers still have room below.
static struct block draw_words(struct ui *ui, const struct specimen *row, struct rect at,
                               enum scope_step step)
{
    char text[256];
    bool large = at.w >= 360 && at.h >= 420;
    struct block block = {.at =
                              rect_make(at.x + PAD, at.y + 12, at.w - 2 * PAD, at.h - 20),
                          .word = fminf(at.w * 0.25f, 116),
                          .line = large ? 36 : 30,
                          .size = large        ? 21
                                  : at.w < 280 ? 14
                                  : at.w < 320 ? 16
                                               : 18,
                          .small = large ? 17 : 15};
    float step_y = large ? 24 : 20;
    step_formula(row, step, text, sizeof text);
    go_down(&block, wrap_draw(ui, FONT_BOLD, large ? 22 : 18, ui->style->accent, block.at,
                              large ? 30 : 26, -1, text) +
                        4);
    step_reason(row, step, text, sizeof text);
    float reason =
        step_y * (float)wrap_count(ui, FONT_TEXT, block.small, block.at.w, text);
    if (reason + 2 * block.line <= block.at.h)
        go_down(&block, wrap_draw(ui, FONT_TEXT, block.small, ui->style->dim, block.at,
                                  step_y, -1, text) +
                            12);
    return block;
}

// Under the arithmetic of the score what is compared: the query, and the key of the
// position that is pointed at or has the largest score. The table has the scores: in a
// low window their arithmetic gives way.
static void draw_compared(struct ui *ui, const struct specimen *row, struct block *block,
                          int pointed)
{
    const struct alignment *now = row->now;
    int s = pointed >= 0 ? pointed : row->parts.best;
    float strip = block->at.h >= 180 ? 40 : 33, gap = 8, room = 2 * (strip + gap);
    if (!now->query_width || s < 0 || block->at.h < room)
        return;
    char name[160];
    struct rect at =
        rect_make(block->at.x, bottom_of(block) - room + gap, block->at.w, strip);
    snprintf(name, sizeof name, "query %.*s", (int)strcspn(row->words.query, ","),
             row->words.query);
    strip_draw(ui, at, name, now->query + (size_t)row->t * (size_t)now->query_width,
               now->query_width);
    at.y += strip + gap;
    snprintf(name, sizeof name, "key %.20s of “%s”", row->words.key,
             short_of(now->source[s].text).text);
    strip_draw(ui, at, name, now->key + (size_t)s * (size_t)now->key_width,
               now->key_width);
    block->at.h -= room;
}

// What the step does: formula, reason, and the arithmetic of the heaviest positions, the
// one under the pointer first.
static void draw_block(struct ui *ui, const struct specimen *row, struct rect at,
                       enum scope_step step, int pointed)
{
    draw_fill(ui->list, at, 8, ui->style->panel);
    draw_frame(ui->list, at, 8, 1, ui->style->line);
    struct block block = draw_words(ui, row, at, step);
    int heaviest[WORKED];
    int count = specimen_heaviest(row, WORKED, heaviest);
    if (step == SCOPE_WORD) {
        candidates_draw(ui, row, block.at, fminf(40, block.at.h / ALIGNMENT_TOP));
        return;
    }
    if (step == SCOPE_BLEND) {
        draw_terms(ui, row, &block, heaviest, count);
        return;
    }
    if (step == SCOPE_SCORE)
        draw_compared(ui, row, &block, pointed);
    float bottom = bottom_of(&block);
    if (pointed >= 0 && block.at.y + block.line <= bottom)
        draw_work(ui, row, &block, step, pointed);
    for (int i = 0; i < count && block.at.y + block.line <= bottom; i++)
        if (heaviest[i] != pointed)
            draw_work(ui, row, &block, step, heaviest[i]);
}

static struct scope draw_bar(struct ui *ui, const struct specimen *row, struct rect at,
                             struct scope scope)
{
    char texts[SCOPE_STEPS][32];
    const char *names[SCOPE_STEPS];
    int chosen = (int)scope.step - SCOPE_SCORE;
    for (int i = 0; i < SCOPE_STEPS - SCOPE_SCORE; i++) {
        snprintf(texts[i], sizeof texts[i], "%s  %s", step_digit(step_of(i)),
                 step_name(row, step_of(i)));
        names[i] = texts[i];
    }
    if (widget_choice(ui, "microscope step", at, names, SCOPE_STEPS - SCOPE_SCORE,
                      &chosen))
        scope.step = step_of(chosen);
    return scope;
}

// Without attention there is nothing but the words.
static void draw_unattended(struct ui *ui, const struct specimen *row, struct rect at)
{
    struct rect half = at;
    half.w = fminf(at.w, 560);
    half.y = wrap_draw(ui, FONT_MEDIUM, 19, ui->style->ink, half, 27, -1,
                       "No query, no scores, no α: the context is c = m, the encoder's "
                       "last state, the same at every step.") +
             18;
    candidates_draw(ui, row, half, 36);
}

struct scope steps_draw(struct ui *ui, const struct specimen *row, struct rect at,
                        struct scope scope)
{
    if (!row->now->has_attention) {
        draw_unattended(ui, row, at);
        return scope;
    }
    scope = draw_bar(ui, row, rect_make(at.x, at.y, at.w, 30), scope);
    at.y += 40;
    at.h -= 40;
    float block = at.w >= 1000 ? at.w * 0.31f : at.w >= 760 ? 290 : at.w >= 620 ? 250 : 0;
    struct table_column columns[COLUMNS];
    fill_columns(columns, scope.step);
    struct table table = {columns, COLUMNS, NOWHERE};
    struct rect left = at;
    left.w -= block > 0 ? block + 20 : 0;
    scope.first = table_draw(ui, row, left, &table, scope.first);
    if (block > 0)
        draw_block(ui, row, rect_make(at.x + at.w - block, at.y, block, at.h), scope.step,
                   table.pointed);
    return scope;
}
