// SPDX-License-Identifier: MIT
// What `alphascope inspect` says of a Transformer.
#include "cli/inspect_transformer.h"

#include "cli/show.h"

static void fact(struct buf *out, const char *name)
{
    show_text(out, name, 14);
}

static void side(struct buf *out, const char *name, const struct stack_config *stack)
{
    fact(out, name);
    buf_printf(out, "%d layer%s of %d head%s, feed-forward %d\n", stack->layers,
               stack->layers > 1 ? "s" : "", stack->heads, stack->heads > 1 ? "s" : "",
               stack->ffn);
}

// Marian begins with zeros; Hugging Face has a row of zeros for that.
static void start(struct buf *out, const struct network *network)
{
    float row[MODEL_MAX_WIDTH];
    int id = network->config.transformer.start, width = network->config.transformer.width;
    bool zero = true;
    tensor_row(row, &network->tgt_embed, id);
    for (int i = 0; i < width; i++)
        zero = zero && !(row[i] < 0) && !(row[i] > 0);
    fact(out, "start");
    buf_printf(out, "id %d, %s embedding\n", id, zero ? "a zero" : "its own");
}

static void positions(struct buf *out, const struct network *network)
{
    const struct transformer_config *t = &network->config.transformer;
    bool table = network->transformer.encoder_positions.data != NULL;
    fact(out, "positions");
    buf_printf(out, "%s, from %d",
               table ? "a table" : fact_word(FACT_POSITIONS, (int)t->positions),
               t->position_offset);
    if (t->position_count)
        buf_printf(out, ", below %d", t->position_count);
    buf_add(out, "\n");
}

void inspect_transformer(struct buf *out, const struct model_dir *dir)
{
    const struct model_config *config = &dir->network.config;
    const struct transformer_config *t = &config->transformer;
    fact(out, "layout");
    buf_add(out, config->marian ? "Hugging Face MarianMT, ids of vocab.json\n"
                                : "alphascope-transformer\n");
    fact(out, "embedding");
    buf_printf(out, "%d%s%s%s\n", t->width, t->embedding_scaled ? ", times its root" : "",
               t->shared_embedding ? ", one for both sides" : "",
               config->tied ? ", tied to the output" : "");
    positions(out, &dir->network);
    side(out, "encoder", &t->encoder);
    side(out, "decoder", &t->decoder);
    fact(out, "layer norm");
    buf_printf(out, "%s%s, epsilon %g\n", fact_word(FACT_NORM, (int)t->norm),
               t->top_norm ? " and on top" : "", (double)t->norm_epsilon);
    fact(out, "activation");
    buf_printf(out, "%s\n", fact_word(FACT_ACTIVATION, (int)t->activation));
    start(out, &dir->network);
    fact(out, "masked");
    buf_add(out, config->n_masked ? "" : "none");
    for (int i = 0; i < config->n_masked; i++)
        buf_printf(out, "%s%d", i ? ", " : "id ", config->masked[i]);
    buf_add(out, "\n");
}
