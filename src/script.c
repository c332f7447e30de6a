// SPDX-License-Identifier: MIT
// Running scripts. See script.h.
#include "script.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"

enum { SCRIPT_MAX_BYTES = 1 << 20, LINE_MAX_BYTES = 8192 };

bool script_load(struct script *script, const char *path, struct error *err)
{
    *script = (struct script){0};
    buf_init(&script->text, SCRIPT_MAX_BYTES);
    return file_read(path, &script->text, err);
}

void script_finish(struct script *script)
{
    buf_finish(&script->text);
}

// The next line that is neither blank nor a comment; false at the end.
static bool next_line(struct script *script, char *line, size_t size)
{
    const char *text = buf_text(&script->text);
    while (script->at < script->text.length) {
        const char *begin = text + script->at;
        size_t length = strcspn(begin, "\n");
        script->at += length + 1;
        while (length && (begin[length - 1] == '\r' || begin[length - 1] == ' '))
            length--;
        if (!length || begin[0] == '#')
            continue;
        snprintf(line, size, "%.*s", (int)(length < size ? length : size - 1), begin);
        return true;
    }
    return false;
}

static bool run_line(struct script *script, struct app *app, struct window *window,
                     uint64_t now_ms, const char *line, struct error *err)
{
    unsigned ms = 0;
    if (!strcmp(line, "wait")) {
        script->waiting = true;
        return true;
    }
    if (sscanf(line, "sleep %u", &ms) == 1) {
        script->until_ms = now_ms + ms;
        return true;
    }
    if (!strncmp(line, "shot ", 5))
        return window_save_png(window, line + 5, err);
    return app_command(app, line, err);
}

bool script_run(struct script *script, struct app *app, struct window *window,
                uint64_t now_ms, int *wait_ms, struct error *err)
{
    char line[LINE_MAX_BYTES];
    *wait_ms = -1;
    if (script->waiting && !app_is_complete(app))
        return true;
    script->waiting = false;
    if (now_ms < script->until_ms) {
        *wait_ms = (int)(script->until_ms - now_ms);
        return true;
    }
    if (!next_line(script, line, sizeof line))
        return true;
    *wait_ms = 0; // the effect of this line is painted before the next one
    return run_line(script, app, window, now_ms, line, err);
}
