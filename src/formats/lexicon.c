// SPDX-License-Identifier: MIT
// The table of IBM Model 1, read strictly. See lexicon.h. What the counts say must be the
// file's size to the byte; words must be valid, sorted and different, so that a search by
// halves finds them, and every pair must lead to a word.
#include "formats/lexicon.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "formats/model_dir.h"
#include "text/utf8.h"

static const char magic[] = "IBM1 v1\n";
enum { MAGIC_BYTES = 8, HEADER_BYTES = MAGIC_BYTES + 5 * 4 };

struct words {
    int count;
    size_t bytes;
    const char **word; // (count) in the text, sorted
};

struct lexicon {
    struct arena arena; // holds all of it, this too
    struct words source, target;
    uint32_t pairs;
    uint32_t *first;            // (source.count + 1) the pairs of each source word
    uint16_t *to;               // (pairs) target word, rising within a source word
    const unsigned char *power; // (pairs) q
};

struct reader {
    const unsigned char *data;
    size_t size;
    const char *what;
    struct error *err;
};

static uint32_t u32_at(const unsigned char *b)
{
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
           (uint32_t)b[3] << 24;
}

static uint16_t u16_at(const unsigned char *b)
{
    return (uint16_t)(b[0] | b[1] << 8);
}

static bool read_header(struct lexicon *lexicon, const struct reader *in)
{
    const unsigned char *b = in->data + MAGIC_BYTES;
    if (in->size < HEADER_BYTES || memcmp(in->data, magic, MAGIC_BYTES) != 0)
        return fail_with(in->err, ERR_FORMAT, "%s: no table of IBM Model 1, version 1",
                         in->what);
    uint32_t source = u32_at(b), target = u32_at(b + 4), pairs = u32_at(b + 8);
    uint32_t source_bytes = u32_at(b + 12), target_bytes = u32_at(b + 16);
    if (source < 1 || source > LEXICON_MAX_WORDS || target < 1 ||
        target > LEXICON_MAX_WORDS || pairs > LEXICON_MAX_PAIRS)
        return fail_with(in->err, ERR_LIMIT,
                         "%s: %u source words, %u target words, %u pairs; the limits are "
                         "1 to %d words and %d pairs",
                         in->what, source, target, pairs, LEXICON_MAX_WORDS,
                         LEXICON_MAX_PAIRS);
    uint64_t size = HEADER_BYTES + (uint64_t)source_bytes + target_bytes +
                    2 * (uint64_t)source + 3 * (uint64_t)pairs;
    lexicon->source = (struct words){(int)source, source_bytes, NULL};
    lexicon->target = (struct words){(int)target, target_bytes, NULL};
    lexicon->pairs = pairs;
    return size == in->size ||
           fail_with(in->err, ERR_FORMAT, "%s: has %zu bytes, its header asks for %llu",
                     in->what, in->size, (unsigned long long)size);
}

// The words of a side begin at `at` of the file; may_be_empty: the first one.
static bool read_words(struct words *words, struct arena *arena, size_t at,
                       bool first_is_empty, const struct reader *in)
{
    char *text = arena_alloc(arena, words->bytes, 1);
    words->word = arena_alloc(arena, (size_t)words->count, sizeof *words->word);
    if (!text || !words->word)
        return fail_nomem(in->err, "a word list");
    memcpy(text, in->data + at, words->bytes);
    const char *end = text + words->bytes;
    for (int i = 0; i < words->count; i++) {
        const char *nul = memchr(text, '\0', (size_t)(end - text));
        if (!nul || !utf8_valid(text, (size_t)(nul - text)) ||
            (nul == text) != (first_is_empty && i == 0) ||
            (i > 0 && strcmp(words->word[i - 1], text) >= 0))
            return fail_with(in->err, ERR_FORMAT,
                             "%s: word %d of the %s is missing, out of order or no UTF-8",
                             in->what, i, first_is_empty ? "source" : "target");
        words->word[i] = text;
        text += nul - text + 1;
    }
    return text == end ||
           fail_with(in->err, ERR_FORMAT, "%s: more text than its %d words", in->what,
                     words->count);
}

static bool read_pairs(struct lexicon *lexicon, const struct reader *in)
{
    size_t source = (size_t)lexicon->source.count, pairs = lexicon->pairs;
    const unsigned char *powers = in->data + in->size - pairs;
    const unsigned char *targets = powers - 2 * pairs, *counts = targets - 2 * source;
    unsigned char *power = arena_alloc(&lexicon->arena, pairs, 1);
    lexicon->first = arena_alloc(&lexicon->arena, source + 1, sizeof *lexicon->first);
    lexicon->to = arena_alloc(&lexicon->arena, pairs, sizeof *lexicon->to);
    if (!power || !lexicon->first || !lexicon->to)
        return fail_nomem(in->err, "a word list");
    memcpy(power, powers, pairs);
    lexicon->power = power;
    for (size_t s = 0; s < source; s++) {
        uint32_t from = lexicon->first[s], count = u16_at(counts + 2 * s);
        if (count > pairs - from)
            return fail_with(in->err, ERR_FORMAT, "%s: more pairs than its %zu", in->what,
                             pairs);
        lexicon->first[s + 1] = from + count;
        for (uint32_t i = from; i < from + count; i++) {
            lexicon->to[i] = u16_at(targets + 2 * (size_t)i);
            if (lexicon->to[i] >= lexicon->target.count ||
                (i > from && lexicon->to[i - 1] >= lexicon->to[i]))
                return fail_with(in->err, ERR_FORMAT,
                                 "%s: pair %u leads to word %d, out of order or of the "
                                 "%d there are",
                                 in->what, i, lexicon->to[i], lexicon->target.count);
        }
    }
    return lexicon->first[source] == pairs ||
           fail_with(in->err, ERR_FORMAT, "%s: %u of its %zu pairs have a word", in->what,
                     lexicon->first[source], pairs);
}

struct lexicon *lexicon_parse(const void *data, size_t size, const char *what,
                              struct error *err)
{
    struct reader in = {data, size, what, err};
    struct arena arena;
    arena_init(&arena, 2 * (size_t)LEXICON_MAX_BYTES);
    struct lexicon *lexicon = arena_alloc(&arena, 1, sizeof *lexicon);
    if (!lexicon) {
        fail_nomem(err, "a word list");
        return NULL;
    }
    lexicon->arena = arena;
    if (read_header(lexicon, &in) &&
        read_words(&lexicon->source, &lexicon->arena, HEADER_BYTES, true, &in) &&
        read_words(&lexicon->target, &lexicon->arena,
                   HEADER_BYTES + lexicon->source.bytes, false, &in) &&
        read_pairs(lexicon, &in))
        return lexicon;
    lexicon_close(lexicon);
    return NULL;
}

struct lexicon *lexicon_open(const char *path, struct error *err)
{
    struct file_snapshot file;
    if (!file_snapshot(&file, path, LEXICON_MAX_BYTES, err))
        return NULL;
    struct lexicon *lexicon = lexicon_parse(file.data, file.size, path, err);
    file_release(&file);
    return lexicon;
}

void lexicon_close(struct lexicon *lexicon)
{
    if (!lexicon)
        return;
    struct arena arena = lexicon->arena;
    arena_finish(&arena);
}

bool lexicon_path(const char *languages, char *path, size_t size)
{
    char assets[4096], name[64];
    int n = snprintf(name, sizeof name, "ibm1/%s.ibm1", languages);
    return n > 0 && (size_t)n < sizeof name && !strchr(languages, '/') &&
           data_path("assets", assets, sizeof assets) &&
           file_join(path, size, assets, name) && file_exists(path);
}

static int find(const struct words *words, const char *word)
{
    int low = 0, high = words->count;
    while (low < high) {
        int middle = low + (high - low) / 2, order = strcmp(words->word[middle], word);
        if (order == 0)
            return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

int lexicon_source(const struct lexicon *lexicon, const char *word)
{
    return find(&lexicon->source, word);
}

int lexicon_target(const struct lexicon *lexicon, const char *word)
{
    return find(&lexicon->target, word);
}

float lexicon_t(const struct lexicon *lexicon, int source, int target)
{
    if (source < 0 || target < 0)
        return 0;
    uint32_t low = lexicon->first[source], high = lexicon->first[source + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (lexicon->to[middle] == target)
            return exp2f(-(float)lexicon->power[middle] / 16);
        if (lexicon->to[middle] < target)
            low = middle + 1;
        else
            high = middle;
    }
    return 0;
}
