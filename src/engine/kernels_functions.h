// SPDX-License-Identifier: MIT
// The functions of every vector set: exp, tanh, sigmoid, and what a row of scores needs
// of them. Part of kernels_vector.h, which includes it.
//
// exp(y) = 2^k exp(f), k the nearest integer to y / ln 2, f = y - k ln 2 in two parts,
// exp(f) by the polynomial of Cephes (Moshier 1992). tanh(x) = -m / (m + 2), with m =
// exp(-2|x|) - 1 made without cancellation, and the sign of x. tests/kernels holds them
// to the bounds in kernels.h.
#ifdef SET

// exp(y) - 1 = 2^k m + (2^k - 1): *power = 2^k, returned m = exp(f) - 1. |y| < 88.3.
INLINE vec reduced_exp(vec y, vec *power)
{
    vec k = vec_round(y * vec_all(1.44269504089f));
    // y - k ln 2 in two parts: the first has few bits, so its product is exact.
    vec f = vec_fma(k, vec_all(-0.693359375f), y);
    f = vec_fma(k, vec_all(2.12194440e-4f), f);
    // Three pairs of coefficients: half the latency of one chain.
    vec ff = f * f;
    vec high = vec_fma(f, vec_all(1.9875691500e-4f), vec_all(1.3981999507e-3f));
    vec middle = vec_fma(f, vec_all(8.3334519073e-3f), vec_all(4.1665795894e-2f));
    vec low = vec_fma(f, vec_all(1.6666665459e-1f), vec_all(5.0000001201e-1f));
    *power = (vec)((__builtin_convertvector(k, ivec) + 127) << 23);
    return vec_fma(ff, vec_fma(ff, vec_fma(ff, high, middle), low), f);
}

INLINE vec vec_exp(vec x)
{
    vec power, y = vec_min(vec_all(88.25f), vec_max(vec_all(-87.25f), x));
    vec m = reduced_exp(y, &power);
    vec e = choose(x > vec_all(88.25f), vec_all(INFINITY), vec_fma(power, m, power));
    return choose(x < vec_all(-87.0f), vec_all(0), e);
}

INLINE vec vec_tanh(vec x)
{
    const ivec sign = (ivec)vec_all(-0.0f);
    vec power, y = vec_max(vec_all(-40.0f), (vec)((ivec)(x + x) | sign));
    vec m = reduced_exp(y, &power);
    m = vec_fma(power, m, power - vec_all(1)); // exp(-2|x|) - 1
    vec t = m / (m + vec_all(2));
    return (vec)(((ivec)t & ~sign) | ((ivec)x & sign));
}

INLINE vec vec_sigmoid(vec x)
{
    return vec_all(1) / (vec_all(1) + vec_exp(-x));
}

#define IN_PLACE(name, function)                                                         \
    TARGET static void name(float *x, int n)                                             \
    {                                                                                    \
        int i = 0;                                                                       \
        for (; i + LANES <= n; i += LANES)                                               \
            vec_store(x + i, function(vec_load(x + i)));                                 \
        size_t left = (size_t)(n - i);                                                   \
        if (left)                                                                        \
            vec_store_part(x + i, function(vec_part(x + i, left)), left);                \
    }
IN_PLACE(vector_exp, vec_exp)
IN_PLACE(vector_tanh, vec_tanh)
IN_PLACE(vector_sigmoid, vec_sigmoid)

INLINE float vec_sum(vec v)
{
    float sums[4];
    vec_sum4(sums, v, v, v, v);
    return sums[0];
}

// The first n floats when fewer than LANES are left, the rest -INFINITY.
INLINE vec vec_scores(const float *at, size_t n)
{
    float last[LANES];
    if (n >= LANES)
        return vec_load(at);
    vec_store(last, vec_all(-INFINITY));
    memcpy(last, at, n * sizeof *at);
    return vec_load(last);
}

INLINE float highest(const float *x, int n)
{
    vec high = vec_all(-INFINITY);
    for (int i = 0; i < n; i += LANES)
        high = vec_max(high, vec_scores(x + i, (size_t)(n - i)));
    float greatest = high[0];
    for (int lane = 1; lane < LANES; lane++)
        greatest = high[lane] > greatest ? high[lane] : greatest;
    return greatest;
}

TARGET static void vector_softmax(float *alpha, const float *e, int n, float tau)
{
    const float high = highest(e, n);
    const vec shift = vec_all(high > -INFINITY ? high : 0), by = vec_all(tau);
    for (int i = 0; i < n; i += LANES) {
        size_t left = (size_t)(n - i);
        vec weight = vec_exp((vec_scores(e + i, left) - shift) / by);
        vec_store_part(alpha + i, weight, left);
    }
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += alpha[i];
    for (int i = 0; sum > 0 && i < n; i += LANES) {
        size_t left = (size_t)(n - i);
        vec_store_part(alpha + i, vec_part(alpha + i, left) / vec_all(sum), left);
    }
}

TARGET static float vector_sum_exp(const float *x, float shift, int n)
{
    vec sum = vec_all(0);
    for (int i = 0; i < n; i += LANES)
        sum += vec_exp(vec_scores(x + i, (size_t)(n - i)) - vec_all(shift));
    return vec_sum(sum);
}

TARGET static void vector_tanh_dots(float *e, const float *v, const float *q,
                                    const float *keys, int n, int width)
{
    for (int row = 0; row < n; row++, keys += width) {
        vec sum = vec_all(0);
        int i = 0;
        for (; i + LANES <= width; i += LANES)
            sum = vec_fma(vec_load(v + i), vec_tanh(vec_load(q + i) + vec_load(keys + i)),
                          sum);
        size_t left = (size_t)(width - i);
        if (left)
            sum =
                vec_fma(vec_part(v + i, left),
                        vec_tanh(vec_part(q + i, left) + vec_part(keys + i, left)), sum);
        e[row] = vec_sum(sum);
    }
}

#endif
