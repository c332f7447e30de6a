// SPDX-License-Identifier: MIT
// Saving and copying what is on the screen. A name's ending says what becomes of it; a
// file is replaced whole or not at all.
#include "app/saving.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "app/state.h"
#include "base/file.h"
#include "formats/write.h"
#include "view/savebox.h"

enum { FILE_BYTES = 256 << 20, NAME_LETTERS = 40, NAMES_TRIED = 1000 };

enum { SAVE_SESSION = SHEET_KINDS + WRITE_FORMATS, SAVE_FORMATS };

static const char *const labels[SAVE_FORMATS] = {
    "PNG", "SVG", "PDF", "JSON", "TSV", "Text", "Pharaoh", "Soft", "Session"};

// ".png"
static void ending_of(int format, char out[16])
{
    if (format < SHEET_KINDS)
        snprintf(out, 16, ".%s", sheet_kind_name((enum sheet_kind)format));
    else if (format < SAVE_SESSION)
        snprintf(out, 16, "%s", write_formats[format - SHEET_KINDS].ending);
    else
        snprintf(out, 16, ".alphascope");
}

static const char *last_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// NOWHERE when its ending is none of ours.
static int format_of(const char *path)
{
    const char *dot = strrchr(last_name(path), '.');
    for (int i = 0; dot && i < SAVE_FORMATS; i++) {
        char ending[16];
        ending_of(i, ending);
        if (!strcasecmp(dot, ending))
            return i;
    }
    return NOWHERE;
}

// The whole path of a name in a directory (NULL: the current one); ~ is the home
// directory.
static bool place_of(const char *directory, const char *name, char *out, size_t size)
{
    const char *home = getenv("HOME");
    char here[PATH_MAX];
    if (name[0] == '~' && name[1] == '/' && home)
        return file_join(out, size, home, name + 2);
    if (name[0] == '/')
        return file_join(out, size, "", name + 1);
    if (!directory)
        directory = getcwd(here, sizeof here);
    return directory && file_join(out, size, directory, name);
}

static bool write_picture(struct app *app, enum sheet_kind kind, struct buf *out,
                          struct error *err)
{
    struct draw_list list;
    struct sheet sheet = {.list = &list};
    if (!app->files.picture)
        return fail_with(err, ERR_USAGE, "pictures cannot be saved here");
    if (!draw_init(&list, APP_MAX_CMDS, APP_MAX_BYTES))
        return fail_nomem(err, "the picture");
    app_draw_sheet(app, &list, &sheet);
    bool ok = app->files.picture(app->files.context, kind, &sheet, out, err);
    draw_finish(&list);
    return ok;
}

// As it is shown: the words of the lens.
static bool write_reading(struct app *app, int format, struct buf *out, struct error *err)
{
    struct rank rank;
    struct stage stage;
    struct lens *lens;
    struct scene scene;
    app_scene(app, &scene);
    struct reading reading = {
        .alignment = scene.now,
        .alpha = scene.alpha,
        .tau = app->tau,
        .mode = app->reread ? "re-read" : "re-decode",
        .name = model_dir_name(app->library.entries[app->model].dir),
        .rank = beam_rank(app, &rank) ? &rank : NULL,
        .stage = app_stage(app, &stage) ? &stage : NULL,
    };
    bool ok = read_through(&reading, scene.rows, format, &app->look.lens, &lens, err) &&
              write_formats[format].write(out, &reading, err);
    lens_destroy(lens);
    return ok;
}

// A matrix of differences is a picture alone: the data formats are of one model.
static bool is_for_screen(const struct app *app, int format)
{
    return format < SHEET_KINDS || format == SAVE_SESSION || !rivals_show_difference(app);
}

static bool check_matrix(const struct app *app, int format, struct error *err)
{
    return is_for_screen(app, format) ||
           fail_with(err, ERR_USAGE,
                     "a difference is saved as .png, .svg or .pdf; with difference off "
                     "the matrix of the first model is saved");
}

static bool check_screen(const struct app *app, struct error *err)
{
    return (app->model >= 0 && app->show.now && app->ui.input) ||
           fail_with(err, ERR_USAGE, "there is no picture yet: nothing was saved");
}

static bool write_format(struct app *app, int format, const char *path, struct error *err)
{
    struct buf out;
    if (format == SAVE_SESSION)
        return app_session_write(app, path, err);
    buf_init(&out, FILE_BYTES);
    bool ok = format < SHEET_KINDS
                  ? write_picture(app, (enum sheet_kind)format, &out, err)
                  : write_reading(app, format - SHEET_KINDS, &out, err);
    ok = ok && file_write(path, out.data, out.length, err);
    buf_finish(&out);
    return ok;
}

// What the page of the equation can be saved as.
static bool is_for_page(int format)
{
    return format < SHEET_KINDS || format == SHEET_KINDS + WRITE_JSON ||
           format == SHEET_KINDS + WRITE_TEXT;
}

static bool write_page(struct app *app, int format, const char *path, struct error *err)
{
    struct buf out;
    if (format == SAVE_SESSION) // of the window behind the page
        return app_session_write(app, path, err);
    if (!is_for_page(format))
        return fail_with(err, ERR_USAGE,
                         "a sheet is saved as .json, .txt, .png, .svg or .pdf");
    buf_init(&out, FILE_BYTES);
    bool text = format == SHEET_KINDS + WRITE_TEXT;
    bool ok = format < SHEET_KINDS
                  ? write_picture(app, (enum sheet_kind)format, &out, err)
                  : equation_write(app, text, &out, err);
    ok = ok && file_write(path, out.data, out.length, err);
    buf_finish(&out);
    return ok;
}

bool saving_write(struct app *app, const char *name, struct error *err)
{
    char path[PATH_MAX], sentence[sizeof app->banner];
    int format = format_of(name);
    if (format == NOWHERE)
        return fail_with(err, ERR_USAGE,
                         "'%.200s' has no ending of a format: .png, .svg, .pdf, .json, "
                         ".tsv, .txt, .pharaoh, .soft or .alphascope",
                         last_name(name));
    if (!place_of(NULL, name, path, sizeof path))
        return fail_with(err, ERR_LIMIT, "%.200s...: the path is too long", name);
    if (app->equation.open ? !write_page(app, format, path, err)
                           : !check_screen(app, err) || !check_matrix(app, format, err) ||
                                 !write_format(app, format, path, err))
        return false;
    snprintf(sentence, sizeof sentence, "saved as %.600s", path);
    app_say_done(app, sentence);
    return true;
}

bool saving_copy(struct app *app, struct error *err)
{
    struct buf out;
    if (!check_screen(app, err) || !check_matrix(app, SHEET_KINDS + WRITE_TSV, err))
        return false;
    buf_init(&out, FILE_BYTES);
    bool ok = write_reading(app, WRITE_TSV, &out, err);
    const struct ui_host *host = app->ui.host;
    if (ok && host->clipboard_set)
        host->clipboard_set(host->context, buf_text(&out));
    if (ok)
        app_say_done(app, "the matrix is on the clipboard, as tab-separated values");
    buf_finish(&out);
    return ok;
}

// The first words of the sentence, fit for a file: "the-black-cat-sleeps".
static void suggest_stem(const char *text, char *out, size_t size)
{
    size_t length = 0;
    for (const char *c = text; *c && length < NAME_LETTERS && length + 1 < size; c++) {
        unsigned char byte = (unsigned char)*c;
        if (isalnum(byte) || byte >= 0x80)
            out[length++] = (char)tolower(byte);
        else if (length && out[length - 1] != '-')
            out[length++] = '-';
    }
    while (length && ((unsigned char)out[length - 1] & 0xc0) == 0x80)
        length--; // the last character may be cut: take it out whole
    if (length && (unsigned char)out[length - 1] >= 0xc0)
        length--;
    while (length && out[length - 1] == '-')
        length--;
    snprintf(out + length, size - length, "%s", length ? "" : "alphascope");
}

// A name that no file has yet.
static void suggest(const struct app *app, int format, char *out, size_t size)
{
    char stem[64], ending[16], path[PATH_MAX];
    suggest_stem(app->equation.open ? app->equation.choices.title
                                    : textedit_text(app->edit),
                 stem, sizeof stem);
    ending_of(format, ending);
    snprintf(out, size, "%s%s", stem, ending);
    for (int n = 2;
         n < NAMES_TRIED && place_of(app->files.directory, out, path, sizeof path) &&
         file_exists(path);
         n++)
        snprintf(out, size, "%s-%d%s", stem, n, ending);
}

static void set_name(struct app *app, const char *name)
{
    struct textedit *edit = app->saving.name;
    textedit_set(edit, name, strlen(name));
    const char *base = last_name(name), *dot = strrchr(base, '.');
    textedit_select(edit, (size_t)(base - name),
                    dot ? (size_t)(dot - name) : strlen(name));
}

void saving_ask(struct app *app)
{
    char name[96];
    suggest(app, app->equation.open ? SHEET_KINDS + WRITE_JSON : (int)SHEET_PNG, name,
            sizeof name);
    app->saving.open = true;
    app->help = 0;          // it would lie over it
    app->look.menu = false; // it has the same place
    set_name(app, name);
    ui_set_focus(&app->ui, ui_hash(savebox_field));
}

void saving_close(struct app *app)
{
    app->saving.open = false;
    ui_set_focus(&app->ui, ui_hash("sentence"));
    app->dirty = true;
}

// Another format: the ending changes, and what was typed before it stays.
static void change_format(struct app *app, int format)
{
    char name[TEXTEDIT_MAX_BYTES + 16], ending[16];
    const char *typed = textedit_text(app->saving.name);
    const char *dot = strrchr(last_name(typed), '.');
    int stem =
        (int)(dot && format_of(typed) != NOWHERE ? (size_t)(dot - typed) : strlen(typed));
    ending_of(format, ending);
    snprintf(name, sizeof name, "%.*s%s", stem, typed, ending);
    set_name(app, name);
    ui_set_focus(&app->ui, ui_hash(savebox_field));
    app->dirty = true;
}

struct choice { // formats that what is on the screen can be saved as
    const char *labels[SAVE_FORMATS];
    int formats[SAVE_FORMATS], count, chosen;
};

static struct choice choice_of(const struct app *app, int format)
{
    struct choice choice = {.chosen = NOWHERE};
    for (int i = 0; i < SAVE_FORMATS; i++) {
        if (app->equation.open ? !is_for_page(i) : !is_for_screen(app, i))
            continue;
        if (i == format)
            choice.chosen = choice.count;
        choice.labels[choice.count] = labels[i];
        choice.formats[choice.count++] = i;
    }
    return choice;
}

void saving_draw(struct app *app)
{
    char place[PATH_MAX] = "";
    struct error err;
    const char *name = textedit_text(app->saving.name);
    bool fits = place_of(app->files.directory, name, place, sizeof place);
    struct choice choice = choice_of(app, format_of(name));
    struct savebox box = {.name = app->saving.name,
                          .scroll_x = &app->saving.scroll_x,
                          .labels = choice.labels,
                          .count = choice.count,
                          .chosen = choice.chosen,
                          .place = fits ? place : "",
                          .replaces = fits && *name && file_exists(place) &&
                                      !file_is_directory(place)};
    struct savebox_result result = savebox_draw(&app->ui, &box);
    app->dirty = app->dirty || result.typed;
    if (result.format >= 0)
        change_format(app, choice.formats[result.format]);
    if (result.save && !saving_write(app, place, &err))
        app_say(app, err.text); // the sheet stays: another name may do
    else if (result.save || result.close ||
             (result.outside && app->ui.hot != ui_hash("Save"))) // which closes it itself
        saving_close(app);
}
