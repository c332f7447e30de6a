// SPDX-License-Identifier: MIT
// See reveal.h.
#include "app/reveal.h"

#include <math.h>
#include <string.h>

#include "app/state.h"

static const float slowest = 0.25f, fastest = 4;

static int all_rows(const struct app *app)
{
    int rows = app->show.rows;
    for (int i = 0; i < app->rivals.count; i++) {
        int rival = app->rivals.list[i]->show.rows;
        rows = rival > rows ? rival : rows;
    }
    return rows;
}

static int shown_rows(const struct app *app)
{
    int all = all_rows(app);
    return app->reveal.rows < all ? app->reveal.rows : all;
}

// Merged pieces are selected as one: by the first.
static int begin_of_word(const struct app *app, int row)
{
    const struct alignment *now = app->show.now;
    bool merged = app->look.lens.merge != LENS_PIECES;
    while (merged && now && row > 0 && row < app->show.rows && now->target[row].joined)
        row--;
    return row;
}

static void show_rows(struct app *app, int rows)
{
    app->reveal.rows = rows < 0 ? 0 : rows;
    app->reveal.moved_ms = app->now_ms;
    app->selected = begin_of_word(app, app->reveal.rows - 1);
    app->dirty = true;
}

void reveal_start(struct app *app)
{
    app->reveal.on = true;
    show_rows(app, 0);
}

void reveal_off(struct app *app)
{
    if (!app->reveal.on)
        return;
    app->reveal.on = app->reveal.playing = false;
    app->dirty = true;
}

void reveal_all(struct app *app)
{
    app->reveal.on = true;
    app->reveal.playing = false;
    show_rows(app, ALIGNMENT_MAX_TGT);
}

// A word of several pieces comes and goes as one when the pieces are merged.
static int whole_word(const struct app *app, int rows, int by)
{
    const struct alignment *now = app->show.now;
    bool merged = app->look.lens.merge != LENS_PIECES;
    while (merged && now && rows > 0 && rows < app->show.rows && now->target[rows].joined)
        rows += by > 0 ? 1 : -1;
    return rows;
}

void reveal_move(struct app *app, int by)
{
    if (!app->reveal.on) {
        reveal_start(app);
        by = by > 0 ? by : 0;
    }
    int all = all_rows(app), rows = shown_rows(app);
    int to = whole_word(app, rows + by, by);
    to = to < all ? to : all;
    show_rows(app, to);
    if (to <= rows)
        return;
    app->show.born[to - 1] = app->now_ms;
    for (int i = 0; i < app->rivals.count; i++)
        app->rivals.list[i]->show.born[to - 1] = app->now_ms;
}

static bool at_end(const struct app *app)
{
    const struct alignment *now = app->show.now;
    return app->reveal.rows >= all_rows(app) && now && alignment_ended(now) != ENDED_NOT;
}

void reveal_play(struct app *app)
{
    bool begin = !app->reveal.playing;
    if (begin && (!app->reveal.on || at_end(app)))
        reveal_start(app);
    app->reveal.playing = begin;
    app->reveal.moved_ms = app->now_ms;
    app->dirty = true;
}

void reveal_speed(struct app *app, float rows_a_second)
{
    app->reveal.speed = fminf(fmaxf(rows_a_second, slowest), fastest);
    app->dirty = true;
}

bool reveal_takes(struct app *app, const char *step)
{
    if (!app->reveal.on)
        return false;
    if (!strcmp(step, "next"))
        reveal_move(app, 1);
    else if (!strcmp(step, "back"))
        reveal_move(app, -1);
    else if (!strcmp(step, "first"))
        reveal_start(app);
    else if (!strcmp(step, "last"))
        reveal_all(app);
    else
        return false;
    return true;
}

// Rows that these many tokens make through the lens in use.
static int words_of(const struct app *app, const struct alignment *now, int rows)
{
    const struct lens_options *lens = &app->look.lens;
    int words = 0;
    for (int t = 0; t < rows; t++) {
        const struct label *label = &now->target[t];
        bool hidden = label->special && lens->hide_special;
        bool joined = label->joined && t > 0 && lens->merge != LENS_PIECES;
        words += !hidden && !joined;
    }
    return words;
}

// Of the longer decoding, of its first rows tokens.
static int longest(const struct app *app, int rows)
{
    int most = 0;
    for (int i = NOWHERE; i < app->rivals.count; i++) {
        const struct show *show = i < 0 ? &app->show : &app->rivals.list[i]->show;
        int known = rows < show->rows ? rows : show->rows;
        int words = show->now ? words_of(app, show->now, known) : 0;
        most = words > most ? words : most;
    }
    return most;
}

int reveal_words(const struct app *app)
{
    return longest(app, app->reveal.rows);
}

int reveal_all_words(const struct app *app)
{
    return longest(app, ALIGNMENT_MAX_TGT);
}

void reveal_limit(const struct app *app, struct scene *scene)
{
    if (!app->reveal.on)
        return;
    scene->before = NULL; // its rows must not stand where hidden ones will come
    scene->before_rows = 0;
    if (scene->now && !app->look.lens.transpose)
        scene->reserved = words_of(app, scene->now, scene->rows);
    if (scene->rows > app->reveal.rows)
        scene->rows = app->reveal.rows;
}

bool reveal_hides(const struct app *app)
{
    return app->reveal.on && app->reveal.rows < all_rows(app);
}

int reveal_tick(struct app *app)
{
    struct reveal *reveal = &app->reveal;
    if (!reveal->playing)
        return -1;
    uint64_t pause = (uint64_t)(1000 / reveal->speed);
    uint64_t due = reveal->moved_ms + pause;
    if (app->now_ms >= due) {
        reveal_move(app, 1);
        due = app->now_ms + pause;
    }
    reveal->playing = !at_end(app);
    return reveal->playing ? (int)(due - app->now_ms) : -1;
}
