// SPDX-License-Identifier: MIT
// Any bytes as a vocab.json of 8 pieces. What is accepted has each id once, and a
// tokenizer that uses it gives no other.
#include "../unit/make_spm.h"
#include "fuzz.h"

#include <string.h>

#include "formats/vocabulary_json.h"
#include "text/tokenizer.h"

enum { COUNT = 8, TOKENS = 64 };

static struct tokenizer *open_tokenizer(void)
{
    static struct made_spm spm;
    struct fuzz_file file;
    spm.size = 0;
    made_specials(&spm);
    made_piece(&spm, "a", 1, -1, SPM_NORMAL);
    made_piece(&spm, "b", 1, -2, SPM_NORMAL);
    fuzz_file_make(&file);
    made_write(spm.bytes, spm.size, file.path);
    struct tokenizer *tokenizer = tokenizer_open(file.path, NULL);
    must(tokenizer && unlink(file.path) == 0);
    return tokenizer;
}

static void use(const struct vocabulary_json *vocabulary)
{
    static const char text[] = ">>fra<< a b \xc3\xa9";
    struct tokenizer *tokenizer = open_tokenizer();
    struct token tokens[TOKENS];
    int count, ids[COUNT];
    struct buf joined;
    must(tokenizer_use_vocabulary(tokenizer, vocabulary->pieces, COUNT, vocabulary->eos,
                                  vocabulary->unk, NULL));
    must(
        tokenizer_encode(tokenizer, text, sizeof text - 1, tokens, TOKENS, &count, NULL));
    for (int i = 0; i < count; i++)
        must(tokens[i].id >= 0 && tokens[i].id < COUNT &&
             tokens[i].begin <= tokens[i].end);
    for (int id = 0; id < COUNT; id++) {
        ids[id] = id;
        must(strcmp(tokenizer_piece(tokenizer, id), vocabulary->pieces[id]) == 0);
    }
    buf_init(&joined, 1 << 16);
    must(tokenizer_decode(tokenizer, ids, COUNT, &joined, NULL));
    buf_finish(&joined);
    tokenizer_close(tokenizer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct vocabulary_json vocabulary;
    struct error err = {0};
    if (vocabulary_json_parse(&vocabulary, (const char *)data, size, "vocab.json",
                              "vocab_size", COUNT, &err))
        use(&vocabulary);
    else
        must(err.code != OK && err.text[0]);
    vocabulary_json_finish(&vocabulary);
    return 0;
}
