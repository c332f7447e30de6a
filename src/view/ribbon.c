// SPDX-License-Identifier: MIT
// Ribbons. See ribbon.h. Both ends of a ribbon are as wide as its α; side by side they
// make a word's node, so below a node is a row's sum, above it is a column's coverage.
// The weak ones are drawn first.
#include "view/ribbon.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "view/colormap.h"
#include "view/heatmap.h"

enum {
    MAX_BANDS = 2048,
    NODE = 4,    // height of a word's node
    HEAD = 50,   // above the bands: coverage, words, node
    FOOT = 64,   // below: node, words, entropy, p
    WIDEST = 168 // a word; longer ones are cut
};

struct band {
    float from, to, w; // middles above and below, in the room; width
    struct color color;
    float opacity, alpha;
};

static float lay_line(struct ui *ui, const struct label *labels, int n, float size,
                      struct ribbon_word *words)
{
    float total = 0, gap = size >= 15 ? 20 : 12;
    for (int i = 0; i < n; i++) {
        float w = ui_text_width(ui, FONT_TEXT, size, labels[i].text, -1);
        words[i].w = fminf(WIDEST, fmaxf(w, size >= 15 ? 26 : 18)) + gap;
        total += words[i].w;
    }
    return total;
}

// Spreads a line over the width, a little: a short sentence stays together.
static void spread(struct ribbon_word *words, int n, float total, float width)
{
    float more = n ? fminf(56, (width - total) / (float)n) : 0;
    float x = (width - total - more * (float)n) / 2;
    for (int i = 0; i < n; i++) {
        words[i].w += more;
        words[i].x = x + words[i].w / 2;
        x += words[i].w;
    }
}

static void lay_words(struct ribbon *ribbon, struct ui *ui, const struct scene *scene)
{
    static const float sizes[] = {19, 17, 15, 13};
    const struct alignment *now = scene->now;
    float top = 0, bottom = 0, room = ribbon->bands.w;
    int at = 0;
    for (int pass = 0; pass < 2; pass++) { // as large as fits, by the first pass
        ribbon->size = sizes[at];
        top = lay_line(ui, now->source, now->n_src, sizes[at], ribbon->top);
        bottom = lay_line(ui, now->target, scene->rows, sizes[at], ribbon->bottom);
        if (fmaxf(top, bottom) <= room)
            break;
        while (at < 3 && fmaxf(top, bottom) * sizes[at] / sizes[0] > room)
            at++;
    }
    ribbon->width = fmaxf(room, fmaxf(top, bottom));
    spread(ribbon->top, now->n_src, top, ribbon->width);
    spread(ribbon->bottom, scene->rows, bottom, ribbon->width);
    float share = scene->port.column / (float)now->n_src;
    ribbon->outside =
        fminf(fmaxf(0, share * ribbon->width), fmaxf(0, ribbon->width - room));
}

// α = 1 is as wide as lets every node keep to its word, but not thinner than a line.
static void lay_nodes(struct ribbon *ribbon, const struct scene *scene)
{
    int n = scene->now->n_src;
    float sums[ALIGNMENT_MAX_SRC], unit = 46;
    telemetry_coverage(scene->alpha, scene->rows, n, sums);
    for (int s = 0; s < n; s++)
        if (sums[s] > 0)
            unit = fminf(unit, 0.92f * ribbon->top[s].w / sums[s]);
    for (int t = 0; t < scene->rows; t++) {
        ribbon->bottom[t].node = scene_row_stats(scene, t).sum;
        if (ribbon->bottom[t].node > 0)
            unit = fminf(unit, 0.92f * ribbon->bottom[t].w / ribbon->bottom[t].node);
    }
    ribbon->unit = fmaxf(unit, 10);
    for (int s = 0; s < n; s++)
        ribbon->top[s].node = sums[s] * ribbon->unit;
    for (int t = 0; t < scene->rows; t++)
        ribbon->bottom[t].node *= ribbon->unit;
}

static int count_over(const struct scene *scene, float least)
{
    size_t cells = (size_t)scene->rows * (size_t)scene->now->n_src;
    int count = 0;
    for (size_t i = 0; i < cells; i++)
        count += scene->alpha[i] >= least;
    return count;
}

void ribbon_layout(struct ribbon *ribbon, struct ui *ui, const struct scene *scene,
                   struct rect area, float gutter)
{
    ribbon->area = area;
    ribbon->gutter = gutter;
    ribbon->bands = rect_make(area.x + gutter, area.y + HEAD, area.w - gutter,
                              fmaxf(20, fminf(420, area.h - HEAD - FOOT)));
    lay_words(ribbon, ui, scene);
    lay_nodes(ribbon, scene);
    ribbon->least = 0.01f;
    while (count_over(scene, ribbon->least) > MAX_BANDS)
        ribbon->least *= 2;
}

// What the selected word and the one under the pointer are joined to stands out.
static struct band style_band(struct ui *ui, const struct scene *scene, int t, int s,
                              float alpha, float row_max)
{
    bool turned = scene->lens.transpose;
    bool selected = turned ? s == scene->selected_s : t == scene->selected;
    bool pointed = t == scene->hover_t || s == scene->hover_s;
    float value = shade_value(scene->shade, alpha, row_max, 1);
    struct band band = {.alpha = alpha, .opacity = 0.35f + 0.5f * alpha};
    band.color = colormap_at(scene->map, ui->style->theme, fmaxf(0.3f, value));
    if (selected || pointed) {
        band.color = pointed ? ui->style->ink : ui->style->accent;
        band.opacity = 0.9f;
        band.alpha += 2; // on top
    }
    if (scene->hard && scene_argmax(scene, turned ? s : t) != (turned ? t : s))
        band.opacity *= 0.2f;
    return band;
}

static int by_alpha(const void *a, const void *b)
{
    float left = ((const struct band *)a)->alpha, right = ((const struct band *)b)->alpha;
    return (left > right) - (left < right);
}

static int take_bands(struct ui *ui, const struct scene *scene,
                      const struct ribbon *ribbon, struct band *bands)
{
    float used[ALIGNMENT_MAX_SRC] = {0}; // of each node above
    int n = scene->now->n_src, count = 0;
    for (int t = 0; t < scene->rows; t++) {
        const float *row = scene->alpha + (size_t)t * (size_t)n;
        const struct ribbon_word *below = &ribbon->bottom[t];
        float at = below->x - below->node / 2, row_max = heatmap_pool(row, 0, n);
        for (int s = 0; s < n; s++) {
            const struct ribbon_word *above = &ribbon->top[s];
            float w = row[s] * ribbon->unit;
            float from = above->x - above->node / 2 + used[s] + w / 2, to = at + w / 2;
            used[s] += w;
            at += w;
            bool far = fminf(from, to) - w > ribbon->outside + ribbon->bands.w ||
                       fmaxf(from, to) + w < ribbon->outside;
            if (row[s] < ribbon->least || far || count == MAX_BANDS)
                continue;
            bands[count] = style_band(ui, scene, t, s, row[s], row_max);
            bands[count].from = from - ribbon->outside;
            bands[count].to = to - ribbon->outside;
            bands[count++].w = w;
        }
    }
    qsort(bands, (size_t)count, sizeof *bands, by_alpha);
    return count;
}

static void draw_bands(struct ui *ui, const struct scene *scene,
                       const struct ribbon *ribbon)
{
    struct band bands[MAX_BANDS];
    int count = take_bands(ui, scene, ribbon, bands);
    draw_clip(ui->list, ribbon->bands);
    for (int i = 0; i < count; i++)
        draw_ribbon(ui->list, ribbon->bands, bands[i].from, bands[i].to, bands[i].w,
                    color_fade(bands[i].color, bands[i].opacity));
    draw_clip(ui->list, rect_make(0, 0, -1, -1));
}

static bool is_scrolled(const struct ribbon *ribbon)
{
    return ribbon->width > ribbon->bands.w + 0.5f;
}

static void draw_number(struct ui *ui, const struct ribbon_word *word, float x, float y,
                        const char *text)
{
    if (word->w >= 38)
        ui_text_fit(ui, FONT_TEXT, 12, rect_make(x - word->w / 2, y, word->w, 16), 0,
                    ui->style->dim, text);
}

struct line { // the words above or below
    const struct label *labels;
    const struct ribbon_word *words;
    int n, selected, pointed, looked_at;
    float text_y, node_y;
};

static void draw_word(struct ui *ui, const struct ribbon *ribbon, const struct line *line,
                      int i, float x)
{
    const struct ribbon_word *word = &line->words[i];
    const struct label *label = &line->labels[i];
    bool marked = i == line->selected || i == line->looked_at;
    struct color ink = marked           ? ui->style->accent
                       : label->unknown ? ui->style->warn
                       : label->special ? ui->style->dim
                                        : ui->style->ink;
    struct rect at = rect_make(x - word->w / 2 + 3, line->text_y, word->w - 6, 24);
    bool cut = ui_text_fit(ui, marked || i == line->pointed ? FONT_BOLD : FONT_TEXT,
                           ribbon->size, at, 0, ink, label->text);
    if (cut && i == line->pointed)
        ui_tooltip(ui, at, label->text);
    if (word->node > 0)
        draw_fill(ui->list, rect_make(x - word->node / 2, line->node_y, word->node, NODE),
                  1, marked ? ui->style->accent : color_fade(ui->style->dim, 0.75f));
}

static void draw_numbers(struct ui *ui, const struct scene *scene,
                         const struct ribbon *ribbon, bool above, int i, float x)
{
    const struct ribbon_word *word = above ? &ribbon->top[i] : &ribbon->bottom[i];
    float y = above ? ribbon->area.y : ribbon->bands.y + ribbon->bands.h + NODE + 26;
    char text[32];
    // Of a source word what it got, of a target word how widely it looked.
    if (above != scene->lens.transpose) {
        snprintf(text, sizeof text, "%.2f", (double)(word->node / ribbon->unit));
        draw_number(ui, word, x, y, text);
        return;
    }
    if (scene->lens.transpose)
        return;
    snprintf(text, sizeof text, "%.2f", (double)scene_row_stats(scene, i).entropy_bits);
    draw_number(ui, word, x, y, text);
    if (isnan(scene->now->p[i]))
        return;
    snprintf(text, sizeof text, "%.0f%%", 100 * (double)scene->now->p[i]);
    draw_number(ui, word, x, y + 16, text);
}

// Beside the place of an edit's mark.
static void draw_change(struct ui *ui, const struct ribbon *ribbon, bool above, float x)
{
    float y = above ? ribbon->area.y + 16 : ribbon->bands.y + ribbon->bands.h + 25;
    draw_fill(ui->list, rect_make(x - 17, y, 6, 6), 3, ui->style->warn);
}

// A number that is cut would read as another one.
static bool numbers_fit(const struct ribbon *ribbon, float x)
{
    const float half = 18;
    return x - half >= ribbon->bands.x && x + half <= ribbon->bands.x + ribbon->bands.w;
}

static void draw_line(struct ui *ui, const struct scene *scene,
                      const struct ribbon *ribbon, const struct line *line, bool above)
{
    bool targets = above == scene->lens.transpose;
    for (int i = 0; i < line->n; i++) {
        float x = ribbon->bands.x + line->words[i].x - ribbon->outside;
        float half = line->words[i].w / 2;
        if (x + half < ribbon->bands.x || x - half > ribbon->bands.x + ribbon->bands.w)
            continue;
        draw_word(ui, ribbon, line, i, x);
        if (!is_scrolled(ribbon) || numbers_fit(ribbon, x))
            draw_numbers(ui, scene, ribbon, above, i, x);
        if (targets && scene->changed && scene->changed[i])
            draw_change(ui, ribbon, above, x);
    }
}

// In brief where the whole has no room: half a number would be another one.
static void draw_name(struct ui *ui, struct rect at, const char *whole, const char *brief)
{
    bool fits = ui_text_width(ui, FONT_TEXT, 12, whole, -1) <= at.w;
    ui_text_fit(ui, FONT_TEXT, 12, at, 1, ui->style->dim, fits ? whole : brief);
}

static void draw_names(struct ui *ui, const struct scene *scene,
                       const struct ribbon *ribbon)
{
    bool turned = scene->lens.transpose;
    struct rect at = rect_make(ribbon->area.x, ribbon->area.y, ribbon->gutter - 14, 16);
    struct color dim = ui->style->dim;
    float y = ribbon->bands.y + ribbon->bands.h + NODE + 26;
    if (!turned)
        draw_name(ui, at, "coverage", "Σ α");
    at.y = y;
    draw_name(ui, at, turned ? "coverage" : "entropy, bits", turned ? "Σ α" : "bits");
    at.y += 16;
    if (!turned)
        ui_text_fit(ui, FONT_TEXT, 12, at, 1, dim, "p(y)");
    char least[32], brief[32];
    at.y = ribbon->bands.y + ribbon->bands.h / 2 - 16;
    ui_text_fit(ui, FONT_TEXT, 12, at, 1, dim, "width: α");
    snprintf(least, sizeof least, "from %.2f on", (double)ribbon->least);
    snprintf(brief, sizeof brief, "≥ %.2f", (double)ribbon->least);
    at.y += 16;
    draw_name(ui, at, least, brief);
}

// Where the sight is in a line that is longer than the room.
static void draw_scroll(struct ui *ui, const struct ribbon *ribbon)
{
    struct rect room = ribbon->bands;
    float y = ribbon->area.y + ribbon->area.h - 3, shown = room.w / ribbon->width;
    draw_fill(ui->list, rect_make(room.x, y, room.w, 3), 1.5f, ui->style->line);
    draw_fill(ui->list, rect_make(room.x + ribbon->outside * shown, y, room.w * shown, 3),
              1.5f, ui->style->dim);
}

void ribbon_draw(struct ui *ui, const struct scene *scene, const struct ribbon *ribbon)
{
    bool turned = scene->lens.transpose;
    int chosen = turned ? scene->selected_s : scene->selected;
    int best = chosen >= 0 ? scene_argmax(scene, chosen) : NOWHERE;
    struct line above = {
        scene->now->source,          ribbon->top,           scene->now->n_src,
        scene->selected_s,           scene->hover_s,        turned ? NOWHERE : best,
        ribbon->bands.y - NODE - 28, ribbon->bands.y - NODE};
    struct line below = {scene->now->target,
                         ribbon->bottom,
                         scene->rows,
                         scene->selected,
                         scene->hover_t,
                         turned ? best : NOWHERE,
                         ribbon->bands.y + ribbon->bands.h + NODE + 1,
                         ribbon->bands.y + ribbon->bands.h};
    draw_bands(ui, scene, ribbon);
    draw_names(ui, scene, ribbon);
    if (is_scrolled(ribbon))
        draw_clip(ui->list, rect_make(ribbon->bands.x, ribbon->area.y, ribbon->bands.w,
                                      ribbon->area.h));
    draw_line(ui, scene, ribbon, &above, true);
    draw_line(ui, scene, ribbon, &below, false);
    if (is_scrolled(ribbon)) {
        draw_clip(ui->list, rect_make(0, 0, -1, -1));
        draw_scroll(ui, ribbon);
    }
}

static int word_at(const struct ribbon_word *words, int n, float x)
{
    for (int i = 0; i < n; i++)
        if (fabsf(x - words[i].x) < words[i].w / 2)
            return i;
    return NOWHERE;
}

void ribbon_hit(const struct ribbon *ribbon, const struct scene *scene, float x, float y,
                int *row, int *column)
{
    struct rect lines =
        rect_make(ribbon->bands.x, ribbon->area.y, ribbon->bands.w, ribbon->area.h);
    float along = x - ribbon->bands.x + ribbon->outside;
    *row = *column = NOWHERE;
    if (!rect_contains(lines, x, y))
        return;
    if (y < ribbon->bands.y + 8)
        *column = word_at(ribbon->top, scene->now->n_src, along);
    else if (y > ribbon->bands.y + ribbon->bands.h - 8)
        *row = word_at(ribbon->bottom, scene->rows, along);
}

struct grid_port ribbon_reveal(const struct ribbon *ribbon, const struct scene *scene,
                               int row, int column)
{
    struct grid_port port = scene->port;
    const struct ribbon_word *word =
        row >= 0 ? &ribbon->bottom[row] : &ribbon->top[column];
    float left = word->x - word->w / 2, right = word->x + word->w / 2;
    float outside = ribbon->outside;
    if (left < outside || right > outside + ribbon->bands.w)
        outside = word->x - ribbon->bands.w / 2;
    port.column = outside / ribbon->width * (float)scene->now->n_src;
    return port;
}
