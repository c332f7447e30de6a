// SPDX-License-Identifier: MIT
// Head of the large microscope and the way through its steps and pages. See scope.h.
#include "view/scope.h"

#include <math.h>
#include <stdio.h>

#include "ui/widgets.h"
#include "view/short.h"
#include "view/wrap.h"

struct scope scope_move(struct scope scope, int by)
{
    bool large = scope.page != SCOPE_PANEL;
    int least = large ? SCOPE_SCORE : SCOPE_OVERVIEW;
    int most = large ? SCOPE_WORD + SCOPE_GRADIENT - SCOPE_TABLE : SCOPE_WORD;
    int at = (int)scope.step;
    if (scope.page > SCOPE_TABLE)
        at = SCOPE_WORD + (int)scope.page - SCOPE_TABLE;
    at += by;
    at = at < least ? least : at > most ? most : at;
    scope.step = (enum scope_step)(at > SCOPE_WORD ? SCOPE_WORD : at);
    if (large)
        scope.page =
            (enum scope_page)(SCOPE_TABLE + (at > SCOPE_WORD ? at - SCOPE_WORD : 0));
    return scope;
}

struct scope scope_toggle(struct scope scope)
{
    scope.page = scope.page == SCOPE_PANEL ? SCOPE_TABLE : SCOPE_PANEL;
    if (scope.step == SCOPE_OVERVIEW)
        scope.step = SCOPE_SCORE;
    return scope;
}

static struct scope draw_head(struct ui *ui, const struct specimen *row, struct rect at,
                              struct scope scope)
{
    static const char *const pages[] = {"steps", "soft lookup", "gradient"};
    float choice = at.w >= 1000 ? 340 : 270;
    int chosen = (int)scope.page - SCOPE_TABLE;
    char text[256];
    struct rect close = rect_make(at.x + at.w - 34, at.y, 34, 32);
    struct rect tabs = rect_make(close.x - 12 - choice, at.y, choice, 32);
    if (widget_choice(ui, "microscope page", tabs, pages, 3, &chosen))
        scope.page = (enum scope_page)(SCOPE_TABLE + chosen);
    if (widget_button(ui, "microscope close", close, "×", false, true))
        scope.page = SCOPE_PANEL;
    if (!row)
        return scope;
    snprintf(text, sizeof text,
             row->now->blends || row->now->attention.kind != MAP_CROSS ? "How “%s” reads"
             : row->now->has_attention ? "How “%s” looked back"
                                       : "How “%s” was chosen",
             short_of(row->now->target[row->t].text).text);
    ui_text_fit(ui, FONT_BOLD, 20, rect_make(at.x, at.y, tabs.x - 20 - at.x, 32), -1,
                ui->style->ink, text);
    return scope;
}

static void draw_message(struct ui *ui, struct rect at, const char *head,
                         const char *body)
{
    at.y += fmaxf(0, at.h * 0.3f - 20);
    at.y = wrap_draw(ui, FONT_MEDIUM, 20, ui->style->ink, at, 28, 0, head) + 6;
    wrap_draw(ui, FONT_TEXT, 16, ui->style->dim, at, 23, 0, body);
}

float scope_draw_masked(struct ui *ui, struct rect at, float size)
{
    return wrap_draw(ui, FONT_TEXT, size, ui->style->dim, at, size * 1.45f, -1,
                     "Every key of this row is masked: there is nothing to read. Its "
                     "weights are no softmax, they are all 0, and so is the blend.");
}

float scope_draw_pooled(struct ui *ui, struct rect at, float size)
{
    return wrap_draw(ui, FONT_TEXT, size, ui->style->dim, at, size * 1.45f, -1,
                     "Every head has its own scores and its own softmax: α of several "
                     "heads at once has none. Alt+Q shows one head after the other, "
                     "Ctrl+H all of them.");
}

struct scope scope_draw(struct ui *ui, const struct specimen *row, struct rect at,
                        struct scope scope)
{
    scope = draw_head(ui, row, rect_make(at.x, at.y, at.w, 32), scope);
    struct rect rest = rect_make(at.x, at.y + 44, at.w, at.h - 44);
    if (!row) {
        draw_message(ui, rest, "no row is chosen", "↓ chooses the next one");
        return scope;
    }
    if (specimen_reads_nothing(row)) {
        scope_draw_masked(ui, rect_make(rest.x, rest.y + 20, rest.w, 0), 18);
        return scope;
    }
    if (specimen_pooled(row)) {
        scope_draw_pooled(ui, rect_make(rest.x, rest.y + 20, rest.w, 0), 20);
        return scope;
    }
    if (scope.page == SCOPE_TABLE)
        return steps_draw(ui, row, rest, scope);
    if (!row->now->has_attention)
        draw_message(ui, rest, "no query, no keys, no α",
                     "this model has no attention: whatever the word, the decoder reads "
                     "c = m, one fixed vector, the encoder's last state");
    else if (scope.page == SCOPE_LOOKUP)
        return lookup_draw(ui, row, rest, scope);
    else if (scope.page == SCOPE_GRADIENT)
        gradient_draw(ui, row, rest);
    return scope;
}
