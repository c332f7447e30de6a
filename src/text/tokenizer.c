// SPDX-License-Identifier: MIT
// A SentencePiece model file as a tokenizer. See tokenizer.h.
//
// The file is read once and checked to be what it should be. A vocabulary that
// no honest model has (a million pieces, pieces of kilobytes, bytes that are no UTF-8) is
// refused here, so that everything that shows a piece may trust it.
#include "text/tokenizer.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "text/spm_check.h"
#include "text/spm_shim.h"
#include "text/utf8.h"

enum { MODEL_MAX_BYTES = 64 * 1024 * 1024, VOCABULARY_MAX = 1 << 20 };

struct tokenizer {
    struct spm *spm;
    int size;
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
    free(tokenizer);
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
    return in_range(tokenizer, id) ? spm_piece(tokenizer->spm, id, &length) : NULL;
}

bool tokenizer_is_control(const struct tokenizer *tokenizer, int id)
{
    return in_range(tokenizer, id) && spm_is_control(tokenizer->spm, id);
}

bool tokenizer_is_unknown(const struct tokenizer *tokenizer, int id)
{
    return in_range(tokenizer, id) && spm_is_unknown(tokenizer->spm, id);
}

bool tokenizer_is_byte(const struct tokenizer *tokenizer, int id)
{
    return in_range(tokenizer, id) && spm_is_byte(tokenizer->spm, id);
}

struct tokenizer_specials tokenizer_specials(const struct tokenizer *tokenizer)
{
    return (struct tokenizer_specials){
        .pad = spm_pad(tokenizer->spm),
        .bos = spm_bos(tokenizer->spm),
        .eos = spm_eos(tokenizer->spm),
        .unk = spm_unk(tokenizer->spm),
    };
}

static void take_token(void *context, int at, int id, int begin, int end)
{
    struct token *out = context;
    out[at] = (struct token){.id = id, .begin = begin, .end = end};
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
    switch (spm_encode(tokenizer->spm, text, length, max, take_token, out, total)) {
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

bool tokenizer_decode(const struct tokenizer *tokenizer, const int *ids, int count,
                      struct buf *out, struct error *err)
{
    for (int i = 0; i < count; i++)
        if (!in_range(tokenizer, ids[i]))
            return fail_with(err, ERR_FORMAT, "token %d is not in 0 to %d", ids[i],
                             tokenizer->size - 1);
    switch (spm_decode(tokenizer->spm, ids, count, put_bytes, out)) {
    case SPM_OK:
        return true;
    case SPM_NOMEM:
        return fail_nomem(err, "the text of a translation");
    case SPM_BAD:
        break;
    }
    return fail_with(err, ERR_FORMAT, "the tokenizer cannot join these tokens");
}
