// SPDX-License-Identifier: MIT
// See agreement.h.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "agreement.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ARENA = 16 << 20 };

void agree_values(struct agreement *run, const char *what, const float *got,
                  const float *want, int n)
{
    double largest = run->least;
    for (int i = 0; i < n; i++)
        if (isfinite(want[i]))
            largest = fmax(largest, fabs((double)want[i]));
    assert_true(largest > 0);
    for (int i = 0; i < n; i++) {
        if (isinf(want[i])) { // masked
            assert_true(got[i] <= -1e30F);
            continue;
        }
        double difference = fabs((double)got[i] - (double)want[i]) / largest;
        if (!(difference <= run->bound))
            fail_msg("%s (%s), sentence %d, tau %g, step %d: %s[%d] is %.7g, %s has "
                     "%.7g: %.2g of the largest magnitude",
                     run->dump.name, run->kernels->name, run->sentence, run->tau,
                     run->step, what, i, (double)got[i], run->reference, (double)want[i],
                     difference);
        run->worst = fmax(run->worst, difference);
    }
}

void agree_line(struct agreement *run, const char *word, const float *got, int n)
{
    float want[DUMP_MAX_VALUES];
    assert_int_equal(dump_floats(dump_expect(&run->dump, word), want), n);
    agree_values(run, word, got, want, n);
}

int agree_memory(struct agreement *run)
{
    float want[DUMP_MAX_VALUES];
    int m = model_memory_width(&run->dir->network.config), count = 0, row = -1, at;
    char *rest, name[32];
    for (; (rest = dump_after(&run->dump, "memory")); count++) {
        int least = row + 1;
        assert_int_equal(sscanf(rest, "%d %n", &row, &at), 1);
        assert_in_range(row, least, run->encoding.n_src - 1);
        assert_int_equal(dump_floats(rest + at, want), m);
        snprintf(name, sizeof name, "memory %d", row);
        agree_values(run, name, run->encoding.memory + row * m, want, m);
        assert_true(dump_next(&run->dump));
    }
    return count;
}

// The five best of a step, and the best.
static void compare_top(struct agreement *run)
{
    int want_ids[5], ids[5];
    float want[5], log_p[5];
    char *text = dump_expect(&run->dump, "top");
    assert_int_equal(sscanf(text, "%d:%f %d:%f %d:%f %d:%f %d:%f", &want_ids[0], &want[0],
                            &want_ids[1], &want[1], &want_ids[2], &want[2], &want_ids[3],
                            &want[3], &want_ids[4], &want[4]),
                     10);
    decoder_top(&run->decoder, 0, 5, ids, log_p);
    agree_values(run, "top log p", log_p, want, 5);
    // By id as well: where two are nearly equal their order may differ.
    for (int i = 0; i < 5; i++)
        log_p[i] = run->decoder.logits[want_ids[i]] - run->decoder.log_sum[0];
    agree_values(run, "log p by id", log_p, want, 5);
    assert_int_equal(ids[0], decoder_best(&run->decoder, 0));
}

static void compare_tokens(struct agreement *run, const char *text, const int *ids, int n)
{
    const struct model_config *config = &run->dir->network.config;
    struct token tokens[DUMP_MAX_VALUES];
    struct error err = {0};
    int count;
    if (!tokenizer_encode(run->dir->source, text, strlen(text), tokens, DUMP_MAX_VALUES,
                          &count, &err))
        fail_msg("%s: %s", run->dump.name, err.text);
    assert_int_equal(count, config->source_eos ? n - 1 : n);
    for (int i = 0; i < count; i++)
        assert_int_equal(tokens[i].id, ids[i]);
    if (config->source_eos)
        assert_int_equal(ids[n - 1], config->source_eos_id);
}

void agree_read(struct agreement *run)
{
    assert_int_equal(sscanf(run->dump.line, "sentence %lf", &run->tau), 1);
    run->sentence++;
}

void agree_begin(struct agreement *run)
{
    char text[DUMP_MAX_LINE];
    int ids[DUMP_MAX_VALUES], at = 0;
    struct error err = {0};
    assert_int_equal(sscanf(run->dump.line, "sentence %*f %n", &at), 0);
    snprintf(text, sizeof text, "%s", run->dump.line + at);
    int n = dump_ids(dump_expect(&run->dump, "source"), ids);
    compare_tokens(run, text, ids, n);
    arena_reset(&run->arena);
    if (!encoder_run_with(run->kernels, &run->encoding, &run->arena, &run->dir->network,
                          ids, n, &err) ||
        !decoder_init(&run->decoder, &run->arena, &run->dir->network, &run->encoding, 1,
                      run->most_steps, run_at((float)run->tau), &err))
        fail_msg("%s: %s", run->dump.name, err.text);
    run->decoder.kernels = run->kernels;
    run->step = 0;
    assert_true(dump_next(&run->dump));
}

void agree_steps(struct agreement *run, void (*compare)(struct agreement *run))
{
    for (; strcmp(run->dump.line, "end") != 0; assert_true(dump_next(&run->dump))) {
        int want;
        assert_int_equal(sscanf(run->dump.line, "step %d", &want), 1);
        decoder_step(&run->decoder);
        compare(run);
        compare_top(run);
        int best = decoder_best(&run->decoder, 0);
        if (best != want)
            fail_msg("%s (%s), sentence %d, tau %g, step %d: token %d, %s has %d",
                     run->dump.name, run->kernels->name, run->sentence, run->tau,
                     run->step, best, run->reference, want);
        decoder_feed(&run->decoder, want);
        run->step++;
        run->steps++;
    }
    assert_true(run->step > 0);
}

void agree_model(struct agreement *run, const char *folder, struct model_dir *dir,
                 void (*compare)(struct agreement *run))
{
    char path[4096];
    snprintf(path, sizeof path, "%s/golden/%s/%s.txt", ALPHASCOPE_TESTS, folder,
             run->dump.name);
    run->dump.file = fopen(path, "r");
    assert_non_null(run->dump.file);
    run->dir = dir;
    arena_init(&run->arena, ARENA);
    while (dump_next(&run->dump))
        compare(run);
    arena_finish(&run->arena);
    model_dir_close(dir);
    fclose(run->dump.file);
}

double agree_bound(const struct kernels *kernels)
{
    return strcmp(kernels->name, "avx512") ? 1e-5 : 2e-5;
}

struct model_dir *agree_open(const char *folder, const char *model)
{
    char root[4096], path[4200];
    struct error err = {0};
    if (folder)
        snprintf(root, sizeof root, "%s/golden/%s", ALPHASCOPE_TESTS, folder);
    else
        assert_true(data_path("models", root, sizeof root));
    snprintf(path, sizeof path, "%s/%s", root, model);
    struct model_dir *dir = model_dir_open(path, &err);
    if (!dir)
        fail_msg("%s", err.text);
    return dir;
}

static int is_dump(const struct dirent *item)
{
    const char *dot = strrchr(item->d_name, '.');
    return dot && strcmp(dot, ".txt") == 0;
}

void agree_find(struct agree_models *models, const char *folder)
{
    char path[4096];
    struct dirent **items = NULL;
    snprintf(path, sizeof path, "%s/golden/%s", ALPHASCOPE_TESTS, folder);
    int count = scandir(path, &items, is_dump, alphasort);
    for (int i = 0; i < count; i++) {
        if (i < AGREE_MOST_MODELS)
            snprintf(models->name[i], sizeof models->name[i], "%.*s",
                     (int)strlen(items[i]->d_name) - 4, items[i]->d_name);
        free(items[i]);
    }
    free(items);
    models->count = count < AGREE_MOST_MODELS ? count : AGREE_MOST_MODELS;
}

static void (*compare_model)(const char *model, const struct kernels *kernels);

static void plain_kernels_agree(void **state)
{
    compare_model(*state, &kernels_plain);
}

static void best_kernels_agree(void **state)
{
    compare_model(*state, kernels_best());
}

int agree_run(const char *group, struct agree_models *models,
              const struct CMUnitTest *first, size_t n_first,
              void (*compare)(const char *model, const struct kernels *kernels))
{
    static char names[2 * AGREE_MOST_MODELS][96];
    size_t count = n_first, all = n_first + 2 * (size_t)models->count;
    struct CMUnitTest *tests = calloc(all, sizeof *tests);
    if (!tests)
        return 1;
    compare_model = compare;
    memcpy(tests, first, n_first * sizeof *first);
    for (int i = 0; i < 2 * models->count; i++, count++) {
        bool plain = i % 2 == 0;
        snprintf(names[i], sizeof names[i], "%s, %s kernels", models->name[i / 2],
                 plain ? "plain" : "best");
        tests[count].name = names[i];
        tests[count].test_func = plain ? plain_kernels_agree : best_kernels_agree;
        tests[count].initial_state = models->name[i / 2];
    }
    int failed = _cmocka_run_group_tests(group, tests, count, NULL, NULL);
    free(tests);
    return failed;
}
