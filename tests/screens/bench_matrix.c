// SPDX-License-Identifier: MIT
// How long a frame of a large matrix takes: 1000 by 1000 and, to compare, 50 by 50; as a
// whole, zoomed, and as ribbons; the draw list and its pixels. Run by `meson test
// --benchmark`.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sdl/offscreen.h"
#include "view/panel.h"

enum { FRAMES = 20 };

static double now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

// A diagonal with a haze around it; no weight is 0.
static struct alignment *make_alignment(int n)
{
    struct alignment *a = alignment_create(n, n, true, NULL);
    for (int t = 0; a && t < n; t++) {
        float sum = 0, *row = a->alpha + (size_t)t * (size_t)n;
        for (int s = 0; s < n; s++)
            sum += row[s] = expf(-0.3f * fabsf((float)(s - t))) + 1e-5f;
        for (int s = 0; s < n; s++)
            row[s] /= sum;
        a->source[t].text = a->target[t].text = "token";
    }
    if (a)
        alignment_publish(a, n);
    return a;
}

static void measure(struct offscreen *screen, const struct scene *scene, const char *name,
                    float scale)
{
    struct draw_list list;
    struct ui ui;
    struct error err;
    struct input input = {.width = 1440, .height = 900, .scale = scale, .x = -1e6f};
    if (!draw_init(&list, 24000, 32 << 20))
        return;
    ui_init(&ui, offscreen_host(screen, scale));
    double made = INFINITY, painted = INFINITY; // the fastest: others use the machine too
    for (int i = 0; i < FRAMES; i++) {
        double start = now_ms();
        draw_reset(&list);
        ui_begin(&ui, &input, style_of(THEME_DARK), &list);
        struct panel panel = panel_layout(&ui, rect_make(24, 130, 1050, 600), scene);
        panel_draw(&ui, scene, &panel);
        ui_end(&ui);
        double middle = now_ms();
        bool ok = offscreen_paint(screen, &list, 1440, 900, scale,
                                  style_of(THEME_DARK)->ground, &err);
        made = fmin(made, middle - start);
        painted = ok ? fmin(painted, now_ms() - middle) : painted;
    }
    printf("%4d %-8s %.0fx  list %6.2f ms  pixels %6.2f ms  %5d commands, %d dropped\n",
           scene->rows, name, (double)scale, made, painted, list.count, list.dropped);
    draw_finish(&list);
}

static void measure_all(struct offscreen *screen, int n, float scale)
{
    struct alignment *alignment = make_alignment(n);
    if (!alignment)
        return;
    struct scene scene;
    scene_init(&scene);
    scene.now = alignment;
    scene.alpha = alignment->alpha;
    scene.rows = n;
    scene.selected = n / 2;
    struct row_stats *stats = calloc((size_t)n, sizeof *stats);
    for (int t = 0; stats && t < n; t++) // as the application does, once
        stats[t] = scene_row_stats(&scene, t);
    scene.stats = stats;
    scene.marked_rows = (struct lens_span){n / 2, n / 2};
    measure(screen, &scene, "whole", scale);
    scene.shade = SHADE_MAX;
    measure(screen, &scene, "max", scale);
    scene.port = (struct grid_port){.zoom = (float)n / 50, .row = (float)n / 2};
    measure(screen, &scene, "zoomed", scale);
    scene.ribbon = true;
    measure(screen, &scene, "ribbons", scale);
    free(stats);
    alignment_destroy(alignment);
}

int main(void)
{
    struct error err;
    struct offscreen *screen =
        offscreen_create(ALPHASCOPE_TESTS "/../assets/fonts", false, &err);
    if (!screen) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    for (int scale = 1; scale <= 2; scale++) {
        measure_all(screen, 50, (float)scale);
        measure_all(screen, 1000, (float)scale);
    }
    offscreen_destroy(screen);
    return 0;
}
