// SPDX-License-Identifier: MIT
// Text to the encoder's memory, once for as long as the text stays. See session.h.
#include "translate/session.h"

#include <string.h>

#include "text/utf8.h"
#include "translate/beam.h"

bool session_check(const char *text, size_t length, const struct run_options *options,
                   struct error *err)
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

static bool tokenize(struct sentence *sentence, const struct translator *model,
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
    sentence->ids[kept] = model->network->config.source_eos_id;
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

static void shuffle(struct sentence *sentence, const struct translator *model,
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

// Of what is encoded: in its order, and with a decoder.
static bool take_up(struct session *session, struct error *err)
{
    struct sentence *sentence = &session->sentence;
    const struct network *network = session->model.network;
    struct arena *arena = &session->arena;
    if (sentence->shuffle == EDIT_SHUFFLE &&
        !encoder_reorder(&sentence->encoding, arena, &network->config, sentence->order,
                         err))
        return false;
    sentence->finite = encoding_finite(&sentence->encoding, &network->config);
    sentence->posterior = (struct posterior){0};
    return decoder_init(&sentence->decoder, arena, network, &sentence->encoding, 1,
                        session_row_limit(sentence->n_src), run_at(1), err);
}

static bool encode(struct session *session, struct error *err)
{
    struct sentence *sentence = &session->sentence;
    return sentence->n_src == 0 ||
           (encoder_run_again(&session->cache, &sentence->encoding, &session->arena,
                              session->model.network, sentence->ids, sentence->n_src,
                              err) &&
            take_up(session, err));
}

static bool is_loaded(const struct sentence *sentence, const char *text, size_t length)
{
    return sentence->text && sentence->length == length &&
           memcmp(sentence->text, text, length) == 0;
}

// The ids of a text, which is kept in *copy.
static bool read(struct session *session, const char *text, size_t length,
                 const char **copy, struct error *err)
{
    struct sentence *sentence = &session->sentence;
    sentence->text = NULL;
    session_beam_forget(session);
    trail_forget(&session->trail);
    arena_reset(&session->arena);
    *copy = arena_copy(&session->arena, text, length);
    if (!*copy)
        return fail_nomem(err, "a sentence");
    if (!tokenize(sentence, &session->model, *copy, length, err))
        return false;
    shuffle(sentence, &session->model, session->edits);
    return true;
}

static void be_loaded(struct sentence *sentence, const char *copy, size_t length)
{
    sentence->text = copy;
    sentence->length = length;
}

bool session_load(struct session *session, const char *text, size_t length,
                  struct error *err)
{
    struct sentence *sentence = &session->sentence;
    const char *copy;
    sentence->encode_us = sentence->ahead_us;
    sentence->ahead_us = 0;
    if (is_loaded(sentence, text, length) &&
        in_order(sentence, &session->model, session->edits))
        return true;
    double start = session_now_us();
    if (!read(session, text, length, &copy, err) || !encode(session, err))
        return false;
    be_loaded(sentence, copy, length);
    sentence->encode_us = session_now_us() - start;
    return true;
}

void sessions_load(struct session *const *sessions, const struct session_text *texts,
                   int n, struct arena *scratch)
{
    struct encode_item items[SESSIONS_TOGETHER];
    const char *copies[SESSIONS_TOGETHER];
    const struct run_options any = run_at(1);
    double start = session_now_us();
    int count = 0, total = 0;
    for (int i = 0; i < n; i++) {
        struct session *session = sessions[i];
        struct sentence *of = &session->sentence;
        copies[i] = NULL;
        if (!session_check(texts[i].text, texts[i].length, &any, NULL) ||
            !read(session, texts[i].text, texts[i].length, &copies[i], NULL) ||
            !of->n_src) {
            copies[i] = NULL;
            continue;
        }
        items[count++] =
            (struct encode_item){of->ids, of->n_src, &session->arena, &of->encoding};
        total += of->n_src;
    }
    if (!count ||
        !encoder_run_together(items, count, scratch, sessions[0]->model.network, NULL))
        return;
    double us = (session_now_us() - start) / total;
    for (int i = 0; i < n; i++) {
        struct sentence *of = &sessions[i]->sentence;
        if (!copies[i] || !take_up(sessions[i], NULL))
            continue;
        be_loaded(of, copies[i], texts[i].length);
        of->ahead_us = us * of->n_src;
    }
}
