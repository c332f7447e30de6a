// SPDX-License-Identifier: MIT
// The draw list. One allocation when it is made, none while drawing: a frame that does
// not fit loses its last commands and says how many, and the program goes on. Commands
// are plain data, so a test can read a frame and compare two by their hash.
#include "ui/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool draw_init(struct draw_list *list, int max_cmds, size_t max_bytes)
{
    *list = (struct draw_list){0};
    if (max_cmds <= 0 || max_bytes == 0 || max_bytes > UINT32_MAX)
        return false;
    list->cmds = calloc((size_t)max_cmds, sizeof(*list->cmds));
    list->bytes = malloc(max_bytes);
    if (list->cmds == NULL || list->bytes == NULL) {
        draw_finish(list);
        return false;
    }
    list->max = max_cmds;
    list->bytes_max = max_bytes;
    return true;
}

void draw_finish(struct draw_list *list)
{
    free(list->cmds);
    free(list->bytes);
    *list = (struct draw_list){0};
}

void draw_reset(struct draw_list *list)
{
    list->count = 0;
    list->dropped = 0;
    list->used = 0;
}

static void push(struct draw_list *list, const struct draw_cmd *cmd)
{
    if (list->count >= list->max) {
        list->dropped++;
        return;
    }
    list->cmds[list->count++] = *cmd;
}

// A command with bytes goes in whole or not at all.
static void push_bytes(struct draw_list *list, struct draw_cmd *cmd, const void *bytes,
                       size_t size)
{
    if (list->count >= list->max || size > list->bytes_max - list->used) {
        list->dropped++;
        return;
    }
    cmd->offset = (uint32_t)list->used;
    memcpy(list->bytes + list->used, bytes, size);
    list->used += size;
    push(list, cmd);
}

static bool has_area(struct rect rect)
{
    return rect.w > 0 && rect.h > 0; // false for NaN too
}

void draw_fill(struct draw_list *list, struct rect rect, float radius, struct color color)
{
    if (!has_area(rect) || color.a == 0)
        return;
    push(list, &(struct draw_cmd){
                   .kind = DRAW_FILL, .rect = rect, .radius = radius, .color = color});
}

void draw_frame(struct draw_list *list, struct rect rect, float radius, float width,
                struct color color)
{
    if (!has_area(rect) || color.a == 0 || !(width > 0))
        return;
    push(list, &(struct draw_cmd){.kind = DRAW_FRAME,
                                  .rect = rect,
                                  .radius = radius,
                                  .width = width,
                                  .color = color});
}

void draw_text(struct draw_list *list, enum font font, float size, float x, float y,
               float angle, struct color color, const char *text, int length)
{
    size_t bytes = length < 0 ? strlen(text) : (size_t)length;
    if (bytes == 0 || color.a == 0)
        return;
    struct draw_cmd cmd = {
        .kind = DRAW_TEXT,
        .rect = {x, y, 0, 0},
        .color = color,
        .size = size,
        .angle = angle,
        .font = font,
        .length = (uint32_t)bytes,
    };
    push_bytes(list, &cmd, text, bytes);
}

void draw_image(struct draw_list *list, struct rect rect, int w, int h,
                const uint8_t *rgba, uint8_t opacity)
{
    if (!has_area(rect) || w <= 0 || h <= 0 || opacity == 0)
        return;
    uint64_t size = (uint64_t)w * (uint64_t)h; // times 4 cannot pass 64 bits: w, h < 2^31
    if (size > list->bytes_max / 4) {
        list->dropped++;
        return;
    }
    struct draw_cmd cmd = {
        .kind = DRAW_IMAGE,
        .rect = rect,
        .color = {0, 0, 0, opacity},
        .image_w = w,
        .image_h = h,
    };
    push_bytes(list, &cmd, rgba, (size_t)size * 4);
}

void draw_ribbon(struct draw_list *list, struct rect rect, float from, float to,
                 float width, struct color color)
{
    if (!has_area(rect) || color.a == 0 || !(width > 0))
        return;
    push(list, &(struct draw_cmd){.kind = DRAW_RIBBON,
                                  .rect = rect,
                                  .from = from,
                                  .to = to,
                                  .width = width,
                                  .color = color});
}

void draw_stroke(struct draw_list *list, float x0, float y0, float x1, float y1,
                 float width, struct color color)
{
    if (color.a == 0 || !(width > 0) || !isfinite(x0 + y0 + x1 + y1 + width))
        return;
    if (x1 < x0) {
        draw_stroke(list, x1, y1, x0, y0, width, color);
        return;
    }
    float margin = DRAW_STROKE_MARGIN + width / 2, top = fminf(y0, y1) - margin;
    push(list, &(struct draw_cmd){
                   .kind = DRAW_STROKE,
                   .rect = {x0 - margin, top, x1 - x0 + 2 * margin,
                            fmaxf(y0, y1) + margin - top},
                   .from = y0 - top,
                   .to = y1 - top,
                   .width = width,
                   .color = color,
               });
}

void draw_clip(struct draw_list *list, struct rect rect)
{
    push(list, &(struct draw_cmd){.kind = DRAW_CLIP, .rect = rect});
}

void draw_move(struct draw_list *list, float x, float y)
{
    for (int i = 0; i < list->count; i++) {
        list->cmds[i].rect.x += x;
        list->cmds[i].rect.y += y;
    }
}

uint64_t draw_mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    hash = (hash ^ hash >> 29) * 0xBF58476D1CE4E5B9u; // or high bits would cancel
    return hash ^ hash >> 32;
}

static uint64_t mix_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t left = size; left > 0;) {
        uint64_t word = 0;
        size_t n = left < sizeof word ? left : sizeof word;
        memcpy(&word, at, n);
        hash = draw_mix(hash, word);
        at += n;
        left -= n;
    }
    return hash;
}

// The bytes of a command; 0 when the list does not have them.
static size_t bytes_of(const struct draw_list *list, const struct draw_cmd *cmd)
{
    size_t size = cmd->length;
    if (cmd->kind == DRAW_IMAGE && cmd->image_w > 0 && cmd->image_h > 0)
        size = (size_t)cmd->image_w * (size_t)cmd->image_h * 4;
    return cmd->offset <= list->used && size <= list->used - cmd->offset ? size : 0;
}

// Field by field: the padding of a struct is not part of the picture.
uint64_t draw_cmd_hash(const struct draw_list *list, const struct draw_cmd *cmd)
{
    const float numbers[] = {cmd->rect.x, cmd->rect.y, cmd->rect.w, cmd->rect.h,
                             cmd->radius, cmd->width,  cmd->size,   cmd->angle,
                             cmd->from,   cmd->to};
    const uint32_t words[] = {(uint32_t)cmd->kind, (uint32_t)cmd->font, cmd->length,
                              (uint32_t)cmd->image_w, (uint32_t)cmd->image_h};
    const uint8_t channels[] = {cmd->color.r, cmd->color.g, cmd->color.b, cmd->color.a};
    uint64_t hash = mix_bytes(0, numbers, sizeof(numbers));
    hash = mix_bytes(hash, words, sizeof(words));
    hash = mix_bytes(hash, channels, sizeof(channels));
    size_t size = bytes_of(list, cmd);
    return size ? mix_bytes(hash, list->bytes + cmd->offset, size) : hash;
}

uint64_t draw_hash(const struct draw_list *list)
{
    uint64_t hash = (uint64_t)list->dropped;
    for (int i = 0; i < list->count; i++)
        hash = draw_mix(hash, draw_cmd_hash(list, &list->cmds[i]));
    return hash;
}

const struct draw_cmd *draw_find_text(const struct draw_list *list, const char *text)
{
    size_t length = strlen(text);
    for (int i = 0; i < list->count; i++) {
        const struct draw_cmd *cmd = &list->cmds[i];
        if (cmd->kind != DRAW_TEXT)
            continue;
        if (memmem(list->bytes + cmd->offset, cmd->length, text, length) != NULL)
            return cmd;
    }
    return NULL;
}
