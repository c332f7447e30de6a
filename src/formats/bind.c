// SPDX-License-Identifier: MIT
// Weights to the network, with every tensor of the file accounted for: a tensor that
// nobody asked for means that the file holds another model than config.json says.
#include "formats/bind.h"

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
                     path, slot->name, found, expected);
}

static bool bind_slot(const struct tensor_slot *slot, const struct safetensors *file,
                      const char *path, struct error *err)
{
    const struct safetensors_entry *entry = safetensors_find(file, slot->name);
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
    if (entry->rank != slot->rank ||
        memcmp(entry->shape, shape, (size_t)slot->rank * sizeof *shape) != 0)
        return shape_fails(slot, entry, path, err);
    if (!dtype_of(entry->dtype, &type))
        return fail_with(err, ERR_FORMAT,
                         "%s: tensor '%s' has the dtype %s, expected F32, F16 or BF16",
                         path, slot->name, entry->dtype);
    *slot->tensor = (struct tensor){entry->data, type, slot->rows, slot->cols};
    if (slot->flat)
        *slot->tensor = (struct tensor){entry->data, type, slot->cols, 1};
    return true;
}

static bool all_used(const struct tensor_slot *slots, int count,
                     const struct safetensors *file, const struct network *network,
                     const char *path, struct error *err)
{
    for (int i = 0; i < file->count; i++) {
        int at = 0;
        while (at < count && strcmp(slots[at].name, file->entries[i].name) != 0)
            at++;
        if (at == count)
            return fail_with(err, ERR_FORMAT,
                             "%s: tensor '%s' is left over, a network with score \"%s\" "
                             "has no use for it",
                             path, file->entries[i].name,
                             fact_word(FACT_SCORE, (int)network->config.score));
    }
    return true;
}

static bool all_finite(const struct tensor_slot *slots, int count, const char *path,
                       struct error *err)
{
    for (int i = 0; i < count; i++) {
        size_t where;
        if (!tensor_finite(slots[i].tensor, &where))
            return fail_with(err, ERR_FORMAT,
                             "%s: tensor '%s' holds a value that is not a finite number, "
                             "at index %zu",
                             path, slots[i].name, where);
    }
    return true;
}

bool bind_network(struct network *network, const struct safetensors *file,
                  const char *path, struct error *err)
{
    struct tensor_slot slots[MODEL_MAX_TENSORS];
    int count = network_slots(network, slots);
    if (file->count == 0)
        return fail_with(err, ERR_FORMAT, "%s: holds no tensors, only a header", path);
    for (int i = 0; i < count; i++)
        if (!bind_slot(&slots[i], file, path, err))
            return false;
    return all_used(slots, count, file, network, path, err) &&
           all_finite(slots, count, path, err);
}
