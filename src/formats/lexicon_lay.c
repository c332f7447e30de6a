// SPDX-License-Identifier: MIT
// IBM Model 1 over an alignment. See lexicon.h.
//
// Pieces become words by what their labels show, because rows that were decoded have no
// bytes of a text: labels are strung together, a space before each that begins a word,
// and split as models/ibm1.py split its training text. What is shown and not typed (the
// code point of what nobody could see) is no word of the list, and nothing more.
#include "formats/lexicon.h"

#include <string.h>

#include "align/ibm1.h"
#include "align/merge.h"
#include "base/buf.h"
#include "text/utf8.h"

enum { TEXT_MAX = 4 << 20 };

// The labels' text as one, and where each lies in it.
static bool string_labels(struct buf *text, const struct label *labels, int n,
                          struct label *spans)
{
    for (int i = 0; i < n; i++) {
        if (i && !labels[i].joined && !labels[i].special)
            buf_add(text, " ");
        spans[i] = (struct label){.begin = (int)text->length};
        spans[i].special = labels[i].special;
        if (!labels[i].special && labels[i].text)
            buf_add(text, labels[i].text);
        spans[i].end = (int)text->length;
    }
    return !text->failed;
}

static int split(const char *text, size_t length, struct merge_span *out)
{
    int count = 0;
    for (size_t at = 0, end; at < length; at = end) {
        end = utf8_word_next(text, length, at);
        while (at < end && utf8_blank(text + at, utf8_next(text, length, at) - at))
            at = utf8_next(text, length, at);
        if (end > at)
            out[count++] = (struct merge_span){(int)at, (int)end};
    }
    return count;
}

static bool take_words(struct lexicon_side *side, const char *text,
                       const struct merge_span *spans, struct arena *arena)
{
    side->word = arena_alloc(arena, (size_t)side->count, sizeof *side->word);
    for (int w = 0; side->word && w < side->count; w++) {
        size_t length = (size_t)(spans[w].end - spans[w].begin);
        size_t room = 3 * length + 1; // no letter grows more in lower case
        char *lower = arena_alloc(arena, room, 1);
        if (!lower)
            return false;
        utf8_lower(lower, room, text + spans[w].begin, length);
        side->word[w] = lower;
    }
    return side->word != NULL;
}

static bool take_side(struct lexicon_side *side, const struct label *labels, int n,
                      struct arena *arena)
{
    struct buf text;
    buf_init(&text, TEXT_MAX);
    struct label *spans = arena_alloc(arena, (size_t)n, sizeof *spans);
    side->of_label = arena_alloc(arena, (size_t)n, sizeof *side->of_label);
    bool ok = spans && side->of_label && string_labels(&text, labels, n, spans);
    // A word has a byte at least.
    struct merge_span *words =
        ok ? arena_alloc(arena, text.length + 1, sizeof *words) : NULL;
    if (words) {
        side->count = split(buf_text(&text), text.length, words);
        merge_map(spans, n, words, side->count, side->of_label);
    }
    ok = words && take_words(side, buf_text(&text), words, arena);
    buf_finish(&text);
    return ok;
}

static bool take_memory(struct lexicon_over *out, struct arena *arena)
{
    size_t n_src = (size_t)out->source.count, n_tgt = (size_t)out->target.count;
    out->alpha = arena_alloc(arena, n_tgt * n_src, sizeof *out->alpha);
    out->t = arena_alloc(arena, n_tgt * (n_src + 1), sizeof *out->t);
    out->posterior = arena_alloc(arena, n_tgt * (n_src + 1), sizeof *out->posterior);
    out->best = arena_alloc(arena, n_tgt, sizeof *out->best);
    out->cells = arena_alloc(arena, n_tgt * n_src, 1);
    out->rows = arena_alloc(arena, n_tgt, 1);
    return out->alpha && out->t && out->posterior && out->best && out->cells && out->rows;
}

static bool look_up(const struct lexicon *lexicon, struct lexicon_over *out,
                    struct arena *arena)
{
    int n_src = out->source.count;
    int *e = arena_alloc(arena, (size_t)n_src + 1, sizeof *e);
    for (int s = 0; e && s <= n_src; s++)
        e[s] = lexicon_source(lexicon, s < n_src ? out->source.word[s] : "");
    for (int t = 0; e && t < out->target.count; t++) {
        int f = lexicon_target(lexicon, out->target.word[t]);
        for (int s = 0; s <= n_src; s++)
            out->t[(size_t)t * (size_t)(n_src + 1) + (size_t)s] =
                lexicon_t(lexicon, e[s], f);
    }
    return e != NULL;
}

void lexicon_weigh(struct lexicon_over *over, int n_src, const float *alpha, int rows)
{
    int words = over->source.count, n_tgt = over->target.count;
    merge_alpha(alpha, rows, n_src, over->target.of_label, over->source.of_label,
                over->alpha, n_tgt, words);
    ibm1_mark(over->t, over->alpha, n_tgt, words, over->cells, over->rows);
}

bool lexicon_lay(const struct lexicon *lexicon, const struct alignment *alignment,
                 const float *alpha, int rows, struct arena *arena,
                 struct lexicon_over *out, struct error *err)
{
    *out = (struct lexicon_over){0};
    if (!take_side(&out->source, alignment->source, alignment->n_src, arena) ||
        !take_side(&out->target, alignment->target, rows, arena) ||
        !take_memory(out, arena) || !look_up(lexicon, out, arena))
        return fail_nomem(err, "the words of a sentence");
    ibm1_align(out->t, out->target.count, out->source.count, out->posterior, out->best);
    lexicon_weigh(out, alignment->n_src, alpha, rows);
    return true;
}
