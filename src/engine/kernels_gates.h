// SPDX-License-Identifier: MIT
// The gates of every vector set: what a cell does after its products, in one pass over
// the state. Part of kernels_vector.h, which includes it.
//
// Whatever the cell, only three things differ: the gate function, whether the reset gate
// is still to act, and what z weighs. They do not change within a pass.
#ifdef SET

INLINE vec vec_gate(enum gate gate, vec x)
{
    if (gate == GATE_SIGMOID)
        return vec_sigmoid(x);
    vec y = gate == GATE_HARD_FIFTH ? x * vec_all(0.2f) : x / vec_all(6);
    return vec_min(vec_all(1), vec_max(vec_all(0), y + vec_all(0.5f)));
}

struct gate_at { // some values of the gates: from `i` on, `left` at most
    const struct gates *in, *rec;
    size_t i, left;
};

INLINE vec vec_in(struct gate_at at, int g)
{
    return vec_part(at.in->at[g] + at.i, at.left);
}

INLINE vec vec_rec(struct gate_at at, int g)
{
    return vec_part(at.rec->at[g] + at.i, at.left);
}

INLINE void gru_part(float *state, struct gate_at at, enum gate gate, bool z_is_new)
{
    vec r = vec_all(1), s = vec_part(state, at.left);
    if (at.in->at[0])
        r = vec_gate(gate, vec_in(at, 0) + vec_rec(at, 0));
    vec z = vec_gate(gate, vec_in(at, 1) + vec_rec(at, 1));
    vec n = vec_tanh(vec_fma(r, vec_rec(at, 2), vec_in(at, 2)));
    vec from = z_is_new ? s : n, to = z_is_new ? n : s;
    vec_store_part(state, vec_fma(z, to, from - z * from), at.left);
}

TARGET static void vector_gru(float *state, const struct gates *in,
                              const struct gates *rec, int h, enum gate gate,
                              bool z_is_new)
{
    for (int i = 0; i < h; i += LANES)
        gru_part(state + i, (struct gate_at){in, rec, (size_t)i, (size_t)(h - i)}, gate,
                 z_is_new);
}

TARGET static void vector_gru_reset(float *kept, const float *in_r, const float *rec_r,
                                    const float *state, int h, enum gate gate)
{
    for (int i = 0; i < h; i += LANES) {
        size_t left = (size_t)(h - i);
        vec r = vec_gate(gate, vec_part(in_r + i, left) + vec_part(rec_r + i, left));
        vec_store_part(kept + i, r * vec_part(state + i, left), left);
    }
}

INLINE void lstm_part(float *state, float *cell, struct gate_at at, enum gate gate,
                      float forget_bias)
{
    vec in = vec_gate(gate, vec_in(at, 0) + vec_rec(at, 0));
    vec forget = vec_gate(gate, vec_in(at, 1) + vec_rec(at, 1) + vec_all(forget_bias));
    vec new = vec_tanh(vec_in(at, 2) + vec_rec(at, 2));
    vec out = vec_gate(gate, vec_in(at, 3) + vec_rec(at, 3));
    vec c = vec_fma(forget, vec_part(cell, at.left), in * new);
    vec_store_part(cell, c, at.left);
    vec_store_part(state, out * vec_tanh(c), at.left);
}

TARGET static void vector_lstm(float *state, float *cell, const struct gates *in,
                               const struct gates *rec, int h, enum gate gate,
                               float forget_bias)
{
    for (int i = 0; i < h; i += LANES)
        lstm_part(state + i, cell + i,
                  (struct gate_at){in, rec, (size_t)i, (size_t)(h - i)}, gate,
                  forget_bias);
}

#endif
