// SPDX-License-Identifier: MIT
// Which facts of a Transformer go together. See transformer_check.h; each rule that is
// broken is one sentence that names the field, what was found and what was expected.
#include "engine/transformer_check.h"

static bool check_width(const struct model_config *c, const char *path, struct error *err)
{
    const struct transformer_config *t = &c->transformer;
    const struct stack_config *const sides[] = {&t->encoder, &t->decoder};
    static const char *const fields[] = {"encoder_heads", "decoder_heads"};
    if (t->width % 2)
        return fail_with(err, ERR_FORMAT,
                         "%s: field 'width' is %d, expected an even "
                         "number",
                         path, t->width);
    if (t->positions == POSITIONS_MARIAN && t->width < 4)
        return fail_with(err, ERR_FORMAT,
                         "%s: field 'width' is %d, expected at least 4 with positions "
                         "\"%s\"",
                         path, t->width, fact_word(FACT_POSITIONS, (int)t->positions));
    for (int i = 0; i < 2; i++)
        if (t->width % sides[i]->heads)
            return fail_with(err, ERR_FORMAT,
                             "%s: field '%s' is %d, expected a number that divides the "
                             "width, %d",
                             path, fields[i], sides[i]->heads, t->width);
    return true;
}

static bool check_positions(const struct model_config *c, const char *path,
                            struct error *err)
{
    const struct transformer_config *t = &c->transformer;
    bool limited = t->positions == POSITIONS_LEARNED || t->position_count > 0;
    return !limited || t->position_count > t->position_offset ||
           fail_with(err, ERR_FORMAT,
                     "%s: field 'position_count' is %d, expected more than "
                     "position_offset, %d",
                     path, t->position_count, t->position_offset);
}

static bool check_id(const char *path, const char *field, int id, int vocab,
                     struct error *err)
{
    return (id >= 0 && id < vocab) ||
           fail_with(
               err, ERR_FORMAT,
               "%s: field '%s' has the id %d, expected one below the vocabulary, %d",
               path, field, id, vocab);
}

static bool check_specials(const struct model_config *c, const char *path,
                           struct error *err)
{
    static const char *const fields[] = {"pad", "bos", "eos", "unk"};
    const int ids[] = {c->pad, c->bos, c->eos, c->unk};
    int vocab = c->source_vocab < c->target_vocab ? c->source_vocab : c->target_vocab;
    for (int i = 0; i < 4; i++) {
        if (!check_id(path, fields[i], ids[i], vocab, err))
            return false;
        for (int k = 0; k < i; k++)
            if (ids[i] == ids[k])
                return fail_with(err, ERR_FORMAT,
                                 "%s: fields '%s' and '%s' are both %d, expected "
                                 "different ids",
                                 path, fields[k], fields[i], ids[i]);
    }
    return true;
}

static bool check_masked(const struct model_config *c, const char *path,
                         struct error *err)
{
    for (int i = 0; i < c->n_masked; i++) {
        if (!check_id(path, "masked", c->masked[i], c->target_vocab, err))
            return false;
        if (c->masked[i] == c->eos)
            return fail_with(err, ERR_FORMAT,
                             "%s: field 'masked' has the id of eos, %d: no translation "
                             "would end",
                             path, c->eos);
    }
    return true;
}

bool transformer_check(const struct model_config *config, const char *path,
                       struct error *err)
{
    const struct model_config *c = config;
    if (c->transformer.shared_embedding && c->source_vocab != c->target_vocab)
        return fail_with(
            err, ERR_FORMAT,
            "%s: field 'target_vocab' is %d, expected source_vocab, %d, with "
            "shared_embedding true",
            path, c->target_vocab, c->source_vocab);
    return check_width(c, path, err) && check_positions(c, path, err) &&
           check_specials(c, path, err) &&
           check_id(path, "start", c->transformer.start, c->target_vocab, err) &&
           check_masked(c, path, err);
}
