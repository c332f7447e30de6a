// SPDX-License-Identifier: MIT
// Chunks end after a space where there is one, so that no word's shaping is broken, and
// on a cluster boundary anyway. Two neighbours always hold more than LINE_CHUNK_BYTES
// together; should the array be full all the same, the last chunk takes the rest.
#include "ui/text_line.h"

#include "text/utf8.h"

static size_t chunk_end(const char *text, size_t length, size_t begin)
{
    if (length - begin <= LINE_CHUNK_BYTES)
        return length;
    size_t end = utf8_next(text, length, begin), space = begin;
    for (;;) {
        if (text[end - 1] == ' ')
            space = end;
        size_t next = utf8_next(text, length, end);
        if (next - begin > LINE_CHUNK_BYTES)
            return space > begin ? space : end;
        end = next;
    }
}

void text_line_measure(struct text_line *line, const struct ui *ui, enum font font,
                       float size, const char *text, size_t length)
{
    *line = (struct text_line){
        .ui = ui, .font = font, .size = size, .text = text, .length = length};
    size_t at = 0;
    float x = 0;
    while (at < length) {
        bool last = line->count == LINE_MAX_CHUNKS - 1;
        size_t end = last ? length : chunk_end(text, length, at);
        line->start[line->count] = at;
        line->x[line->count++] = x;
        x += ui_text_width(ui, font, size, text + at, (int)(end - at));
        at = end;
    }
    line->start[line->count] = length;
    line->x[line->count] = x;
}

float text_line_width(const struct text_line *line)
{
    return line->x[line->count];
}

static float width_in(const struct text_line *line, int chunk, size_t at)
{
    size_t begin = line->start[chunk];
    return ui_text_width(line->ui, line->font, line->size, line->text + begin,
                         (int)(at - begin));
}

float text_line_x(const struct text_line *line, size_t at)
{
    int chunk = 0;
    while (chunk < line->count && line->start[chunk + 1] <= at)
        chunk++;
    if (chunk == line->count || line->start[chunk] == at)
        return line->x[chunk];
    return line->x[chunk] + width_in(line, chunk, at);
}

// Cluster boundaries of a chunk, its begin and end among them.
static int chunk_bounds(const struct text_line *line, int chunk,
                        size_t bounds[LINE_CHUNK_BYTES + 2])
{
    size_t at = line->start[chunk], end = line->start[chunk + 1];
    int count = 0;
    bounds[count++] = at;
    while (at < end && count < LINE_CHUNK_BYTES + 2) {
        at = utf8_next(line->text, line->length, at);
        bounds[count++] = at;
    }
    return count;
}

// The cluster under x: [*begin, *end). False past either end of the line.
static bool cluster_under(const struct text_line *line, float x, size_t *begin,
                          size_t *end)
{
    if (line->count == 0 || !(x >= 0) || x >= text_line_width(line))
        return false;
    int chunk = 0;
    while (chunk + 1 < line->count && line->x[chunk + 1] <= x)
        chunk++;
    size_t bounds[LINE_CHUNK_BYTES + 2];
    int low = 0, high = chunk_bounds(line, chunk, bounds) - 1;
    while (high - low > 1) { // bounds[low] stands at or before x, bounds[high] after it
        int middle = low + (high - low) / 2;
        if (line->x[chunk] + width_in(line, chunk, bounds[middle]) <= x)
            low = middle;
        else
            high = middle;
    }
    *begin = bounds[low];
    *end = bounds[high];
    return true;
}

size_t text_line_near(const struct text_line *line, float x)
{
    size_t begin, end;
    if (!cluster_under(line, x, &begin, &end))
        return x > 0 ? line->length : 0;
    float middle = (text_line_x(line, begin) + text_line_x(line, end)) / 2;
    return x < middle ? begin : end;
}

size_t text_line_under(const struct text_line *line, float x)
{
    size_t begin, end;
    if (!cluster_under(line, x, &begin, &end))
        return x > 0 ? line->length : 0;
    return begin;
}

void text_line_draw(const struct text_line *line, struct draw_list *list, float x,
                    float baseline, float left, float right, struct color color)
{
    for (int i = 0; i < line->count; i++) {
        if (x + line->x[i + 1] < left || x + line->x[i] > right)
            continue;
        draw_text(list, line->font, line->size, x + line->x[i], baseline, 0, color,
                  line->text + line->start[i],
                  (int)(line->start[i + 1] - line->start[i]));
    }
}
