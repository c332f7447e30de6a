// SPDX-License-Identifier: MIT
// The steps of a recurrent model's training that are not matrix products, each in one pass
// over memory. fused.py compiles this file and says what each function computes; matrices
// are row by row and contiguous, NULL stands for what a network does not have.
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef int64_t count;

// e^x by 2^k times a polynomial, |x| bounded so that nothing overflows. Relative error
// below 2e-7; a loop over it becomes vector code, which libm's expf does not everywhere.
static inline float exp_fast(float x)
{
    x = x < -87.0f ? -87.0f : x > 88.0f ? 88.0f : x;
    float k = nearbyintf(x * 1.44269504f);
    float r = x - k * 0.693359375f + k * 2.12194440e-4f;
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    int32_t bits = ((int32_t)k + 127) << 23;
    float scale;
    memcpy(&scale, &bits, 4);
    return (p * r * r + r + 1.0f) * scale;
}

static inline float sigmoid(float x)
{
    return 1.0f / (1.0f + exp_fast(-x));
}

static inline float tanh_fast(float x)
{
    return 1.0f - 2.0f / (1.0f + exp_fast(2.0f * x));
}

static float dot(const float *a, const float *b, count n)
{
    float sum = 0;
    for (count i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void add_scaled(float *restrict to, const float *restrict from, float by, count n)
{
    for (count i = 0; i < n; i++)
        to[i] += by * from[i];
}

// gates (B, 4W): r, z, n and the new gate's own half of the state, as the backward wants.
void cell(count rows, count width, const float *side, const float *back,
    const float *state, float *gates, float *next)
{
    for (count b = 0; b < rows; b++) {
        const float *s = side + b * 3 * width, *h = back + b * 3 * width;
        const float *old = state + b * width;
        float *restrict g = gates + b * 4 * width, *restrict out = next + b * width;
#pragma GCC ivdep
        for (count i = 0; i < width; i++) {
            float reset = sigmoid(s[i] + h[i]);
            float update = sigmoid(s[width + i] + h[width + i]);
            float own = h[2 * width + i];
            float new = tanh_fast(s[2 * width + i] + reset * own);
            g[i] = reset;
            g[width + i] = update;
            g[2 * width + i] = new;
            g[3 * width + i] = own;
            out[i] = new + update * (old[i] - new);
        }
    }
}

void cell_back(count rows, count width, const float *slope, const float *gates,
    const float *state, float *d_side, float *d_back, float *d_state)
{
    for (count b = 0; b < rows; b++) {
        const float *g = gates + b * 4 * width, *old = state + b * width;
        const float *up = slope + b * width;
        float *restrict s = d_side + b * 3 * width, *restrict h = d_back + b * 3 * width;
        float *restrict to = d_state + b * width;
#pragma GCC ivdep
        for (count i = 0; i < width; i++) {
            float reset = g[i], update = g[width + i], new = g[2 * width + i];
            float straight = up[i] * update;
            float d_new = (up[i] - straight) * (1 - new * new);
            float d_update = (old[i] - new) * straight * (1 - update);
            float d_reset = d_new * reset * g[3 * width + i] * (1 - reset);
            s[i] = h[i] = d_reset;
            s[width + i] = h[width + i] = d_update;
            s[2 * width + i] = d_new;
            h[2 * width + i] = d_new * reset;
            to[i] = straight;
        }
    }
}

static float additive(const float *q, const float *k, const float *v, float covered,
    const float *w, count width)
{
    float sum = 0;
    if (w == NULL)
        for (count a = 0; a < width; a++)
            sum += v[a] * tanh_fast(q[a] + k[a]);
    else
        for (count a = 0; a < width; a++)
            sum += v[a] * tanh_fast(q[a] + k[a] + covered * w[a]);
    return sum;
}

static void softmax(float *e, count n)
{
    float most = e[0], sum = 0;
    for (count i = 1; i < n; i++)
        most = e[i] > most ? e[i] : most;
    for (count i = 0; i < n; i++)
        sum += e[i] = exp_fast(e[i] - most);
    for (count i = 0; i < n; i++)
        e[i] /= sum;
}

// v NULL: the score is the product of query and key.
void attend(count rows, count positions, count width, count memory_width,
    const float *query, const float *keys, const float *memory, const count *lengths,
    const float *v, const float *covered, const float *w, float *alpha, float *context)
{
    for (count b = 0; b < rows; b++) {
        const float *q = query + b * width, *k = keys + b * positions * width;
        const float *h = memory + b * positions * memory_width;
        float *e = alpha + b * positions, *c = context + b * memory_width;
        count n = lengths[b];
        for (count i = 0; i < n; i++)
            e[i] = v == NULL ? dot(q, k + i * width, width)
                : additive(q, k + i * width, v, w ? covered[b * positions + i] : 0, w, width);
        softmax(e, n);
        memset(e + n, 0, (size_t)(positions - n) * sizeof *e);
        memset(c, 0, (size_t)memory_width * sizeof *c);
        for (count i = 0; i < n; i++)
            add_scaled(c, h + i * memory_width, e[i], memory_width);
    }
}

// Adds to dq, dk, dv (and dw); returns the slope of what is covered.
static float additive_back(float de, const float *q, const float *k, const float *v,
    float covered, const float *w, float *restrict dq, float *restrict dk,
    float *restrict dv, float *restrict dw, count width)
{
    float d_covered = 0;
    if (w == NULL) {
        for (count a = 0; a < width; a++) {
            float t = tanh_fast(q[a] + k[a]), inner = de * v[a] * (1 - t * t);
            dq[a] += inner;
            dk[a] += inner;
            dv[a] += de * t;
        }
        return 0;
    }
    for (count a = 0; a < width; a++) {
        float t = tanh_fast(q[a] + k[a] + covered * w[a]);
        float inner = de * v[a] * (1 - t * t);
        dq[a] += inner;
        dk[a] += inner;
        dv[a] += de * t;
        dw[a] += inner * covered;
        d_covered += inner * w[a];
    }
    return d_covered;
}

// d_keys, d_memory, dv and dw are added to.
void attend_back(count rows, count positions, count width, count memory_width,
    const float *query, const float *keys, const float *memory, const count *lengths,
    const float *v, const float *covered, const float *w, const float *alpha,
    const float *d_context, const float *d_alpha, float *scratch, float *d_query,
    float *d_keys, float *d_memory, float *dv, float *dw, float *d_covered)
{
    memset(d_query, 0, (size_t)(rows * width) * sizeof *d_query);
    for (count b = 0; b < rows; b++) {
        const float *q = query + b * width, *k = keys + b * positions * width;
        const float *h = memory + b * positions * memory_width, *a = alpha + b * positions;
        const float *dc = d_context + b * memory_width;
        float *dq = d_query + b * width, *dk = d_keys + b * positions * width;
        float *dh = d_memory + b * positions * memory_width;
        float mean = 0;
        for (count i = 0; i < lengths[b]; i++) {
            scratch[i] = dot(dc, h + i * memory_width, memory_width) +
                d_alpha[b * positions + i];
            mean += a[i] * scratch[i];
            add_scaled(dh + i * memory_width, dc, a[i], memory_width);
        }
        for (count i = 0; i < lengths[b]; i++) {
            float de = a[i] * (scratch[i] - mean);
            if (v == NULL) {
                add_scaled(dq, k + i * width, de, width);
                add_scaled(dk + i * width, q, de, width);
                continue;
            }
            float back = additive_back(de, q, k + i * width, v,
                w ? covered[b * positions + i] : 0, w, dq, dk + i * width, dv, dw, width);
            if (w != NULL)
                d_covered[b * positions + i] = back;
        }
    }
}

// Turns logits (N, V) into the slope of the smoothed cross entropy, times N; returns the
// sum of the losses. share (V): what smoothing gives to each token.
double softmax_slope(count rows, count size, float *logits, const float *share,
    const count *wanted, float smoothing)
{
    double total = 0;
    for (count r = 0; r < rows; r++) {
        float *restrict x = logits + r * size;
        float most = x[0], sum = 0, spread = 0, hit = x[wanted[r]];
        for (count i = 1; i < size; i++)
            most = x[i] > most ? x[i] : most;
        for (count i = 0; i < size; i++) {
            spread += share[i] * x[i];
            sum += x[i] = exp_fast(x[i] - most);
        }
        for (count i = 0; i < size; i++)
            x[i] = x[i] / sum - share[i];
        x[wanted[r]] -= 1 - smoothing;
        total += logf(sum) + most - (1 - smoothing) * hit - spread;
    }
    return total;
}

static inline uint64_t mixed(uint64_t x)
{
    x ^= x >> 31;
    x *= 0x7FB5D329728EA185u;
    x ^= x >> 27;
    x *= 0x81DADEF4BC2DD44Du;
    return x ^ x >> 33;
}

// to = from where a random 16-bit number reaches `limit`, times scale; else 0. The same
// seed draws the same, so that the backward needs no mask.
void drop(count n, const float *from, float *to, uint64_t seed, count limit, float scale)
{
    for (count i = 0; i < n; i += 4) {
        uint64_t bits = mixed(seed + (uint64_t)i * 0x9E3779B97F4A7C15u);
        for (count k = i; k < i + 4 && k < n; k++)
            to[k] = (count)(bits >> 16 * (k - i) & 0xFFFF) >= limit ? from[k] * scale : 0;
    }
}
