// SPDX-License-Identifier: MIT
// Readings through a lens. See write.h.
#include <math.h>

#include "align/trust.h"
#include "formats/write.h"
#include "formats/write_readings.h"

static float sum_of(const struct lens *lens, int t)
{
    int n = lens->shown->n_src;
    const float *row = lens->shown->alpha + (size_t)t * (size_t)n;
    float sum = 0;
    for (int s = 0; s < n; s++)
        sum += row[s];
    return sum;
}

// What leaving out all but the largest took from each row.
static bool find_lost(struct reading *reading, const struct reading *from, int rows,
                      struct lens_options options, struct lens *lens, struct error *err)
{
    int words = alignment_rows(lens->shown);
    options.top = 0;
    struct lens *whole = lens_create(from->alignment, from->alpha, rows, &options, err);
    float *lost = arena_alloc(&lens->shown->arena, (size_t)words, sizeof *lost);
    for (int t = 0; whole && lost && t < words; t++)
        lost[t] = fmaxf(0, sum_of(whole, t) - sum_of(lens, t));
    reading->lost = lost;
    bool ok = whole && lost;
    lens_destroy(whole);
    return ok || fail_nomem(err, "a view of an alignment");
}

bool read_through(struct reading *reading, int rows, int format,
                  const struct lens_options *options, struct lens **lens,
                  struct error *err)
{
    const struct reading from = *reading;
    struct lens_options used = *options;
    bool attention = from.alignment->has_attention;
    bool table = format < 0 || format == WRITE_TSV || format == WRITE_TEXT;
    *lens = NULL;
    used.transpose = used.transpose && table && attention;
    bool all = rows == alignment_rows(from.alignment);
    if ((all && lens_is_clear(&used)) || !from.alignment->n_src)
        return true;
    *lens = lens_create(from.alignment, from.alpha, rows, &used, err);
    if (!*lens)
        return false;
    reading->alignment = (*lens)->shown;
    reading->alpha = (*lens)->shown->alpha;
    reading->lens = used;
    bool cuts = used.top > 0 && !used.transpose && attention;
    if (!cuts || find_lost(reading, &from, rows, used, *lens, err))
        return true;
    lens_destroy(*lens);
    *lens = NULL;
    return false;
}

bool write_whole(const struct reading *reading)
{
    const struct lens_options *lens = &reading->lens;
    return !write_expected(reading) && !lens->top && !(reading->alignment->dropout > 0);
}

unsigned write_expected(const struct reading *reading)
{
    const struct lens_options *lens = &reading->lens;
    const struct alignment *of = reading->alignment;
    bool sums = lens->merge != LENS_MAX && !lens->transpose &&
                (!of->maps || map_keeps_sums(of->maps, of->attention));
    return sums ? 0 : TRUST_SUM | TRUST_ZERO | TRUST_CROPPED | TRUST_TRANSPOSED;
}
