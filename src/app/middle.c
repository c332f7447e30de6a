// SPDX-License-Identifier: MIT
// The middle of the window: the matrix, or what stands in its place, with the note above
// and the microscope beside it. See middle.h.
#include "app/middle.h"

#include <stdio.h>
#include <string.h>

#include "app/state.h"
#include "view/panel.h"
#include "view/wrap.h"

// A note tells of the first model of the group, fully trained, at τ = 1.
static bool note_is_true(const struct app *app)
{
    int first = NOWHERE;
    library_group(&app->library, app->model, &first, 1);
    bool plain = app->beaming.beam.width == 0 && !(app->dropout > 0);
    return app->model == first && !app_is_forming(app) && plain && !(app->tau < 1) &&
           !(app->tau > 1);
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
    if (example >= 0 && note_is_true(app)) {
        char note[sizeof app->examples.list->note + 16];
        snprintf(note, sizeof note, "%s%s",
                 lens_is_clear(&app->look.lens) ? "" : "As tokens: ",
                 app->examples.list[example].note);
        wrap_draw(&app->ui, FONT_TEXT, 14, app->ui.style->dim,
                  rect_make(at->x, at->y, at->w, 0), 20, -1, note);
    }
    at->y += 26;
    at->h -= 26;
}

// Those of the model that made the alignment; "" when it is not in the library.
static const char *languages_of(const struct app *app, const struct scene *scene)
{
    const char *id = scene->now ? scene->now->model : NULL;
    int entry = id ? library_find(&app->library, id) : -1;
    return entry < 0 ? "" : app->library.entries[entry].listing.config.languages;
}

// While one types and tries models cells keep their size: nothing jumps.
static bool cells_stay(const struct app *app, struct rect at, const struct scene *scene)
{
    float scale = app->ui.input->scale;
    if (app->kept_room.w < 0) // any: the size was asked for
        return true;
    return !memcmp(&at, &app->kept_room, sizeof at) && app->kept_scale >= scale &&
           app->kept_scale <= scale &&
           !strcmp(languages_of(app, scene), app->kept_languages);
}

bool middle_has_matrix(const struct app *app)
{
    bool heads = (app->blocking.open || app->heading.open) && heads_there(app);
    return !app->equation.open && !app->bottleneck.open && !app->beaming.open && !heads &&
           app->scope.page == SCOPE_PANEL;
}

void middle_draw(struct app *app, const struct layout *layout, struct scene *scene,
                 struct scene *real)
{
    if (app->bottleneck.open) {
        bottleneck_draw(app, layout_middle(layout));
        return;
    }
    if (app->beaming.open) {
        beam_draw(app, layout_middle(layout));
        return;
    }
    if (app->blocking.open && heads_there(app) && block_draw(app, layout_middle(layout)))
        return;
    if (app->heading.open && heads_there(app)) {
        heads_draw(app, layout_middle(layout));
        return;
    }
    app->scope_has_room =
        layout->microscope.w > 0 && !app->rivals.count && !app->remarking.readings;
    if (app->scope.page != SCOPE_PANEL) {
        scope_pages(app, layout_middle(layout), real);
        return;
    }
    bool empty = scene->now && scene->now->n_src == 0 && !rivals_show_difference(app);
    if (app->rivals.count && app->model >= 0 && !empty) {
        rivals_draw(app, layout_middle(layout), scene);
        return;
    }
    if (layout->microscope.w <= 0 && remarks_panel(app, layout_middle(layout), scene))
        return; // both have no room
    struct rect at = layout->panel;
    heads_title(app, &at, scene);
    draw_note(app, &at);
    float scale = app->ui.input->scale;
    scene->keep = cells_stay(app, at, scene) ? app->kept_cells : (struct cell_size){0};
    struct panel panel = panel_layout(&app->ui, at, scene);
    if (look_reveal(app, &panel, scene)) {
        scene->port = app->look.port;
        panel = panel_layout(&app->ui, at, scene);
    }
    if (scene->now && scene->now->n_src > 0) {
        app->kept_cells = panel.grid.fitted;
        snprintf(app->kept_languages, sizeof app->kept_languages, "%s",
                 languages_of(app, scene));
    }
    app->kept_room = at;
    app->kept_scale = scale;
    look_pointer(app, &panel, scene);
    panel_draw(&app->ui, scene, &panel);
    look_hover(app, scene, real);
    if (layout->microscope.w > 0 && !remarks_panel(app, layout->microscope, scene))
        scope_panel(app, layout->microscope, real);
}
