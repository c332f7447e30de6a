// SPDX-License-Identifier: MIT
// See drawn.h.
#include "drawn.h"

#include <math.h>
#include <stdio.h>

#include "text/utf8.h"

static bool exists(struct rect rect)
{
    return isfinite(rect.x) && isfinite(rect.y) && isfinite(rect.w) && isfinite(rect.h);
}

const char *drawn_badly(const struct draw_list *list)
{
    static char out[400];
    if (list->dropped) {
        snprintf(out, sizeof out, "%d commands found no room", list->dropped);
        return out;
    }
    for (int i = 0; i < list->count; i++) {
        const struct draw_cmd *cmd = &list->cmds[i];
        const char *text = (const char *)list->bytes + cmd->offset;
        if (!exists(cmd->rect))
            snprintf(out, sizeof out,
                     "command %d of %d, kind %d, stands nowhere: %g %g %g %g", i,
                     list->count, (int)cmd->kind, (double)cmd->rect.x,
                     (double)cmd->rect.y, (double)cmd->rect.w, (double)cmd->rect.h);
        else if (cmd->kind == DRAW_TEXT && !utf8_valid(text, cmd->length))
            snprintf(out, sizeof out, "not UTF-8: '%.*s'",
                     (int)(cmd->length < 300 ? cmd->length : 300), text);
        else
            continue;
        return out;
    }
    return NULL;
}
