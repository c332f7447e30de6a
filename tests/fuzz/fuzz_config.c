// SPDX-License-Identifier: MIT
// Any bytes as a config.json. What is accepted must be in range and name tensors whose
// sizes can be multiplied.
#include "fuzz.h"

#include "engine/naming.h"
#include "formats/config.h"

static void check(const struct model_config *config)
{
    struct network network = {.config = *config};
    struct tensor_slot slots[MODEL_MAX_TENSORS];
    int count = network_slots(&network, slots);
    must(count > 0 && count <= MODEL_MAX_TENSORS);
    for (int i = 0; i < count; i++) {
        must(slots[i].rows >= 1 && slots[i].cols >= 1);
        must((uint64_t)slots[i].rows * (uint64_t)slots[i].cols < 1ull << 40);
    }
    must(model_naming(config).name && model_naming(config).formula);
    must(config->eos >= 0 && config->eos < config->target_vocab);
    must(config->marian || (config->unk >= 0 && config->unk < config->source_vocab));
    for (int i = 0; i < config->n_masked; i++)
        must(config->masked[i] < config->target_vocab &&
             config->masked[i] != config->eos);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct model_config config;
    struct error err = {0};
    if (config_parse(&config, (const char *)data, size, "config.json", &err))
        check(&config);
    else
        must(err.code != OK && err.text[0]);
    return 0;
}
