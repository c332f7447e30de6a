// SPDX-License-Identifier: MIT
// Small multiples. See multiples.h.
#include "view/multiples.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "view/edits.h"
#include "view/heatmap.h"
#include "view/remarks.h"
#include "view/wrap.h"

// The least room of one, and its line with the name.
enum { LEAST_W = 176, LEAST_H = 140, GAP = 22, LOW_GAP = 10, NAME = 22 };
enum { REST = 20, LINE = 20, WORDS_STEP = 18, MOST_CELLS = 2000 };
enum { LOW = 400, UNLABELLED = 6 }; // a low area; above cells without source labels

// Lines of words under the name; without one they go on where the name ends.
static int lines_of(struct rect at)
{
    return at.h >= 330 ? 2 : at.h >= 170 ? 1 : 0;
}

static float gutter_of(struct rect at)
{
    return at.w >= 420 ? 92 : at.w >= 300 ? 76 : at.w >= 220 ? 68 : 58;
}

static float labels_of(struct rect at)
{
    return at.h >= 260 ? 66 : at.h >= 190 ? 52 : 40;
}

static bool is_labelled(const struct multiples *m, int i)
{
    return !m->shared || i < m->columns;
}

static struct rect cells_room(const struct multiples *m, int i)
{
    struct rect at = m->at[i];
    float left = gutter_of(at), labels = is_labelled(m, i) ? m->labels : UNLABELLED;
    float above = NAME + LINE * (float)m->lines + labels;
    return rect_make(at.x + left, at.y + above, fmaxf(8, at.w - left),
                     fmaxf(8, at.h - above));
}

static struct multiples try_columns(struct rect area, int count, int columns)
{
    struct multiples m = {.shown = count, .columns = columns};
    int rows = (count + columns - 1) / columns;
    float gap = area.h >= LOW ? GAP : LOW_GAP;
    float w = (area.w - gap * (float)(columns - 1)) / (float)columns;
    float h = (area.h - gap * (float)(rows - 1)) / (float)rows;
    for (int i = 0; i < count; i++)
        m.at[i] = rect_make(area.x + (float)(i % columns) * (w + gap),
                            area.y + (float)(i / columns) * (h + gap), w, h);
    m.lines = lines_of(m.at[0]);
    m.labels = labels_of(m.at[0]);
    return m;
}

// What labels leave in the lower ones goes to the cells of all.
static void share_labels(struct multiples *m)
{
    int rows = (m->shown + m->columns - 1) / m->columns;
    float freed = (m->labels - UNLABELLED) * (float)(rows - 1) / (float)rows;
    m->shared = true;
    for (int i = 0; i < m->shown; i++) {
        int row = i / m->columns;
        m->at[i].y +=
            row ? freed - (m->labels - UNLABELLED - freed) * (float)(row - 1) : 0;
        m->at[i].h += row ? freed - (m->labels - UNLABELLED) : freed;
    }
}

// How large the cells of a square matrix would be, or how much of a line is in sight.
static float worth(const struct multiples *m, bool wide)
{
    struct rect room = cells_room(m, 0);
    return wide ? room.w : fminf(room.w, room.h);
}

// The arrangement with the largest cells, of as many as have room. It is not that of the
// sentence, or it would change while one types.
struct multiples multiples_place(struct rect area, int count, bool wide, bool same)
{
    float legend = area.h < LOW ? 20 : 36;
    struct rect room = area;
    room.h -= legend + (area.h < LOW ? 4 : 14);
    struct multiples best = {0};
    for (int shown = count; shown >= 1 && !best.shown; shown--) {
        if (shown == count - 1)
            room.h -= REST;
        for (int columns = 1; columns <= shown; columns++) {
            struct multiples m = try_columns(room, shown, columns);
            bool fits = (m.at[0].w >= LEAST_W && m.at[0].h >= LEAST_H) || shown == 1;
            if (fits && (!best.shown || worth(&m, wide) > worth(&best, wide)))
                best = m;
        }
    }
    if (same && area.h < LOW && best.shown > best.columns)
        share_labels(&best);
    best.legend = rect_make(area.x, area.y + area.h - legend, area.w, legend);
    if (best.shown < count)
        best.rest = rect_make(area.x, best.legend.y - REST - 2, area.w, REST);
    return best;
}

struct panel multiples_panel(struct ui *ui, const struct multiples *m, int i,
                             const struct scene *scene,
                             const struct multiples_cells *cells)
{
    struct rect at = m->at[i];
    struct panel panel = {.area = at, .gutter = gutter_of(at), .legend_y = at.y + at.h};
    struct rect room = cells_room(m, i);
    struct grid *grid = &panel.grid;
    *grid = grid_fit(room, m->labels, cells->n_src, cells->rows, ui->input->scale,
                     cells->keep);
    grid->n_src = grid->to_column = scene->now ? scene->now->n_src : 0;
    grid->rows = grid->to_row = scene_rows(scene);
    grid->area.w = grid->sight.w = grid->cell_w * (float)grid->n_src;
    grid->area.h = grid->sight.h = grid->cell_h * (float)grid->rows;
    if (cells->n_src * cells->rows > MOST_CELLS)
        grid->gap = 0; // as lines of an image
    grid->label_size = fminf(grid->label_size, 15);
    grid->label_every = is_labelled(m, i) ? grid->label_every : 0;
    grid->row_label_size = fminf(grid->row_label_size, panel.gutter >= 76 ? 15 : 12.5f);
    struct rect below = rect_make(at.x, room.y - m->labels, at.w, 0);
    below.h = at.y + at.h - below.y;
    panel.is_ribbon =
        scene->ribbon && scene->now && scene->now->has_attention && scene->rows > 0;
    if (panel.is_ribbon)
        ribbon_layout(&panel.ribbon, ui, scene, below, panel.gutter);
    return panel;
}

static bool mean_entropy(const struct scene *scene, char *out, size_t size)
{
    double sum = 0;
    if (!scene->now || !scene->now->has_attention || !scene->rows)
        return false;
    bool turned = scene->lens.transpose;
    int words = turned ? scene->now->n_src : scene->rows;
    for (int i = 0; i < words; i++)
        sum += (double)(turned ? scene_column_bits(scene, i)
                               : scene_row_stats(scene, i).entropy_bits);
    snprintf(out, size, "mean entropy %.2f bits", sum / words);
    return true;
}

// As many of the words "mean entropy 1.66 bits" as have room, from their end.
static const char *entropy_shown(struct ui *ui, const char *entropy, float room)
{
    static const char *const parts[] = {"mean ", "entropy "};
    for (int i = 0; i < 2; i++)
        if (ui_text_width(ui, FONT_TEXT, 12.5f, entropy, -1) > room)
            entropy += strlen(parts[i]);
    return entropy;
}

// The name, and after it the note, which gets half of the line where both are long, and
// in a narrow one what the name leaves. Returns the room that is left on the line.
static struct rect draw_name(struct ui *ui, struct rect line,
                             const struct multiple *multiple)
{
    float name = ui_text_width(ui, FONT_BOLD, 14.5f, multiple->name, -1) + 1;
    float note = ui_text_width(ui, FONT_TEXT, 13, multiple->note, -1);
    float rest = fmaxf(0, line.w - name), most = fmaxf(rest, line.w / 2);
    bool whole = note + 10 <= most;
    note = *multiple->note ? fminf(note + 10, most < 90 ? rest : most) : 0;
    note = whole || note > 60 ? note : 0;
    name = fminf(name, line.w - note);
    ui_text_fit(ui, FONT_BOLD, 14.5f, rect_make(line.x, line.y, name, line.h), -1,
                ui->style->ink, multiple->name);
    struct rect at = rect_make(line.x + name + 9, line.y, note - 9, line.h);
    if (note > 0) {
        ui_text_fit(ui, FONT_TEXT, 13, at, -1, ui->style->accent, multiple->note);
        if (!whole && rect_contains(at, ui->input->x, ui->input->y))
            ui_tooltip(ui, at, multiple->note);
    }
    return rect_make(line.x + name + note + 12, line.y, line.w - name - note - 12,
                     line.h);
}

float multiples_head_width(struct ui *ui, const struct multiple *multiple)
{
    float note = ui_text_width(ui, FONT_TEXT, 13, multiple->note, -1);
    return ui_text_width(ui, FONT_BOLD, 14.5f, multiple->name, -1) + 1 +
           (*multiple->note ? note + 10 : 0);
}

void multiples_head(struct ui *ui, struct rect at, const struct scene *scene,
                    const struct multiple *multiple, int lines)
{
    char entropy[64] = "";
    struct color dim = ui->style->dim;
    struct rect line = rect_make(at.x, at.y, at.w, 20);
    if (mean_entropy(scene, entropy, sizeof entropy)) {
        float room = lines ? line.w - multiple->head_w - 12 : 0;
        const char *shown = entropy_shown(ui, entropy, room);
        ui_text_fit(ui, FONT_TEXT, 12.5f, line, 1, dim, shown);
        line.w -= ui_text_width(ui, FONT_TEXT, 12.5f, shown, -1) + 12;
    }
    struct rect words = draw_name(ui, line, multiple);
    if (lines)
        words = rect_make(at.x, at.y + NAME, at.w, WORDS_STEP * (float)lines);
    if (words.w < 40)
        return;
    wrap_draw(ui, FONT_TEXT, 13.5f, dim, words, WORDS_STEP, -1, multiple->words);
    if (rect_contains(words, ui->input->x, ui->input->y) &&
        wrap_count(ui, FONT_TEXT, 13.5f, words.w, multiple->words) > (lines ? lines : 1))
        ui_tooltip(ui, words, multiple->words);
}

static void draw_unattended(struct ui *ui, const struct scene *scene,
                            const struct panel *panel, struct rect at)
{
    const struct grid *grid = &panel->grid;
    struct rect box = rect_make(at.x + panel->gutter, grid->sight.y, at.w - panel->gutter,
                                fmaxf(40, grid->sight.h));
    draw_frame(ui->list, box, 6, 1, ui->style->line);
    box = rect_make(box.x + 10, box.y + box.h / 2 - 18, box.w - 20, 0);
    wrap_draw(ui, FONT_TEXT, 13.5f, ui->style->dim, box, 18, 0,
              "no α: the decoder reads one fixed vector");
    heatmap_labels(ui, scene, grid, panel->gutter);
}

void multiples_draw(struct ui *ui, const struct multiples *m, int i,
                    const struct scene *scene, const struct panel *panel,
                    const struct multiple *multiple)
{
    const struct alignment *now = scene->now;
    struct rect at = m->at[i];
    multiples_head(ui, at, scene, multiple, m->lines);
    if (!now || now->n_src == 0)
        return;
    if (!now->has_attention) {
        draw_unattended(ui, scene, panel, at);
        return;
    }
    if (panel->is_ribbon) {
        ribbon_draw(ui, scene, &panel->ribbon);
        return;
    }
    heatmap_cells(ui, scene, &panel->grid);
    heatmap_labels(ui, scene, &panel->grid, panel->gutter);
    heatmap_marks(ui, scene, &panel->grid);
    remarks_draw_cells(ui, scene, &panel->grid);
    edits_mark(ui, scene, &panel->grid);
}
