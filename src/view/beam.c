// SPDX-License-Identifier: MIT
// What stands around the tree: width and formula, the hypotheses, the chosen node's next
// words and its α. See beam.h.
#include "view/beam.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "ui/widgets.h"
#include "view/candidates.h"
#include "view/heatmap.h"
#include "view/scene.h"
#include "view/short.h"
#include "view/wrap.h"

enum { HEAD = 40, PAD = 16, LIST_LINE = 22, TWO_LINES = 44 };

static void answer(struct beam_page_result *result, const char *format, ...)
    PRINTF_LIKE(2, 3);

static void answer(struct beam_page_result *result, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(result->line, sizeof result->line, format, args);
    va_end(args);
}

static void draw_width(struct ui *ui, struct rect at, const struct beam_page *page,
                       struct beam_page_result *result)
{
    char text[16];
    float x = at.x + ui_text_width(ui, FONT_TEXT, 14, "width", -1) + 10;
    ui_text_fit(ui, FONT_TEXT, 14, at, -1, ui->style->dim, "width");
    if (widget_button(ui, "beam narrower", rect_make(x, at.y + 2, 28, 28), "−", false,
                      page->width > 1))
        answer(result, "beam narrower");
    snprintf(text, sizeof text, "%d", page->width);
    ui_text_fit(ui, FONT_BOLD, 17, rect_make(x + 28, at.y, 32, at.h), 0, ui->style->ink,
                text);
    if (widget_button(ui, "beam wider", rect_make(x + 60, at.y + 2, 28, 28), "+", false,
                      page->width < BEAM_PAGE_WIDEST))
        answer(result, "beam wider");
}

static void draw_head(struct ui *ui, struct rect at, const struct beam_page *page,
                      struct beam_page_result *result)
{
    char text[96];
    ui_text_fit(ui, FONT_BOLD, 20, at, -1, ui->style->ink, "Beam search");
    float x = at.x + ui_text_width(ui, FONT_BOLD, 20, "Beam search", -1) + 24;
    draw_width(ui, rect_make(x, at.y, 160, at.h), page, result);
    x += 160;
    struct rect close = rect_make(at.x + at.w - 34, at.y, 34, 32);
    if (widget_button(ui, "beam close", close, "×", false, true))
        answer(result, "beam tree off");
    snprintf(text, sizeof text, "score(Y) = log p(Y) / ((5 + |Y|) / 6)^%.3g",
             (double)page->length);
    ui_text_fit(ui, FONT_TEXT, 14, rect_make(x, at.y, close.x - 12 - x, at.h), 1,
                ui->style->dim, text);
}

// Where a result leaves the better one that it goes along with for the longest, at a
// word.
static size_t differs_from(const struct beam_page *page, int i)
{
    size_t from = 0;
    for (int better = 0; better < i; better++) {
        const char *words = page->words[i], *other = page->words[better];
        for (size_t k = 0; other && words[k] && words[k] == other[k]; k++)
            if (words[k] == ' ' && k >= from)
                from = k + 1;
    }
    return from;
}

// The words of a result; where they have no room, the first and those that are its own.
static void draw_words(struct ui *ui, const struct beam_page *page, int i, struct rect at)
{
    char head[80];
    const char *words = page->words[i] ? page->words[i] : "";
    struct color color = i == page->shown ? ui->style->ink : ui->style->dim;
    size_t first = strcspn(words, " "), from = 0;
    if (ui_text_width(ui, FONT_TEXT, 13.5f, words, -1) > at.w && page->words[i])
        from = differs_from(page, i);
    if (from > first + 1 && first < 60) {
        snprintf(head, sizeof head, "%.*s … ", (int)first, words);
        ui_text_fit(ui, FONT_TEXT, 13.5f, at, -1, color, head);
        float w = fminf(ui_text_width(ui, FONT_TEXT, 13.5f, head, -1), at.w);
        at = rect_make(at.x + w, at.y, at.w - w, at.h);
        words += from;
    }
    ui_text_fit(ui, FONT_TEXT, 13.5f, at, -1, color, words);
}

// A hypothesis: its numbers, and its words below them or behind.
static void draw_hypothesis(struct ui *ui, const struct beam_page *page, int i,
                            struct rect at, bool hot)
{
    const struct style *style = ui->style;
    const struct beam_tree *tree = page->tree;
    const struct tree_node *last = &tree->nodes[tree->results[i]];
    bool shown = i == page->shown, two = at.h >= TWO_LINES;
    char text[128];
    if (shown || hot)
        draw_fill(ui->list, at, 4, shown ? style->panel : color_fade(style->panel, 0.6f));
    if (shown)
        draw_fill(ui->list, rect_make(at.x, at.y + 2, 3, at.h - 4), 1.5f, style->accent);
    struct rect line = rect_make(at.x + 12, at.y, at.w - 18, two ? LIST_LINE : at.h);
    snprintf(text, sizeof text, "%d", i + 1);
    ui_text_fit(ui, FONT_BOLD, 14, line, -1, shown ? style->accent : style->ink, text);
    ui_text_fit(ui, FONT_MEDIUM, 14, rect_make(line.x + 20, line.y, 56, line.h), 1,
                style->ink, number_text(last->score, 3).text);
    snprintf(text, sizeof text, "log p %s   |Y| %d%s", number_text(last->sum, 2).text,
             last->step + 1, tree->complete[i] ? "" : "  cut");
    if (two)
        ui_text_fit(ui, FONT_TEXT, 13,
                    rect_make(line.x + 92, line.y, line.w - 92, line.h), -1, style->dim,
                    text);
    struct rect words = rect_make(line.x + 86, line.y, line.w - 86, line.h);
    if (two)
        words =
            rect_make(line.x + 20, line.y + LIST_LINE - 3, line.w - 20, LIST_LINE - 2);
    draw_words(ui, page, i, words);
}

// As many as have room, and among them the one that is on the heatmap. Returns the next
// y.
static float draw_list(struct ui *ui, const struct beam_page *page, struct rect at,
                       struct beam_page_result *result)
{
    int n = page->tree->n_results;
    float line = at.h >= (float)(n * TWO_LINES) ? TWO_LINES : LIST_LINE;
    int room = (int)(at.h / line), first = 0;
    room = room < 1 ? 1 : room < n ? room : n;
    if (page->shown >= room)
        first = page->shown - room + 1;
    ui_id id = ui_hash("beam list");
    struct rect all = rect_make(at.x, at.y, at.w, line * (float)room);
    bool hover = ui_hover(ui, id, all);
    for (int i = 0; i < room; i++) {
        struct rect row = rect_make(at.x, at.y + line * (float)i, at.w, line);
        bool hot = hover && rect_contains(row, ui->input->x, ui->input->y);
        draw_hypothesis(ui, page, first + i, row, hot);
        if (hot && ui_clicked(ui, id, row))
            answer(result, "beam show %d", first + i + 1);
    }
    float unit = all.h / (float)n;
    if (room < n)
        draw_fill(
            ui->list,
            rect_make(at.x + at.w - 3, at.y + unit * (float)first, 3, unit * (float)room),
            1.5f, ui->style->dim);
    return at.y + all.h;
}

// The best next words in the chosen node's place, and which of them the beam took.
static void draw_candidates(struct ui *ui, const struct beam_page *page, struct rect at)
{
    const struct style *style = ui->style;
    const struct beam_tree *tree = page->tree;
    const struct tree_node *node = &tree->nodes[page->node];
    const struct candidate *top = tree->top + (size_t)node->row * (size_t)tree->n_top;
    ui_text_fit(ui, FONT_TEXT, 13, rect_make(at.x + 12, at.y, at.w - 12, 20), -1,
                style->dim, "what could stand in its place");
    at.y += 22;
    at.h -= 22;
    for (int k = 0; k < tree->n_top && at.h >= 20; k++, at.y += 20, at.h -= 20) {
        bool took = beam_tree_took(tree, node->row, top[k].id);
        struct color ink = took ? style->ink : style->dim;
        char text[48], name[72];
        ui_text_fit(ui, took ? FONT_MEDIUM : FONT_TEXT, 13.5f,
                    rect_make(at.x + 12, at.y, at.w * 0.4f, 20), -1,
                    top[k].id == node->token ? style->accent : ink,
                    candidate_name(top, tree->n_top, k, name, sizeof name));
        snprintf(text, sizeof text, "%.1f%%", 100 * exp((double)top[k].log_p));
        ui_text_fit(ui, FONT_TEXT, 13.5f,
                    rect_make(at.x + 12 + at.w * 0.4f, at.y, 56, 20), 1, ink, text);
        ui_text_fit(ui, FONT_TEXT, 13,
                    rect_make(at.x + 84 + at.w * 0.4f, at.y, at.w * 0.6f - 84, 20), -1,
                    style->dim, took ? "kept" : "no place");
    }
}

static void draw_side(struct ui *ui, const struct beam_page *page, struct rect at,
                      struct beam_page_result *result)
{
    float more = page->node >= 0 ? 22 + 20 * 5 + 14 : 0;
    int n = page->tree->n_results;
    bool both = at.h - 24 - more >= (float)(LIST_LINE * (n < 5 ? n : 5));
    ui_text_fit(ui, FONT_TEXT, 13, rect_make(at.x + 12, at.y, at.w - 12, 20), -1,
                ui->style->dim, "hypotheses by score");
    struct rect list = rect_make(at.x, at.y + 24, at.w, at.h - 24 - (both ? more : 0));
    float y = draw_list(ui, page, list, result) + 14;
    if (both && page->node >= 0)
        draw_candidates(ui, page, rect_make(at.x, y, at.w, at.y + at.h - y));
}

static const char *fate_of(const struct beam_page *page, int node)
{
    const struct beam_tree *tree = page->tree;
    int shown = page->shown < 0 ? -1 : tree->results[page->shown];
    return beam_tree_on_path(tree, shown, node) ? "on the heatmap"
           : tree->nodes[node].kept             ? "of another hypothesis"
                                                : "dropped: others were likelier";
}

static void draw_facts(struct ui *ui, const struct beam_page *page, struct rect at)
{
    const struct tree_node *node = &page->tree->nodes[page->node];
    char text[320];
    snprintf(text, sizeof text,
             "step %d  “%s”   %s   p = %.1f%%   log p(Y) = %s   score = %s",
             node->step + 1, short_of(node->text).text, fate_of(page, page->node),
             100 * exp((double)node->log_p), number_text(node->sum, 2).text,
             number_text(node->score, 3).text);
    ui_text_fit(ui, FONT_MEDIUM, 14, at, -1, ui->style->ink, text);
}

static float light_of(struct color c)
{
    return 0.3f * (float)c.r + 0.59f * (float)c.g + 0.11f * (float)c.b;
}

// What can be read on a colour.
static struct color ink_on(const struct style *style, struct color ground)
{
    float light = light_of(ground);
    bool ink =
        fabsf(light_of(style->ink) - light) > fabsf(light_of(style->ground) - light);
    return ink ? style->ink : style->ground;
}

// The node's α over the source: what it looked at when its word was chosen. Cells under a
// pixel show their largest.
static void draw_alpha(struct ui *ui, const struct beam_page *page, struct rect at)
{
    const struct style *style = ui->style;
    const struct beam_tree *tree = page->tree;
    int n = tree->n_src, row = tree->nodes[page->node].row;
    const float *alpha = tree->alpha + (size_t)row * (size_t)n;
    int cells = (float)n <= at.w / 2 ? n : (int)(at.w / 2);
    float cell = fminf(at.w / (float)cells, 110), best = heatmap_pool(alpha, 0, n);
    for (int i = 0; i < cells; i++) {
        int from = i * n / cells, to = (i + 1) * n / cells;
        float weight = heatmap_pool(alpha, from, to), x = at.x + cell * (float)i;
        struct color color = colormap_at(page->map, style->theme, weight);
        draw_fill(ui->list,
                  rect_make(x, at.y + 20, cell - (cell >= 8 ? 2 : 0), at.h - 20),
                  cell >= 16 ? 3 : 0, color);
        bool strongest = weight >= best;
        if (cell < 30 && !strongest)
            continue;
        float w = cell < 30 ? 120 : cell - 4;
        float label = cell < 30 ? fminf(x, at.x + at.w - w) : x;
        if (page->now && page->now->n_src == n)
            ui_text_fit(ui, strongest ? FONT_MEDIUM : FONT_TEXT, 13,
                        rect_make(label, at.y, w, 18), -1,
                        strongest ? style->ink : style->dim,
                        page->now->source[from].text);
        char text[16];
        snprintf(text, sizeof text, "%.2f", (double)weight);
        if (cell >= 34 && at.h >= 34)
            ui_text_fit(ui, FONT_TEXT, 12.5f,
                        rect_make(x, at.y + 20, cell - 2, at.h - 20), 0,
                        ink_on(style, color), text);
    }
}

static void draw_foot(struct ui *ui, const struct beam_page *page, struct rect at)
{
    if (page->node < 0)
        return;
    draw_facts(ui, page, rect_make(at.x, at.y, at.w, 22));
    struct rect rest = rect_make(at.x, at.y + 26, at.w, at.h - 26);
    if (page->tree->alpha)
        draw_alpha(ui, page, rest);
    else
        ui_text_fit(ui, FONT_TEXT, 13.5f, rest, -1, ui->style->dim,
                    "no α: this model has no attention");
}

static void draw_message(struct ui *ui, struct rect at, const char *text)
{
    at.y += at.h * 0.35f;
    wrap_draw(ui, FONT_MEDIUM, 18, ui->style->dim, at, 26, 0, text);
}

struct beam_page_result beam_page_draw(struct ui *ui, struct rect at,
                                       const struct beam_page *page)
{
    struct beam_page_result result = {.first = page->first, .top = page->top};
    struct beam_page view = *page;
    draw_head(ui, rect_make(at.x, at.y, at.w, 32), page, &result);
    at.y += HEAD;
    at.h -= HEAD;
    if (!page->tree || !page->tree->n_nodes) {
        draw_message(ui, at,
                     page->tree ? "no step was completed: there is no tree"
                                : "there is no sentence to search for");
        return result;
    }
    float foot = at.h >= 360 ? 84 : at.h >= 200 ? 68 : 60;
    float side = at.w >= 1180 ? 360 : at.w >= 760 ? 264 : 0;
    struct rect canvas = at;
    canvas.h -= foot + 10;
    canvas.w -= side > 0 ? side + PAD : 0;
    int node = page->node;
    beam_canvas_draw(ui, canvas, &view, &node);
    if (node != page->node)
        answer(&result, "beam node %d", node + 1);
    if (side > 0)
        draw_side(ui, page, rect_make(at.x + at.w - side, at.y, side, canvas.h), &result);
    draw_foot(ui, page, rect_make(at.x, at.y + at.h - foot, at.w, foot));
    result.first = view.first;
    result.top = view.top;
    return result;
}
