// SPDX-License-Identifier: MIT
// Drives the application in tests. See driver.h.
#include "driver.h"

#include "drawn.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/state.h"
#include "text/utf8.h"

enum { PATIENCE = 100000 }; // ms; only a failing test waits this long

static float fixed_width(void *context, enum font font, float size, const char *text,
                         size_t length)
{
    (void)context;
    (void)font;
    return 0.5f * size * (float)utf8_columns(text, length);
}

static const char *clipboard_get(void *context)
{
    return ((struct driver *)context)->clipboard;
}

static void clipboard_set(void *context, const char *text)
{
    struct driver *driver = context;
    snprintf(driver->clipboard, sizeof driver->clipboard, "%s", text);
}

// Stands for a picture: what was drawn, as a number.
static bool picture(void *context, enum sheet_kind kind, const struct sheet *sheet,
                    struct buf *out, struct error *err)
{
    (void)context;
    return buf_printf(out, "%s %016llx %.0fx%.0f at %g", sheet_kind_name(kind),
                      (unsigned long long)draw_hash(sheet->list), (double)sheet->width,
                      (double)sheet->height, (double)sheet->scale) ||
           fail_nomem(err, "a picture");
}

struct driver *driver_open(const char *model, const char *text)
{
    struct driver *driver = calloc(1, sizeof *driver);
    if (!driver)
        return NULL;
    struct error err;
    struct app_options options = {.models_root = ALPHASCOPE_TESTS "/../models",
                                  .model = model,
                                  .text = text,
                                  .tau = 1,
                                  .report = true,
                                  .files = {.picture = picture},
                                  .hide_times = true};
    driver->host = (struct ui_host){.context = driver,
                                    .text_width = fixed_width,
                                    .clipboard_get = clipboard_get,
                                    .clipboard_set = clipboard_set};
    driver->input =
        (struct input){.width = 1440, .height = 900, .scale = 1, .x = -1e6f, .y = -1e6f};
    driver->app = app_create(&options, &err);
    if (!driver->app) {
        free(driver);
        return NULL;
    }
    return driver;
}

struct driver *driver_ready(const char *model, const char *text)
{
    struct driver *driver = driver_open(model, text);
    if (driver && driver_settle(driver))
        return driver;
    driver_close(driver);
    return NULL;
}

void driver_close(struct driver *driver)
{
    if (driver)
        app_destroy(driver->app);
    free(driver);
}

void driver_frame(struct driver *driver)
{
    driver->input.now_ms += 1000; // whatever fades has faded
    app_frame(driver->app, &driver->host, &driver->input);
    const char *fault = drawn_badly(app_list(driver->app));
    if (fault) {
        fprintf(stderr, "a frame is drawn badly: %s\n", fault);
        abort();
    }
    driver->input.n_edits = 0;
    driver->input.pressed = driver->input.released = false;
    driver->input.wheel_y = 0;
    driver->input.drop[0] = '\0';
}

bool driver_settle(struct driver *driver)
{
    for (int i = 0; i < 50; i++) {
        app_settle(driver->app, PATIENCE);
        driver_frame(driver);
        if (app_is_complete(driver->app)) {
            driver_frame(driver);
            return true;
        }
    }
    return false;
}

void driver_key(struct driver *driver, enum key key, char ch, unsigned mods)
{
    driver->input.edits[driver->input.n_edits++] =
        (struct edit_event){.key = {.key = key, .ch = ch, .mods = mods}};
    driver_frame(driver);
}

void driver_type(struct driver *driver, const char *text)
{
    size_t length = strlen(text), at = 0;
    while (at < length) {
        size_t next = utf8_next(text, length, at);
        struct edit_event edit = {0};
        snprintf(edit.text, sizeof edit.text, "%.*s", (int)(next - at), text + at);
        driver->input.edits[driver->input.n_edits++] = edit;
        driver_frame(driver);
        at = next;
    }
}

void driver_move(struct driver *driver, float x, float y)
{
    driver->input.x = x;
    driver->input.y = y;
    driver_frame(driver);
}

void driver_click(struct driver *driver, float x, float y)
{
    driver_move(driver, x, y);
    driver->input.pressed = driver->input.down = true;
    driver->input.clicks = 1;
    driver_frame(driver);
    driver->input.down = false;
    driver->input.released = true;
    driver_frame(driver);
}

void driver_drop(struct driver *driver, const char *path)
{
    snprintf(driver->input.drop, sizeof driver->input.drop, "%s", path);
    driver_frame(driver);
}

bool driver_command(struct driver *driver, const char *line)
{
    struct error err;
    return app_command(driver->app, line, &err);
}

bool driver_sees(const struct driver *driver, const char *text)
{
    return draw_find_text(app_list(driver->app), text) != NULL;
}

// Of those that begin left of x.
static int count_left_of(const struct driver *driver, const char *text, float x)
{
    const struct draw_list *list = app_list(driver->app);
    int count = 0;
    for (int i = 0; i < list->count; i++) {
        const struct draw_cmd *cmd = &list->cmds[i];
        if (cmd->kind == DRAW_TEXT && cmd->rect.x < x && cmd->length == strlen(text) &&
            !memcmp(list->bytes + cmd->offset, text, cmd->length))
            count++;
    }
    return count;
}

int driver_count(const struct driver *driver, const char *text)
{
    return count_left_of(driver, text, INFINITY);
}

int driver_labels(const struct driver *driver, const char *text)
{
    return count_left_of(driver, text, 140);
}

uint64_t driver_hash(const struct driver *driver)
{
    return draw_hash(app_list(driver->app));
}

bool driver_shows(const struct driver *driver, const char *format, ...)
{
    char text[200];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return driver_sees(driver, text);
}

// The position of the largest, but for one that is left out.
static int largest(const float *e, int n, int but)
{
    int best = but == 0 ? 1 : 0;
    for (int s = 0; s < n; s++)
        if (s != but && e[s] > e[best])
            best = s;
    return best;
}

struct driver_row driver_row(const struct driver *driver, int t)
{
    const struct alignment *now = driver->app->show.now;
    size_t from = (size_t)t * (size_t)now->n_src;
    struct driver_row row = {.word = now->target[t].text,
                             .e = now->score + from,
                             .alpha = now->alpha + from,
                             .n = now->n_src};
    row.best = largest(row.e, row.n, -1);
    row.next = largest(row.e, row.n, row.best);
    row.read = now->source[row.best].text;
    row.most = (double)row.e[row.best];
    row.gap = (double)row.e[row.next] - row.most;
    row.power = exp(row.gap);
    for (int s = 0; s < row.n; s++)
        row.sum += exp((double)row.e[s] - row.most);
    return row;
}

const char *driver_term(const struct driver_row *row, int s)
{
    static const char *const digits[] = {"₀", "₁", "₂", "₃", "₄",
                                         "₅", "₆", "₇", "₈", "₉"};
    static char text[32];
    int n = s + 1;
    snprintf(text, sizeof text, "%.3f h%s%s", (double)row->alpha[s],
             n < 10 ? "" : digits[n / 10 % 10], digits[n % 10]);
    return text;
}

const struct alignment *driver_now(const struct driver *driver)
{
    return driver->app->show.now;
}

const char *driver_word(const struct driver *driver, int row)
{
    const struct alignment *now = driver_now(driver);
    return row >= 1 && row <= alignment_rows(now) ? now->target[row - 1].text : "no row";
}

bool driver_sees_rows(const struct driver *driver)
{
    int rows = alignment_rows(driver_now(driver));
    for (int row = 1; row <= rows; row++) {
        const char *word = driver_word(driver, row);
        int same = 0;
        for (int other = 1; other <= rows; other++)
            same += !strcmp(driver_word(driver, other), word);
        if (driver_count(driver, word) < same)
            return false;
    }
    return rows > 0;
}

const char *driver_words(const char *format, ...)
{
    static char words[8][512];
    static int turn;
    va_list args;
    turn = (turn + 1) % 8;
    va_start(args, format);
    vsnprintf(words[turn], sizeof words[turn], format, args);
    va_end(args);
    return words[turn];
}
