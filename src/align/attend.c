// SPDX-License-Identifier: MIT
// Attention over given matrices. See attend.h; what does not fit is said in
// attend_check.c. Plain loops: the largest sheet is 512 × 512.
#include "align/attend.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "align/attend_check.h"

const double attend_exp_limits[3] = {709.782712893384, 88.7228391116729,
                                     11.0898664884264};

struct work {
    const struct attend *input;
    struct attend_result *out;
    struct arena *arena;
    struct error *err;
    struct attend_matrix q, k, v;
};

static double *take(struct work *work, int rows, int columns)
{
    double *made =
        arena_alloc(work->arena, (size_t)rows * (size_t)columns, sizeof(double));
    if (!made)
        fail_nomem(work->err, "attention");
    return made;
}

static const double *row_of(const struct attend_matrix *m, int row)
{
    return m->at + (size_t)row * (size_t)m->columns;
}

// Row i is row order[i], with the positions of row i added.
static bool arrange(struct work *work, struct attend_matrix *m, bool positions)
{
    const struct attend_matrix *order = &work->input->part[ATTEND_ORDER];
    const struct attend_matrix *added = &work->input->part[ATTEND_POSITIONS];
    positions = positions && added->rows;
    if (!order->rows && !positions)
        return true;
    double *made = take(work, m->rows, m->columns);
    if (!made)
        return false;
    for (int i = 0; i < m->rows; i++) {
        const double *from = row_of(m, order->rows ? (int)order->at[i] - 1 : i);
        double *to = made + (size_t)i * (size_t)m->columns;
        for (int j = 0; j < m->columns; j++)
            to[j] = from[j] + (positions ? row_of(added, i)[j] : 0);
    }
    m->at = made;
    return true;
}

static bool take_inputs(struct work *work)
{
    const struct attend_matrix *part = work->input->part;
    bool self = !part[ATTEND_K].rows;
    work->q = part[ATTEND_Q];
    work->k = self ? work->q : part[ATTEND_K];
    if (!arrange(work, &work->k, true))
        return false;
    if (self)
        work->q = work->k;
    work->v = part[ATTEND_V];
    if (!work->v.rows)
        work->v = work->k;
    else if (!arrange(work, &work->v, false))
        return false;
    return true;
}

static bool project(struct work *work, struct attend_matrix *m, enum attend_part part)
{
    const struct attend_matrix *w = &work->input->part[part];
    if (!w->rows)
        return true;
    double *made = take(work, m->rows, w->columns);
    for (int i = 0; made && i < m->rows; i++)
        for (int k = 0; k < m->columns; k++)
            for (int j = 0; j < w->columns; j++)
                made[(size_t)i * (size_t)w->columns + (size_t)j] +=
                    row_of(m, i)[k] * row_of(w, k)[j];
    m->at = made;
    m->columns = w->columns;
    return made != NULL;
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static bool normalise(struct work *work, struct attend_matrix *m)
{
    if (!work->input->normalise)
        return true;
    double *made = take(work, m->rows, m->columns);
    for (int i = 0; made && i < m->rows; i++) {
        const double *from = row_of(m, i);
        double length = sqrt(dot(from, from, m->columns));
        for (int j = 0; j < m->columns; j++)
            made[(size_t)i * (size_t)m->columns + (size_t)j] =
                length > 0 ? from[j] / length : 0;
    }
    m->at = made;
    return made != NULL;
}

// Element h of W x; without W, of x.
static double applied(const struct attend_matrix *w, const double *x, int h)
{
    return w->rows ? dot(row_of(w, h), x, w->columns) : x[h];
}

static double additive(const struct work *work, const double *q, const double *k)
{
    const struct attend_matrix *w_q = &work->input->part[ATTEND_SCORE_Q];
    const struct attend_matrix *w_k = &work->input->part[ATTEND_SCORE_K];
    const struct attend_matrix *v = &work->input->part[ATTEND_SCORE_V];
    int width = w_q->rows ? w_q->rows : work->q.columns;
    double sum = 0;
    for (int h = 0; h < width; h++)
        sum += (v->rows ? v->at[h] : 1) * tanh(applied(w_q, q, h) + applied(w_k, k, h));
    return sum;
}

static double score_of(const struct work *work, int query, int key)
{
    const double *q = row_of(&work->q, query), *k = row_of(&work->k, key);
    int d = work->q.columns;
    if (work->input->score == ATTEND_ADDITIVE)
        return additive(work, q, k);
    double e = dot(q, k, d);
    if (work->input->score == ATTEND_SCALED_DOT)
        return e / sqrt(d);
    if (work->input->score != ATTEND_COSINE)
        return e;
    double lengths = sqrt(dot(q, q, d)) * sqrt(dot(k, k, d));
    return lengths > 0 ? e / lengths : 0;
}

static bool is_masked(const struct attend *input, int query, int key)
{
    if (input->mask == ATTEND_CAUSAL)
        return key > query;
    return input->mask == ATTEND_ALLOWED &&
           !(row_of(&input->part[ATTEND_MASK], query)[key] > 0);
}

static bool score_all(struct work *work)
{
    struct attend_result *out = work->out;
    size_t n = (size_t)out->keys;
    double *score = take(work, out->queries, out->keys);
    bool *masked = arena_alloc(work->arena, (size_t)out->queries * n, sizeof *masked);
    int *readable = arena_alloc(work->arena, (size_t)out->queries, sizeof *readable);
    if (!score || !masked || !readable)
        return fail_nomem(work->err, "attention");
    for (int t = 0; t < out->queries; t++)
        for (int s = 0; s < out->keys; s++) {
            size_t at = (size_t)t * n + (size_t)s;
            score[at] = score_of(work, t, s);
            masked[at] = is_masked(work->input, t, s);
            readable[t] += !masked[at];
            if (!isfinite(score[at]))
                return fail_with(work->err, ERR_LIMIT,
                                 "the score of query %d and key %d is too large for a "
                                 "double",
                                 t + 1, s + 1);
        }
    out->score = score;
    out->masked = masked;
    out->readable = readable;
    return true;
}

// ‖diag(α) - α αᵀ‖² = Σᵢ αᵢ² ((1 - αᵢ)² + Σⱼ≠ᵢ αⱼ²). What is left beside αᵢ is summed
// from both ends and not subtracted: near one key alone nothing would be left of it.
static double jacobian_norm(const double *alpha, int n)
{
    double after[ATTEND_MAX + 1], after_squares[ATTEND_MAX + 1];
    double before = 0, before_squares = 0, sum = 0;
    after[n] = after_squares[n] = 0;
    for (int s = n - 1; s >= 0; s--) {
        after[s] = after[s + 1] + alpha[s];
        after_squares[s] = after_squares[s + 1] + alpha[s] * alpha[s];
    }
    for (int s = 0; s < n; s++) {
        double rest = before + after[s + 1];
        sum +=
            alpha[s] * alpha[s] * (rest * rest + before_squares + after_squares[s + 1]);
        before += alpha[s];
        before_squares += alpha[s] * alpha[s];
    }
    return sqrt(sum);
}

static struct attend_softmax describe(const double *alpha, int n)
{
    struct attend_softmax softmax = {0, jacobian_norm(alpha, n)};
    for (int s = 0; s < n; s++)
        softmax.entropy_bits -= alpha[s] > 0 ? alpha[s] * log2(alpha[s]) : 0;
    softmax.entropy_bits = fmax(softmax.entropy_bits, 0);
    return softmax;
}

// What one score weighs beside the largest, before the division.
static double power(double e, double most, double tau)
{
    if (isinf(e))
        return 0; // masked
    if (isinf(tau))
        return 1;
    return tau > 0 ? exp((e - most) / tau) : 0;
}

struct attend_softmax attend_softmax(const double *e, int n, double tau, double *alpha)
{
    int best = -1;
    double sum = 0;
    for (int s = 0; s < n; s++)
        if (!isinf(e[s]) && (best < 0 || e[s] > e[best]))
            best = s;
    for (int s = 0; s < n; s++) {
        alpha[s] = best < 0 ? 0 : power(e[s], e[best], tau);
        if (s == best)
            alpha[s] = 1;
        sum += alpha[s];
    }
    for (int s = 0; s < n && best >= 0; s++)
        alpha[s] /= sum;
    return describe(alpha, n);
}

static bool weigh_all(struct work *work)
{
    struct attend_result *out = work->out;
    size_t n = (size_t)out->keys;
    double tau = work->input->tau;
    double *alpha = take(work, out->queries, out->keys);
    double *entropy = take(work, out->queries, 1), *slope = take(work, out->queries, 1);
    double e[ATTEND_MAX];
    if (!alpha || !entropy || !slope)
        return false;
    for (int t = 0; t < out->queries; t++) {
        for (size_t s = 0; s < n; s++)
            e[s] = out->masked[(size_t)t * n + s] ? -(double)INFINITY
                                                  : out->score[(size_t)t * n + s];
        struct attend_softmax softmax =
            attend_softmax(e, out->keys, tau, alpha + (size_t)t * n);
        entropy[t] = softmax.entropy_bits;
        slope[t] = tau > 0 && !isinf(tau) ? softmax.norm / tau : 0;
    }
    out->alpha = alpha;
    out->entropy = entropy;
    out->slope = slope;
    return true;
}

static bool blend_all(struct work *work)
{
    struct attend_result *out = work->out;
    size_t n = (size_t)out->keys, width = (size_t)out->columns;
    double *made = take(work, out->queries, out->columns);
    if (!made)
        return false;
    for (size_t t = 0; t < (size_t)out->queries; t++)
        for (size_t s = 0; s < n; s++)
            for (size_t j = 0; j < width && !out->masked[t * n + s]; j++)
                made[t * width + j] += out->alpha[t * n + s] * out->v[s * width + j];
    for (size_t i = 0; i < (size_t)out->queries * width; i++)
        if (!isfinite(made[i]))
            return fail_with(work->err, ERR_LIMIT,
                             "row %zu of the output is too large for a double",
                             i / width + 1);
    out->output = made;
    return true;
}

bool attend_compute(struct attend_result *out, const struct attend *input,
                    struct arena *arena, struct error *err)
{
    struct work work = {.input = input, .out = out, .arena = arena, .err = err};
    *out = (struct attend_result){0};
    if (!attend_check(input, err) || !take_inputs(&work) ||
        !project(&work, &work.q, ATTEND_W_Q) || !project(&work, &work.k, ATTEND_W_K) ||
        !project(&work, &work.v, ATTEND_W_V) || !normalise(&work, &work.q) ||
        !normalise(&work, &work.k) ||
        !attend_check_width(input, work.q.columns, work.k.columns, err))
        return false;
    out->queries = work.q.rows;
    out->keys = work.k.rows;
    out->width = work.q.columns;
    out->columns = work.v.columns;
    out->q = work.q.at;
    out->k = work.k.at;
    out->v = work.v.at;
    return score_all(&work) && weigh_all(&work) && blend_all(&work);
}

bool attend_naive(const struct attend_result *result, int query, double tau,
                  double *alpha)
{
    size_t n = (size_t)result->keys, from = (size_t)query * n;
    double sum = 0;
    for (size_t s = 0; s < n; s++) {
        alpha[s] = result->masked[from + s] ? 0 : exp(result->score[from + s] / tau);
        sum += alpha[s];
    }
    for (size_t s = 0; s < n && result->readable[query]; s++)
        alpha[s] /= sum;
    return isfinite(sum);
}
