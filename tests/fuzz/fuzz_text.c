// SPDX-License-Identifier: MIT
// Any bytes as text; the first byte says how much room there is. Text is cleaned, walked
// by clusters and words, and tokenised with a vocabulary of all bytes; what comes back
// must be valid, ordered and inside.
#include "../unit/make_spm.h"
#include "fuzz.h"

#include "text/tokenizer.h"
#include "text/utf8.h"

enum { TEXT_MAX = 2 * TEXT_MAX_BYTES, TOKENS_MAX = 64 };

static struct tokenizer *byte_tokenizer(void)
{
    static struct tokenizer *tokenizer;
    static struct made_spm spm;
    if (tokenizer)
        return tokenizer;
    struct fuzz_file file;
    fuzz_file_make(&file);
    made_specials(&spm);
    made_piece(&spm, "\xe2\x96\x81", 3, -1, SPM_NORMAL);
    made_piece(&spm, "\xe2\x96\x81the", 6, -1, SPM_NORMAL);
    made_byte_pieces(&spm);
    made_write(spm.bytes, spm.size, file.path);
    tokenizer = tokenizer_open(file.path, NULL);
    must(tokenizer != NULL && unlink(file.path) == 0);
    return tokenizer;
}

static void walk(const char *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        size_t next = utf8_next(text, length, at);
        must(next > at && next <= length);
        must(utf8_previous(text, length, next) == at);
        must(utf8_columns(text + at, next - at) <= 2);
        at = next;
    }
    for (size_t at = 0, next; at < length; at = next) {
        next = utf8_word_next(text, length, at);
        must(next > at && next <= length);
    }
    for (size_t at = length, before; at > 0; at = before) {
        before = utf8_word_previous(text, length, at);
        must(before < at);
    }
}

static void tokenise(const char *text, size_t length)
{
    struct token tokens[TOKENS_MAX];
    struct error err = {0};
    int total = 0, end = 0;
    bool ok = tokenizer_encode_first(byte_tokenizer(), text, length, tokens, TOKENS_MAX,
                                     &total, &err);
    must(ok == (length <= TEXT_MAX_BYTES));
    for (int i = 0; ok && i < total && i < TOKENS_MAX; i++) {
        must(tokens[i].begin >= end && tokens[i].end >= tokens[i].begin);
        end = tokens[i].end;
        must((size_t)end <= length);
        must(tokenizer_piece(byte_tokenizer(), tokens[i].id) != NULL);
    }
}

static void as_text(const char *bytes, size_t size, size_t room)
{
    static char whole[3 * TEXT_MAX + 1], cut[3 * TEXT_MAX + 1];
    struct utf8_report report;
    size_t length = utf8_clean(whole, sizeof whole, bytes, size, &report);
    must(utf8_valid(whole, length) && strlen(whole) == length && !report.cut);
    must(!utf8_valid(bytes, size) || report.invalid == 0);
    size_t kept = utf8_clean(cut, room, bytes, size, &report);
    must(kept < room && kept <= length && memcmp(cut, whole, kept) == 0);
    must(kept == 0 ||
         utf8_next(whole, length, utf8_previous(whole, length, kept)) == kept);
    walk(whole, length < 512 ? length : utf8_previous(whole, length, 512));
    tokenise(whole, length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2 || size > TEXT_MAX)
        return 0;
    as_text((const char *)data + 1, size - 1, (size_t)data[0] + 1);
    return 0;
}
