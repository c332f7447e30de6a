// SPDX-License-Identifier: MIT
// How wide everything is, from the facts alone.
#include "engine/model.h"

int model_memory_width(const struct model_config *config)
{
    if (config->family == FAMILY_TRANSFORMER)
        return config->transformer.width;
    return config->merge == MERGE_CONCAT ? 2 * config->encoder_hidden
                                         : config->encoder_hidden;
}

int model_summary_width(const struct model_config *config)
{
    if (config->summary == SUMMARY_MEAN)
        return model_memory_width(config);
    return config->summary == SUMMARY_BOTH ? 2 * config->encoder_hidden
                                           : config->encoder_hidden;
}

int model_context_width(const struct model_config *config)
{
    return config->score == SCORE_NONE ? model_summary_width(config)
                                       : model_memory_width(config);
}

int model_part_width(const struct model_config *config, enum part part)
{
    switch (part) {
    case PART_EMBEDDING:
        return config->target_embedding;
    case PART_CONTEXT:
    case PART_PREVIOUS_CONTEXT:
        return model_context_width(config);
    case PART_FEED:
        return model_readout_width(config);
    case PART_STATE:
    case PART_PREVIOUS_STATE:
    case PART_COUNT:
        break;
    }
    return config->decoder_hidden;
}

int model_parts_width(const struct model_config *config, const struct parts *parts)
{
    int width = 0;
    for (int i = 0; i < parts->count; i++)
        width += model_part_width(config, parts->at[i]);
    return width;
}

// The readout does not read what it feeds, so this ends.
int model_readout_width(const struct model_config *config)
{
    if (config->family == FAMILY_TRANSFORMER)
        return config->transformer.width;
    return config->readout == READOUT_NONE
               ? model_parts_width(config, &config->readout_input)
               : config->readout_hidden;
}

bool model_reads(const struct parts *parts, enum part part)
{
    for (int i = 0; i < parts->count; i++)
        if (parts->at[i] == part)
            return true;
    return false;
}

int model_positions(const struct model_config *config)
{
    const struct transformer_config *t = &config->transformer;
    bool limited = config->family == FAMILY_TRANSFORMER && t->position_count > 0;
    return limited ? t->position_count - t->position_offset : 0;
}

int model_head_width(const struct model_config *config, const struct stack_config *stack)
{
    return config->transformer.width / stack->heads;
}
