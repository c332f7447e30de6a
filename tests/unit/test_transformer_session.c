// SPDX-License-Identifier: MIT
// What a session makes of a Transformer: positions that end, pieces without an id,
// language codes; and the maps of its heads, however a sentence is decoded.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "bundled.h"
#include "translate/beam.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define OURS "transformers/paper"
#define LEARNED "transformers/learned"
#define OPUS "transformers/marian-opus"
#define SEPARATE "transformers/marian-separate"

static struct model_dir *opened(const char *name)
{
    struct model_dir *dir = open_made(name);
    assert_non_null(dir);
    return dir;
}

// Positions 0 to 7 of both sides.
static void a_sentence_needs_positions(void **state)
{
    struct error err = {0};
    (void)state;
    struct model_dir *dir = opened(OURS);
    dir->network.config.transformer.position_count = 8;
    struct session *session = open_session(dir);
    assert_null(session_run(session, "abcdefgh", 8, run_at(1), &err));
    assert_string_equal(err.text, "the sentence has 9 tokens, config.json's field "
                                  "'position_count' is 8");
    dir->network.config.transformer.position_offset = 2;
    assert_null(session_run(session, "abcdefgh", 8, run_at(1), &err));
    assert_non_null(strstr(err.text, "is 8, of which the first 2 are not used"));
    dir->network.config.transformer.position_offset = 0;
    assert_null(session_force(session, "ab", 2, "abcdefgh", 8, run_at(1), &err));
    assert_string_equal(err.text, "the translation has 9 tokens with its </s>, the model "
                                  "has positions for 8");
    struct alignment *a = session_run(session, "ab", 2, run_at(1), &err);
    assert_int_equal(alignment_rows(a), 8);
    assert_int_equal(alignment_ended(a), ENDED_LIMIT);
    alignment_destroy(a);
    session_destroy(session);
    model_dir_close(dir);
}

static void ids_come_from_the_vocabulary_alone(void **state)
{
    static const char text[] = ">>fra<< v\xc3\xa9j";
    struct token tokens[16];
    struct error err = {0};
    int count;
    (void)state;
    struct model_dir *dir = opened(OPUS);
    assert_true(
        tokenizer_encode(dir->source, text, sizeof text - 1, tokens, 16, &count, &err));
    assert_int_equal(tokens[0].id, 28);
    assert_int_equal(tokens[0].begin, 0);
    assert_int_equal(tokens[0].end, 7);
    assert_int_equal(tokens[1].id, 2);
    assert_int_equal(tokens[1].begin, 8);
    assert_int_equal(tokens[2].id, 1); // é is in no vocabulary
    assert_int_equal(tokens[2].begin, 9);
    assert_int_equal(tokens[2].end, 11);
    assert_int_equal(tokens[3].id, 3);
    assert_int_equal(count, 4);
    assert_true(tokenizer_encode_first(dir->source, text, sizeof text - 1, tokens, 1,
                                       &count, &err));
    assert_int_equal(count, 4);
    assert_string_equal(tokenizer_piece(dir->target, 28), ">>fra<<");
    assert_true(tokenizer_is_control(dir->target, 28));
    assert_true(tokenizer_is_control(dir->target, 0));
    assert_true(tokenizer_is_unknown(dir->target, 1));
    assert_false(tokenizer_is_control(dir->target, 9));
    assert_null(tokenizer_piece(dir->target, 30));
    model_dir_close(dir);
}

static void a_translation_is_joined_from_pieces(void **state)
{
    static const int ids[] = {9, 2, 3, 9, 4, 28, 0, 29};
    struct buf text;
    (void)state;
    struct model_dir *dir = opened(OPUS);
    buf_init(&text, 100);
    assert_true(tokenizer_decode(dir->target, ids, COUNT(ids), &text, NULL));
    assert_int_equal(text.length, 4);
    assert_memory_equal(text.data, "vj k", 4);
    buf_finish(&text);
    model_dir_close(dir);
}

static void assert_maps_are_those_of(const struct alignment *a, const struct alignment *b)
{
    const struct map_shape *shape = &a->maps->shape;
    assert_int_equal(alignment_rows(a), alignment_rows(b));
    for (int kind = 0; kind < MAP_KINDS; kind++)
        for (int l = 0; l < shape->layers[kind]; l++)
            for (int h = 0; h < shape->heads[kind]; h++) {
                struct map_choice choice = {(enum map_kind)kind, l, h};
                struct alignment *one = map_view(a, choice, NULL);
                struct alignment *other = map_view(b, choice, NULL);
                size_t cells = (size_t)alignment_rows(one) * (size_t)one->n_src;
                assert_memory_equal(one->alpha, other->alpha, cells * sizeof(float));
                alignment_destroy(one);
                alignment_destroy(other);
            }
}

// Greedy, by force, and as a beam of one: the same maps, bit for bit.
static void every_way_to_decode_keeps_the_same_maps(void **state)
{
    struct nbest nbest;
    struct beam beam = {.width = 1};
    int ids[64];
    (void)state;
    struct model_dir *dir = opened(OPUS);
    struct session *session = open_session(dir);
    struct alignment *a = session_run(session, "we jump", 7, run_at(0.5f), NULL);
    int rows = alignment_rows(a);
    for (int t = 0; t < rows; t++)
        ids[t] = a->target[t].id;
    struct alignment *b =
        session_force_ids(session, "we jump", 7, ids, rows, run_at(0.5f), NULL);
    assert_maps_are_those_of(a, b);
    assert_true(
        session_beam(session, "we jump", 7, run_at(0.5f), &beam, 1, &nbest, NULL));
    assert_maps_are_those_of(a, nbest.at[0].alignment);
    nbest_finish(&nbest);
    alignment_destroy(a);
    alignment_destroy(b);
    session_destroy(session);
    model_dir_close(dir);
}

// The caches of a beam follow their hypotheses: each result, decoded again by force, has
// its α bit for bit.
static void a_beam_keeps_the_caches_apart(void **state)
{
    static const char *const models[] = {OPUS, OURS, LEARNED};
    const struct beam beam = {8, BEAM_LENGTH};
    struct nbest nbest;
    int ids[ALIGNMENT_MAX_TGT];
    (void)state;
    for (size_t m = 0; m < COUNT(models); m++) {
        struct model_dir *dir = opened(models[m]);
        struct session *session = open_session(dir);
        assert_true(
            session_beam(session, "we jump", 7, run_at(1), &beam, 8, &nbest, NULL));
        assert_int_equal(nbest.n, 8);
        for (int i = 0; i < nbest.n; i++) {
            const struct alignment *a = nbest.at[i].alignment;
            int rows = alignment_rows(a);
            for (int t = 0; t < rows; t++)
                ids[t] = a->target[t].id;
            struct alignment *b =
                session_force_ids(session, "we jump", 7, ids, rows, run_at(1), NULL);
            assert_memory_equal(a->alpha, b->alpha,
                                (size_t)rows * (size_t)a->n_src * sizeof(float));
            assert_memory_equal(a->p, b->p, (size_t)rows * sizeof(float));
            alignment_destroy(b);
        }
        nbest_finish(&nbest);
        session_destroy(session);
        model_dir_close(dir);
    }
}

// Read again at the τ of the loop it is what the loop read, of one head and of all.
static void heads_are_read_again(void **state)
{
    (void)state;
    struct model_dir *dir = opened(OPUS);
    struct session *session = open_session(dir);
    struct alignment *a = session_run(session, "we jump", 7, run_at(0.5f), NULL);
    int rows = alignment_rows(a);
    size_t cells = (size_t)rows * (size_t)a->n_src;
    float *again = calloc(cells, sizeof *again);
    translate_reread(a, NULL, 0.5f, 0, rows, again);
    assert_memory_equal(again, a->alpha, cells * sizeof *again);
    struct alignment *view =
        map_view(a, (struct map_choice){MAP_CROSS, 1, MAP_MAX}, NULL);
    translate_reread(view, NULL, 0.5f, 0, rows, again);
    assert_memory_equal(again, view->alpha, cells * sizeof *again);
    translate_reread(a, NULL, INFINITY, 0, rows, again);
    for (size_t i = 0; i < cells; i++)
        assert_float_equal(again[i], 1 / (float)a->n_src, 1e-6f);
    free(again);
    alignment_destroy(view);
    alignment_destroy(a);
    session_destroy(session);
    model_dir_close(dir);
}

// A memory in another order permutes α, the encoder's own maps with it, and says the
// same.
static void a_shuffled_memory_permutes_the_maps(void **state)
{
    const struct map_choice choice = {MAP_ENCODER, 1, 0};
    struct edit edit = {
        .kind = EDIT_SHUFFLE, .row = EDIT_ALL, .column = EDIT_ALL, .seed = 7};
    struct edits edits = {0};
    (void)state;
    assert_true(edits_add(&edits, &edit, NULL));
    struct model_dir *dir = opened(SEPARATE);
    struct session *session = open_session(dir);
    struct alignment *plain = session_run(session, "we jump", 7, run_at(1), NULL);
    session_edit(session, &edits);
    struct alignment *moved = session_run(session, "we jump", 7, run_at(1), NULL);
    struct alignment *self = map_view(plain, choice, NULL);
    struct alignment *self_moved = map_view(moved, choice, NULL);
    int n = plain->n_src, changed = 0;
    for (int i = 0; i < n; i++) {
        changed += moved->order[i] != i;
        assert_int_equal(moved->target[0].id, plain->target[0].id);
        assert_float_equal(moved->alpha[i], plain->alpha[moved->order[i]], 1e-5f);
        for (int k = 0; k < n; k++)
            assert_float_equal(self_moved->alpha[i * n + k],
                               self->alpha[moved->order[i] * n + moved->order[k]], 0);
    }
    assert_true(changed > 0);
    alignment_destroy(self_moved);
    alignment_destroy(self);
    alignment_destroy(moved);
    alignment_destroy(plain);
    session_destroy(session);
    edits_finish(&edits);
    model_dir_close(dir);
}

// An edit of a cell holds in every head of every layer, so in their mean.
static void an_edit_is_one_of_every_head(void **state)
{
    struct edit edit = {.kind = EDIT_CELL, .row = 1, .column = 2, .value = 0.75f};
    struct edits edits = {0};
    (void)state;
    assert_true(edits_add(&edits, &edit, NULL));
    struct model_dir *dir = opened(OPUS);
    struct session *session = open_session(dir);
    session_edit(session, &edits);
    struct alignment *a = session_run(session, "we jump", 7, run_at(1), NULL);
    assert_float_equal(a->alpha[a->n_src + 2], 0.75f, 1e-6f);
    for (int l = 0; l < 2; l++)
        for (int h = 0; h < 2; h++)
            assert_float_equal(maps_alpha(a->maps, MAP_CROSS, l, h, 1)[2], 0.75f, 1e-6f);
    alignment_destroy(a);
    session_destroy(session);
    edits_finish(&edits);
    model_dir_close(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sentence_needs_positions),
        cmocka_unit_test(ids_come_from_the_vocabulary_alone),
        cmocka_unit_test(a_translation_is_joined_from_pieces),
        cmocka_unit_test(every_way_to_decode_keeps_the_same_maps),
        cmocka_unit_test(a_beam_keeps_the_caches_apart),
        cmocka_unit_test(heads_are_read_again),
        cmocka_unit_test(a_shuffled_memory_permutes_the_maps),
        cmocka_unit_test(an_edit_is_one_of_every_head),
    };
    return cmocka_run_group_tests_name("transformer session", tests, NULL, NULL);
}
