// SPDX-License-Identifier: MIT
// Pictures as files. See paper.h.
#include "paper/paper.h"

#include <stdlib.h>

#include "paper/vector.h"
#include "sdl/offscreen.h"

struct paper {
    struct offscreen *offscreen; // its fonts serve the vectors too
};

struct paper *paper_create(const char *fonts_directory, bool system_fallback,
                           struct error *err)
{
    struct paper *paper = calloc(1, sizeof *paper);
    if (!paper) {
        fail_nomem(err, "the picture");
        return NULL;
    }
    paper->offscreen = offscreen_create(fonts_directory, system_fallback, err);
    if (!paper->offscreen) {
        free(paper);
        return NULL;
    }
    return paper;
}

void paper_destroy(struct paper *paper)
{
    if (!paper)
        return;
    offscreen_destroy(paper->offscreen);
    free(paper);
}

const struct ui_host *paper_host(struct paper *paper, float scale)
{
    return offscreen_host(paper->offscreen, scale);
}

bool paper_write(struct paper *paper, enum sheet_kind kind, const struct sheet *sheet,
                 struct buf *out, struct error *err)
{
    if (sheet->list->dropped)
        return fail_with(err, ERR_LIMIT, "the picture is too large: %d parts do not fit",
                         sheet->list->dropped);
    if (kind != SHEET_PNG)
        return vector_write(offscreen_fonts(paper->offscreen), kind == SHEET_PDF, sheet,
                            out, err);
    return offscreen_paint(paper->offscreen, sheet->list, sheet->width, sheet->height,
                           sheet->scale, sheet->ground, err) &&
           offscreen_png(paper->offscreen, out, err);
}
