// SPDX-License-Identifier: MIT
// Which edits can be, said in one sentence where they cannot. See edits.h.
#include <math.h>

#include "align/alignment.h"
#include "align/edits.h"

static bool check_row(const struct edit *edit, int rows, struct error *err)
{
    if (rows < 0)
        rows = ALIGNMENT_MAX_TGT;
    if (edit->row == EDIT_ALL || (edit->row >= 0 && edit->row < rows))
        return true;
    return fail_with(err, ERR_USAGE, "there is no row %lld: the matrix has %d",
                     (long long)edit->row + 1, rows);
}

static bool check_column(const struct edit *edit, int n_src, struct error *err)
{
    if (n_src < 0)
        n_src = ALIGNMENT_MAX_SRC;
    if (edit->column == EDIT_ALL || (edit->column >= 0 && edit->column < n_src))
        return true;
    return fail_with(err, ERR_USAGE, "there is no column %lld: the matrix has %d",
                     (long long)edit->column + 1, n_src);
}

static bool check_range(const char *what, float value, float most, struct error *err)
{
    if (value >= 0 && value <= most)
        return true;
    return fail_with(err, ERR_USAGE, "%s is %g, expected a number from 0 to %g", what,
                     (double)value, (double)most);
}

static bool check_cell(const struct edit *edit, int n_src, struct error *err)
{
    if (!check_range("α", edit->value, 1, err))
        return false;
    if (n_src == 1 && edit->value < 1)
        return fail_with(err, ERR_USAGE,
                         "there is one column, which gets all of α in every row");
    return true;
}

static bool check_factor(const struct edits *edits, const struct edit *edit, int n_src,
                         struct error *err)
{
    if (!check_range("the factor of a column", edit->value, EDITS_MAX_FACTOR, err))
        return false;
    bool left = edit->value > 0 || n_src < 0;
    for (int s = 0; s < n_src && !left; s++)
        left = s != edit->column && edits_factor(edits, s) > 0;
    return left ||
           fail_with(err, ERR_USAGE,
                     "all %d columns would be muted: a row needs one to look at", n_src);
}

static bool check_pin(const struct edit *edit, int n_src, struct error *err)
{
    double sum = 0;
    if (n_src >= 0 && edit->n_alpha != n_src)
        return fail_with(err, ERR_USAGE, "a pinned row has %d numbers, expected %d",
                         edit->n_alpha, n_src);
    for (int s = 0; s < edit->n_alpha; s++) {
        if (!check_range("an α of the pinned row", edit->alpha[s], 1, err))
            return false;
        sum += (double)edit->alpha[s];
    }
    if (fabs(sum - 1) > 1e-3)
        return fail_with(err, ERR_USAGE, "a pinned row sums to %g, expected 1", sum);
    return true;
}

bool edits_check(const struct edits *edits, const struct edit *edit, int n_src, int rows,
                 struct error *err)
{
    if (n_src == 0 || rows == 0)
        return fail_with(err, ERR_USAGE, "there is nothing to edit: no row is there");
    if (!check_row(edit, rows, err) || !check_column(edit, n_src, err))
        return false;
    switch (edit->kind) {
    case EDIT_CELL:
        return check_cell(edit, n_src, err);
    case EDIT_COLUMN:
        return check_factor(edits, edit, n_src, err);
    case EDIT_PIN:
        return check_pin(edit, n_src, err);
    case EDIT_WORD:
        return edit->n_tokens > 0 ||
               fail_with(err, ERR_USAGE, "no word was given for row %d", edit->row + 1);
    case EDIT_UNPIN:
    case EDIT_HARD:
    case EDIT_SHUFFLE:
    case EDIT_SHUFFLE_WORDS:
    case EDIT_PREFIX:
        break;
    }
    return true;
}
