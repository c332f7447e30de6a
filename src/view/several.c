// SPDX-License-Identifier: MIT
// The line about a selection. See several.h. Target words are averaged, because each is a
// distribution and the mean of distributions is one; source words are summed, because
// what several columns receive adds up.
#include "view/several.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "view/short.h"

enum { NAMED = 3 }; // the largest are named

struct chosen { // in words of the target and the source, whichever axis they are on
    struct lens_span target, source; // .first NOWHERE: none
};

static int count_of(struct lens_span span)
{
    return span.first < 0 ? 0 : span.last - span.first + 1;
}

static struct chosen chosen_of(const struct scene *scene)
{
    if (scene->lens.transpose)
        return (struct chosen){scene->marked_columns, scene->marked_rows};
    return (struct chosen){scene->marked_rows, scene->marked_columns};
}

static float weight(const struct scene *scene, int target, int source)
{
    size_t n = (size_t)scene->now->n_src;
    return scene->lens.transpose ? scene->alpha[(size_t)source * n + (size_t)target]
                                 : scene->alpha[(size_t)target * n + (size_t)source];
}

static void add(char *out, size_t size, const char *text)
{
    size_t length = strlen(out);
    snprintf(out + length, size - length, "%s", text);
}

// "cup 0.31, coffee 0.22": the largest values and whose they are.
static void add_largest(char *out, size_t size, const struct label *labels,
                        const float *values, int n)
{
    float below = INFINITY;
    int last = n; // of equals the first comes first
    for (int k = 0; k < NAMED && k < n; k++) {
        int best = -1;
        for (int i = 0; i < n; i++) {
            bool left = values[i] < below || (values[i] <= below && i > last);
            if (left && (best < 0 || values[i] > values[best]))
                best = i;
        }
        if (best < 0 || !(values[best] > 0))
            return;
        char text[SHORT_BYTES + 32];
        snprintf(text, sizeof text, "%s%s %.2f", k ? ", " : "",
                 short_of(labels[best].text).text, (double)values[best]);
        add(out, size, text);
        below = values[best];
        last = best;
    }
}

static void say_rows(const struct scene *scene, struct lens_span target, char *out,
                     size_t size)
{
    float mean[ALIGNMENT_MAX_SRC];
    bool turned = scene->lens.transpose;
    int n = turned ? scene->rows : scene->now->n_src, count = count_of(target);
    for (int s = 0; s < n; s++) {
        double sum = 0;
        for (int t = target.first; t <= target.last; t++)
            sum += (double)weight(scene, t, s);
        mean[s] = (float)(sum / count);
    }
    snprintf(out, size, "mean of %d %s: entropy %.2f bits, ", count,
             turned ? "columns" : "rows", (double)telemetry_row(mean, n).entropy_bits);
    add_largest(out, size, turned ? scene->now->target : scene->now->source, mean, n);
}

static void say_columns(const struct scene *scene, struct lens_span source, char *out,
                        size_t size)
{
    float sums[ALIGNMENT_MAX_SRC];
    bool turned = scene->lens.transpose;
    int n = turned ? scene->now->n_src : scene->rows, count = count_of(source);
    double all = 0;
    for (int t = 0; t < n; t++) {
        double sum = 0;
        for (int s = source.first; s <= source.last; s++)
            sum += (double)weight(scene, t, s);
        sums[t] = (float)sum;
        all += sum;
    }
    if (count == 1)
        snprintf(out, size, "coverage of 1 %s: %.3f, ", turned ? "row" : "column", all);
    else
        snprintf(out, size, "sum of %d %s: coverage %.3f, ", count,
                 turned ? "rows" : "columns", all);
    add_largest(out, size, turned ? scene->now->source : scene->now->target, sums, n);
}

static void say_block(const struct scene *scene, struct chosen chosen, char *out,
                      size_t size)
{
    double all = 0;
    int rows = count_of(chosen.target), columns = count_of(chosen.source);
    for (int t = chosen.target.first; t <= chosen.target.last; t++)
        for (int s = chosen.source.first; s <= chosen.source.last; s++)
            all += (double)weight(scene, t, s);
    snprintf(out, size, "%d target by %d source: Σα = %.3f, %.3f of each target word",
             rows, columns, all, all / rows);
}

void several_text(const struct scene *scene, char *out, size_t size)
{
    struct chosen chosen = chosen_of(scene);
    int targets = count_of(chosen.target), sources = count_of(chosen.source);
    snprintf(out, size, "%s", "");
    if (!scene->now || !scene->now->has_attention)
        return;
    if (targets > 1 && sources > 0)
        say_block(scene, chosen, out, size);
    else if (targets > 1)
        say_rows(scene, chosen.target, out, size);
    else if (sources > 0)
        say_columns(scene, chosen.source, out, size);
}
