// SPDX-License-Identifier: MIT
// Which of a Transformer's maps is shown. See heads_option.h.
#include "cli/heads_option.h"

#include <limits.h>

#include "cli/options.h"

static bool check_place(const char *name, const char *word)
{
    int place;
    if (!word || map_place_read(word, INT_MAX, &place))
        return true;
    say_usage("trace", "--%s is '%.80s', expected a number from 1, mean or max", name,
              word);
    return false;
}

bool heads_option_read(struct heads_option *out, const char *attention, const char *layer,
                       const char *head)
{
    const char *words[MAP_KINDS];
    int kind = MAP_CROSS;
    for (int i = 0; i < MAP_KINDS; i++)
        words[i] = map_kind_word((enum map_kind)i);
    if (attention)
        kind = options_choose("trace", "attention", attention, words, MAP_KINDS);
    if (kind < 0 || !check_place("layer", layer) || !check_place("head", head))
        return false;
    *out = (struct heads_option){attention || layer || head, (enum map_kind)kind, layer,
                                 head};
    return true;
}

static bool place_of(const char *name, const char *word, const char *kind, int count,
                     int *place, struct error *err)
{
    *place = MAP_MEAN;
    return !word || map_place_read(word, count, place) ||
           fail_with(err, ERR_USAGE, "--%s is %s, the model's %s attention has %d", name,
                     word, kind, count);
}

struct alignment *heads_option_view(const struct heads_option *option,
                                    const struct alignment *of, struct error *err)
{
    struct map_choice choice = {.kind = option->kind};
    const char *kind = map_kind_word(option->kind);
    if (of->maps && (!place_of("layer", option->layer, kind,
                               of->maps->shape.layers[choice.kind], &choice.layer, err) ||
                     !place_of("head", option->head, kind,
                               of->maps->shape.heads[choice.kind], &choice.head, err)))
        return NULL;
    return map_view(of, choice, err);
}
