// SPDX-License-Identifier: MIT
// Readings as JSON, one object a line. Written by hand rather than through cJSON: cJSON
// prints numbers with 15 or 17 digits, needs a node for each, and passes ill-formed UTF-8
// on. Nine digits give a float32 back exactly (IEEE 754: 1 + ceil(24 log10 2) = 9).
#include "formats/write.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "align/telemetry.h"
#include "formats/write_nbest.h"
#include "formats/write_readings.h"
#include "text/utf8.h"

// Bytes of the well-formed character at text, 0 when there is none.
static size_t character_length(const char *text, size_t length)
{
    for (size_t n = 1; n <= 4 && n <= length; n++)
        if (utf8_valid(text, n))
            return n;
    return 0;
}

static const char *short_escape(char c)
{
    switch (c) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return "\\t";
    default:
        return NULL;
    }
}

static void write_bytes(struct buf *out, const char *text, size_t length)
{
    buf_add(out, "\"");
    for (size_t at = 0; at < length;) {
        size_t n = character_length(text + at, length - at);
        const char *escape = short_escape(text[at]);
        unsigned char byte = (unsigned char)text[at];
        if (!n)
            buf_add(out, "\xef\xbf\xbd");
        else if (escape)
            buf_add(out, escape);
        else if (byte < 0x20 || byte == 0x7f)
            buf_printf(out, "\\u%04x", byte);
        else
            buf_append(out, text + at, n);
        at += n ? n : 1;
    }
    buf_add(out, "\"");
}

void write_string(struct buf *out, const char *text)
{
    if (text)
        write_bytes(out, text, strlen(text));
    else
        buf_add(out, "null");
}

void write_number(struct buf *out, float value)
{
    if (isfinite(value))
        buf_printf(out, "%.9g", (double)value);
    else
        buf_add(out, "null");
}

void write_tau(struct buf *out, float tau)
{
    if (isinf(tau) && tau > 0)
        buf_add(out, "\"inf\"");
    else
        write_number(out, tau);
}

static void numbers(struct buf *out, const float *values, int n)
{
    buf_add(out, "[");
    for (int i = 0; i < n; i++) {
        buf_add(out, i ? "," : "");
        write_number(out, values[i]);
    }
    buf_add(out, "]");
}

// What a mask does not allow is null.
static void matrix(struct buf *out, const float *values, const bool *blocked, int rows,
                   int n_src)
{
    buf_add(out, "[");
    for (int t = 0; t < rows; t++) {
        buf_add(out, t ? ",[" : "[");
        for (int s = 0; s < n_src; s++) {
            size_t at = (size_t)t * (size_t)n_src + (size_t)s;
            buf_add(out, s ? "," : "");
            write_number(out, blocked && blocked[at] ? NAN : values[at]);
        }
        buf_add(out, "]");
    }
    buf_add(out, "]");
}

// typed: the text that unknown pieces are bytes of; NULL: they are words of the model's.
static void pieces(struct buf *out, const struct label *labels, int n, const char *typed)
{
    buf_add(out, "[");
    for (int i = 0; i < n; i++) {
        const struct label *label = &labels[i];
        int length = label->typed_end - label->typed_begin;
        buf_add(out, i ? "," : "");
        if (label->unknown && typed && length > 0)
            write_bytes(out, typed + label->typed_begin, (size_t)length);
        else
            write_string(out, label->piece ? label->piece : label->text);
    }
    buf_add(out, "]");
}

static void spans(struct buf *out, const struct label *labels, int n)
{
    buf_add(out, "[");
    for (int i = 0; i < n; i++)
        buf_printf(out, "%s[%d,%d]", i ? "," : "", labels[i].begin, labels[i].end);
    buf_add(out, "]");
}

static void entropies(struct buf *out, const float *alpha, int rows, int n_src)
{
    buf_add(out, "[");
    for (int t = 0; t < rows; t++) {
        struct row_stats stats = telemetry_row(alpha + (size_t)t * (size_t)n_src, n_src);
        buf_add(out, t ? "," : "");
        write_number(out, stats.entropy_bits);
    }
    buf_add(out, "]");
}

static void attention(struct buf *out, const struct reading *reading, int rows)
{
    const struct alignment *alignment = reading->alignment;
    int n_src = alignment->n_src;
    if (!alignment->has_attention) {
        buf_add(out, ",\"scores\":null,\"alpha\":null,\"entropy_bits\":null"
                     ",\"coverage\":null");
        return;
    }
    float coverage[ALIGNMENT_MAX_SRC] = {0};
    if (rows && n_src)
        telemetry_coverage(reading->alpha, rows, n_src, coverage);
    buf_add(out, ",\"scores\":");
    matrix(out, alignment->score, alignment->blocked, rows, n_src);
    buf_add(out, ",\"alpha\":");
    matrix(out, reading->alpha, alignment->blocked, rows, n_src);
    buf_add(out, ",\"entropy_bits\":");
    entropies(out, reading->alpha, rows, n_src);
    buf_add(out, ",\"coverage\":");
    numbers(out, coverage, n_src);
}

static void unknowns(struct buf *out, const struct label *labels, int n)
{
    int found = 0;
    for (int i = 0; i < n; i++)
        if (labels[i].unknown)
            buf_printf(out, "%s%d", found++ ? "," : ",\"source_unknown\":[", i);
    buf_add(out, found ? "]" : "");
}

// Of a Transformer which map it is, layers and heads counted from 1.
static void choice(struct buf *out, const struct alignment *alignment)
{
    const struct map_choice *of = &alignment->attention;
    char layer[16], head[16];
    if (!alignment->maps)
        return;
    map_place_print(of->layer, layer, sizeof layer);
    map_place_print(of->head, head, sizeof head);
    buf_printf(out,
               ",\"attention\":{\"kind\":\"%s\",\"layer\":", map_kind_word(of->kind));
    buf_printf(out, of->layer < 0 ? "\"%s\"" : "%s", layer);
    buf_printf(out, of->head < 0 ? ",\"head\":\"%s\"" : ",\"head\":%s", head);
    buf_add(out, alignment->blocked ? ",\"mask\":\"causal\"}" : "}");
}

static void head(struct buf *out, const struct reading *reading)
{
    const struct alignment *alignment = reading->alignment;
    buf_add(out, "{\"text\":");
    write_string(out, alignment->text ? alignment->text : "");
    buf_add(out, ",\"model\":");
    write_string(out, alignment->model);
    if (reading->stage)
        buf_printf(out, ",\"checkpoint\":{\"step\":%" PRId64 ",\"of\":%" PRId64 "}",
                   reading->stage->step, reading->stage->steps);
    buf_add(out, ",\"tau\":");
    write_tau(out, reading->tau);
    buf_add(out, ",\"mode\":");
    write_string(out, reading->mode);
    if (alignment->edited)
        buf_add(out, ",\"edited\":true");
    choice(out, alignment);
}

static void source(struct buf *out, const struct alignment *alignment)
{
    buf_add(out, ",\"source_spans\":");
    spans(out, alignment->source, alignment->n_src);
    unknowns(out, alignment->source, alignment->n_src);
}

static void double_number(struct buf *out, const char *name, double value)
{
    buf_printf(out, ",\"%s\":%.9g", name, value);
}

// What the decoder said and read.
static void said(struct buf *out, const struct reading *reading)
{
    const struct alignment *alignment = reading->alignment;
    int rows = alignment_rows(alignment);
    buf_add(out, ",\"translation\":");
    write_string(out, alignment->translation ? alignment->translation : "");
    attention(out, reading, rows);
    buf_add(out, ",\"p\":");
    numbers(out, alignment->p, rows);
    write_readings(out, reading, rows);
    buf_add(out, ",\"ended\":");
    write_string(out, ended_name(alignment_ended(alignment)));
    if (reading->rank) {
        double_number(out, "log_p", reading->rank->log_p);
        double_number(out, "score", reading->rank->score);
    }
}

static void options(struct buf *out, const struct reading *reading)
{
    const struct alignment *alignment = reading->alignment;
    if (reading->rank)
        buf_printf(out, ",\"beam\":{\"width\":%d,\"length\":%g}", reading->rank->width,
                   (double)reading->rank->length);
    char seen[320];
    lens_say(&reading->lens, seen, sizeof seen);
    if (*seen)
        buf_add(out, ",\"lens\":");
    if (*seen)
        write_string(out, seen);
    if (alignment->dropout > 0)
        buf_printf(out, ",\"alpha_dropout\":{\"rate\":%g,\"seed\":%u}",
                   (double)alignment->dropout, alignment->seed);
}

static void hypotheses(struct buf *out, const struct reading *readings, int n)
{
    buf_add(out, n ? ",\"hypotheses\":[" : "");
    for (int i = 0; i < n; i++) {
        const struct alignment *alignment = readings[i].alignment;
        buf_add(out, i ? ",{\"target\":" : "{\"target\":");
        pieces(out, alignment->target, alignment_rows(alignment), NULL);
        said(out, &readings[i]);
        buf_add(out, "}");
    }
    buf_add(out, n ? "]" : "");
}

bool write_json_nbest(struct buf *out, const struct reading *reading,
                      const struct reading *readings, int n, struct error *err)
{
    const struct alignment *alignment = reading->alignment;
    head(out, reading);
    buf_add(out, ",\"source\":");
    pieces(out, alignment->source, alignment->n_src, alignment->text);
    buf_add(out, ",\"target\":");
    pieces(out, alignment->target, alignment_rows(alignment), NULL);
    source(out, alignment);
    said(out, reading);
    options(out, reading);
    hypotheses(out, readings, n);
    if (reading->cut_bytes)
        buf_printf(out, ",\"cut_bytes\":%zu", reading->cut_bytes);
    if (alignment->tokens_cut)
        buf_printf(out, ",\"cut_tokens\":%d", alignment->tokens_cut);
    return buf_add(out, "}\n") || fail_nomem(err, "the JSON of a sentence");
}

bool write_json(struct buf *out, const struct reading *reading, struct error *err)
{
    return write_json_nbest(out, reading, NULL, 0, err);
}
