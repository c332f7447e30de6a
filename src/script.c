// SPDX-License-Identifier: MIT
// Running scripts. See script.h.
#include "script.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"

enum { SCRIPT_MAX_BYTES = 1 << 20, LINE_MAX_BYTES = 8192, REST_MS = 10 };

// The next line that is neither blank nor a comment, from *at on, without what ends it;
// *number counts the lines. NULL: there is none.
static const char *next_line(const struct script *script, size_t *at, int *number,
                             size_t *length)
{
    const char *text = buf_text(&script->text);
    while (*at < script->text.length) {
        const char *begin = text + *at;
        *length = strcspn(begin, "\n");
        *at += *length + 1;
        ++*number;
        while (*length && (begin[*length - 1] == '\r' || begin[*length - 1] == ' '))
            --*length;
        if (*length && begin[0] != '#')
            return begin;
    }
    return NULL;
}

// A line that is too long is said before the first one runs.
static bool check_lines(const struct script *script, const char *path, struct error *err)
{
    size_t at = 0, length = 0;
    int number = 0;
    while (next_line(script, &at, &number, &length))
        if (length >= LINE_MAX_BYTES)
            return fail_with(err, ERR_LIMIT,
                             "%s: line %d is %zu bytes long, the limit is %d", path,
                             number, length, LINE_MAX_BYTES - 1);
    return true;
}

bool script_load(struct script *script, const char *path, struct error *err)
{
    *script = (struct script){.path = path};
    buf_init(&script->text, SCRIPT_MAX_BYTES);
    return file_read(path, &script->text, err) && check_lines(script, path, err);
}

void script_finish(struct script *script)
{
    buf_finish(&script->text);
}

void script_say_words(struct buf *out)
{
    buf_add(out, "wait\n    until the picture is complete and rests; measuring goes on\n"
                 "sleep MS\n    lets the window live that long\n"
                 "shot FILE\n    what was last painted as PNG\n"
                 "# TEXT\n    a comment\n");
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
    size_t length = 0;
    *wait_ms = -1;
    if (script->waiting && !app_is_at_rest(app)) {
        *wait_ms = REST_MS; // the worker says when it has done, not when it rests
        return true;
    }
    script->waiting = false;
    if (now_ms < script->until_ms) {
        *wait_ms = (int)(script->until_ms - now_ms);
        return true;
    }
    const char *begin = next_line(script, &script->at, &script->number, &length);
    if (!begin)
        return true;
    snprintf(line, sizeof line, "%.*s", (int)length, begin);
    *wait_ms = 0; // the effect of this line is painted before the next one
    struct error why;
    return run_line(script, app, window, now_ms, line, &why) ||
           fail_with(err, why.code, "%s: line %d: %.900s", script->path, script->number,
                     why.text);
}
