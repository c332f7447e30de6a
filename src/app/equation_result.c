// SPDX-License-Identifier: MIT
// From a sheet to what it comes to, drawn as an alignment. See equation.h.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/state.h"
#include "formats/attend_write.h"

static float narrow(double value)
{
    return (float)fmin(fmax(value, -(double)FLT_MAX), (double)FLT_MAX);
}

static const char *name_of(struct equation_result *result, enum attend_named named, int i)
{
    char name[ATTEND_NAME_BYTES];
    attend_row_name(&result->sheet, &result->sheet.input, named, i, name, sizeof name);
    const char *copy = arena_copy(&result->arena, name, strlen(name));
    return copy ? copy : "";
}

static float length_of(const double *row, int columns)
{
    double sum = 0;
    for (int j = 0; j < columns; j++)
        sum += row[j] * row[j];
    return narrow(sqrt(sum));
}

static bool fill_blends(struct equation_result *result, struct error *err)
{
    const struct attend_result *now = &result->now;
    size_t columns = (size_t)now->columns, rows = (size_t)now->queries;
    struct blends *blends = arena_alloc(&result->arena, 1, sizeof *blends);
    float *at = arena_alloc(&result->arena, rows * columns, sizeof *at);
    const char **names = arena_alloc(&result->arena, columns, sizeof *names);
    if (!blends || !at || !names)
        return fail_nomem(err, "the result");
    for (size_t i = 0; i < rows * columns; i++)
        at[i] = narrow(now->output[i]);
    for (int j = 0; j < now->columns; j++)
        names[j] = name_of(result, NAMED_VALUES, j);
    *blends = (struct blends){now->columns, at, names};
    result->alignment->blends = blends;
    return true;
}

static bool fill_blocked(struct equation_result *result, struct error *err)
{
    const struct attend_result *now = &result->now;
    size_t count = (size_t)now->queries * (size_t)now->keys;
    bool any = false;
    for (size_t i = 0; i < count; i++)
        any = any || now->masked[i];
    if (!any)
        return true;
    bool *blocked = arena_alloc(&result->arena, count, sizeof *blocked);
    if (!blocked)
        return fail_nomem(err, "the result");
    memcpy(blocked, now->masked, count * sizeof *blocked);
    result->alignment->blocked = blocked;
    return true;
}

static bool make_alignment(struct equation_result *result, struct error *err)
{
    const struct attend_result *now = &result->now;
    struct alignment *a = alignment_create(now->keys, now->queries, true, err);
    result->alignment = a;
    if (!a || !fill_blends(result, err) || !fill_blocked(result, err))
        return false;
    a->tau = (float)result->sheet.input.tau;
    for (int i = 0; i < now->keys * now->queries; i++) {
        a->score[i] = narrow(now->score[i]);
        a->alpha[i] = (float)now->alpha[i];
    }
    for (int s = 0; s < now->keys; s++) {
        a->source[s].text = a->source[s].piece = name_of(result, NAMED_KEYS, s);
        a->memory_norm[s] =
            length_of(now->v + (size_t)s * (size_t)now->columns, now->columns);
    }
    for (int t = 0; t < now->queries; t++) {
        a->target[t].text = a->target[t].piece = name_of(result, NAMED_QUERIES, t);
        a->query_norm[t] = length_of(now->q + (size_t)t * (size_t)now->width, now->width);
        a->context_norm[t] =
            length_of(now->output + (size_t)t * (size_t)now->columns, now->columns);
    }
    alignment_publish(a, now->queries);
    alignment_end(a, ENDED_EOS);
    return true;
}

static bool compute_beside(struct equation_result *result, struct error *err)
{
    const struct attend_sheet *sheet = &result->sheet;
    if (sheet->beside != BESIDE_HARD && sheet->beside != BESIDE_IN_ORDER)
        return true;
    result->other = attend_sheet_beside(sheet);
    if (!attend_compute(&result->beside, &result->other, &result->arena, err))
        return false;
    for (int i = 0; i < result->now.queries * result->now.columns; i++)
        result->apart =
            fmax(result->apart, fabs(result->now.output[i] - result->beside.output[i]));
    return true;
}

void equation_result_destroy(struct equation_result *result)
{
    if (!result)
        return;
    alignment_destroy(result->alignment);
    attend_sheet_finish(&result->sheet);
    arena_finish(&result->arena);
    free(result);
}

bool equation_result_compute(struct equation_result *result, struct error *err)
{
    if (result->sheet.is_scaling) {
        scaling_measure(&result->sheet.scaling, result->points);
        return true;
    }
    return attend_compute(&result->now, &result->sheet.input, &result->arena, err) &&
           compute_beside(result, err) && make_alignment(result, err);
}
