// SPDX-License-Identifier: MIT
// A vocabulary that is not SentencePiece's own: pieces by id, ids by piece. MarianMT's
// models have one in vocab.json. Constant once made. Inside the text room only.
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct vocabulary;

// pieces: (count), copied, all different. NULL: memory is short.
struct vocabulary *vocabulary_create(const char *const *pieces, int count, int eos,
                                     int unk);
void vocabulary_destroy(struct vocabulary *vocabulary);                    // NULL is fine
const char *vocabulary_piece(const struct vocabulary *vocabulary, int id); // in range
// -1: it is not there.
int vocabulary_find(const struct vocabulary *vocabulary, const char *piece,
                    size_t length);
// The same, but <unk>'s id.
int vocabulary_id(const struct vocabulary *vocabulary, const char *piece, size_t length);
int vocabulary_eos(const struct vocabulary *vocabulary);
int vocabulary_unk(const struct vocabulary *vocabulary);
// </s>, <s>, <pad> and language codes: no text of a translation.
bool vocabulary_is_control(const struct vocabulary *vocabulary, int id);
// The bytes of the language code ">>fr<<" that a text begins with; 0: none.
size_t vocabulary_code(const char *text, size_t length);
