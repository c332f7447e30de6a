// SPDX-License-Identifier: MIT
// Edits in words: what each one is, and what does not hold of them.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/state.h"
#include "view/short.h"

enum { NAME_BYTES = 96 };

// Rows by number, for their words change with the edits; columns by their word.
static void name_column(const struct app *app, int token, char *out)
{
    const struct alignment *now = show_decoded(&app->show);
    int place = what_if_place(now, token);
    if (place >= 0)
        snprintf(out, NAME_BYTES, "“%s”", short_of(now->source[place].text).text);
    else
        snprintf(out, NAME_BYTES, "column %d", token + 1);
}

static void describe_hard(const struct edit *edit, char *out)
{
    const char *word = edit->value > 0 ? "hard" : "not hard";
    if (edit->row < 0)
        snprintf(out, WHAT_IF_TEXT, "all rows %s", word);
    else
        snprintf(out, WHAT_IF_TEXT, "row %d %s", edit->row + 1, word);
}

static void describe_words(const struct app *app, const struct edit *edit, char *out)
{
    const struct tokenizer *target = app->library.entries[app->model].translator.target;
    static const char mark[] = "▁";
    const char *text = edit->text;
    if (!text)
        text = edit->n_tokens ? tokenizer_piece(target, edit->tokens[0]) : "";
    if (!strncmp(text, mark, sizeof mark - 1))
        text += sizeof mark - 1;
    if (edit->kind == EDIT_WORD)
        snprintf(out, WHAT_IF_TEXT, "row %d says “%s”", edit->row + 1,
                 short_of(text).text);
    else if (edit->n_tokens)
        snprintf(out, WHAT_IF_TEXT, "begins with “%s”", short_of(text).text);
    else
        snprintf(out, WHAT_IF_TEXT, "begins as it likes");
}

static void describe_shuffle(const struct edit *edit, char *out)
{
    const char *what = edit->kind == EDIT_SHUFFLE ? "memory" : "words";
    if (edit->seed)
        snprintf(out, WHAT_IF_TEXT, "%s shuffled, order %u", what, edit->seed);
    else
        snprintf(out, WHAT_IF_TEXT, "%s in order", what);
}

void what_if_describe(const struct app *app, const struct edit *edit, char *out)
{
    char column[NAME_BYTES];
    int cents = (int)lroundf(edit->value * 100), row = edit->row + 1;
    name_column(app, edit->column, column);
    switch (edit->kind) {
    case EDIT_CELL:
        snprintf(out, WHAT_IF_TEXT, "row %d, %s = %d.%02d", row, column, cents / 100,
                 cents % 100);
        break;
    case EDIT_PIN:
        snprintf(out, WHAT_IF_TEXT, "row %d pinned", row);
        break;
    case EDIT_UNPIN:
        snprintf(out, WHAT_IF_TEXT, "row %d not pinned", row);
        break;
    case EDIT_COLUMN:
        snprintf(out, WHAT_IF_TEXT, edit->value > 0 ? "%s × %.3g" : "%s muted", column,
                 (double)edit->value);
        break;
    case EDIT_HARD:
        describe_hard(edit, out);
        break;
    case EDIT_SHUFFLE:
    case EDIT_SHUFFLE_WORDS:
        describe_shuffle(edit, out);
        break;
    case EDIT_WORD:
    case EDIT_PREFIX:
        describe_words(app, edit, out);
        break;
    }
}

static int outside(const struct app *app)
{
    const struct edits *edits = &app->what_if.edits;
    const struct alignment *now = show_decoded(&app->show);
    int count = 0, rows = now ? alignment_rows(now) : 0;
    for (int i = 0; now && alignment_ended(now) != ENDED_NOT && i < edits->count; i++)
        count +=
            edits->list[i].row >= rows || edits->list[i].column >= now->n_src ||
            (edits->list[i].kind == EDIT_PIN && edits->list[i].n_alpha != now->n_src);
    return count;
}

void what_if_note(const struct app *app, char *out, size_t size)
{
    const struct alignment *now = show_decoded(&app->show);
    int beyond = outside(app), spread = 0;
    if (now && alignment_ended(now) != ENDED_NOT)
        spread = now->rows_spread;
    out[0] = '\0';
    if (app->beaming.beam.width)
        snprintf(out, size, "at rest while a beam searches:");
    else if (app->what_if.before)
        snprintf(out, size, "before the edits:");
    else if (spread)
        snprintf(out, size, "nothing left in %d row%s, spread evenly:", spread,
                 spread == 1 ? "" : "s");
    else if (beyond)
        snprintf(out, size, "%d outside the matrix:", beyond);
}
