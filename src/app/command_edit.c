// SPDX-License-Identifier: MIT
// The command that edits: one line is one edit, or moves in the list of them. See
// command.h and align/edit_line.h.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app/command.h"
#include "app/state.h"
#include "view/edits.h"
#include "view/short.h"

static bool is(const char *a, const char *b)
{
    return !strcmp(a, b);
}

// What is on the screen is what was asked for last, so that places can be checked.
static bool is_shown(const struct app *app)
{
    return app->show.now && app->shown == app->generation;
}

static bool has_attention(const struct app *app)
{
    return app->library.entries[app->model].listing.config.score != SCORE_NONE;
}

static bool needs_attention(enum edit_kind kind)
{
    return kind != EDIT_WORD && kind != EDIT_PREFIX && kind != EDIT_SHUFFLE_WORDS;
}

static bool check_row(const struct app *app, int row, struct error *err)
{
    const struct show *show = &app->show;
    if (!is_shown(app))
        return fail_with(err, ERR_USAGE, "the sentence is still being decoded");
    return (row >= 0 && row < show->rows) ||
           fail_with(err, ERR_USAGE, "there is no row %d: the matrix has %d", row + 1,
                     show->rows);
}

// α as it is on the screen, for a pin and for a cell that is moved from where it is.
static bool take_alpha(struct app *app, struct edit *edit, struct error *err)
{
    struct edit_room *room = &app->what_if.room;
    bool pin = edit->kind == EDIT_PIN && !edit->n_alpha;
    bool moved = edit->kind == EDIT_CELL && room->relative;
    if (!pin && !moved)
        return true;
    if (!check_row(app, edit->row, err))
        return false;
    int n = app->show.now->n_src;
    what_if_row_shown(app, edit->row, room->alpha);
    if (pin) {
        edit->alpha = room->alpha;
        edit->n_alpha = n;
    } else if (edit->column < n) {
        float value = room->alpha[edit->column] + edit->value;
        edit->value = fminf(fmaxf(value, 0), 1);
    }
    return true;
}

// One of the best words of a row, or the pieces of a text.
static bool take_choice(struct app *app, struct edit *edit, struct error *err)
{
    struct edit_room *room = &app->what_if.room;
    if (!check_row(app, edit->row, err))
        return false;
    const struct candidate *top =
        app->show.now->top + (size_t)edit->row * ALIGNMENT_TOP + room->choice - 1;
    room->tokens[0] = top->id;
    edit->tokens = room->tokens;
    edit->n_tokens = 1;
    return true;
}

static bool is_unknown(const struct tokenizer *tokenizer, const int *ids, int count)
{
    for (int i = 0; i < count; i++)
        if (tokenizer_is_unknown(tokenizer, ids[i]) ||
            tokenizer_is_byte(tokenizer, ids[i]))
            return true;
    return false;
}

// How a word that is not one piece of the vocabulary was split.
static void say_pieces(struct app *app, const struct edit *edit)
{
    const struct tokenizer *tokenizer =
        app->library.entries[app->model].translator.target;
    char sentence[400];
    int at =
        snprintf(sentence, sizeof sentence, "the vocabulary lacks “%s”: it is said as",
                 short_of(edit->text).text);
    for (int i = 0; i < edit->n_tokens && at > 0 && (size_t)at < sizeof sentence; i++)
        at += snprintf(sentence + at, sizeof sentence - (size_t)at,
                       i ? " · %.40s" : " %.40s",
                       tokenizer_piece(tokenizer, edit->tokens[i]));
    app_say(app, sentence);
}

static bool take_pieces(struct app *app, struct edit *edit, struct error *err)
{
    struct token tokens[ALIGNMENT_MAX_TGT];
    struct edit_room *room = &app->what_if.room;
    const struct tokenizer *tokenizer =
        app->library.entries[app->model].translator.target;
    if (!tokenizer_encode(tokenizer, edit->text, strlen(edit->text), tokens,
                          ALIGNMENT_MAX_TGT - 1, &edit->n_tokens, err))
        return false;
    for (int i = 0; i < edit->n_tokens; i++)
        room->tokens[i] = tokens[i].id;
    edit->tokens = room->tokens;
    return true;
}

static bool take_tokens(struct app *app, struct edit *edit, struct error *err)
{
    if (edit->kind != EDIT_WORD && edit->kind != EDIT_PREFIX)
        return true;
    if (app->what_if.room.choice)
        return take_choice(app, edit, err);
    return !edit->text || take_pieces(app, edit, err);
}

static bool check_ids(const struct app *app, const struct edit *edit, struct error *err)
{
    int size = tokenizer_size(app->library.entries[app->model].translator.target);
    for (int i = 0; i < edit->n_tokens; i++)
        if (edit->tokens[i] < 0 || edit->tokens[i] >= size)
            return fail_with(err, ERR_USAGE,
                             "the vocabulary has no piece %d, it ends at %d",
                             edit->tokens[i], size - 1);
    return true;
}

// What is edited now is this sentence under this model.
static void claim(struct app *app)
{
    struct what_if *what_if = &app->what_if;
    if (what_if_is_here(app))
        return;
    unsigned changes = what_if->edits.changes; // counted on: like no other
    edits_finish(&what_if->edits);
    what_if->edits.changes = changes;
    snprintf(what_if->text, sizeof what_if->text, "%s", textedit_text(app->edit));
    what_if->model = app->model;
}

static bool add(struct app *app, const struct edit *edit, struct error *err)
{
    struct what_if *what_if = &app->what_if;
    bool ok = what_if->replaces && what_if->edits.count
                  ? edits_replace(&what_if->edits, edit, err)
                  : edits_add(&what_if->edits, edit, err);
    what_if->before = false;
    app_request(app);
    return ok;
}

static bool make(struct app *app, const char *line, struct error *err)
{
    static const struct edits none;
    struct what_if *what_if = &app->what_if;
    const struct alignment *now = app->show.now;
    struct edit edit;
    bool shown = is_shown(app);
    bool whole = shown && alignment_ended(now) != ENDED_NOT && !app->reopening.busy;
    struct edit_here here = {what_if_rows(app).first, what_if_column(app)};
    if (app->model < 0)
        return fail_with(err, ERR_USAGE, "no model is open yet");
    if (!edit_parse(line, here, &edit, &what_if->room, err))
        return false;
    if (needs_attention(edit.kind) && !has_attention(app))
        return fail_with(err, ERR_USAGE,
                         "this model has no attention: its words can be chosen, but "
                         "there is no α to edit");
    if (!take_alpha(app, &edit, err) || !take_tokens(app, &edit, err) ||
        !check_ids(app, &edit, err) ||
        !edits_check(what_if_is_here(app) ? &what_if->edits : &none, &edit,
                     shown ? now->n_src : -1, whole ? app->show.rows : -1, err))
        return false;
    claim(app);
    if (!add(app, &edit, err))
        return false;
    const struct tokenizer *target = app->library.entries[app->model].translator.target;
    bool split = edit.kind == EDIT_WORD && edit.n_tokens > 1;
    if (!app->reopening.busy && edit.text && // a session says it with its rows
        (split || is_unknown(target, edit.tokens, edit.n_tokens)))
        say_pieces(app, &edit);
    return true;
}

static bool run_make(struct app *app, struct error *err, const char *format, ...)
    PRINTF_LIKE(3, 4);

static bool run_make(struct app *app, struct error *err, const char *format, ...)
{
    char line[80];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    return make(app, line, err);
}

// Every selected row.
static bool toggle_rows(struct app *app, const char *what, struct error *err)
{
    struct lens_span rows = what_if_rows(app);
    const struct edits *edits = &app->what_if.edits;
    bool here = what_if_is_here(app);
    if (rows.first < 0)
        return fail_with(err, ERR_USAGE, "choose a row first");
    bool pin = is(what, "pin");
    bool on =
        here && (pin ? edits_pinned(edits, rows.first) : edits_hard(edits, rows.first));
    const char *verb = pin ? (on ? "unpin" : "pin") : (on ? "hard off" : "hard on");
    for (int t = rows.first; t <= rows.last; t++)
        if (!run_make(app, err, "%s %d", verb, t + 1))
            return false;
    return true;
}

static bool toggle_columns(struct app *app, const char *what, struct error *err)
{
    struct lens_span columns = what_if_columns(app);
    bool mute = is(what, "mute");
    if (columns.first < 0)
        return fail_with(err, ERR_USAGE,
                         "choose a column first: click a word of the sentence above the "
                         "matrix");
    for (int place = columns.first; place <= columns.last; place++) {
        int s = what_if_token(app, place);
        float factor = what_if_is_here(app) ? edits_factor(&app->what_if.edits, s) : 1;
        bool on = mute ? !(factor > 0) : factor > 1;
        bool ok = on     ? run_make(app, err, "boost %d 1", s + 1)
                  : mute ? run_make(app, err, "mute %d", s + 1)
                         : run_make(app, err, "boost %d", s + 1);
        if (!ok)
            return false;
    }
    return true;
}

static bool toggle_shuffle(struct app *app, const char *what, struct error *err)
{
    int kind = is(what, "shuffle") ? EDIT_SHUFFLE : EDIT_SHUFFLE_WORDS;
    bool on = what_if_is_here(app) && edits_shuffle(&app->what_if.edits) == kind;
    if (on)
        return run_make(app, err, "%s off", what);
    return run_make(app, err, "%s %u", what, ++app->what_if.seed);
}

static bool toggle(struct app *app, const char *what, struct error *err)
{
    if (is(what, "pin") || is(what, "hard"))
        return toggle_rows(app, what, err);
    if (is(what, "mute") || is(what, "boost"))
        return toggle_columns(app, what, err);
    if (is(what, "shuffle") || is(what, "shuffle-words"))
        return toggle_shuffle(app, what, err);
    if (is(what, "hard all"))
        return run_make(app, err,
                        what_if_is_here(app) && edits_hard(&app->what_if.edits, EDIT_ALL)
                            ? "hard off"
                            : "hard on");
    return fail_with(err, ERR_USAGE,
                     "what-if toggle: found '%.60s', expected pin, hard, hard all, mute, "
                     "boost, shuffle or shuffle-words",
                     what);
}

// How many are in force.
static bool keep(struct app *app, int count)
{
    struct edits *edits = &app->what_if.edits;
    if (!what_if_is_here(app))
        return true;
    while (edits->count > count && edits_undo(edits))
        continue;
    while (edits->count < count && edits_redo(edits))
        continue;
    app->what_if.before = false;
    app_request(app);
    return true;
}

static bool move(struct app *app, const char *word, struct error *err)
{
    struct edits *edits = &app->what_if.edits;
    bool here = what_if_is_here(app);
    if (is(word, "undo") && (!here || !edits->count))
        return fail_with(err, ERR_USAGE, "there is no edit to undo");
    if (is(word, "redo") && (!here || edits->count == edits->total))
        return fail_with(err, ERR_USAGE, "there is no edit to redo");
    return keep(app, is(word, "undo")   ? edits->count - 1
                     : is(word, "redo") ? edits->count + 1
                                        : 0);
}

// The field begins with the beginning that is in force, and goes on with that edit when
// it is the newest.
static void type(struct app *app)
{
    struct what_if *what_if = &app->what_if;
    const char *text = "";
    what_if->typed_count = 0;
    for (int i = 0; what_if_is_here(app) && i < what_if->edits.count; i++)
        if (what_if->edits.list[i].kind == EDIT_PREFIX) {
            text = edits_at(&what_if->edits, i).text;
            what_if->typed_count = i + 1;
        }
    textedit_set(what_if->typed, text ? text : "", text ? strlen(text) : 0);
    what_if->typing = true;
    what_if->replaces = false;
    ui_set_focus(&app->ui, ui_hash(edits_field));
}

static bool set_switch(bool *on, const char *argument)
{
    if (is(argument, "on"))
        *on = true;
    else if (is(argument, "off"))
        *on = false;
    else if (is(argument, "toggle") || !*argument)
        *on = !*on;
    else
        return false;
    return true;
}

// "list", "mode" and "before" are switches; found tells whether it was one of them.
static bool take_switch(struct app *app, const char *word, bool *found, struct error *err)
{
    struct what_if *what_if = &app->what_if;
    static const char *const names[] = {"list", "mode", "before"};
    bool *const values[] = {&what_if->listed, &what_if->asks, &what_if->before};
    *found = false;
    for (int i = 0; i < 3; i++) {
        size_t length = strlen(names[i]);
        if (strncmp(word, names[i], length) != 0 || (word[length] && word[length] != ' '))
            continue;
        *found = true;
        const char *argument = word + length + strspn(word + length, " ");
        if (!set_switch(values[i], argument))
            return fail_with(err, ERR_USAGE,
                             "what-if %s: found '%.60s', expected on, off or toggle",
                             names[i], argument);
        app_request(app);
    }
    return true;
}

bool command_what_if(struct app *app, const char *argument, struct error *err)
{
    int count = 0;
    char rest;
    bool found;
    if (!take_switch(app, argument, &found, err))
        return false;
    if (found)
        return true;
    if (is(argument, "undo") || is(argument, "redo") || is(argument, "clear"))
        return move(app, argument, err);
    if (app->beaming.beam.width && strncmp(argument, "keep ", 5) != 0)
        return fail_with(err, ERR_USAGE,
                         "what-if: a beam searches, and edits go with greedy decoding: "
                         "'beam off' first");
    if (sscanf(argument, "keep %d%c", &count, &rest) == 1 && count >= 0)
        return keep(app, count);
    if (app->show.now && app->show.now->attention.kind != MAP_CROSS)
        return fail_with(err, ERR_USAGE,
                         "what-if: edits act on the cross-attention, and self-attention "
                         "is on the screen: 'attention cross' first");
    if (!strncmp(argument, "toggle ", 7))
        return toggle(app, argument + 7, err);
    if (is(argument, "type")) {
        type(app);
        return true;
    }
    struct error why;
    return make(app, argument, &why) || fail_with(err, why.code, "what-if: %s", why.text);
}
