// SPDX-License-Identifier: MIT
// One frame: lay out the window, draw it, act on what the user did. When acting changed
// something that was drawn already, the frame is drawn once more without the events, so
// that what is painted is never a step behind.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "align/telemetry.h"
#include "app/state.h"
#include "ui/widgets.h"
#include "view/controls.h"
#include "view/forming.h"
#include "view/overlay.h"
#include "view/panel.h"
#include "view/short.h"
#include "view/tau.h"
#include "view/viewmenu.h"
#include "view/wrap.h"

enum { PLAY_MS = 400 }; // a checkpoint stands so long while the training is played

struct layout {
    struct rect top, sentence, panel, microscope, forming, bottom; // .w 0: no room
    float sentence_size;                                           // font size
};

// has_history: the model brings checkpoints of its training.
static struct layout layout_of(float w, float h, bool has_history)
{
    struct layout l = {0};
    float margin = w >= 1000 ? 24 : 14, gap = h >= 640 ? 18 : h >= 500 ? 10 : 8;
    float inner = w - 2 * margin, y = h >= 640 ? 16 : 8;
    l.top = rect_make(margin, y, inner, 30);
    y += 30 + gap * 0.85f;
    l.sentence = rect_make(margin, y, inner, h >= 640 ? 56 : h >= 500 ? 44 : 38);
    l.sentence_size = h >= 640 ? 26 : h >= 500 ? 20 : 18;
    y += l.sentence.h + gap;
    float bottom = h >= 600 ? 94 : 58;
    l.bottom = rect_make(margin, h - gap - bottom, inner, bottom);
    float room = l.bottom.y - gap - y;
    float strip = h >= 600 ? FORMING_HEIGHT : FORMING_LOW;
    if (has_history && room >= 200) {
        room -= strip + gap;
        l.forming = rect_make(margin, y + room + gap, inner, strip);
    }
    float look = w >= 1180 ? 344 : w >= 940 ? 264 : 0;
    if (room < 330)
        look = 0;
    l.microscope = rect_make(margin + inner - look, y, look, room);
    l.panel = rect_make(margin, y, inner - (look > 0 ? look + 22 : 0), room);
    return l;
}

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

static void run(struct app *app, const char *line)
{
    struct error err;
    if (!app_command(app, line, &err))
        app_say(app, err.text);
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

// Matrix and microscope together.
static struct rect all_of(const struct layout *layout)
{
    struct rect all = layout->panel;
    if (layout->microscope.w > 0)
        all.w = layout->microscope.x + layout->microscope.w - all.x;
    return all;
}

// A note tells of the first model of the group, fully trained, at τ = 1.
static bool note_is_true(const struct app *app)
{
    int first = NOWHERE;
    library_group(&app->library, app->model, &first, 1);
    bool trained = !app->history.count || app->checkpoint == app->history.count - 1;
    return app->model == first && trained && !(app->tau < 1) && !(app->tau > 1);
}

// What there is to see in an example, over the matrix; it takes its lines from `at`. A
// matrix without an example keeps the room, so that typing one more letter moves nothing.
static void draw_note(struct app *app, struct rect *at)
{
    if (what_if_draw(app, at))
        return; // it has the place: a note tells of what is not edited
    if (at->h < 290 || !app->examples.count)
        return;
    int example = examples_at(&app->examples, textedit_text(app->edit));
    if (example >= 0 && note_is_true(app))
        wrap_draw(&app->ui, FONT_TEXT, 14, app->ui.style->dim,
                  rect_make(at->x, at->y, at->w, 0), 20, -1,
                  app->examples.list[example].note);
    at->y += 26;
    at->h -= 26;
}

// `real` has the alignment's own tokens, for the microscope.
static void draw_panel(struct app *app, const struct layout *layout, struct scene *scene,
                       struct scene *real)
{
    if (app->bottleneck.open) {
        bottleneck_draw(app, all_of(layout));
        return;
    }
    if (app->beaming.open) {
        beam_draw(app, all_of(layout));
        return;
    }
    if (app->blocking.open && heads_there(app) && block_draw(app, all_of(layout)))
        return;
    if (app->heading.open && heads_there(app)) {
        heads_draw(app, all_of(layout));
        return;
    }
    app->scope_has_room =
        layout->microscope.w > 0 && !app->rivals.count && !app->remarking.readings;
    if (app->scope.page != SCOPE_PANEL) {
        scope_pages(app, all_of(layout), real);
        return;
    }
    if (app->rivals.count && app->model >= 0) {
        rivals_draw(app, all_of(layout), scene);
        return;
    }
    if (layout->microscope.w <= 0 && remarks_panel(app, all_of(layout), scene))
        return; // both have no room
    struct rect at = layout->panel;
    heads_title(app, &at, scene);
    draw_note(app, &at);
    float scale = app->ui.input->scale;
    bool same_room = app->kept_room.w < 0 || // any: the size was asked for
                     (!memcmp(&at, &app->kept_room, sizeof at) &&
                      app->kept_scale >= scale && app->kept_scale <= scale);
    scene->keep = same_room ? app->kept_cells : (struct cell_size){0};
    struct panel panel = panel_layout(&app->ui, at, scene);
    if (look_reveal(app, &panel, scene)) {
        scene->port = app->look.port;
        panel = panel_layout(&app->ui, at, scene);
    }
    if (scene->now && scene->now->n_src > 0)
        app->kept_cells = panel.grid.fitted;
    app->kept_room = at;
    app->kept_scale = scale;
    look_pointer(app, &panel, scene);
    panel_draw(&app->ui, scene, &panel);
    look_hover(app, scene, real);
    if (layout->microscope.w > 0 && !remarks_panel(app, layout->microscope, scene))
        scope_panel(app, layout->microscope, real);
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
        run(app, "play");
}

// The next checkpoint, when the one on the screen has stood for a moment.
static void play_on(struct app *app)
{
    if (!app->playing || !app_is_complete(app) || app->now_ms < app->played_ms + PLAY_MS)
        return;
    if (app->checkpoint >= app->history.count - 1)
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
        run(app, result.reread ? "mode re-read" : "mode re-decode");
    if (result.tau_clicked)
        run(app, "type-tau");
    if (result.step != STEP_NONE)
        run(app, steps[result.step]);
    if (result.reveal)
        run(app, "reveal toggle");
    if (result.play)
        run(app, "reveal play");
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
        run(app, result.line);
    if (result.outside && app->ui.hot != ui_hash("View"))
        run(app, "view menu");
}

static void draw_overlays(struct app *app, const struct layout *layout)
{
    if (*app->banner && overlay_banner(&app->ui, layout->panel, app->banner))
        app_say(app, "");
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
            run(app, "help");
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
    draw_panel(app, layout, shown, scene);
    if (layout->forming.w > 0 && app->history.count > 1) // another model since?
        draw_forming(app, layout->forming);
    draw_bottom(app, layout->bottom, scene);
}

// From the top bar to the lower one.
static struct rect whole_of(const struct layout *layout)
{
    struct rect all = layout->top;
    all.h = layout->bottom.y + layout->bottom.h - all.y;
    return all;
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
        equation_draw(app, whole_of(&layout));
    else
        draw_window(app, &layout, &shown, &scene);
    draw_overlays(app, &layout);
    if (!keys_first)
        keys_handle(app);
    ui_end(&app->ui);
    app->animating = scene_fading(&scene) || rivals_fading(app);
}

// The same window and pointer, but nothing happens any more.
static struct input quiet(const struct input *input)
{
    struct input still = *input;
    still.pressed = still.released = false;
    still.wheel_x = still.wheel_y = 0;
    still.n_edits = 0;
    still.drop[0] = '\0';
    still.dropped_text = false;
    return still;
}

static void draw_caption(struct app *app, struct rect at)
{
    char line[200], languages[64], left[320], right[128], tau[32], beam[48];
    library_line(&app->library, app->model, line, sizeof line);
    model_dir_languages(app->library.entries[app->model].dir, languages,
                        sizeof languages);
    tau_format(tau, sizeof tau, app->tau);
    snprintf(left, sizeof left, "%s · %s", line, languages);
    beam_say(app, beam, sizeof beam);
    snprintf(right, sizeof right, "%s%sτ = %s, %s", beam, *beam ? " · " : "", tau,
             app->reread ? "re-read" : "re-decode");
    float w = ui_text_width(&app->ui, FONT_TEXT, 13.5f, right, -1) + 16;
    ui_text_fit(&app->ui, FONT_BOLD, 15, rect_make(at.x, at.y, at.w - w, at.h), -1,
                app->ui.style->ink, left);
    ui_text_fit(&app->ui, FONT_TEXT, 13.5f, at, 1, app->ui.style->dim, right);
}

// The panel by itself; what is laid out for it leaves no trace in the window.
static void draw_alone(struct app *app, const struct layout *layout,
                       struct draw_list *list)
{
    struct ui ui = app->ui;
    struct look look = app->look;
    struct cell_size cells = app->kept_cells;
    struct input still = quiet(app->ui.input);
    struct scene scene, shown;
    still.x = still.y = -1e6f;
    still.down = false;
    app->now_ms = UINT64_MAX; // nothing is fading on paper
    app_scene(app, &scene);
    shown = scene;
    look_scene(app, &app->show, &shown);
    what_if_scene(app, &app->show, &shown);
    draw_reset(list);
    ui_begin(&app->ui, &still, style_of(app->theme), list);
    ui_set_focus(&app->ui, 0);
    if (app->equation.open) {
        equation_draw(app, whole_of(layout));
    } else {
        draw_panel(app, layout, &shown, &scene);
        struct rect all = all_of(layout);
        draw_caption(app, rect_make(all.x, all.y - 38, all.w, 22));
    }
    ui_end(&app->ui);
    app->ui = ui;
    app->look = look;
    app->kept_cells = cells;
    app->now_ms = still.now_ms;
}

// At the place where it is on the screen, so that nothing is laid out anew, and then
// moved by whole pixels.
void app_draw_sheet(struct app *app, struct draw_list *list, struct sheet *sheet)
{
    enum { MARGIN = 24, CAPTION = 28 };
    const struct input *input = app->ui.input;
    struct layout layout = layout_of(input->width, input->height, app->history.count > 1);
    bool page = app->equation.open;
    struct rect all = page ? whole_of(&layout) : all_of(&layout);
    float scale = input->scale, caption = page ? 0 : CAPTION;
    draw_alone(app, &layout, list);
    draw_move(list, roundf((MARGIN - all.x) * scale) / scale,
              roundf((MARGIN + caption - all.y) * scale) / scale);
    *sheet = (struct sheet){list, all.w + 2 * MARGIN, all.h + 2 * MARGIN + caption, scale,
                            style_of(app->theme)->ground};
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
        struct input still = quiet(input);
        draw_once(app, &still);
    }
    app->still = quiet(input);
    app->ui.input = &app->still;
    if (app->animating || app->ui.animating)
        return 16;
    if (app->playing)
        return PLAY_MS / 4;
    return reveal_ms;
}
