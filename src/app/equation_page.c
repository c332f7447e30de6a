// SPDX-License-Identifier: MIT
// The page of the equation: what is asked at the top, the matrices at the left, what they
// come to in the middle, one row of it at the right. A small window shows one of these at
// a time. See equation.h.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/equation_parts.h"
#include "formats/attend_write.h"
#include "ui/widgets.h"
#include "view/controls.h"
#include "view/microscope.h"
#include "view/wrap.h"

enum { HEAD = 30 };

struct layout {                                                      // below the head
    struct rect note, choices, fields, views, middle, scope, bottom; // .w 0: none
    bool all; // all matrices at once; else the one of the view
};

static struct rect cut_top(struct rect *rest, float h, float gap)
{
    struct rect top = rect_make(rest->x, rest->y, rest->w, h);
    rest->y += h + gap;
    rest->h -= h + gap;
    return top;
}

static struct layout layout_of(struct app *app, struct rect at)
{
    const struct equation *equation = &app->equation;
    struct layout l = {0};
    float gap = at.h >= 600 ? 16 : 8, bottom = at.h >= 600 ? 94 : 58;
    bool scaling = equation->result->sheet.is_scaling;
    cut_top(&at, HEAD, gap * 0.6f);
    int lines = wrap_count(&app->ui, FONT_TEXT, 14, at.w, equation->choices.note);
    l.note = cut_top(&at, at.h >= 340 && lines > 1 ? 40 : 20, gap * 0.6f);
    if (scaling) {
        l.middle = at;
        return l;
    }
    l.choices = cut_top(&at, 32, gap);
    at.h -= bottom + gap;
    l.bottom = rect_make(at.x, at.y + at.h + gap, at.w, bottom);
    float left = at.w >= 1130 ? 300 : at.w >= 900 ? 270 : at.w >= 740 ? 230 : 0;
    float right = at.w >= 1130 && at.h >= 330 ? 344 : 0;
    if (left > 0)
        l.fields = rect_make(at.x, at.y, left, at.h);
    if (right > 0)
        l.scope = rect_make(at.x + at.w - right, at.y, right, at.h);
    l.middle = rect_make(at.x + left + (left > 0 ? 24 : 0), at.y, 0, at.h);
    l.middle.w = at.x + at.w - right - (right > 0 ? 22 : 0) - l.middle.x;
    l.all = at.h >= 400 && left > 0;
    if (l.all)
        return l;
    l.views = cut_top(&l.middle, 28, 8);
    if (left <= 0 && equation->view == EQUATION_VIEW_FIELDS) {
        l.fields = l.middle;
        l.middle.w = 0;
    }
    return l;
}

static void run_word(struct app *app, const char *command, const char *word)
{
    char line[96];
    snprintf(line, sizeof line, "%s %s", command, word);
    app_run(app, line);
}

// ---- above

static float draw_button(struct app *app, float right, struct rect at, const char *id,
                         const char *label, const char *line)
{
    float w = ui_text_width(&app->ui, FONT_TEXT, 13.5f, label, -1) + 24;
    if (widget_link(&app->ui, id, rect_make(right - w, at.y, w, at.h), label))
        app_run(app, line);
    return right - w;
}

static void draw_head(struct app *app, struct rect at)
{
    const struct equation *equation = &app->equation;
    struct ui *ui = &app->ui;
    char text[sizeof equation->name + 32], place[32];
    float x = at.x, right = at.x + at.w;
    if (at.w >= 700) {
        draw_text(ui->list, FONT_BOLD, 17, x, at.y + 20, 0, ui->style->ink,
                  "Attention(Q, K, V)", -1);
        x += 182;
    }
    if (widget_button(ui, "sheet back", rect_make(x, at.y, 34, 30), "◀", false, true))
        app_run(app, "sheet back");
    snprintf(place, sizeof place, "%d / %d", equation->bundled + 1,
             attend_sheet_bundled_count);
    ui_text_fit(ui, FONT_TEXT, 13, rect_make(x + 36, at.y, 48, 30), 0, ui->style->dim,
                equation->bundled >= 0 ? place : "own");
    if (widget_button(ui, "sheet next", rect_make(x + 86, at.y, 34, 30), "▶", false,
                      true))
        app_run(app, "sheet next");
    x += 134;
    right = draw_button(app, right, at, "equation close", "×", "equation off");
    right = draw_button(app, right, at, "help", "?", "help");
    right = draw_button(app, right, at, "Save", "Save", "save");
    const char *title = equation->choices.title;
    snprintf(text, sizeof text, "%s%s", *title ? title : equation->name,
             equation->edited ? " · edited" : "");
    ui_text_fit(ui, FONT_MEDIUM, 16, rect_make(x, at.y, right - 8 - x, 30), -1,
                ui->style->ink, text);
}

// What there is to see in the sheet as it was given; or what is wrong with it now.
static void draw_note(struct app *app, struct rect at)
{
    const struct equation *equation = &app->equation;
    struct ui *ui = &app->ui;
    char text[sizeof equation->error.text + 64];
    if (equation->error.text[0]) {
        snprintf(text, sizeof text, "%s. The picture is of the last whole sheet.",
                 equation->error.text);
        wrap_draw(ui, FONT_MEDIUM, 14, ui->style->warn, at, 20, -1, text);
    } else if (!equation->edited) {
        wrap_draw(ui, FONT_TEXT, 14, ui->style->dim, at, 20, -1, equation->choices.note);
    }
}

static void draw_choices(struct app *app, struct rect at)
{
    static const char *const scores[] = {"dot", "scaled", "cosine", "additive"};
    const char *const masks[] = {at.w >= 600 ? "no mask" : "none", "causal", "given"};
    const struct attend *input = &app->equation.choices.input;
    int score = (int)input->score, mask = (int)input->mask;
    bool wide = at.w >= 900;
    float w = wide ? 330 : at.w >= 600 ? 272 : 232, x = at.x;
    if (widget_choice(&app->ui, "score", rect_make(x, at.y, w, at.h), scores, 4, &score))
        run_word(app, "sheet score", attend_score_name((enum attend_score)score));
    x += w + (wide ? 16 : 6);
    w = wide ? 240 : at.w >= 600 ? 208 : 156;
    if (widget_choice(&app->ui, "masks", rect_make(x, at.y, w, at.h), masks, 3, &mask))
        run_word(app, "sheet mask", attend_mask_name((enum attend_mask)mask));
    x += w + (wide ? 16 : 6);
    w = wide ? 104 : 82;
    struct rect button = rect_make(x, at.y, w, at.h);
    if (widget_button(&app->ui, "normalise", button, "normalise", input->normalise, true))
        app_run(app, "sheet normalise toggle");
    if (ui_is_hot(&app->ui, ui_hash("normalise")))
        ui_tooltip(&app->ui, button, "rows of Q and K scaled to length 1 first");
    x += w + 16;
    char formula[96];
    attend_score_formula(&app->equation.result->sheet.input,
                         app->equation.result->now.width, formula, sizeof formula);
    if (at.x + at.w - x >= 90)
        ui_text_fit(&app->ui, FONT_MEDIUM, 15, rect_make(x, at.y, at.x + at.w - x, at.h),
                    -1, app->ui.style->ink, formula);
}

static void draw_views(struct app *app, struct rect at, bool fields)
{
    static const char *const names[EQUATION_VIEWS] = {"matrices", "weights", "scores",
                                                      "output"};
    int first = fields ? 0 : 1, chosen = app->equation.view - first;
    char line[32];
    chosen = chosen < 0 ? 0 : chosen;
    float w = fminf(at.w, 92 * (float)(EQUATION_VIEWS - first));
    if (!widget_choice(&app->ui, "equation view", rect_make(at.x, at.y, w, at.h),
                       names + first, EQUATION_VIEWS - first, &chosen))
        return;
    snprintf(line, sizeof line, "sheet view %d", chosen + first + 1);
    app_run(app, line);
}

// ---- the row

static struct scope_words words_of(const struct app *app, char formula[96])
{
    const struct equation_result *result = app->equation.result;
    attend_score_formula(&result->sheet.input, result->now.width, formula, 96);
    return (struct scope_words){formula, "q, this row of Q", "k"};
}

static bool take_row(struct app *app, struct specimen *row, char formula[96])
{
    struct equation *equation = &app->equation;
    struct scene scene;
    equation_scene(app, &scene);
    struct scope_words words = words_of(app, formula);
    if (!specimen_take(row, &scene, &words, scene.now->tau))
        return false;
    if (equation->seen != row->t) // another row: its best
        equation->scope.first = row->parts.best - 3;
    equation->seen = row->t;
    return true;
}

static void keep(struct app *app, struct scope scope)
{
    struct scope *kept = &app->equation.scope;
    app->dirty = app->dirty || memcmp(&scope, kept, sizeof scope) != 0;
    *kept = scope;
}

// ---- the whole

static void draw_bottom(struct app *app, struct rect at)
{
    static const char *const steps[] = {"", "select first", "select back", "select next",
                                        "select last"};
    const struct equation *equation = &app->equation;
    int rows = equation->result->now.queries;
    struct bottombar bar = {.tau = (float)equation->choices.input.tau,
                            .bare = true,
                            .selected = equation->selected,
                            .rows = rows,
                            .all_rows = rows,
                            .has_attention = true,
                            .typing = app->typing_tau ? app->typed_tau : NULL};
    struct bottombar_result result = controls_bottombar(&app->ui, at, &bar);
    char tau[32];
    if (result.tau_changed) {
        snprintf(tau, sizeof tau, "%.9g", (double)result.tau);
        run_word(app, "tau", isinf(result.tau) ? "inf" : tau);
    }
    if (result.tau_clicked)
        app_run(app, "type-tau");
    if (result.step != STEP_NONE)
        app_run(app, steps[result.step]);
}

// The large microscope has the place of all between title and τ.
static void draw_scope(struct app *app, const struct layout *l)
{
    struct specimen row;
    char formula[96];
    bool any = take_row(app, &row, formula);
    struct rect at = rect_make(l->note.x, l->note.y + 4, l->note.w, 0);
    at.h = l->bottom.y - 12 - at.y;
    keep(app, scope_draw(&app->ui, any ? &row : NULL, at, app->equation.scope));
}

// A field or a choice that changes makes another result: the row is taken last.
static void draw_body(struct app *app, const struct layout *l)
{
    struct specimen row;
    char formula[96];
    int hover_s = NOWHERE;
    if (l->views.w > 0)
        draw_views(app, l->views, l->fields.w <= 0 || l->middle.w <= 0);
    if (l->fields.w > 0)
        equation_draw_fields(app, l->fields);
    if (l->middle.w > 0 && l->all)
        equation_draw_all(app, l->middle, &hover_s);
    else if (l->middle.w > 0)
        equation_draw_view(app, l->middle, &hover_s);
    if (l->scope.w <= 0)
        return;
    bool any = take_row(app, &row, formula);
    keep(app, microscope_draw(&app->ui, any ? &row : NULL, true, l->scope,
                              app->equation.scope, hover_s));
}

void equation_draw(struct app *app, struct rect at)
{
    draw_head(app, rect_make(at.x, at.y, at.w, HEAD)); // may bring another sheet
    struct layout l = layout_of(app, at);
    if (app->equation.result->sheet.is_scaling) {
        draw_note(app, l.note);
        equation_draw_scaling(app, l.middle);
        return;
    }
    if (app->equation.scope.page != SCOPE_PANEL) {
        draw_scope(app, &l);
    } else {
        draw_note(app, l.note);
        draw_choices(app, l.choices);
        draw_body(app, &l);
    }
    draw_bottom(app, l.bottom);
}
