// SPDX-License-Identifier: MIT
// A session: one sentence in the encoder's memory, decoded as often as τ moves.
#include "translate/session.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/dropout.h"
#include "text/utf8.h"
#include "translate/beam.h"
#include "translate/what_if.h"

enum {
    ROWS_PER_TOKEN = 3, // the length limit is 3 * n_src + 10
    ROWS_MORE = 10,
};

double session_now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

struct session *session_create(const struct translator *translator, struct error *err)
{
    struct session *session = calloc(1, sizeof *session);
    if (!session) {
        fail_nomem(err, "a session");
        return NULL;
    }
    int source = label_longest(translator->source);
    int target = label_longest(translator->target);
    session->model = *translator;
    session->longest = source > target ? source : target;
    arena_init(&session->arena, SESSION_MAX_BYTES);
    arena_init(&session->beam.arena, SESSION_MAX_BYTES);
    return session;
}

void session_destroy(struct session *session)
{
    if (!session)
        return;
    encoder_cache_finish(&session->cache);
    trail_finish(&session->trail);
    session_beam_forget(session);
    arena_finish(&session->arena);
    free(session);
}

size_t session_held(const struct session *session)
{
    return arena_held(&session->arena) + arena_held(&session->beam.arena) +
           arena_held(&session->cache.arena) + arena_held(&session->trail.arena);
}

int session_row_limit(int n_src)
{
    int rows = ROWS_PER_TOKEN * n_src + ROWS_MORE;
    return rows < ALIGNMENT_MAX_TGT ? rows : ALIGNMENT_MAX_TGT;
}

static int rows_of(const struct session *session)
{
    int rows = session_row_limit(session->sentence.n_src), forced = session->n_forced;
    if (session->edits && edits_forced_rows(session->edits))
        forced = edits_forced_rows(session->edits) + ROWS_MORE;
    rows = rows > forced ? rows : forced;
    return rows < ALIGNMENT_MAX_TGT ? rows : ALIGNMENT_MAX_TGT;
}

// Rows that the model has positions for.
static bool rows_fit(const struct session *session, int rows, struct error *err)
{
    int room = model_positions(&session->model.network->config);
    return !room || rows <= room ||
           fail_with(err, ERR_LIMIT,
                     "the translation has %d tokens with its </s>, the model has "
                     "positions for %d",
                     rows, room);
}

// The loop begins again, with room for all rows.
static bool restart(struct session *session, int rows, struct run_options options,
                    struct error *err)
{
    struct sentence *sentence = &session->sentence;
    int room = model_positions(&session->model.network->config);
    int steps = rows, had = sentence->decoder.steps;
    if (steps > had && steps < 2 * had) // row by row, the memory of all would add up
        steps = 2 * had < ALIGNMENT_MAX_TGT ? 2 * had : ALIGNMENT_MAX_TGT;
    steps = room && room < steps ? room : steps;
    if (steps > had &&
        !decoder_init(&sentence->decoder, &session->arena, session->model.network,
                      &sentence->encoding, 1, steps, options, err))
        return false;
    decoder_restart(&sentence->decoder, options);
    return true;
}

// Room for the posterior, and what computes it, where it is wanted.
static bool take_posterior(struct session *session, struct run_options options,
                           struct error *err)
{
    struct alignment *alignment = session->running;
    struct sentence *sentence = &session->sentence;
    const struct network *network = session->model.network;
    size_t n = (size_t)alignment->max_tgt * (size_t)alignment->n_src;
    if (!session->wants_posterior || !posterior_known(&network->config))
        return true;
    alignment->posterior = arena_alloc(&alignment->arena, n, sizeof(float));
    if (!alignment->posterior)
        return fail_nomem(err, "the posterior");
    if (sentence->posterior.decoder.steps < sentence->decoder.steps &&
        !posterior_init(&sentence->posterior, &session->arena, network,
                        &sentence->encoding, sentence->decoder.steps, options, err))
        return false;
    posterior_restart(&sentence->posterior, options);
    return true;
}

static void alter(void *context, int step, float *alpha, int n)
{
    struct session *session = context;
    struct alignment *alignment = session->running;
    bool spread = what_if_row(session->edits, alignment->order, step, alpha, n);
    if (spread && session->spread_step != step) // a Transformer's step has many heads
        alignment->rows_spread++;
    if (spread)
        session->spread_step = step;
}

// Rows that this run has in common with the one before stand already.
static bool carry_on(struct session *session, int rows, const struct run_options *options,
                     struct error *err)
{
    struct trail *trail = &session->trail;
    struct alignment *alignment = session->running;
    struct decoder *decoder = &session->sentence.decoder;
    bool whole = session->n_forced || alignment->posterior;
    if (whole)
        trail_forget(trail);
    int kept = whole ? 0
                     : trail_begin(trail, decoder, options, session->edits, rows,
                                   alignment->query_width, err);
    for (int t = 0; t < kept; t++) {
        struct row row;
        trail_row(trail, t, &row);
        session_put_row(session, alignment, t, &row);
        alignment->rows_spread += trail->spread[t];
    }
    if (kept > 0) {
        decoder_go_on(decoder, kept, trail->previous[kept],
                      trail->state + (size_t)kept * (size_t)trail->floats);
        alignment_publish(alignment, kept);
    }
    return kept >= 0;
}

static struct alignment *begin(struct session *session, const char *text, size_t length,
                               struct run_options options, struct error *err)
{
    session->running = NULL;
    session->decode_us = 0;
    if (!session_check(text, length, &options, err) ||
        (session->edits &&
         !what_if_check(session->edits, session->model.network->config.target_vocab,
                        err)) ||
        !session_load(session, text, length, err))
        return NULL;
    int rows = rows_of(session);
    if (!rows_fit(session, session->n_forced, err))
        return NULL;
    session->running = session_alignment(session, rows, &options, err);
    if (!session->running || !session->sentence.n_src)
        return session->running;
    session->spread_step = -1;
    if (session->running->edited) {
        options.alter = alter;
        options.alter_context = session;
    }
    if (restart(session, rows, options, err) && take_posterior(session, options, err) &&
        carry_on(session, rows, &options, err))
        return session->running;
    alignment_destroy(session->running);
    session->sentence.text = NULL; // what is half made is not taken up again
    return session->running = NULL;
}

void session_want_posterior(struct session *session, bool wanted)
{
    session->wants_posterior = wanted;
}

void session_edit(struct session *session, const struct edits *edits)
{
    session->edits = edits;
    session->trail.wanted = true;
}

struct alignment *session_begin(struct session *session, const char *text, size_t length,
                                struct run_options options, struct error *err)
{
    session->n_forced = 0;
    session->given = NULL;
    session->given_length = 0;
    return begin(session, text, length, options, err);
}

static int token_of(const struct session *session, int t)
{
    int token = session->edits ? edits_token(session->edits, t) : -1;
    if (session->n_forced)
        return session->forced[t].id;
    return token >= 0 ? token : decoder_best(&session->sentence.decoder, 0);
}

// The candidates of the last step, or the token alone where no p is asked for. False when
// a probability is not finite.
static bool read_candidates(const struct decoder *decoder, struct row *row, int *ids,
                            float *log_p)
{
    int vocab = decoder->network->config.target_vocab;
    row->top = ids;
    row->top_log_p = log_p;
    if (decoder->options.words_only) {
        ids[0] = row->token;
        log_p[0] = row->p = NAN;
        row->n_top = 1;
        return true;
    }
    row->n_top = vocab < ALIGNMENT_TOP ? vocab : ALIGNMENT_TOP;
    row->p = expf(decoder->logits[row->token] - decoder->log_sum[0]);
    decoder_top(decoder, 0, row->n_top, ids, log_p);
    return floats_finite(log_p, row->n_top);
}

// The state that asks, as it is now, into its row.
static void note_query(struct alignment *alignment, int t, const struct decoder *decoder)
{
    size_t width = (size_t)alignment->query_width;
    if (width)
        memcpy(alignment->query + (size_t)t * width, decoder_state(decoder, 0),
               width * sizeof(float));
}

static bool write_posterior(struct session *session, struct alignment *alignment, int t,
                            int token)
{
    size_t at = (size_t)t * (size_t)alignment->n_src;
    return !alignment->posterior ||
           posterior_of(&session->sentence.posterior, alignment->alpha + at, token,
                        alignment->posterior + at);
}

// The row that the decoder made into the alignment, not yet published; the token it
// emits, or -1 when a number of the row is not finite.
static int write_row(struct session *session, struct alignment *alignment, int t)
{
    struct decoder *decoder = &session->sentence.decoder;
    int ids[ALIGNMENT_TOP];
    float log_p[ALIGNMENT_TOP];
    size_t width = (size_t)alignment->query_width;
    if (!decoder_finite(decoder, 0))
        return -1;
    if (session->model.network->config.query != QUERY_PREVIOUS)
        note_query(alignment, t, decoder);
    struct row row = {.e = decoder->e,
                      .alpha = decoder->alpha,
                      .query_norm = decoder->query_norm[0],
                      .context_norm = decoder->context_norm[0],
                      .query = width ? alignment->query + (size_t)t * width : NULL,
                      .token = token_of(session, t)};
    if (!read_candidates(decoder, &row, ids, log_p))
        return -1;
    session_put_row(session, alignment, t, &row);
    trail_add(&session->trail, t, &row, alignment->rows_spread > session->rows_spread);
    session_put_heads(alignment, t, decoder);
    if (!write_posterior(session, alignment, t, row.token))
        return -1;
    if (session->n_forced) {
        alignment->target[t].begin = session->forced[t].begin;
        alignment->target[t].end = session->forced[t].end;
    }
    decoder_feed(decoder, row.token);
    return row.token;
}

static void end_broken(struct session *session, struct alignment *alignment, int row)
{
    alignment->broken_row = row;
    session_finish(session, alignment, ENDED_BROKEN);
}

struct decoder *session_ahead(struct session *session, struct alignment *alignment)
{
    struct decoder *decoder = &session->sentence.decoder;
    if (alignment_ended(alignment) != ENDED_NOT)
        return NULL;
    assert(alignment == session->running);
    if (!session->sentence.finite) {
        end_broken(session, alignment, -1);
        return NULL;
    }
    int t = alignment_rows(alignment);
    trail_before(&session->trail, decoder, t);
    if (session->model.network->config.query == QUERY_PREVIOUS)
        note_query(alignment, t, decoder);
    session->rows_spread = alignment->rows_spread;
    if (alignment->posterior)
        posterior_before(&session->sentence.posterior, decoder);
    return decoder;
}

bool session_behind(struct session *session, struct alignment *alignment, double us)
{
    int t = alignment_rows(alignment);
    double start = session_now_us();
    int token = write_row(session, alignment, t);
    if (token < 0) {
        end_broken(session, alignment, t);
        return false;
    }
    alignment_publish(alignment, t + 1);
    session->decode_us += us + session_now_us() - start;
    bool said = token == session->model.network->config.eos;
    int most = session->n_forced ? session->n_forced : alignment->max_tgt;
    most =
        most < session->sentence.decoder.steps ? most : session->sentence.decoder.steps;
    bool ends = said || t + 1 == most;
    if (ends)
        session_finish(session, alignment, said ? ENDED_EOS : ENDED_LIMIT);
    return !ends; // whoever reads it may have destroyed it by now
}

bool session_step(struct session *session, struct alignment *alignment)
{
    double start = session_now_us();
    struct decoder *decoder = session_ahead(session, alignment);
    if (!decoder)
        return false;
    decoder_step(decoder);
    return session_behind(session, alignment, session_now_us() - start);
}

void session_cancel(struct session *session, struct alignment *alignment)
{
    if (alignment_ended(alignment) != ENDED_NOT)
        return;
    assert(alignment == session->running);
    session_finish(session, alignment, ENDED_CANCELLED);
}

// All steps of what has begun.
static struct alignment *run_on(struct session *session, struct alignment *alignment)
{
    while (alignment && session_step(session, alignment))
        continue;
    return alignment;
}

struct alignment *session_run(struct session *session, const char *text, size_t length,
                              struct run_options options, struct error *err)
{
    return run_on(session, session_begin(session, text, length, options, err));
}

struct alignment *session_force_begin(struct session *session, const char *text,
                                      size_t length, const char *target,
                                      size_t target_length, struct run_options options,
                                      struct error *err)
{
    int count = 0;
    session->running = NULL;
    if (!session_check(target, target_length, &options, err) ||
        (!utf8_blank(target, target_length) &&
         !tokenizer_encode(session->model.target, target, target_length, session->forced,
                           ALIGNMENT_MAX_TGT - 1, &count, err)))
        return NULL;
    session->forced[count] = (struct token){.id = session->model.network->config.eos,
                                            .begin = (int)target_length,
                                            .end = (int)target_length};
    session->n_forced = count + 1;
    session->given = target;
    session->given_length = target_length;
    return begin(session, text, length, options, err);
}

struct alignment *session_force(struct session *session, const char *text, size_t length,
                                const char *target, size_t target_length,
                                struct run_options options, struct error *err)
{
    return run_on(session, session_force_begin(session, text, length, target,
                                               target_length, options, err));
}

struct alignment *session_force_ids(struct session *session, const char *text,
                                    size_t length, const int *ids, int count,
                                    struct run_options options, struct error *err)
{
    int vocab = session->model.network->config.target_vocab;
    session->running = NULL;
    if (count < 1 || count > ALIGNMENT_MAX_TGT) {
        fail_with(err, ERR_LIMIT, "%d target tokens, expected 1 to %d", count,
                  ALIGNMENT_MAX_TGT);
        return NULL;
    }
    for (int i = 0; i < count; i++) {
        if (ids[i] < 0 || ids[i] >= vocab) {
            fail_with(err, ERR_FORMAT, "token %d is not in 0 to %d", ids[i], vocab - 1);
            return NULL;
        }
        session->forced[i] = (struct token){.id = ids[i]};
    }
    session->n_forced = count;
    session->given = NULL;
    session->given_length = 0;
    return run_on(session, begin(session, text, length, options, err));
}
