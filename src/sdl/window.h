// SPDX-License-Identifier: MIT
// The window: events in, draw lists out, clipboard, wake-ups from other threads.
#pragma once

#include "base/error.h"
#include "sdl/render.h"
#include "ui/input.h"
#include "ui/ui.h"

struct window;

struct window_options {
    const char *title;
    int width, height;   // physical pixels; 0: a good part of the display
    bool allow_headless; // accept SDL's dummy and offscreen drivers
};

// Refuses, with a sentence, where there is no display (SDL would run unseen for ever).
struct window *window_create(const struct window_options *options, struct fonts *fonts,
                             struct error *err);
void window_destroy(struct window *window);
// Waits up to timeout_ms (-1: for ever, 0: not at all) for something to happen, then
// takes everything that is pending. False: it timed out and *input holds nothing new.
bool window_wait(struct window *window, struct input *input, int timeout_ms);
// Logical units become physical pixels by this factor; the user's zoom.
void window_set_scale(struct window *window, float scale);
MUST_CHECK bool window_paint(struct window *window, const struct draw_list *list,
                             struct color ground, struct error *err);
// Text measure, clipboard and IME rectangle for the interface; lives with the window.
const struct ui_host *window_host(struct window *window);
// Makes window_wait return with input->wake set. From any thread.
void window_wake(void *window);
void window_set_title(struct window *window, const char *title);
void window_set_fullscreen(struct window *window, bool on);
// What was last painted, as a PNG file.
MUST_CHECK bool window_save_png(struct window *window, const char *path,
                                struct error *err);
// For tests and scripts: an event as if the user had made it.
void window_push_text(struct window *window, const char *text);
