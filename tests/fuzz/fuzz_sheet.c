// SPDX-License-Identifier: MIT
// Any bytes as a sheet, and as a matrix that was typed. What is accepted is written
// again, and then read as the same; what it comes to is finite.
#include "fuzz.h"

#include <math.h>
#include <string.h>

#include "formats/attend_write.h"

static void check_result(const struct attend_sheet *sheet)
{
    struct attend_result result;
    struct arena arena;
    struct error err;
    arena_init(&arena, 128 << 20);
    must(attend_compute(&result, &sheet->input, &arena, &err));
    for (int t = 0; t < result.queries; t++) {
        double sum = 0;
        for (int s = 0; s < result.keys; s++)
            sum += result.alpha[t * result.keys + s];
        must(fabs(sum - (result.readable[t] ? 1 : 0)) < 1e-9);
        must(result.entropy[t] >= 0 && result.entropy[t] < 9.01);
    }
    arena_finish(&arena);
}

static void check(const struct attend_sheet *sheet)
{
    struct attend_sheet again;
    struct buf one, two;
    struct error err;
    buf_init(&one, 64 << 20);
    buf_init(&two, 64 << 20);
    if (!sheet->is_scaling)
        check_result(sheet);
    must(attend_sheet_write(&one, sheet, &err));
    must(attend_sheet_parse(&again, one.data, one.length, "again", &err));
    must(attend_sheet_write(&two, &again, &err));
    must(strcmp(one.data, two.data) == 0);
    buf_clear(&one);
    must(sheet->is_scaling || attend_write_json(&one, sheet, &err));
    must(sheet->is_scaling || attend_write_text(&one, sheet, &err));
    attend_sheet_finish(&again);
    buf_finish(&one);
    buf_finish(&two);
}

static void check_text(const char *text)
{
    struct attend_matrix matrix, again;
    struct attend_names names;
    struct arena arena;
    struct buf written;
    struct error err = {0};
    arena_init(&arena, 32 << 20);
    buf_init(&written, 32 << 20);
    must(attend_text_names(&names, text, &arena, &err));
    if (attend_text_parse(&matrix, text, "Q", &arena, &err)) {
        attend_text_write(&written, &matrix);
        must(attend_text_parse(&again, buf_text(&written), "Q", &arena, &err));
        size_t count = (size_t)matrix.rows * (size_t)matrix.columns;
        must(again.rows == matrix.rows && again.columns == matrix.columns);
        must(!count || !memcmp(again.at, matrix.at, count * sizeof *matrix.at));
    } else {
        must(err.code != OK && err.text[0]);
    }
    arena_finish(&arena);
    buf_finish(&written);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char text[1 << 16];
    struct attend_sheet sheet;
    struct error err = {0};
    if (attend_sheet_parse(&sheet, (const char *)data, size, "s.json", &err))
        check(&sheet);
    else
        must(err.code != OK && err.text[0]);
    attend_sheet_finish(&sheet);
    size = size < sizeof text ? size : sizeof text - 1;
    memcpy(text, data, size);
    text[size] = '\0';
    check_text(text);
    return 0;
}
