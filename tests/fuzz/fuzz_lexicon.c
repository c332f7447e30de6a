// SPDX-License-Identifier: MIT
// Any bytes as a table of IBM Model 1. What is accepted must answer every pair with a
// probability, and can be laid over an alignment.
#include "fuzz.h"

#include "align/ibm1.h"
#include "formats/lexicon.h"

static void lay(const struct lexicon *lexicon)
{
    struct alignment *alignment = alignment_create(2, 2, true, NULL);
    struct lexicon_over over;
    struct arena arena;
    must(alignment != NULL);
    arena_init(&arena, 1 << 20);
    alignment->source[0].text = alignment->target[0].text = "A\xc3\x89 b";
    alignment->source[1].text = alignment->target[1].text = "the";
    must(lexicon_lay(lexicon, alignment, alignment->alpha, 2, &arena, &over, NULL));
    must(over.source.count == 3 && over.target.count == 3);
    for (int i = 0; i < 3; i++)
        must(over.best[i] >= -1 && over.best[i] < 3 && over.rows[i] == IBM1_ROW_UNLISTED);
    arena_finish(&arena);
    alignment_destroy(alignment);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error err = {0};
    struct lexicon *lexicon = lexicon_parse(data, size, "fuzz", &err);
    must(lexicon ? err.code == OK : err.code != OK && err.text[0]);
    if (!lexicon)
        return 0;
    must(lexicon_source(lexicon, "") == 0);
    for (int f = 0; f < 4; f++) {
        int target = lexicon_target(lexicon, f % 2 ? "le" : "chat");
        float t = lexicon_t(lexicon, f / 2 ? lexicon_source(lexicon, "the") : 0, target);
        must(t >= 0 && t <= 1);
    }
    lay(lexicon);
    lexicon_close(lexicon);
    return 0;
}
