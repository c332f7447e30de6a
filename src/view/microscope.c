// SPDX-License-Identifier: MIT
// score → softmax → blend, with the real numbers of the selected row. When the source is
// longer than the panel, the positions with the largest α stay, in their order, and the
// rest is summed in words: nothing is left out silently.
#include "view/microscope.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "align/telemetry.h"
#include "view/short.h"
#include "view/wrap.h"

enum { LINE = 16, MAX_LINES = 40, PAD = 20, TOP_LINE = 20 };

struct selection { // source positions that are listed, in order
    int at[MAX_LINES];
    int count;
    float rest; // Σα of those left out
};

struct frame { // columns of the panel
    float x, right, label_right, bar_x, bar_w;
};

static struct frame frame_of(struct rect at)
{
    float label = at.w >= 320 ? 92 : 76, number = 52;
    struct frame f = {.x = at.x + PAD, .right = at.x + at.w - PAD};
    f.label_right = at.x + label;
    f.bar_x = f.label_right + 12;
    f.bar_w = f.right - number - f.bar_x;
    return f;
}

// The `room` largest α: repeatedly the largest below the last threshold would be slow for
// hundreds of positions, so keep a small sorted list.
static struct selection select_positions(const float *alpha, int n, int room)
{
    struct selection chosen = {0};
    room = room > MAX_LINES ? MAX_LINES : room < 1 ? 1 : room;
    for (int s = 0; s < n; s++) {
        int place = chosen.count;
        while (place > 0 && alpha[chosen.at[place - 1]] < alpha[s])
            place--;
        if (place >= room)
            continue;
        int last = chosen.count < room ? chosen.count++ : room - 1;
        memmove(chosen.at + place + 1, chosen.at + place,
                sizeof *chosen.at * (size_t)(last - place));
        chosen.at[place] = s;
    }
    float listed = 0, all = 0;
    for (int i = 0; i < chosen.count; i++)
        listed += alpha[chosen.at[i]];
    for (int s = 0; s < n; s++)
        all += alpha[s];
    chosen.rest = fmaxf(0, all - listed);
    for (int i = 1; i < chosen.count; i++) // insertion sort by position
        for (int k = i; k > 0 && chosen.at[k] < chosen.at[k - 1]; k--) {
            int other = chosen.at[k];
            chosen.at[k] = chosen.at[k - 1];
            chosen.at[k - 1] = other;
        }
    return chosen;
}

static void draw_label(struct ui *ui, const struct frame *f, float y, const char *text,
                       bool marked)
{
    struct rect at = rect_make(f->x, y, f->label_right - f->x, LINE);
    ui_text_fit(ui, FONT_TEXT, 12.5f, at, 1, marked ? ui->style->accent : ui->style->ink,
                text);
}

static void draw_value(struct ui *ui, const struct frame *f, float y, const char *text)
{
    struct rect at = rect_make(f->right - 60, y, 60, LINE);
    ui_text_fit(ui, FONT_TEXT, 12, at, 1, ui->style->dim, text);
}

static float draw_scores(struct ui *ui, const struct scene *scene, const struct frame *f,
                         const struct selection *chosen, float y)
{
    const struct alignment *now = scene->now;
    const float *e = now->score + (size_t)scene->selected * (size_t)now->n_src;
    float low = 0, high = 0;
    for (int i = 0; i < chosen->count; i++) {
        low = fminf(low, e[chosen->at[i]]);
        high = fmaxf(high, e[chosen->at[i]]);
    }
    float unit = f->bar_w / fmaxf(1e-6f, high - low), zero = f->bar_x - low * unit;
    for (int i = 0; i < chosen->count; i++, y += LINE) {
        int s = chosen->at[i];
        char text[32];
        draw_label(ui, f, y, now->source[s].text, s == scene->hover_s);
        struct rect bar = rect_make(e[s] < 0 ? zero + e[s] * unit : zero, y + 3,
                                    fmaxf(1, fabsf(e[s]) * unit), 10);
        draw_fill(ui->list, bar, 2, color_fade(ui->style->dim, 0.75f));
        snprintf(text, sizeof text, "%+.2f", (double)e[s]);
        draw_value(ui, f, y, text);
    }
    return y;
}

static float draw_weights(struct ui *ui, const struct scene *scene, const struct frame *f,
                          const struct selection *chosen, float y)
{
    const struct alignment *now = scene->now;
    const float *alpha = scene->alpha + (size_t)scene->selected * (size_t)now->n_src;
    char text[64];
    for (int i = 0; i < chosen->count; i++, y += LINE) {
        int s = chosen->at[i];
        draw_label(ui, f, y, now->source[s].text, s == scene->hover_s);
        struct color color =
            colormap_at(scene->map, ui->style->theme, fmaxf(0.35f, alpha[s]));
        draw_fill(ui->list,
                  rect_make(f->bar_x, y + 3, fmaxf(1.5f, f->bar_w * alpha[s]), 10), 2,
                  color);
        snprintf(text, sizeof text, "%.3f", (double)alpha[s]);
        draw_value(ui, f, y, text);
    }
    if (chosen->count < now->n_src) {
        snprintf(text, sizeof text, "and %d more, Σα = %.3f", now->n_src - chosen->count,
                 (double)chosen->rest);
        struct rect at = rect_make(f->bar_x, y, f->right - f->bar_x, LINE);
        ui_text_fit(ui, FONT_TEXT, 12, at, -1, ui->style->dim, text);
        y += LINE;
    }
    return y;
}

static float draw_candidates(struct ui *ui, const struct scene *scene,
                             const struct frame *f, float y)
{
    const struct candidate *top =
        scene->now->top + (size_t)scene->selected * ALIGNMENT_TOP;
    int chosen = scene->now->target[scene->selected].id;
    for (int k = 0; k < ALIGNMENT_TOP && top[k].text; k++, y += TOP_LINE) {
        float p = expf(top[k].log_p);
        bool mine = top[k].id == chosen;
        struct color color = mine ? ui->style->accent : ui->style->dim;
        char text[32];
        struct rect at = rect_make(f->x, y, f->bar_x - 8 - f->x, LINE);
        ui_text_fit(ui, mine ? FONT_BOLD : FONT_TEXT, 13.5f, at, -1,
                    mine ? color : ui->style->ink, top[k].text);
        draw_fill(ui->list, rect_make(f->bar_x, y + 3, fmaxf(2, f->bar_w * p), 10), 2,
                  color_fade(color, 0.8f));
        snprintf(text, sizeof text, "%.1f%%", 100 * (double)p);
        draw_value(ui, f, y, text);
    }
    return y;
}

static float draw_step(struct ui *ui, const struct frame *f, float y, const char *text)
{
    struct rect at = rect_make(f->x, y, f->right - f->x, 18);
    ui_text_fit(ui, FONT_TEXT, 13, at, -1, ui->style->dim, text);
    return y + 22;
}

// A low panel leaves the scores out: the weights say more.
static float draw_attention(struct ui *ui, const struct scene *scene,
                            const struct frame *f, struct rect at, const char *formula,
                            float y)
{
    const struct alignment *now = scene->now;
    const float *alpha = scene->alpha + (size_t)scene->selected * (size_t)now->n_src;
    float left = at.h - 48 - 3 * 22 - 2 * 12 - ALIGNMENT_TOP * TOP_LINE - LINE - 12;
    int lines = (int)(left / LINE);
    bool both = lines >= 8;
    int listed = both ? lines / 2 : lines + 1;
    if (listed == now->n_src - 1) // the line that says "1 more" has room for that one
        listed++;
    struct selection chosen = select_positions(alpha, now->n_src, listed);
    char text[256];
    snprintf(text, sizeof text, "1  score   %.200s", formula);
    y = draw_step(ui, f, y, text);
    if (both)
        y = draw_scores(ui, scene, f, &chosen, y) + 12;
    y = draw_step(ui, f, y, "2  softmax   α = exp(e/τ) / Σ exp(e/τ)");
    y = draw_weights(ui, scene, f, &chosen, y) + 12;
    // Re-reading shows another α than the one that chose the word.
    bool reread = scene->alpha != now->alpha;
    return draw_step(ui, f, y,
                     reread ? "3  blend at τ = 1: re-reading keeps the words"
                            : "3  blend   c = Σ α h   →   next word");
}

static void draw_row(struct ui *ui, const struct scene *scene, struct rect at,
                     const char *formula)
{
    const struct alignment *now = scene->now;
    struct frame f = frame_of(at);
    char text[256];
    snprintf(text, sizeof text,
             now->has_attention ? "How “%s” looked back" : "How “%s” was chosen",
             short_of(now->target[scene->selected].text).text);
    struct rect head = rect_make(f.x, at.y + 14, f.right - f.x, 24);
    ui_text_fit(ui, FONT_BOLD, 16, head, -1, ui->style->ink, text);
    float y = at.y + 48;
    if (now->has_attention) {
        y = draw_attention(ui, scene, &f, at, formula, y);
    } else {
        struct rect words = rect_make(f.x, y, f.right - f.x, 0);
        y = wrap_draw(
                ui, FONT_TEXT, 13, ui->style->dim, words, 19, -1,
                "no scores and no α: the context is c = m, the same at every step") +
            10;
        y = draw_step(ui, &f, y, "next word");
    }
    draw_candidates(ui, scene, &f, y);
}

void microscope_draw(struct ui *ui, const struct scene *scene, struct rect at,
                     const char *formula)
{
    draw_fill(ui->list, at, 8, ui->style->panel);
    draw_frame(ui->list, at, 8, 1, ui->style->line);
    bool has_row = scene->now && scene->selected >= 0 && scene->selected < scene->rows;
    if (has_row) {
        draw_row(ui, scene, at, formula);
        return;
    }
    if (!scene->now || scene->rows == 0)
        return;
    struct rect line = rect_make(at.x + PAD, at.y + at.h * 0.4f, at.w - 2 * PAD, 22);
    ui_text_fit(ui, FONT_TEXT, 14, line, 0, ui->style->dim, "click a row to look inside");
}
