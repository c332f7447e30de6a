// SPDX-License-Identifier: MIT
// The parts of the equation's page. See equation_parts.h.
#include "app/equation_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "formats/attend_write.h"
#include "view/numbers.h"
#include "view/panel.h"
#include "view/plot.h"

// ---- fields

static const char *hint_of(int field)
{
    static const char *const hints[EQUATION_FIELDS] = {
        [ATTEND_Q] = "1 0 1",
        [ATTEND_K] = "empty: K = Q",
        [ATTEND_V] = "empty: V = K",
        [ATTEND_W_Q] = "empty: the identity",
        [ATTEND_W_K] = "empty: the identity",
        [ATTEND_W_V] = "empty: the identity",
        [ATTEND_SCORE_Q] = "empty: the identity",
        [ATTEND_SCORE_K] = "empty: the identity",
        [ATTEND_SCORE_V] = "empty: ones",
        [ATTEND_MASK] = "1 may be read, 0 not",
        [ATTEND_POSITIONS] = "empty: none",
        [ATTEND_ORDER] = "empty: as given",
        [EQUATION_NAMES + NAMED_QUERIES] = "one a line",
        [EQUATION_NAMES + NAMED_KEYS] = "one a line",
        [EQUATION_NAMES + NAMED_VALUES] = "one a line",
    };
    return hints[field];
}

static const char *caption_of(int field)
{
    static const char *const captions[EQUATION_FIELDS] = {
        [ATTEND_Q] = "Q, a query a line",
        [ATTEND_K] = "K, a key a line",
        [ATTEND_V] = "V, a value a line",
        [ATTEND_W_Q] = "W_Q, for Q W_Q",
        [ATTEND_W_K] = "W_K, for K W_K",
        [ATTEND_W_V] = "W_V, for V W_V",
        [ATTEND_SCORE_Q] = "additive: W_q",
        [ATTEND_SCORE_K] = "additive: W_k",
        [ATTEND_SCORE_V] = "additive: v",
        [ATTEND_MASK] = "mask, a query a line",
        [ATTEND_POSITIONS] = "positions, added to K",
        [ATTEND_ORDER] = "order of K and V",
    };
    return captions[field] ? captions[field] : equation_field_name(field);
}

// "2 × 3"; nothing while the last good sheet is another one than what is typed.
static void size_text(const struct app *app, int field, char *out, size_t size)
{
    const struct attend_sheet *sheet = &app->equation.result->sheet;
    out[0] = '\0';
    if (app->equation.error.text[0])
        return;
    if (field < EQUATION_NAMES && sheet->input.part[field].rows)
        snprintf(out, size, "%d × %d", sheet->input.part[field].rows,
                 sheet->input.part[field].columns);
}

static void draw_field(struct app *app, struct rect at, int field)
{
    struct equation *equation = &app->equation;
    struct ui *ui = &app->ui;
    char id[32], text[48];
    bool wrong = equation->error.text[0] && equation->wrong == field;
    equation_field_id(field, id);
    size_text(app, field, text, sizeof text);
    struct rect line = rect_make(at.x, at.y, at.w, 20);
    ui_text_fit(ui, FONT_MEDIUM, 13.5f, line, -1,
                wrong ? ui->style->warn : ui->style->ink, caption_of(field));
    ui_text_fit(ui, FONT_TEXT, 12.5f, line, 1, ui->style->dim, text);
    at.y += 22;
    at.h -= 22;
    if (!widget_area(ui, id, at, 15, hint_of(field), wrong, &equation->fields[field]))
        return;
    if (field == ATTEND_MASK && textedit_length(equation->fields[field].edit))
        equation->choices.input.mask = ATTEND_ALLOWED;
    equation_changed(app);
}

void equation_draw_fields(struct app *app, struct rect at)
{
    const char *names[EQUATION_GROUPS];
    int fields[3], chosen = app->equation.group;
    char line[32];
    for (int i = 0; i < EQUATION_GROUPS; i++)
        names[i] = equation_group_name(i);
    if (widget_choice(&app->ui, "equation group", rect_make(at.x, at.y, at.w, 30), names,
                      EQUATION_GROUPS, &chosen)) {
        snprintf(line, sizeof line, "sheet group %d", chosen + 1);
        app_run(app, line);
    }
    int count = equation_group(app->equation.group, fields);
    at.y += 38;
    at.h -= 38;
    bool beside = at.w >= 420; // a small window has them side by side
    float gap = 10, w = beside ? (at.w - gap * (float)(count - 1)) / (float)count : at.w;
    float h = beside ? at.h : (at.h - gap * (float)(count - 1)) / (float)count;
    for (int i = 0; i < count; i++)
        draw_field(app,
                   rect_make(at.x + (beside ? (w + gap) * (float)i : 0),
                             at.y + (beside ? 0 : (h + gap) * (float)i), w, h),
                   fields[i]);
}

// ---- matrices

void equation_scene(const struct app *app, struct scene *scene)
{
    const struct equation *equation = &app->equation;
    scene_init(scene);
    scene->now = equation->result->alignment;
    scene->alpha = scene->now->alpha;
    scene->rows = alignment_rows(scene->now);
    scene->selected = equation->selected;
    scene->map = app->map;
    scene->shade = app->shade;
}

static void select_row(struct app *app, int row)
{
    char line[32];
    snprintf(line, sizeof line, "select %d", row + 1);
    app_run(app, line);
}

// Where cells are large enough, their numbers.
static void draw_weight_numbers(struct app *app, const struct scene *scene,
                                const struct grid *grid)
{
    const struct alignment *now = scene->now;
    if (grid->cell_w < 44 || grid->cell_h < 16 || scene->shade != SHADE_FIXED)
        return;
    for (int t = 0; t < scene->rows; t++)
        for (int s = 0; s < now->n_src; s++) {
            size_t at = (size_t)t * (size_t)now->n_src + (size_t)s;
            if (now->blocked && now->blocked[at])
                continue;
            struct color color =
                colormap_at(scene->map, app->ui.style->theme, scene->alpha[at]);
            numbers_text(&app->ui, grid_cell(grid, t, s), color,
                         app->equation.result->now.alpha[at]);
        }
}

static void draw_weights(struct app *app, struct rect at, int *hover_s)
{
    struct scene scene;
    equation_scene(app, &scene);
    struct panel panel = panel_layout(&app->ui, at, &scene);
    panel_hit(&panel, &scene, app->ui.input->x, app->ui.input->y, &scene.hover_t,
              &scene.hover_s);
    *hover_s = scene.hover_s;
    if (app->ui.input->pressed && scene.hover_t >= 0 && !app->help)
        select_row(app, scene.hover_t);
    panel_draw(&app->ui, &scene, &panel);
    if (!panel.is_ribbon)
        draw_weight_numbers(app, &scene, &panel.grid);
}

struct names { // of rows and columns, borrowed from the alignment
    const char *at[ATTEND_MAX];
};

static const char *const *labels_of(struct names *names, const struct label *labels,
                                    int count)
{
    for (int i = 0; i < count; i++)
        names->at[i] = labels[i].text;
    return names->at;
}

static void draw_numbers(struct app *app, struct rect at, struct numbers *numbers)
{
    numbers->map = app->map;
    numbers->selected = app->equation.selected;
    struct numbers_hit hit = numbers_draw(&app->ui, at, numbers);
    if (hit.clicked && !app->help)
        select_row(app, hit.row);
}

static void draw_scores(struct app *app, struct rect at)
{
    const struct equation_result *result = app->equation.result;
    struct names rows, columns;
    struct numbers numbers = {
        .title = "scores e",
        .rows = result->now.queries,
        .columns = result->now.keys,
        .at = result->now.score,
        .masked = result->now.masked,
        .row_names = labels_of(&rows, result->alignment->target, result->now.queries),
        .column_names = labels_of(&columns, result->alignment->source, result->now.keys)};
    draw_numbers(app, at, &numbers);
}

static void draw_output(struct app *app, struct rect at, const char *title,
                        const struct attend_result *of, const char *note)
{
    const struct equation_result *result = app->equation.result;
    struct names rows;
    struct numbers numbers = {
        .title = title,
        .note = note,
        .rows = of->queries,
        .columns = of->columns,
        .at = of->output,
        .row_names = labels_of(&rows, result->alignment->target, of->queries),
        .column_names = result->alignment->blends->names};
    draw_numbers(app, at, &numbers);
}

// ---- beside

static void draw_naive(struct app *app, struct rect at)
{
    const struct equation_result *result = app->equation.result;
    const struct attend_result *now = &result->now;
    struct names rows, columns;
    struct arena arena;
    size_t n = (size_t)now->keys;
    bool fits = true;
    char note[96];
    arena_init(&arena, 4 << 20);
    double *alpha = arena_alloc(&arena, (size_t)now->queries * n, sizeof *alpha);
    for (int t = 0; alpha && t < now->queries; t++)
        fits =
            attend_naive(now, t, result->sheet.input.tau, alpha + (size_t)t * n) && fits;
    snprintf(note, sizeof note, fits ? "exp(a) / Σ exp(a)" : "exp = ∞ above %.1f",
             attend_exp_limits[0]);
    struct numbers numbers = {
        .title = "naive α",
        .note = note,
        .rows = now->queries,
        .columns = now->keys,
        .at = alpha,
        .masked = now->masked,
        .weights = true,
        .row_names = labels_of(&rows, result->alignment->target, now->queries),
        .column_names = labels_of(&columns, result->alignment->source, now->keys)};
    if (alpha)
        draw_numbers(app, at, &numbers);
    arena_finish(&arena);
}

static void draw_beside(struct app *app, struct rect at)
{
    const struct equation_result *result = app->equation.result;
    char note[64];
    if (result->sheet.beside == BESIDE_NAIVE)
        draw_naive(app, at);
    if (!result->beside.queries)
        return;
    if (result->apart < 1e-12)
        snprintf(note, sizeof note, "the same");
    else
        snprintf(note, sizeof note, "differs by %.3g", result->apart);
    draw_output(app, at,
                result->sheet.beside == BESIDE_HARD ? "output at τ = 0"
                                                    : "output in order",
                &result->beside, note);
}

static void draw_beside_choice(struct app *app, struct rect at)
{
    static const char *const names[] = {"alone", "hard", "in order", "naive"};
    char line[48];
    int chosen = (int)app->equation.choices.beside;
    if (!widget_choice(&app->ui, "beside", at, names, BESIDE_COUNT, &chosen))
        return;
    snprintf(line, sizeof line, "sheet beside %s",
             attend_beside_name((enum attend_beside)chosen));
    app_run(app, line);
}

static int columns_beside(const struct equation_result *result)
{
    return result->sheet.beside == BESIDE_NAIVE ? result->now.keys
           : result->beside.queries             ? result->beside.columns
                                                : 0;
}

// Widths in proportion to the columns, none so narrow that its title is lost.
static void draw_tables(struct app *app, struct rect at)
{
    const struct equation_result *result = app->equation.result;
    int counts[3] = {result->now.keys, result->now.columns, columns_beside(result)};
    float gap = 20, sum = 0, x = at.x, part[3];
    for (int i = 0; i < 3; i++) {
        part[i] = counts[i] ? fminf((float)counts[i], 8) + 2.2f : 0;
        sum += part[i];
    }
    for (int i = 0; i < 3; i++) {
        float w = (at.w - gap * (part[2] > 0 ? 2 : 1)) * part[i] / sum;
        struct rect table = rect_make(x, at.y, w, at.h);
        if (i == 0)
            draw_scores(app, table);
        else if (i == 1)
            draw_output(app, table, "output c = Σ α v", &result->now, NULL);
        else if (part[i] > 0)
            draw_beside(app, table);
        x += w + gap;
    }
}

void equation_draw_all(struct app *app, struct rect at, int *hover_s)
{
    int rows = app->equation.result->now.queries;
    float tables = fminf(at.h * (rows > 12 ? 0.36f : 0.42f), 48 + 34 * (float)rows);
    // No more than the cells take: what belongs together stands together.
    float weights = fminf(at.h - tables - 50, 220 + 46 * (float)rows);
    draw_weights(app, rect_make(at.x, at.y, at.w, weights), hover_s);
    float y = at.y + weights + 8;
    ui_text_fit(&app->ui, FONT_TEXT, 13, rect_make(at.x, y, 60, 28), -1,
                app->ui.style->dim, "beside");
    draw_beside_choice(app, rect_make(at.x + 56, y, fminf(at.w - 56, 330), 28));
    draw_tables(app, rect_make(at.x, y + 38, at.w, tables));
}

void equation_draw_view(struct app *app, struct rect at, int *hover_s)
{
    const struct equation_result *result = app->equation.result;
    struct rect half = at;
    if (app->equation.view == EQUATION_VIEW_SCORES) {
        draw_scores(app, at);
    } else if (app->equation.view == EQUATION_VIEW_OUTPUT) {
        bool beside = columns_beside(result) > 0;
        half.w = beside ? (at.w - 20) / 2 : at.w;
        draw_output(app, half, "output c = Σ α v", &result->now, NULL);
        half.x += half.w + 20;
        if (beside)
            draw_beside(app, half);
    } else {
        draw_weights(app, at, hover_s);
    }
}

// ---- random numbers

enum { SCALING_PLOTS = 3, SCALED = 2 };

static double reading_of(const struct scaling_reading *reading, int plot)
{
    return plot == 0   ? reading->variance
           : plot == 1 ? reading->entropy_bits
                       : reading->slope;
}

static void draw_plot(struct app *app, struct rect at, int which)
{
    static const char *const names[SCALING_PLOTS] = {
        "variance of the scores", "entropy of the softmax, bits", "gradient ‖∂α/∂a‖"};
    const struct scaling_point *points = app->equation.result->points;
    struct plot_point at_points[SCALED][SCALING_SIZES];
    double most = 0;
    for (int i = 0; i < SCALING_SIZES; i++)
        for (int k = 0; k < SCALED; k++) {
            double y = reading_of(k ? &points[i].scaled : &points[i].plain, which);
            at_points[k][i] = (struct plot_point){log2f((float)points[i].d), (float)y, 1};
            most = fmax(most, y);
        }
    const struct plot_series series[SCALED] = {
        {"q·k", at_points[0], SCALING_SIZES, false, false},
        {"q·k / √d", at_points[1], SCALING_SIZES, true, false}};
    struct plot plot = {.x_name = "d",
                        .y_name = names[which],
                        .x_max = 10,
                        .y_max = (float)most * 1.05f,
                        .x_powers = true,
                        .series = series,
                        .n_series = SCALED};
    struct plot_hit hit = plot_draw(&app->ui, at, &plot);
    if (hit.series == PLOT_NOWHERE)
        return;
    char text[96];
    snprintf(text, sizeof text, "%s at d = %d: %.4g", series[hit.series].name,
             points[hit.point].d, (double)series[hit.series].points[hit.point].y);
    ui_text_fit(&app->ui, FONT_MEDIUM, 14,
                rect_make(at.x + 8, at.y + at.h - 20, at.w, 20), -1, app->ui.style->ink,
                text);
}

void equation_draw_scaling(struct app *app, struct rect at)
{
    const struct scaling *scaling = &app->equation.result->sheet.scaling;
    char text[256];
    snprintf(
        text, sizeof text,
        "%d random queries for each d, %d keys each, independent numbers with mean 0 "
        "and variance 1, seed %llu.",
        scaling->queries, scaling->keys, (unsigned long long)scaling->seed);
    ui_text_fit(&app->ui, FONT_TEXT, 13, rect_make(at.x, at.y + at.h - 22, at.w, 20), -1,
                app->ui.style->dim, text);
    at.h -= 34;
    bool row = at.w >= 1000, column = !row && at.h >= 480;
    if (!row && !column) {
        static const char *const names[] = {"variance", "entropy", "gradient"};
        int chosen = app->equation.view % SCALING_PLOTS;
        if (widget_choice(&app->ui, "plot", rect_make(at.x, at.y, 270, 28), names, 3,
                          &chosen))
            app->equation.view = chosen;
        draw_plot(app, rect_make(at.x, at.y + 34, at.w, at.h - 34), chosen);
        return;
    }
    for (int i = 0; i < SCALING_PLOTS; i++) {
        float w = row ? at.w / SCALING_PLOTS : at.w,
              h = row ? at.h : at.h / SCALING_PLOTS;
        draw_plot(app,
                  rect_make(at.x + (row ? w * (float)i : 0),
                            at.y + (row ? 0 : h * (float)i), w - 8,
                            fminf(h - 8, row ? 640 : h)),
                  i);
    }
}
