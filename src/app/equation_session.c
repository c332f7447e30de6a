// SPDX-License-Identifier: MIT
// The page of the equation as lines that bring it back. One of our sheets comes by its
// name, and what was typed on it, or a sheet of one's own, as if it were typed again. The
// picture is of the last whole sheet: while a field is unfinished, that sheet is said
// first and then what stands in the fields. Nothing is computed before all is typed. See
// equation.h.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app/state.h"
#include "formats/saved.h"

enum { PIECE_BYTES = 8000 };

// ---- lines

// By hand each is seen at once; of a session's lines all together.
static bool typed(struct app *app)
{
    if (!app->equation.waits)
        equation_changed(app);
    return true;
}

bool equation_type(struct app *app, const char *rest, struct error *err)
{
    char word[32];
    size_t length = strcspn(rest, " ");
    snprintf(word, sizeof word, "%.*s", (int)(length < 31 ? length : 31), rest);
    int field = equation_field_of(word);
    if (field == NOWHERE)
        return fail_with(err, ERR_USAGE,
                         "sheet type: found '%s', expected Q, K, V, W_Q, ..., queries, "
                         "keys or values",
                         word);
    struct textedit *edit = app->equation.fields[field].edit;
    size_t end = textedit_length(edit);
    rest += rest[length] ? length + 1 : length;
    if (strlen(rest) > EQUATION_BYTES - end)
        return fail_with(err, ERR_LIMIT,
                         "sheet type: %s of %zu bytes, expected at most %d", word,
                         end + strlen(rest), EQUATION_BYTES);
    textedit_select(edit, end, end);
    textedit_insert(edit, rest, strlen(rest));
    textedit_select(edit, 0, 0);
    return typed(app);
}

bool equation_clear(struct app *app, const char *rest, struct error *err)
{
    (void)rest;
    (void)err;
    for (int i = 0; i < EQUATION_FIELDS; i++)
        textedit_set(app->equation.fields[i].edit, "", 0);
    return typed(app);
}

bool equation_done(struct app *app, const char *rest, struct error *err)
{
    (void)rest;
    (void)err;
    equation_changed(app);
    return true;
}

static bool take_words(struct app *app, const char **words, const char *rest, size_t size,
                       struct error *err)
{
    if (strlen(rest) >= size)
        return fail_with(err, ERR_LIMIT,
                         "sheet: a text of %zu bytes, expected at most %zu", strlen(rest),
                         size - 1);
    const char *copy = arena_copy(&app->equation.choices.arena, rest, strlen(rest));
    if (!copy)
        return fail_nomem(err, "the sheet");
    *words = copy;
    equation_changed(app);
    return true;
}

bool equation_title(struct app *app, const char *rest, struct error *err)
{
    return take_words(app, &app->equation.choices.title, rest, ATTEND_TITLE_BYTES, err);
}

bool equation_note(struct app *app, const char *rest, struct error *err)
{
    return take_words(app, &app->equation.choices.note, rest, ATTEND_NOTE_BYTES, err);
}

bool equation_random(struct app *app, const char *rest, struct error *err)
{
    struct attend_sheet *choices = &app->equation.choices;
    long long seed = 0;
    int queries = 0, keys = 0, used = 0;
    if (sscanf(rest, "%10lld %4d %4d%n", &seed, &queries, &keys, &used) != 3 ||
        rest[used] || seed < 0 || seed > ATTEND_SEED_MAX || queries < 1 ||
        queries > SCALING_MAX_QUERIES || keys < 1 || keys > SCALING_MAX_KEYS)
        return fail_with(
            err, ERR_USAGE,
            "sheet random: found '%.60s', expected a seed, queries from 1 to "
            "%d and keys from 1 to %d",
            rest, SCALING_MAX_QUERIES, SCALING_MAX_KEYS);
    choices->is_scaling = true;
    choices->scaling = (struct scaling){(uint64_t)seed, queries, keys};
    equation_changed(app);
    return true;
}

bool equation_keep(struct app *app, const char *rest, struct error *err)
{
    (void)rest;
    (void)err;
    equation_given(&app->equation);
    return true;
}

bool equation_may_hold(const char *argument)
{
    argument += strspn(argument, " ");
    size_t word = strcspn(argument, " ");
    for (int i = 0; i < attend_sheet_bundled_count; i++)
        if (!strcmp(argument, attend_sheet_bundled[i]))
            return true;
    return equation_acts(argument, word) ||
           (word == 3 && !strncmp(argument, "new", word));
}

// ---- a page of them

// The page is that of the window while the lines are carried out, for that is what they
// act on. It is open already: what an opening page does to the window is not for now.
bool equation_make(struct app *app, const struct saved *session, struct equation *page,
                   struct error *err)
{
    struct equation shown = app->equation;
    bool ok = true, any = session->n_equation > 0;
    app->equation = (struct equation){.open = any, .waits = true};
    for (int i = 0; ok && i < session->n_equation; i++)
        ok = app_command(app, session->equation[i], err);
    app->equation.waits = false;
    if (ok && any)
        equation_changed(app); // the last line need not be "sheet done"
    *page = app->equation;
    app->equation = shown;
    if (!ok) {
        equation_finish(page);
        *page = (struct equation){0};
    }
    return ok;
}

void equation_show(struct app *app, struct equation *page)
{
    equation_finish(&app->equation);
    app->equation = *page;
    *page = (struct equation){0};
    ui_set_focus(&app->ui, 0);
    app->dirty = true;
}

// ---- saying them

static void say(struct saved *session, const char *format, ...) PRINTF_LIKE(2, 3);

static void say(struct saved *session, const char *format, ...)
{
    char line[PIECE_BYTES + 64];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    const char *kept = NULL;
    if (length > 0 && session->n_equation < SAVED_MAX_LINES)
        kept = arena_copy(&session->arena, line, (size_t)length);
    if (kept)
        session->equation[session->n_equation++] = kept;
}

// In pieces that a line has room for, of whole characters.
static void say_text(struct saved *session, int field, const char *text)
{
    size_t length = strlen(text);
    for (size_t at = 0, end; at < length; at = end) {
        end = length - at <= PIECE_BYTES ? length : at + PIECE_BYTES;
        while (end < length && ((unsigned char)text[end] & 0xc0) == 0x80)
            end--;
        say(session, "sheet type %s %.*s", equation_field_word(field), (int)(end - at),
            text + at);
    }
}

static void say_choices(const struct attend_sheet *sheet, struct saved *session)
{
    const struct attend *input = &sheet->input;
    struct buf tau;
    buf_init(&tau, 64);
    if (isinf(input->tau))
        buf_add(&tau, "inf");
    else
        attend_text_number(&tau, input->tau);
    say(session, "sheet score %s", attend_score_name(input->score));
    say(session, "sheet mask %s", attend_mask_name(input->mask));
    say(session, "sheet normalise %s", input->normalise ? "on" : "off");
    say(session, "sheet beside %s", attend_beside_name(sheet->beside));
    say(session, "sheet tau %s", buf_text(&tau));
    if (sheet->is_scaling)
        say(session, "sheet random %d %d %d", (int)sheet->scaling.seed,
            sheet->scaling.queries, sheet->scaling.keys);
    buf_finish(&tau);
}

// While the fields are empty no choice makes another picture.
static void say_typed(const struct equation *equation, struct saved *session)
{
    say(session, "sheet clear");
    say_choices(&equation->choices, session);
    for (int i = 0; i < EQUATION_FIELDS; i++)
        say_text(session, i, textedit_text(equation->fields[i].edit));
    say(session, "sheet done");
}

static void say_last_whole(const struct equation *equation, struct saved *session)
{
    struct buf text;
    buf_init(&text, ATTEND_SHEET_BYTES);
    say(session, "sheet clear");
    say_choices(&equation->result->sheet, session);
    for (int i = 0; i < EQUATION_FIELDS; i++) {
        equation_text(&text, &equation->result->sheet, i);
        say_text(session, i, buf_text(&text));
    }
    say(session, "sheet done");
    buf_finish(&text);
}

static void say_own(const struct equation *equation, struct saved *session)
{
    const struct attend_sheet *choices = &equation->choices;
    say(session, "sheet new %s", equation->name);
    if (*choices->title)
        say(session, "sheet title %s", choices->title);
    if (*choices->note)
        say(session, "sheet note %s", choices->note);
}

static void say_sheet(const struct equation *equation, struct saved *session)
{
    bool own = equation->bundled == NOWHERE, unfinished = equation->error.text[0];
    if (own)
        say_own(equation, session);
    else
        say(session, "sheet %s", attend_sheet_bundled[equation->bundled]);
    if (!own && !equation->edited && !unfinished)
        return;
    if (unfinished)
        say_last_whole(equation, session);
    else
        say_typed(equation, session);
    if (own && !equation->edited)
        say(session, "sheet keep");
    if (unfinished)
        say_typed(equation, session);
}

void equation_say(const struct app *app, struct saved *session)
{
    static const char *const pages[SCOPE_PAGES] = {"", "steps", "lookup", "gradient"};
    const struct equation *equation = &app->equation;
    if (!equation->open)
        return;
    say_sheet(equation, session);
    if (equation->group > 0)
        say(session, "sheet group %d", equation->group + 1);
    if (equation->view > 0)
        say(session, "sheet view %d", equation->view + 1);
    if (equation->selected >= 0)
        say(session, "sheet row %d", equation->selected + 1);
    else
        say(session, "sheet row none");
    if (equation->scope.page != SCOPE_PANEL)
        say(session, "sheet microscope %s", pages[equation->scope.page]);
    if (equation->scope.step > 0)
        say(session, "sheet microscope %d", (int)equation->scope.step);
}
