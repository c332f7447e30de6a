// SPDX-License-Identifier: MIT
// From fields to a sheet, and back. See equation.h.
#include "app/equation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/state.h"
#include "base/file.h"
#include "formats/attend_write.h"

enum { RESULT_BYTES = 128 << 20 };

const char *equation_field_name(int field)
{
    static const char *const names[NAMED_COUNT] = {"names of queries", "names of keys",
                                                   "names of values"};
    return field < EQUATION_NAMES ? attend_part_name((enum attend_part)field)
                                  : names[field - EQUATION_NAMES];
}

const char *equation_field_word(int field)
{
    return field < EQUATION_NAMES
               ? attend_part_name((enum attend_part)field)
               : attend_named_name((enum attend_named)(field - EQUATION_NAMES));
}

int equation_field_of(const char *word)
{
    for (int i = 0; i < EQUATION_FIELDS; i++)
        if (!strcmp(word, equation_field_word(i)))
            return i;
    return NOWHERE;
}

void equation_field_id(int field, char out[32])
{
    snprintf(out, 32, "equation %d", field);
}

bool equation_has_focus(const struct app *app)
{
    char id[32];
    for (int i = 0; app->equation.open && i < EQUATION_FIELDS; i++) {
        equation_field_id(i, id);
        if (ui_has_focus(&app->ui, ui_hash(id)))
            return true;
    }
    return false;
}

int equation_group(int group, int out[3])
{
    static const int fields[EQUATION_GROUPS][3] = {
        {ATTEND_Q, ATTEND_K, ATTEND_V},
        {ATTEND_W_Q, ATTEND_W_K, ATTEND_W_V},
        {ATTEND_SCORE_Q, ATTEND_SCORE_K, ATTEND_SCORE_V},
        {ATTEND_MASK, ATTEND_POSITIONS, ATTEND_ORDER},
        {EQUATION_NAMES + NAMED_QUERIES, EQUATION_NAMES + NAMED_KEYS,
         EQUATION_NAMES + NAMED_VALUES},
    };
    memcpy(out, fields[group], sizeof fields[group]);
    return 3;
}

const char *equation_group_name(int group)
{
    static const char *const names[EQUATION_GROUPS] = {"Q K V", "W", "score", "mask",
                                                       "names"};
    return names[group];
}

// ---- from fields to a sheet

static bool take_field(struct attend_sheet *sheet, int field, const struct textedit *edit,
                       struct error *err)
{
    const char *text = textedit_text(edit);
    if (textedit_cut(edit))
        return fail_with(err, ERR_LIMIT, "%s: %zu bytes over the limit of %d are cut off",
                         equation_field_name(field), textedit_cut(edit), EQUATION_BYTES);
    if (field >= EQUATION_NAMES)
        return attend_text_names(&sheet->names[field - EQUATION_NAMES], text,
                                 &sheet->arena, err);
    return attend_text_parse(&sheet->input.part[field], text, equation_field_name(field),
                             &sheet->arena, err);
}

static bool copy_text(struct attend_sheet *sheet, const char **text, struct error *err)
{
    *text = arena_copy(&sheet->arena, *text, strlen(*text));
    return *text || fail_nomem(err, "the sheet");
}

// All but texts and matrices.
static void copy_choices(struct attend_sheet *to, const struct attend_sheet *from)
{
    to->beside = from->beside;
    to->is_scaling = from->is_scaling;
    to->scaling = from->scaling;
    to->input.score = from->input.score;
    to->input.mask = from->input.mask;
    to->input.normalise = from->input.normalise;
    to->input.tau = from->input.tau;
}

// *wrong: the field that does not read.
static bool read_fields(const struct equation *equation, struct attend_sheet *sheet,
                        int *wrong, struct error *err)
{
    const struct attend_sheet *choices = &equation->choices;
    attend_sheet_init(sheet);
    sheet->title = choices->title;
    sheet->note = choices->note;
    copy_choices(sheet, choices);
    if (!copy_text(sheet, &sheet->title, err) || !copy_text(sheet, &sheet->note, err))
        return false;
    for (int i = 0; !sheet->is_scaling && i < EQUATION_FIELDS; i++) {
        *wrong = i;
        if (!take_field(sheet, i, equation->fields[i].edit, err))
            return false;
    }
    *wrong = NOWHERE;
    return true;
}

// A sentence about sizes begins with the name of a part.
static int field_of(const char *sentence)
{
    for (int i = 0; i < ATTEND_PARTS; i++) {
        const char *name = attend_part_name((enum attend_part)i);
        size_t length = strlen(name);
        if (!strncmp(sentence, name, length) && strchr(" :", sentence[length]))
            return i;
    }
    return NOWHERE;
}

// ---- from a sheet to a result

// NULL with the equation's error and the field that is wrong.
static struct equation_result *result_create(struct equation *equation)
{
    struct equation_result *result = calloc(1, sizeof *result);
    equation->wrong = NOWHERE;
    if (!result) {
        fail_nomem(&equation->error, "the result");
        return NULL;
    }
    arena_init(&result->arena, RESULT_BYTES);
    bool read = read_fields(equation, &result->sheet, &equation->wrong, &equation->error);
    if (read && equation_result_compute(result, &equation->error)) {
        equation->error = (struct error){0};
        return result;
    }
    if (read)
        equation->wrong = field_of(equation->error.text);
    equation_result_destroy(result);
    return NULL;
}

static uint64_t mix(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(1099511628211);
    return hash;
}

// Of all texts and choices: whether the sheet is still as it was opened.
static uint64_t stamp_of(const struct equation *equation)
{
    const struct attend *input = &equation->choices.input;
    const struct scaling *scaling = &equation->choices.scaling;
    int choices[] = {(int)input->score,
                     (int)input->mask,
                     input->normalise,
                     (int)equation->choices.beside,
                     equation->choices.is_scaling,
                     scaling->queries,
                     scaling->keys};
    uint64_t hash = UINT64_C(14695981039346656037);
    hash = mix(hash, choices, sizeof choices);
    hash = mix(hash, &input->tau, sizeof input->tau);
    hash = mix(hash, &scaling->seed, sizeof scaling->seed);
    for (int i = 0; i < EQUATION_FIELDS; i++)
        hash = mix(hash, textedit_text(equation->fields[i].edit),
                   textedit_length(equation->fields[i].edit) + 1);
    return hash;
}

void equation_given(struct equation *equation)
{
    equation->given = stamp_of(equation);
    equation->edited = false;
}

void equation_changed(struct app *app)
{
    struct equation *equation = &app->equation;
    struct equation_result *result = result_create(equation);
    app->dirty = true;
    if (!result)
        return;
    equation_result_destroy(equation->result);
    equation->result = result;
    equation->edited = stamp_of(equation) != equation->given;
    int rows = result->now.queries;
    if (equation->selected >= rows)
        equation->selected = rows - 1;
}

// ---- opening

static bool make_fields(struct equation *equation, struct error *err)
{
    for (int i = 0; i < EQUATION_FIELDS; i++) {
        if (equation->fields[i].edit)
            continue;
        equation->fields[i].edit = textedit_create_lines(EQUATION_BYTES);
        if (!equation->fields[i].edit)
            return fail_nomem(err, "the fields of the equation");
    }
    return true;
}

void equation_text(struct buf *out, const struct attend_sheet *sheet, int field)
{
    buf_clear(out);
    if (field < EQUATION_NAMES) {
        attend_text_write(out, &sheet->input.part[field]);
        return;
    }
    const struct attend_names *names = &sheet->names[field - EQUATION_NAMES];
    for (int i = 0; i < names->count; i++) {
        buf_add(out, i ? "\n" : "");
        buf_add(out, names->at[i]);
    }
    if (names->count == 1 && strchr(names->at[0], ' '))
        buf_add(out, ","); // or its words were names
}

// All fields have room for what the sheet holds, or one sentence.
static bool check_room(const struct attend_sheet *sheet, struct error *err)
{
    struct buf text;
    bool fits = true;
    buf_init(&text, ATTEND_SHEET_BYTES);
    for (int i = 0; fits && i < EQUATION_FIELDS; i++) {
        equation_text(&text, sheet, i);
        if (text.failed || text.length > EQUATION_BYTES)
            fits = fail_with(err, ERR_LIMIT,
                             "%s takes %zu bytes as text, the window edits at most %d: "
                             "alphascope attend computes it",
                             equation_field_name(i), text.length, EQUATION_BYTES);
    }
    buf_finish(&text);
    return fits;
}

static void take_choices(struct equation *equation, const struct attend_sheet *sheet)
{
    struct attend_sheet *choices = &equation->choices;
    attend_sheet_finish(choices);
    attend_sheet_init(choices);
    copy_choices(choices, sheet);
    const char *title = arena_copy(&choices->arena, sheet->title, strlen(sheet->title));
    const char *note = arena_copy(&choices->arena, sheet->note, strlen(sheet->note));
    choices->title = title ? title : "";
    choices->note = note ? note : "";
}

// No field has the keyboard at first: arrows and a remote go through rows and sheets.
static void show_page(struct app *app)
{
    if (!app->equation.open)
        ui_set_focus(&app->ui, 0);
    app->equation.open = true;
    app->dirty = true;
}

static bool take_sheet(struct app *app, const struct attend_sheet *sheet,
                       struct error *err)
{
    struct equation *equation = &app->equation;
    struct buf text;
    if (!make_fields(equation, err) || !check_room(sheet, err))
        return false;
    take_choices(equation, sheet);
    buf_init(&text, ATTEND_SHEET_BYTES);
    for (int i = 0; i < EQUATION_FIELDS; i++) {
        equation_text(&text, sheet, i);
        textedit_set(equation->fields[i].edit, buf_text(&text), text.length);
        textedit_select(equation->fields[i].edit, 0, 0);
    }
    buf_finish(&text);
    equation_given(equation);
    equation->selected = sheet->is_scaling ? NOWHERE : 0;
    equation->scope = (struct scope){0};
    equation->seen = NOWHERE;
    equation->group = 0;
    show_page(app);
    equation_changed(app);
    return true;
}

bool equation_load(struct app *app, const char *path, struct error *err)
{
    struct attend_sheet sheet;
    bool ok = attend_sheet_read(&sheet, path, err) && take_sheet(app, &sheet, err);
    attend_sheet_finish(&sheet);
    if (!ok)
        return false;
    size_t length = 0;
    const char *name = file_basename(path, &length);
    snprintf(app->equation.name, sizeof app->equation.name, "%.*s", (int)length, name);
    app->equation.bundled = NOWHERE;
    return true;
}

bool equation_new(struct app *app, const char *name, struct error *err)
{
    struct attend_sheet empty;
    if (!app->equation.result && !equation_load_bundled(app, 0, err))
        return false;
    attend_sheet_init(&empty);
    bool ok = take_sheet(app, &empty, err);
    attend_sheet_finish(&empty);
    if (!ok)
        return false;
    snprintf(app->equation.name, sizeof app->equation.name, "%.250s", name);
    app->equation.bundled = NOWHERE;
    return true;
}

bool equation_load_bundled(struct app *app, int index, struct error *err)
{
    char assets[4096], path[4400];
    if (!data_path("assets", assets, sizeof assets))
        return fail_with(err, ERR_IO, "the assets folder was not found");
    snprintf(path, sizeof path, "%s/sheets/%s.json", assets, attend_sheet_bundled[index]);
    if (!equation_load(app, path, err))
        return false;
    app->equation.bundled = index;
    return true;
}

bool equation_open(struct app *app, struct error *err)
{
    if (!app->equation.result)
        return equation_load_bundled(app, 0, err);
    show_page(app);
    return true;
}

void equation_close(struct app *app)
{
    app->equation.open = false;
    ui_set_focus(&app->ui, ui_hash("sentence"));
    app->dirty = true;
}

void equation_leave(struct app *app)
{
    if (app->equation.open)
        equation_close(app);
}

void equation_finish(struct equation *equation)
{
    for (int i = 0; i < EQUATION_FIELDS; i++)
        textedit_destroy(equation->fields[i].edit);
    attend_sheet_finish(&equation->choices);
    equation_result_destroy(equation->result);
}

// Names while one types are as many as there are; a sheet has one for each row, or none.
static bool fit_names(struct attend_sheet *sheet, enum attend_named named, int rows,
                      struct arena *arena, struct error *err)
{
    struct attend_names *names = &sheet->names[named];
    const char **at = arena_alloc(arena, (size_t)rows, sizeof *at);
    if (!names->count || names->count == rows)
        return true;
    for (int i = 0; at && i < rows; i++) {
        char name[ATTEND_NAME_BYTES];
        attend_row_name(sheet, &(struct attend){.tau = 1}, named, i, name, sizeof name);
        at[i] = arena_copy(arena, name, strlen(name));
        if (!at[i])
            return fail_nomem(err, "the sheet");
    }
    *names = (struct attend_names){at, rows};
    return at || fail_nomem(err, "the sheet");
}

static bool write_sheet(const struct equation_result *result, struct buf *out,
                        struct error *err)
{
    struct attend_sheet sheet = result->sheet;
    const int rows[NAMED_COUNT] = {result->now.queries, result->now.keys,
                                   result->now.columns};
    struct arena arena;
    bool ok = true;
    arena_init(&arena, 1 << 20);
    for (int i = 0; ok && i < NAMED_COUNT; i++)
        ok = fit_names(&sheet, (enum attend_named)i, rows[i], &arena, err);
    ok = ok && attend_sheet_write(out, &sheet, err);
    arena_finish(&arena);
    return ok;
}

bool equation_write(struct app *app, bool text, struct buf *out, struct error *err)
{
    struct equation *equation = &app->equation;
    if (equation->error.text[0])
        return fail_with(err, ERR_USAGE, "nothing was saved: %.400s",
                         equation->error.text);
    if (text)
        return attend_write_text(out, &equation->result->sheet, err);
    return write_sheet(equation->result, out, err);
}
