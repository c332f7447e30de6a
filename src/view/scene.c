// SPDX-License-Identifier: MIT
// Small questions about a scene. See scene.h.
#include "view/scene.h"

#include <math.h>

enum { FADE_MS = 140 };

void scene_init(struct scene *scene)
{
    const struct lens_span none = {NOWHERE, NOWHERE};
    *scene = (struct scene){.selected = NOWHERE,
                            .selected_s = NOWHERE,
                            .marked_rows = none,
                            .marked_columns = none,
                            .hover_t = NOWHERE,
                            .hover_s = NOWHERE};
}

float scene_row_opacity(const struct scene *scene, int row)
{
    if (!scene->row_born || !scene->row_born[row])
        return 1;
    uint64_t born = scene->row_born[row];
    if (scene->now_ms <= born)
        return 0.3f;
    uint64_t age = scene->now_ms - born;
    return age >= FADE_MS ? 1 : 0.3f + 0.7f * (float)age / FADE_MS;
}

bool scene_fading(const struct scene *scene)
{
    for (int t = 0; scene->row_born && t < scene->rows; t++)
        if (scene_row_opacity(scene, t) < 1)
            return true;
    return false;
}

int scene_rows(const struct scene *scene)
{
    int before = scene->before ? scene->before_rows : 0;
    int rows = scene->rows > before ? scene->rows : before;
    return rows > scene->reserved ? rows : scene->reserved;
}

bool scene_keeps_sums(const struct scene *scene)
{
    const struct alignment *now = scene->now;
    bool dropped = now && now->dropout > 0;
    bool largest = now && now->maps && !map_keeps_sums(now->maps, now->attention);
    return lens_keeps_sums(&scene->lens) && !dropped && !largest;
}

struct row_stats scene_row_stats(const struct scene *scene, int t)
{
    if (scene->stats)
        return scene->stats[t];
    int n = scene->now->n_src;
    const float *row = scene->alpha + (size_t)t * (size_t)n;
    return telemetry_row(row, n);
}

float scene_column_bits(const struct scene *scene, int s)
{
    float column[ALIGNMENT_MAX_SRC];
    size_t n = (size_t)scene->now->n_src;
    for (int t = 0; t < scene->rows; t++)
        column[t] = scene->alpha[(size_t)t * n + (size_t)s];
    return telemetry_row(column, scene->rows).entropy_bits;
}

int scene_argmax(const struct scene *scene, int index)
{
    size_t n = (size_t)scene->now->n_src;
    bool turned = scene->lens.transpose;
    int count = turned ? scene->rows : scene->now->n_src, best = NOWHERE;
    float most = 0;
    for (int i = 0; i < count; i++) {
        float a = turned ? scene->alpha[(size_t)i * n + (size_t)index]
                         : scene->alpha[(size_t)index * n + (size_t)i];
        if (fabsf(a) > most) {
            most = fabsf(a);
            best = i;
        }
    }
    return best;
}
