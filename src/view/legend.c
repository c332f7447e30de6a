// SPDX-License-Identifier: MIT
// Colour scale and pointer readout. See legend.h.
#include "view/legend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "view/remarks.h"
#include "view/several.h"
#include "view/short.h"

enum { STEPS = 96, BAR_W = 192 };

static void draw_bar(struct ui *ui, enum colormap map, struct rect at)
{
    uint8_t pixels[STEPS * 4];
    for (int i = 0; i < STEPS; i++) {
        struct color c =
            colormap_at(map, ui->style->theme, (float)i / (float)(STEPS - 1));
        memcpy(pixels + 4 * i, (uint8_t[4]){c.r, c.g, c.b, 255}, 4);
    }
    draw_image(ui->list, at, STEPS, 1, pixels, 255);
    draw_frame(ui->list, at, 0, 1, ui->style->line);
}

float legend_scale(struct ui *ui, enum colormap map, enum shade shade, bool all,
                   struct rect at)
{
    static const char *const low[SHADE_COUNT] = {"0", "0", "0", "≤ 0.0001"};
    const char *const high[SHADE_COUNT] = {
        "α = 1", "row maximum", all ? "maximum of all" : "matrix maximum", "α = 1, log"};
    struct color dim = ui->style->dim;
    float low_w = ui_text_width(ui, FONT_TEXT, 12, low[shade], -1);
    float high_w = ui_text_width(ui, FONT_TEXT, 12, high[shade], -1);
    bool beside = at.h < 30;
    float x = beside ? at.x + low_w + 8 : at.x, w = beside ? BAR_W * 0.6f : BAR_W;
    draw_bar(ui, map, rect_make(x, at.y + 5, w, 8));
    float y = beside ? at.y + 13 : at.y + 29;
    float end = beside ? x + w + 8 : x + w - high_w;
    draw_text(ui->list, FONT_TEXT, 12, at.x, y, 0, dim, low[shade], -1);
    draw_text(ui->list, FONT_TEXT, 12, end, y, 0, dim, high[shade], -1);
    return end + high_w;
}

static const char *sums_text(const struct scene *scene)
{
    bool turned = scene->lens.transpose;
    if (scene->remarks && remarks_doubtful(scene->remarks))
        return turned ? "not every column sums to 1" : "not every row sums to 1";
    if (scene->now && scene->now->blocked && scene_keeps_sums(scene))
        return "each row sums to 1; empty or ×: masked";
    if (scene_keeps_sums(scene))
        return turned ? "each column sums to 1" : "each row sums to 1";
    return turned ? "columns need not sum to 1" : "rows need not sum to 1";
}

// The words for the cell under the pointer.
static void cell_text(const struct scene *scene, bool narrow, char *out, size_t size)
{
    const struct alignment *now = scene->now;
    int t = scene->hover_t, s = scene->hover_s;
    size_t at = (size_t)t * (size_t)now->n_src + (size_t)s;
    const char *row = now->target[t].text, *column = now->source[s].text;
    bool turned = scene->lens.transpose;
    char score[32] = "";
    if (now->blocked && now->blocked[at]) {
        snprintf(out, size, narrow ? "masked  %s ← %s" : "masked, no weight   %s ← %s",
                 short_of(row).text, short_of(column).text);
        return;
    }
    if (!isnan(now->score[at]))
        snprintf(score, sizeof score, narrow ? "  e %s" : "   e = %s",
                 signed_text((double)now->score[at], narrow ? 2 : 3).text);
    snprintf(out, size, narrow ? "α %.3f%s  %s ← %s" : "α = %.4f%s   %s ← %s",
             (double)scene->alpha[at], score, short_of(turned ? column : row).text,
             short_of(turned ? row : column).text);
}

static void column_text(const struct scene *scene, char *out, size_t size)
{
    const struct alignment *now = scene->now;
    int s = scene->hover_s, n = now->n_src;
    double sum = 0; // as in the readings, of rows that can be read
    for (int t = 0; t < scene->rows; t++) {
        const float *row = scene->alpha + (size_t)t * (size_t)n;
        sum += readings_can_read(row, n) ? (double)row[s] : 0;
    }
    const char *text = short_of(now->source[s].text).text;
    if (scene->lens.transpose)
        snprintf(out, size, "Σα = %.3f   %s", sum, text);
    else
        snprintf(out, size, "coverage Σα = %.3f, %s from 1   %s", sum,
                 signed_text(sum - 1, 3).text, text);
}

static void pointer_text(const struct scene *scene, bool narrow, char *out, size_t size)
{
    if (scene->hover_t >= 0 && scene->hover_s >= 0 && scene->hover_t < scene->rows)
        cell_text(scene, narrow, out, size);
    else if (scene->hover_s >= 0 && scene->hover_s < scene->now->n_src)
        column_text(scene, out, size);
    else
        snprintf(out, size, "%s", sums_text(scene));
}

// One after the other on a line, as far as it goes.
static void add_text(struct ui *ui, struct rect *line, struct color color,
                     const char *text)
{
    if (!*text || line->w < 30)
        return;
    ui_text_fit(ui, FONT_TEXT, 12.5f, *line, -1, color, text);
    float w = ui_text_width(ui, FONT_TEXT, 12.5f, text, -1) + 18;
    line->x += w;
    line->w -= w;
}

// All of it, or all of it in brief: half of it would leave out what was done.
static void add_lens(struct ui *ui, struct rect *line, const struct scene *scene)
{
    char text[320];
    lens_say(&scene->lens, text, sizeof text);
    if (ui_text_width(ui, FONT_TEXT, 12.5f, text, -1) > line->w)
        lens_say_brief(&scene->lens, text, sizeof text);
    add_text(ui, line, ui->style->dim, text);
}

// The notes from `from` on that have room as a whole; returns the next one. The last line
// takes what is left.
static int add_notes(struct ui *ui, struct rect *line, const struct remark_note *notes,
                     int from, int count, bool last)
{
    int i = from;
    for (; i < count; i++) {
        float w = ui_text_width(ui, FONT_TEXT, 12.5f, notes[i].text, -1);
        if (!last && w > line->w)
            break;
        add_text(ui, line, notes[i].warns ? ui->style->warn : ui->style->ink,
                 notes[i].text);
    }
    return i;
}

static void dropout_text(const struct alignment *now, char *out, size_t size)
{
    out[0] = '\0';
    if (now->dropout > 0)
        snprintf(out, size, "● α dropout %g, seed %u", (double)now->dropout, now->seed);
}

// Two lines (one in a low window): the pointer's words, those of a selection, what the
// marks mean, and what was done to the picture. The first of them that are there have
// room.
void legend_draw(struct ui *ui, const struct scene *scene, struct rect at)
{
    float x = legend_scale(ui, scene->map, scene->shade, scene->all_max > 0, at) + 20;
    char pointer[320], several[320], dropout[64];
    struct remark_note notes[REMARKS_NOTES];
    int n_notes = remarks_notes(scene, notes), told = 0;
    pointer_text(scene, at.x + at.w - x < 330, pointer, sizeof pointer);
    several_text(scene, several, sizeof several);
    dropout_text(scene->now, dropout, sizeof dropout);
    bool pointed = scene->hover_s >= 0;
    bool noted =
        scene->changed || scene->edited || !lens_is_clear(&scene->lens) || *dropout;
    int lines = at.h < 30 ? 1 : 2, used = 0;
    struct rect line = rect_make(x, at.y - 1, at.x + at.w - x, 20);
    if (lines == 1) { // whatever else it says, that some α are missing comes first
        add_text(ui, &line, ui->style->warn, dropout);
        dropout[0] = '\0';
    }
    struct rect whole = line;
    if (pointed) {
        ui_text_fit(ui, FONT_TEXT, 14, line, -1, ui->style->ink, pointer);
        used++;
    }
    line.y = at.y - 1 + 18 * (float)used;
    if (*several && used < lines) {
        add_text(ui, &line, ui->style->ink, several);
        if (lines == 1)
            add_lens(ui, &line, scene);
        used++;
    }
    if (!used && (lines > 1 || !noted)) {
        add_text(ui, &line, ui->style->dim, pointer);
        told = add_notes(ui, &line, notes, 0, n_notes, lines == 1);
        used++;
    }
    line = rect_make(whole.x, at.y - 1 + 18 * (float)used, whole.w, 20);
    if (used == lines)
        return;
    add_text(ui, &line, ui->style->warn, dropout);
    if (scene->edited)
        add_text(ui, &line, ui->style->accent, "● edited");
    if (scene->changed)
        add_text(ui, &line, ui->style->warn,
                 scene->edited ? "● changed by the edits" : "● changed from τ = 1");
    add_notes(ui, &line, notes, told, n_notes, true);
    add_lens(ui, &line, scene);
}
