// SPDX-License-Identifier: MIT
// Which fact of config.json has no use for a tensor that is left over. A bias whose
// weight is used, or a part of a cell that is, tells of the fact for it; else what the
// whole map, layer or direction hangs on is told.
#include "formats/bind_slots.h"

#include <stdio.h>
#include <string.h>

static const struct rule {
    const char *begin;         // of the tensor's name
    const char *field, *inner; // without and with the weight it goes with
} rules[] = {
    {"attention.query.", "score", "query_bias"},
    {"attention.key.", "score", "key_bias"},
    {"attention.v.", "score", "energy_bias"},
    {"attention.coverage.", "coverage", "coverage"},
    {"attention.fertility.", "coverage", "coverage"},
    {"bridge.cell.", "bridge_cell", "bridge_bias"},
    {"bridge.", "bridge", "bridge_bias"},
    {"readout.", "readout", "readout_bias"},
    {"output.", "tied", "tied"},
    {"out_bias", "output_bias", "output_bias"},
    {"decoder.second.", "second_cell", "second_cell"},
    {"decoder.", "decoder_layers", "decoder_cell"},
    {"encoder.", "encoder_layers", "encoder_cell"},
};

static bool is_used(const struct binding *binding, const char *name)
{
    for (int i = 0; i < binding->count; i++)
        if (strcmp(binding->slots[i].name, name) == 0)
            return true;
    return false;
}

// Of a cell's tensor its matrix of the input, of another one the weight beside it.
static void weight_beside(const char *name, const char *begin, char *out, size_t size)
{
    const char *layer = strstr(name, "_l");
    bool cell = strncmp(begin, "encoder.", 8) == 0 || strncmp(begin, "decoder.", 8) == 0;
    snprintf(out, size, "%s%s%s", begin, cell ? "weight_ih" : "weight",
             cell && layer ? layer : "");
}

const char *left_over_field(const struct binding *binding, const char *name)
{
    const struct model_config *config = &binding->network->config;
    char weight[128];
    if (config->family == FAMILY_TRANSFORMER)
        return NULL;
    if (strncmp(name, "encoder.", 8) == 0 && strstr(name, "_reverse") &&
        !config->bidirectional)
        return "bidirectional";
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const struct rule *rule = &rules[i];
        if (strncmp(name, rule->begin, strlen(rule->begin)) != 0)
            continue;
        weight_beside(name, rule->begin, weight, sizeof weight);
        return is_used(binding, weight) ? rule->inner : rule->field;
    }
    return NULL;
}
