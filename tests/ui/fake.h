// SPDX-License-Identifier: MIT
// A window without pixels: a fake host whose every column is half the font size wide, an
// input to fill in, and a draw list to read.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/utf8.h"
#include "ui/ui.h"

struct fake {
    struct ui ui;
    struct ui_host host;
    struct input input;
    struct draw_list list;
    const struct style *style;
    const char *clip; // what the clipboard gives
    char copied[5000];
    struct rect ime;
    int ime_calls, measured; // measured: bytes in all
};

static inline float fake_width(void *context, enum font font, float size,
                               const char *text, size_t length)
{
    (void)font;
    ((struct fake *)context)->measured += (int)length;
    return 0.5f * size * (float)utf8_columns(text, length);
}

static inline const char *fake_clipboard_get(void *context)
{
    return ((struct fake *)context)->clip;
}

static inline void fake_clipboard_set(void *context, const char *text)
{
    struct fake *fake = context;
    snprintf(fake->copied, sizeof(fake->copied), "%s", text);
    fake->clip = fake->copied;
}

static inline void fake_text_rect(void *context, struct rect caret)
{
    struct fake *fake = context;
    fake->ime = caret;
    fake->ime_calls++;
}

static inline struct fake *fake_create(void)
{
    struct fake *fake = calloc(1, sizeof(*fake));
    if (fake == NULL || !draw_init(&fake->list, 2000, 1 << 16))
        abort();
    fake->host = (struct ui_host){fake, fake_width, fake_clipboard_get,
                                  fake_clipboard_set, fake_text_rect};
    fake->style = style_of(THEME_DARK);
    fake->input.width = 1000;
    fake->input.height = 600;
    fake->input.scale = 1;
    fake->input.x = fake->input.y = -1e6f;
    ui_init(&fake->ui, &fake->host);
    return fake;
}

static inline void fake_destroy(struct fake *fake)
{
    draw_finish(&fake->list);
    free(fake);
}

static inline void fake_begin(struct fake *fake)
{
    draw_reset(&fake->list);
    ui_begin(&fake->ui, &fake->input, fake->style, &fake->list);
}

// What happened is forgotten; where the pointer is and what is held stays.
static inline void fake_end(struct fake *fake)
{
    ui_end(&fake->ui);
    struct input *input = &fake->input;
    input->pressed = input->released = false;
    input->clicks = 0;
    input->wheel_x = input->wheel_y = 0;
    input->n_edits = 0;
    input->focus_lost = false;
    input->now_ms += 16;
}

static inline void fake_move(struct fake *fake, float x, float y)
{
    fake->input.x = x;
    fake->input.y = y;
}

static inline void fake_press(struct fake *fake, float x, float y, int clicks)
{
    fake_move(fake, x, y);
    fake->input.down = fake->input.pressed = true;
    fake->input.clicks = clicks;
}

static inline void fake_release(struct fake *fake)
{
    fake->input.down = false;
    fake->input.released = true;
}

static inline void fake_key(struct fake *fake, enum key key, unsigned mods)
{
    fake->input.edits[fake->input.n_edits++] =
        (struct edit_event){.key = {.key = key, .mods = mods}};
}

static inline void fake_char(struct fake *fake, char ch, unsigned mods)
{
    fake->input.edits[fake->input.n_edits++] =
        (struct edit_event){.key = {.key = KEY_CHAR, .ch = ch, .mods = mods}};
}

static inline void fake_text(struct fake *fake, const char *text)
{
    struct edit_event event = {.key = {.key = KEY_NONE}};
    snprintf(event.text, sizeof(event.text), "%s", text);
    fake->input.edits[fake->input.n_edits++] = event;
}

static inline bool same_color(struct color a, struct color b)
{
    return a.r == b.r && a.g == b.g && a.b == b.b && a.a == b.a;
}

// The first fill or frame of a colour; NULL when none.
static inline const struct draw_cmd *fake_find(const struct fake *fake,
                                               enum draw_kind kind, struct color color)
{
    for (int i = 0; i < fake->list.count; i++) {
        const struct draw_cmd *cmd = &fake->list.cmds[i];
        if (cmd->kind == kind && same_color(cmd->color, color))
            return cmd;
    }
    return NULL;
}

// A test with a fake of its own, as `fake`.
static struct fake *fake;

static inline int fake_set_up(void **state)
{
    (void)state;
    fake = fake_create();
    return 0;
}

static inline int fake_tear_down(void **state)
{
    (void)state;
    fake_destroy(fake);
    return 0;
}
