// SPDX-License-Identifier: MIT
// Typed text to token ids and back, through SentencePiece (Kudo and Richardson 2018).
// The C++ library sits behind a thin extern "C" shim, spm_shim.h.
// A tokenizer is constant once open and may be used from several threads.
#pragma once

#include "base/buf.h"
#include "base/error.h"

#include <stddef.h>

enum { TEXT_MAX_BYTES = 4096 }; // longest text that is tokenised; longer is cut and said
enum { TOKEN_MAX_BYTES = 512 }; // longest piece a vocabulary may have

struct tokenizer;

struct token {
    int id; // SentencePiece's own, or the vocabulary's
    int begin,
        end; // bytes of the typed text that became this piece; begin == end possible
};

struct tokenizer *tokenizer_open(const char *path, struct error *err);
void tokenizer_close(struct tokenizer *tokenizer); // NULL is fine
// Ids are those of a vocabulary from now on: SentencePiece makes the pieces, and
// pieces[id] (count, all different, none longer than TOKEN_MAX_BYTES, valid UTF-8) says
// which is which; they are copied. A piece that is not there is <unk>; a language code
// ">>fr<<" that a text begins with is one piece. eos, unk: ids of the vocabulary.
MUST_CHECK bool tokenizer_use_vocabulary(struct tokenizer *tokenizer,
                                         const char *const *pieces, int count, int eos,
                                         int unk, struct error *err);
int tokenizer_size(const struct tokenizer *tokenizer);
// The piece as stored ("▁black"); NULL for an id out of range. Lives with the tokenizer.
const char *tokenizer_piece(const struct tokenizer *tokenizer, int id);
bool tokenizer_is_control(const struct tokenizer *tokenizer, int id);
bool tokenizer_is_unknown(const struct tokenizer *tokenizer, int id);
bool tokenizer_is_byte(const struct tokenizer *tokenizer, int id); // "<0xE9>"
// Ids of the model file's own specials; -1 where it has none.
struct tokenizer_specials {
    int pad, bos, eos, unk;
};
struct tokenizer_specials tokenizer_specials(const struct tokenizer *tokenizer);
// At most max tokens of text (valid UTF-8) into out, their number in *count. No </s>
// added. More tokens than max: ERR_LIMIT, with both numbers.
MUST_CHECK bool tokenizer_encode(const struct tokenizer *tokenizer, const char *text,
                                 size_t length, struct token *out, int max, int *count,
                                 struct error *err);
// The same, but a text of more than max tokens gives its first max; *total counts all.
MUST_CHECK bool tokenizer_encode_first(const struct tokenizer *tokenizer,
                                       const char *text, size_t length, struct token *out,
                                       int max, int *total, struct error *err);
// Appends the plain text of the ids (controls skipped) to *out.
MUST_CHECK bool tokenizer_decode(const struct tokenizer *tokenizer, const int *ids,
                                 int count, struct buf *out, struct error *err);
