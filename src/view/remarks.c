// SPDX-License-Identifier: MIT
// Marks of remarks, and their sentences. See remarks.h. Each kind has its own shape, and
// the legend names those that are in the picture: a dot in a cell (the list agrees), a
// circle about cells (Model 1; the arg max has a square one), "≠" before a label (the
// list has another word), "!" before the numbers (a doubt).
#include "view/remarks.h"

#include <math.h>

enum { SENTENCES = 1024, LEAST_DOT = 5, LEAST_CIRCLE = 9 };

static const enum row_says all_says[] = {ROW_COLLAPSED, ROW_DIFFUSE, ROW_DRIFTING};
enum { SAYS = sizeof all_says / sizeof *all_says };

static const char *sign_of(unsigned says)
{
    return says & ROW_COLLAPSED ? "▮" : says & ROW_DIFFUSE ? "⋯" : "→";
}

static const char *note_of(unsigned says)
{
    return says & ROW_COLLAPSED ? "▮ collapsed"
           : says & ROW_DIFFUSE ? "⋯ diffuse"
                                : "→ drifting";
}

static void add_note(struct remark_note *out, int *count, const char *text, bool warns)
{
    if (*count < REMARKS_NOTES)
        out[(*count)++] = (struct remark_note){text, warns};
}

bool remarks_doubtful(const struct remarks *r)
{
    for (int t = 0; t < r->n_tgt; t++)
        if (r->rows[t].doubts)
            return true;
    return false;
}

static void note_rows(const struct remarks *r, struct remark_note *out, int *count)
{
    unsigned says = 0;
    for (int t = 0; t < r->n_tgt; t++)
        says |= r->says ? r->rows[t].reading.says : 0;
    if (remarks_doubtful(r))
        add_note(out, count, "! doubtful", true);
    for (int i = 0; i < SAYS; i++)
        if (says & all_says[i])
            add_note(out, count, note_of(all_says[i]), false);
}

int remarks_notes(const struct scene *scene, struct remark_note out[REMARKS_NOTES])
{
    const struct remarks *r = scene->remarks;
    int count = 0;
    if (!r)
        return 0;
    if (scene->ribbon) {
        if (r->list || r->model1)
            add_note(out, &count, "the word list is laid over the matrix only", false);
        return count;
    }
    bool laid = !r->note;
    if (r->note && (r->list || r->model1))
        add_note(out, &count, r->note, true);
    note_rows(r, out, &count);
    if (laid && r->list)
        add_note(out, &count, "• word list agrees", false);
    if (laid && r->list && r->disagreeing && !scene->lens.transpose)
        add_note(out, &count, "≠ it has another word", false);
    if (laid && r->model1)
        add_note(out, &count, "○ IBM Model 1", false);
    if (laid && r->model1 && scene->hard)
        add_note(out, &count, "▢ arg max", false);
    return count;
}

float remarks_gutter(const struct scene *scene)
{
    const struct remarks *r = scene->remarks;
    return r && r->list && !r->note && !scene->lens.transpose ? REMARKS_GUTTER : 0;
}

// ---- cells ----

static struct rect cells_of(const struct scene *scene, const struct grid *grid,
                            struct lens_span t, struct lens_span s)
{
    bool turned = scene->lens.transpose;
    struct lens_span rows = turned ? s : t, columns = turned ? t : s;
    struct rect a = grid_cell(grid, rows.first, columns.first);
    struct rect b = grid_cell(grid, rows.last, columns.last);
    return rect_make(a.x, a.y, b.x + b.w - a.x, b.y + b.h - a.y);
}

static void draw_dots(struct ui *ui, const struct scene *scene, const struct grid *grid)
{
    const struct remarks *r = scene->remarks;
    float least = fminf(grid->cell_w, grid->cell_h);
    float size = fminf(9, fmaxf(3, least * 0.25f));
    for (int i = 0; i < r->n_agree && least >= LEAST_DOT; i++) {
        struct remark_cell at = r->agree[i];
        struct rect cell = cells_of(scene, grid, (struct lens_span){at.t, at.t},
                                    (struct lens_span){at.s, at.s});
        float edge = least >= 18 ? 3 : least >= 11 ? 2 : 0.5f;
        struct rect dot =
            rect_make(cell.x + edge, cell.y + cell.h - size - edge, size, size);
        draw_fill(ui->list, rect_inset(dot, -1.5f), size, ui->style->ground);
        draw_fill(ui->list, dot, size / 2, ui->style->ink);
    }
}

// A circle in one cell, a capsule about several: the pieces of a word are one.
static void draw_circle(struct ui *ui, struct rect cells, bool wide, bool high,
                        float least)
{
    float size = fmaxf(least * 0.52f, 6), margin = least - size;
    float w = wide ? cells.w - margin : size, h = high ? cells.h - margin : size;
    struct rect at =
        rect_make(cells.x + (cells.w - w) / 2, cells.y + (cells.h - h) / 2, w, h);
    float radius = fminf(w, h) / 2, width = least >= 18 ? 2 : 1.5f;
    draw_frame(ui->list, rect_inset(at, -1.5f), radius + 1.5f, 2, ui->style->ground);
    draw_frame(ui->list, at, radius, width, ui->style->ink);
}

static void draw_links(struct ui *ui, const struct scene *scene, const struct grid *grid)
{
    const struct remarks *r = scene->remarks;
    float least = fminf(grid->cell_w, grid->cell_h);
    bool turned = scene->lens.transpose;
    for (int i = 0; i < r->n_links; i++) {
        struct lens_span t = r->links[i].t, s = r->links[i].s;
        struct rect at = cells_of(scene, grid, t, s);
        bool high = t.last > t.first, wide = s.last > s.first;
        if (least >= LEAST_CIRCLE)
            draw_circle(ui, at, turned ? high : wide, turned ? wide : high, least);
        else
            draw_fill(ui->list, rect_inset(at, least * 0.25f), least, ui->style->ink);
    }
}

// ---- rows ----

// The middle of a row in sight; false where it is not.
static bool middle_of(const struct grid *grid, int t, float *y)
{
    *y = grid->area.y + ((float)t + 0.5f) * grid->cell_h;
    return *y >= grid->sight.y && *y < grid->sight.y + grid->sight.h;
}

static void draw_sign(struct ui *ui, float x, float middle, float size, const char *sign)
{
    float w = ui_text_width(ui, FONT_BOLD, size, sign, -1);
    struct rect ground = rect_make(x - w / 2 - 3, middle - 4, w + 6, 8);
    draw_fill(ui->list, ground, 0, ui->style->ground); // the rule stops here
    draw_text(ui->list, FONT_BOLD, size, x - w / 2, middle + size * 0.36f, 0,
              ui->style->ink, sign, -1);
}

static void draw_alarm(struct ui *ui, float x, float middle, float cell_h)
{
    float size = fminf(16, fmaxf(3, cell_h - 2));
    struct rect at = rect_make(x - size / 2, middle - size / 2, size, size);
    draw_fill(ui->list, rect_inset(at, -2), size, ui->style->ground);
    draw_fill(ui->list, at, size / 2, ui->style->warn);
    if (size < 10)
        return;
    float w = ui_text_width(ui, FONT_BOLD, size - 4, "!", -1);
    draw_text(ui->list, FONT_BOLD, size - 4, x - w / 2, middle + (size - 4) * 0.36f, 0,
              ui->style->on_warn, "!", -1);
}

static void draw_row(struct ui *ui, const struct remarks *r, const struct grid *grid,
                     int t, float left, float right)
{
    float middle, size = fminf(15, grid->cell_h);
    if (!middle_of(grid, t, &middle))
        return;
    if (r->rows[t].doubts)
        draw_alarm(ui, right - 14, middle, grid->cell_h);
    else if (r->says && r->rows[t].reading.says && size >= 8)
        draw_sign(ui, right - 14, middle, size, sign_of(r->rows[t].reading.says));
    if (r->words && r->words[t].target && size >= 8)
        draw_sign(ui, left + REMARKS_GUTTER / 2, middle, size, "≠");
}

static void tell(struct ui *ui, const struct scene *scene, const struct grid *grid,
                 float left, float right)
{
    const struct remarks *r = scene->remarks;
    int t = scene->hover_t;
    float middle, x = ui->input->x;
    if (t < 0 || t >= r->n_tgt || scene->hover_s >= 0 || !middle_of(grid, t, &middle))
        return;
    struct buf text;
    buf_init(&text, SENTENCES);
    bool numbers = x > grid->sight.x + grid->sight.w;
    if (numbers)
        remarks_say_doubts(r, t, &text);
    if (numbers && r->says)
        remarks_say_row(r, t, &text);
    if (!numbers)
        remarks_say_list(r, t, &text);
    if (text.length)
        ui_tooltip(ui, rect_make(numbers ? right - 24 : left, middle - 10, 20, 20),
                   buf_text(&text));
    buf_finish(&text);
}

void remarks_draw_cells(struct ui *ui, const struct scene *scene, const struct grid *grid)
{
    if (!scene->remarks)
        return;
    if (!grid_is_whole(grid))
        draw_clip(ui->list, grid->sight);
    draw_dots(ui, scene, grid);
    draw_links(ui, scene, grid);
    if (!grid_is_whole(grid))
        draw_clip(ui->list, rect_make(0, 0, -1, -1));
}

void remarks_draw(struct ui *ui, const struct scene *scene, const struct grid *grid,
                  float left, float right)
{
    const struct remarks *r = scene->remarks;
    remarks_draw_cells(ui, scene, grid);
    if (!r || scene->lens.transpose)
        return; // the rows are source words: what is said of the others is in the panel
    for (int t = grid->from_row; t < grid->to_row && t < r->n_tgt; t++)
        draw_row(ui, r, grid, t, left, right);
    tell(ui, scene, grid, left, right);
}

// ---- sentences ----

static void say(struct buf *out, const struct trust_of *of, int t, unsigned flags)
{
    for (int i = 0; i < TRUST_FLAGS; i++) {
        if (!(flags & (1u << i)))
            continue;
        buf_add(out, out->length ? " " : "");
        trust_explain(out, of, t, (enum trust)(1 << i));
    }
}

bool remarks_doubt(const struct scene *scene, struct buf *out)
{
    const struct remarks *r = scene->remarks;
    if (!r)
        return false;
    say(out, &r->trust, 0, r->doubts);
    if (r->cropped)
        buf_printf(out, "%sColumns were cut off: %d of %d rows lost weight to them.",
                   out->length ? " " : "", r->cropped, r->trust.rows);
    return out->length > 0;
}

void remarks_say_doubts(const struct remarks *r, int t, struct buf *out)
{
    if (r->rows[t].doubts)
        say(out, &r->trust, r->rows[t].doubted, trust_row(&r->trust, r->rows[t].doubted));
}

void remarks_say_row(const struct remarks *r, int t, struct buf *out)
{
    const struct row_reading *row = &r->rows[t].reading;
    for (int i = 0; i < SAYS && r->readings; i++) {
        if (!(row->says & all_says[i]))
            continue;
        buf_add(out, out->length ? " " : "");
        readings_explain(out, &r->of, row, all_says[i]);
    }
}

void remarks_say_list(const struct remarks *r, int t, struct buf *out)
{
    const struct remark_word *word = r->words ? &r->words[t] : NULL;
    if (word && word->target)
        buf_printf(out, "%sWord list: %s ← %s %.2f; attention: %s.",
                   out->length ? " " : "", word->target, word->listed, (double)word->t,
                   word->read);
}
