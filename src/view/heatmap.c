// SPDX-License-Identifier: MIT
// The matrix as draw commands. Large cells are rectangles with gaps. Small ones are one
// image line a row, a pixel a cell; when even that is too much, the maximum of the pooled
// cells is drawn, never their mean: a single sharp α must not fade from the picture.
#include "view/heatmap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "align/telemetry.h"

enum { OLD_OPACITY = 90 }; // of 255: rows of the old sentence while new ones arrive

float heatmap_pool(const float *alpha, int from, int to)
{
    float most = 0;
    for (int s = from; s < to; s++)
        most = fmaxf(most, alpha[s]);
    return most;
}

static float matrix_max(const struct scene *scene)
{
    float most = 0;
    size_t count = (size_t)scene->rows * (size_t)scene->now->n_src;
    for (size_t i = 0; i < count; i++)
        most = fmaxf(most, scene->alpha[i]);
    return most;
}

// One matrix row of the scene: where its α are, how many, how strongly it is drawn.
struct row_source {
    const float *alpha; // (n); NULL: nothing to draw
    int n;
    float opacity, row_max;
};

static struct row_source row_of(const struct scene *scene, int t)
{
    struct row_source row = {0};
    if (t < scene->rows) {
        row.n = scene->now->n_src;
        row.alpha = scene->alpha + (size_t)t * (size_t)row.n;
        row.opacity = scene_row_opacity(scene, t);
    } else if (scene->before && scene->before->has_attention && scene->before_alpha) {
        row.n = scene->before->n_src;
        row.alpha = scene->before_alpha + (size_t)t * (size_t)row.n;
        row.opacity = OLD_OPACITY / 255.0f;
    }
    if (row.alpha)
        row.row_max = heatmap_pool(row.alpha, 0, row.n);
    return row;
}

static struct color cell_color(struct ui *ui, const struct scene *scene,
                               const struct row_source *row, float alpha, float all_max)
{
    float value = shade_value(scene->shade, alpha, row->row_max, all_max);
    return colormap_at(scene->map, ui->style->theme, value);
}

static void draw_cell_row(struct ui *ui, const struct scene *scene,
                          const struct grid *grid, int t, float all_max)
{
    struct row_source row = row_of(scene, t);
    float radius = fminf(grid->cell_w, grid->cell_h) >= 16 ? 3 : 0;
    for (int s = 0; row.alpha && s < grid->n_src && s < row.n; s++) {
        struct color color = cell_color(ui, scene, &row, row.alpha[s], all_max);
        draw_fill(ui->list, grid_cell(grid, t, s), radius,
                  color_fade(color, row.opacity));
    }
}

// Several matrix rows [from, to) pooled into one line of `width` pixels.
static void pool_line(struct ui *ui, const struct scene *scene, int from, int to,
                      int width, int n_src, float all_max, uint8_t *line)
{
    float values[ALIGNMENT_MAX_SRC] = {0};
    struct row_source strongest = {.row_max = 0};
    for (int t = from; t < to; t++) {
        struct row_source row = row_of(scene, t);
        if (!row.alpha)
            continue;
        if (row.row_max >= strongest.row_max)
            strongest = row;
        int n = row.n < n_src ? row.n : n_src;
        for (int x = 0; x < width; x++) {
            int first = x * n_src / width, last = (x + 1) * n_src / width;
            float most = heatmap_pool(row.alpha, first < n ? first : n,
                                      last < n ? (last > first ? last : first + 1) : n);
            values[x] = fmaxf(values[x], most * row.opacity);
        }
    }
    for (int x = 0; x < width; x++) {
        struct color c = cell_color(ui, scene, &strongest, values[x], all_max);
        memcpy(line + 4 * x, (uint8_t[4]){c.r, c.g, c.b, 255}, 4);
    }
}

static void draw_lines(struct ui *ui, const struct scene *scene, const struct grid *grid,
                       float all_max)
{
    uint8_t line[ALIGNMENT_MAX_SRC * 4];
    float scale = ui->input->scale;
    int width = (int)ceilf(grid->area.w * scale),
        lines = (int)ceilf(grid->area.h * scale);
    width = width < grid->n_src ? width : grid->n_src;
    lines = lines < grid->rows ? lines : grid->rows;
    for (int y = 0; width > 0 && y < lines; y++) {
        int from = y * grid->rows / lines, to = (y + 1) * grid->rows / lines;
        pool_line(ui, scene, from, to, width, grid->n_src, all_max, line);
        float top = grid->area.y + (float)from * grid->cell_h;
        struct rect at =
            rect_make(grid->area.x, top, grid->area.w, (float)(to - from) * grid->cell_h);
        draw_image(ui->list, at, width, 1, line, 255);
    }
}

void heatmap_cells(struct ui *ui, const struct scene *scene, const struct grid *grid)
{
    float all_max = scene->shade == SHADE_MAX ? matrix_max(scene) : 1;
    if (grid->gap <= 0) {
        draw_lines(ui, scene, grid, all_max);
        return;
    }
    for (int t = 0; t < grid->rows; t++)
        draw_cell_row(ui, scene, grid, t, all_max);
}

// The source column that the selected row looks at most.
static int selected_source(const struct scene *scene)
{
    int t = scene->selected, n = scene->now->n_src;
    if (t < 0 || t >= scene->rows || !scene->now->has_attention)
        return NOWHERE;
    return telemetry_row(scene->alpha + (size_t)t * (size_t)n, n).argmax;
}

static struct color label_color(struct ui *ui, const struct label *label, bool selected)
{
    if (selected)
        return ui->style->accent;
    if (label->unknown)
        return ui->style->warn;
    return label->special ? ui->style->dim : ui->style->ink;
}

// A short line between two neighbours says that they are pieces of one word.
static void draw_join(struct ui *ui, float x, float y, float w, float h)
{
    draw_fill(ui->list, rect_make(x, y, w, h), 0, color_fade(ui->style->dim, 0.55f));
}

// How strongly a label is drawn: the selected row and what it looks at in the accent
// colour, what is pointed at in bold.
enum emphasis { PLAIN, POINTED, SELECTED };

static enum emphasis emphasis_of(int index, int selected, int pointed)
{
    return index == selected ? SELECTED : index == pointed ? POINTED : PLAIN;
}

static void draw_source_label(struct ui *ui, const struct scene *scene,
                              const struct grid *grid, int s, enum emphasis emphasis)
{
    const struct label *label = &scene->now->source[s];
    char text[160];
    enum font font = emphasis == PLAIN ? FONT_TEXT : FONT_BOLD;
    bool cut = ui_elide(ui, font, grid->label_size, grid->label_room, label->text, text,
                        sizeof text);
    float x = grid->area.x + ((float)s + 0.5f) * grid->cell_w;
    float lean = grid->label_angle >= 90 ? grid->label_size * 0.35f : 4;
    if (grid->label_angle <= 0)
        lean = ui_text_width(ui, font, grid->label_size, text, -1) / -2;
    draw_text(ui->list, font, grid->label_size, x + lean, grid->area.y - 10,
              grid->label_angle, label_color(ui, label, emphasis == SELECTED), text, -1);
    if (label->joined && s > 0 && grid->label_every == 1)
        draw_join(ui, x - grid->cell_w * 0.7f, grid->area.y - 5, grid->cell_w * 0.4f, 1);
    if (cut && scene->hover_s == s && scene->hover_t == NOWHERE)
        ui_tooltip(ui, rect_make(x, grid->area.y - 24, 1, 20), label->text);
}

static void draw_target_label(struct ui *ui, const struct scene *scene,
                              const struct grid *grid, float gutter, int t)
{
    bool old = t >= scene->rows;
    const struct label *label = &(old ? scene->before : scene->now)->target[t];
    enum emphasis emphasis = emphasis_of(t, scene->selected, scene->hover_t);
    float y = grid->area.y + (float)t * grid->cell_h, middle = y + grid->cell_h / 2;
    struct rect at = rect_make(grid->area.x - gutter, y, gutter - 14, grid->cell_h);
    bool changed = !old && scene->changed && scene->changed[t];
    struct color color = label_color(ui, label, emphasis == SELECTED);
    bool cut = ui_text_fit(ui, emphasis != PLAIN || changed ? FONT_BOLD : FONT_TEXT,
                           grid->row_label_size, at, 1,
                           old ? color_fade(ui->style->dim, 0.6f) : color, label->text);
    if (changed)
        draw_fill(ui->list, rect_make(at.x + at.w + 4, middle - 3, 6, 6), 3,
                  ui->style->warn);
    if (label->joined && t > 0 && grid->row_label_every == 1)
        draw_join(ui, grid->area.x - 5, middle - grid->cell_h * 0.7f, 1,
                  grid->cell_h * 0.4f);
    if (cut && scene->hover_t == t)
        ui_tooltip(ui, at, label->text);
}

bool heatmap_label_shown(int index, int every, int selected, int pointed)
{
    if (every <= 1 || index == selected || index == pointed)
        return true;
    bool crowded = (selected >= 0 && abs(index - selected) < every) ||
                   (pointed >= 0 && abs(index - pointed) < every);
    return index % every == 0 && !crowded;
}

void heatmap_labels(struct ui *ui, const struct scene *scene, const struct grid *grid,
                    float gutter)
{
    int looked_at = selected_source(scene);
    for (int s = 0; s < grid->n_src; s++)
        if (heatmap_label_shown(s, grid->label_every, looked_at, scene->hover_s))
            draw_source_label(ui, scene, grid, s,
                              emphasis_of(s, looked_at, scene->hover_s));
    for (int t = 0; t < grid->rows; t++)
        if (heatmap_label_shown(t, grid->row_label_every, scene->selected,
                                scene->hover_t))
            draw_target_label(ui, scene, grid, gutter, t);
}

void heatmap_marks(struct ui *ui, const struct scene *scene, const struct grid *grid)
{
    if (scene->selected >= 0 && scene->selected < scene->rows) {
        struct rect row = rect_make(
            grid->area.x - 1, grid->area.y + (float)scene->selected * grid->cell_h - 1,
            grid->area.w + 2, grid->cell_h + 2);
        draw_frame(ui->list, row, 4, 2, ui->style->accent);
    }
    if (scene->hover_t >= 0 && scene->hover_s >= 0 && scene->hover_t < scene->rows)
        draw_frame(ui->list,
                   rect_inset(grid_cell(grid, scene->hover_t, scene->hover_s), -1), 3,
                   1.5f, ui->style->ink);
}
