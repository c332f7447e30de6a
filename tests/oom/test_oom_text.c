// SPDX-License-Identifier: MIT
// C++ memory that runs out under the tokenizer: with every limit, the work must end well
// or in an error value. And: decoding takes no memory from step to step.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "faults.h"
#include "new.h"
#include "tiny_model.h"
#include "translate/translator.h"

enum { LIMIT_MAX = 64 * 1024 * 1024 };

static struct tiny tiny;
static const char text[] = "a b aa \xc3\xa9 \xf0\x9f\x98\x80";

typedef bool operation(struct error *err);

static bool open_tokenizer(struct error *err)
{
    char path[] = "/tmp/alphascope-oom-XXXXXX";
    int fd = mkstemp(path);
    if (fd < 0)
        return false;
    close(fd);
    static struct made_spm spm;
    spm.size = 0;
    made_specials(&spm);
    made_piece(&spm, "a", 1, -1, SPM_NORMAL);
    made_byte_pieces(&spm);
    made_write(spm.bytes, spm.size, path);
    struct tokenizer *tokenizer = tokenizer_open(path, err);
    unlink(path);
    tokenizer_close(tokenizer);
    return tokenizer != NULL;
}

static bool open_bundled(struct error *err)
{
    char path[4096];
    const char *root = getenv("ALPHASCOPE_DATA");
    snprintf(path, sizeof path, "%s/models/en-fr-bahdanau/source.spm", root ? root : ".");
    struct tokenizer *tokenizer = tokenizer_open(path, err);
    tokenizer_close(tokenizer);
    return tokenizer != NULL;
}

static bool encode(struct error *err)
{
    struct token tokens[64];
    int count = 0;
    return tokenizer_encode(tiny.tokenizer, text, sizeof text - 1, tokens, 64, &count,
                            err) &&
           count > 5;
}

// The longest text, every byte of it a token.
static bool encode_much(struct error *err)
{
    static char much[TEXT_MAX_BYTES];
    struct token tokens[64];
    int count = 0;
    for (int i = 0; i < TEXT_MAX_BYTES; i++)
        much[i] = "bc "[i % 3];
    return tokenizer_encode_first(tiny.tokenizer, much, sizeof much, tokens, 64, &count,
                                  err) &&
           count > 1000;
}

static bool decode(struct error *err)
{
    static const int ids[] = {TINY_A,           TINY_B, 3, TINY_AA, TINY_BYTES + 0xc3,
                              TINY_BYTES + 0xa9};
    struct buf out;
    buf_init(&out, 1000);
    bool ok = tokenizer_decode(tiny.tokenizer, ids, 6, &out, err) && out.length > 5;
    buf_finish(&out);
    return ok;
}

// Limits grow by a tenth, from nothing, until one is not met.
static void try_every_limit(operation *run)
{
    int refused = 0;
    for (size_t limit = 0; limit < LIMIT_MAX; limit += limit / 10 + 8) {
        struct error err = {0};
        new_limit(limit);
        bool ok = run(&err);
        bool met = new_unlimit();
        if (met && !ok && (err.code != ERR_NOMEM || !err.text[0]))
            fail_msg("limit %zu: code %d: '%s'", limit, (int)err.code, err.text);
        assert_int_equal(ok, !met);
        refused += met;
        if (!met) {
            assert_true(refused > 10);
            return;
        }
    }
    fail_msg("no limit is enough");
}

static void opening_ends_well_or_in_an_error(void **state)
{
    (void)state;
    try_every_limit(open_tokenizer);
    try_every_limit(open_bundled);
}

static void encoding_ends_well_or_in_an_error(void **state)
{
    (void)state;
    try_every_limit(encode);
    try_every_limit(encode_much);
}

static void decoding_ends_well_or_in_an_error(void **state)
{
    (void)state;
    try_every_limit(decode);
}

static struct alignment *begin(struct session *session)
{
    struct alignment *a = session_begin(session, text, sizeof text - 1, run_at(1), NULL);
    assert_non_null(a);
    return a;
}

static void a_step_takes_no_memory(void **state)
{
    (void)state;
    tiny_says(&tiny, TINY_B);
    struct session *session = session_create(&tiny.translator, NULL);
    assert_non_null(session);
    struct alignment *a = begin(session);
    for (int t = 0; t + 1 < a->max_tgt; t++) {
        faults_arm(FAULT_MEMORY, 0, true);
        new_limit(0);
        bool more = session_step(session, a);
        bool asked = faults_disarm();
        asked |= new_unlimit();
        assert_true(more);
        assert_false(asked);
        assert_int_equal(alignment_rows(a), t + 1);
    }
    assert_false(session_step(session, a));
    assert_int_equal(alignment_ended(a), ENDED_LIMIT);
    alignment_destroy(a);
    session_destroy(session);
}

// The last step joins the words in C++; without memory their labels are joined instead.
static void the_last_step_survives_without_memory(void **state)
{
    (void)state;
    tiny_says(&tiny, TINY_A);
    struct session *session = session_create(&tiny.translator, NULL);
    assert_non_null(session);
    for (int kind = 0; kind < 2; kind++) {
        struct alignment *a = begin(session);
        while (alignment_rows(a) + 1 < a->max_tgt)
            session_step(session, a);
        if (kind == 0)
            faults_arm(FAULT_MEMORY, 0, true);
        else
            new_limit(0);
        assert_false(session_step(session, a));
        assert_true(kind == 0 ? faults_disarm() : new_unlimit());
        assert_int_equal(alignment_ended(a), ENDED_LIMIT);
        assert_memory_equal(a->translation, "a a a a", 7);
        assert_int_equal(strlen(a->translation), 2 * a->max_tgt - 1);
        alignment_destroy(a);
    }
    session_destroy(session);
}

// Memory that runs out while beginning is an error; while ending it is survived. Both
// leave the session fit for the next sentence.
static void a_session_goes_on_after_any_failure(void **state)
{
    (void)state;
    tiny_says(&tiny, 2);
    struct session *session = session_create(&tiny.translator, NULL);
    bool failed = false, met = true;
    for (size_t limit = 0; met && limit < LIMIT_MAX; limit += limit / 10 + 8) {
        struct error err = {0};
        new_limit(limit);
        struct alignment *a =
            session_run(session, text, sizeof text - 1, run_at(1), &err);
        met = new_unlimit();
        assert_true(a || (met && err.code == ERR_NOMEM));
        failed |= !a;
        alignment_destroy(a);
        a = session_run(session, "b", 1, run_at(1),
                        &err); // and drops the cached sentence
        assert_non_null(a);
        assert_string_equal(a->text, "b");
        alignment_destroy(a);
    }
    assert_true(failed && !met);
    session_destroy(session);
}

static int set_up(void **state)
{
    (void)state;
    return tiny_open(&tiny, SCORE_ADDITIVE) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    tiny_close(&tiny);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opening_ends_well_or_in_an_error),
        cmocka_unit_test(encoding_ends_well_or_in_an_error),
        cmocka_unit_test(decoding_ends_well_or_in_an_error),
        cmocka_unit_test(a_step_takes_no_memory),
        cmocka_unit_test(the_last_step_survives_without_memory),
        cmocka_unit_test(a_session_goes_on_after_any_failure),
    };
    return cmocka_run_group_tests_name("oom_text", tests, set_up, tear_down);
}
