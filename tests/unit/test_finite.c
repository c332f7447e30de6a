// SPDX-License-Identifier: MIT
// Finite weights that are so large that sums of them are not: no number that is not
// finite leaves a session, and the row that would hold one is named.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tiny_model.h"
#include "translate/translator.h"

static struct alignment *run(struct session *session, const char *text, float tau)
{
    struct error err = {0};
    struct alignment *alignment =
        session_run(session, text, strlen(text), run_at(tau), &err);
    if (!alignment)
        fail_msg("%s", err.text);
    return alignment;
}

static void assert_all_finite(const struct alignment *a)
{
    int rows = alignment_rows(a), cells = rows * a->n_src;
    for (int i = 0; a->has_attention && i < cells; i++)
        assert_true(isfinite(a->score[i]) && isfinite(a->alpha[i]));
    for (int t = 0; t < rows; t++) {
        assert_true(isfinite(a->p[t]));
        for (int i = 0; i < ALIGNMENT_TOP; i++)
            assert_true(isfinite(a->top[t * ALIGNMENT_TOP + i].log_p));
    }
}

// What is said names the model, and the row that is not there.
static void assert_broken(const struct alignment *a)
{
    struct error err = {0};
    char row[32];
    assert_int_equal(alignment_ended(a), ENDED_BROKEN);
    assert_false(alignment_check(a, &err));
    assert_int_equal(err.code, ERR_BROKEN);
    assert_non_null(strstr(err.text, "tiny: "));
    if (a->broken_row >= 0) {
        assert_int_equal(a->broken_row, alignment_rows(a));
        snprintf(row, sizeof row, "row %d ", a->broken_row + 1);
    } else {
        assert_int_equal(alignment_rows(a), 0);
        snprintf(row, sizeof row, "encoder");
    }
    assert_non_null(strstr(err.text, row));
}

// One tensor of a tiny model as large as a float gets, its signs mixed or not.
static void spoil(const struct tensor *tensor, float *weights, float size, bool mixed)
{
    float *values = weights + ((const float *)tensor->data - weights);
    for (int i = 0; i < tensor->rows * tensor->cols; i++)
        values[i] = mixed && i % 3 == 1 ? -size : size;
}

static int run_spoilt(struct tiny *tiny)
{
    struct session *session = session_create(&tiny->translator, NULL);
    const int ids[] = {TINY_A, TINY_B, 2};
    struct alignment *all[] = {
        run(session, "a", 1.0f), run(session, "abba b a", 0.001f),
        session_force_ids(session, "a b", 3, ids, 3, run_at(1), NULL)};
    int broken = 0;
    for (int i = 0; i < 3; i++) {
        assert_non_null(all[i]);
        assert_all_finite(all[i]);
        if (alignment_ended(all[i]) == ENDED_BROKEN) {
            assert_broken(all[i]);
            broken++;
        } else {
            assert_true(alignment_check(all[i], NULL));
        }
        assert_int_not_equal(alignment_ended(all[i]), ENDED_NOT);
        alignment_destroy(all[i]);
    }
    session_destroy(session);
    return broken;
}

// Two networks more than there are scores: stacked LSTMs between which coverage is paid
// attention to, and cells whose reset gate comes first, with hard gates.
static void vary(struct model_config *c, bool lstm)
{
    c->encoder_cell = c->decoder_cell = lstm ? CELL_LSTM_KERAS : CELL_GRU_KERAS;
    c->gate = lstm ? GATE_SIGMOID : GATE_HARD_FIFTH;
    c->readout = lstm ? READOUT_MAXOUT : READOUT_LINEAR;
    if (!lstm)
        return;
    c->query = QUERY_BETWEEN;
    c->second_cell = CELL_LSTM_MARIAN;
    c->decoder_input = (struct parts){1, {PART_EMBEDDING}};
    c->encoder_layers = c->decoder_layers = 2;
    c->encoder_stack = STACK_CONCAT;
    c->bridge_layers = BRIDGE_OWN;
    c->bridge_cell = BRIDGE_CELL_OWN;
    c->coverage = COVERAGE_FERTILITY;
    c->fertility_max = 2;
    c->energy_bias = true;
}

static void no_number_that_is_not_finite_leaves(void **state)
{
    (void)state;
    static struct tiny tiny;
    int broken = 0, whole = 0;
    for (int kind = 0; kind < SCORE_COUNT + 2; kind++) {
        struct tensor_slot slots[MODEL_MAX_TENSORS];
        enum score score = kind < SCORE_COUNT ? (enum score)kind : SCORE_ADDITIVE;
        assert_true(tiny_open(&tiny, score));
        if (kind >= SCORE_COUNT)
            vary(&tiny.network.config, kind == SCORE_COUNT);
        assert_true(model_config_check(&tiny.network.config, "tiny", NULL));
        int count = network_slots(&tiny.network, slots);
        for (int i = 0; i < 4 * count; i++) {
            tiny_fill(&tiny);
            spoil(slots[i / 4].tensor, tiny.weights, i & 1 ? 3e38f : 1e20f, i & 2);
            int n = run_spoilt(&tiny);
            broken += n;
            whole += 3 - n;
        }
        tiny_close(&tiny);
    }
    assert_true(broken > 20 && whole > 20); // both kinds were met
}

static void huge_weights_end_at_the_row_that_breaks(void **state)
{
    (void)state;
    static struct tiny tiny;
    assert_true(tiny_open(&tiny, SCORE_ADDITIVE));
    struct session *session = session_create(&tiny.translator, NULL);
    spoil(&tiny.network.key_w, tiny.weights, 3e38f, false);
    struct alignment *a = run(session, "a b", 1.0f);
    assert_broken(a);
    assert_int_equal(a->broken_row, -1);
    assert_string_equal(a->translation, "");
    alignment_destroy(a);
    tiny_fill(&tiny);
    // Only the bias decides what is said, "a"; to read that is too much for row 2.
    tiny_says(&tiny, TINY_A);
    spoil(&tiny.network.readout_w, tiny.weights, 0, false);
    spoil(&tiny.network.readout_b, tiny.weights, 0, false);
    struct tensor a_row = tiny.network.tgt_embed;
    a_row.data = (const float *)a_row.data + TINY_A * a_row.cols;
    a_row.rows = 1;
    spoil(&a_row, tiny.weights, 3e38f, false);
    spoil(&tiny.network.decoder[0].w_ih, tiny.weights, 3e38f, true);
    a = run(session, "a b a", 1.0f);
    assert_broken(a);
    assert_int_equal(a->broken_row, 1);
    assert_int_equal(alignment_rows(a), 1);
    assert_string_equal(a->translation, "a");
    assert_all_finite(a);
    alignment_destroy(a);
    tiny_fill(&tiny); // and the session goes on
    a = run(session, "b", 1.0f);
    assert_true(alignment_check(a, NULL));
    alignment_destroy(a);
    session_destroy(session);
    tiny_close(&tiny);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_number_that_is_not_finite_leaves),
        cmocka_unit_test(huge_weights_end_at_the_row_that_breaks),
    };
    return cmocka_run_group_tests_name("finite", tests, NULL, NULL);
}
