// SPDX-License-Identifier: MIT
// Attention as a soft dictionary: the query is compared with every key, and the answer is
// a blend of all values. A hard lookup takes the value of the best key alone; it is what
// τ → 0 makes of the soft one, and it has no gradient. See scope.h.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "view/scope.h"
#include "view/short.h"
#include "view/table.h"
#include "view/wrap.h"

enum { KEY, SCORE, SOFT, HARD, DIFFERENCE, VALUE, COLUMNS, PAD = 18 };

static double hard_weight(const struct specimen *row, int s)
{
    return s == row->parts.best ? 1 : 0;
}

static double cell_value(const struct specimen *row, int column, int s)
{
    double hard = hard_weight(row, s), soft = (double)row->alpha[s];
    return column == SCORE  ? (double)row->e[s]
           : column == SOFT ? soft
           : column == HARD ? hard
                            : soft - hard;
}

static void cell_text(const struct specimen *row, int column, int s, char *out,
                      size_t size)
{
    double value = cell_value(row, column, s);
    char name[32];
    specimen_value_name(row, s, name, sizeof name);
    if (column == KEY && (row->words.key[0] == 'h' || row->now->blends))
        snprintf(out, size, "%s%s", row->words.key, name + 1);
    else if (column == KEY)
        snprintf(out, size, "%.*s%s", (int)(strlen(row->words.key) - 1), row->words.key,
                 name);
    else if (column == VALUE && row->now->memory_norm[s] > 0)
        snprintf(out, size, "%s %.2f", name, (double)row->now->memory_norm[s]);
    else if (column == VALUE)
        snprintf(out, size, "%s", name);
    else if (column == SCORE)
        step_text(row, SCOPE_SCORE, s, out, size);
    else if (column == HARD)
        snprintf(out, size, "%.0f", value);
    else if (column == DIFFERENCE && fabs(value) >= 0.0005)
        snprintf(out, size, "%s%.3f", value < 0 ? "−" : "+", fabs(value));
    else
        snprintf(out, size, "%.3f", fabs(value));
}

// Half of Σ |soft - hard|: the weight that would have to move.
static double moved(const struct specimen *row)
{
    double sum = 0;
    for (int s = 0; s < row->n; s++)
        sum += fabs(cell_value(row, DIFFERENCE, s));
    return sum / 2;
}

static void total_text(const struct specimen *row, int column, char *out, size_t size)
{
    out[0] = '\0';
    if (column == SCORE)
        step_total(row, SCOPE_SCORE, out, size);
    else if (column == SOFT)
        step_total(row, SCOPE_ALPHA, out, size);
    else if (column == HARD)
        snprintf(out, size, "Σ 1");
    else if (column == DIFFERENCE)
        snprintf(out, size, "moved %.3f", moved(row));
    else if (column == VALUE && specimen_knows_context(row))
        snprintf(out, size, "‖c‖ %.2f", (double)row->now->context_norm[row->t]);
}

static void fill_columns(struct table_column *columns)
{
    static const char *const heads[COLUMNS] = {"key",  "score e",     "soft: α",
                                               "hard", "soft − hard", "value, ‖h‖"};
    for (int i = 0; i < COLUMNS; i++)
        columns[i] = (struct table_column){.head = heads[i],
                                           .shown = true,
                                           .current = i == SOFT,
                                           .bars = i >= SCORE && i <= DIFFERENCE,
                                           .text = cell_text,
                                           .value = cell_value,
                                           .total = total_text};
}

static float draw_answer(struct ui *ui, struct rect at, const char *head,
                         const char *answer, struct color color)
{
    at.y = wrap_draw(ui, FONT_TEXT, 15, ui->style->dim, at, 20, -1, head) + 2;
    return wrap_draw(ui, FONT_MEDIUM, 19, color, at, 26, -1, answer) + 12;
}

// The blend's heaviest terms: "0.774 h₅ + 0.140 h₇ + …".
static void blend_text(const struct specimen *row, char *out, size_t size)
{
    int heaviest[3];
    int count = specimen_heaviest(row, 3, heaviest);
    size_t used = (size_t)snprintf(out, size, "c = ");
    for (int i = 0; i < count && used < size; i++) {
        char term[64];
        step_text(row, SCOPE_BLEND, heaviest[i], term, sizeof term);
        used += (size_t)snprintf(out + used, size - used, "%s%s", i ? " + " : "", term);
    }
    if (used < size && count < row->n)
        snprintf(out + used, size - used, " + …");
}

static void draw_block(struct ui *ui, const struct specimen *row, struct rect at)
{
    char text[256], name[32];
    draw_fill(ui->list, at, 8, ui->style->panel);
    draw_frame(ui->list, at, 8, 1, ui->style->line);
    float bottom = at.y + at.h;
    at = rect_make(at.x + PAD, at.y + 12, at.w - 2 * PAD, 0);
    snprintf(text, sizeof text, "%s", row->words.query);
    at.y = draw_answer(ui, at, "query", text, ui->style->ink);
    blend_text(row, text, sizeof text);
    at.y = draw_answer(ui, at, "soft lookup: every value answers, by its weight", text,
                       ui->style->accent);
    specimen_value_name(row, row->parts.best, name, sizeof name);
    snprintf(text, sizeof text, "c = %s, “%s”", name,
             short_of(row->now->source[row->parts.best].text).text);
    at.y = draw_answer(ui, at, "hard lookup: the best key's value alone", text,
                       ui->style->ink);
    snprintf(text, sizeof text,
             row->edited
                 ? "%.1f %% of the weight would move. These weights are not those of "
                   "the scores (%s): no τ turns them into the hard lookup."
                 : "%.1f %% of the weight would move. τ → 0 turns the soft lookup into "
                   "the hard one, and then no gradient is left to learn from.",
             100 * moved(row), specimen_deed(row));
    if (at.y + 20 * (float)wrap_count(ui, FONT_TEXT, 15, at.w, text) <= bottom)
        wrap_draw(ui, FONT_TEXT, 15, ui->style->dim, at, 20, -1, text);
}

struct scope lookup_draw(struct ui *ui, const struct specimen *row, struct rect at,
                         struct scope scope)
{
    float block = at.w >= 1000 ? at.w * 0.32f : at.w >= 860 ? 280 : 0;
    struct table_column columns[COLUMNS];
    fill_columns(columns);
    struct table table = {columns, COLUMNS, NOWHERE};
    struct rect left = at;
    left.w -= block > 0 ? block + 20 : 0;
    scope.first = table_draw(ui, row, left, &table, scope.first);
    if (block > 0)
        draw_block(ui, row, rect_make(at.x + at.w - block, at.y, block, at.h));
    return scope;
}
