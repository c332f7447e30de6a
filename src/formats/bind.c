// SPDX-License-Identifier: MIT
// Weights to the network, with every tensor of the file accounted for: a tensor that
// nobody asked for means that the file holds another model than config.json says.
#include "formats/bind_slots.h"

#include "engine/facts.h"

#include <stdio.h>
#include <string.h>

static void shape_text(char *out, size_t size, int rank, const uint64_t *shape)
{
    size_t n = 0;
    snprintf(out, size, "a single number");
    for (int i = 0; i < rank && n < size; i++)
        n += (size_t)snprintf(out + n, size - n, "%s%llu", i ? "x" : "",
                              (unsigned long long)shape[i]);
}

static void slot_shape(const struct tensor_slot *slot, uint64_t *shape)
{
    shape[0] = (uint64_t)slot->rows;
    shape[1] = (uint64_t)slot->cols;
}

static bool dtype_of(const char *name, enum dtype *type)
{
    for (int i = DTYPE_F32; i <= DTYPE_BF16; i++)
        if (strcmp(dtype_name((enum dtype)i), name) == 0) {
            *type = (enum dtype)i;
            return true;
        }
    return false;
}

static bool shape_fails(const struct tensor_slot *slot,
                        const struct safetensors_entry *entry, const char *path,
                        struct error *err)
{
    char found[200], expected[64];
    uint64_t shape[2];
    slot_shape(slot, shape);
    shape_text(found, sizeof found, entry->rank, entry->shape);
    shape_text(expected, sizeof expected, slot->rank, shape);
    return fail_with(err, ERR_FORMAT, "%s: tensor '%s' is %s, config.json expects %s",
                     path, entry->name, found, expected);
}

static bool shape_fits(const struct tensor_slot *slot,
                       const struct safetensors_entry *entry)
{
    uint64_t shape[2];
    slot_shape(slot, shape);
    if (slot->flat && entry->rank == 1)
        return entry->shape[0] == shape[1];
    return entry->rank == slot->rank &&
           memcmp(entry->shape, shape, (size_t)slot->rank * sizeof *shape) == 0;
}

static bool bind_slot(const struct tensor_slot *slot,
                      const struct safetensors_entry *entry, const char *path,
                      struct error *err)
{
    char expected[64];
    uint64_t shape[2];
    enum dtype type;
    slot_shape(slot, shape);
    if (!entry) {
        shape_text(expected, sizeof expected, slot->rank, shape);
        return fail_with(err, ERR_FORMAT,
                         "%s: tensor '%s' is missing, config.json expects it as %s", path,
                         slot->name, expected);
    }
    if (!shape_fits(slot, entry))
        return shape_fails(slot, entry, path, err);
    if (!dtype_of(entry->dtype, &type))
        return fail_with(err, ERR_FORMAT,
                         "%s: tensor '%s' has the dtype %s, expected F32, F16 or BF16",
                         path, entry->name, entry->dtype);
    *slot->tensor = (struct tensor){entry->data, type, slot->rows, slot->cols, 0};
    if (slot->flat)
        *slot->tensor = (struct tensor){entry->data, type, slot->cols, 1, 0};
    return true;
}

// A tensor of a layer beyond the count is told by the field that counts.
static bool fail_spare(const struct binding *binding, const char *name, const char *path,
                       struct error *err)
{
    const struct model_config *config = &binding->network->config;
    const char *field = left_over_field(binding, name);
    char side[8];
    int layer;
    if (config->family == FAMILY_TRANSFORMER &&
        sscanf(name, "model.%7[a-z].layers.%4d.", side, &layer) == 2) {
        bool encoder = strcmp(side, "encoder") == 0;
        int count = encoder ? config->transformer.encoder.layers
                            : config->transformer.decoder.layers;
        if (layer >= count)
            return fail_with(err, ERR_FORMAT,
                             "%s: tensor '%s' is left over, config.json's field "
                             "'%s_layers' is %d, expected %d or more",
                             path, name, encoder ? "encoder" : "decoder", count,
                             layer + 1);
    }
    if (field)
        return fail_with(err, ERR_FORMAT,
                         "%s: tensor '%s' is left over, config.json's field '%s' has no "
                         "use for it",
                         path, name, field);
    return fail_with(err, ERR_FORMAT,
                     "%s: tensor '%s' is left over, config.json has no use for it", path,
                     name);
}

static bool all_used(const struct binding *binding, const char *path, struct error *err)
{
    const struct safetensors *file = binding->file;
    const struct model_config *config = &binding->network->config;
    for (int i = 0; i < file->count; i++) {
        const struct safetensors_entry *entry = &file->entries[i];
        int at = 0;
        while (at < binding->count && binding->entries[at] != entry)
            at++;
        if (at < binding->count || (config->marian && marian_spares(entry, config)))
            continue;
        return fail_spare(binding, entry->name, path, err);
    }
    return true;
}

static bool all_finite(const struct binding *binding, const char *path, struct error *err)
{
    for (int i = 0; i < binding->count; i++) {
        size_t where;
        if (!tensor_finite(binding->slots[i].tensor, &where))
            return fail_with(err, ERR_FORMAT,
                             "%s: tensor '%s' holds a value that is not a finite number, "
                             "at index %zu",
                             path, binding->entries[i]->name, where);
    }
    return true;
}

static void find_all(struct binding *binding)
{
    for (int i = 0; i < binding->count; i++)
        binding->entries[i] = safetensors_find(binding->file, binding->slots[i].name);
}

bool bind_network(struct network *network, const struct safetensors *file,
                  const char *path, struct error *err)
{
    struct binding binding = {.network = network, .file = file};
    binding.count = network_slots(network, binding.slots);
    if (file->count == 0)
        return fail_with(err, ERR_FORMAT, "%s: holds no tensors, only a header", path);
    if (network->config.marian)
        marian_find_all(&binding);
    else
        find_all(&binding);
    for (int i = 0; i < binding.count; i++)
        if (!bind_slot(&binding.slots[i], binding.entries[i], path, err))
            return false;
    if (network->config.transformer.shared_embedding)
        network->tgt_embed = network->src_embed;
    return all_used(&binding, path, err) && all_finite(&binding, path, err);
}
