// SPDX-License-Identifier: MIT
// The matrix as draw commands. Large cells are rectangles with gaps. Small ones are one
// image line a row, a pixel a cell; when even that is too much, the maximum of the pooled
// cells is drawn, never their mean: a single sharp α must not fade from the picture.
#include "view/heatmap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "align/telemetry.h"
#include "ui/pixels.h"

enum { MOST_CELLS = 8000 }; // that are drawn one by one: the draw list has an end
enum { OLD_OPACITY = 90 };  // of 255: rows of the old sentence while new ones arrive

float heatmap_pool(const float *alpha, int from, int to)
{
    float most = 0;
    for (int s = from; s < to; s++)
        most = alpha[s] > most ? alpha[s] : most;
    return most;
}

// Of differences the one that is farthest from 0.
static float pool(const struct scene *scene, const float *alpha, int from, int to)
{
    if (!scene->difference)
        return heatmap_pool(alpha, from, to);
    float most = 0;
    for (int s = from; s < to; s++)
        most = fabsf(alpha[s]) > fabsf(most) ? alpha[s] : most;
    return most;
}

float heatmap_max(const struct scene *scene)
{
    float most = 0;
    int n = scene->now && scene->now->has_attention ? scene->now->n_src : 0;
    for (int t = 0; n && t < scene->rows; t++)
        most =
            fmaxf(most, fabsf(pool(scene, scene->alpha + (size_t)t * (size_t)n, 0, n)));
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
    if (scene->difference && difference_only(scene->difference, t) >= 0)
        return row; // there is nothing to subtract
    if (t < scene->rows) {
        row.n = scene->now->n_src;
        row.alpha = scene->alpha + (size_t)t * (size_t)row.n;
        row.opacity = scene_row_opacity(scene, t);
    } else if (scene->before && scene->before->has_attention && scene->before_alpha) {
        row.n = scene->before->n_src;
        row.alpha = scene->before_alpha + (size_t)t * (size_t)row.n;
        row.opacity = OLD_OPACITY / 255.0f;
    }
    if (t < scene->rows && scene->stats)
        row.row_max = scene->stats[t].max;
    else if (row.alpha)
        row.row_max = fabsf(pool(scene, row.alpha, 0, row.n));
    return row;
}

static struct color cell_color(struct ui *ui, const struct scene *scene,
                               const struct row_source *row, float alpha, float all_max)
{
    float value = shade_value(scene->shade, fabsf(alpha), row->row_max, all_max);
    if (scene->difference)
        return colormap_signed(ui->style->theme, copysignf(value, alpha));
    return colormap_at(scene->map, ui->style->theme, value);
}

// What a mask takes out is no weight of 0: an empty frame, crossed where there is room.
static void draw_blocked(struct ui *ui, struct rect cell, float radius)
{
    float least = fminf(cell.w, cell.h);
    draw_fill(ui->list, cell, radius, ui->style->ground);
    if (least >= 6)
        draw_frame(ui->list, cell, radius, 1, ui->style->line);
    if (least >= 14)
        ui_text_fit(ui, FONT_TEXT, fminf(16, least * 0.7f), cell, 0, ui->style->dim, "×");
}

static bool is_blocked(const struct scene *scene, int t, int s)
{
    const struct alignment *now = scene->now;
    return !scene->difference && t < scene->rows && now->blocked &&
           now->blocked[(size_t)t * (size_t)now->n_src + (size_t)s];
}

static void draw_cell_row(struct ui *ui, const struct scene *scene,
                          const struct grid *grid, int t, float all_max)
{
    struct row_source row = row_of(scene, t);
    float radius = fminf(grid->cell_w, grid->cell_h) >= 16 ? 3 : 0;
    for (int s = grid->from_column; row.alpha && s < grid->to_column && s < row.n; s++) {
        if (is_blocked(scene, t, s)) {
            draw_blocked(ui, grid_cell(grid, t, s), radius);
            continue;
        }
        struct color color = cell_color(ui, scene, &row, row.alpha[s], all_max);
        draw_fill(ui->list, grid_cell(grid, t, s), radius,
                  color_fade(color, row.opacity));
    }
}

// Shades on their way to colours: a table, because a large matrix asks a million times.
enum { TABLE = 1024 };
struct table {
    struct color at[TABLE], blocked;
};

static void fill_table(struct ui *ui, const struct scene *scene, struct table *table)
{
    table->blocked = ui->style->ground;
    for (int i = 0; i < TABLE; i++) {
        float value = (float)i / (float)(TABLE - 1);
        table->at[i] = scene->difference
                           ? colormap_signed(ui->style->theme, 2 * value - 1)
                           : colormap_at(scene->map, ui->style->theme, value);
    }
}

static struct color table_at(const struct table *table, float value)
{
    float at = value * (TABLE - 1) + 0.5f;
    return table->at[at >= TABLE - 1 ? TABLE - 1 : at > 0 ? (int)at : 0];
}

struct strip {    // one line of an image of the cells in sight
    int from, to; // matrix rows that are pooled into it
    int width;    // pixels, of the columns in sight
};

static void pool_line(const struct scene *scene, const struct grid *grid,
                      const struct table *table, struct strip strip, float all_max,
                      uint8_t *line)
{
    float values[ALIGNMENT_MAX_SRC] = {0}, row_max = 0;
    bool readable[ALIGNMENT_MAX_SRC] = {false};
    int begin = grid->from_column, columns = grid->to_column - begin;
    for (int t = strip.from; t < strip.to; t++) {
        struct row_source row = row_of(scene, t);
        if (!row.alpha)
            continue;
        row_max = fmaxf(row_max, row.row_max);
        for (int x = 0; x < strip.width; x++) {
            int first = begin + x * columns / strip.width;
            int last = begin + (x + 1) * columns / strip.width;
            float most = pool(scene, row.alpha, first, last < row.n ? last : row.n);
            most *= row.opacity;
            for (int s = first; scene->now->blocked && s < last; s++)
                readable[x] = readable[x] || !is_blocked(scene, t, s);
            values[x] = fabsf(most) > fabsf(values[x]) ? most : values[x];
        }
    }
    for (int x = 0; x < strip.width; x++) {
        float value = shade_value(scene->shade, fabsf(values[x]), row_max, all_max);
        if (scene->difference)
            value = 0.5f + copysignf(value, values[x]) / 2;
        struct color c =
            !scene->now->blocked || readable[x] ? table_at(table, value) : table->blocked;
        memcpy(line + 4 * x, (uint8_t[4]){c.r, c.g, c.b, 255}, 4);
    }
}

static void draw_lines(struct ui *ui, const struct scene *scene, const struct grid *grid,
                       float all_max)
{
    uint8_t line[ALIGNMENT_MAX_SRC * 4];
    struct table table;
    float scale = ui->input->scale;
    int columns = grid->to_column - grid->from_column;
    int rows = grid->to_row - grid->from_row;
    struct box box = pixels_box(grid->sight, scale);
    int width = box.x1 - box.x0, lines = box.y1 - box.y0;
    width = width < columns ? width : columns;
    lines = lines < rows ? lines : rows;
    fill_table(ui, scene, &table);
    float x = grid->area.x + (float)grid->from_column * grid->cell_w;
    for (int y = 0; width > 0 && y < lines; y++) {
        struct strip strip = {grid->from_row + y * rows / lines,
                              grid->from_row + (y + 1) * rows / lines, width};
        pool_line(scene, grid, &table, strip, all_max, line);
        struct rect at = rect_make(x, grid->area.y + (float)strip.from * grid->cell_h,
                                   (float)columns * grid->cell_w,
                                   (float)(strip.to - strip.from) * grid->cell_h);
        draw_image(ui->list, at, width, 1, line, 255);
    }
}

// What lies outside the room of a zoomed matrix is not drawn; `room` is in its axis.
static void clip_to(struct ui *ui, const struct grid *grid, struct rect room)
{
    if (!grid_is_whole(grid))
        draw_clip(ui->list, room);
}

static void clip_end(struct ui *ui, const struct grid *grid)
{
    if (!grid_is_whole(grid))
        draw_clip(ui->list, rect_make(0, 0, -1, -1));
}

void heatmap_cells(struct ui *ui, const struct scene *scene, const struct grid *grid)
{
    float all_max = scene->shade != SHADE_MAX ? 1
                    : scene->all_max > 0      ? scene->all_max
                                              : heatmap_max(scene);
    int cells = (grid->to_row - grid->from_row) * (grid->to_column - grid->from_column);
    bool single = grid->gap > 0 && cells <= MOST_CELLS;
    clip_to(ui, grid, grid->sight);
    if (!single)
        draw_lines(ui, scene, grid, all_max);
    for (int t = grid->from_row; single && t < grid->to_row; t++)
        draw_cell_row(ui, scene, grid, t, all_max);
    clip_end(ui, grid);
}

// What the selected target word looks at most, in the other axis.
static int looked_at(const struct scene *scene)
{
    bool turned = scene->lens.transpose;
    int at = turned ? scene->selected_s : scene->selected;
    int count = turned ? scene->now->n_src : scene->rows;
    if (at < 0 || at >= count || !scene->now->has_attention)
        return NOWHERE;
    return scene_argmax(scene, at);
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
    draw_text(ui->list, font, grid->label_size, x + lean, grid->sight.y - 10,
              grid->label_angle, label_color(ui, label, emphasis == SELECTED), text, -1);
    if (label->joined && s > 0 && grid->label_every == 1)
        draw_join(ui, x - grid->cell_w * 0.7f, grid->sight.y - 5, grid->cell_w * 0.4f, 1);
    if (cut && scene->hover_s == s && scene->hover_t == NOWHERE)
        ui_tooltip(ui, rect_make(x, grid->sight.y - 24, 1, 20), label->text);
}

static void draw_target_label(struct ui *ui, const struct scene *scene,
                              const struct grid *grid, float gutter, int t,
                              enum emphasis emphasis)
{
    bool old = t >= scene->rows;
    const struct label *label = &(old ? scene->before : scene->now)->target[t];
    float y = grid->area.y + (float)t * grid->cell_h, middle = y + grid->cell_h / 2;
    struct rect at = rect_make(grid->sight.x - gutter, y, gutter - 14, grid->cell_h);
    bool changed = !old && scene->changed && !scene->lens.transpose && scene->changed[t];
    struct color color = label_color(ui, label, emphasis == SELECTED);
    bool cut = ui_text_fit(ui, emphasis != PLAIN || changed ? FONT_BOLD : FONT_TEXT,
                           grid->row_label_size, at, 1,
                           old ? color_fade(ui->style->dim, 0.6f) : color, label->text);
    if (label->joined && t > 0 && grid->row_label_every == 1)
        draw_join(ui, grid->sight.x - 5, middle - grid->cell_h * 0.7f, 1,
                  grid->cell_h * 0.4f);
    if (cut && scene->hover_t == t)
        ui_tooltip(ui, at, label->text);
}

// Every one has its mark, whether its label has room or not.
static void draw_change(struct ui *ui, const struct scene *scene, const struct grid *grid,
                        int i)
{
    bool turned = scene->lens.transpose;
    if (!scene->changed || i >= (turned ? grid->n_src : scene->rows) ||
        !scene->changed[i])
        return;
    float size = fminf(6, fmaxf(2, (turned ? grid->cell_w : grid->cell_h) - 1));
    float x = grid->sight.x - 7, y = grid->sight.y - 6;
    if (turned)
        x = grid->area.x + ((float)i + 0.5f) * grid->cell_w;
    else
        y = grid->area.y + ((float)i + 0.5f) * grid->cell_h;
    struct rect dot = rect_make(x - size / 2, y - size / 2, size, size);
    if (scene->difference)
        draw_frame(ui->list, rect_inset(dot, -0.5f), size / 2 + 0.5f, 1.5f,
                   ui->style->warn);
    else
        draw_fill(ui->list, dot, size / 2, ui->style->warn);
}

bool heatmap_label_shown(int index, int every, int selected, int pointed)
{
    if (every <= 1 || index == selected || index == pointed)
        return true;
    bool crowded = (selected >= 0 && abs(index - selected) < every) ||
                   (pointed >= 0 && abs(index - pointed) < every);
    return index % every == 0 && !crowded;
}

static void draw_source_labels(struct ui *ui, const struct scene *scene,
                               const struct grid *grid, int chosen)
{
    for (int s = grid->from_column; grid->label_every && s < grid->to_column; s++) {
        float middle = grid->area.x + ((float)s + 0.5f) * grid->cell_w;
        if (middle < grid->sight.x || middle > grid->sight.x + grid->sight.w)
            continue;
        if (heatmap_label_shown(s, grid->label_every, chosen, scene->hover_s))
            draw_source_label(ui, scene, grid, s, emphasis_of(s, chosen, scene->hover_s));
        if (scene->lens.transpose)
            draw_change(ui, scene, grid, s);
    }
}

void heatmap_labels(struct ui *ui, const struct scene *scene, const struct grid *grid,
                    float gutter)
{
    int other = looked_at(scene);
    bool turned = scene->lens.transpose;
    int row = turned ? other : scene->selected;
    draw_source_labels(ui, scene, grid, turned ? scene->selected_s : other);
    clip_to(ui, grid,
            rect_make(grid->sight.x - gutter, grid->sight.y, gutter, grid->sight.h));
    int to = scene->before ? grid->to_row : scene->rows; // no label before its row
    for (int t = grid->from_row; t < to && t < grid->to_row; t++) {
        if (heatmap_label_shown(t, grid->row_label_every, row, scene->hover_t))
            draw_target_label(ui, scene, grid, gutter, t,
                              emphasis_of(t, row, scene->hover_t));
        if (!turned)
            draw_change(ui, scene, grid, t);
    }
    clip_end(ui, grid);
}

static void draw_hard(struct ui *ui, const struct scene *scene, const struct grid *grid)
{
    bool turned = scene->lens.transpose;
    int from = turned ? grid->from_column : grid->from_row;
    int to = turned ? grid->to_column : grid->to_row;
    to = !turned && to > scene->rows ? scene->rows : to;
    float least = fminf(grid->cell_w, grid->cell_h);
    for (int i = from; i < to; i++) {
        int best = scene_argmax(scene, i);
        if (best < 0)
            continue;
        struct rect cell = turned ? grid_cell(grid, best, i) : grid_cell(grid, i, best);
        if (least < 4)
            draw_fill(ui->list, cell, 0, ui->style->ink);
        else
            draw_frame(ui->list, cell, least >= 12 ? 3 : 0, least >= 18 ? 2 : 1,
                       ui->style->ink);
    }
}

static void draw_marked(struct ui *ui, const struct scene *scene, const struct grid *grid)
{
    struct lens_span rows = scene->marked_rows, columns = scene->marked_columns;
    float x = grid->area.x, y = grid->area.y;
    if (columns.first >= 0 && columns.first < grid->n_src)
        draw_frame(ui->list,
                   rect_make(x + (float)columns.first * grid->cell_w - 1, y - 1,
                             (float)(columns.last - columns.first + 1) * grid->cell_w + 2,
                             grid->area.h + 2),
                   4, 2, ui->style->accent);
    if (rows.first >= 0 && rows.first < scene->rows)
        draw_frame(ui->list,
                   rect_make(x - 1, y + (float)rows.first * grid->cell_h - 1,
                             grid->area.w + 2,
                             (float)(rows.last - rows.first + 1) * grid->cell_h + 2),
                   4, 2, ui->style->accent);
}

void heatmap_marks(struct ui *ui, const struct scene *scene, const struct grid *grid)
{
    clip_to(ui, grid, rect_inset(grid->sight, -1));
    if (scene->hard)
        draw_hard(ui, scene, grid);
    draw_marked(ui, scene, grid);
    if (scene->hover_s >= 0 && scene->hover_s < grid->n_src && scene->hover_t < 0)
        draw_frame(ui->list,
                   rect_make(grid->area.x + (float)scene->hover_s * grid->cell_w - 1,
                             grid->area.y - 1, grid->cell_w + 2, grid->area.h + 2),
                   4, 1, ui->style->dim);
    if (scene->hover_t >= 0 && scene->hover_s >= 0 && scene->hover_t < scene->rows)
        draw_frame(ui->list,
                   rect_inset(grid_cell(grid, scene->hover_t, scene->hover_s), -1), 3,
                   1.5f, ui->style->ink);
    clip_end(ui, grid);
}
