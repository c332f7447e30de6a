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

// Upright text as a rectangle between its baseline and the height of its small letters,
// with 0.45 of its size for a column: what is left of it is there in any font.
static struct rect place_of(const struct draw_list *list, const struct draw_cmd *cmd)
{
    const char *text = (const char *)list->bytes + cmd->offset;
    float w = 0.45f * cmd->size * (float)utf8_columns(text, cmd->length);
    float h = 0.5f * cmd->size;
    return rect_make(cmd->rect.x, cmd->rect.y - h, w, h);
}

static bool meet(struct rect a, struct rect b)
{
    return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

static bool is_upright(const struct draw_cmd *cmd)
{
    return cmd->kind == DRAW_TEXT && fabsf(cmd->angle) < 1;
}

// A sheet over the picture hides what was drawn before it.
static bool is_hidden(const struct draw_list *list, int i, struct rect at)
{
    for (int k = i + 1; k < list->count; k++) {
        const struct draw_cmd *cmd = &list->cmds[k];
        if (cmd->kind == DRAW_FILL && cmd->color.a == 255 && meet(cmd->rect, at))
            return true;
    }
    return false;
}

const char *drawn_over(const struct draw_list *list)
{
    static char out[400];
    for (int i = 0; i < list->count; i++) {
        if (!is_upright(&list->cmds[i]))
            continue;
        struct rect at = place_of(list, &list->cmds[i]);
        for (int k = i + 1; k < list->count; k++)
            if (is_upright(&list->cmds[k]) && meet(at, place_of(list, &list->cmds[k])) &&
                !is_hidden(list, i, at)) {
                const struct draw_cmd *a = &list->cmds[i], *b = &list->cmds[k];
                snprintf(out, sizeof out, "'%.*s' is under '%.*s'", (int)a->length,
                         (const char *)list->bytes + a->offset, (int)b->length,
                         (const char *)list->bytes + b->offset);
                return out;
            }
    }
    return NULL;
}
