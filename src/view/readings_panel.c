// SPDX-License-Identifier: MIT
// A short table: name, value, and in one line what it means. What rests on a threshold or
// a rule of thumb is tagged; a number that cannot be read is a dash. See
// readings_panel.h.
#include "view/readings_panel.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ui/widgets.h"
#include "view/remarks.h"
#include "view/short.h"
#include "view/wrap.h"

enum { MAX_LINES = 14, PAD = 20, WIDE = 520, LINE = 18 };

struct line {
    char name[SHORT_BYTES + 24], value[48], meaning[160];
    bool heuristic;
};

struct table {
    struct line lines[MAX_LINES];
    int count;
};

static const char dash[] = "–";

// A hyphen before a number is a minus.
static void write_text(char *out, size_t size, const char *format, va_list args)
{
    char plain[160];
    size_t at = 0;
    vsnprintf(plain, sizeof plain, format, args);
    for (const char *c = plain; *c && at + 4 < size; c++) {
        bool minus = *c == '-' && c[1] >= '0' && c[1] <= '9';
        memcpy(out + at, minus ? "−" : c, minus ? 3 : 1);
        at += minus ? 3 : 1;
    }
    out[at] = '\0';
}

// known: a number that is NAN when it cannot be read.
static struct line *add(struct table *table, const char *name, float known,
                        const char *format, ...) PRINTF_LIKE(4, 5);

static struct line *add(struct table *table, const char *name, float known,
                        const char *format, ...)
{
    struct line *line = &table->lines[table->count++];
    va_list args;
    *line = (struct line){.meaning = ""};
    snprintf(line->name, sizeof line->name, "%s", name);
    va_start(args, format);
    if (isfinite(known))
        write_text(line->value, sizeof line->value, format, args);
    else
        snprintf(line->value, sizeof line->value, "%s", dash);
    va_end(args);
    return line;
}

static void mean(struct line *line, bool heuristic, const char *format, ...)
    PRINTF_LIKE(3, 4);

static void mean(struct line *line, bool heuristic, const char *format, ...)
{
    va_list args;
    line->heuristic = heuristic;
    va_start(args, format);
    write_text(line->meaning, sizeof line->meaning, format, args);
    va_end(args);
}

static void add_confidence(struct table *out, const struct matrix_reading *m)
{
    const struct confidence *paper = &m->paper, *tool = &m->tool;
    mean(add(out, "confidence", paper->percent, "%.0f %% / %.0f %%",
             (double)paper->percent, (double)tool->percent),
         false, "Rikters, w = 2 (paper) / 6 (tool)");
    mean(add(out, "coverage penalty", paper->coverage_deviation, "%s / %s",
             signed_text((double)paper->coverage_deviation, 2).text,
             signed_text((double)tool->coverage_deviation, 2).text),
         false, "columns not read once; w = 2 / 6");
    mean(add(out, "absentminded", paper->absentmindedness_out, "%s / %s",
             signed_text((double)paper->absentmindedness_out, 2).text,
             signed_text((double)paper->absentmindedness_in, 2).text),
         false, "out, of rows / in, of columns; 0 is best");
}

static void matrix_table(struct table *out, const struct remarks *r)
{
    const struct matrix_reading *m = r->matrix;
    mean(add(out, "mean entropy", m->entropy_bits, "%.2f bits", (double)m->entropy_bits),
         false, "0: one column a row; all alike: %.2f", log2((double)r->of.n_src));
    add_confidence(out, m);
    mean(add(out, "monotonicity", m->monotonicity, "%.2f", (double)m->monotonicity), true,
         "1: peaks in order, −1: reversed");
    mean(add(out, "diagonal distance", m->diagonal, "%.2f", (double)m->diagonal), true,
         "0: on the diagonal, at most 1");
    mean(add(out, "attention drift", m->drift, "%.2f", (double)m->drift), true,
         "columns beyond what was read, a row");
    mean(add(out, "on ⏎ and the like", m->share_special, "%.0f %%",
             100 * (double)m->share_special),
         false, "share of all α; much is a sink");
    mean(add(out, "on punctuation", m->share_punctuation, "%.0f %%",
             100 * (double)m->share_punctuation),
         false, "the same on marks");
    mean(add(out, "on the last token", m->share_last, "%.0f %%",
             100 * (double)m->share_last),
         false, "the same on the last column before ⏎");
    int listed = r->agreeing + r->disagreeing;
    if (r->list && !r->note)
        mean(add(out, "word list", 0, "%d of %d", r->agreeing, listed), false,
             "words read where the list has them");
}

static int target_of(const struct scene *scene)
{
    return scene->lens.transpose ? scene->selected_s : scene->selected;
}

static const struct label *labels_of(const struct scene *scene, bool target)
{
    bool rows = target != scene->lens.transpose;
    return rows ? scene->now->target : scene->now->source;
}

static void row_table(struct table *out, const struct scene *scene, int t)
{
    const struct remark_row *row = &scene->remarks->rows[t];
    const struct row_reading *read = &row->reading;
    int n = scene->remarks->n_src;
    mean(add(out, "entropy", read->entropy_bits, "%.2f bits", (double)read->entropy_bits),
         false, "%.2f nats; all %d alike: %.2f bits", (double)read->entropy_nats, n,
         log2((double)n));
    if (!isfinite(read->entropy_bits))
        out->lines[0].meaning[0] = '\0';
    mean(add(out, "effective words", read->effective, "%.1f", (double)read->effective),
         false, "2^H: as if so many were read alike");
    const char *peak =
        read->argmax >= 0 ? labels_of(scene, false)[read->argmax].text : dash;
    mean(add(out, "peak", read->peak, "%.2f", (double)read->peak), false,
         "the largest α, on “%s”", short_of(peak).text);
    mean(add(out, "p(y)", row->p, "%.0f %%", 100 * (double)row->p), false,
         "the model's probability of the word");
    mean(add(out, "drift", read->drift, "%.1f", (double)read->drift), true,
         "columns beyond what earlier rows read");
}

// ---- drawing ----

static void draw_tag(struct ui *ui, float x, float y)
{
    float w = ui_text_width(ui, FONT_TEXT, 11, "heuristic", -1) + 10;
    draw_frame(ui->list, rect_make(x, y, w, 16), 8, 1, ui->style->line);
    draw_text(ui->list, FONT_TEXT, 11, x + 5, y + 12, 0, ui->style->dim, "heuristic", -1);
}

struct column { // of the panel
    float x, w;
    bool wide;  // a meaning stands beside its value, else below
    bool stale; // of the sentence before
};

// Where there is room the letters are larger: it is read from far away.
static void draw_line(struct ui *ui, const struct column *column, float y, float step,
                      const struct line *line)
{
    bool large = !column->wide && column->w >= 300 && step >= 40;
    float size = large ? 15 : 14, value = large ? 17 : 15, small = large ? 13 : 12;
    struct color ink = column->stale ? color_fade(ui->style->dim, 0.6f) : ui->style->ink;
    float w = column->wide ? fminf(290, column->w * 0.48f) : column->w;
    struct rect at = rect_make(column->x, y, w, LINE);
    ui_text_fit(ui, FONT_TEXT, size, at, -1, ui->style->ink, line->name);
    ui_text_fit(ui, FONT_BOLD, value, at, 1, ink, line->value);
    if (line->heuristic)
        draw_tag(ui, at.x + ui_text_width(ui, FONT_TEXT, size, line->name, -1) + 8,
                 y + 1);
    struct rect below = rect_make(column->x, y + LINE - 1, column->w, small + 4);
    struct rect beside = rect_make(at.x + w + 20, y, column->w - w - 20, LINE);
    if (column->wide)
        ui_text_fit(ui, FONT_TEXT, 13, beside, -1, ui->style->dim, line->meaning);
    else if (step >= 32)
        ui_text_fit(ui, FONT_TEXT, small, below, -1, ui->style->dim, line->meaning);
}

// Returns the next y.
static float draw_table(struct ui *ui, const struct column *column, float y, float room,
                        const struct table *table)
{
    float step = fmaxf(LINE, fminf(column->wide ? 28 : 42, room / (float)table->count));
    for (int i = 0; i < table->count; i++, y += step)
        draw_line(ui, column, y, step, &table->lines[i]);
    return y;
}

static float draw_words(struct ui *ui, const struct column *column, float y,
                        struct color color, const char *text)
{
    struct rect at = rect_make(column->x, y, column->w, 0);
    return wrap_draw(ui, FONT_TEXT, 13.5f, color, at, 19, -1, text) + 4;
}

static void draw_matrix(struct ui *ui, const struct scene *scene,
                        const struct column *column, float y, float bottom)
{
    const struct remarks *r = scene->remarks;
    struct table table = {.count = 0};
    if (r->why_not) {
        draw_words(ui, column, y, ui->style->dim, r->why_not);
        return;
    }
    if (!r->matrix)
        return; // the first sentence is still coming
    matrix_table(&table, r);
    draw_table(ui, column, y, bottom - y, &table);
}

static float draw_said(struct ui *ui, const struct scene *scene,
                       const struct column *column, float y, int t)
{
    const struct remarks *r = scene->remarks;
    struct buf text;
    buf_init(&text, 2048);
    remarks_say_doubts(r, t, &text);
    if (text.length)
        y = draw_words(ui, column, y, ui->style->warn, buf_text(&text));
    buf_clear(&text);
    remarks_say_row(r, t, &text);
    bool whole = !r->why_not && !r->rows[t].doubts;
    if (text.length)
        y = draw_words(ui, column, y, ui->style->ink, buf_text(&text));
    else if (whole)
        y = draw_words(ui, column, y, ui->style->dim,
                       "Neither collapsed nor diffuse nor drifting.");
    if (r->why_not)
        y = draw_words(ui, column, y, ui->style->dim, r->why_not);
    buf_clear(&text);
    remarks_say_list(r, t, &text);
    if (text.length)
        y = draw_words(ui, column, y, ui->style->ink, buf_text(&text));
    buf_finish(&text);
    return y;
}

// The source word under the pointer, or else the selected one.
static int source_of(const struct scene *scene)
{
    bool turned = scene->lens.transpose;
    int pointed = turned ? scene->hover_t : scene->hover_s;
    struct lens_span chosen = turned ? scene->marked_rows : scene->marked_columns;
    int s = pointed >= 0 ? pointed : chosen.first;
    return s < scene->remarks->n_src ? s : NOWHERE;
}

static void draw_source(struct ui *ui, const struct scene *scene,
                        const struct column *column, float y, float room)
{
    const struct remarks *r = scene->remarks;
    struct table table = {.count = 0};
    int s = source_of(scene);
    if (s < 0) {
        draw_words(ui, column, y, ui->style->dim,
                   "Point at a column or choose one: its coverage stands here.");
        return;
    }
    char name[SHORT_BYTES + 24];
    struct column_reading columns[ALIGNMENT_MAX_SRC];
    readings_columns(&r->of, columns);
    float sum = columns[s].coverage;
    snprintf(name, sizeof name, "column “%s”",
             short_of(labels_of(scene, false)[s].text).text);
    mean(add(&table, name, sum, "%.2f", (double)sum), false, "its coverage, %s from 1%s",
         signed_text((double)columns[s].deviation, 2).text,
         sum < 0.5f   ? ": hardly read"
         : sum > 1.5f ? ": read again"
                      : "");
    draw_table(ui, column, y, room, &table);
}

static void draw_row(struct ui *ui, const struct scene *scene,
                     const struct column *column, float y, float bottom)
{
    const float source = 46, said = 48; // room for what follows
    struct table table = {.count = 0};
    int t = target_of(scene);
    if (t < 0 || t >= scene->remarks->n_tgt) {
        y = draw_words(ui, column, y, ui->style->dim, "Choose a row to read it.") + 8;
    } else {
        char name[128];
        snprintf(name, sizeof name, "“%s”, row %d of %d",
                 short_of(labels_of(scene, true)[t].text).text, t + 1,
                 scene->remarks->n_tgt);
        ui_text_fit(ui, FONT_BOLD, 15, rect_make(column->x, y, column->w, 22), -1,
                    ui->style->accent, name);
        y += 28;
        row_table(&table, scene, t);
        y = draw_table(ui, column, y, bottom - y - source - said, &table);
        y = draw_said(ui, scene, column, y + 4, t) + 8;
    }
    if (y + source <= bottom + 20)
        draw_source(ui, scene, column, y, bottom - y);
}

static enum readings_tab draw_head(struct ui *ui, struct rect at, enum readings_tab tab)
{
    static const char *const tabs[READINGS_TABS] = {"matrix", "row"};
    int chosen = (int)tab;
    ui_text_fit(ui, FONT_BOLD, 16, rect_make(at.x, at.y, at.w - 150, 28), -1,
                ui->style->ink, "Readings");
    widget_choice(ui, "readings tab", rect_make(at.x + at.w - 140, at.y, 140, 28), tabs,
                  READINGS_TABS, &chosen);
    return (enum readings_tab)chosen;
}

enum readings_tab readings_panel_draw(struct ui *ui, const struct scene *scene,
                                      struct rect at, enum readings_tab tab)
{
    draw_fill(ui->list, at, 8, ui->style->panel);
    draw_frame(ui->list, at, 8, 1, ui->style->line);
    struct rect in = rect_make(at.x + PAD, at.y + 12, at.w - 2 * PAD, at.h - 24);
    tab = draw_head(ui, in, tab);
    const struct remarks *r = scene->remarks;
    struct column column = {in.x, in.w, in.w >= WIDE, r && r->stale};
    float y = in.y + 40, bottom = in.y + in.h;
    if (scene->now && scene->now->n_src > 0 && !scene->now->has_attention)
        draw_words(ui, &column, y, ui->style->dim,
                   "This model has no attention: there is nothing to read.");
    else if (r && r->readings && tab == READINGS_MATRIX)
        draw_matrix(ui, scene, &column, y, bottom);
    else if (r && r->readings)
        draw_row(ui, scene, &column, y, bottom);
    return tab;
}
