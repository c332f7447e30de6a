// SPDX-License-Identifier: MIT
// The page of the bottleneck: the plot, the estimate of the lecture beside what was
// measured, and the way into a sentence of some length. See bottleneck.h.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/state.h"
#include "ui/widgets.h"
#include "view/plot.h"
#include "view/wrap.h"

enum { BITS_A_WORD = 10, SERIES = 2 * CURVES };

struct curve_points {
    struct plot_point points[REPORT_MAX_POINTS];
    int count;
};

static void report_points(const struct report *report, struct curve_points *out)
{
    out->count = report->count;
    for (int i = 0; i < report->count; i++)
        out->points[i] =
            (struct plot_point){report->by_length[i].words, report->by_length[i].bleu, 1};
}

static void live_points(const struct bottleneck *b, int curve, struct curve_points *out)
{
    out->count = 0;
    for (int k = 0; k < BOTTLENECK_LENGTHS; k++) {
        const struct bleu *sum = &b->sums[curve][k];
        if (!sum->segments)
            continue;
        float done = (float)sum->segments / BOTTLENECK_GROUPS;
        out->points[out->count++] =
            (struct plot_point){b->words[k], (float)bleu_score(sum).score, done};
    }
}

// A sentence of this many joined ones, under both models side by side.
static void open_sentence(struct app *app, int sentences)
{
    struct bottleneck *b = &app->bottleneck;
    char text[TEXT_MAX_BYTES + 1] = "";
    size_t used = 0;
    for (int i = 0; i < sentences; i++) {
        int n = snprintf(text + used, sizeof text - used, "%s%s", i ? " " : "",
                         b->source[(b->offset + i) % b->n_sample]);
        used += n > 0 && (size_t)n < sizeof text - used ? (size_t)n : 0;
    }
    b->offset = (b->offset + sentences) % b->n_sample;
    bottleneck_close(app);
    app_open(app, b->model[CURVE_ATTENTION]);
    textedit_set(app->edit, text, used);
    app_text_changed(app);
    struct error err;
    struct rival_what what = {.kind = RIVAL_MODEL, .model = b->model[CURVE_NONE]};
    rivals_clear(app);
    if (!rivals_toggle(app, what, &err))
        app_say(app, err.text);
}

static float kept(const struct report *report)
{
    const struct report_point *first = report->by_length;
    const struct report_point *last = &report->by_length[report->count - 1];
    return first->bleu > 0 ? 100 * last->bleu / first->bleu : 0;
}

// Whether it is known that the two were not trained for as long as each other.
static bool not_alike(const struct report *none, const struct report *attention)
{
    return none->steps && attention->steps && none->steps != attention->steps;
}

// What else differs between the two; "" where nothing does.
static void say_training(const struct report *none, const struct report *attention,
                         char *out, size_t size)
{
    *out = '\0';
    if (not_alike(none, attention))
        snprintf(out, size,
                 "Not the same training: %" PRIu64 " steps without attention, %" PRIu64
                 " with it. A part of the distance is that.",
                 none->steps, attention->steps);
}

static void draw_measure_button(struct app *app, struct rect at)
{
    char text[64];
    const struct bottleneck *b = &app->bottleneck;
    bool busy = bottleneck_busy(app);
    if (busy)
        snprintf(text, sizeof text, "measuring, %d %%",
                 100 * b->measured / BOTTLENECK_UNITS);
    else
        snprintf(text, sizeof text, "%s", b->run ? "measure again" : "measure it here");
    if (widget_button(&app->ui, "measure", at, text, busy, true))
        app_run(app, "measure");
}

static void draw_words(struct app *app, struct rect at)
{
    struct ui *ui = &app->ui;
    const struct bottleneck *b = &app->bottleneck;
    const struct report *none = &b->report[CURVE_NONE];
    const struct report *attention = &b->report[CURVE_ATTENTION];
    char text[320];
    at.y = wrap_draw(ui, FONT_BOLD, 17, ui->style->ink, at, 24, -1, "The bottleneck") + 8;
    snprintf(text, sizeof text,
             "On paper: the whole sentence goes through one vector of d = %d numbers, %d "
             "bits. At about %d bits a word there is room for %d words.",
             b->dim, b->dim * 32, BITS_A_WORD, b->dim * 32 / BITS_A_WORD);
    at.y = wrap_draw(ui, FONT_TEXT, 14, ui->style->dim, at, 20, -1, text) + 12;
    snprintf(
        text, sizeof text,
        "Measured: without attention the model keeps %.0f %% of its BLEU from %.0f to "
        "%.0f words. The one that looks back keeps %.0f %%.",
        (double)kept(none), (double)none->by_length[0].words,
        (double)none->by_length[none->count - 1].words, (double)kept(attention));
    at.y = wrap_draw(ui, FONT_TEXT, 14, ui->style->ink, at, 20, -1, text) + 12;
    say_training(none, attention, text, sizeof text);
    if (*text)
        at.y = wrap_draw(ui, FONT_TEXT, 14, ui->style->ink, at, 20, -1, text) + 12;
    at.y = wrap_draw(
               ui, FONT_TEXT, 14, ui->style->dim, at, 20, -1,
               "Filled: the models' reports, held-out sentences joined. Click a point: "
               "a sentence of that length under both models.") +
           16;
    draw_measure_button(app, rect_make(at.x, at.y, fminf(at.w, 190), 34));
    at.y += 46;
    wrap_draw(ui, FONT_TEXT, 13, ui->style->dim, at, 19, -1,
              "F10: translates a bundled sample now, other sentences (hollow marks). "
              "BLEU as sacreBLEU computes it. F9 or Esc: back.");
}

// A low or narrow window: the plot, the button and two lines.
static struct rect draw_low(struct app *app, struct rect at)
{
    const struct bottleneck *b = &app->bottleneck;
    const struct report *none = &b->report[CURVE_NONE];
    const struct report *attention = &b->report[CURVE_ATTENTION];
    char text[200], steps[2][40] = {"", ""};
    if (not_alike(none, attention)) {
        snprintf(steps[0], sizeof steps[0], " (%" PRIu64 " steps)", none->steps);
        snprintf(steps[1], sizeof steps[1], " (%" PRIu64 ")", attention->steps);
    }
    snprintf(text, sizeof text,
             "BLEU kept: %.0f\u00a0%% without attention%s, %.0f\u00a0%% with%s",
             (double)kept(none), steps[0], (double)kept(attention), steps[1]);
    float y = at.y + at.h - 38;
    draw_measure_button(app, rect_make(at.x, y + 2, 170, 32));
    ui_text_fit(&app->ui, FONT_TEXT, 13.5f, rect_make(at.x + 186, y, at.w - 186, 18), -1,
                app->ui.style->ink, text);
    snprintf(text, sizeof text,
             "On paper %d × 32 bits hold %d words of 10. Filled: reports; hollow: here.",
             b->dim, b->dim * 32 / BITS_A_WORD);
    ui_text_fit(&app->ui, FONT_TEXT, 13, rect_make(at.x + 186, y + 19, at.w - 186, 18),
                -1, app->ui.style->dim, text);
    return rect_make(at.x, at.y, at.w, at.h - 44);
}

static float highest(const struct plot_series *series, int count)
{
    float most = 10;
    for (int k = 0; k < count; k++)
        for (int i = 0; i < series[k].count; i++)
            most = fmaxf(most, series[k].points[i].y);
    return ceilf(most / 10) * 10;
}

void bottleneck_draw(struct app *app, struct rect at)
{
    static const char *const names[CURVES] = {"no attention", "attention"};
    struct bottleneck *b = &app->bottleneck;
    struct curve_points points[SERIES];
    struct plot_series series[SERIES];
    int n = 0;
    for (int curve = 0; curve < CURVES; curve++) {
        report_points(&b->report[curve], &points[n]);
        series[n] = (struct plot_series){names[curve], points[n].points, points[n].count,
                                         curve == CURVE_ATTENTION, false};
        n++;
        live_points(b, curve, &points[n]);
        series[n] = (struct plot_series){"here", points[n].points, points[n].count,
                                         curve == CURVE_ATTENTION, true};
        n++;
    }
    bool low = at.w < 880 || at.h < 400;
    float text_w = low ? 0 : 330;
    struct rect plot_at =
        low ? draw_low(app, at) : rect_make(at.x, at.y, at.w - text_w - 24, at.h);
    struct plot plot = {.x_name = "source words",
                        .y_name = "BLEU",
                        .x_max = 60,
                        .y_max = highest(series, n),
                        .series = series,
                        .n_series = n};
    struct plot_hit hit = plot_draw(&app->ui, plot_at, &plot);
    if (!low)
        draw_words(app, rect_make(at.x + at.w - text_w, at.y + 12, text_w, at.h - 12));
    if (hit.series != PLOT_NOWHERE) {
        const struct plot_point *p = &series[hit.series].points[hit.point];
        char text[96];
        snprintf(text, sizeof text, "%.1f BLEU at %.1f words", (double)p->y,
                 (double)p->x);
        ui_text_fit(&app->ui, FONT_MEDIUM, 14, rect_make(at.x + 140, at.y + 2, 300, 20),
                    -1, app->ui.style->ink, text);
    }
    if (hit.clicked && !app->help)
        open_sentence(app, hit.point + 1);
}
