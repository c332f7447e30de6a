// SPDX-License-Identifier: MIT
// Tokenised text put back as people write it, and where its tokens went.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "evaluate/natural.h"

enum { MOST = 32, ROOM = 256 };

static const struct {
    const char *language, *tokens, *text;
} rows[] = {
    {"fr", "l' heure , c' est midi .", "l'heure, c'est midi."},
    {"fr", "o\xc3\xb9 est - il ?", "o\xc3\xb9 est-il ?"},
    {"fr", "il dit : \" non ! \" et part ;", "il dit : \"non !\" et part ;"},
    {"fr", "( oui ) ...", "(oui)..."},
    {"en", "it 's a cat , is n't it ?", "it's a cat, isn't it?"},
    {"en", "he said : \" no ! \" twice", "he said: \"no!\" twice"},
    {"en", "10 % [ of all ] ; well - known", "10% [of all]; well-known"},
    {"en", "' quoted '", "' quoted '"},
    {"de", "ja , nein !", "ja, nein!"},
    {"", "a", "a"},
    {"fr", "'", "'"},
    {"fr", "", ""},
};

static void tokens_are_joined_as_people_write(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct natural_word words[MOST];
        char out[ROOM];
        size_t length = 0;
        natural_join(rows[i].tokens, strlen(rows[i].tokens), rows[i].language, out,
                     &length, words, MOST);
        assert_string_equal(out, rows[i].text);
        assert_int_equal(length, strlen(out));
    }
}

static void every_token_is_where_it_is_said_to_be(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct natural_word words[MOST];
        char out[ROOM];
        size_t length = 0, at = 0, size = strlen(rows[i].tokens);
        int n = natural_join(rows[i].tokens, size, rows[i].language, out, &length, words,
                             MOST);
        for (int w = 0; w < n; w++) {
            size_t end = at + strcspn(rows[i].tokens + at, " ");
            assert_int_equal(words[w].end - words[w].begin, end - at);
            assert_memory_equal(out + words[w].begin, rows[i].tokens + at, end - at);
            at = end + 1;
        }
        assert_true(at >= size);
    }
}

static void more_tokens_than_room_are_counted(void **state)
{
    (void)state;
    struct natural_word words[2] = {{7, 7}, {7, 7}};
    char out[ROOM];
    size_t length = 0;
    assert_int_equal(natural_join("a b c", 5, "en", out, &length, words, 1), 3);
    assert_int_equal(words[1].begin, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens_are_joined_as_people_write),
        cmocka_unit_test(every_token_is_where_it_is_said_to_be),
        cmocka_unit_test(more_tokens_than_room_are_counted),
    };
    return cmocka_run_group_tests_name("natural", tests, NULL, NULL);
}
