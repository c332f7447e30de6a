// SPDX-License-Identifier: MIT
// The page of small maps. See heads.h.
#include "view/heads.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/widgets.h"
#include "view/legend.h"
#include "view/short.h"
#include "view/wrap.h"

enum {
    BAR = 32,
    FOOT = 46,
    SIDE = 62,
    TOP = 20,
    GAP = 8,
    READ = 17,
    BESIDE = 46,
    MOST_BESIDE = 150
};

static const float READING = 12.5f; // size of a reading

const char *heads_sort_word(enum heads_sort sort)
{
    static const char *const words[HEADS_SORTS] = {"grid", "entropy", "diagonal",
                                                   "special"};
    return words[sort];
}

// ---- the switches ----

static const char *draw_switches(struct ui *ui, const struct heads_page *page,
                                 struct rect at)
{
    static const char *const kinds[] = {"cross", "encoder self", "decoder self"};
    static const char *const kind_lines[] = {"attention cross", "attention encoder",
                                             "attention decoder"};
    static const char *const sort_lines[] = {
        "attention sort grid", "attention sort entropy", "attention sort diagonal",
        "attention sort special"};
    static const char *const pools[] = {"mean", "max"};
    char special[40];
    snprintf(special, sizeof special, "share %s", page->mark);
    const char *const sorts[] = {"layer × head", "entropy", "diagonal", special};
    float unit = fminf((at.w - 34 - 3 * 14) / 100, 11);
    int kind = (int)page->chosen.kind, sort = (int)page->sort;
    int pool = page->pool == MAP_MAX;
    const char *line = NULL;
    struct rect box = rect_make(at.x, at.y, 38 * unit, at.h);
    if (widget_choice(ui, "attention kind", box, kinds, MAP_KINDS, &kind))
        line = kind_lines[kind];
    box = rect_make(box.x + box.w + 14, at.y, 46 * unit, at.h);
    if (widget_choice(ui, "attention sort", box, sorts, HEADS_SORTS, &sort))
        line = sort_lines[sort];
    box = rect_make(box.x + box.w + 14, at.y, 16 * unit, at.h);
    if (widget_choice(ui, "attention pool", box, pools, 2, &pool))
        line = pool ? "attention pool max" : "attention pool mean";
    box = rect_make(at.x + at.w - 34, at.y, 34, at.h);
    if (widget_button(ui, "attention close", box, "×", false, true))
        line = "attention page off";
    return line;
}

// ---- the maps ----

enum reads { READS_NOTHING, READS_BELOW, READS_BESIDE }; // where a map's numbers stand

enum form { // of the numbers of a map
    FORM_WORDS,
    FORM_NUMBERS,
    FORM_ONE, // that is sorted by
};

struct places { // of the maps
    struct rect first;
    float step_x, step_y, beside; // beside: room at the right of each for its numbers
    enum reads reads;
    enum form form;
};

// The largest map that leaves so much room.
static struct rect largest_map(const struct places *places, float beside, float below)
{
    float w = fmaxf(4, places->step_x - GAP - beside);
    float h = fmaxf(4, places->step_y - GAP - below);
    return rect_make(0, 0, fminf(w, 2.2f * h), h);
}

// The numbers stand where they leave the map more room.
static void place_reads(struct places *places, bool named)
{
    float least = named ? BESIDE : 38, lines = named ? 2 * READ : READ;
    struct rect below = largest_map(places, 0, lines);
    struct rect beside = largest_map(places, least, 0);
    bool fits_below = places->step_y >= lines + 30 && places->step_x >= 44;
    bool fits_beside = places->step_y >= lines - 4 && places->step_x >= least + 24;
    places->first = largest_map(places, 0, 0);
    bool roomy =
        fits_below && (below.h >= 60 || below.w * below.h >= beside.w * beside.h);
    if (fits_beside && !roomy) {
        places->reads = READS_BESIDE;
        places->first = beside;
        places->beside =
            fminf(fmaxf(least, places->step_x - GAP - beside.w), MOST_BESIDE);
    } else if (fits_below) {
        places->reads = READS_BELOW;
        places->first = below;
    }
}

static struct places places_of(const struct heads_page *page, struct rect room)
{
    int across = page->across > 0 ? page->across : 1;
    int down = (page->count + across - 1) / across;
    bool grid = page->sort == HEADS_GRID;
    float side = grid ? SIDE : 0, top = grid ? TOP : 0;
    struct places places = {.step_x = (room.w - side) / (float)across,
                            .step_y = (room.h - top) / (float)(down ? down : 1)};
    place_reads(&places, !grid);
    places.first.x = room.x + side;
    places.first.y = room.y + top;
    places.step_x = fminf(places.step_x, places.first.w + places.beside + 60);
    return places;
}

static struct rect place_at(const struct heads_page *page, const struct places *places,
                            int i)
{
    struct rect at = places->first;
    at.x += places->step_x * (float)(i % page->across);
    at.y += places->step_y * (float)(i / page->across);
    return at;
}

static float largest(const struct heads_page *page)
{
    float most = 0;
    for (int i = 0; i < page->count; i++) {
        const struct head_tile *tile = &page->tiles[i];
        for (int k = 0; k < tile->rows * tile->columns; k++)
            most = fmaxf(most, tile->alpha[k]);
    }
    return most;
}

struct shrunk { // a small map in pixels, where it has more cells than those
    int w, h;
    float alpha[HEADS_TILE * HEADS_TILE]; // (h, w) the largest of each pixel
    bool masked[HEADS_TILE * HEADS_TILE]; // all of its cells
};

static void shrink(const struct head_tile *tile, struct rect at, float scale,
                   struct shrunk *out)
{
    int w = (int)(at.w * scale), h = (int)(at.h * scale);
    out->w = w < 1 ? 1 : w < tile->columns ? w : tile->columns;
    out->h = h < 1 ? 1 : h < tile->rows ? h : tile->rows;
    for (int i = 0; i < out->w * out->h; i++) {
        out->alpha[i] = 0;
        out->masked[i] = tile->masked;
    }
    for (int t = 0; t < tile->rows; t++)
        for (int s = 0; s < tile->columns; s++) {
            int i = t * out->h / tile->rows * out->w + s * out->w / tile->columns;
            out->alpha[i] = fmaxf(out->alpha[i], tile->alpha[t * tile->columns + s]);
            if (s * tile->rows <= t * tile->columns)
                out->masked[i] = false;
        }
}

static void paint_row(struct ui *ui, const struct heads_page *page,
                      const struct shrunk *map, int row, float all_max, uint8_t *pixels)
{
    const float *alpha = map->alpha + row * map->w;
    float row_max = 0;
    for (int s = 0; s < map->w; s++)
        row_max = fmaxf(row_max, alpha[s]);
    for (int s = 0; s < map->w; s++, pixels += 4) {
        float value = shade_value(page->shade, alpha[s], row_max, all_max);
        struct color c = map->masked[row * map->w + s]
                             ? ui->style->ground
                             : colormap_at(page->map, ui->style->theme, value);
        memcpy(pixels, (uint8_t[4]){c.r, c.g, c.b, 255}, 4);
    }
}

static void draw_map(struct ui *ui, const struct heads_page *page,
                     const struct head_tile *tile, struct rect at, float all_max)
{
    uint8_t pixels[HEADS_TILE * HEADS_TILE * 4];
    struct shrunk map;
    shrink(tile, at, ui->input->scale, &map);
    for (int t = 0; t < map.h; t++)
        paint_row(ui, page, &map, t, all_max, pixels + 4 * t * map.w);
    draw_image(ui->list, at, map.w, map.h, pixels, 255);
}

static void name_of(struct map_choice choice, char *out, size_t size)
{
    char layer[16], head[16];
    map_place_print(choice.layer, layer, sizeof layer);
    map_place_print(choice.head, head, sizeof head);
    snprintf(out, size, "L%s H%s", layer, head);
}

static void reading_number(float value, bool percent, char out[16])
{
    if (isnan(value))
        snprintf(out, 16, "–");
    else if (percent)
        snprintf(out, 16, "%.0f%%", 100 * (double)value);
    else
        snprintf(out, 16, "%.2f", (double)value);
}

static void reading_text(const struct heads_page *page, const struct head_tile *tile,
                         enum form form, char *out, size_t size)
{
    char bits[16], diagonal[16], special[16];
    reading_number(tile->entropy_bits, false, bits);
    reading_number(tile->diagonal, false, diagonal);
    reading_number(tile->special, true, special);
    if (form == FORM_WORDS)
        snprintf(out, size, "%s bits   ↘ %s   %.12s %s", bits, diagonal, page->mark,
                 special);
    else if (form == FORM_NUMBERS)
        snprintf(out, size, "%s  ↘%s  %s", bits, diagonal, special);
    else
        snprintf(out, size, "%s",
                 page->sort == HEADS_DIAGONAL  ? diagonal
                 : page->sort == HEADS_SPECIAL ? special
                                               : bits);
}

static float reading_width(const struct places *places)
{
    return places->reads == READS_BESIDE ? places->beside - 4 : places->first.w + GAP - 4;
}

// The first that has room under every map.
static enum form form_of(struct ui *ui, const struct heads_page *page, float width)
{
    char text[96];
    enum form form = FORM_WORDS;
    for (int i = 0; i < page->count && form < FORM_ONE; i++) {
        reading_text(page, &page->tiles[i], form, text, sizeof text);
        if (ui_text_width(ui, FONT_TEXT, READING, text, -1) > width) {
            form++;
            i = -1;
        }
    }
    return form;
}

static void draw_readings(struct ui *ui, const struct heads_page *page,
                          const struct places *places, const struct head_tile *tile,
                          struct rect at, bool chosen)
{
    char text[96], name[48];
    bool named = page->sort != HEADS_GRID;
    struct rect line = rect_make(at.x, at.y + at.h + 1, reading_width(places), READ);
    struct color ink = chosen ? ui->style->accent : ui->style->ink;
    if (places->reads == READS_BESIDE)
        line = rect_make(at.x + at.w + 5, at.y + at.h / 2 - (named ? READ : READ / 2.0f),
                         line.w, READ);
    if (named) {
        name_of(tile->choice, name, sizeof name);
        ui_text_fit(ui, FONT_MEDIUM, 13, line, -1, ink, name);
        line.y += READ - 1;
    }
    reading_text(page, tile, places->form, text, sizeof text);
    ui_text_fit(ui, FONT_TEXT, READING, line, -1, chosen ? ink : ui->style->dim, text);
}

static void draw_heads_of(struct ui *ui, const struct heads_page *page,
                          const struct places *places)
{
    char text[32], place[16];
    float room = places->step_x - 4;
    for (int i = 0; i < page->count; i++) {
        struct map_choice choice = page->tiles[i].choice;
        struct rect at = place_at(page, places, i);
        map_place_print(choice.head, place, sizeof place);
        snprintf(text, sizeof text, choice.head >= 0 ? "head %s" : "%s", place);
        if (i < page->across)
            ui_text_fit(ui, FONT_MEDIUM, 13.5f,
                        rect_make(at.x, places->first.y - TOP, room, TOP - 3), -1,
                        ui->style->dim, room < 44 ? place : text);
        map_place_print(choice.layer, place, sizeof place);
        snprintf(text, sizeof text, choice.layer >= 0 ? "layer %s" : "%s", place);
        if (i % page->across == 0)
            ui_text_fit(ui, FONT_MEDIUM, 13.5f,
                        rect_make(at.x - SIDE, at.y, SIDE - 10, at.h), 1, ui->style->dim,
                        text);
    }
}

static void draw_tile(struct ui *ui, const struct heads_page *page,
                      const struct places *places, int i, float all_max,
                      struct heads_result *result)
{
    char id[32];
    const struct head_tile *tile = &page->tiles[i];
    struct rect at = place_at(page, places, i);
    bool chosen = map_same(tile->choice, page->chosen);
    snprintf(id, sizeof id, "head %d", i);
    bool hot = ui_hover(ui, ui_hash(id), at);
    draw_map(ui, page, tile, at, all_max);
    draw_frame(ui->list, rect_inset(at, chosen ? -3 : -1), chosen ? 4 : 1, chosen ? 2 : 1,
               chosen || hot ? ui->style->accent : ui->style->line);
    if (places->reads)
        draw_readings(ui, page, places, tile, at, chosen);
    if (hot)
        result->pointed = i;
    if (ui_clicked(ui, ui_hash(id), at))
        result->opened = i;
}

// ---- the words below ----

static void draw_foot(struct ui *ui, const struct heads_page *page, struct rect at,
                      int pointed)
{
    static const char *const asks[2][MAP_KINDS] = {
        {"rows: target words, columns: source words",
         "rows and columns: source words. τ acts on cross-attention only",
         "rows and columns: target words; empty: masked. τ acts on cross-attention only"},
        {"rows: target words ask, columns: source words are read. ↘: mean distance from "
         "the diagonal, 0 to 1",
         "rows and columns: source words, each reads all of them. τ acts on "
         "cross-attention only. ↘: mean distance from the diagonal",
         "rows: target words, columns: what the decoder was given before; empty: masked. "
         "τ acts on cross-attention only. ↘: distance from the diagonal"}};
    char text[320], bits[16], diagonal[16], special[16], name[120];
    const struct head_tile *tile = NULL;
    for (int i = 0; i < page->count; i++)
        if (i == pointed ||
            (pointed < 0 && map_same(page->tiles[i].choice, page->chosen)))
            tile = &page->tiles[i];
    struct rect line = rect_make(at.x, at.y, at.w, 22);
    if (tile) {
        reading_number(tile->entropy_bits, false, bits);
        reading_number(tile->diagonal, false, diagonal);
        reading_number(tile->special, true, special);
        map_say(page->maps, tile->choice, name, sizeof name);
        snprintf(text, sizeof text, "%s:   %s bits   ↘ %s   %s %s", name, bits, diagonal,
                 short_of(page->mark).text, special);
        ui_text_fit(ui, FONT_MEDIUM, 15, line, -1, ui->style->ink, text);
    }
    line.y += 23;
    line.x = legend_scale(ui, page->map, page->shade, false,
                          rect_make(at.x, line.y + 2, at.w, 20)) +
             18;
    line.w = at.x + at.w - line.x;
    ui_text_fit(ui, FONT_TEXT, 13.5f, line, -1, ui->style->dim,
                asks[at.w >= 1100][page->chosen.kind]);
}

struct heads_result heads_page_draw(struct ui *ui, struct rect at,
                                    const struct heads_page *page)
{
    struct heads_result result = {.opened = -1, .pointed = -1};
    result.line = draw_switches(ui, page, rect_make(at.x, at.y, at.w, BAR));
    struct rect room = rect_make(at.x, at.y + BAR + 10, at.w, at.h - BAR - 10 - FOOT - 6);
    if (page->empty) {
        room.y += room.h * 0.35f;
        wrap_draw(ui, FONT_MEDIUM, 18, ui->style->dim, room, 26, 0, page->empty);
        return result;
    }
    struct places places = places_of(page, room);
    places.form = form_of(ui, page, reading_width(&places));
    float all_max = largest(page);
    if (page->sort == HEADS_GRID)
        draw_heads_of(ui, page, &places);
    for (int i = 0; i < page->count; i++)
        draw_tile(ui, page, &places, i, all_max, &result);
    draw_foot(ui, page, rect_make(at.x, at.y + at.h - FOOT, at.w, FOOT), result.pointed);
    return result;
}
