// SPDX-License-Identifier: MIT
// Small questions about a scene. See scene.h.
#include "view/scene.h"

enum { FADE_MS = 140 };

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
    return scene->rows > before ? scene->rows : before;
}
