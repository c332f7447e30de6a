// SPDX-License-Identifier: MIT
// Any bytes as a tokenizer's file. What opens must split text into ordered tokens inside
// it, and join any of its ids again.
#include "fuzz.h"

#include <string.h>

#include "text/tokenizer.h"
#include "text/utf8.h"

enum { TOKENS_MAX = 64, IDS_MAX = 200 };

static struct fuzz_file file;

static void remove_file(void)
{
    unlink(file.path);
}

static void split(const struct tokenizer *tokenizer, const char *text)
{
    struct token tokens[TOKENS_MAX];
    int total = 0, end = 0, length = (int)strlen(text);
    if (!tokenizer_encode_first(tokenizer, text, (size_t)length, tokens, TOKENS_MAX,
                                &total, NULL))
        return;
    for (int i = 0; i < total && i < TOKENS_MAX; i++) {
        must(tokens[i].begin >= end && tokens[i].end >= tokens[i].begin);
        end = tokens[i].end;
        must(end <= length);
        must(tokenizer_piece(tokenizer, tokens[i].id) != NULL);
    }
}

static void join(const struct tokenizer *tokenizer)
{
    int ids[IDS_MAX], count = 0;
    struct buf out;
    for (; count < IDS_MAX && count < tokenizer_size(tokenizer); count++) {
        const char *piece = tokenizer_piece(tokenizer, count);
        must(utf8_valid(piece, strlen(piece)) && strlen(piece) <= TOKEN_MAX_BYTES);
        ids[count] = count;
    }
    buf_init(&out, 1 << 20);
    bool joined = tokenizer_decode(tokenizer, ids, count, &out, NULL);
    must(!joined || utf8_valid(buf_text(&out), out.length));
    buf_finish(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error err = {0};
    if (!file.path[0]) {
        fuzz_file_make(&file);
        atexit(remove_file);
    }
    fuzz_file_fill(file.path, data, size);
    struct tokenizer *tokenizer = tokenizer_open(file.path, &err);
    must(tokenizer || (err.code != OK && err.text[0]));
    if (!tokenizer)
        return 0;
    struct tokenizer_specials ids = tokenizer_specials(tokenizer);
    must(ids.unk < tokenizer_size(tokenizer) && ids.eos < tokenizer_size(tokenizer));
    split(tokenizer, "The caf\xc3\xa9 \xc2\xbd \xef\xac\x81ne \xf0\x9f\x98\x80  ab");
    split(tokenizer, "");
    join(tokenizer);
    tokenizer_close(tokenizer);
    return 0;
}
