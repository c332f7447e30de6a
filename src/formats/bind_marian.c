// SPDX-License-Identifier: MIT
// Which tensor stands for which in Hugging Face's MarianMT. A table that is shared or
// tied may be in the file under any of its names, and under several; a bias of the logits
// or a table of positions may be there or not.
#include "formats/bind_slots.h"

#include <stdio.h>
#include <string.h>

static const char shared[] = "model.shared.weight";
static const char encoder_table[] = "model.encoder.embed_tokens.weight";
static const char decoder_table[] = "model.decoder.embed_tokens.weight";
static const char head[] = "lm_head.weight";
static const char bias[] = "final_logits_bias";

static const struct safetensors_entry *first_of(const struct safetensors *file,
                                                const char *const *names, int count)
{
    const struct safetensors_entry *entry = NULL;
    for (int i = 0; i < count && !entry; i++)
        entry = safetensors_find(file, names[i]);
    return entry;
}

static const struct safetensors_entry *find(const struct binding *binding,
                                            const char *name)
{
    const char *const all[] = {shared, encoder_table, decoder_table, head};
    const char *const decoder[] = {decoder_table, head};
    const char *const output[] = {head, decoder_table};
    bool one = binding->network->config.transformer.shared_embedding;
    if (strcmp(name, shared) == 0)
        return first_of(binding->file, all, 4);
    if (strcmp(name, decoder_table) == 0)
        return first_of(binding->file, decoder, 2);
    if (strcmp(name, head) != 0)
        return safetensors_find(binding->file, name);
    const struct safetensors_entry *entry = first_of(binding->file, output, one ? 1 : 2);
    return entry ? entry : first_of(binding->file, all, one ? 4 : 0);
}

// A table of positions that is in the file is used as it lies.
static void add_positions(struct binding *binding, const char *name,
                          struct tensor *tensor)
{
    const struct transformer_config *t = &binding->network->config.transformer;
    const struct safetensors_entry *entry = safetensors_find(binding->file, name);
    if (!entry)
        return;
    struct tensor_slot *slot = &binding->slots[binding->count];
    *slot = (struct tensor_slot){"", 2, t->position_count, t->width, tensor, false};
    snprintf(slot->name, sizeof slot->name, "%s", name);
    binding->entries[binding->count++] = entry;
}

void marian_find_all(struct binding *binding)
{
    struct transformer_weights *weights = &binding->network->transformer;
    int kept = 0;
    for (int i = 0; i < binding->count; i++) {
        const struct safetensors_entry *entry = find(binding, binding->slots[i].name);
        if (!entry && strcmp(binding->slots[i].name, bias) == 0)
            continue;
        binding->slots[kept] = binding->slots[i];
        binding->entries[kept++] = entry;
    }
    binding->count = kept;
    add_positions(binding, "model.encoder.embed_positions.weight",
                  &weights->encoder_positions);
    add_positions(binding, "model.decoder.embed_positions.weight",
                  &weights->decoder_positions);
}

bool marian_spares(const struct safetensors_entry *entry,
                   const struct model_config *config)
{
    const char *const names[] = {shared, encoder_table, decoder_table, head};
    uint64_t width = (uint64_t)config->transformer.width;
    for (int i = 0; i < 4; i++)
        if (strcmp(names[i], entry->name) == 0)
            return entry->rank == 2 && entry->shape[1] == width;
    return false;
}
