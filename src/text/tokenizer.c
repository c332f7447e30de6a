// SPDX-License-Identifier: MIT
// A SentencePiece model file as a tokenizer. See tokenizer.h.
//
// The file is read once and checked to be what it should be. A vocabulary that
// no honest model has (a million pieces, pieces of kilobytes, bytes that are no UTF-8) is
// refused here, so that everything that shows a piece may trust it.
//
// With a vocabulary of its own (text/vocabulary.h) only the pieces are SentencePiece's.
#include "text/tokenizer.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "text/spm_check.h"
#include "text/spm_shim.h"
#include "text/utf8.h"
#include "text/vocabulary.h"

enum { MODEL_MAX_BYTES = 64 * 1024 * 1024, VOCABULARY_MAX = 1 << 20 };
enum { JOIN_BYTES = 1 << 20 };

struct tokenizer {
    struct spm *spm;
    int size;                      // pieces, of the vocabulary if there is one
    struct vocabulary *vocabulary; // NULL: SentencePiece's ids
};

static bool check_bytes(const struct file_snapshot *bytes, const char *path,
                        struct error *err)
{
    if (bytes->size == 0)
        return fail_with(err, ERR_FORMAT, "%s: is empty, expected a SentencePiece model",
                         path);
    if (file_is_lfs_pointer(bytes->data, bytes->size))
        return fail_with(err, ERR_FORMAT,
                         "%s: is a git-lfs pointer, not the SentencePiece model itself; "
                         "fetch it with git lfs pull",
                         path);
    return true;
}

static bool check_pieces(const struct tokenizer *tokenizer, const char *path,
                         struct error *err)
{
    if (tokenizer->size < 1 || tokenizer->size > VOCABULARY_MAX)
        return fail_with(err, ERR_LIMIT, "%s: has %d pieces, expected 1 to %d", path,
                         tokenizer->size, VOCABULARY_MAX);
    for (int id = 0; id < tokenizer->size; id++) {
        size_t length = 0;
        const char *piece = spm_piece(tokenizer->spm, id, &length);
        if (length == 0 || length > TOKEN_MAX_BYTES)
            return fail_with(err, ERR_FORMAT,
                             "%s: piece %d has %zu bytes, expected 1 to %d", path, id,
                             length, TOKEN_MAX_BYTES);
        if (!utf8_valid(piece, length) || memchr(piece, '\0', length))
            return fail_with(err, ERR_FORMAT, "%s: piece %d is not valid UTF-8 text",
                             path, id);
    }
    return true;
}

static bool open_bytes(struct tokenizer *tokenizer, const struct file_snapshot *bytes,
                       const char *path, struct error *err)
{
    if (!check_bytes(bytes, path, err))
        return false;
    enum spm_result result = SPM_OK;
    if (spm_check(bytes->data, bytes->size))
        tokenizer->spm = spm_open(bytes->data, bytes->size, &result);
    if (result == SPM_NOMEM)
        return fail_nomem(err, "a tokenizer");
    if (!tokenizer->spm)
        return fail_with(err, ERR_FORMAT,
                         "%s: is not a SentencePiece model, or not a whole one", path);
    tokenizer->size = spm_size(tokenizer->spm);
    return check_pieces(tokenizer, path, err);
}

struct tokenizer *tokenizer_open(const char *path, struct error *err)
{
    struct file_snapshot bytes;
    if (!file_snapshot(&bytes, path, MODEL_MAX_BYTES, err))
        return NULL;
    struct tokenizer *tokenizer = calloc(1, sizeof *tokenizer);
    bool ok = tokenizer ? open_bytes(tokenizer, &bytes, path, err)
                        : fail_nomem(err, "a tokenizer");
    file_release(&bytes);
    if (ok)
        return tokenizer;
    tokenizer_close(tokenizer);
    return NULL;
}

void tokenizer_close(struct tokenizer *tokenizer)
{
    if (!tokenizer)
        return;
    spm_close(tokenizer->spm);
    vocabulary_destroy(tokenizer->vocabulary);
    free(tokenizer);
}

bool tokenizer_use_vocabulary(struct tokenizer *tokenizer, const char *const *pieces,
                              int count, int eos, int unk, struct error *err)
{
    struct vocabulary *vocabulary = vocabulary_create(pieces, count, eos, unk);
    if (!vocabulary)
        return fail_nomem(err, "a vocabulary");
    vocabulary_destroy(tokenizer->vocabulary);
    tokenizer->vocabulary = vocabulary;
    tokenizer->size = count;
    return true;
}

int tokenizer_size(const struct tokenizer *tokenizer)
{
    return tokenizer->size;
}

static bool in_range(const struct tokenizer *tokenizer, int id)
{
    return id >= 0 && id < tokenizer->size;
}

const char *tokenizer_piece(const struct tokenizer *tokenizer, int id)
{
    size_t length;
    if (!in_range(tokenizer, id))
        return NULL;
    return tokenizer->vocabulary ? vocabulary_piece(tokenizer->vocabulary, id)
                                 : spm_piece(tokenizer->spm, id, &length);
}

bool tokenizer_is_control(const struct tokenizer *tokenizer, int id)
{
    if (!in_range(tokenizer, id))
        return false;
    return tokenizer->vocabulary ? vocabulary_is_control(tokenizer->vocabulary, id)
                                 : spm_is_control(tokenizer->spm, id);
}

bool tokenizer_is_unknown(const struct tokenizer *tokenizer, int id)
{
    if (!in_range(tokenizer, id))
        return false;
    return tokenizer->vocabulary ? id == vocabulary_unk(tokenizer->vocabulary)
                                 : spm_is_unknown(tokenizer->spm, id);
}

bool tokenizer_is_byte(const struct tokenizer *tokenizer, int id)
{
    return in_range(tokenizer, id) && !tokenizer->vocabulary &&
           spm_is_byte(tokenizer->spm, id);
}

struct tokenizer_specials tokenizer_specials(const struct tokenizer *tokenizer)
{
    const struct vocabulary *vocabulary = tokenizer->vocabulary;
    if (vocabulary)
        return (struct tokenizer_specials){
            .pad = vocabulary_find(vocabulary, "<pad>", 5),
            .bos = -1,
            .eos = vocabulary_eos(vocabulary),
            .unk = vocabulary_unk(vocabulary),
        };
    return (struct tokenizer_specials){
        .pad = spm_pad(tokenizer->spm),
        .bos = spm_bos(tokenizer->spm),
        .eos = spm_eos(tokenizer->spm),
        .unk = spm_unk(tokenizer->spm),
    };
}

struct taking { // tokens of a text
    const struct vocabulary *vocabulary;
    struct token *out;
    int first; // where in `out` SentencePiece's begin, and in the text
    int begin;
};

static void take_token(void *context, int at, const struct spm_piece *piece)
{
    const struct taking *taking = context;
    int id = piece->id;
    if (taking->vocabulary)
        id = vocabulary_id(taking->vocabulary, piece->piece, piece->length);
    taking->out[taking->first + at] =
        (struct token){.id = id,
                       .begin = taking->begin + piece->begin,
                       .end = taking->begin + piece->end};
}

static enum spm_result split(const struct tokenizer *tokenizer, const char *text,
                             size_t length, struct token *out, int max, int *total)
{
    const struct vocabulary *vocabulary = tokenizer->vocabulary;
    size_t code = vocabulary ? vocabulary_code(text, length) : 0;
    struct taking taking = {vocabulary, out, code ? 1 : 0, (int)code};
    int room = max > taking.first ? max - taking.first : 0;
    if (code && max > 0)
        out[0] = (struct token){vocabulary_id(vocabulary, text, code), 0, (int)code};
    enum spm_result result = spm_encode(tokenizer->spm, text + code, length - code, room,
                                        take_token, &taking, total);
    *total += taking.first;
    return result;
}

bool tokenizer_encode_first(const struct tokenizer *tokenizer, const char *text,
                            size_t length, struct token *out, int max, int *total,
                            struct error *err)
{
    *total = 0;
    if (length > TEXT_MAX_BYTES)
        return fail_with(err, ERR_LIMIT, "the text has %zu bytes, the limit is %d",
                         length, TEXT_MAX_BYTES);
    if (!utf8_valid(text, length))
        return fail_with(err, ERR_FORMAT, "the text is not valid UTF-8");
    switch (split(tokenizer, text, length, out, max, total)) {
    case SPM_OK:
        return true;
    case SPM_NOMEM:
        return fail_nomem(err, "the tokens of a text");
    case SPM_BAD:
        break;
    }
    return fail_with(err, ERR_FORMAT, "the tokenizer cannot split this text");
}

bool tokenizer_encode(const struct tokenizer *tokenizer, const char *text, size_t length,
                      struct token *out, int max, int *count, struct error *err)
{
    if (!tokenizer_encode_first(tokenizer, text, length, out, max, count, err))
        return false;
    if (*count <= max)
        return true;
    return fail_with(err, ERR_LIMIT, "the text has %d tokens, the limit is %d", *count,
                     max);
}

static bool put_bytes(void *context, const char *bytes, size_t length)
{
    return buf_append(context, bytes, length);
}

// With a vocabulary: the pieces of the ids that are no controls.
static enum spm_result join(const struct tokenizer *tokenizer, const int *ids, int count,
                            struct buf *out)
{
    const struct vocabulary *vocabulary = tokenizer->vocabulary;
    if (!vocabulary)
        return spm_decode(tokenizer->spm, ids, count, put_bytes, out);
    struct arena arena;
    arena_init(&arena, JOIN_BYTES);
    const char **pieces = arena_alloc(&arena, (size_t)count, sizeof *pieces);
    int kept = 0;
    for (int i = 0; pieces && i < count; i++)
        if (!vocabulary_is_control(vocabulary, ids[i]))
            pieces[kept++] = vocabulary_piece(vocabulary, ids[i]);
    enum spm_result result =
        pieces ? spm_join(tokenizer->spm, pieces, kept, put_bytes, out) : SPM_NOMEM;
    arena_finish(&arena);
    return result;
}

bool tokenizer_decode(const struct tokenizer *tokenizer, const int *ids, int count,
                      struct buf *out, struct error *err)
{
    for (int i = 0; i < count; i++)
        if (!in_range(tokenizer, ids[i]))
            return fail_with(err, ERR_FORMAT, "token %d is not in 0 to %d", ids[i],
                             tokenizer->size - 1);
    switch (join(tokenizer, ids, count, out)) {
    case SPM_OK:
        return true;
    case SPM_NOMEM:
        return fail_nomem(err, "the text of a translation");
    case SPM_BAD:
        break;
    }
    return fail_with(err, ERR_FORMAT, "the tokenizer cannot join these tokens");
}
