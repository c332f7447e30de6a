// SPDX-License-Identifier: MIT
// Which rows stand on the screen. Rows of the sentence before stay until the new ones
// have replaced them, so that nothing flickers while one types. See show.h.
#include "app/show.h"

#include <string.h>

#include "align/compare.h"
#include "translate/translator.h"

enum { MATRIX_MAX_BYTES = 64 << 20, STATS_MAX_BYTES = 1 << 20 };

static float *matrix_reserve(struct matrix *matrix, size_t cells)
{
    if (!matrix->arena.max_bytes)
        arena_init(&matrix->arena, MATRIX_MAX_BYTES);
    if (cells <= matrix->cells)
        return matrix->data;
    arena_finish(&matrix->arena);
    matrix->data = arena_alloc(&matrix->arena, cells, sizeof(float));
    matrix->cells = matrix->data ? cells : 0;
    return matrix->data;
}

void show_init(struct show *show)
{
    memset(show, 0, sizeof *show);
    show->reread_tau = -1;
    show->choice = (struct map_choice){MAP_CROSS, MAP_MEAN, MAP_MEAN};
}

void show_finish(struct show *show)
{
    alignment_destroy(show->now);
    alignment_destroy(show->decoded);
    alignment_destroy(show->before);
    alignment_destroy(show->baseline);
    for (int i = 0; i < show->n_retired; i++)
        alignment_destroy(show->retired[i]);
    arena_finish(&show->reread.arena);
    arena_finish(&show->before_reread.arena);
    lens_destroy(show->through.lens);
    lens_destroy(show->before_through.lens);
    arena_finish(&show->stats.arena);
    remarks_finish(&show->kept);
    show_init(show);
}

static void collect(struct show *show)
{
    int kept = 0;
    for (int i = 0; i < show->n_retired; i++) {
        if (alignment_ended(show->retired[i]) == ENDED_NOT)
            show->retired[kept++] = show->retired[i];
        else
            alignment_destroy(show->retired[i]);
    }
    show->n_retired = kept;
}

// The worker may still be writing it: free it now or when it has ended. One worker writes
// one alignment at a time, so the list stays short.
static void retire(struct show *show, struct alignment *alignment)
{
    collect(show);
    if (!alignment)
        return;
    if (alignment_ended(alignment) != ENDED_NOT || show->n_retired == SHOW_RETIRED)
        alignment_destroy(alignment);
    else
        show->retired[show->n_retired++] = alignment;
}

static bool finished(const struct alignment *alignment)
{
    enum ended ended = alignment ? alignment_ended(alignment) : ENDED_NOT;
    return ended != ENDED_NOT && ended != ENDED_CANCELLED;
}

static void lens_drop(struct lensed *lensed)
{
    lens_destroy(lensed->lens);
    *lensed = (struct lensed){0};
}

struct alignment *show_decoded(const struct show *show)
{
    return show->decoded ? show->decoded : show->now;
}

// Other rows stand in the place of those that were there, and do not fade in.
static void change_rows(struct show *show)
{
    retire(show, show->before);
    show->before = NULL;
    show->rows = alignment_rows(show->now);
    memset(show->born, 0, (size_t)show->rows * sizeof *show->born);
}

// What was made of the α that stood there.
static void forget_alpha(struct show *show)
{
    lens_drop(&show->through);
    show->lens = NULL;
    show->stats.done = show->reread_rows = 0;
    show->readings++;
}

// Now is what was decoded again.
static void end_view(struct show *show)
{
    if (!show->decoded)
        return;
    alignment_destroy(show->now);
    show->now = show->decoded;
    show->decoded = NULL;
    forget_alpha(show);
}

static void take_view(struct show *show, struct alignment *view)
{
    bool grown = map_same(show->now->attention, view->attention);
    if (show->decoded)
        alignment_destroy(show->now);
    else
        show->decoded = show->now;
    show->now = view;
    forget_alpha(show);
    if (!grown && show->rows)
        change_rows(show);
}

// Now becomes the view of the choice, made anew as rows come.
static void choose(struct show *show)
{
    struct error err;
    const struct alignment *of = show_decoded(show), *now = show->now;
    bool plain = !of->maps || map_same(of->attention, show->choice) ||
                 !map_valid(of->maps, show->choice);
    if (plain && show->decoded) {
        end_view(show);
        change_rows(show);
    }
    bool stands =
        show->decoded && map_same(now->attention, show->choice) &&
        alignment_ended(now) == alignment_ended(of) &&
        (now->attention.kind == MAP_ENCODER || alignment_rows(now) == alignment_rows(of));
    if (plain || stands)
        return;
    struct alignment *view = map_view(of, show->choice, &err);
    if (view) // without memory what stands there is shown, and its title says what
        take_view(show, view);
}

static void reread(struct show *show, float tau)
{
    const struct alignment *now = show->now;
    show->uses_reread = tau >= 0 && tau != now->tau && now->has_attention &&
                        now->n_src > 0 && now->attention.kind == MAP_CROSS;
    if (!show->uses_reread)
        return;
    size_t cells = (size_t)now->max_tgt * (size_t)now->n_src;
    float *alpha = matrix_reserve(&show->reread, cells);
    if (!alpha) { // no memory: the decoded α is the honest thing to show
        show->uses_reread = false;
        return;
    }
    if (tau != show->reread_tau)
        show->reread_rows = 0;
    show->readings += show->reread_rows == 0; // what was made of the rows is old
    translate_reread(now, show->edits, tau, show->reread_rows, show->rows, alpha);
    show->reread_rows = show->rows;
    show->reread_tau = tau;
}

void show_begin(struct show *show, struct alignment *alignment)
{
    show->lens = NULL;
    show->begun++;
    show->stats.done = 0;
    lens_drop(&show->before_through);
    if (show->decoded) { // it may have ended since
        choose(show);
        show->rows = alignment_rows(show->now);
        reread(show, show->uses_reread ? show->reread_tau : -1);
    }
    if (finished(show->now)) {
        alignment_destroy(show->decoded);
        show->decoded = NULL;
        show->before_through = show->through;
        show->through = (struct lensed){0};
        retire(show, show->before);
        show->before = show->now;
        struct matrix spare = show->before_reread;
        show->before_reread = show->reread;
        show->reread = spare;
        show->before_uses_reread = show->uses_reread;
    } else {
        end_view(show);
        retire(show, show->now);
        lens_drop(&show->through);
    }
    show->now = alignment;
    show->rows = show->reread_rows = 0;
    show->uses_reread = show->has_changed = show->told = false;
}

struct alignment *show_exchange(struct show *show, struct alignment *alignment)
{
    end_view(show);
    struct alignment *now = show->now;
    retire(show, show->before);
    show->before = NULL;
    lens_drop(&show->through);
    show->now = NULL;
    show_begin(show, alignment);
    return now;
}

void show_baseline(struct show *show, struct alignment *alignment)
{
    retire(show, show->baseline);
    show->baseline = alignment;
}

bool show_has_baseline(const struct show *show, const char *text, float tau)
{
    return finished(show->baseline) && !(show->baseline->tau < tau) &&
           !(show->baseline->tau > tau) && !strcmp(show->baseline->text, text);
}

void show_drop(struct show *show, struct alignment *alignment)
{
    retire(show, alignment);
}

void show_leave(struct show *show, struct show *to)
{
    end_view(show);
    retire(to, show->now);
    retire(to, show->before);
    show->now = show->before = NULL;
    for (int i = 0; i < show->n_retired; i++)
        retire(to, show->retired[i]);
    show->n_retired = 0;
    show_finish(show);
}

// A row that says the same word as the one standing in its place does not fade: only what
// is new moves.
static void note_rows(struct show *show, int rows, uint64_t now_ms, bool fade)
{
    for (int t = show->rows; t < rows; t++) {
        const struct alignment *before = show->before;
        bool same = before && t < alignment_rows(before) &&
                    before->target[t].id == show->now->target[t].id;
        show->born[t] = fade && !same ? now_ms : 0;
    }
    show->rows = rows;
}

bool show_update(struct show *show, float reread_tau, uint64_t now_ms, bool fade)
{
    collect(show);
    if (!show->now)
        return false;
    choose(show);
    enum ended ended = alignment_ended(show->now); // before rows: they are final then
    note_rows(show, alignment_rows(show->now), now_ms, fade);
    reread(show, reread_tau);
    if (ended == ENDED_NOT || ended == ENDED_CANCELLED || show->told)
        return false;
    show->told = true;
    retire(show, show->before);
    show->before = NULL;
    const struct alignment *now = show_decoded(show);
    if ((now->edited || now->tau != 1) && now->n_src > 0 &&
        show_has_baseline(show, now->text, now->edited ? now->tau : 1) &&
        compare_words(show->baseline, now, show->changed))
        for (int t = 0; t < alignment_rows(now); t++)
            show->has_changed = show->has_changed || show->changed[t];
    return true;
}

void show_scene(const struct show *show, struct scene *scene)
{
    scene->now = show->now;
    scene->rows = show->now ? show->rows : 0;
    scene->alpha = !show->now          ? NULL
                   : show->uses_reread ? show->reread.data
                                       : show->now->alpha;
    scene->before = show->before;
    scene->before_rows = show->before ? alignment_rows(show->before) : 0;
    scene->before_alpha = !show->before              ? NULL
                          : show->before_uses_reread ? show->before_reread.data
                                                     : show->before->alpha;
    bool words = show->now && show->now->attention.kind != MAP_ENCODER;
    scene->changed = words && show->has_changed ? show->changed : NULL;
    scene->row_born = show->born;
}

// Made again only when it would be another one. NULL: memory is short.
static const struct lens *look(struct show *show, struct lensed *lensed,
                               const struct lens_options *options,
                               const struct alignment *of, const float *alpha, int rows,
                               int reading)
{
    bool same = lensed->lens && lens_same(&lensed->options, options) &&
                lensed->alpha == alpha && lensed->rows == rows &&
                lensed->ended == alignment_ended(of) && lensed->reading == reading;
    if (same)
        return lensed->lens;
    struct error err;
    lens_drop(lensed);
    lensed->ended = alignment_ended(of); // before it is read: what follows is as new
    lensed->lens = lens_create(of, alpha, rows, options, &err);
    show->lenses++;
    lensed->options = *options;
    lensed->alpha = alpha;
    lensed->rows = rows;
    lensed->reading = reading;
    return lensed->lens;
}

static void place(struct scene *scene, const struct lens *lens)
{
    scene->now = lens->shown;
    scene->alpha = lens->shown->alpha;
    scene->rows = alignment_rows(lens->shown);
}

// A word is as new as its newest piece, and has changed when one of them has.
static void place_rows(struct show *show, struct scene *scene, const struct lens *lens,
                       bool turned)
{
    for (int w = 0; w < lens->target.n; w++) {
        struct lens_span span = lens->target.words[w];
        show->lens_born[w] = 0;
        show->lens_changed[w] = false;
        for (int t = span.first; t <= span.last; t++) {
            if (show->born[t] > show->lens_born[w])
                show->lens_born[w] = show->born[t];
            show->lens_changed[w] = show->lens_changed[w] || show->changed[t];
        }
    }
    scene->row_born = turned ? NULL : show->lens_born;
    scene->changed = show->has_changed ? show->lens_changed : NULL;
}

static void place_dimmed(struct show *show, struct scene *scene, const struct lens *lens)
{
    place(scene, lens);
    for (int t = 0; t < scene->rows; t++)
        show->lens_born[t] = scene->now_ms;
    scene->row_born = show->lens_born;
}

static void look_through(struct show *show, const struct lens_options *options,
                         struct scene *scene)
{
    show->lens = NULL;
    if (lens_is_clear(options) || !scene->now || scene->now->n_src == 0)
        return;
    const struct lens *before = NULL;
    if (scene->before && scene->before->n_src > 0)
        before = look(show, &show->before_through, options, scene->before,
                      scene->before_alpha, scene->before_rows, -1);
    bool turn = options->transpose && scene->now->has_attention;
    struct lens_options made = *options;
    made.transpose = turn && (before || scene->rows > 0);
    show->lens = turn && before ? before
                                : look(show, &show->through, &made, scene->now,
                                       scene->alpha, scene->rows, show->readings);
    if (!show->lens)
        return;
    scene->lens = made;
    bool dimmed = turn && before;
    scene->changed = NULL;
    if (dimmed)
        place_dimmed(show, scene, before);
    else
        place(scene, show->lens);
    if (!dimmed)
        place_rows(show, scene, show->lens, turn);
    scene->before = before && !turn ? before->shown : NULL;
    scene->before_alpha = before && !turn ? before->shown->alpha : NULL;
    scene->before_rows = scene->before ? alignment_rows(before->shown) : 0;
}

static bool stats_reserve(struct stats *stats, int rows)
{
    if (rows <= stats->max)
        return true;
    arena_finish(&stats->arena);
    arena_init(&stats->arena, STATS_MAX_BYTES);
    stats->max = 0;
    stats->rows = arena_alloc(&stats->arena, 2 * (size_t)rows, sizeof *stats->rows);
    if (stats->rows)
        stats->max = 2 * rows;
    return stats->rows != NULL;
}

// A row is read once, not once a frame: a thousand rows of a thousand take a while.
static void read_rows(struct show *show, struct scene *scene)
{
    struct stats *stats = &show->stats;
    bool same = stats->alpha == scene->alpha && stats->lenses == show->lenses &&
                stats->reading == show->readings && scene->rows <= stats->max;
    stats->done = same && stats->done <= scene->rows ? stats->done : 0;
    stats->alpha = scene->alpha;
    stats->lenses = show->lenses;
    stats->reading = show->readings;
    if (!stats_reserve(stats, scene->rows))
        return; // they are read when they are drawn
    for (; stats->done < scene->rows; stats->done++)
        stats->rows[stats->done] = scene_row_stats(scene, stats->done);
    scene->stats = stats->rows;
}

void show_look(struct show *show, const struct lens_options *options, struct scene *scene)
{
    look_through(show, options, scene);
    if (scene->now && scene->now->has_attention && scene->now->n_src > 0)
        read_rows(show, scene);
}
