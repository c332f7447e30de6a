// SPDX-License-Identifier: MIT
// What the program tells a script that watches it: one JSON object a line.
#include <stdio.h>
#include <string.h>

#include "app/state.h"
#include "formats/write.h"

void report_event(struct app *app, const char *event, const char *key, const char *value)
{
    if (!app->report)
        return;
    buf_add(&app->reports, "{\"event\":");
    write_string(&app->reports, event);
    if (key) {
        buf_add(&app->reports, ",");
        write_string(&app->reports, key);
        buf_add(&app->reports, ":");
        write_string(&app->reports, value);
    }
    buf_add(&app->reports, "}\n");
}

void report_decoding(struct app *app)
{
    if (!app->report || app->model < 0)
        return;
    struct scene scene = {0};
    show_scene(&app->show, &scene);
    struct reading reading = {
        .alignment = scene.now,
        .alpha = scene.alpha,
        .tau = app->tau,
        .mode = app->reread ? "re-read" : "re-decode",
        .name = app->library.entries[app->model].listing.id,
    };
    if (!write_json(&app->reports, &reading, NULL))
        buf_clear(
            &app->reports); // no memory: a watcher sees nothing rather than half a line
}
