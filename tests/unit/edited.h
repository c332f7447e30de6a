// SPDX-License-Identifier: MIT
// Sessions of the bundled scorers, their sentences edited. Include after cmocka.h.
#pragma once

#include <string.h>

#include "align/edit_line.h"
#include "bundled.h"

static const char text[] = "The black cat sleeps in the garden.";
static const char *const models[] = {"en-fr-bahdanau", "en-fr-luong-dot",
                                     "en-fr-luong-general", "en-fr-luong-concat"};
enum { MODELS = sizeof models / sizeof *models };

struct fixture {
    struct model_dir *dir[MODELS];
    struct session *session[MODELS];
    struct edits edits;
};

static inline int set_up(void **state)
{
    static struct fixture fixture;
    for (int i = 0; i < MODELS; i++) {
        struct model_dir *dir = fixture.dir[i] = open_bundled(models[i]);
        if (!dir)
            return -1;
        fixture.session[i] = open_session(dir);
    }
    *state = &fixture;
    return 0;
}

static inline int tear_down(void **state)
{
    struct fixture *fixture = *state;
    for (int i = 0; i < MODELS; i++) {
        session_destroy(fixture->session[i]);
        model_dir_close(fixture->dir[i]);
    }
    return 0;
}

static inline int forget(void **state)
{
    struct fixture *fixture = *state;
    edits_finish(&fixture->edits);
    for (int i = 0; i < MODELS; i++)
        session_edit(fixture->session[i], NULL);
    return 0;
}

static inline void add_to(struct edits *edits, const char *line)
{
    static struct edit_room room;
    const struct edit_here nowhere = {-1, -1};
    struct edit edit;
    struct error err = {0};
    if (!edit_parse(line, nowhere, &edit, &room, &err) || !edits_add(edits, &edit, &err))
        fail_msg("%s: %s", line, err.text);
}

static inline struct alignment *run(struct session *session, const struct edits *edits,
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

static inline const float *row_of(const struct alignment *a, int t)
{
    return a->alpha + (size_t)t * (size_t)a->n_src;
}

static inline void expect_sums(const struct alignment *a)
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
static inline void expect_same_before(const struct alignment *a,
                                      const struct alignment *b, int t)
{
    size_t n = (size_t)a->n_src * (size_t)t * sizeof(float);
    assert_memory_equal(a->score, b->score, n);
    assert_memory_equal(a->alpha, b->alpha, n);
    assert_memory_equal(a->p, b->p, (size_t)t * sizeof(float));
    for (int i = 0; i < t; i++)
        assert_int_equal(a->target[i].id, b->target[i].id);
}

static inline void expect_same(const struct alignment *a, const struct alignment *b)
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

#define CASE(name) cmocka_unit_test_teardown(name, forget)
