// SPDX-License-Identifier: MIT
// From a Transformer's heads to the maps of an alignment. See session.h.
#include "translate/session.h"

#include <string.h>

#include "engine/transformer_run.h"

// What the decoder reads first, as it is shown.
static const char *start_of(const struct session *session)
{
    const char *piece = tokenizer_piece(session->model.target,
                                        session->model.network->config.transformer.start);
    return piece ? piece : "<unk>";
}

static void put(struct maps *maps, enum map_kind kind, int layer, int head, int row,
                struct head_row from)
{
    size_t size = (size_t)from.n * sizeof(float);
    if (!maps_kept(maps, kind) || !from.n)
        return;
    memcpy(maps_score(maps, kind, layer, head, row), from.e, size);
    memcpy(maps_alpha(maps, kind, layer, head, row), from.alpha, size);
}

static void put_encoder(const struct session *session, struct maps *maps)
{
    const struct model_config *config = &session->model.network->config;
    const struct encoding *encoding = &session->sentence.encoding;
    for (int l = 0; l < maps->shape.layers[MAP_ENCODER]; l++)
        for (int h = 0; h < maps->shape.heads[MAP_ENCODER]; h++)
            for (int row = 0; row < maps->shape.n_src; row++)
                put(maps, MAP_ENCODER, l, h, row,
                    encoding_self_row(encoding, config, l, h, row));
}

bool session_take_maps(const struct session *session, struct alignment *alignment,
                       struct error *err)
{
    const struct model_config *config = &session->model.network->config;
    const struct transformer_config *t = &config->transformer;
    const struct stack_config *e = &t->encoder, *d = &t->decoder;
    if (config->family != FAMILY_TRANSFORMER || !alignment->n_src)
        return true;
    struct map_shape shape = {
        .layers = {[MAP_CROSS] = d->layers,
                   [MAP_ENCODER] = e->layers,
                   [MAP_DECODER] = d->layers},
        .heads =
            {[MAP_CROSS] = d->heads, [MAP_ENCODER] = e->heads, [MAP_DECODER] = d->heads},
        .n_src = alignment->n_src,
        .max_tgt = alignment->max_tgt,
    };
    // The engine does not keep so much of a very long sentence.
    if (!encoding_self_row(&session->sentence.encoding, config, 0, 0, 0).n)
        shape.layers[MAP_ENCODER] = 0;
    alignment->maps = maps_create(&shape, start_of(session), t->start, err);
    if (!alignment->maps)
        return false;
    alignment->attention = (struct map_choice){MAP_CROSS, MAP_MEAN, MAP_MEAN};
    if (maps_kept(alignment->maps, MAP_ENCODER))
        put_encoder(session, alignment->maps);
    return true;
}

void session_put_heads(struct alignment *alignment, int t, const struct decoder *decoder)
{
    struct maps *maps = alignment->maps;
    if (!maps)
        return;
    for (int l = 0; l < maps->shape.layers[MAP_CROSS]; l++)
        for (int h = 0; h < maps->shape.heads[MAP_CROSS]; h++) {
            put(maps, MAP_CROSS, l, h, t, decoder_cross_row(decoder, 0, l, h));
            put(maps, MAP_DECODER, l, h, t, decoder_self_row(decoder, 0, l, h));
        }
}
