// SPDX-License-Identifier: MIT
// One table reads and prints edits. See edit_line.h.
#include "align/edit_line.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const char *at; // the rest of the line
    struct edit_here here;
    struct edit *edit;
    struct edit_room *room;
    const char *verb, *usage;
    struct error *err;
};

struct form {
    const char *verb, *usage;
    enum edit_kind kind;
    bool (*read)(struct reader *reader);
    void (*print)(const struct edit *edit, struct buf *out);
};

static bool bad(const struct reader *reader)
{
    return fail_with(reader->err, ERR_USAGE, "%s: found '%.100s', expected %s",
                     reader->verb, reader->at, reader->usage);
}

static void skip_spaces(struct reader *reader)
{
    reader->at += strspn(reader->at, " ");
}

// The word at the front, when it is this one.
static bool take_word(struct reader *reader, const char *word)
{
    size_t length = strlen(word);
    skip_spaces(reader);
    if (strncmp(reader->at, word, length) != 0 ||
        (reader->at[length] && reader->at[length] != ' '))
        return false;
    reader->at += length;
    return true;
}

static bool at_end(struct reader *reader)
{
    skip_spaces(reader);
    return !*reader->at || bad(reader);
}

static bool take_int(struct reader *reader, long most, int *out)
{
    char *end;
    skip_spaces(reader);
    long value = strtol(reader->at, &end, 10);
    if (end == reader->at || (*end && *end != ' ') || value < 0 || value > most)
        return bad(reader);
    *out = (int)value;
    reader->at = end;
    return true;
}

static bool take_float(struct reader *reader, float *out)
{
    char *end;
    skip_spaces(reader);
    float value = strtof(reader->at, &end);
    if (end == reader->at || (*end && *end != ' '))
        return bad(reader);
    *out = value;
    reader->at = end;
    return true;
}

static bool take_place(struct reader *reader, const char *what, int here, int *out)
{
    if (take_word(reader, "here")) {
        *out = here;
        return here >= 0 || fail_with(reader->err, ERR_USAGE, "%s: no %s is selected",
                                      reader->verb, what);
    }
    if (!take_int(reader, 1 << 30, out))
        return false;
    *out -= 1;
    return *out >= 0 || fail_with(reader->err, ERR_USAGE, "%s: %ss are counted from 1",
                                  reader->verb, what);
}

static bool take_row(struct reader *reader)
{
    return take_place(reader, "row", reader->here.row, &reader->edit->row);
}

static bool take_column(struct reader *reader)
{
    return take_place(reader, "column", reader->here.column, &reader->edit->column);
}

static bool read_cell(struct reader *reader)
{
    if (!take_row(reader) || !take_column(reader))
        return false;
    skip_spaces(reader);
    reader->room->relative = *reader->at == '+' || *reader->at == '-';
    return take_float(reader, &reader->edit->value) && at_end(reader);
}

static void print_cell(const struct edit *edit, struct buf *out)
{
    buf_printf(out, " %d %d %.9g", edit->row + 1, edit->column + 1, (double)edit->value);
}

static bool read_pin(struct reader *reader)
{
    struct edit *edit = reader->edit;
    if (!take_row(reader))
        return false;
    edit->alpha = reader->room->alpha;
    for (skip_spaces(reader); *reader->at; skip_spaces(reader))
        if (edit->n_alpha == ALIGNMENT_MAX_SRC ||
            !take_float(reader, &reader->room->alpha[edit->n_alpha++]))
            return bad(reader);
    return true;
}

static void print_pin(const struct edit *edit, struct buf *out)
{
    buf_printf(out, " %d", edit->row + 1);
    for (int s = 0; s < edit->n_alpha; s++)
        buf_printf(out, " %.9g", (double)edit->alpha[s]);
}

static bool read_row(struct reader *reader)
{
    return take_row(reader) && at_end(reader);
}

static void print_row(const struct edit *edit, struct buf *out)
{
    buf_printf(out, " %d", edit->row + 1);
}

static bool read_mute(struct reader *reader)
{
    reader->edit->value = 0;
    return take_column(reader) && at_end(reader);
}

static void print_mute(const struct edit *edit, struct buf *out)
{
    buf_printf(out, " %d", edit->column + 1);
}

static bool read_boost(struct reader *reader)
{
    reader->edit->value = 2;
    if (!take_column(reader))
        return false;
    skip_spaces(reader);
    return !*reader->at || (take_float(reader, &reader->edit->value) && at_end(reader));
}

static void print_boost(const struct edit *edit, struct buf *out)
{
    buf_printf(out, " %d %.9g", edit->column + 1, (double)edit->value);
}

static bool read_hard(struct reader *reader)
{
    bool on = take_word(reader, "on");
    if (!on && !take_word(reader, "off"))
        return bad(reader);
    reader->edit->value = on;
    skip_spaces(reader);
    return !*reader->at || read_row(reader);
}

static void print_hard(const struct edit *edit, struct buf *out)
{
    buf_add(out, edit->value > 0 ? " on" : " off");
    if (edit->row != EDIT_ALL)
        print_row(edit, out);
}

static bool read_seed(struct reader *reader)
{
    int seed = 0;
    if (take_word(reader, "off"))
        return at_end(reader);
    if (!take_int(reader, 1 << 30, &seed))
        return false;
    reader->edit->seed = (unsigned)seed;
    return at_end(reader);
}

static void print_seed(const struct edit *edit, struct buf *out)
{
    if (edit->seed)
        buf_printf(out, " %u", edit->seed);
    else
        buf_add(out, " off");
}

static bool take_text(struct reader *reader, size_t length)
{
    if (length > EDIT_TEXT_MAX)
        return fail_with(reader->err, ERR_LIMIT, "%s: %zu bytes, the limit is %d",
                         reader->verb, length, EDIT_TEXT_MAX);
    memcpy(reader->room->text, reader->at, length);
    reader->room->text[length] = '\0';
    reader->edit->text = reader->room->text;
    return true;
}

static bool take_tokens(struct reader *reader)
{
    struct edit *edit = reader->edit;
    edit->tokens = reader->room->tokens;
    for (skip_spaces(reader); *reader->at; skip_spaces(reader))
        if (edit->n_tokens == ALIGNMENT_MAX_TGT ||
            !take_int(reader, 1 << 30, &reader->room->tokens[edit->n_tokens++]))
            return bad(reader);
    return edit->n_tokens > 0 || bad(reader);
}

static bool read_word(struct reader *reader)
{
    if (!take_row(reader))
        return false;
    if (take_word(reader, "id"))
        return take_tokens(reader);
    skip_spaces(reader);
    const char *end = strrchr(reader->at, '"');
    if (*reader->at == '"') {
        if (end == reader->at || end[1 + strspn(end + 1, " ")])
            return bad(reader);
        reader->at++;
        return take_text(reader, (size_t)(end - reader->at));
    }
    return take_int(reader, ALIGNMENT_TOP, &reader->room->choice) && at_end(reader) &&
           (reader->room->choice > 0 || bad(reader));
}

static void print_word(const struct edit *edit, struct buf *out)
{
    if (edit->text) {
        buf_printf(out, " %d \"%s\"", edit->row + 1, edit->text);
        return;
    }
    buf_printf(out, " %d id", edit->row + 1);
    for (int i = 0; i < edit->n_tokens; i++)
        buf_printf(out, " %d", edit->tokens[i]);
}

static bool read_prefix(struct reader *reader)
{
    skip_spaces(reader);
    return take_text(reader, strlen(reader->at));
}

static void print_prefix(const struct edit *edit, struct buf *out)
{
    if (edit->text && *edit->text)
        buf_printf(out, " %s", edit->text);
}

static const char a_seed[] = "a number from 1, or off";

static const struct form forms[] = {
    {"cell", "a row, a column and an α", EDIT_CELL, read_cell, print_cell},
    {"pin", "a row, or a row and its α", EDIT_PIN, read_pin, print_pin},
    {"unpin", "a row", EDIT_UNPIN, read_row, print_row},
    {"mute", "a column", EDIT_COLUMN, read_mute, print_mute},
    {"boost", "a column, or a column and a factor", EDIT_COLUMN, read_boost, print_boost},
    {"hard", "on or off, for one row when it is named", EDIT_HARD, read_hard, print_hard},
    {"shuffle", a_seed, EDIT_SHUFFLE, read_seed, print_seed},
    {"shuffle-words", a_seed, EDIT_SHUFFLE_WORDS, read_seed, print_seed},
    {"word", "a row, then 1 to 5 or a text in quotes", EDIT_WORD, read_word, print_word},
    {"prefix", "the words to begin with", EDIT_PREFIX, read_prefix, print_prefix},
};
enum { FORMS = sizeof forms / sizeof *forms };

// "cell, pin, ..." for a sentence.
static void edit_verbs(struct buf *out)
{
    for (int i = 0; i < FORMS; i++)
        buf_printf(out, i ? ", %s" : "%s", forms[i].verb);
}

bool edit_parse(const char *line, struct edit_here here, struct edit *edit,
                struct edit_room *room, struct error *err)
{
    struct reader reader = {line, here, edit, room, "", "", err};
    room->relative = false;
    room->choice = 0;
    for (int i = 0; i < FORMS; i++) {
        if (!take_word(&reader, forms[i].verb))
            continue;
        *edit = edit_make(forms[i].kind, EDIT_ALL, EDIT_ALL, 0);
        reader.verb = forms[i].verb;
        reader.usage = forms[i].usage;
        return forms[i].read(&reader);
    }
    struct buf verbs;
    buf_init(&verbs, 400);
    edit_verbs(&verbs);
    fail_with(err, ERR_USAGE, "found '%.100s', expected one of %s", line,
              buf_text(&verbs));
    buf_finish(&verbs);
    return false;
}

bool edit_print(const struct edit *edit, struct buf *out)
{
    bool boost = edit->kind == EDIT_COLUMN && edit->value > 0;
    for (int i = 0; i < FORMS; i++) {
        if (forms[i].kind != edit->kind || boost != !strcmp(forms[i].verb, "boost"))
            continue;
        buf_add(out, forms[i].verb);
        forms[i].print(edit, out);
        break;
    }
    return !out->failed;
}
