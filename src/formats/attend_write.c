// SPDX-License-Identifier: MIT
// Results of sheets as JSON and as tables. See attend_write.h.
#include "formats/attend_write.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "formats/write.h"
#include "text/utf8.h"

enum { ARENA_BYTES = 128 << 20, CELL = 9, NAME = 12, TABLE_COLUMNS = 24 };

struct writer {
    struct buf *out;
    const struct attend_sheet *sheet;
    struct attend other; // what stands beside
    struct attend_result result, beside;
    struct arena arena;
};

// Keys stand in the order, and so do queries that are the same tokens.
static int place_of(const struct attend *input, enum attend_named named, int i)
{
    const struct attend_matrix *order = &input->part[ATTEND_ORDER];
    bool moved =
        named == NAMED_KEYS || (named == NAMED_QUERIES && !input->part[ATTEND_K].rows);
    return moved && i < order->columns ? (int)order->at[i] - 1 : i;
}

void attend_row_name(const struct attend_sheet *sheet, const struct attend *input,
                     enum attend_named named, int i, char *out, size_t size)
{
    static const char *const letters[NAMED_COUNT] = {"q", "k", "v"};
    static const char *const digits[] = {"₀", "₁", "₂", "₃", "₄",
                                         "₅", "₆", "₇", "₈", "₉"};
    const struct attend_names *names = &sheet->names[named];
    int place = place_of(input, named, i), n = place + 1;
    if (place < names->count)
        snprintf(out, size, "%s", names->at[place]);
    else
        snprintf(out, size, "%s%s%s%s", letters[named],
                 n >= 100 ? digits[n / 100 % 10] : "", n >= 10 ? digits[n / 10 % 10] : "",
                 digits[n % 10]);
}

void attend_score_formula(const struct attend *input, int width, char *out, size_t size)
{
    bool given = input->part[ATTEND_SCORE_Q].rows || input->part[ATTEND_SCORE_K].rows;
    if (input->score == ATTEND_SCALED_DOT)
        snprintf(out, size, "e = q·k / √%d", width);
    else if (input->score == ATTEND_ADDITIVE)
        snprintf(out, size, "e = Σ %stanh(%s)",
                 input->part[ATTEND_SCORE_V].rows ? "v " : "",
                 given ? "W_q q + W_k k" : "q + k");
    else
        snprintf(out, size, "%s",
                 input->score == ATTEND_DOT ? "e = q·k" : "e = q·k / (‖q‖ ‖k‖)");
}

// ---- JSON

static void json_number_or_null(struct buf *out, double value)
{
    if (isfinite(value))
        attend_text_number(out, value);
    else
        buf_add(out, "null");
}

static void json_row(struct buf *out, const double *values, int n)
{
    buf_add(out, "[");
    for (int i = 0; i < n; i++) {
        buf_add(out, i ? "," : "");
        json_number_or_null(out, values[i]);
    }
    buf_add(out, "]");
}

static void json_rows(struct buf *out, const char *name, const double *values, int rows,
                      int columns)
{
    buf_printf(out, ",\"%s\":[", name);
    for (int i = 0; i < rows; i++) {
        buf_add(out, i ? "," : "");
        json_row(out, values + (size_t)i * (size_t)columns, columns);
    }
    buf_add(out, "]");
}

static void json_masked(struct buf *out, const struct attend_result *result)
{
    buf_add(out, ",\"masked\":[");
    for (int t = 0; t < result->queries; t++)
        for (int s = 0; s < result->keys; s++)
            buf_printf(out, "%s%s%s",
                       s   ? ","
                       : t ? ",["
                           : "[",
                       result->masked[t * result->keys + s] ? "true" : "false",
                       s + 1 == result->keys ? "]" : "");
    buf_add(out, "]");
}

static void json_naive(struct writer *writer)
{
    double alpha[ATTEND_MAX];
    struct buf *out = writer->out;
    const struct attend_result *result = &writer->result;
    buf_add(out, ",\"naive\":[");
    for (int t = 0; t < result->queries; t++) {
        bool fits = attend_naive(result, t, writer->sheet->input.tau, alpha);
        buf_printf(out, "%s{\"overflow\":%s,\"weights\":", t ? "," : "",
                   fits ? "false" : "true");
        json_row(out, alpha, result->keys);
        buf_add(out, "}");
    }
    buf_add(out, "]");
}

static void json_beside(struct writer *writer)
{
    const struct attend_result *beside = &writer->beside;
    if (writer->sheet->beside == BESIDE_NAIVE)
        json_naive(writer);
    if (!beside->queries)
        return;
    buf_printf(writer->out, ",\"beside\":{\"what\":\"%s\"",
               attend_beside_name(writer->sheet->beside));
    json_rows(writer->out, "weights", beside->alpha, beside->queries, beside->keys);
    json_rows(writer->out, "output", beside->output, beside->queries, beside->columns);
    buf_add(writer->out, "}");
}

static void json_result(struct writer *writer)
{
    struct buf *out = writer->out;
    const struct attend *input = &writer->sheet->input;
    const struct attend_result *result = &writer->result;
    buf_printf(out, ",\"score\":\"%s\",\"normalise\":%s,\"mask\":\"%s\",\"tau\":",
               attend_score_name(input->score), input->normalise ? "true" : "false",
               attend_mask_name(input->mask));
    if (isinf(input->tau))
        buf_add(out, "\"inf\"");
    else
        attend_text_number(out, input->tau);
    buf_printf(out, ",\"width\":%d", result->width);
    json_rows(out, "scores", result->score, result->queries, result->keys);
    json_masked(out, result);
    json_rows(out, "weights", result->alpha, result->queries, result->keys);
    buf_add(out, ",\"entropy_bits\":");
    json_row(out, result->entropy, result->queries);
    buf_add(out, ",\"slope\":");
    json_row(out, result->slope, result->queries);
    json_rows(out, "output", result->output, result->queries, result->columns);
    json_beside(writer);
}

static void json_reading(struct buf *out, const char *name,
                         const struct scaling_reading *reading)
{
    buf_printf(out, ",\"%s\":{\"variance\":", name);
    attend_text_number(out, reading->variance);
    buf_add(out, ",\"entropy_bits\":");
    attend_text_number(out, reading->entropy_bits);
    buf_add(out, ",\"slope\":");
    attend_text_number(out, reading->slope);
    buf_add(out, "}");
}

static void json_scaling(struct buf *out, const struct scaling *scaling)
{
    struct scaling_point points[SCALING_SIZES];
    scaling_measure(scaling, points);
    buf_printf(out, ",\"seed\":%llu,\"queries\":%d,\"keys\":%d,\"points\":[",
               (unsigned long long)scaling->seed, scaling->queries, scaling->keys);
    for (int i = 0; i < SCALING_SIZES; i++) {
        buf_printf(out, "%s{\"d\":%d", i ? "," : "", points[i].d);
        json_reading(out, "plain", &points[i].plain);
        json_reading(out, "scaled", &points[i].scaled);
        buf_add(out, "}");
    }
    buf_add(out, "]");
}

// ---- tables

static void pad(struct buf *out, int columns)
{
    for (int i = 0; i < columns; i++)
        buf_add(out, " ");
}

static void cell(struct buf *out, const char *text, int width, bool right)
{
    int columns = utf8_columns(text, strlen(text));
    pad(out, right ? width - columns : 0);
    buf_add(out, text);
    pad(out, right ? 0 : width - columns);
}

struct table { // columns beyond TABLE_COLUMNS are said to be there
    const char *title;
    const struct attend *input;
    enum attend_named rows, columns;
    const double *values;
    const bool *masked; // or NULL
    int n_rows, n_columns;
};

static void table_head(struct writer *writer, const struct table *table, int shown)
{
    char name[ATTEND_NAME_BYTES];
    buf_add(writer->out, "\n");
    cell(writer->out, table->title, NAME, false);
    for (int j = 0; j < shown; j++) {
        attend_row_name(writer->sheet, table->input, table->columns, j, name,
                        sizeof name);
        buf_add(writer->out, " ");
        cell(writer->out, name, CELL, true);
    }
    if (shown < table->n_columns)
        buf_printf(writer->out, "  and %d more", table->n_columns - shown);
    buf_add(writer->out, "\n");
}

static void table_write(struct writer *writer, const struct table *table)
{
    char text[ATTEND_NAME_BYTES];
    int shown = table->n_columns < TABLE_COLUMNS ? table->n_columns : TABLE_COLUMNS;
    table_head(writer, table, shown);
    for (int i = 0; i < table->n_rows; i++) {
        attend_row_name(writer->sheet, table->input, table->rows, i, text, sizeof text);
        cell(writer->out, text, NAME, false);
        for (int j = 0; j < shown; j++) {
            size_t at = (size_t)i * (size_t)table->n_columns + (size_t)j;
            bool masked = table->masked && table->masked[at];
            double value = table->values[at];
            snprintf(text, sizeof text, fabs(value) < 1e5 ? "%.4f" : "%.3e", value);
            buf_add(writer->out, " ");
            cell(writer->out, masked ? "·" : isfinite(value) ? text : "∞/∞", CELL, true);
        }
        buf_add(writer->out, "\n");
    }
}

static void text_entropy(struct writer *writer)
{
    char name[ATTEND_NAME_BYTES];
    const struct attend_result *result = &writer->result;
    buf_add(writer->out, "\nentropy           bits    ‖∂α/∂e‖\n");
    for (int t = 0; t < result->queries; t++) {
        attend_row_name(writer->sheet, &writer->sheet->input, NAMED_QUERIES, t, name,
                        sizeof name);
        cell(writer->out, name, NAME, false);
        if (result->readable[t])
            buf_printf(writer->out, " %9.4f  %9.4f\n", result->entropy[t],
                       result->slope[t]);
        else
            buf_add(writer->out,
                    " every key is masked: no weights, and an output of 0\n");
    }
}

static void text_naive(struct writer *writer)
{
    const struct attend_result *result = &writer->result;
    size_t n = (size_t)result->keys;
    double *alpha =
        arena_alloc(&writer->arena, (size_t)result->queries * n, sizeof *alpha);
    bool fits = true;
    for (int t = 0; alpha && t < result->queries; t++)
        fits = attend_naive(result, t, writer->sheet->input.tau, alpha + (size_t)t * n) &&
               fits;
    if (!alpha)
        return;
    table_write(writer,
                &(struct table){"naive", &writer->sheet->input, NAMED_QUERIES, NAMED_KEYS,
                                alpha, result->masked, result->queries, result->keys});
    if (!fits)
        buf_printf(writer->out,
                   "exp overflows above %.1f (F64), %.1f (F32), %.1f (F16)\n",
                   attend_exp_limits[0], attend_exp_limits[1], attend_exp_limits[2]);
}

static void text_result(struct writer *writer)
{
    const struct attend_sheet *sheet = writer->sheet;
    const struct attend_result *r = &writer->result, *b = &writer->beside;
    char formula[96];
    attend_score_formula(&sheet->input, r->width, formula, sizeof formula);
    buf_printf(writer->out, "\n%s   mask: %s   τ = %g%s\n", formula,
               attend_mask_name(sheet->input.mask), sheet->input.tau,
               sheet->input.normalise ? "   rows of Q and K scaled to length 1" : "");
    const struct table tables[] = {
        {"scores e", &sheet->input, NAMED_QUERIES, NAMED_KEYS, r->score, r->masked,
         r->queries, r->keys},
        {"weights α", &sheet->input, NAMED_QUERIES, NAMED_KEYS, r->alpha, r->masked,
         r->queries, r->keys},
        {"output", &sheet->input, NAMED_QUERIES, NAMED_VALUES, r->output, NULL,
         r->queries, r->columns},
    };
    for (int i = 0; i < 3; i++)
        table_write(writer, &tables[i]);
    text_entropy(writer);
    if (sheet->beside == BESIDE_NAIVE)
        text_naive(writer);
    if (!b->queries)
        return;
    buf_printf(writer->out, "\nbeside: %s\n",
               sheet->beside == BESIDE_HARD ? "the hard lookup, τ = 0"
                                            : "the memory in its order");
    table_write(writer,
                &(struct table){"weights α", &writer->other, NAMED_QUERIES, NAMED_KEYS,
                                b->alpha, b->masked, b->queries, b->keys});
    table_write(writer,
                &(struct table){"output", &writer->other, NAMED_QUERIES, NAMED_VALUES,
                                b->output, NULL, b->queries, b->columns});
}

static void text_scaling(struct buf *out, const struct scaling *scaling)
{
    struct scaling_point points[SCALING_SIZES];
    scaling_measure(scaling, points);
    buf_printf(out,
               "\n%d queries, %d keys, seed %llu\n\n"
               "              q·k                           q·k / √d\n"
               "   d    variance      bits     slope    variance      bits     slope\n",
               scaling->queries, scaling->keys, (unsigned long long)scaling->seed);
    for (int i = 0; i < SCALING_SIZES; i++) {
        const struct scaling_reading *plain = &points[i].plain;
        const struct scaling_reading *scaled = &points[i].scaled;
        buf_printf(out, "%4d %11.4f %9.4f %9.4f %11.4f %9.4f %9.4f\n", points[i].d,
                   plain->variance, plain->entropy_bits, plain->slope, scaled->variance,
                   scaled->entropy_bits, scaled->slope);
    }
}

// ---- the whole

static bool compute(struct writer *writer, struct error *err)
{
    const struct attend_sheet *sheet = writer->sheet;
    if (sheet->is_scaling)
        return true;
    if (!attend_compute(&writer->result, &sheet->input, &writer->arena, err))
        return false;
    if (sheet->beside != BESIDE_HARD && sheet->beside != BESIDE_IN_ORDER)
        return true;
    writer->other = attend_sheet_beside(sheet);
    return attend_compute(&writer->beside, &writer->other, &writer->arena, err);
}

static void write_json_all(struct writer *writer)
{
    buf_add(writer->out, "{\"title\":");
    write_string(writer->out, writer->sheet->title);
    if (writer->sheet->is_scaling)
        json_scaling(writer->out, &writer->sheet->scaling);
    else
        json_result(writer);
    buf_add(writer->out, "}\n");
}

static void write_text_all(struct writer *writer)
{
    const struct attend_sheet *sheet = writer->sheet;
    buf_printf(writer->out, "%s\n", *sheet->title ? sheet->title : "Attention(Q, K, V)");
    if (*sheet->note)
        buf_printf(writer->out, "%s\n", sheet->note);
    if (sheet->is_scaling)
        text_scaling(writer->out, &sheet->scaling);
    else
        text_result(writer);
}

static bool write_with(struct buf *out, const struct attend_sheet *sheet,
                       void (*write)(struct writer *), struct error *err)
{
    struct writer writer = {.out = out, .sheet = sheet};
    arena_init(&writer.arena, ARENA_BYTES);
    bool ok = compute(&writer, err);
    if (ok)
        write(&writer);
    arena_finish(&writer.arena);
    return ok && (!out->failed || fail_nomem(err, "what the sheet comes to"));
}

bool attend_write_json(struct buf *out, const struct attend_sheet *sheet,
                       struct error *err)
{
    return write_with(out, sheet, write_json_all, err);
}

bool attend_write_text(struct buf *out, const struct attend_sheet *sheet,
                       struct error *err)
{
    return write_with(out, sheet, write_text_all, err);
}
