// SPDX-License-Identifier: MIT
// See attend_rows.h. Read twice: for the size, and for the numbers.
#include "formats/attend_rows.h"

#include <math.h>

#include "formats/json_fields.h"

struct rows { // of numbers, as they are read
    const char *field;
    int row, columns;
    double *out; // NULL: only counting
};

static bool take_number(struct json *json, struct rows *rows, int column)
{
    struct json_value value;
    double number = 0;
    if (!json_value(json, &value))
        return false;
    if (!json_number(&value, &number) || !isfinite(number))
        return fail_with(json->err, ERR_FORMAT,
                         "%s: %s: row %d, column %d is %.*s, expected a finite number",
                         json->what, rows->field, rows->row + 1, column + 1,
                         (int)(value.length < 40 ? value.length : 40), value.raw);
    if (rows->out)
        rows->out[(size_t)rows->row * (size_t)rows->columns + (size_t)column] = number;
    return true;
}

static bool take_row(struct json *json, struct rows *rows)
{
    struct json_value value;
    bool more = false;
    int n = 0;
    if (!json_at(json, '['))
        return json_value(json, &value) &&
               json_refuse(json, rows->field, &value,
                           "rows of numbers, each in brackets");
    if (!json_open(json, '[') || !json_more(json, &more))
        return false;
    for (; more; n++)
        if (n == ATTEND_MAX)
            return fail_with(json->err, ERR_LIMIT, "%s: %s has more than %d columns",
                             json->what, rows->field, ATTEND_MAX);
        else if (!take_number(json, rows, n) || !json_more(json, &more))
            return false;
    if (rows->row == 0)
        rows->columns = n;
    if (!n)
        return fail_with(json->err, ERR_FORMAT, "%s: %s: row %d is empty", json->what,
                         rows->field, rows->row + 1);
    if (n != rows->columns)
        return fail_with(json->err, ERR_FORMAT,
                         "%s: %s: row %d has %d number%s, row 1 has %d", json->what,
                         rows->field, rows->row + 1, n, n == 1 ? "" : "s", rows->columns);
    return true;
}

static bool take_rows(struct json *json, struct rows *rows, bool flat)
{
    bool more = false;
    rows->row = 0;
    if (flat) {
        bool ok = take_row(json, rows);
        rows->row = 1;
        return ok;
    }
    if (!json_open(json, '[') || !json_more(json, &more))
        return false;
    for (; more; rows->row++)
        if (rows->row == ATTEND_MAX)
            return fail_with(json->err, ERR_LIMIT, "%s: %s has more than %d rows",
                             json->what, rows->field, ATTEND_MAX);
        else if (!take_row(json, rows) || !json_more(json, &more))
            return false;
    return true;
}

bool attend_rows_take(struct json *json, const char *field, bool flat,
                      struct arena *arena, struct attend_matrix *out)
{
    struct rows rows = {.field = field};
    struct json_value value;
    if (!json_at(json, '['))
        return json_value(json, &value) &&
               json_refuse(json, field, &value,
                           flat ? "numbers in brackets" : "rows of numbers in brackets");
    struct json begin = *json;
    if (!take_rows(json, &rows, flat))
        return false;
    if (!rows.row)
        return fail_with(json->err, ERR_FORMAT,
                         "%s: %s is empty, expected rows of numbers", json->what, field);
    rows.out =
        arena_alloc(arena, (size_t)rows.row * (size_t)rows.columns, sizeof *rows.out);
    if (!rows.out)
        return fail_nomem(json->err, json->what);
    *json = begin;
    if (!take_rows(json, &rows, flat))
        return false;
    *out = (struct attend_matrix){rows.row, rows.columns, rows.out};
    return true;
}
