// SPDX-License-Identifier: MIT
// Edits as they are marked in the matrix: their tokens in the words that show them.
#include "app/state.h"

static const struct lens_span nothing = {NOWHERE, NOWHERE};

// The words that show tokens from to to, of count; none when they are hidden or not
// there.
static struct lens_span words_of(const struct lens_axis *axis, int from, int to,
                                 int count)
{
    if (axis) {
        int known = axis->n ? axis->words[axis->n - 1].last + 1 : 0;
        count = count < known ? count : known;
    }
    to = to < count ? to : count - 1;
    if (from < 0 || from > to)
        return nothing;
    if (!axis)
        return (struct lens_span){from, to};
    if (axis->word[from] < 0 || axis->word[to] < 0)
        return nothing;
    return (struct lens_span){axis->word[from], axis->word[to]};
}

// rows: those that are shown, for a lens knows its own.
static struct lens_span rows_of(const struct show *show, int rows, int from, int to)
{
    return words_of(show->lens ? &show->lens->target : NULL, from, to, rows);
}

static struct lens_span column_of(const struct show *show, int token)
{
    int place = what_if_place(show->now, token);
    return words_of(show->lens ? &show->lens->source : NULL, place, place,
                    show->now ? show->now->n_src : 0);
}

// False: there is nothing to mark.
static bool mark_of(const struct edits *edits, const struct edit *edit,
                    const struct show *show, int rows, struct edit_mark *mark)
{
    *mark = (struct edit_mark){nothing, nothing, false, false};
    switch (edit->kind) {
    case EDIT_CELL:
        mark->columns = column_of(show, edit->column);
        mark->rows = rows_of(show, rows, edit->row, edit->row);
        return mark->columns.first >= 0 && mark->rows.first >= 0;
    case EDIT_PIN:
    case EDIT_UNPIN:
        mark->rows = rows_of(show, rows, edit->row, edit->row);
        return edits_pinned(edits, edit->row);
    case EDIT_COLUMN:
        mark->columns = column_of(show, edit->column);
        mark->hollow = edit->value < 1;
        return edits_factor(edits, edit->column) != 1;
    case EDIT_WORD:
    case EDIT_PREFIX:
        mark->word = true;
        mark->rows = edit->row < 0
                         ? rows_of(show, rows, 0, edit->n_tokens - 1)
                         : rows_of(show, rows, edit->row, edit->row + edit->n_tokens - 1);
        return edit->n_tokens > 0;
    case EDIT_HARD:
    case EDIT_SHUFFLE:
    case EDIT_SHUFFLE_WORDS:
        break;
    }
    return false;
}

// Hard rows, as many as follow each other in one mark.
static void mark_hard(struct what_if *what_if, const struct show *show, int rows,
                      int *count)
{
    for (int t = 0, end; t < rows; t = end + 1) {
        for (end = t; end < rows && edits_hard(&what_if->edits, end); end++)
            continue;
        struct lens_span span = rows_of(show, rows, t, end - 1);
        if (end > t && span.first >= 0)
            what_if->marks[(*count)++] = (struct edit_mark){span, nothing, true, false};
    }
}

void what_if_scene(struct app *app, const struct show *show, struct scene *scene)
{
    struct what_if *what_if = &app->what_if;
    const struct edits *edits = what_if_now(app);
    scene->edited = show->now && show->now->edited;
    scene->marks = what_if->marks;
    scene->n_marks = 0;
    if (!edits || !scene->edited || show->now->attention.kind != MAP_CROSS)
        return;
    int rows = show->lens ? show->rows : scene->rows; // some may be yet to come
    for (int i = 0; i < edits->count; i++) {
        struct edit edit = edits_at(edits, i);
        scene->n_marks +=
            mark_of(edits, &edit, show, rows, &what_if->marks[scene->n_marks]);
    }
    mark_hard(what_if, show, rows, &scene->n_marks);
    for (int i = 0; scene->lens.transpose && i < scene->n_marks; i++) {
        struct edit_mark *mark = &what_if->marks[i];
        struct lens_span turned = mark->rows;
        mark->rows = mark->columns;
        mark->columns = turned;
    }
}
