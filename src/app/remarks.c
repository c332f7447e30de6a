// SPDX-License-Identifier: MIT
// Doubts, readings and the word list of what is on the screen. See remarks.h.
//
// Doubts are about the tokens' rows as they are, whatever a lens makes of them. Readings
// are of what is shown. The word list is laid over all α of the tokens, and what it finds
// is led to the words that are shown.
#include "app/remarks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "align/ibm1.h"
#include "app/state.h"
#include "formats/lexicon.h"

enum {
    ROWS_MAX_BYTES = 96 << 20,
    WORDS_MAX_BYTES = 24 << 20,
    SMALL = 64 * 64, // cells up to which the list follows every row
};

// What is remarked, from where, and where to.
struct making {
    struct app *app;
    const struct show *show;
    const struct scene *real, *shown;
    struct remarks_kept *kept;
};

void remarks_finish(struct remarks_kept *kept)
{
    arena_finish(&kept->rows);
    arena_finish(&kept->words);
    *kept = (struct remarks_kept){.max = 0};
}

void remarking_finish(struct remarking *remarking)
{
    for (int i = 0; i < WORD_LISTS_KEPT; i++)
        lexicon_close(remarking->lists[i].lexicon);
    *remarking = (struct remarking){.next = 0};
}

static bool same_key(const struct remarks_key *a, const struct remarks_key *b)
{
    return a->alpha == b->alpha && a->shown_alpha == b->shown_alpha &&
           a->begun == b->begun && a->readings == b->readings && a->lenses == b->lenses &&
           a->rows == b->rows && a->shown_rows == b->shown_rows && a->ended == b->ended &&
           a->wants_readings == b->wants_readings && a->wants_list == b->wants_list &&
           a->wants_model1 == b->wants_model1;
}

// The rows that were done stand, and others may follow.
static bool goes_on(const struct remarks_key *a, const struct remarks_key *b)
{
    struct remarks_key grown = *a;
    grown.rows = b->rows;
    grown.shown_rows = b->shown_rows;
    grown.ended = b->ended;
    grown.wants_list = b->wants_list;
    grown.wants_model1 = b->wants_model1;
    return b->rows >= a->rows && same_key(&grown, b);
}

// ---- rows ----

static struct lens_span tokens_of(const struct lens_axis *axis, int word)
{
    return axis ? axis->words[word] : (struct lens_span){word, word};
}

static const struct lens_axis *target_axis(const struct making *m)
{
    return m->show->lens ? &m->show->lens->target : NULL;
}

static const struct lens_axis *source_axis(const struct making *m)
{
    return m->show->lens ? &m->show->lens->source : NULL;
}

// What is shown, with target words as rows. When memory is short it has no rows.
static struct attention attention_of(struct making *m)
{
    const struct scene *shown = m->shown;
    int rows = shown->rows, columns = shown->now->n_src;
    if (!shown->lens.transpose)
        return (struct attention){shown->alpha, rows, columns, shown->now->source};
    size_t cells = (size_t)rows * (size_t)columns;
    float *turned = arena_alloc(&m->kept->rows, cells, sizeof *turned);
    for (int t = 0; turned && t < columns; t++)
        for (int s = 0; s < rows; s++)
            turned[(size_t)t * (size_t)rows + (size_t)s] =
                shown->alpha[(size_t)s * (size_t)columns + (size_t)t];
    return (struct attention){turned, turned ? columns : 0, rows, shown->now->target};
}

static bool begin_rows(struct making *m)
{
    struct remarks_kept *kept = m->kept;
    const struct alignment *now = m->shown->now;
    arena_finish(&kept->rows);
    arena_init(&kept->rows, ROWS_MAX_BYTES);
    struct remarks *r = &kept->remarks;
    *r = (struct remarks){.of = attention_of(m)};
    bool turned = m->shown->lens.transpose;
    kept->max = turned ? now->n_src : now->max_tgt;
    kept->done = 0;
    kept->row = arena_alloc(&kept->rows, (size_t)kept->max, sizeof *kept->row);
    kept->read = arena_alloc(&kept->rows, (size_t)r->of.n_src, sizeof *kept->read);
    r->rows = kept->row;
    r->n_src = r->of.n_src;
    return kept->row && kept->read && r->of.alpha;
}

// Of rows that a lens cut there is only what their weights say, scaled to sum 1.
static struct row_reading reading_of(struct making *m, int t)
{
    struct remarks *r = &m->kept->remarks;
    struct row_reading row = readings_row(&r->of, t, m->kept->read);
    if (scene_keeps_sums(m->shown) || row.argmax < 0)
        return row;
    row.drift = NAN;
    row.says = 0;
    return row;
}

static void fill_row(struct making *m, int t)
{
    const struct alignment *now = m->real->now;
    struct remark_row *row = &m->kept->row[t];
    struct lens_span tokens = tokens_of(target_axis(m), t);
    *row = (struct remark_row){.p = 1, .reading = {.argmax = -1}};
    for (int i = tokens.first; i <= tokens.last; i++) {
        unsigned doubts = trust_row(&m->kept->remarks.trust, i);
        bool pooled = now->maps && !map_keeps_sums(now->maps, now->attention);
        if (now->dropout > 0 || pooled)
            doubts &= ~(unsigned)(TRUST_SUM | TRUST_ZERO); // asked for, and said
        row->doubted = doubts && !row->doubts ? i : row->doubted;
        row->doubts |= doubts;
        row->p *= now->p[i];
    }
    if (m->kept->key.wants_readings)
        row->reading = reading_of(m, t);
}

static void fill_rows(struct making *m)
{
    struct remarks *r = &m->kept->remarks;
    const struct alignment *now = m->real->now;
    int rows = m->real->rows;
    r->trust = (struct trust_of){.alpha = m->real->alpha,
                                 .score = now->score,
                                 .rows = rows,
                                 .n_src = now->n_src,
                                 .target_labels = rows,
                                 .source_labels = now->n_src};
    if (!m->shown->lens.transpose)
        r->of.rows = m->shown->rows;
    r->n_tgt = r->of.rows;
    for (; m->kept->done < r->n_tgt; m->kept->done++)
        fill_row(m, m->kept->done);
    r->cropped = 0;
    for (int t = 0; t < r->n_tgt; t++)
        r->cropped += (r->rows[t].doubts & TRUST_CROPPED) != 0;
    r->doubts = m->kept->key.ended ? trust_matrix(&r->trust) : 0;
    r->readings = r->says = m->kept->key.wants_readings;
}

static const char *why_not(const struct scene *shown)
{
    const struct lens_options *lens = &shown->lens;
    if (scene_keeps_sums(shown))
        return NULL;
    const struct alignment *now = shown->now;
    if (now->maps && !map_keeps_sums(now->maps, now->attention))
        return "The largest α over several heads is shown: such rows do not sum to 1, "
               "and a matrix of them has no readings.";
    if (lens_keeps_sums(lens))
        return "α were dropped at random: rows do not sum to 1, and readings of a matrix "
               "need whole rows.";
    return lens->top > 0 ? "Only the largest α of each row are shown: readings of a "
                           "matrix need whole rows."
                         : "The largest α of a word's pieces stands for the word: such "
                           "rows do not sum to 1, and a matrix of them has no readings.";
}

static void fill_matrix(struct making *m)
{
    struct remarks_kept *kept = m->kept;
    struct remarks *r = &kept->remarks;
    r->why_not = why_not(m->shown);
    r->stale = !kept->key.ended;
    if (kept->key.ended && kept->key.wants_readings && !r->why_not) {
        kept->matrix = readings_matrix(&r->of);
        kept->has_matrix = true;
    }
    r->matrix = kept->has_matrix ? &kept->matrix : NULL;
}

// ---- the word list ----

static void open_list(struct word_list *list, const char *languages)
{
    char path[4096];
    struct error err;
    lexicon_close(list->lexicon);
    *list = (struct word_list){.lexicon = NULL};
    snprintf(list->languages, sizeof list->languages, "%s", languages);
    if (!lexicon_path(languages, path, sizeof path))
        snprintf(list->note, sizeof list->note, "no word list for %s", list->languages);
    else if (!(list->lexicon = lexicon_open(path, &err)))
        snprintf(list->note, sizeof list->note, "%.200s", err.text);
}

static const struct word_list *list_of(struct app *app, const struct alignment *now)
{
    struct remarking *remarking = &app->remarking;
    int entry = now->model ? library_find(&app->library, now->model) : -1;
    const char *languages =
        entry >= 0 ? app->library.entries[entry].listing.config.languages : "?";
    for (int i = 0; i < WORD_LISTS_KEPT; i++)
        if (!strcmp(remarking->lists[i].languages, languages))
            return &remarking->lists[i];
    struct word_list *list = &remarking->lists[remarking->next];
    remarking->next = (remarking->next + 1) % WORD_LISTS_KEPT;
    open_list(list, languages);
    return list;
}

// The tokens of each word of the list; .first NOWHERE: none.
static struct lens_span *spans_of(const struct lexicon_side *side, int tokens,
                                  struct arena *arena)
{
    struct lens_span *spans = arena_alloc(arena, (size_t)side->count, sizeof *spans);
    for (int w = 0; spans && w < side->count; w++)
        spans[w] = (struct lens_span){NOWHERE, NOWHERE};
    for (int i = 0; spans && i < tokens; i++) {
        int w = side->of_label[i];
        if (w < 0)
            continue;
        spans[w].first = spans[w].first < 0 ? i : spans[w].first;
        spans[w].last = i;
    }
    return spans;
}

static int shown_at(const struct lens_axis *axis, int token)
{
    return axis ? axis->word[token] : token;
}

// The words that are shown for tokens; .first NOWHERE when they are hidden.
static struct lens_span shown_of(const struct lens_axis *axis, struct lens_span tokens)
{
    return (struct lens_span){shown_at(axis, tokens.first), shown_at(axis, tokens.last)};
}

// The cell with the largest α of the two words' tokens.
static struct remark_cell largest(const struct making *m, struct lens_span t,
                                  struct lens_span s)
{
    struct remark_cell at = {t.first, s.first};
    size_t n = (size_t)m->real->now->n_src;
    const float *alpha = m->real->alpha;
    for (int i = t.first; i <= t.last; i++)
        for (int k = s.first; k <= s.last; k++)
            if (alpha[(size_t)i * n + (size_t)k] > alpha[(size_t)at.t * n + (size_t)at.s])
                at = (struct remark_cell){i, k};
    return (struct remark_cell){shown_at(target_axis(m), at.t),
                                shown_at(source_axis(m), at.s)};
}

static void add_agreeing(struct making *m, const struct laid *laid, int w)
{
    struct remarks *r = &m->kept->remarks;
    int n = laid->over.source.count;
    for (int s = 0; s < n; s++) {
        bool agrees =
            laid->over.cells[(size_t)w * (size_t)n + (size_t)s] == IBM1_CELL_AGREES;
        if (!agrees || laid->sources[s].first < 0)
            continue;
        struct remark_cell at = largest(m, laid->targets[w], laid->sources[s]);
        if (at.t >= 0 && at.s >= 0)
            laid->agree[r->n_agree++] = at;
    }
}

static int most(const float *values, int n)
{
    int best = 0;
    for (int i = 1; i < n; i++)
        best = values[i] > values[best] ? i : best;
    return best;
}

static void add_row(struct making *m, const struct laid *laid, int w)
{
    struct remarks *r = &m->kept->remarks;
    const struct lexicon_over *over = &laid->over;
    size_t n = (size_t)over->source.count;
    int at = shown_at(target_axis(m), laid->targets[w].first);
    r->agreeing += over->rows[w] == IBM1_ROW_AGREES;
    r->disagreeing += over->rows[w] == IBM1_ROW_DISAGREES;
    if (over->rows[w] != IBM1_ROW_DISAGREES || at < 0 || laid->words[at].target)
        return;
    const float *t = over->t + (size_t)w * (n + 1);
    int listed = most(t, over->source.count);
    int read = most(over->alpha + (size_t)w * n, over->source.count);
    laid->words[at] =
        (struct remark_word){over->target.word[w], over->source.word[listed],
                             over->source.word[read], t[listed]};
}

static void add_link(struct making *m, const struct laid *laid, int w)
{
    struct remarks *r = &m->kept->remarks;
    int best = laid->over.best[w];
    if (best < 0 || laid->sources[best].first < 0)
        return;
    struct remark_link link = {shown_of(target_axis(m), laid->targets[w]),
                               shown_of(source_axis(m), laid->sources[best])};
    if (link.t.first >= 0 && link.s.first >= 0)
        laid->links[r->n_links++] = link;
}

static bool lay_anew(struct making *m, const struct lexicon *lexicon)
{
    struct laid *laid = &m->kept->laid;
    struct arena *arena = &m->kept->words;
    const struct scene *real = m->real;
    struct error err;
    arena_reset(arena);
    *laid = (struct laid){.begun = m->show->begun, .tokens = real->rows};
    if (!lexicon_lay(lexicon, real->now, real->alpha, real->rows, arena, &laid->over,
                     &err))
        return false;
    size_t targets = (size_t)laid->over.target.count;
    size_t cells = targets * (size_t)laid->over.source.count;
    laid->targets = spans_of(&laid->over.target, real->rows, arena);
    laid->sources = spans_of(&laid->over.source, real->now->n_src, arena);
    laid->agree = arena_alloc(arena, cells, sizeof *laid->agree);
    laid->links = arena_alloc(arena, targets, sizeof *laid->links);
    laid->words = arena_alloc(arena, (size_t)real->rows, sizeof *laid->words);
    bool ok = laid->targets && laid->sources && laid->agree && laid->links && laid->words;
    laid->by = ok ? lexicon : NULL;
    return ok;
}

// Words are looked up once; τ only weighs them anew.
static bool lay(struct making *m, const struct lexicon *lexicon)
{
    struct laid *laid = &m->kept->laid;
    const struct scene *real = m->real;
    if (laid->by != lexicon || laid->begun != m->show->begun ||
        laid->tokens != real->rows)
        return lay_anew(m, lexicon);
    lexicon_weigh(&laid->over, real->now->n_src, real->alpha, real->rows);
    memset(laid->words, 0, (size_t)real->rows * sizeof *laid->words);
    return true;
}

static void forget_list(struct remarks_kept *kept)
{
    struct remarks *r = &kept->remarks;
    if (!kept->words.max_bytes)
        arena_init(&kept->words, WORDS_MAX_BYTES);
    r->list = kept->key.wants_list;
    r->model1 = kept->key.wants_model1;
    r->note = NULL;
    r->words = NULL;
    r->n_agree = r->n_links = r->agreeing = r->disagreeing = 0;
}

static void fill_list(struct making *m)
{
    struct remarks *r = &m->kept->remarks;
    const struct alignment *now = m->real->now;
    const struct laid *laid = &m->kept->laid;
    forget_list(m->kept);
    if (!r->list && !r->model1)
        return;
    const struct word_list *list = list_of(m->app, now);
    if (now->attention.kind != MAP_CROSS)
        r->note =
            "a word list leads from one language to the other: self-attention stays "
            "in one";
    else if (now->order)
        r->note = "the words are in another order: the list cannot be laid over them";
    else if (!list->lexicon)
        r->note = list->note;
    if (r->note || (!m->kept->key.ended && m->real->rows * now->n_src > SMALL))
        return;
    if (!lay(m, list->lexicon)) {
        r->note = "this sentence is too long for the word list";
        return;
    }
    for (int w = 0; w < laid->over.target.count; w++) {
        if (laid->targets[w].first < 0)
            continue;
        if (r->list) {
            add_agreeing(m, laid, w);
            add_row(m, laid, w);
        }
        if (r->model1)
            add_link(m, laid, w);
    }
    r->agree = laid->agree;
    r->links = laid->links;
    r->words = laid->words;
}

// ---- all of it ----

// A picture of which nothing is known yet: the numbers of the one before it stand.
static void keep_old(struct remarks_kept *kept, const struct remarking *remarking,
                     struct scene *shown)
{
    const char *note = kept->remarks.note;
    kept->key = (struct remarks_key){.alpha = NULL};
    kept->remarks = (struct remarks){.readings = remarking->readings,
                                     .stale = true,
                                     .matrix = kept->has_matrix ? &kept->matrix : NULL,
                                     .list = remarking->list,
                                     .model1 = remarking->model1,
                                     .note = note};
    shown->remarks = &kept->remarks;
}

static struct remarks_key key_of(const struct making *m)
{
    const struct remarking *remarking = &m->app->remarking;
    enum ended ended = alignment_ended(m->real->now);
    return (struct remarks_key){.alpha = m->real->alpha,
                                .shown_alpha = m->shown->alpha,
                                .begun = m->show->begun,
                                .readings = m->show->readings,
                                .lenses = m->show->lenses,
                                .rows = m->real->rows,
                                .shown_rows = m->shown->rows,
                                .ended = ended != ENDED_NOT && ended != ENDED_CANCELLED,
                                .wants_readings = remarking->readings,
                                .wants_list = remarking->list,
                                .wants_model1 = remarking->model1};
}

void remarks_scene(struct app *app, struct show *show, const struct scene *real,
                   struct scene *shown)
{
    struct remarks_kept *kept = &show->kept;
    struct making m = {app, show, real, shown, kept};
    bool attended = real->now && real->now->has_attention && real->now->n_src > 0;
    shown->remarks = NULL;
    if (!attended && real->now)
        kept->has_matrix = false;
    if (!attended)
        return;
    // Through a lens that turns, the sentence before stands until the new one is whole.
    bool before = show->lens && show->lens == show->before_through.lens;
    if (real->rows == 0 || before) {
        keep_old(kept, &app->remarking, shown);
        return;
    }
    struct remarks_key key = key_of(&m);
    shown->remarks = &kept->remarks;
    if (same_key(&key, &kept->key))
        return;
    bool on = goes_on(&kept->key, &key) && kept->done > 0;
    kept->key = key;
    if (!on && !begin_rows(&m)) {
        kept->key.alpha = NULL;
        shown->remarks = NULL;
        return;
    }
    fill_rows(&m);
    fill_matrix(&m);
    fill_list(&m);
}

bool remarks_panel(struct app *app, struct rect at, const struct scene *shown)
{
    if (!app->remarking.readings)
        return false;
    enum readings_tab tab = readings_panel_draw(&app->ui, shown, at, app->remarking.tab);
    app->dirty = app->dirty || tab != app->remarking.tab;
    app->remarking.tab = tab;
    return true;
}
