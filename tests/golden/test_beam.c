// SPDX-License-Identifier: MIT
// Beam search against the same search in PyTorch's float64: the hypotheses, their order
// and their scores. beam.py makes the dumps.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agreement.h"
#include "engine/search.h"

enum { LINE_BYTES = 8192, MOST_IDS = 128 };
static const double bound = 1e-5;

struct line { // of a dump
    FILE *file;
    char text[LINE_BYTES];
    char *at;
};

static char *next_word(struct line *line)
{
    char *word = strtok_r(line->at, " \n", &line->at);
    assert_non_null(word);
    return word;
}

static int read_ids(struct line *line, int *ids)
{
    int count = 0;
    char *word;
    while ((word = strtok_r(line->at, " \n", &line->at))) {
        assert_true(count < MOST_IDS);
        ids[count++] = (int)strtol(word, NULL, 10);
    }
    return count;
}

// The next line's first word; NULL at the end.
static char *next_line(struct line *line)
{
    if (!fgets(line->text, sizeof line->text, line->file))
        return NULL;
    line->at = line->text;
    return next_word(line);
}

static void compare_result(struct line *line, const struct search *search, int index)
{
    int ids[MOST_IDS], nodes[MOST_IDS];
    const struct search_result *result = &search->results[index];
    assert_true(index < search->n_results);
    bool complete = strcmp(next_word(line), "complete") == 0;
    double log_p = strtod(next_word(line), NULL), score = strtod(next_word(line), NULL);
    int count = read_ids(line, ids);
    assert_int_equal(complete, result->complete);
    assert_int_equal(search->nodes[result->node].length, count);
    assert_int_equal(search_path(search, result, nodes), count);
    for (int t = 0; t < count; t++)
        assert_int_equal(search->nodes[nodes[t]].token, ids[t]);
    // log p is a sum of count numbers, the score of about one.
    assert_true(fabs(log_p - result->log_p) <= bound * count);
    assert_true(fabs(score - result->score) <= bound * (1 + fabs(score)));
}

static void run_search(struct line *line, const struct model_dir *dir)
{
    struct beam beam = {.width = (int)strtol(next_word(line), NULL, 10),
                        .length = strtof(next_word(line), NULL)};
    int limit = (int)strtol(next_word(line), NULL, 10), ids[MOST_IDS], index = 0;
    struct arena arena;
    struct encoding encoding;
    struct decoder decoder;
    struct search search;
    assert_string_equal(next_line(line), "source");
    int n_src = read_ids(line, ids);
    arena_init(&arena, 64 << 20);
    assert_true(encoder_run(&encoding, &arena, &dir->network, ids, n_src, NULL));
    assert_true(decoder_init(&decoder, &arena, &dir->network, &encoding, beam.width,
                             limit, run_at(1), NULL));
    assert_true(search_init(&search, &arena, &decoder, &beam, limit, 1, NULL));
    size_t used = arena.used_bytes;
    while (search_step(&search))
        continue;
    assert_int_equal(arena.used_bytes, used);
    for (; strcmp(next_line(line), "result") == 0; index++)
        compare_result(line, &search, index);
    assert_int_equal(index, search.n_results);
    arena_finish(&arena);
}

static void searches_agree(void **state)
{
    const char *name = *state;
    static struct line line;
    char path[4096], *word;
    int searches = 0;
    struct model_dir *dir = agree_open(strncmp(name, "en-fr", 5) ? "models" : NULL, name);
    snprintf(path, sizeof path, "%s/golden/beams/%s.txt", ALPHASCOPE_TESTS, name);
    line.file = fopen(path, "r");
    assert_non_null(line.file);
    for (; (word = next_line(&line)); searches++) {
        assert_string_equal(word, "search");
        run_search(&line, dir);
    }
    fclose(line.file);
    model_dir_close(dir);
    assert_true(searches >= 5);
}

int main(void)
{
    static char names[][32] = {"en-fr-bahdanau", "tiny-additive-f32",
                               "family-coverage-concat", "family-marian-lstm"};
    struct CMUnitTest tests[4] = {{0}};
    for (int i = 0; i < 4; i++)
        tests[i] = (struct CMUnitTest){
            .name = names[i], .test_func = searches_agree, .initial_state = names[i]};
    return cmocka_run_group_tests_name("beam", tests, NULL, NULL);
}
