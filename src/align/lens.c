// SPDX-License-Identifier: MIT
// Making a lens. See lens.h.
//
// One path for all options: each axis gets a map from token to word (a word may be one
// token), the weights go through merge_alpha, then the cut and the turn are made on the
// result. A row whose whole weight lay on hidden tokens has nothing left to scale: it
// stays 0, and is left out of the average of its word.
#include "align/lens.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "align/merge.h"

enum { SCRATCH_BYTES = 256 << 20 };

struct making {
    const struct alignment *of;
    const float *alpha; // (rows, n_src)
    int rows;
    enum ended ended; // when the making began
    struct lens_options options;
    struct arena scratch;
    struct lens_axis target, source;
    float *scaled; // (rows, n_src) without what is hidden
    float *merged; // (target.n, source.n)
    bool *keep;    // (source.n) of the row that is being cut
};

bool lens_is_clear(const struct lens_options *options)
{
    return options->merge == LENS_PIECES && !options->hide_special && options->top <= 0 &&
           !options->transpose;
}

bool lens_keeps_sums(const struct lens_options *options)
{
    return options->merge != LENS_MAX && options->top <= 0;
}

bool lens_same(const struct lens_options *a, const struct lens_options *b)
{
    return a->merge == b->merge && a->hide_special == b->hide_special &&
           a->top == b->top && a->transpose == b->transpose;
}

static bool all_special(const struct label *labels, int n)
{
    for (int i = 0; i < n; i++)
        if (!labels[i].special)
            return false;
    return true;
}

// Words are numbered anew without those that are hidden.
static bool take_axis(struct making *m, struct lens_axis *axis,
                      const struct label *labels, int n)
{
    size_t count = (size_t)n;
    axis->word = arena_alloc(&m->scratch, count, sizeof *axis->word);
    axis->words = arena_alloc(&m->scratch, count, sizeof *axis->words);
    if (!axis->word || !axis->words)
        return false;
    merge_joined(labels, n, axis->word);
    bool hide = m->options.hide_special && !all_special(labels, n);
    int before = -1;
    for (int i = 0; i < n; i++) {
        bool begins = m->options.merge == LENS_PIECES || axis->word[i] != before;
        before = axis->word[i];
        if (hide && labels[i].special) {
            axis->word[i] = -1;
            continue;
        }
        if (begins)
            axis->words[axis->n++] = (struct lens_span){i, i};
        axis->word[i] = axis->n - 1;
        axis->words[axis->n - 1].last = i;
    }
    return true;
}

static bool scale_row(float *row, int n)
{
    double sum = 0;
    for (int s = 0; s < n; s++)
        sum += (double)row[s];
    for (int s = 0; s < n && sum > 0; s++)
        row[s] = (float)((double)row[s] / sum);
    return sum > 0;
}

static bool hides(const struct lens_axis *axis, int tokens)
{
    for (int i = 0; i < tokens; i++)
        if (axis->word[i] < 0)
            return true;
    return false;
}

static bool take_weights(struct making *m)
{
    int n = m->of->n_src, rows = m->rows;
    const float *alpha = m->alpha;
    bool scale = hides(&m->source, n);
    if (scale) {
        size_t cells = (size_t)rows * (size_t)n;
        m->scaled = arena_alloc(&m->scratch, cells, sizeof *m->scaled);
        if (!m->scaled)
            return false;
        memcpy(m->scaled, alpha, cells * sizeof *alpha);
        alpha = m->scaled;
    }
    for (int t = 0; t < rows && scale; t++) {
        float *row = m->scaled + (size_t)t * (size_t)n;
        for (int s = 0; s < n; s++)
            row[s] = m->source.word[s] < 0 ? 0 : row[s];
        scale_row(row, n);
    }
    size_t cells = (size_t)m->target.n * (size_t)m->source.n;
    m->merged = arena_alloc(&m->scratch, cells, sizeof *m->merged);
    if (!m->merged)
        return false;
    (m->options.merge == LENS_MAX ? merge_largest : merge_alpha)(
        alpha, rows, n, m->target.word, m->source.word, m->merged, m->target.n,
        m->source.n);
    for (int t = 0; t < m->target.n && scale && m->options.merge == LENS_SUM; t++)
        scale_row(m->merged + (size_t)t * (size_t)m->source.n, m->source.n);
    return true;
}

// Keeps the `top` largest of a row, of equals the first.
static void cut_row(struct making *m, float *row)
{
    int n = m->source.n;
    memset(m->keep, 0, (size_t)n * sizeof *m->keep);
    for (int kept = 0; kept < m->options.top; kept++) {
        int best = -1;
        for (int s = 0; s < n; s++)
            if (!m->keep[s] && (best < 0 || row[s] > row[best]))
                best = s;
        m->keep[best] = true;
    }
    for (int s = 0; s < n; s++)
        row[s] = m->keep[s] ? row[s] : 0;
}

static bool cut_rows(struct making *m)
{
    if (m->options.top <= 0 || m->options.top >= m->source.n)
        return true;
    m->keep = arena_alloc(&m->scratch, (size_t)m->source.n, sizeof *m->keep);
    for (int t = 0; m->keep && t < m->target.n; t++)
        cut_row(m, m->merged + (size_t)t * (size_t)m->source.n);
    return m->keep != NULL;
}

// The pieces' texts, one after the other; on the source side what was typed.
static const char *word_text(struct arena *arena, const struct alignment *of,
                             const struct label *labels, struct lens_span span)
{
    const struct label *first = &labels[span.first], *last = &labels[span.last];
    int begin = first->typed_begin, end = last->typed_end;
    if (labels == of->source && end > begin && (size_t)end <= strlen(of->text))
        return arena_copy(arena, of->text + begin, (size_t)(end - begin));
    size_t length = 0, at = 0;
    for (int i = span.first; i <= span.last; i++)
        length += labels[i].text ? strlen(labels[i].text) : 0;
    char *text = arena_alloc(arena, length + 1, 1);
    for (int i = span.first; text && i <= span.last; i++) {
        size_t more = labels[i].text ? strlen(labels[i].text) : 0;
        memcpy(text + at, more ? labels[i].text : "", more);
        at += more;
    }
    return text;
}

static bool copy_labels(struct making *m, struct alignment *shown, struct label *out,
                        const struct lens_axis *axis, const struct label *labels)
{
    for (int w = 0; w < axis->n; w++) {
        struct lens_span span = axis->words[w];
        const struct label *first = &labels[span.first], *last = &labels[span.last];
        struct label label = *first;
        label.end = last->end;
        label.typed_end = last->typed_end;
        label.joined = label.joined && m->options.merge == LENS_PIECES;
        for (int i = span.first; i <= span.last; i++) {
            label.unknown = label.unknown || labels[i].unknown;
            label.punctuation = label.punctuation && labels[i].punctuation;
        }
        const char *text = first->text ? first->text : "";
        label.text = span.first == span.last
                         ? arena_copy(&shown->arena, text, strlen(text))
                         : word_text(&shown->arena, m->of, labels, span);
        label.piece = label.text;
        if (!label.text)
            return false;
        out[w] = label;
    }
    return true;
}

static float score_of(const struct making *m, int t, int s)
{
    struct lens_span row = m->target.words[t], column = m->source.words[s];
    if (row.first != row.last || column.first != column.last)
        return NAN;
    return m->of->score[(size_t)row.first * (size_t)m->of->n_src + (size_t)column.first];
}

// A word may not be read when none of its pieces may.
static bool is_blocked(const struct making *m, int t, int s)
{
    struct lens_span row = m->target.words[t], column = m->source.words[s];
    for (int i = row.first; i <= row.last; i++)
        for (int k = column.first; k <= column.last; k++)
            if (!m->of->blocked[(size_t)i * (size_t)m->of->n_src + (size_t)k])
                return false;
    return true;
}

// What the mask takes out is masked however it is looked at.
static bool block(const struct making *m, struct alignment *shown)
{
    size_t cells = (size_t)m->target.n * (size_t)m->source.n;
    if (!m->of->blocked || !cells)
        return true;
    bool *blocked = arena_alloc(&shown->arena, cells, sizeof *blocked);
    if (!blocked)
        return false;
    for (int t = 0; t < m->target.n; t++)
        for (int s = 0; s < m->source.n; s++) {
            int row = m->options.transpose ? s : t, column = m->options.transpose ? t : s;
            blocked[(size_t)row * (size_t)shown->n_src + (size_t)column] =
                is_blocked(m, t, s);
        }
    shown->blocked = blocked;
    return true;
}

static void fill(const struct making *m, struct alignment *shown)
{
    bool turned = m->options.transpose;
    for (int t = 0; t < m->target.n; t++) {
        for (int s = 0; s < m->source.n; s++) {
            int row = turned ? s : t, column = turned ? t : s;
            size_t at = (size_t)row * (size_t)shown->n_src + (size_t)column;
            shown->alpha[at] = m->merged[(size_t)t * (size_t)m->source.n + (size_t)s];
            shown->score[at] = score_of(m, t, s);
        }
        if (turned)
            continue;
        shown->p[t] = 1;
        for (int i = m->target.words[t].first; i <= m->target.words[t].last; i++)
            shown->p[t] *= m->of->p[i];
    }
    for (int s = 0; s < m->source.n && turned; s++)
        shown->p[s] = NAN;
}

static bool keep_axis(struct arena *arena, struct lens_axis *out,
                      const struct lens_axis *axis, int tokens)
{
    out->n = axis->n;
    out->word = arena_alloc(arena, (size_t)tokens, sizeof *out->word);
    out->words = arena_alloc(arena, (size_t)axis->n, sizeof *out->words);
    if (!out->word || !out->words)
        return false;
    memcpy(out->word, axis->word, (size_t)tokens * sizeof *out->word);
    memcpy(out->words, axis->words, (size_t)axis->n * sizeof *out->words);
    return true;
}

// The translation is there when the alignment has ended.
static bool copy_words(const struct making *m, struct alignment *shown)
{
    const struct alignment *of = m->of;
    const char *translation = m->ended == ENDED_NOT ? "" : of->translation;
    shown->text = arena_copy(&shown->arena, of->text, strlen(of->text));
    shown->model = arena_copy(&shown->arena, of->model, strlen(of->model));
    shown->translation = arena_copy(&shown->arena, translation, strlen(translation));
    return shown->text && shown->model && shown->translation;
}

static bool build(struct making *m, struct lens *lens, struct error *err)
{
    bool turned = m->options.transpose;
    int columns = turned ? m->target.n : m->source.n;
    int rows = turned ? m->source.n : m->target.n;
    struct alignment *shown =
        alignment_create(columns, rows || !columns ? rows : 1, m->of->has_attention, err);
    if (!shown)
        return false;
    lens->shown = shown;
    struct label *target = turned ? shown->source : shown->target;
    struct label *source = turned ? shown->target : shown->source;
    if (!copy_labels(m, shown, target, &m->target, m->of->target) ||
        !copy_labels(m, shown, source, &m->source, m->of->source) ||
        !keep_axis(&shown->arena, &lens->target, &m->target, m->rows) ||
        !keep_axis(&shown->arena, &lens->source, &m->source, m->of->n_src))
        return fail_nomem(err, "a view of an alignment");
    fill(m, shown);
    if (!copy_words(m, shown) || !block(m, shown))
        return fail_nomem(err, "a view of an alignment");
    shown->tau = m->of->tau;
    shown->dropout = m->of->dropout;
    shown->seed = m->of->seed;
    shown->edited = m->of->edited;
    shown->tokens_cut = m->of->tokens_cut;
    shown->broken_row = m->of->broken_row;
    shown->maps = m->of->maps;
    shown->attention = m->of->attention;
    maps_hold(shown->maps);
    alignment_publish(shown, rows);
    alignment_end(shown, m->ended);
    return true;
}

static bool make(struct making *m, struct lens *lens, struct error *err)
{
    if (!take_axis(m, &m->target, m->of->target, m->rows) ||
        !take_axis(m, &m->source, m->of->source, m->of->n_src) || !take_weights(m) ||
        !cut_rows(m))
        return fail_nomem(err, "a view of an alignment");
    m->options.transpose = m->options.transpose && m->target.n > 0;
    return build(m, lens, err);
}

struct lens *lens_create(const struct alignment *of, const float *alpha, int rows,
                         const struct lens_options *options, struct error *err)
{
    struct lens *lens = calloc(1, sizeof *lens);
    if (!lens) {
        fail_nomem(err, "a view of an alignment");
        return NULL;
    }
    struct making m = {.of = of,
                       .alpha = alpha,
                       .rows = rows,
                       .ended = alignment_ended(of),
                       .options = *options};
    m.options.transpose = m.options.transpose && of->has_attention;
    arena_init(&m.scratch, SCRATCH_BYTES);
    bool ok = make(&m, lens, err);
    arena_finish(&m.scratch);
    if (ok)
        return lens;
    lens_destroy(lens);
    return NULL;
}

void lens_destroy(struct lens *lens)
{
    if (!lens)
        return;
    alignment_destroy(lens->shown);
    free(lens);
}

static void add_words(char *out, size_t size, const char *words)
{
    size_t length = strlen(out);
    snprintf(out + length, size - length, "%s%s", length ? " · " : "", words);
}

void lens_say(const struct lens_options *options, char *out, size_t size)
{
    const char *line = options->transpose ? "column" : "row";
    char text[80];
    snprintf(out, size, "%s", "");
    snprintf(text, sizeof text, "⏎ hidden, %ss scaled to sum 1", line);
    if (options->hide_special)
        add_words(out, size, text);
    if (options->merge == LENS_SUM)
        add_words(out, size, "words: source summed, target averaged, p multiplied");
    if (options->merge == LENS_MAX)
        add_words(out, size, "words: the largest α of their pieces, p multiplied");
    snprintf(text, sizeof text, "the largest %d of each %s", options->top, line);
    if (options->top > 0)
        add_words(out, size, text);
    snprintf(text, sizeof text, "entropy of %ss scaled to sum 1", line);
    if (!lens_keeps_sums(options))
        add_words(out, size, text);
    if (options->transpose)
        add_words(out, size, "transposed");
}

void lens_say_brief(const struct lens_options *options, char *out, size_t size)
{
    char text[40];
    snprintf(out, size, "%s", options->hide_special ? "⏎ hidden" : "");
    if (options->merge != LENS_PIECES)
        add_words(out, size,
                  options->merge == LENS_SUM ? "words: sums" : "words: largest");
    snprintf(text, sizeof text, "largest %d", options->top);
    if (options->top > 0)
        add_words(out, size, text);
    if (options->transpose)
        add_words(out, size, "transposed");
}
