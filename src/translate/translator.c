// SPDX-License-Identifier: MIT
// A session: one sentence in the encoder's memory, decoded as often as τ moves.
//
// The sentence (text, tokens, H, keys, decoder state) lives in the session's arena until
// another text comes; a new τ only restarts the decoder. Each alignment takes all its
// memory when it is begun, so that the loop takes none: what could fail has failed before
// the first row.
#include "translate/translator.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/score.h"
#include "text/utf8.h"
#include "translate/labels.h"
#include "translate/what_if.h"

enum {
    ROWS_PER_TOKEN = 3, // the length limit is 3 * n_src + 10
    ROWS_MORE = 10,
    SESSION_MAX_BYTES = 256 * 1024 * 1024,
};

struct sentence {
    const char *text; // NULL: none is loaded
    size_t length;
    struct token tokens[SENTENCE_MAX_TOKENS];
    int ids[SENTENCE_MAX_TOKENS + 1]; // with </s>
    int n_src;                        // with its </s>; 0 when the text has no tokens
    int tokens_cut;
    double encode_us;
    bool finite; // all of the encoding
    int shuffle; // enum edit_kind of what has another order; EDIT_ALL: nothing
    int order[SENTENCE_MAX_TOKENS + 1]; // which token stands where
    struct encoding encoding;
    struct decoder decoder;
};

struct session {
    struct translator model;
    struct arena arena; // of the sentence
    struct sentence sentence;
    int longest;               // bytes of the longest piece
    struct alignment *running; // begun last
    struct label_pool pool;    // of running
    char *translation;         // of running: room for it
    size_t translation_size;   // bytes
    double decode_us;          // of running
    struct token forced[ALIGNMENT_MAX_TGT];
    int n_forced;      // of running; 0: the decoder chooses
    const char *given; // of running: the text that forced came from, borrowed; or NULL
    size_t given_length;
    const struct edits *edits; // borrowed; NULL: none
    int emitted[ALIGNMENT_MAX_TGT];
};

static double now_us(void)
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
    return session;
}

void session_destroy(struct session *session)
{
    if (!session)
        return;
    arena_finish(&session->arena);
    free(session);
}

static bool check_input(const char *text, size_t length,
                        const struct run_options *options, struct error *err)
{
    if (!run_options_check(options, err))
        return false;
    if (length > TEXT_MAX_BYTES)
        return fail_with(err, ERR_LIMIT, "the text has %zu bytes, the limit is %d",
                         length, TEXT_MAX_BYTES);
    if (!utf8_valid(text, length))
        return fail_with(err, ERR_FORMAT, "the text is not valid UTF-8");
    if (length && memchr(text, '\0', length))
        return fail_with(err, ERR_FORMAT, "the text contains a NUL byte");
    return true;
}

static bool sentence_tokens(struct sentence *sentence, const struct translator *model,
                            const char *text, size_t length, struct error *err)
{
    int total = 0;
    if (!utf8_blank(text, length) &&
        !tokenizer_encode_first(model->source, text, length, sentence->tokens,
                                SENTENCE_MAX_TOKENS, &total, err))
        return false;
    int kept = total < SENTENCE_MAX_TOKENS ? total : SENTENCE_MAX_TOKENS;
    for (int i = 0; i < kept; i++)
        sentence->ids[i] = sentence->tokens[i].id;
    sentence->ids[kept] = model->network->config.eos;
    sentence->n_src = total ? kept + model->network->config.source_eos : 0;
    sentence->tokens_cut = total - kept;
    return true;
}

static int words_of(const struct sentence *sentence, const struct translator *model)
{
    return sentence->n_src ? sentence->n_src - model->network->config.source_eos : 0;
}

// The order that the edits ask for; </s> stays.
static int shuffled(const struct sentence *sentence, const struct translator *model,
                    const struct edits *edits, int *order)
{
    int words = words_of(sentence, model);
    for (int i = 0; i < sentence->n_src; i++)
        order[i] = i;
    if (!edits || edits_shuffle(edits) == EDIT_ALL)
        return EDIT_ALL;
    edits_order(edits, words, order);
    return edits_shuffle(edits);
}

static void sentence_shuffle(struct sentence *sentence, const struct translator *model,
                             const struct edits *edits)
{
    int words = words_of(sentence, model);
    sentence->shuffle = shuffled(sentence, model, edits, sentence->order);
    for (int i = 0; i < words && sentence->shuffle == EDIT_SHUFFLE_WORDS; i++)
        sentence->ids[i] = sentence->tokens[sentence->order[i]].id;
}

// Whether the sentence is in the order that the edits ask for.
static bool in_order(const struct sentence *sentence, const struct translator *model,
                     const struct edits *edits)
{
    int order[SENTENCE_MAX_TOKENS + 1];
    return shuffled(sentence, model, edits, order) == sentence->shuffle &&
           !memcmp(order, sentence->order, (size_t)sentence->n_src * sizeof *order);
}

// Finite weights may still be so large that their sums are not.
static bool all_finite(const float *values, int rows, int cols)
{
    size_t where;
    const struct tensor values_of = {values, DTYPE_F32, rows, cols};
    return !values || tensor_finite(&values_of, &where);
}

static bool encoding_finite(const struct encoding *encoding,
                            const struct model_config *config)
{
    int n = encoding->n_src, states = config->decoder_layers * config->decoder_hidden;
    return all_finite(encoding->memory, n, model_memory_width(config)) &&
           all_finite(encoding->keys, n, scorer_key_width(config)) &&
           all_finite(encoding->state0, 1, states) &&
           all_finite(encoding->memory0, 1, states);
}

static bool sentence_encode(struct sentence *sentence, const struct translator *model,
                            struct arena *arena, struct error *err)
{
    if (sentence->n_src == 0)
        return true;
    if (!encoder_run(&sentence->encoding, arena, model->network, sentence->ids,
                     sentence->n_src, err))
        return false;
    if (sentence->shuffle == EDIT_SHUFFLE &&
        !encoder_reorder(&sentence->encoding, arena, &model->network->config,
                         sentence->order, err))
        return false;
    sentence->finite = encoding_finite(&sentence->encoding, &model->network->config);
    return decoder_init(&sentence->decoder, arena, model->network, &sentence->encoding, 1,
                        run_at(1), err);
}

// text becomes the session's sentence, in the order that the edits ask for, unless it is
// already.
static bool session_load(struct session *session, const char *text, size_t length,
                         struct error *err)
{
    struct sentence *sentence = &session->sentence;
    sentence->encode_us = 0;
    if (sentence->text && sentence->length == length &&
        memcmp(sentence->text, text, length) == 0 &&
        in_order(sentence, &session->model, session->edits))
        return true;
    double start = now_us();
    sentence->text = NULL;
    arena_reset(&session->arena);
    const char *copy = arena_copy(&session->arena, text, length);
    if (!copy)
        return fail_nomem(err, "a sentence");
    if (!sentence_tokens(sentence, &session->model, copy, length, err))
        return false;
    sentence_shuffle(sentence, &session->model, session->edits);
    if (!sentence_encode(sentence, &session->model, &session->arena, err))
        return false;
    sentence->text = copy;
    sentence->length = length;
    sentence->encode_us = now_us() - start;
    return true;
}

static int row_limit(int n_src)
{
    int rows = ROWS_PER_TOKEN * n_src + ROWS_MORE;
    return rows < ALIGNMENT_MAX_TGT ? rows : ALIGNMENT_MAX_TGT;
}

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

static int rows_of(const struct session *session)
{
    int rows = row_limit(session->sentence.n_src);
    int forced = session->n_forced;
    if (session->edits && edits_forced_rows(session->edits))
        forced = edits_forced_rows(session->edits) + ROWS_MORE;
    rows = rows > forced ? rows : forced;
    return rows < ALIGNMENT_MAX_TGT ? rows : ALIGNMENT_MAX_TGT;
}

static void alter(void *context, int step, float *alpha, int n)
{
    const struct session *session = context;
    struct alignment *alignment = session->running;
    alignment->rows_spread +=
        what_if_row(session->edits, alignment->order, step, alpha, n);
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

static struct alignment *begin_rows(struct session *session, struct run_options options,
                                    struct error *err)
{
    const struct sentence *sentence = &session->sentence;
    bool empty = sentence->n_src == 0;
    bool has_attention = session->model.network->config.score != SCORE_NONE;
    struct alignment *alignment = alignment_create(
        sentence->n_src, empty ? 0 : rows_of(session), has_attention, err);
    if (!alignment)
        return NULL;
    if (!name_alignment(session, alignment) || !name_edits(session, alignment) ||
        !reserve_text(session, alignment)) {
        alignment_destroy(alignment);
        fail_nomem(err, "an alignment");
        return NULL;
    }
    alignment->tau = options.tau;
    alignment->tokens_cut = sentence->tokens_cut;
    alignment->encode_us = sentence->encode_us;
    if (empty) {
        alignment_end(alignment, ENDED_EMPTY);
        return alignment;
    }
    label_columns(session, alignment);
    if (alignment->edited) {
        options.alter = alter;
        options.alter_context = session;
    }
    decoder_restart(&session->sentence.decoder, options);
    return alignment;
}

static struct alignment *begin(struct session *session, const char *text, size_t length,
                               struct run_options options, struct error *err)
{
    session->running = NULL;
    session->decode_us = 0;
    if (!check_input(text, length, &options, err) ||
        (session->edits &&
         !what_if_check(session->edits, session->model.network->config.target_vocab,
                        err)) ||
        !session_load(session, text, length, err))
        return NULL;
    session->running = begin_rows(session, options, err);
    return session->running;
}

void session_edit(struct session *session, const struct edits *edits)
{
    session->edits = edits;
}

struct alignment *session_begin(struct session *session, const char *text, size_t length,
                                struct run_options options, struct error *err)
{
    session->n_forced = 0;
    session->given = NULL;
    session->given_length = 0;
    return begin(session, text, length, options, err);
}

static void copy_attention(const struct decoder *decoder, struct alignment *alignment,
                           int t)
{
    size_t n = (size_t)alignment->n_src, at = (size_t)t * n;
    if (!alignment->has_attention)
        return;
    memcpy(alignment->score + at, decoder->e, n * sizeof(float));
    memcpy(alignment->alpha + at, decoder->alpha, n * sizeof(float));
}

// False when a probability is not finite.
static bool copy_candidates(struct session *session, struct alignment *alignment, int t)
{
    const struct decoder *decoder = &session->sentence.decoder;
    const struct model_config *config = &session->model.network->config;
    struct candidate *top = alignment->top + (size_t)t * ALIGNMENT_TOP;
    int ids[ALIGNMENT_TOP];
    float log_p[ALIGNMENT_TOP];
    int k = config->target_vocab < ALIGNMENT_TOP ? config->target_vocab : ALIGNMENT_TOP;
    decoder_top(decoder, 0, k, ids, log_p);
    if (!all_finite(log_p, 1, k))
        return false;
    for (int i = 0; i < ALIGNMENT_TOP; i++) {
        // A vocabulary of fewer words than there are places repeats its last.
        int from = i < k ? i : k - 1;
        top[i] = (struct candidate){ids[from], log_p[from], NULL};
        top[i].text = label_target_text(&session->pool, session->model.target,
                                        config->eos, ids[from]);
    }
    return true;
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

static void finish(struct session *session, struct alignment *alignment, enum ended ended)
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

static bool step_finite(const struct decoder *decoder, const struct alignment *alignment)
{
    int n = alignment->n_src, vocab = decoder->network->config.target_vocab;
    return isfinite(decoder->log_sum[0]) && all_finite(decoder->logits, 1, vocab) &&
           (!alignment->has_attention ||
            (all_finite(decoder->e, 1, n) && all_finite(decoder->alpha, 1, n)));
}

static int token_of(const struct session *session, int t)
{
    int token = session->edits ? edits_token(session->edits, t) : -1;
    if (session->n_forced)
        return session->forced[t].id;
    return token >= 0 ? token : decoder_best(&session->sentence.decoder, 0);
}

// One row into the alignment, not yet published; the token it emits, or -1 when a number
// of the row is not finite.
static int write_row(struct session *session, struct alignment *alignment, int t)
{
    struct decoder *decoder = &session->sentence.decoder;
    decoder_step(decoder);
    int token = token_of(session, t);
    if (!step_finite(decoder, alignment) || !copy_candidates(session, alignment, t))
        return -1;
    copy_attention(decoder, alignment, t);
    alignment->p[t] = expf(decoder->logits[token] - decoder->log_sum[0]);
    alignment->target[t] =
        label_target(&session->pool, session->model.target,
                     session->model.network->config.eos, token, t == 0);
    if (session->n_forced) {
        alignment->target[t].begin = session->forced[t].begin;
        alignment->target[t].end = session->forced[t].end;
    }
    decoder_feed(decoder, token);
    return token;
}

bool session_step(struct session *session, struct alignment *alignment)
{
    if (alignment_ended(alignment) != ENDED_NOT)
        return false;
    assert(alignment == session->running);
    int t = alignment_rows(alignment);
    double start = now_us();
    int token = session->sentence.finite ? write_row(session, alignment, t) : -1;
    if (token < 0) {
        alignment->broken_row = session->sentence.finite ? t : -1;
        finish(session, alignment, ENDED_BROKEN);
        return false;
    }
    alignment_publish(alignment, t + 1);
    session->decode_us += now_us() - start;
    if (token == session->model.network->config.eos)
        finish(session, alignment, ENDED_EOS);
    else if (t + 1 == (session->n_forced ? session->n_forced : alignment->max_tgt))
        finish(session, alignment, ENDED_LIMIT);
    return alignment_ended(alignment) == ENDED_NOT;
}

void session_cancel(struct session *session, struct alignment *alignment)
{
    if (alignment_ended(alignment) != ENDED_NOT)
        return;
    assert(alignment == session->running);
    finish(session, alignment, ENDED_CANCELLED);
}

struct alignment *session_run(struct session *session, const char *text, size_t length,
                              struct run_options options, struct error *err)
{
    struct alignment *alignment = session_begin(session, text, length, options, err);
    while (alignment && session_step(session, alignment))
        continue;
    return alignment;
}

static struct alignment *run_forced(struct session *session, const char *text,
                                    size_t length, struct run_options options,
                                    struct error *err)
{
    struct alignment *alignment = begin(session, text, length, options, err);
    while (alignment && session_step(session, alignment))
        continue;
    return alignment;
}

struct alignment *session_force(struct session *session, const char *text, size_t length,
                                const char *target, size_t target_length,
                                struct run_options options, struct error *err)
{
    int count = 0;
    session->running = NULL;
    if (!check_input(target, target_length, &options, err) ||
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
    return run_forced(session, text, length, options, err);
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
    return run_forced(session, text, length, options, err);
}

void translate_reread(const struct alignment *alignment, float tau, int from, int to,
                      float *alpha)
{
    size_t n = (size_t)alignment->n_src;
    int rows = alignment->has_attention ? alignment_rows(alignment) : 0;
    for (int t = from; t < to; t++) {
        float *row = alpha + (size_t)t * n;
        if (t < rows)
            softmax_tau(row, alignment->score + (size_t)t * n, NULL, (int)n, tau);
        else
            memset(row, 0, n * sizeof *row);
    }
}
