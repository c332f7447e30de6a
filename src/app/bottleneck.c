// SPDX-License-Identifier: MIT
// The bottleneck's models, sample and sums. See bottleneck.h; the page is drawn in
// bottleneck_page.c.
//
// Longer sources are made as the training recipe makes them: k sentences of the sample
// joined. Units are ordered so that all points of both curves grow together.
#include "app/bottleneck.h"

#include <stdio.h>
#include <string.h>

#include "app/state.h"
#include "base/file.h"

enum { SAMPLE_MAX_BYTES = 256 << 10, ARENA_MAX_BYTES = 8 << 20 };

void bottleneck_finish(struct bottleneck *bottleneck)
{
    arena_finish(&bottleneck->arena);
    arena_finish(&bottleneck->joined);
}

// The first model of each kind that has a curve in its report.
static bool find_models(struct app *app, struct error *err)
{
    struct bottleneck *b = &app->bottleneck;
    int group[LIBRARY_MAX];
    int count = library_group(&app->library, app->model, group, LIBRARY_MAX);
    b->model[CURVE_NONE] = b->model[CURVE_ATTENTION] = NOWHERE;
    for (int i = 0; i < count; i++) {
        const struct model_listing *listing = &app->library.entries[group[i]].listing;
        int curve = listing->config.score == SCORE_NONE ? CURVE_NONE : CURVE_ATTENTION;
        struct report report;
        if (b->model[curve] >= 0)
            continue;
        if (!report_read(&report, listing->path, err))
            return false;
        if (!report.count)
            continue;
        b->model[curve] = group[i];
        b->report[curve] = report;
        if (curve == CURVE_NONE)
            b->dim = model_summary_width(&listing->config);
    }
    if (b->model[CURVE_NONE] < 0 || b->model[CURVE_ATTENTION] < 0)
        return fail_with(
            err, ERR_USAGE,
            "these models have no curve of BLEU by length in report.json, one "
            "with and one without attention");
    return true;
}

// Lines of the sample: source TAB reference. Others are passed over.
static void split_sample(struct bottleneck *b, char *text)
{
    for (char *line = text; *line && b->n_sample < BOTTLENECK_SAMPLE;) {
        char *end = line + strcspn(line, "\n"),
             *tab = memchr(line, '\t', (size_t)(end - line));
        char *next = *end ? end + 1 : end;
        *end = '\0';
        if (tab) {
            *tab = '\0';
            b->source[b->n_sample] = line;
            b->reference[b->n_sample++] = tab + 1;
        }
        line = next;
    }
}

static bool read_sample(struct app *app, struct error *err)
{
    struct bottleneck *b = &app->bottleneck;
    char assets[4096], path[4400];
    const char *languages = app->library.entries[app->model].listing.config.languages;
    if (b->n_sample && !strcmp(b->languages, languages))
        return true;
    worker_measure(app->worker, NULL, 0); // its texts are about to change
    b->n_sample = 0;
    b->run = 0;
    snprintf(b->languages, sizeof b->languages, "%s", languages);
    if (!b->arena.max_bytes) {
        arena_init(&b->arena, ARENA_MAX_BYTES);
        arena_init(&b->joined, ARENA_MAX_BYTES);
    }
    arena_reset(&b->arena);
    if (!data_path("assets", assets, sizeof assets))
        return fail_with(err, ERR_IO, "the assets folder was not found");
    snprintf(path, sizeof path, "%s/samples/%s.tsv", assets, languages);
    struct buf file;
    buf_init(&file, SAMPLE_MAX_BYTES);
    bool ok = file_read(path, &file, err);
    char *text = ok ? arena_copy(&b->arena, buf_text(&file), file.length) : NULL;
    buf_finish(&file);
    if (text)
        split_sample(b, text);
    if (ok && b->n_sample < BOTTLENECK_LENGTHS)
        ok = fail_with(err, ERR_FORMAT, "%s: has %d pairs, expected at least %d", path,
                       b->n_sample, BOTTLENECK_LENGTHS);
    return ok;
}

// k consecutive lines of the sample, from `first`, as one.
static const char *join(struct bottleneck *b, const char *const *lines, int first, int k)
{
    struct buf joined;
    buf_init(&joined, TEXT_MAX_BYTES);
    for (int i = 0; i < k; i++) {
        if (i)
            buf_add(&joined, " ");
        buf_add(&joined, lines[(first + i) % b->n_sample]);
    }
    const char *text = arena_copy(&b->joined, buf_text(&joined), joined.length);
    buf_finish(&joined);
    return text ? text : "";
}

static int count_words(const char *text)
{
    int words = 0;
    for (size_t at = strspn(text, " "); text[at]; at += strspn(text + at, " ")) {
        words++;
        at += strcspn(text + at, " ");
    }
    return words;
}

static void build_units(struct app *app)
{
    struct bottleneck *b = &app->bottleneck;
    int n = 0;
    worker_measure(app->worker, NULL, 0); // the units are about to change
    arena_reset(&b->joined);
    memset(b->words, 0, sizeof b->words);
    for (int group = 0; group < BOTTLENECK_GROUPS; group++)
        for (int k = 0; k < BOTTLENECK_LENGTHS; k++) {
            int first = (group * BOTTLENECK_LENGTHS + k * (k + 1) / 2) % b->n_sample;
            const char *text = join(b, b->source, first, k + 1);
            const char *reference = join(b, b->reference, first, k + 1);
            b->words[k] += (float)count_words(text) / BOTTLENECK_GROUPS;
            for (int curve = 0; curve < CURVES; curve++)
                b->units[n++] = (struct measure_unit){
                    .target = {&app->library.entries[b->model[curve]].translator,
                               b->model[curve]},
                    .text = text,
                    .reference = reference,
                    .tag = curve * BOTTLENECK_LENGTHS + k};
        }
}

// Both models are asked for when the page opens, so that they are there when needed.
static void open_models(struct app *app)
{
    for (int curve = 0; curve < CURVES; curve++)
        if (!app->library.entries[app->bottleneck.model[curve]].dir)
            app_ask_for(app, app->bottleneck.model[curve]);
}

bool bottleneck_open(struct app *app, struct error *err)
{
    if (app->model < 0)
        return fail_with(err, ERR_USAGE, "no model is open");
    if (!find_models(app, err) || !read_sample(app, err))
        return false;
    open_models(app);
    app->bottleneck.open = true;
    return true;
}

void bottleneck_close(struct app *app)
{
    app->bottleneck.open = false;
    if (bottleneck_busy(app)) {
        worker_measure(app->worker, NULL, 0);
        app->bottleneck.run = 0;
    }
}

bool bottleneck_measure(struct app *app, struct error *err)
{
    struct bottleneck *b = &app->bottleneck;
    for (int curve = 0; curve < CURVES; curve++)
        if (!app->library.entries[b->model[curve]].dir) {
            app_ask_for(app, b->model[curve]);
            return fail_with(err, ERR_USAGE,
                             "the models are still being opened: try again in a moment");
        }
    if (!b->run) // also after another group of models
        build_units(app);
    memset(b->sums, 0, sizeof b->sums);
    b->measured = 0;
    b->run = worker_measure(app->worker, b->units, BOTTLENECK_UNITS);
    return true;
}

void bottleneck_take(struct app *app, const struct worker_event *event)
{
    struct bottleneck *b = &app->bottleneck;
    if (event->run != b->run)
        return;
    int curve = event->tag / BOTTLENECK_LENGTHS, k = event->tag % BOTTLENECK_LENGTHS;
    bleu_sum(&b->sums[curve][k], &event->bleu);
    b->measured++;
}

bool bottleneck_busy(const struct app *app)
{
    const struct bottleneck *b = &app->bottleneck;
    return b->run && b->measured < BOTTLENECK_UNITS;
}

bool bottleneck_uses(struct app *app, int entry)
{
    struct bottleneck *b = &app->bottleneck;
    bool measures = false;
    for (int i = 0; b->run && i < BOTTLENECK_UNITS; i++)
        measures = measures || b->units[i].target.slot == entry;
    if (b->open)
        return measures || b->model[CURVE_NONE] == entry ||
               b->model[CURVE_ATTENTION] == entry;
    if (measures)
        b->run = 0; // the page is closed: nothing is being measured
    return false;
}
