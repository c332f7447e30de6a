// SPDX-License-Identifier: MIT
// How wide everything is, from the facts alone.
#include "engine/model.h"

int model_memory_width(const struct model_config *config)
{
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
