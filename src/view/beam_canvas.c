// SPDX-License-Identifier: MIT
// The tree of a beam search. A column is a step, a box a hypothesis that had a place in
// the beam; lines go from what was extended to what it became. Children stand in the
// order of their parents, so that lines hardly cross. What led to no result is dim. See
// beam.h.
#include <math.h>
#include <stdio.h>

#include "view/beam.h"
#include "view/scene.h"
#include "view/short.h"

enum {
    STEPS_LINE = 18,
    GUTTER = 22,
    LEAST_LINE = 17,
    MOST_LINE = 38,
    LEAST_COLUMN = 102
};

struct canvas {
    struct rect at;           // of the boxes
    float column, line, box;  // a step's room, a place's room, width of a box
    int columns, lines, most; // that are in sight; lines of the widest step
    int first, top;
    const struct beam_tree *tree;
};

static int widest_step(const struct beam_tree *tree)
{
    int most = 1;
    for (int i = 0; i < tree->n_steps; i++) {
        int count = tree->first[i + 1] - tree->first[i];
        most = count > most ? count : most;
    }
    return most;
}

// The corner of a window of `count` in `total`, moved as little as brings `at` into it.
static int keep(int corner, int at, int count, int total)
{
    if (at >= 0 && at < corner)
        corner = at;
    if (at >= corner + count)
        corner = at - count + 1;
    if (corner > total - count)
        corner = total - count;
    return corner < 0 ? 0 : corner;
}

static struct canvas lay_out(struct rect at, const struct beam_page *page)
{
    const struct beam_tree *tree = page->tree;
    int most = widest_step(tree);
    struct canvas c = {.tree = tree, .most = most};
    c.at = rect_make(at.x, at.y + STEPS_LINE, at.w, at.h - STEPS_LINE);
    c.column = fminf(fmaxf(at.w / (float)tree->n_steps, LEAST_COLUMN), 160);
    c.columns = (int)((at.w + GUTTER) / c.column);
    c.columns = c.columns < 1 ? 1 : c.columns;
    if (c.columns < tree->n_steps) // whole ones
        c.column = (at.w + GUTTER) / (float)c.columns;
    c.box = c.column - GUTTER;
    c.line = fminf(fmaxf(floorf(c.at.h / (float)most), LEAST_LINE), MOST_LINE);
    c.lines = (int)(c.at.h / c.line);
    c.lines = c.lines < 1 ? 1 : c.lines < most ? c.lines : most;
    c.at.h = c.line * (float)c.lines; // whole ones
    const struct tree_node *node = page->node < 0 ? NULL : &tree->nodes[page->node];
    bool reveal = page->reveal && node;
    c.first = keep(page->first, reveal ? node->step : -1, c.columns, tree->n_steps);
    c.top = keep(page->top, reveal ? node->place : -1, c.lines, most);
    return c;
}

static struct rect box_of(const struct canvas *c, int node)
{
    const struct tree_node *n = &c->tree->nodes[node];
    return rect_make(c->at.x + c->column * (float)(n->step - c->first),
                     c->at.y + c->line * (float)(n->place - c->top), c->box,
                     c->line - (c->line >= 22 ? 4 : 2));
}

static void draw_bar(struct ui *ui, float x0, float y0, float x1, float y1, float w,
                     struct color color)
{
    draw_fill(ui->list,
              rect_make(fminf(x0, x1) - w / 2, fminf(y0, y1) - w / 2, fabsf(x1 - x0) + w,
                        fabsf(y1 - y0) + w),
              0, color);
}

// Out of the parent, up or down in the gutter, into the child. Parents that stand beside
// each other turn at different places.
static void draw_edge(struct ui *ui, const struct canvas *c, int node, float w,
                      struct color color)
{
    const struct tree_node *n = &c->tree->nodes[node];
    if (n->parent < 0 || n->step <= c->first)
        return;
    const struct tree_node *parent = &c->tree->nodes[n->parent];
    int peers = c->tree->first[n->step] - c->tree->first[n->step - 1];
    struct rect from = box_of(c, n->parent), to = box_of(c, node);
    float part = ((float)parent->place + 0.5f) / (float)peers;
    float turn = n->place > parent->place ? 1 - part : part;
    float x = from.x + from.w + 4 + (GUTTER - 8) * turn;
    float y0 = from.y + from.h / 2, y1 = to.y + to.h / 2;
    draw_bar(ui, from.x + from.w, y0, x, y0, w, color);
    draw_bar(ui, x, y0, x, y1, w, color);
    draw_bar(ui, x, y1, to.x, y1, w, color);
}

enum layer { DROPPED, KEPT, CHOSEN, SHOWN, LAYERS };

static enum layer layer_of(const struct beam_page *page, int node)
{
    const struct beam_tree *tree = page->tree;
    int shown = page->shown < 0 ? -1 : tree->results[page->shown];
    if (beam_tree_on_path(tree, shown, node))
        return SHOWN;
    if (beam_tree_on_path(tree, page->node, node))
        return CHOSEN;
    return tree->nodes[node].kept ? KEPT : DROPPED;
}

static void draw_edges(struct ui *ui, const struct canvas *c,
                       const struct beam_page *page, int from, int to)
{
    const struct style *style = ui->style;
    const struct color colors[LAYERS] = {
        [DROPPED] = style->line,
        [KEPT] = color_fade(style->dim, 0.8f),
        [CHOSEN] = style->ink,
        [SHOWN] = style->accent,
    };
    for (int layer = 0; layer < LAYERS; layer++)
        for (int node = from; node < to; node++)
            if ((int)layer_of(page, node) == layer)
                draw_edge(ui, c, node, layer >= CHOSEN ? 2 : 1, colors[layer]);
}

// "2" at the end of the second hypothesis; else what the path is worth so far, where
// there is room.
static void draw_number(struct ui *ui, const struct tree_node *node, struct rect box,
                        float size, struct color color)
{
    char text[SHORT_BYTES];
    struct rect at = rect_make(box.x + 6, box.y, box.w - 12, box.h);
    if (node->result >= 0)
        snprintf(text, sizeof text, "%d", node->result + 1);
    else if (box.w >= 104)
        snprintf(text, sizeof text, "%s", number_text(node->sum, 2).text);
    else
        return;
    bool rank = node->result >= 0;
    ui_text_fit(ui, rank ? FONT_BOLD : FONT_TEXT, rank ? size : size - 2.5f, at, 1, color,
                text);
}

static void draw_box(struct ui *ui, const struct canvas *c, const struct beam_page *page,
                     int node, bool hot)
{
    const struct style *style = ui->style;
    const struct tree_node *n = &c->tree->nodes[node];
    enum layer layer = layer_of(page, node);
    struct rect box = box_of(c, node);
    bool chosen = node == page->node;
    float size = c->line >= 26 ? 15 : c->line >= 20 ? 13.5f : 12.5f;
    struct color ink = chosen             ? style->on_accent
                       : layer == DROPPED ? style->dim
                                          : style->ink;
    if (chosen)
        draw_fill(ui->list, box, 4, style->accent);
    else if (layer != DROPPED || hot)
        draw_fill(ui->list, box, 4, style->panel);
    if (!chosen && (layer != DROPPED || hot))
        draw_frame(ui->list, box, 4, 1,
                   layer == SHOWN    ? style->accent
                   : layer == CHOSEN ? style->ink
                                     : style->line);
    float number = n->result >= 0 ? 16 : box.w >= 104 ? 42 : 0;
    ui_text_fit(ui, layer == SHOWN ? FONT_MEDIUM : FONT_TEXT, size,
                rect_make(box.x + 6, box.y, box.w - 10 - number, box.h), -1, ink,
                n->text);
    draw_number(ui, n, box, size,
                chosen           ? ink
                : n->result >= 0 ? style->accent
                                 : style->dim);
}

static void draw_steps(struct ui *ui, const struct canvas *c, struct rect at)
{
    char text[64];
    int last = c->first + c->columns;
    last = last < c->tree->n_steps ? last : c->tree->n_steps;
    for (int step = c->first; step < last; step++) {
        bool left = step == c->first && c->first > 0;
        bool right = step == last - 1 && last < c->tree->n_steps;
        snprintf(text, sizeof text, "%s%d%s", left ? "◀ " : "", step + 1,
                 right ? " ▶" : "");
        ui_text_fit(ui, FONT_TEXT, 12,
                    rect_make(at.x + c->column * (float)(step - c->first) + 6, at.y,
                              c->box, STEPS_LINE - 4),
                    -1, ui->style->dim, text);
    }
}

static int node_at(const struct ui *ui, const struct canvas *c, int from, int to)
{
    for (int node = from; node < to; node++)
        if (rect_contains(box_of(c, node), ui->input->x, ui->input->y))
            return node;
    return NOWHERE;
}

void beam_canvas_draw(struct ui *ui, struct rect at, struct beam_page *page, int *node)
{
    struct canvas c = lay_out(at, page);
    ui_id id = ui_hash("beam tree");
    bool hover = ui_hover(ui, id, c.at);
    if (hover) {
        struct beam_page moved = *page;
        moved.reveal = false;
        moved.first = c.first - (int)lroundf(ui->input->wheel_y + ui->input->wheel_x);
        if (moved.first != c.first)
            c = lay_out(at, &moved);
    }
    page->first = c.first;
    page->top = c.top;
    int steps = c.first + c.columns;
    int from = c.tree->first[c.first];
    int to = c.tree->first[steps < c.tree->n_steps ? steps : c.tree->n_steps];
    int pointed = hover ? node_at(ui, &c, from, to) : NOWHERE;
    draw_steps(ui, &c, at);
    draw_clip(ui->list, rect_make(c.at.x - 4, c.at.y, c.at.w + 8, c.at.h));
    draw_edges(ui, &c, page, from, to);
    for (int i = from; i < to; i++)
        draw_box(ui, &c, page, i, i == pointed);
    draw_clip(ui->list, rect_make(0, 0, -1, -1));
    float unit = c.at.h / (float)c.most;
    if (c.lines < c.most)
        draw_fill(ui->list,
                  rect_make(at.x + at.w + 4, c.at.y + unit * (float)c.top, 3,
                            unit * (float)c.lines),
                  1.5f, ui->style->dim);
    if (pointed >= 0 && ui_clicked(ui, id, c.at))
        *node = pointed;
}
