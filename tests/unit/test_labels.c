// SPDX-License-Identifier: MIT
// The words at the axes: what was typed, and what the decoder says, whatever it is. What
// was typed is cut by tests/unit/vocabularies, which knows many words and not every
// character, or by a vocabulary of bytes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sessions.h"
#include "text/utf8.h"

// The tiny network with as many source words as the vocabulary has.
static struct session *open_worded(const struct fixture *fixture, struct tokenizer *words)
{
    static struct network network;
    static float embeddings[1 << 16];
    network = fixture->tiny.network;
    int rows = tokenizer_size(words), cols = network.config.source_embedding;
    assert_true((size_t)rows * (size_t)cols <= sizeof embeddings / sizeof *embeddings);
    network.config.source_vocab = rows;
    network.src_embed = (struct tensor){embeddings, DTYPE_F32, rows, cols, 0};
    const struct translator worded = {"worded", &network, words, fixture->tiny.tokenizer};
    return session_create(&worded, NULL);
}

struct label_case {
    const char *text;
    int at;
    const char *shown;
    bool unknown, joined;
};

static void assert_labelled(struct session *session, const struct label_case *want)
{
    struct alignment *a =
        session_begin(session, want->text, strlen(want->text), run_at(1), NULL);
    assert_non_null(a);
    assert_in_range(want->at, 0, a->n_src - 2);
    const struct label *label = &a->source[want->at];
    assert_string_equal(label->text, want->shown);
    assert_int_equal(label->unknown, want->unknown);
    assert_int_equal(label->joined, want->joined);
    alignment_destroy(a);
}

static void source_labels_keep_what_was_typed(void **state)
{
    struct fixture *fixture = *state;
    struct tokenizer *words =
        tokenizer_open(ALPHASCOPE_TESTS "/unit/vocabularies/source.spm", NULL);
    assert_non_null(words);
    struct session *session = open_worded(fixture, words);
    assert_non_null(session);
    static const struct label_case cases[] = {
        {"\xe6\xbc\xa2\xe5\xad\x97", 1, "\xe6\xbc\xa2\xe5\xad\x97", true, true},
        {"\xe6\xbc\xa2\xe5\xad\x97", 0, "\xe2\x90\xa3", false, false},
        {"ok \xf0\x9f\x98\x80", 2, "\xf0\x9f\x98\x80", true, true},
        {"x \xc2\xbd", 2, "1", false, false},
        {"x \xc2\xbd", 3, "\xc2\xbd", true, true},
        {"x \xc2\xbd", 4, "\xc2\xbd", false, true},
        {"x\xcc\xa7", 2, "\xe2\x97\x8c\xcc\xa7", true, true},
        {"a\xe2\x80\x8d"
         "b",
         1, "U+200D", true, true},
        {"\xef\xbc\xa1\xef\xbc\xa2", 0, "\xef\xbc\xa1", false, false},
        {"  \xef\xbd\x83\xef\xbd\x81\xef\xbd\x94  ", 0,
         "\xef\xbd\x83\xef\xbd\x81\xef\xbd\x94", false, false},
        {"\xe2\x80\xa6", 1, ".", false, true},
        {"\xe2\x80\xa6", 3, "\xe2\x80\xa6", false, true},
        {"the the", 1, "the", false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_labelled(session, &cases[i]);
    session_destroy(session);
    tokenizer_close(words);
}

static void bytes_are_shown_before_their_character(void **state)
{
    struct fixture *fixture = *state;
    static const struct label_case cases[] = {
        {"a \xe6\xbc\xa2", 1, "\xe2\x90\xa3", false, false},
        {"a \xe6\xbc\xa2", 2, "0xE6", false, true},
        {"a \xe6\xbc\xa2", 3, "0xBC", false, true},
        {"a \xe6\xbc\xa2", 4, "\xe6\xbc\xa2", false, true},
        {"ab\xc3\xa9", 3, "\xc3\xa9", false, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_labelled(fixture->tiny_session, &cases[i]);
}

static void labels_are_always_valid_text(void **state)
{
    struct fixture *fixture = *state;
    uint32_t seed = 99;
    for (int round = 0; round < (SANITIZED ? 40 : 300); round++) {
        char bytes[96], text[512];
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (char)((seed = seed * 1664525u + 1013904223u) >> 24);
        size_t n = utf8_clean(text, sizeof text, bytes, sizeof bytes, NULL);
        struct error err;
        struct session *session = round % 2 ? fixture->tiny_session : fixture->session;
        struct alignment *a = session_begin(session, text, n, run_at(1), &err);
        assert_non_null(a);
        session_step(session, a);
        session_cancel(session, a);
        for (int s = 0; s < a->n_src; s++) {
            assert_true(a->source[s].text[0] != '\0');
            assert_true(utf8_valid(a->source[s].text, strlen(a->source[s].text)));
            assert_true(a->source[s].end <= (int)n);
        }
        assert_true(utf8_valid(a->target[0].text, strlen(a->target[0].text)));
        alignment_destroy(a);
    }
}

static void what_the_decoder_says_is_shown_honestly(void **state)
{
    struct fixture *fixture = *state;
    static const struct {
        int id;
        const char *shown;
        bool special, unknown, joined;
    } cases[] = {
        {2, "\xe2\x8f\x8e", true, false, false},
        {1, "<s>", true, false, false},
        {3, "<unk>", false, true, true},
        {TINY_SPACE, "\xe2\x90\xa3", false, false, false},
        {TINY_A, "a", false, false, false},
        {TINY_B, "b", false, false, true},
        {TINY_MARK, "\xe2\x97\x8c\xcc\x81", false, false, true},
        {TINY_BYTES + 0xe9, "0xE9", false, false, true},
        {TINY_BYTES, "0x00", false, false, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tiny_says(&fixture->tiny, cases[i].id);
        struct alignment *a = run(fixture->tiny_session, "a b", 1.0f);
        int last = alignment_rows(a) - 1;
        assert_int_equal(a->target[last].id, cases[i].id);
        assert_string_equal(a->target[last].text, cases[i].shown);
        assert_int_equal(a->target[last].special, cases[i].special);
        assert_int_equal(a->target[last].unknown, cases[i].unknown);
        assert_int_equal(a->target[last].joined, cases[i].joined);
        assert_false(a->target[0].joined);
        assert_true(utf8_valid(a->translation, strlen(a->translation)));
        alignment_destroy(a);
    }
}

static void an_id_that_the_tokenizer_lacks_is_unknown(void **state)
{
    struct fixture *fixture = *state;
    // Thousands of words for a tokenizer of 265.
    const struct translator swapped = {"swapped", &fixture->dir->network,
                                       fixture->dir->source, fixture->tiny.tokenizer};
    struct session *session = session_create(&swapped, NULL);
    struct alignment *a = run(session, "The black cat sleeps.", 1.0f);
    bool seen = false;
    for (int t = 0; t < alignment_rows(a); t++) {
        bool lacking = a->target[t].id >= TINY_VOCAB;
        seen |= lacking;
        assert_true(!lacking || a->target[t].unknown);
        assert_true(a->target[t].text[0] != '\0');
    }
    assert_true(seen);
    assert_true(a->translation[0] != '\0'); // joined from the labels
    alignment_destroy(a);
    session_destroy(session);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(source_labels_keep_what_was_typed),
        cmocka_unit_test(bytes_are_shown_before_their_character),
        cmocka_unit_test(labels_are_always_valid_text),
        cmocka_unit_test(what_the_decoder_says_is_shown_honestly),
        cmocka_unit_test(an_id_that_the_tokenizer_lacks_is_unknown),
    };
    return cmocka_run_group_tests_name("labels", tests, set_up, tear_down);
}
