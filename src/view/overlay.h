// SPDX-License-Identifier: MIT
// What lies over the window: the banner with one sentence, and the page of keys.
#pragma once

#include "ui/ui.h"

// One sentence over the lower edge of `at`: of something done, or of what cannot be. True
// when its cross was pressed.
bool overlay_banner(struct ui *ui, struct rect at, const char *text, bool done);

struct overlay_line {
    const char *keys, *help;
};
// A page of keys over the whole window, under it how to read the picture and, in `now`,
// the one on the screen in words. A low window has several pages, from 1. True: it
// was pressed.
bool overlay_help(struct ui *ui, const struct overlay_line *lines, int count,
                  const char *now, int page);
int overlay_help_pages(float width, float height, int count);
