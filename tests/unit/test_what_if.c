// SPDX-License-Identifier: MIT
// What if, inside the loop: what follows from an edit and what does not, for every
// scorer that is bundled.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "align/edit_line.h"
#include "formats/model_dir.h"
#include "tiny_model.h"
#include "translate/translator.h"

static const char text[] = "The black cat sleeps in the garden.";
static const char *const models[] = {"en-fr-bahdanau", "en-fr-luong-dot",
                                     "en-fr-luong-general", "en-fr-luong-concat"};
enum { MODELS = sizeof models / sizeof *models };

struct fixture {
    struct model_dir *dir[MODELS];
    struct session *session[MODELS];
    struct edits edits;
};

static struct model_dir *open_bundled(const char *id)
{
    char path[4096];
    const char *root = getenv("ALPHASCOPE_DATA");
    snprintf(path, sizeof path, "%s/models/%s", root ? root : ".", id);
    return model_dir_open(path, NULL);
}

static int set_up(void **state)
{
    static struct fixture fixture;
    for (int i = 0; i < MODELS; i++) {
        struct model_dir *dir = fixture.dir[i] = open_bundled(models[i]);
        if (!dir)
            return -1;
        const struct translator translator = {dir->id, &dir->network, dir->source,
                                              dir->target};
        fixture.session[i] = session_create(&translator, NULL);
    }
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    for (int i = 0; i < MODELS; i++) {
        session_destroy(fixture->session[i]);
        model_dir_close(fixture->dir[i]);
    }
    return 0;
}

static int forget(void **state)
{
    struct fixture *fixture = *state;
    edits_finish(&fixture->edits);
    for (int i = 0; i < MODELS; i++)
        session_edit(fixture->session[i], NULL);
    return 0;
}

static void add_to(struct edits *edits, const char *line)
{
    static struct edit_room room;
    const struct edit_here nowhere = {-1, -1};
    struct edit edit;
    struct error err = {0};
    if (!edit_parse(line, nowhere, &edit, &room, &err) || !edits_add(edits, &edit, &err))
        fail_msg("%s: %s", line, err.text);
}

static struct alignment *run(struct session *session, const struct edits *edits,
                             float tau)
{
    struct error err = {0};
    session_edit(session, edits);
    struct alignment *a = session_run(session, text, strlen(text), run_at(tau), &err);
    if (!a)
        fail_msg("%s", err.text);
    assert_int_equal(a->edited, edits && edits->count);
    return a;
}

static const float *row_of(const struct alignment *a, int t)
{
    return a->alpha + (size_t)t * (size_t)a->n_src;
}

static void expect_sums(const struct alignment *a)
{
    for (int t = 0; t < alignment_rows(a); t++) {
        double sum = 0;
        for (int s = 0; s < a->n_src; s++) {
            assert_in_range((int)(row_of(a, t)[s] * 1000), 0, 1000);
            sum += (double)row_of(a, t)[s];
        }
        assert_float_equal(sum, 1, 1e-5);
    }
}

// The rows before t, every bit of them.
static void expect_same_before(const struct alignment *a, const struct alignment *b,
                               int t)
{
    size_t n = (size_t)a->n_src * (size_t)t * sizeof(float);
    assert_memory_equal(a->score, b->score, n);
    assert_memory_equal(a->alpha, b->alpha, n);
    assert_memory_equal(a->p, b->p, (size_t)t * sizeof(float));
    for (int i = 0; i < t; i++)
        assert_int_equal(a->target[i].id, b->target[i].id);
}

static void expect_same(const struct alignment *a, const struct alignment *b)
{
    int rows = alignment_rows(a);
    assert_int_equal(rows, alignment_rows(b));
    assert_int_equal(alignment_ended(a), alignment_ended(b));
    assert_int_equal(a->rows_spread, b->rows_spread);
    assert_string_equal(a->translation, b->translation);
    if (a->has_attention)
        expect_same_before(a, b, rows);
    size_t floats = (size_t)rows * sizeof(float);
    assert_memory_equal(a->p, b->p, floats);
    assert_memory_equal(a->query_norm, b->query_norm, floats);
    assert_int_equal(a->query_width, b->query_width);
    assert_int_equal(a->key_width, b->key_width);
    if (a->query_width)
        assert_memory_equal(a->query, b->query, floats * (size_t)a->query_width);
    assert_memory_equal(a->context_norm, b->context_norm, floats);
    for (int i = 0; i < rows * ALIGNMENT_TOP; i++) {
        assert_int_equal(a->top[i].id, b->top[i].id);
        assert_memory_equal(&a->top[i].log_p, &b->top[i].log_p, sizeof(float));
        assert_string_equal(a->top[i].text, b->top[i].text);
    }
}

// The i-th list of edits: they are added one by one, and then undone.
static void edit_on(struct edits *edits, int i)
{
    static const char *const lines[] = {"cell 5 2 0.9", "cell 5 2 0.4", "cell 3 1 0",
                                        "hard on 9",    "mute 2",       "cell 9 1 0.5",
                                        "shuffle 3",    "cell 8 3 1"};
    static const int token = 7;
    if (i > 8) {
        edits_undo(edits);
    } else if (i < 8) {
        add_to(edits, lines[i]);
    } else {
        struct edit word = edit_make(EDIT_WORD, 6, EDIT_ALL, 0);
        word.tokens = &token;
        word.n_tokens = 1;
        assert_true(edits_add(edits, &word, NULL));
    }
}

// One session that carries on from edits to edits, and for each a new one. How many rows
// were there before the first step.
static int carry_on(const struct translator *model)
{
    int carried = 0;
    struct edits edits = {.count = 0};
    struct session *kept = session_create(model, NULL);
    for (int i = 0; i < 18; i++) {
        edit_on(&edits, i);
        struct session *fresh = session_create(model, NULL);
        struct alignment *whole = run(fresh, &edits, 1);
        session_edit(kept, &edits);
        struct alignment *a = session_begin(kept, text, strlen(text), run_at(1), NULL);
        assert_non_null(a);
        carried += alignment_rows(a);
        while (session_step(kept, a))
            continue;
        expect_same(a, whole);
        alignment_destroy(a);
        alignment_destroy(whole);
        session_destroy(fresh);
    }
    session_destroy(kept);
    edits_finish(&edits);
    return carried;
}

// The numbers that are kept are those that were compared: a score made of them by the
// scorer's own formula is the score. dot: e = s · h; the others have W or U between.
static void the_kept_query_and_keys_make_the_scores(void **state)
{
    struct fixture *fixture = *state;
    struct alignment *a = run(fixture->session[1], NULL, 1);
    int n = a->n_src, d = a->query_width;
    assert_true(d > 0 && d == a->key_width);
    for (int t = 0; t < alignment_rows(a); t++) {
        double norm = 0;
        for (int k = 0; k < d; k++)
            norm += (double)a->query[t * d + k] * (double)a->query[t * d + k];
        assert_true(fabs(sqrt(norm) - (double)a->query_norm[t]) < 1e-3);
        for (int s = 0; s < n; s++) {
            double e = 0;
            for (int k = 0; k < d; k++)
                e += (double)a->query[t * d + k] * (double)a->key[s * d + k];
            assert_true(fabs(e - (double)a->score[t * n + s]) < 1e-3 * (1 + fabs(e)));
        }
    }
    alignment_destroy(a);
    struct alignment *additive = run(fixture->session[0], NULL, 1);
    for (int t = 0; t < alignment_rows(additive); t++) { // the state before the word
        double norm = 0;
        for (int k = 0; k < additive->query_width; k++) {
            double q = (double)additive->query[t * additive->query_width + k];
            norm += q * q;
        }
        assert_true(fabs(sqrt(norm) - (double)additive->query_norm[t]) < 1e-3);
    }
    alignment_destroy(additive);
}

static void what_stands_before_an_edit_is_not_decoded_again(void **state)
{
    (void)state;
    static const char *const ids[] = {
        "tiny-additive-f32",      "tiny-none-bf16",          "family-coverage-concat",
        "family-conditional-gru", "family-conditional-lstm", "family-keras-stack",
        "family-marian-lstm",     "family-sutskever",        "family-coverage-fertility"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/golden/models/%s", ALPHASCOPE_TESTS, ids[i]);
        struct model_dir *dir = model_dir_open(path, NULL);
        assert_non_null(dir);
        const struct translator model = {dir->id, &dir->network, dir->source,
                                         dir->target};
        assert_in_range(carry_on(&model), 20, 18 * 40);
        model_dir_close(dir);
    }
}

// A run at another τ, of another text, or of a translation that is given has nothing in
// common with the one before.
static void another_run_begins_anew(void **state)
{
    struct fixture *fixture = *state;
    struct session *session = fixture->session[0];
    add_to(&fixture->edits, "cell 4 2 0.9");
    alignment_destroy(run(session, &fixture->edits, 1));
    for (int i = 0; i < 4; i++) {
        const char *of = i == 1 ? "No." : text;
        struct run_options options = run_at(i == 0 ? 0.5f : 1);
        options.dropout = i == 3 ? 0.1f : 0;
        struct alignment *a = session_begin(session, of, strlen(of), options, NULL);
        assert_int_equal(alignment_rows(a), 0);
        while (session_step(session, a))
            continue;
        alignment_destroy(a);
    }
    struct alignment *forced =
        session_force(session, text, strlen(text), "Le chat", 7, run_at(1), NULL);
    struct alignment *again = session_begin(session, text, strlen(text), run_at(1), NULL);
    assert_int_equal(alignment_rows(again), 0);
    session_cancel(session, again);
    alignment_destroy(again);
    alignment_destroy(forced);
}

static void the_decoder_carries_on_from_the_first_changed_step(void **state)
{
    struct fixture *fixture = *state;
    add_to(&fixture->edits, "cell 4 2 0.9");
    for (int i = 0; i < MODELS; i++) {
        struct alignment *plain = run(fixture->session[i], NULL, 1);
        struct alignment *edited = run(fixture->session[i], &fixture->edits, 1);
        expect_same_before(plain, edited, 3);
        // What the network said of the row is kept; α is the edited one.
        size_t n = (size_t)plain->n_src;
        assert_memory_equal(plain->score + 3 * n, edited->score + 3 * n,
                            n * sizeof(float));
        assert_float_equal(row_of(edited, 3)[1], 0.9f, 0);
        assert_true(fabsf(row_of(plain, 3)[1] - 0.9f) > 0.01f);
        float before = plain->top[3 * ALIGNMENT_TOP].log_p;
        float now = edited->top[3 * ALIGNMENT_TOP].log_p;
        assert_true(before < now || before > now);
        expect_sums(edited);
        alignment_destroy(plain);
        struct alignment *again = run(fixture->session[i], NULL, 1);
        assert_false(again->edited);
        alignment_destroy(edited);
        alignment_destroy(again);
    }
}

static void forgetting_the_edits_gives_the_old_rows_again(void **state)
{
    struct fixture *fixture = *state;
    struct session *session = fixture->session[0];
    struct alignment *plain = run(session, NULL, 1);
    add_to(&fixture->edits, "shuffle 3");
    add_to(&fixture->edits, "mute 2");
    add_to(&fixture->edits, "hard on");
    alignment_destroy(run(session, &fixture->edits, 1));
    edits_clear(&fixture->edits);
    struct alignment *again = run(session, &fixture->edits, 1);
    assert_int_equal(alignment_rows(plain), alignment_rows(again));
    expect_same_before(plain, again, alignment_rows(plain));
    assert_null(again->order);
    alignment_destroy(plain);
    alignment_destroy(again);
}

static void edits_hold_at_every_temperature(void **state)
{
    struct fixture *fixture = *state;
    static const float taus[] = {0, 0.3f, 1, 4, INFINITY};
    add_to(&fixture->edits, "mute 1");
    add_to(&fixture->edits, "mute 3");
    add_to(&fixture->edits, "boost 2 5");
    add_to(&fixture->edits, "cell 2 4 0.25");
    for (int i = 0; i < MODELS; i++)
        for (size_t k = 0; k < sizeof taus / sizeof *taus; k++) {
            struct alignment *a = run(fixture->session[i], &fixture->edits, taus[k]);
            int n = a->n_src;
            expect_sums(a);
            for (int t = 0; t < alignment_rows(a); t++) {
                assert_float_equal(row_of(a, t)[0], 0, 0);
                assert_float_equal(row_of(a, t)[2], 0, 0);
            }
            assert_float_equal(row_of(a, 1)[3], 0.25f, 0);
            if (isinf(taus[k])) // even but for the factor, and for the edited row
                assert_float_equal(row_of(a, 0)[1], 5.0f / (float)(5 + n - 3), 1e-6f);
            alignment_destroy(a);
        }
}

// At τ = 0 a row has one α; when its column is muted nothing is left of it.
static void a_row_that_edits_empty_is_spread_and_counted(void **state)
{
    struct fixture *fixture = *state;
    struct alignment *plain = run(fixture->session[0], NULL, 0);
    assert_int_equal(plain->rows_spread, 0);
    int n = plain->n_src, at = 0;
    while (!(row_of(plain, 0)[at] > 0.5f))
        at++;
    char line[40];
    snprintf(line, sizeof line, "mute %d", at + 1);
    add_to(&fixture->edits, line);
    struct alignment *a = run(fixture->session[0], &fixture->edits, 0);
    assert_true(a->rows_spread >= 1);
    for (int s = 0; s < n; s++)
        assert_float_equal(row_of(a, 0)[s], s == at ? 0 : 1 / (float)(n - 1), 1e-6f);
    expect_sums(a);
    alignment_destroy(plain);
    alignment_destroy(a);
}

static void rereading_has_the_edits_on_top(void **state)
{
    struct fixture *fixture = *state;
    add_to(&fixture->edits, "boost 3 4");
    add_to(&fixture->edits, "cell 2 1 0.5");
    add_to(&fixture->edits, "shuffle 2");
    struct alignment *a = run(fixture->session[0], &fixture->edits, 1);
    int rows = alignment_rows(a);
    size_t cells = (size_t)rows * (size_t)a->n_src;
    float *again = calloc(cells, sizeof *again);
    translate_reread(a, NULL, 1, 0, rows, again);
    assert_memory_not_equal(again, a->alpha, cells * sizeof *again);
    translate_reread(a, &fixture->edits, 1, 0, rows, again);
    assert_memory_equal(again, a->alpha, cells * sizeof *again);
    free(again);
    alignment_destroy(a);
}

static void a_permuted_memory_permutes_alpha_and_keeps_the_words(void **state)
{
    struct fixture *fixture = *state;
    add_to(&fixture->edits, "shuffle 7");
    for (int i = 0; i < MODELS; i++) {
        struct alignment *plain = run(fixture->session[i], NULL, 1);
        struct alignment *a = run(fixture->session[i], &fixture->edits, 1);
        assert_non_null(a->order);
        assert_int_equal(a->order[a->n_src - 1], a->n_src - 1); // </s>
        assert_int_equal(alignment_rows(a), alignment_rows(plain));
        assert_string_equal(a->translation, plain->translation);
        int moved = 0;
        for (int s = 0; s < a->n_src; s++) {
            int from = a->order[s];
            moved += from != s;
            assert_string_equal(a->source[s].text, plain->source[from].text);
            for (int t = 0; t < alignment_rows(a); t++) {
                assert_float_equal(row_of(a, t)[s], row_of(plain, t)[from], 1e-4f);
                size_t at = (size_t)t * (size_t)a->n_src;
                assert_float_equal(a->score[at + (size_t)s],
                                   plain->score[at + (size_t)from], 1e-3f);
            }
        }
        assert_true(moved > 1);
        alignment_destroy(plain);
        alignment_destroy(a);
    }
}

static void shuffled_words_are_another_sentence(void **state)
{
    struct fixture *fixture = *state;
    add_to(&fixture->edits, "shuffle-words 7");
    for (int i = 0; i < MODELS; i++) {
        struct alignment *plain = run(fixture->session[i], NULL, 1);
        struct alignment *a = run(fixture->session[i], &fixture->edits, 1);
        float most = 0;
        int rows = alignment_rows(a) < alignment_rows(plain) ? alignment_rows(a)
                                                             : alignment_rows(plain);
        for (int s = 0; s < a->n_src; s++) {
            int from = a->order[s];
            assert_string_equal(a->source[s].text, plain->source[from].text);
            for (int t = 0; t < rows; t++)
                most = fmaxf(most, fabsf(row_of(a, t)[s] - row_of(plain, t)[from]));
        }
        assert_true(most > 0.05f);
        assert_string_not_equal(a->translation, plain->translation);
        alignment_destroy(plain);
        alignment_destroy(a);
    }
}

// Columns of edits are tokens of the text, wherever the shuffle puts them.
static void columns_follow_their_tokens(void **state)
{
    struct fixture *fixture = *state;
    add_to(&fixture->edits, "shuffle 5");
    add_to(&fixture->edits, "mute 3");
    add_to(&fixture->edits, "cell 2 1 0.5");
    struct alignment *a = run(fixture->session[0], &fixture->edits, 1);
    for (int s = 0; s < a->n_src; s++) {
        if (a->order[s] == 2)
            assert_float_equal(row_of(a, 0)[s], 0, 0);
        if (a->order[s] == 0)
            assert_float_equal(row_of(a, 1)[s], 0.5f, 0);
    }
    alignment_destroy(a);
}

static void another_word_is_said_and_the_rest_follows(void **state)
{
    struct fixture *fixture = *state;
    for (int i = 0; i < MODELS; i++) {
        edits_finish(&fixture->edits);
        struct alignment *plain = run(fixture->session[i], NULL, 1);
        const struct candidate *second = &plain->top[2 * ALIGNMENT_TOP + 1];
        char line[40];
        snprintf(line, sizeof line, "word 3 id %d", second->id);
        add_to(&fixture->edits, line);
        struct alignment *a = run(fixture->session[i], &fixture->edits, 1);
        expect_same_before(plain, a, 2);
        assert_int_equal(a->target[2].id, second->id);
        assert_float_equal(a->p[2], expf(second->log_p), 1e-6f);
        assert_int_equal(a->top[2 * ALIGNMENT_TOP].id, plain->target[2].id);
        assert_int_equal(alignment_ended(a), ENDED_EOS);
        alignment_destroy(plain);
        alignment_destroy(a);
    }
}

static void the_end_can_be_forced_and_a_prefix_runs_on(void **state)
{
    struct fixture *fixture = *state;
    struct session *session = fixture->session[0];
    struct alignment *plain = run(session, NULL, 1);
    char line[60];
    snprintf(line, sizeof line, "word 2 id %d", fixture->dir[0]->network.config.eos);
    add_to(&fixture->edits, line);
    struct alignment *a = run(session, &fixture->edits, 1);
    assert_int_equal(alignment_rows(a), 2);
    assert_int_equal(alignment_ended(a), ENDED_EOS);
    alignment_destroy(a);
    edits_finish(&fixture->edits);
    struct edit prefix = edit_make(EDIT_PREFIX, EDIT_ALL, EDIT_ALL, 0);
    int ids[600];
    for (int k = 0; k < 600; k++)
        ids[k] = plain->target[k % 2].id;
    prefix.tokens = ids;
    prefix.n_tokens = 600; // far beyond the limit of 3 * n_src + 10 rows
    assert_true(edits_add(&fixture->edits, &prefix, NULL));
    a = run(session, &fixture->edits, 1);
    assert_true(alignment_rows(a) > 600);
    for (int k = 0; k < 600; k++)
        assert_int_equal(a->target[k].id, ids[k]);
    alignment_destroy(a);
    prefix.n_tokens = 3; // what the model says anyway changes nothing
    edits_finish(&fixture->edits);
    for (int k = 0; k < 3; k++)
        ids[k] = plain->target[k].id;
    assert_true(edits_add(&fixture->edits, &prefix, NULL));
    a = run(session, &fixture->edits, 1);
    expect_same_before(plain, a, alignment_rows(plain));
    alignment_destroy(a);
    alignment_destroy(plain);
}

static void a_token_that_the_vocabulary_lacks_is_refused(void **state)
{
    struct fixture *fixture = *state;
    struct error err = {0};
    add_to(&fixture->edits, "word 1 id 99999999");
    session_edit(fixture->session[0], &fixture->edits);
    assert_null(session_begin(fixture->session[0], text, strlen(text), run_at(1), &err));
    assert_int_equal(err.code, ERR_FORMAT);
    assert_non_null(strstr(err.text, "the id 99999999"));
}

static void a_pinned_row_stays_when_all_else_changes(void **state)
{
    struct fixture *fixture = *state;
    struct alignment *plain = run(fixture->session[0], NULL, 1);
    struct edit pin = edit_make(EDIT_PIN, 3, EDIT_ALL, 0);
    pin.alpha = row_of(plain, 3);
    pin.n_alpha = plain->n_src;
    assert_true(edits_add(&fixture->edits, &pin, NULL));
    add_to(&fixture->edits, "mute 1");
    add_to(&fixture->edits, "word 1 id 77");
    struct alignment *a = run(fixture->session[0], &fixture->edits, 5);
    assert_true(alignment_rows(a) > 3);
    assert_memory_equal(row_of(a, 3), row_of(plain, 3),
                        (size_t)plain->n_src * sizeof(float));
    alignment_destroy(plain);
    alignment_destroy(a);
}

// No tokens, one token, and no attention at all.
static void small_sentences_and_no_attention(void **state)
{
    struct fixture *fixture = *state;
    static struct tiny tiny;
    static const enum score scores[] = {SCORE_ADDITIVE, SCORE_NONE};
    for (int i = 0; i < 2; i++) {
        assert_true(tiny_open(&tiny, scores[i]));
        tiny.network.config.source_eos = false; // one token is one column
        struct session *session = session_create(&tiny.translator, NULL);
        edits_finish(&fixture->edits);
        add_to(&fixture->edits, "cell 1 1 0");
        add_to(&fixture->edits, "mute 1");
        add_to(&fixture->edits, "shuffle 3");
        add_to(&fixture->edits, "word 2 id 5");
        session_edit(session, &fixture->edits);
        struct alignment *a = session_run(session, "a", 1, run_at(1), NULL);
        assert_non_null(a);
        assert_int_equal(a->n_src, 1);
        assert_true(alignment_rows(a) >= 2);
        assert_int_equal(a->target[1].id, 5);
        for (int t = 0; t < alignment_rows(a) && a->has_attention; t++)
            assert_float_equal(a->alpha[t], 1, 0);
        alignment_destroy(a);
        a = session_run(session, " ", 1, run_at(1), NULL);
        assert_int_equal(alignment_ended(a), ENDED_EMPTY);
        alignment_destroy(a);
        session_destroy(session);
        tiny_close(&tiny);
    }
}

#define CASE(name) cmocka_unit_test_teardown(name, forget)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(the_decoder_carries_on_from_the_first_changed_step),
        CASE(what_stands_before_an_edit_is_not_decoded_again),
        CASE(another_run_begins_anew),
        CASE(the_kept_query_and_keys_make_the_scores),
        CASE(forgetting_the_edits_gives_the_old_rows_again),
        CASE(edits_hold_at_every_temperature),
        CASE(a_row_that_edits_empty_is_spread_and_counted),
        CASE(rereading_has_the_edits_on_top),
        CASE(a_permuted_memory_permutes_alpha_and_keeps_the_words),
        CASE(shuffled_words_are_another_sentence),
        CASE(columns_follow_their_tokens),
        CASE(another_word_is_said_and_the_rest_follows),
        CASE(the_end_can_be_forced_and_a_prefix_runs_on),
        CASE(a_token_that_the_vocabulary_lacks_is_refused),
        CASE(a_pinned_row_stays_when_all_else_changes),
        CASE(small_sentences_and_no_attention),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
