// SPDX-License-Identifier: MIT
// The list of edits, and what they make of a row. See edits.h.
//
// The list is a stack, and so are the arrays that edits bring (a pinned row, tokens,
// text): undoing moves a count, and adding cuts off what was undone.
#include "align/edits.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "align/alignment.h"

struct edit edit_make(enum edit_kind kind, int row, int column, float value)
{
    return (struct edit){.kind = kind, .row = row, .column = column, .value = value};
}

void edits_finish(struct edits *edits)
{
    buf_finish(&edits->arrays);
    memset(edits, 0, sizeof *edits);
}

struct edits *edits_create(const struct edits *from, struct error *err)
{
    struct edits *edits = calloc(1, sizeof *edits);
    if (!edits) {
        fail_nomem(err, "a list of edits");
        return NULL;
    }
    for (int i = 0; i < from->count; i++) {
        struct edit edit = edits_at(from, i);
        if (!edits_add(edits, &edit, err)) {
            edits_destroy(edits);
            return NULL;
        }
    }
    return edits;
}

void edits_destroy(struct edits *edits)
{
    if (!edits)
        return;
    buf_finish(&edits->arrays);
    free(edits);
}

static size_t text_bytes(const struct edit *edit)
{
    return edit->text ? strlen(edit->text) + 1 : 0;
}

struct edit edits_at(const struct edits *edits, int i)
{
    struct edit edit = edits->list[i];
    const char *at = edits->arrays.data + edits->from[i];
    if (edit.n_alpha) {
        edit.alpha = (const float *)(const void *)at;
        at += (size_t)edit.n_alpha * sizeof *edit.alpha;
    }
    if (edit.n_tokens) {
        edit.tokens = (const int *)(const void *)at;
        at += (size_t)edit.n_tokens * sizeof *edit.tokens;
    }
    if (edit.text)
        edit.text = at;
    return edit;
}

static bool keep_arrays(struct buf *arrays, const struct edit *edit)
{
    static const char zeros[sizeof(int)] = "";
    if (edit->n_alpha)
        buf_append(arrays, (const char *)edit->alpha,
                   (size_t)edit->n_alpha * sizeof *edit->alpha);
    if (edit->n_tokens)
        buf_append(arrays, (const char *)edit->tokens,
                   (size_t)edit->n_tokens * sizeof *edit->tokens);
    if (edit->text)
        buf_append(arrays, edit->text, text_bytes(edit));
    size_t over = arrays->length % sizeof zeros; // the next one is aligned again
    return buf_append(arrays, zeros, over ? sizeof zeros - over : 0);
}

static bool put(struct edits *edits, int at, const struct edit *edit, struct error *err)
{
    if (at >= EDITS_MAX)
        return fail_with(err, ERR_LIMIT,
                         "there are %d edits already, the limit: undo some", EDITS_MAX);
    struct buf *arrays = &edits->arrays;
    if (!arrays->max_bytes)
        buf_init(arrays, EDITS_MAX_BYTES);
    arrays->length = edits->from[at];
    edits->total = edits->count = at;
    edits->changes++;
    if (!keep_arrays(arrays, edit)) {
        arrays->failed = false;
        return fail_nomem(err, "an edit");
    }
    edits->list[at] = *edit;
    edits->from[at + 1] = arrays->length;
    edits->total = edits->count = at + 1;
    return true;
}

bool edits_add(struct edits *edits, const struct edit *edit, struct error *err)
{
    return put(edits, edits->count, edit, err);
}

bool edits_replace(struct edits *edits, const struct edit *edit, struct error *err)
{
    return put(edits, edits->count ? edits->count - 1 : 0, edit, err);
}

bool edits_undo(struct edits *edits)
{
    if (!edits->count)
        return false;
    edits->count--;
    edits->changes++;
    return true;
}

bool edits_redo(struct edits *edits)
{
    if (edits->count == edits->total)
        return false;
    edits->count++;
    edits->changes++;
    return true;
}

void edits_clear(struct edits *edits)
{
    edits->changes += edits->count > 0;
    edits->count = 0;
}

void edits_forget(struct edits *edits)
{
    unsigned changes = edits->changes + (edits->count > 0);
    edits_finish(edits);
    edits->changes = changes;
}

// The last edit in force of a kind that concerns a place; EDIT_ALL in the list concerns
// every place. -1: none.
static int last_of(const struct edits *edits, enum edit_kind kind, int row, int column)
{
    for (int i = edits->count - 1; i >= 0; i--) {
        const struct edit *e = &edits->list[i];
        if (e->kind == kind && (e->row == row || e->row == EDIT_ALL) &&
            (e->column == column || e->column == EDIT_ALL))
            return i;
    }
    return -1;
}

float edits_factor(const struct edits *edits, int s)
{
    int at = last_of(edits, EDIT_COLUMN, EDIT_ALL, s);
    return at < 0 ? 1 : edits->list[at].value;
}

bool edits_hard(const struct edits *edits, int t)
{
    int at = last_of(edits, EDIT_HARD, t, EDIT_ALL);
    return at >= 0 && edits->list[at].value > 0;
}

// The pin in force of a row; -1: none.
static int pin_of(const struct edits *edits, int t)
{
    int pin = last_of(edits, EDIT_PIN, t, EDIT_ALL);
    return pin > last_of(edits, EDIT_UNPIN, t, EDIT_ALL) ? pin : -1;
}

bool edits_pinned(const struct edits *edits, int t)
{
    return pin_of(edits, t) >= 0;
}

static double sum_of(const float *alpha, int n)
{
    double sum = 0;
    for (int s = 0; s < n; s++)
        sum += (double)alpha[s];
    return sum;
}

// `mass` evenly over the columns that are not muted, but for one; over all but that one
// when all are. False: there is no other column.
static bool spread(const struct edits *edits, double mass, int but, float *alpha, int n)
{
    int open = 0;
    for (int s = 0; s < n; s++)
        open += s != but && edits_factor(edits, s) > 0;
    bool all = open == 0;
    int among = all ? n - (but >= 0) : open;
    for (int s = 0; s < n; s++)
        if (s != but)
            alpha[s] = all || edits_factor(edits, s) > 0 ? (float)(mass / among) : 0;
    return among > 0;
}

// True: spread evenly.
static bool apply_columns(const struct edits *edits, float *alpha, int n)
{
    bool any = false;
    for (int i = 0; i < edits->count; i++)
        any = any || edits->list[i].kind == EDIT_COLUMN;
    if (!any)
        return false;
    bool touched = false;
    double sum = 0;
    float kept[ALIGNMENT_MAX_SRC];
    for (int s = 0; s < n; s++) {
        float factor = edits_factor(edits, s);
        touched = touched || factor < 1 || factor > 1;
        kept[s] = alpha[s] * factor;
        sum += (double)kept[s];
    }
    if (touched && sum < (double)FLT_MIN)
        return spread(edits, 1, EDIT_ALL, alpha, n);
    for (int s = 0; touched && s < n; s++)
        alpha[s] = (float)((double)kept[s] / sum);
    return false;
}

static void apply_hard(float *alpha, int n)
{
    int best = 0;
    for (int s = 1; s < n; s++)
        best = alpha[s] > alpha[best] ? s : best;
    memset(alpha, 0, (size_t)n * sizeof *alpha);
    alpha[best] = 1;
}

static bool apply_cell(const struct edits *edits, const struct edit *cell, float *alpha,
                       int n)
{
    int at = cell->column;
    double left = 1 - (double)cell->value, others = sum_of(alpha, n) - (double)alpha[at];
    bool gone = !(others > (double)FLT_MIN) && left > 0;
    if (gone) {
        gone = spread(edits, left, at, alpha, n);
        alpha[at] = gone ? cell->value : 1;
        return gone;
    }
    for (int s = 0; s < n; s++)
        alpha[s] = left > 0 ? (float)((double)alpha[s] * (left / others)) : 0;
    alpha[at] = cell->value;
    return false;
}

static bool is_finite(const float *alpha, int n)
{
    bool finite = true;
    for (int s = 0; s < n; s++)
        finite = finite && isfinite(alpha[s]);
    return finite;
}

bool edits_apply(const struct edits *edits, int t, float *alpha, int n)
{
    if (n < 1 || n > ALIGNMENT_MAX_SRC || !is_finite(alpha, n))
        return false;
    int pin = pin_of(edits, t);
    bool gone = false;
    if (pin >= 0 && edits->list[pin].n_alpha == n) {
        memcpy(alpha, edits_at(edits, pin).alpha, (size_t)n * sizeof *alpha);
    } else {
        pin = -1;
        gone = apply_columns(edits, alpha, n);
        if (edits_hard(edits, t))
            apply_hard(alpha, n);
    }
    for (int i = pin + 1; i < edits->count; i++) {
        const struct edit *e = &edits->list[i];
        if (e->kind == EDIT_CELL && e->row == t && e->column < n)
            gone = apply_cell(edits, e, alpha, n) || gone;
    }
    return gone;
}

static int count_of(const struct edits *edits)
{
    return edits ? edits->count : 0;
}

static bool same_floats(const float *a, const float *b, int n)
{
    return n == 0 || !memcmp(a, b, (size_t)n * sizeof *a);
}

static bool same_tokens(const int *a, const int *b, int n)
{
    return n == 0 || !memcmp(a, b, (size_t)n * sizeof *a);
}

static bool same_edit(const struct edit *a, const struct edit *b)
{
    return a->kind == b->kind && a->row == b->row && a->column == b->column &&
           same_floats(&a->value, &b->value, 1) && a->seed == b->seed &&
           a->n_alpha == b->n_alpha && same_floats(a->alpha, b->alpha, a->n_alpha) &&
           a->n_tokens == b->n_tokens && same_tokens(a->tokens, b->tokens, a->n_tokens);
}

// The first row that an edit concerns; words are compared by themselves.
static int first_row_of(const struct edit *edit)
{
    if (edit->kind == EDIT_WORD || edit->kind == EDIT_PREFIX)
        return EDITS_ALL_ROWS;
    return edit->row < 0 ? 0 : edit->row;
}

static int first_row_from(const struct edits *edits, int from)
{
    int first = EDITS_ALL_ROWS;
    for (int i = from; i < count_of(edits); i++) {
        struct edit edit = edits_at(edits, i);
        int row = first_row_of(&edit);
        first = row < first ? row : first;
    }
    return first;
}

static int token_of(const struct edits *edits, int t)
{
    return edits ? edits_token(edits, t) : -1;
}

// Both begin with the same edits; those that follow in either say where they part.
int edits_same_rows(const struct edits *a, const struct edits *b)
{
    int common = 0, forced_a = a ? edits_forced_rows(a) : 0;
    int forced_b = b ? edits_forced_rows(b) : 0;
    for (; common < count_of(a) && common < count_of(b); common++) {
        struct edit one = edits_at(a, common), other = edits_at(b, common);
        if (!same_edit(&one, &other))
            break;
    }
    int first = first_row_from(a, common), other = first_row_from(b, common);
    first = first < other ? first : other;
    int forced = forced_a > forced_b ? forced_a : forced_b;
    for (int t = 0; t < forced && t < first; t++)
        if (token_of(a, t) != token_of(b, t))
            first = t;
    return first;
}

static int last_prefix(const struct edits *edits)
{
    return last_of(edits, EDIT_PREFIX, EDIT_ALL, EDIT_ALL);
}

int edits_token(const struct edits *edits, int t)
{
    int prefix = last_prefix(edits);
    for (int i = edits->count - 1; i >= 0; i--) {
        const struct edit *e = &edits->list[i];
        int first = e->kind == EDIT_PREFIX ? 0 : e->row;
        if ((e->kind == EDIT_WORD || i == prefix) && t >= first &&
            t - first < e->n_tokens)
            return edits_at(edits, i).tokens[t - first];
    }
    return -1;
}

int edits_forced_rows(const struct edits *edits)
{
    int rows = 0, prefix = last_prefix(edits);
    for (int i = 0; i < edits->count; i++) {
        const struct edit *e = &edits->list[i];
        int first = e->kind == EDIT_PREFIX ? 0 : e->row;
        if ((e->kind == EDIT_WORD || i == prefix) && first + e->n_tokens > rows)
            rows = first + e->n_tokens;
    }
    return rows;
}

// The shuffle that was asked for last, of either kind; -1: none.
static int last_shuffle(const struct edits *edits)
{
    int memory = last_of(edits, EDIT_SHUFFLE, EDIT_ALL, EDIT_ALL);
    int words = last_of(edits, EDIT_SHUFFLE_WORDS, EDIT_ALL, EDIT_ALL);
    int at = memory > words ? memory : words;
    return at >= 0 && edits->list[at].seed ? at : -1;
}

int edits_shuffle(const struct edits *edits)
{
    int at = last_shuffle(edits);
    return at < 0 ? EDIT_ALL : (int)edits->list[at].kind;
}

// splitmix64 (Steele, Lea, Flood 2014): the same order on every machine.
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void edits_order(const struct edits *edits, int n, int *order)
{
    int at = last_shuffle(edits);
    bool same = true;
    for (int i = 0; i < n; i++)
        order[i] = i;
    if (at < 0)
        return;
    uint64_t state = edits->list[at].seed;
    for (int i = n - 1; i > 0; i--) { // Fisher and Yates
        int other = (int)(next_random(&state) % (uint64_t)(i + 1));
        int swap = order[i];
        order[i] = order[other];
        order[other] = swap;
    }
    for (int i = 0; i < n; i++)
        same = same && order[i] == i;
    if (same && n > 1) {
        order[0] = 1;
        order[1] = 0;
    }
}
