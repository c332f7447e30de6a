// SPDX-License-Identifier: MIT
// Any bytes as lines of edits. What is read prints as a line that is read as the same
// edit; whatever is edited, a row still sums to 1.
#include "fuzz.h"

#include <math.h>
#include <string.h>

#include "align/edit_line.h"

enum { N = 5, ROWS = 6 };

static bool same(const struct edit *a, const struct edit *b)
{
    return a->kind == b->kind && a->row == b->row && a->column == b->column &&
           !(a->value < b->value) && !(a->value > b->value) && a->seed == b->seed &&
           a->n_alpha == b->n_alpha && a->n_tokens == b->n_tokens &&
           !a->text == !b->text && (!a->text || !strcmp(a->text, b->text));
}

static void print_again(const struct edit *edit)
{
    static struct edit_room room;
    static const struct edit_here nowhere = {-1, -1};
    struct edit again;
    struct error err;
    struct buf line;
    buf_init(&line, 1 << 20);
    must(edit_print(edit, &line));
    must(edit_parse(buf_text(&line), nowhere, &again, &room, &err));
    must(same(edit, &again));
    buf_finish(&line);
}

static void apply(const struct edits *edits)
{
    for (int t = 0; t < ROWS; t++) {
        float alpha[N] = {0.5f, 0.25f, 0.25f, 0, 0};
        double sum = 0;
        edits_apply(edits, t, alpha, N);
        for (int s = 0; s < N; s++) {
            must(alpha[s] >= 0 && alpha[s] <= 1.000001f);
            sum += (double)alpha[s];
        }
        must(fabs(sum - 1) < 2e-3); // of a pin as it was given
        must(edits_token(edits, t) >= -1);
    }
}

static void read_line(struct edits *edits, const char *line)
{
    static struct edit_room room;
    static const struct edit_here here = {1, 2};
    struct edit edit;
    struct error err = {0};
    if (!edit_parse(line, here, &edit, &room, &err)) {
        must(err.code != OK && err.text[0]);
        return;
    }
    bool chosen = edit.kind == EDIT_WORD && room.choice;
    if (!room.relative && !chosen && !(edit.kind == EDIT_COLUMN && isnan(edit.value)) &&
        !(edit.kind == EDIT_COLUMN && edit.value < 0))
        print_again(&edit);
    if (edits_check(edits, &edit, N, ROWS, &err))
        must(edits_add(edits, &edit, &err) || edits->count == EDITS_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct edits edits;
    char line[4096];
    for (size_t at = 0, end; at < size; at = end + 1) {
        for (end = at; end < size && data[end] != '\n'; end++)
            continue;
        size_t length = end - at < sizeof line - 1 ? end - at : sizeof line - 1;
        memcpy(line, data + at, length);
        line[length] = '\0';
        read_line(&edits, line);
    }
    apply(&edits);
    edits_clear(&edits);
    while (edits_redo(&edits))
        continue;
    apply(&edits);
    edits_finish(&edits);
    return 0;
}
