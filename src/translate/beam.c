// SPDX-License-Identifier: MIT
// Results of a search as alignments. See beam.h. The tree has an arena of its own, given
// back as soon as it has been copied: of a long sentence it is many megabytes, and every
// open model has a session.
#include "translate/beam.h"

#include <assert.h>
#include <math.h>

#include "translate/session.h"

void session_beam_forget(struct session *session)
{
    session->beam.has_tree = false;
    arena_finish(&session->beam.arena);
}

static bool begin_search(struct session *session, struct run_options options,
                         const struct beam *beam, struct error *err)
{
    struct beam_search *of = &session->beam;
    struct sentence *sentence = &session->sentence;
    session_beam_forget(session);
    if (!sentence->n_src)
        return true;
    options.words_only = false;
    of->has_tree = decoder_init(&of->decoder, &of->arena, session->model.network,
                                &sentence->encoding, beam->width,
                                session_row_limit(sentence->n_src), options, err) &&
                   search_init(&of->search, &of->arena, &of->decoder, beam,
                               of->decoder.steps, ALIGNMENT_TOP, err);
    return of->has_tree;
}

bool session_beam_begin(struct session *session, const char *text, size_t length,
                        struct run_options options, const struct beam *beam,
                        struct error *err)
{
    session->running = NULL;
    session->n_forced = 0;
    session->given = NULL;
    session->given_length = 0;
    session->decode_us = 0;
    session->beam.options = options;
    if (session->edits && session->edits->count)
        return fail_with(err, ERR_USAGE, "what-if edits go with greedy decoding only");
    return beam_check(beam, err) && session_check(text, length, &options, err) &&
           session_load(session, text, length, err) &&
           begin_search(session, options, beam, err);
}

struct decoder *session_beam_ahead(struct session *session)
{
    struct beam_search *of = &session->beam;
    bool grows = of->has_tree && session->sentence.finite && of->search.n;
    return grows ? &of->decoder : NULL;
}

bool session_beam_behind(struct session *session, double us)
{
    double start = session_now_us();
    bool more = search_take(&session->beam.search);
    session->decode_us += us + session_now_us() - start;
    return more;
}

bool session_beam_step(struct session *session)
{
    double start = session_now_us();
    struct decoder *decoder = session_beam_ahead(session);
    if (!decoder)
        return false;
    decoder_step(decoder);
    return session_beam_behind(session, session_now_us() - start);
}

const struct search *session_beam_tree(const struct session *session)
{
    return session->beam.has_tree ? &session->beam.search : NULL;
}

static void put_path(struct session *session, struct alignment *alignment,
                     const struct search_result *result)
{
    const struct search *search = &session->beam.search;
    size_t s = (size_t)alignment->n_src, top = (size_t)search->n_top;
    int nodes[ALIGNMENT_MAX_TGT];
    int rows = search_path(search, result, nodes);
    for (int t = 0; t < rows; t++) {
        const struct search_node *node = &search->nodes[nodes[t]];
        size_t at = (size_t)node->row;
        struct row row = {.e = search->e + at * s,
                          .alpha = search->alpha + at * s,
                          .query_norm = search->query_norm[at],
                          .context_norm = search->context_norm[at],
                          .token = node->token,
                          .p = expf(node->log_p),
                          .n_top = search->n_top,
                          .top = search->top + at * top,
                          .top_log_p = search->top_log_p + at * top};
        session_put_row(session, alignment, t, &row);
    }
    alignment_publish(alignment, rows);
}

// The heads of a path: they are not in the tree, so the path is decoded again.
static void put_heads(struct session *session, struct alignment *alignment)
{
    struct decoder *decoder = &session->sentence.decoder;
    int rows = alignment->maps ? alignment_rows(alignment) : 0;
    decoder_restart(decoder, session->beam.options);
    for (int t = 0; t < rows; t++) {
        decoder_step(decoder);
        session_put_heads(alignment, t, decoder);
        decoder_feed(decoder, alignment->target[t].id);
    }
}

static struct alignment *make(struct session *session, const struct search_result *result,
                              struct error *err)
{
    const struct search *search = &session->beam.search;
    int rows = result->node < 0 ? 0 : search->nodes[result->node].length;
    struct alignment *alignment =
        session_alignment(session, rows ? rows : 1, &session->beam.options, err);
    if (!alignment)
        return NULL;
    put_path(session, alignment, result);
    put_heads(session, alignment);
    alignment->broken_row = session->sentence.finite ? rows : -1;
    session_finish(session, alignment,
                   result->complete                              ? ENDED_EOS
                   : search->broken || !session->sentence.finite ? ENDED_BROKEN
                                                                 : ENDED_LIMIT);
    return alignment;
}

static bool add(struct nbest *nbest, struct alignment *alignment, double log_p,
                double score)
{
    if (alignment)
        nbest->at[nbest->n++] = (struct hypothesis){alignment, log_p, score};
    else
        nbest_finish(nbest);
    return alignment != NULL;
}

bool session_beam_end(struct session *session, int most, struct nbest *nbest,
                      struct error *err)
{
    const struct search *search = session_beam_tree(session);
    const struct search_result none = {.node = -1};
    *nbest = (struct nbest){0};
    if (!search)
        return add(nbest, session_alignment(session, 0, &session->beam.options, err), 0,
                   0);
    assert(most >= 1 && (!search->n || !session->sentence.finite));
    if (!search->n_results)
        return add(nbest, make(session, &none, err), 0, 0);
    for (int i = 0; i < search->n_results && i < most; i++) {
        const struct search_result *result = &search->results[i];
        if (!add(nbest, make(session, result, err), result->log_p, result->score))
            return false;
    }
    return true;
}

bool session_beam(struct session *session, const char *text, size_t length,
                  struct run_options options, const struct beam *beam, int most,
                  struct nbest *nbest, struct error *err)
{
    *nbest = (struct nbest){0};
    if (!session_beam_begin(session, text, length, options, beam, err))
        return false;
    while (session_beam_step(session))
        continue;
    return session_beam_end(session, most, nbest, err);
}

void nbest_finish(struct nbest *nbest)
{
    for (int i = 0; i < nbest->n; i++)
        alignment_destroy(nbest->at[i].alignment);
    *nbest = (struct nbest){0};
}
