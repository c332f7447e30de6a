// SPDX-License-Identifier: MIT
// See opened.h.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "opened.h"

#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>

struct fonts *fonts;
struct window *window;
struct input input;

const char *font_directory(void)
{
    static char path[4096];
    const char *data = getenv("ALPHASCOPE_DATA");
    snprintf(path, sizeof path, "%s/assets/fonts", data ? data : ALPHASCOPE_SOURCE);
    return path;
}

int open_fonts(void **state)
{
    (void)state;
    struct error err = {0};
    setenv("SDL_VIDEODRIVER", "dummy", 1);
    fonts = fonts_create(font_directory(), false, &err);
    if (!fonts)
        print_error("%s\n", err.text);
    return fonts ? 0 : -1;
}

int close_fonts(void **state)
{
    (void)state;
    fonts_destroy(fonts);
    return 0;
}

int open_window(void **state)
{
    (void)state;
    struct window_options options = {"test", 800, 600, true};
    struct error err = {0};
    window = window_create(&options, fonts, &err);
    if (!window)
        print_error("%s\n", err.text);
    while (window && window_wait(window, &input, 0))
        ; // what opening brought
    return window ? 0 : -1;
}

int close_window(void **state)
{
    (void)state;
    window_destroy(window);
    window = NULL;
    return 0;
}

void push_window(int what)
{
    SDL_Event event = {.type = SDL_WINDOWEVENT};
    event.window.event = (Uint8)what;
    assert_int_equal(SDL_PushEvent(&event), 1);
}
