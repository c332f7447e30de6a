// SPDX-License-Identifier: MIT
// Labels: readable, honest, and always valid UTF-8. See labels.h.
//
// A source label shows the bytes that were typed, not the normalised piece, so that an
// unknown word keeps its letters. A normaliser may make several pieces of one character
// ("½" is 1, ⁄, 2); only one of them then owns the typed bytes. The others show their
// piece, or the character itself when the piece is unknown. A piece that is only a
// combining mark gets a dotted circle to stand on, and one that nobody could see is
// called by its code point.
#include "translate/labels.h"

#include <stdio.h>
#include <string.h>

#include "text/utf8.h"

#define WORD_START "\xe2\x96\x81"    // ▁
#define SHOWN_SPACE "\xe2\x90\xa3"   // ␣
#define SHOWN_END "\xe2\x8f\x8e"     // ⏎
#define DOTTED_CIRCLE "\xe2\x97\x8c" // ◌

enum { SLACK = 16, BORROWED_MAX = 64 };

struct part {
    const char *text;
    size_t length;
};

size_t label_pool_bytes(int n_src, size_t length, int max_tgt, int longest)
{
    size_t label = (size_t)longest + SLACK;
    size_t source = length + (size_t)n_src * (2 * label + BORROWED_MAX);
    return source + (size_t)max_tgt * (2 + ALIGNMENT_TOP) * label;
}

int label_longest(const struct tokenizer *tokenizer)
{
    size_t longest = 0;
    for (int id = 0; id < tokenizer_size(tokenizer); id++) {
        size_t length = strlen(tokenizer_piece(tokenizer, id));
        longest = length > longest ? length : longest;
    }
    return (int)longest;
}

// What was written at pool->at becomes a string of its own.
static const char *pool_keep(struct label_pool *pool, size_t length)
{
    const char *text = pool->at;
    pool->at += length + 1;
    pool->left -= length + 1;
    return text;
}

static const char *pool_copy(struct label_pool *pool, const char *text)
{
    size_t length = strlen(text);
    if (length >= pool->left)
        return "";
    memcpy(pool->at, text, length + 1);
    return pool_keep(pool, length);
}

static struct part trim(struct part part)
{
    size_t begin = 0, end = part.length;
    for (size_t at = 0; at < part.length;) {
        size_t next = at;
        utf8_decode(part.text, part.length, &next);
        bool blank = utf8_blank(part.text + at, next - at);
        if (blank && begin == at)
            begin = next;
        if (!blank)
            end = next;
        at = next;
    }
    if (begin >= end)
        return (struct part){part.text, 0};
    return (struct part){part.text + begin, end - begin};
}

// Valid UTF-8 as something to look at; white space alone shows as ␣.
static const char *show(struct label_pool *pool, struct part part)
{
    size_t at = 0;
    int32_t first = utf8_decode(part.text, part.length, &at);
    if (part.length + SLACK > pool->left || first < 0)
        return SHOWN_SPACE;
    if (utf8_is_mark(first)) {
        size_t circle = sizeof DOTTED_CIRCLE - 1;
        memcpy(pool->at, DOTTED_CIRCLE, circle);
        return pool_keep(pool, circle + utf8_clean(pool->at + circle, pool->left - circle,
                                                   part.text, part.length, NULL));
    }
    if (utf8_columns(part.text, part.length) == 0 && first >= 0x80) {
        int n = snprintf(pool->at, SLACK, "U+%04X", (unsigned)first);
        return pool_keep(pool, (size_t)n);
    }
    size_t n = utf8_clean(pool->at, pool->left, part.text, part.length, NULL);
    return utf8_blank(pool->at, n) ? SHOWN_SPACE : pool_keep(pool, n);
}

static bool starts_word(const char *piece)
{
    return strncmp(piece, WORD_START, sizeof WORD_START - 1) == 0;
}

static struct part without_mark(const char *piece)
{
    if (starts_word(piece))
        piece += sizeof WORD_START - 1;
    return (struct part){piece, strlen(piece)};
}

// <0xE9>, a byte of a character that the vocabulary lacks, shows as 0xE9.
static struct part hex_digits(const char *piece)
{
    size_t length = strlen(piece);
    if (length > 2 && piece[0] == '<' && piece[length - 1] == '>')
        return (struct part){piece + 1, length - 2};
    return (struct part){piece, length};
}

static const char *piece_of(const struct tokenizer *tokenizer, int id)
{
    const char *piece = tokenizer_piece(tokenizer, id);
    return piece ? piece : "<unk>";
}

static bool unknown(const struct tokenizer *tokenizer, int id)
{
    return !tokenizer_piece(tokenizer, id) || tokenizer_is_unknown(tokenizer, id);
}

static bool continues(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

// The typed bytes of a span, widened to whole characters; of an unknown piece that owns
// none, the character it came from.
static struct part typed(const char *text, size_t length, const struct label *label)
{
    size_t begin = (size_t)label->begin, end = (size_t)label->end;
    while (begin > 0 && begin < length && continues(text[begin]))
        begin--;
    while (end < length && end > begin && continues(text[end]))
        end++;
    if (end == begin && label->unknown) {
        end = utf8_next(text, length, begin);
        end = end - begin <= BORROWED_MAX ? end : begin;
    }
    return (struct part){text + begin, end - begin};
}

// White space that became a ▁ lies inside a span; between two spans it was dropped.
static bool joins(const char *text, const struct label *label, const struct label *before)
{
    if (!before || starts_word(label->piece))
        return false;
    for (size_t at = (size_t)before->end; at < (size_t)label->begin;) {
        size_t from = at;
        utf8_decode(text, (size_t)label->begin, &at);
        if (utf8_blank(text + from, at - from))
            return false;
    }
    return true;
}

static int clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

struct label label_source(struct label_pool *pool, const struct tokenizer *tokenizer,
                          const char *text, size_t length, const struct token *token,
                          const struct label *before)
{
    const char *piece = piece_of(tokenizer, token->id);
    struct label label = {.id = token->id, .unknown = unknown(tokenizer, token->id)};
    label.begin = clamp(token->begin, 0, (int)length);
    label.end = clamp(token->end, label.begin, (int)length);
    label.piece = pool_copy(pool, piece);
    label.special = tokenizer_is_control(tokenizer, token->id);
    label.joined = joins(text, &label, before);
    struct part whole = typed(text, length, &label), part = trim(whole);
    struct part kept = part.length ? part : whole;
    label.typed_begin = (int)(kept.text - text);
    label.typed_end = label.typed_begin + (int)kept.length;
    label.punctuation = utf8_is_punctuation(part.text, part.length);
    if (part.length == 0)
        part = tokenizer_is_byte(tokenizer, token->id) ? hex_digits(piece)
                                                       : without_mark(piece);
    label.text = show(pool, part);
    return label;
}

struct label label_source_end(struct label_pool *pool, const struct tokenizer *tokenizer,
                              int eos, size_t length)
{
    return (struct label){.piece = pool_copy(pool, piece_of(tokenizer, eos)),
                          .text = SHOWN_END,
                          .id = eos,
                          .begin = (int)length,
                          .end = (int)length,
                          .typed_begin = (int)length,
                          .typed_end = (int)length,
                          .special = true};
}

const char *label_target_text(struct label_pool *pool, const struct tokenizer *tokenizer,
                              int eos, int id)
{
    const char *piece = piece_of(tokenizer, id);
    if (id == eos)
        return SHOWN_END;
    if (unknown(tokenizer, id))
        return "<unk>";
    if (tokenizer_is_control(tokenizer, id))
        return pool_copy(pool, piece);
    return show(pool, tokenizer_is_byte(tokenizer, id) ? hex_digits(piece)
                                                       : without_mark(piece));
}

bool label_target_joins(const struct tokenizer *tokenizer, int eos, int id)
{
    return id != eos && !tokenizer_is_control(tokenizer, id) &&
           !starts_word(piece_of(tokenizer, id));
}

struct label label_target(struct label_pool *pool, const struct tokenizer *tokenizer,
                          int eos, int id, bool first)
{
    const char *piece = piece_of(tokenizer, id);
    struct label label = {.id = id, .unknown = unknown(tokenizer, id)};
    label.special = id == eos || tokenizer_is_control(tokenizer, id);
    label.joined = !first && label_target_joins(tokenizer, eos, id);
    struct part part = without_mark(piece);
    label.punctuation = !label.special && utf8_is_punctuation(part.text, part.length);
    label.piece = pool_copy(pool, piece);
    label.text = label_target_text(pool, tokenizer, eos, id);
    return label;
}
