// SPDX-License-Identifier: MIT
// Alignments of a session's sentence: made, filled row by row, ended. See session.h.
#include "translate/session.h"

#include <string.h>

#include "engine/score.h"
#include "text/utf8.h"

static bool name_alignment(struct session *session, struct alignment *alignment)
{
    const struct sentence *sentence = &session->sentence;
    const char *id = session->model.id ? session->model.id : "";
    alignment->text = arena_copy(&alignment->arena, sentence->text, sentence->length);
    alignment->model = arena_copy(&alignment->arena, id, strlen(id));
    return alignment->text && alignment->model;
}

static bool reserve_text(struct session *session, struct alignment *alignment)
{
    size_t label = (size_t)session->longest + 1;
    session->pool.left = label_pool_bytes(alignment->n_src, session->sentence.length,
                                          alignment->max_tgt, session->longest);
    session->pool.at = arena_alloc(&alignment->arena, session->pool.left, 1);
    // A piece of the longest kind, or " ⁇ ", and a space before it.
    session->translation_size =
        (size_t)alignment->max_tgt * (label + 8) + 1 + session->given_length;
    session->translation = arena_alloc(&alignment->arena, session->translation_size, 1);
    return session->pool.at && session->translation;
}

static void label_columns(struct session *session, struct alignment *alignment)
{
    const struct sentence *sentence = &session->sentence;
    const struct tokenizer *tokenizer = session->model.source;
    bool end = session->model.network->config.source_eos;
    int words = alignment->n_src - end;
    const int *order = sentence->order;
    for (int s = 0; s < words; s++) {
        bool follows = s > 0 && order[s] == order[s - 1] + 1;
        alignment->source[s] = label_source(&session->pool, tokenizer, sentence->text,
                                            sentence->length, &sentence->tokens[order[s]],
                                            follows ? &alignment->source[s - 1] : NULL);
    }
    if (end)
        alignment->source[words] = label_source_end(
            &session->pool, tokenizer, sentence->ids[words], sentence->length);
}

// What the edits make of an alignment that begins.
static bool name_edits(const struct session *session, struct alignment *alignment)
{
    const struct sentence *sentence = &session->sentence;
    size_t n = (size_t)sentence->n_src;
    alignment->edited = session->edits && session->edits->count > 0;
    if (sentence->shuffle == EDIT_ALL || n == 0)
        return true;
    int *order = arena_alloc(&alignment->arena, n, sizeof *order);
    if (order)
        memcpy(order, sentence->order, n * sizeof *order);
    alignment->order = order;
    return order != NULL;
}

static void measure_memory(const struct sentence *sentence, int width,
                           struct alignment *alignment)
{
    for (int s = 0; s < alignment->n_src; s++)
        alignment->memory_norm[s] =
            floats_length(sentence->encoding.memory + (size_t)s * (size_t)width, width);
}

// For who looks at a row: the keys, and room for the states that ask. A Transformer asks
// with many heads, and a state between two cells is gone after the step.
static bool keep_vectors(const struct session *session, struct alignment *alignment)
{
    const struct model_config *c = &session->model.network->config;
    const struct sentence *sentence = &session->sentence;
    size_t n = (size_t)alignment->n_src, d = (size_t)c->decoder_hidden;
    bool same = sentence->encoding.keys == sentence->encoding.memory;
    size_t width = (size_t)(same ? model_memory_width(c) : scorer_key_width(c));
    if (!session->trail.wanted || !alignment->has_attention ||
        sentence->decoder.transformer ||
        (c->query != QUERY_PREVIOUS && c->query != QUERY_CURRENT))
        return true;
    struct arena *arena = &alignment->arena;
    alignment->query = arena_alloc(arena, (size_t)alignment->max_tgt * d, sizeof(float));
    alignment->key = arena_alloc(arena, n * width, sizeof(float));
    if (!alignment->query || !alignment->key)
        return false;
    memcpy(alignment->key, sentence->encoding.keys, n * width * sizeof(float));
    alignment->query_width = c->decoder_hidden;
    alignment->key_width = (int)width;
    return true;
}

struct alignment *session_alignment(struct session *session, int rows,
                                    const struct run_options *options, struct error *err)
{
    const struct sentence *sentence = &session->sentence;
    bool empty = sentence->n_src == 0;
    bool has_attention = session->model.network->config.score != SCORE_NONE;
    struct alignment *alignment =
        alignment_create(sentence->n_src, empty ? 0 : rows, has_attention, err);
    if (!alignment)
        return NULL;
    if (!name_alignment(session, alignment) || !name_edits(session, alignment) ||
        !reserve_text(session, alignment)) {
        alignment_destroy(alignment);
        fail_nomem(err, "an alignment");
        return NULL;
    }
    alignment->tau = options->tau;
    alignment->dropout = options->dropout;
    alignment->seed = options->seed;
    alignment->tokens_cut = sentence->tokens_cut;
    alignment->encode_us = sentence->encode_us;
    if (empty) {
        alignment_end(alignment, ENDED_EMPTY);
        return alignment;
    }
    if (!options->mean_only && !session_take_maps(session, alignment, err)) {
        alignment_destroy(alignment);
        return NULL;
    }
    if (!keep_vectors(session, alignment)) {
        alignment_destroy(alignment);
        fail_nomem(err, "an alignment");
        return NULL;
    }
    label_columns(session, alignment);
    measure_memory(sentence, model_memory_width(&session->model.network->config),
                   alignment);
    return alignment;
}

static void put_attention(struct alignment *alignment, int t, const struct row *row)
{
    size_t n = (size_t)alignment->n_src, at = (size_t)t * n;
    if (!alignment->has_attention)
        return;
    memcpy(alignment->score + at, row->e, n * sizeof(float));
    memcpy(alignment->alpha + at, row->alpha, n * sizeof(float));
}

// A vocabulary of fewer words than there are places repeats its last.
static void put_candidates(struct session *session, struct alignment *alignment, int t,
                           const struct row *row)
{
    struct candidate *top = alignment->top + (size_t)t * ALIGNMENT_TOP;
    const struct tokenizer *words = session->model.target;
    int eos = session->model.network->config.eos;
    int n = row->n_top < ALIGNMENT_TOP ? row->n_top : ALIGNMENT_TOP;
    for (int i = 0; i < n; i++) {
        top[i] = (struct candidate){.id = row->top[i], .log_p = row->top_log_p[i]};
        top[i].text = label_target_text(&session->pool, words, eos, top[i].id);
        top[i].joins = label_target_joins(words, eos, top[i].id);
    }
    for (int i = n; i < ALIGNMENT_TOP; i++)
        top[i] = top[n - 1];
}

void session_put_row(struct session *session, struct alignment *alignment, int t,
                     const struct row *row)
{
    put_candidates(session, alignment, t, row);
    put_attention(alignment, t, row);
    alignment->query_norm[t] = row->query_norm;
    size_t width = (size_t)alignment->query_width;
    if (row->query && width)
        memmove(alignment->query + (size_t)t * width, row->query, width * sizeof(float));
    alignment->context_norm[t] = row->context_norm;
    alignment->p[t] = row->p;
    alignment->target[t] =
        label_target(&session->pool, session->model.target,
                     session->model.network->config.eos, row->token, t == 0);
}

// Words by their labels, for when the tokenizer has no memory to join them.
static void join_labels(struct session *session, const struct alignment *alignment,
                        int rows)
{
    size_t at = 0;
    for (int t = 0; t < rows; t++) {
        const struct label *label = &alignment->target[t];
        size_t length = strlen(label->text);
        bool space = at && !label->joined;
        if (label->special || length + 2 > session->translation_size - at)
            continue;
        if (space)
            session->translation[at++] = ' ';
        memcpy(session->translation + at, label->text, length);
        at += length;
    }
    session->translation[at] = '\0';
}

// The words of the rows as plain text.
static void join_words(struct session *session, const struct alignment *alignment)
{
    int rows = alignment_rows(alignment), eos = session->model.network->config.eos;
    int count = 0;
    struct buf text;
    buf_init(&text, session->translation_size);
    for (int t = 0; t < rows; t++)
        if (alignment->target[t].id != eos)
            session->emitted[count++] = alignment->target[t].id;
    if (tokenizer_decode(session->model.target, session->emitted, count, &text, NULL))
        utf8_clean(session->translation, session->translation_size, buf_text(&text),
                   text.length, NULL);
    else
        join_labels(session, alignment, rows);
    buf_finish(&text);
}

void session_finish(struct session *session, struct alignment *alignment,
                    enum ended ended)
{
    if (session->given) {
        memcpy(session->translation, session->given, session->given_length);
        session->translation[session->given_length] = '\0';
    } else {
        join_words(session, alignment);
    }
    alignment->translation = session->translation;
    alignment->decode_us = session->decode_us;
    alignment_end(alignment, ended);
}
