// SPDX-License-Identifier: MIT
// See block.h.
#include "view/block.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "align/alignment.h"
#include "ui/widgets.h"
#include "view/short.h"
#include "view/wrap.h"

enum {
    BAR = 30,
    CELLS_MAX = 1024, // of a strip: more are pooled by the largest amount
    TOKEN = 74,       // the least width of one
};

struct letters { // larger where there is room
    float title, formula, reason, name, value, name_w;
};

static struct letters letters_of(struct rect at)
{
    bool wide = at.w >= 1000, high = at.h >= 480;
    return (struct letters){.title = 17,
                            .formula = wide && high ? 36 : 27,
                            .reason = high ? 17 : 15,
                            .name = wide ? 18 : 15.5f,
                            .value = wide ? 17 : 14.5f,
                            .name_w = wide ? 230 : 158};
}

// A formula: a capital letter that follows a "_" is small and low. align: -1 left, 1
// right.
static void draw_formula(struct ui *ui, enum font font, float size, struct rect at,
                         int align, struct color color, const char *text)
{
    float x = at.x, y = at.y + at.h / 2 + size * 0.36f;
    for (int pass = align < 0; pass < 2; pass++) {
        float from = x;
        for (const char *part = text; *part;) {
            bool low = part[0] == '_' && part[1] >= 'A' && part[1] <= 'Z';
            int length = low ? 1 : 1 + (int)strcspn(part + 1, "_");
            float letters = low ? size * 0.62f : size;
            part += low;
            if (pass)
                draw_text(ui->list, font, letters, x, y + (low ? size * 0.16f : 0), 0,
                          color, part, length);
            x += ui_text_width(ui, font, letters, part, length);
            part += length;
        }
        if (!pass)
            x = at.x + at.w - (x - from);
    }
}

// ---- a vector ----

static float farthest(const float *values, int from, int to)
{
    float most = values[from];
    for (int i = from + 1; i < to; i++)
        most = fabsf(values[i]) > fabsf(most) ? values[i] : most;
    return most;
}

static float most_of(const struct block_strip *strip)
{
    return fmaxf(fabsf(strip->weight * farthest(strip->values, 0, strip->n)), 1e-12f);
}

static void draw_cells(struct ui *ui, const struct block_strip *strip, float most,
                       struct rect at)
{
    uint8_t pixels[CELLS_MAX * 4];
    int cells = strip->n < CELLS_MAX ? strip->n : CELLS_MAX;
    for (int i = 0; i < cells; i++) {
        int from = (int)((long)i * strip->n / cells);
        int to = (int)((long)(i + 1) * strip->n / cells);
        float value = strip->weight * farthest(strip->values, from, to) / most;
        struct color c = colormap_signed(ui->style->theme, value);
        memcpy(pixels + 4 * i, (uint8_t[4]){c.r, c.g, c.b, 255}, 4);
    }
    draw_image(ui->list, at, cells, 1, pixels, 255);
    draw_frame(ui->list, at, 0, 1, ui->style->line);
    for (int p = 1; p < strip->parts; p++)
        draw_fill(ui->list,
                  rect_make(at.x + at.w * (float)p / (float)strip->parts, at.y, 1, at.h),
                  0, ui->style->ground);
    if (strip->parts > 1)
        draw_frame(
            ui->list,
            rect_inset(rect_make(at.x + at.w * (float)strip->part / (float)strip->parts,
                                 at.y, at.w / (float)strip->parts, at.h),
                       -2),
            2, 2, ui->style->accent);
}

// The first of the part that is told of, and how many more there are.
static void draw_values(struct ui *ui, const struct block_strip *strip,
                        const struct letters *letters, struct rect at)
{
    int part = strip->parts > 1 ? strip->n / strip->parts : strip->n;
    int from = strip->parts > 1 ? strip->part * part : 0;
    float w = letters->value * 4.2f; // of one
    int room = (int)((at.w - 100) / w), shown = room < part ? room : part;
    bool under = strip->parts < 2 && at.w / (float)part >= w; // their cells
    shown = under ? part : shown;
    w = under ? at.w / (float)part : w;
    for (int i = 0; i < shown; i++) {
        double value = (double)(strip->weight * strip->values[from + i]);
        value = fabs(value) < 0.005 ? 0 : value; // no "−0.00"
        ui_text_fit(ui, FONT_TEXT, letters->value,
                    rect_make(at.x + w * (float)i, at.y, w - 6, at.h), under ? 0 : -1,
                    ui->style->ink, number_text(value, 2).text);
    }
    char more[48];
    snprintf(more, sizeof more, shown < part ? "first %d of %d" : "", shown, part);
    ui_text_fit(ui, FONT_TEXT, letters->value - 2,
                rect_make(at.x + w * (float)shown, at.y, at.w - w * (float)shown, at.h),
                -1, ui->style->dim, more);
}

static void draw_strip(struct ui *ui, const struct block_strip *strip, float most,
                       const struct letters *letters, struct rect at)
{
    float line = letters->value + 6;
    bool values = at.h >= line + 16;
    float cells = fminf(at.h - (values ? line : 0) - 6, 46);
    draw_formula(ui, FONT_MEDIUM, letters->name,
                 rect_make(at.x, at.y, letters->name_w - 12, cells), 1, ui->style->ink,
                 strip->name);
    struct rect box =
        rect_make(at.x + letters->name_w, at.y, at.w - letters->name_w, cells);
    draw_cells(ui, strip, most, box);
    if (values)
        draw_values(ui, strip, letters, rect_make(box.x, box.y + cells + 2, box.w, line));
}

// ---- numbers of the tokens ----

struct chosen { // the heaviest, in the order of the sentence
    int at[ALIGNMENT_MAX_SRC], count;
    float rest; // of α
};

// The token that is told of comes first.
static bool is_heavier(const struct block_page *page, int a, int b)
{
    if (a == page->position || b == page->position)
        return a == page->position;
    return page->alpha[a] > page->alpha[b] ||
           (!(page->alpha[a] < page->alpha[b]) && a < b);
}

static void choose(const struct block_page *page, int room, struct chosen *out)
{
    out->count = 0;
    out->rest = 0;
    for (int j = 0; j < page->n; j++) {
        int heavier = 0;
        for (int i = 0; i < page->n && heavier < room; i++)
            heavier += i != j && is_heavier(page, i, j);
        if (heavier < room)
            out->at[out->count++] = j;
        else
            out->rest += page->alpha[j];
    }
}

static void draw_number(struct ui *ui, const struct block_page *page,
                        const struct block_row *row, int j, struct rect at, float size)
{
    float value = row->values[j];
    struct rect cell = rect_inset(at, 1.5f);
    struct color ground =
        row->weights ? colormap_at(page->map, ui->style->theme, value) : ui->style->panel;
    float light =
        0.3f * (float)ground.r + 0.59f * (float)ground.g + 0.11f * (float)ground.b;
    bool dark_ink = light > 128;
    struct color dark = {0x14, 0x17, 0x1c, 255}, bright = {0xe8, 0xeb, 0xf0, 255};
    draw_fill(ui->list, cell, 3, ground);
    ui_text_fit(ui, FONT_MEDIUM, size, cell, 0, dark_ink ? dark : bright,
                number_text((double)value, 2).text);
}

// Names above, a row of numbers for each; returns the height.
static float draw_rows(struct ui *ui, const struct block_page *page,
                       const struct letters *letters, struct rect at, float line)
{
    struct chosen chosen;
    float w = at.w - letters->name_w;
    int room = (int)(w / TOKEN);
    choose(page, room, &chosen);
    float cell = fminf(w / (float)chosen.count, 120),
          size = fminf(fminf(line * 0.6f, 20), cell * 0.23f);
    for (int i = 0; i < chosen.count; i++) {
        int j = chosen.at[i];
        float x = at.x + letters->name_w + cell * (float)i;
        bool own = j == page->position;
        ui_text_fit(ui, own ? FONT_BOLD : FONT_TEXT, letters->value,
                    rect_make(x + 2, at.y, cell - 4, 22), 0,
                    own ? ui->style->accent : ui->style->ink, page->tokens[j]);
        for (int r = 0; r < page->n_rows; r++)
            draw_number(ui, page, &page->rows[r], j,
                        rect_make(x, at.y + 24 + line * (float)r, cell, line), size);
    }
    for (int r = 0; r < page->n_rows; r++)
        ui_text_fit(
            ui, FONT_MEDIUM, letters->name,
            rect_make(at.x, at.y + 24 + line * (float)r, letters->name_w - 12, line), 1,
            ui->style->ink, page->rows[r].name);
    if (chosen.count < page->n) {
        char text[64];
        snprintf(text, sizeof text, "%d more, Σα = %.2f", page->n - chosen.count,
                 (double)chosen.rest);
        ui_text_fit(ui, FONT_TEXT, 13, rect_make(at.x, at.y, letters->name_w - 12, 22), 1,
                    ui->style->dim, text);
    }
    return 24 + line * (float)page->n_rows;
}

// ---- the page ----

static struct block_result draw_bar(struct ui *ui, const struct block_page *page,
                                    struct rect at)
{
    char texts[BLOCK_STEPS_MAX][40];
    const char *names[BLOCK_STEPS_MAX];
    struct block_result result = {.step = page->step};
    for (int i = 0; i < page->n_steps; i++) {
        snprintf(texts[i], sizeof texts[i], at.w >= 1000 ? "%d  %s" : "%.0d%s",
                 at.w >= 1000 ? i + 1 : 0, page->steps[i]);
        names[i] = texts[i];
    }
    widget_choice(ui, "block step", rect_make(at.x, at.y, at.w - 44, at.h), names,
                  page->n_steps, &result.step);
    result.close = widget_button(
        ui, "block close", rect_make(at.x + at.w - 34, at.y, 34, at.h), "×", false, true);
    return result;
}

// What the colours of the cells mean.
static void draw_key(struct ui *ui, struct rect at)
{
    enum { STEPS = 65 };
    uint8_t pixels[STEPS * 4];
    for (int i = 0; i < STEPS; i++) {
        struct color c = colormap_signed(ui->style->theme,
                                         (float)(i - STEPS / 2) / (float)(STEPS / 2));
        memcpy(pixels + 4 * i, (uint8_t[4]){c.r, c.g, c.b, 255}, 4);
    }
    ui_text_fit(ui, FONT_TEXT, 13, rect_make(at.x, at.y, 60, at.h), -1, ui->style->dim,
                "largest −");
    draw_image(ui->list, rect_make(at.x + 64, at.y + 7, 84, 10), STEPS, 1, pixels, 255);
    ui_text_fit(ui, FONT_TEXT, 13, rect_make(at.x + 154, at.y, 30, at.h), -1,
                ui->style->dim, "+");
}

static float draw_words(struct ui *ui, const struct block_page *page,
                        const struct letters *letters, struct rect at)
{
    struct color dim = ui->style->dim;
    float y = at.y;
    bool key = page->n_strips && at.w >= 640;
    ui_text_fit(ui, FONT_TEXT, letters->title,
                rect_make(at.x, y, at.w - (key ? 190 : 0), 24), -1, dim, page->title);
    if (key)
        draw_key(ui, rect_make(at.x + at.w - 170, y, 170, 24));
    y += 26;
    draw_formula(ui, FONT_BOLD, letters->formula,
                 rect_make(at.x, y, at.w, letters->formula * 1.3f), -1, ui->style->accent,
                 page->formula);
    y += letters->formula * 1.4f;
    return wrap_draw(ui, FONT_TEXT, letters->reason, ui->style->dim,
                     rect_make(at.x, y, at.w, 0), letters->reason * 1.4f, -1,
                     page->reason) +
           8;
}

struct block_result block_page_draw(struct ui *ui, struct rect at,
                                    const struct block_page *page)
{
    struct letters letters = letters_of(at);
    struct block_result result = draw_bar(ui, page, rect_make(at.x, at.y, at.w, BAR));
    struct rect rest = rect_make(at.x, at.y + BAR + 10, at.w, at.h - BAR - 10);
    if (page->empty) {
        rest.y += rest.h * 0.35f;
        wrap_draw(ui, FONT_MEDIUM, 18, ui->style->dim, rest, 26, 0, page->empty);
        return result;
    }
    float y = draw_words(ui, page, &letters, rest), bottom = at.y + at.h;
    if (page->n_rows) {
        float line = fminf((bottom - y) * 0.2f, 44);
        line = page->n_strips ? fminf(line, 34) : line;
        y += draw_rows(ui, page, &letters, rect_make(at.x, y, at.w, bottom - y), line) +
             12;
    }
    float step = page->n_strips ? fminf((bottom - y) / (float)page->n_strips, 96) : 0;
    float most = 0;
    for (int i = 0; i < page->n_strips; i++)
        most = fmaxf(most, most_of(&page->strips[i]));
    for (int i = 0; i < page->n_strips; i++)
        draw_strip(ui, &page->strips[i],
                   page->one_scale ? most : most_of(&page->strips[i]), &letters,
                   rect_make(at.x, y + step * (float)i, at.w, step));
    return result;
}
