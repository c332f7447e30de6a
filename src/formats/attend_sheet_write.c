// SPDX-License-Identifier: MIT
// Writing sheets: a field a line, a row a line, the shortest numbers that read as the
// same. What is not set is not written. See attend_sheet.h.
#include "formats/attend_sheet.h"

#include <math.h>

#include "formats/write.h"

const char *const attend_sheet_bundled[] = {
    "three-keys",     "three-keys-causal",      "soft-lookup",
    "self-attention", "self-attention-weights", "scaling",
    "order",          "order-positions",        "large-scores",
};
const int attend_sheet_bundled_count =
    sizeof attend_sheet_bundled / sizeof *attend_sheet_bundled;

static void write_row(struct buf *out, const struct attend_matrix *m, int row)
{
    buf_add(out, "[");
    for (int j = 0; j < m->columns; j++) {
        buf_add(out, j ? ", " : "");
        attend_text_number(out, m->at[(size_t)row * (size_t)m->columns + (size_t)j]);
    }
    buf_add(out, "]");
}

static void write_part(struct buf *out, const struct attend_sheet *sheet,
                       enum attend_part part)
{
    const struct attend_matrix *m = &sheet->input.part[part];
    bool flat = part == ATTEND_ORDER || part == ATTEND_SCORE_V;
    if (!m->rows || (part == ATTEND_MASK && sheet->input.mask != ATTEND_ALLOWED))
        return;
    buf_printf(out, ",\n  \"%s\": ", attend_part_name(part));
    if (flat) {
        write_row(out, m, 0);
        return;
    }
    for (int i = 0; i < m->rows; i++) {
        buf_add(out, i ? ",\n    " : "[\n    ");
        write_row(out, m, i);
    }
    buf_add(out, "\n  ]");
}

static void write_word(struct buf *out, const char *name, const char *value)
{
    buf_printf(out, ",\n  \"%s\": ", name);
    write_string(out, value);
}

static void write_names(struct buf *out, const struct attend_sheet *sheet)
{
    bool any = false;
    for (int i = 0; i < NAMED_COUNT; i++) {
        const struct attend_names *names = &sheet->names[i];
        if (!names->count)
            continue;
        buf_printf(out, "%s\"%s\": [", any ? ", " : ",\n  \"names\": {",
                   attend_named_name((enum attend_named)i));
        for (int n = 0; n < names->count; n++) {
            buf_add(out, n ? ", " : "");
            write_string(out, names->at[n]);
        }
        buf_add(out, "]");
        any = true;
    }
    buf_add(out, any ? "}" : "");
}

static void write_choices(struct buf *out, const struct attend_sheet *sheet)
{
    const struct attend *input = &sheet->input;
    write_word(out, "score", attend_score_name(input->score));
    if (input->normalise)
        buf_add(out, ",\n  \"normalise\": true");
    if (input->mask != ATTEND_ALLOWED)
        write_word(out, "mask", attend_mask_name(input->mask));
    buf_add(out, ",\n  \"tau\": ");
    if (isinf(input->tau))
        buf_add(out, "\"inf\"");
    else
        attend_text_number(out, input->tau);
    if (sheet->beside != BESIDE_NOTHING)
        write_word(out, "beside", attend_beside_name(sheet->beside));
}

bool attend_sheet_write(struct buf *out, const struct attend_sheet *sheet,
                        struct error *err)
{
    buf_printf(out, "{\n  \"format\": \"alphascope-sheet\",\n  \"version\": %d",
               ATTEND_SHEET_VERSION);
    if (*sheet->title)
        write_word(out, "title", sheet->title);
    if (*sheet->note)
        write_word(out, "note", sheet->note);
    for (int i = 0; i < ATTEND_PARTS; i++)
        write_part(out, sheet, (enum attend_part)i);
    if (sheet->is_scaling)
        buf_printf(out,
                   ",\n  \"scaling\": {\"seed\": %llu, \"queries\": %d, \"keys\": %d}",
                   (unsigned long long)sheet->scaling.seed, sheet->scaling.queries,
                   sheet->scaling.keys);
    else
        write_choices(out, sheet);
    write_names(out, sheet);
    buf_add(out, "\n}\n");
    return !out->failed || fail_nomem(err, "the sheet");
}

struct attend attend_sheet_beside(const struct attend_sheet *sheet)
{
    struct attend input = sheet->input;
    if (sheet->beside == BESIDE_HARD)
        input.tau = 0;
    if (sheet->beside == BESIDE_IN_ORDER)
        input.part[ATTEND_ORDER] = (struct attend_matrix){0};
    return input;
}
