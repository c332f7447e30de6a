// SPDX-License-Identifier: MIT
// The picture by itself, for paper: the middle of the window with a caption.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "app/middle.h"
#include "app/state.h"
#include "view/tau.h"

// Of a model that is still learning: " · step 30 of 1500"; else "".
static void say_checkpoint(const struct app *app, char *out, size_t size)
{
    struct stage stage;
    *out = '\0';
    if (app_stage(app, &stage))
        snprintf(out, size, " · step %" PRId64 " of %" PRId64, stage.step, stage.steps);
}

static void draw_caption(struct app *app, struct rect at)
{
    char line[200], languages[64], step[64], left[384], right[128], tau[32], beam[48];
    if (app->rivals.count && middle_has_matrix(app)) // each has its name over it
        snprintf(line, sizeof line, "%s",
                 rivals_show_difference(app) ? "Difference" : "Side by side");
    else
        library_line(&app->library, app->model, line, sizeof line);
    model_dir_languages(app->library.entries[app->model].dir, languages,
                        sizeof languages);
    tau_format(tau, sizeof tau, app->tau);
    say_checkpoint(app, step, sizeof step);
    snprintf(left, sizeof left, "%s · %s%s", line, languages, step);
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
    struct input still = app_still(app->ui.input);
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
    app->ui.paper = true;
    if (app->equation.open) {
        equation_draw(app, layout_whole(layout));
    } else {
        middle_draw(app, layout, &shown, &scene);
        struct rect all = layout_middle(layout);
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
    struct rect all = page ? layout_whole(&layout) : layout_middle(&layout);
    float scale = input->scale, caption = page ? 0 : CAPTION;
    draw_alone(app, &layout, list);
    draw_move(list, roundf((MARGIN - all.x) * scale) / scale,
              roundf((MARGIN + caption - all.y) * scale) / scale);
    *sheet = (struct sheet){list, all.w + 2 * MARGIN, all.h + 2 * MARGIN + caption, scale,
                            style_of(app->theme)->ground};
}
