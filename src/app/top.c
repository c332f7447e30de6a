// SPDX-License-Identifier: MIT
// The bar at the top: the model in use, those of its languages, the way to the pages.
// What it has no room for lies in a small menu, so that all of it can be clicked.
#include <stdio.h>
#include <string.h>

#include "app/command.h"
#include "app/state.h"

static const struct {
    const char *label, *line;
} links[] = {
    // the first ones go to the menu first
    {"Equation", "equation"},
    {"Examples", "example next"},
    {"Bottleneck", "bottleneck"},
    {"Heads", "attention page toggle"},
    {"Beam", "beam tree toggle"},
    {"What if", "what-if mode"},
    {"Save", "save"},
    {"View", "view menu"},
};

enum { LINKS = sizeof links / sizeof *links, HEADS = 3 };

struct top { // of one frame
    struct topbar bar;
    int shown[LINKS]; // of `links`
    int group[CONTROLS_MAX_MODELS];
    char labels[CONTROLS_MAX_MODELS][64], languages[64], line[200];
};

static void fill_models(const struct app *app, struct top *top)
{
    struct topbar *bar = &top->bar;
    int shown = app->wanted >= 0 ? app->wanted : app->model;
    if (shown < 0)
        return;
    bar->count = library_group(&app->library, shown, top->group, CONTROLS_MAX_MODELS);
    int first = bar->count ? top->group[0] : shown;
    bar->more_languages = library_next_group(&app->library, shown) != first;
    for (int i = 0; i < bar->count; i++) {
        library_label(&app->library, top->group[i], top->labels[i],
                      sizeof top->labels[i]);
        bar->labels[i] = top->labels[i];
        if (top->group[i] == app->model)
            bar->chosen = i;
        bar->beside[i] = rivals_beside(app, top->group[i]);
    }
}

static void fill(const struct app *app, struct top *top)
{
    *top = (struct top){.bar = {.chosen = NOWHERE}, .line = "no model is open"};
    top->bar.languages = top->languages;
    top->bar.model_line = top->line;
    top->bar.more = app->more.open;
    if (app->model >= 0) {
        const struct library_entry *entry = &app->library.entries[app->model];
        model_dir_languages(entry->dir, top->languages, sizeof top->languages);
        library_line(&app->library, app->model, top->line, sizeof top->line);
    }
    fill_models(app, top);
    for (int i = 0; i < LINKS; i++) {
        if (i == HEADS && !heads_there(app))
            continue;
        top->shown[top->bar.n_links] = i;
        top->bar.links[top->bar.n_links++] = links[i].label;
    }
}

static void act(struct app *app, const struct top *top,
                const struct topbar_result *result)
{
    char line[40];
    if (result->link >= 0)
        app_run(app, links[top->shown[result->link]].line);
    snprintf(line, sizeof line, "beside button %d", result->model + 1);
    if (result->model >= 0 && app->ui.input->mods & MOD_SHIFT)
        app_run(app, line);
    else if (result->model >= 0)
        app_open(app, top->group[result->model]);
    if (result->languages)
        app_run(app, "languages");
    if (result->help)
        app_run(app, "help");
    if (result->more)
        app_run(app, "more toggle");
}

void top_draw(struct app *app, struct rect at)
{
    struct top top;
    fill(app, &top);
    struct topbar_result result = controls_topbar(&app->ui, at, &top.bar);
    app->more.left = result.left;
    act(app, &top, &result);
}

void top_draw_more(struct app *app)
{
    struct top top;
    if (!app->more.open || !app->more.left.count)
        return;
    fill(app, &top);
    struct topbar_result result = controls_more(&app->ui, &app->more.left, &top.bar);
    if (result.link >= 0 || result.model >= 0 || result.more) {
        app->more.open = false;
        app->dirty = true;
    }
    result.more = false;
    act(app, &top, &result);
}

bool command_more(struct app *app, const char *argument, struct error *err)
{
    bool toggle = !strcmp(argument, "toggle") || !*argument;
    bool on = !strcmp(argument, "on");
    if (!toggle && !on && strcmp(argument, "off") != 0)
        return fail_with(err, ERR_USAGE,
                         "more: found '%.100s', expected on, off or toggle", argument);
    app->more.open = toggle ? !app->more.open : on;
    return true;
}
