// SPDX-License-Identifier: MIT
// One frame: lay out the window, draw it, act on what the user did. When acting changed
// something that was drawn already, the frame is drawn once more without the events, so
// that what is painted is never a step behind.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "align/telemetry.h"
#include "app/middle.h"
#include "app/state.h"
#include "ui/widgets.h"
#include "view/controls.h"
#include "view/forming.h"
#include "view/overlay.h"
#include "view/short.h"
#include "view/viewmenu.h"

enum { PLAY_MS = 400 }; // a checkpoint stands so long while the training is played

void app_scene(const struct app *app, struct scene *scene)
{
    scene_init(scene);
    scene->now_ms = app->now_ms;
    scene->map = app->map;
    scene->shade = app->shade;
    show_scene(&app->show, scene);
    reveal_limit(app, scene);
    scene->selected = app->selected < scene->rows ? app->selected : scene->rows - 1;
}

static void status_text(const struct app *app, char *out, size_t size)
{
    const struct show *show = &app->show;
    const struct alignment *now = show->decoded ? show->decoded : show->now;
    out[0] = '\0';
    if (!now || now->n_src == 0)
        return;
    enum ended ended = alignment_ended(now);
    if (ended == ENDED_NOT) {
        snprintf(out, size, "%d tokens · row %d", now->n_src, alignment_rows(now));
        return;
    }
    char beam[48];
    double ms = (now->encode_us + now->decode_us) / 1000;
    beam_say(app, beam, sizeof beam);
    snprintf(out, size, "%s%s%d tokens", beam, *beam ? " · " : "", now->n_src);
    size_t used = strlen(out);
    if (!app->hide_times)
        snprintf(out + used, size - used, " · %.1f ms", ms);
    if (ended == ENDED_LIMIT)
        snprintf(out, size, "stopped at the limit of %d rows", alignment_rows(now));
}

static void draw_sentence(struct app *app, const struct layout *layout)
{
    struct rect box = layout->sentence;
    char status[96];
    status_text(app, status, sizeof status);
    float w = ui_text_width(&app->ui, FONT_TEXT, 13.5f, status, -1);
    // Room for a long status is kept always: the text must not move while it changes.
    float reserve = fmaxf(w, box.w >= 900 ? 150 : 120) + 24;
    if (widget_text_beside(&app->ui, "sentence", box, reserve, layout->sentence_size,
                           "type a sentence", app->edit, &app->scroll_x)) {
        reveal_off(app); // who types wants to see
        app_text_changed(app);
    }
    struct rect at = rect_make(box.x, box.y, box.w - 20, box.h);
    ui_text_fit(&app->ui, FONT_TEXT, 13.5f, at, 1, app->ui.style->dim, status);
}

static void draw_forming(struct app *app, struct rect at)
{
    struct forming_point points[HISTORY_MAX];
    for (int i = 0; i < app->history.count; i++) {
        const struct history_entry *entry = &app->history.entries[i];
        points[i] =
            (struct forming_point){entry->step, entry->entropy_bits, entry->exact};
    }
    struct forming forming = {.points = points,
                              .count = app->history.count,
                              .at = app->checkpoint,
                              .playing = app->playing};
    struct forming_result result = forming_draw(&app->ui, at, &forming);
    if (result.at != app->checkpoint) {
        app->playing = false;
        app_use_checkpoint(app, result.at);
    }
    if (result.play)
        app_run(app, "play");
}

// The next checkpoint, when the one on the screen has stood for a moment.
static void play_on(struct app *app)
{
    if (!app->playing || !app_is_complete(app) || app->now_ms < app->played_ms + PLAY_MS)
        return;
    if (!app_is_forming(app))
        app->playing = false;
    else
        app_use_checkpoint(app, app->checkpoint + 1);
    app->dirty = true;
}

static void draw_bottom(struct app *app, struct rect at, const struct scene *scene)
{
    static const char *const rows[] = {"", "select first", "select back", "select next",
                                       "select last"};
    static const char *const nodes[] = {"", "beam node first", "beam node parent",
                                        "beam node child", "beam node last"};
    const char *const *steps = app->beaming.open ? nodes : rows;
    struct bottombar bar = {
        .tau = app->tau,
        .reread = app->reread,
        .selected = look_row(app),
        .rows = app->reveal.on ? reveal_words(app) : look_rows(app),
        .all_rows = reveal_all_words(app),
        .revealing = app->reveal.on,
        .playing = app->reveal.playing,
        .speed = app->reveal.speed,
        .has_attention =
            !scene->now || scene->now->n_src == 0 || scene->now->has_attention,
        .typing = app->typing_tau ? app->typed_tau : NULL,
    };
    struct bottombar_result result = controls_bottombar(&app->ui, at, &bar);
    if (result.tau_changed) {
        app->tau = result.tau;
        app->dirty = true;
        app_request(app);
    }
    if (result.mode_changed)
        app_run(app, result.reread ? "mode re-read" : "mode re-decode");
    if (result.tau_clicked)
        app_run(app, "type-tau");
    if (result.step != STEP_NONE)
        app_run(app, steps[result.step]);
    if (result.reveal)
        app_run(app, "reveal toggle");
    if (result.play)
        app_run(app, "reveal play");
}

// The picture that is on the screen, in words.
static void explain(const struct app *app, char *out, size_t size)
{
    struct scene scene;
    app_scene(app, &scene);
    const struct alignment *now = scene.now;
    int t = scene.selected;
    if (!now || t < 0) {
        snprintf(out, size, "Choose a row and this line says what it shows.");
        return;
    }
    double percent = 100 * (double)now->p[t];
    if (!now->has_attention) {
        snprintf(out, size,
                 "Now: “%s” was chosen with probability %.0f %%. This model has no "
                 "attention: the decoder reads one fixed vector.",
                 short_of(now->target[t].text).text, percent);
        return;
    }
    const float *alpha = scene.alpha + (size_t)t * (size_t)now->n_src;
    struct row_stats stats = telemetry_row(alpha, now->n_src);
    snprintf(out, size,
             "Now: writing “%s” (probability %.0f %%), the decoder put %.0f %% of its "
             "attention on “%s”; %.2f bits, as if spread evenly over %.1f words.",
             short_of(now->target[t].text).text, percent, 100 * (double)stats.max,
             short_of(stats.argmax >= 0 ? now->source[stats.argmax].text : "").text,
             (double)stats.entropy_bits, (double)stats.effective);
}

static void draw_view_menu(struct app *app)
{
    const struct look *look = &app->look;
    const struct remarking *remarking = &app->remarking;
    struct viewmenu menu = {.lens = look->lens,
                            .hard = look->hard,
                            .ribbon = look->ribbon,
                            .shade = app->shade,
                            .readings = remarking->readings,
                            .list = remarking->list,
                            .model1 = remarking->model1,
                            .compare = rivals_show_difference(app) ? COMPARE_DIFFERENCE
                                       : app->rivals.count         ? COMPARE_BESIDE
                                                                   : COMPARE_NONE};
    struct viewmenu_result result = viewmenu_draw(&app->ui, &menu);
    if (result.line)
        app_run(app, result.line);
    if (result.outside && app->ui.hot != ui_hash("View"))
        app_run(app, "view menu");
}

static void draw_overlays(struct app *app, const struct layout *layout)
{
    if (*app->banner &&
        overlay_banner(&app->ui, layout->panel, app->banner, app->banner_done))
        app_say(app, "");
    if (middle_has_matrix(app))
        what_if_draw_list(app, layout->panel);
    top_draw_more(app);
    if (app->look.menu)
        draw_view_menu(app);
    if (app->saving.open)
        saving_draw(app);
    if (app->help) {
        struct overlay_line lines[KEYS_HELP_MAX];
        int count = keys_help(lines, KEYS_HELP_MAX);
        char reading[512];
        explain(app, reading, sizeof reading);
        if (overlay_help(&app->ui, lines, count, reading, app->help))
            app_run(app, "help");
    }
}

static void take_drop(struct app *app, const struct input *input)
{
    if (input->dropped_text && input->drop_text) {
        textedit_set(app->edit, input->drop_text, input->drop_text_length);
        app_text_changed(app);
    } else if (input->drop[0]) {
        app_open_path(app, input->drop);
    }
}

static void draw_window(struct app *app, const struct layout *layout, struct scene *shown,
                        struct scene *scene)
{
    top_draw(app, layout->top);
    draw_sentence(app, layout);
    middle_draw(app, layout, shown, scene);
    if (layout->forming.w > 0 && app->history.count > 1) // another model since?
        draw_forming(app, layout->forming);
    draw_bottom(app, layout->bottom, scene);
}

static void draw_once(struct app *app, const struct input *input)
{
    draw_reset(&app->list);
    ui_begin(&app->ui, input, style_of(app->theme), &app->list);
    if (app->blank) {
        keys_handle(app);
        ui_end(&app->ui);
        app->animating = false;
        return;
    }
    struct layout layout = layout_of(input->width, input->height, app->history.count > 1);
    struct scene scene, shown;
    app_scene(app, &scene);
    shown = scene;
    look_scene(app, &app->show, &shown);
    what_if_scene(app, &app->show, &shown);
    bool keys_first = app->typing_tau || app->help;
    if (keys_first)
        keys_handle(app);
    if (app->equation.open)
        equation_draw(app, layout_whole(&layout));
    else
        draw_window(app, &layout, &shown, &scene);
    draw_overlays(app, &layout);
    if (!keys_first)
        keys_handle(app);
    ui_end(&app->ui);
    app->animating = scene_fading(&scene) || rivals_fading(app);
}

struct input app_still(const struct input *input)
{
    struct input still = *input;
    still.pressed = still.released = false;
    still.wheel_x = still.wheel_y = 0;
    still.n_edits = 0;
    still.drop[0] = '\0';
    still.dropped_text = false;
    return still;
}

int app_frame(struct app *app, const struct ui_host *host, const struct input *input)
{
    app->now_ms = input->now_ms;
    app->ui.host = host;
    if (input->quit)
        app->quit = true;
    take_drop(app, input);
    app_update(app, true);
    play_on(app);
    int reveal_ms = reveal_tick(app);
    app->dirty = false;
    draw_once(app, input);
    for (int again = 0; app->dirty && again < 3; again++) {
        app->dirty = false;
        app_update(app, true);
        struct input still = app_still(input);
        draw_once(app, &still);
    }
    app->still = app_still(input);
    app->ui.input = &app->still;
    if (app->animating || app->ui.animating)
        return 16;
    if (app->playing)
        return PLAY_MS / 4;
    return reveal_ms;
}
