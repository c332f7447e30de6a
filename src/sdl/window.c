// SPDX-License-Identifier: MIT
// The window paints with the same renderer as everything else, on SDL's window surface:
// no graphics driver is loaded, which saves most of the start-up time and of the memory,
// and the pixels are those of the tests. SDL's "accelerated" surface would go through a
// GL texture, several times slower here, hence the hint.
#include "sdl/window.h"

#include "base/file.h"
#include "sdl/events.h"
#include "sdl/png.h"
#include "sdl/offscreen.h"
#include "text/utf8.h"

#include <SDL.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_W = 640, MIN_H = 400, TEXT_PIECE = 31, SHOWN_MAX = 64 };

struct window {
    SDL_Window *window;
    struct fonts *fonts;
    struct render *render;
    struct events events;
    struct ui_host host;
    float scale;        // the user's
    char *clipboard;    // SDL's memory, of the last clipboard_get
    SDL_Rect text_rect; // where the input method was last told to be
    bool painted;
    bool lost;          // what the screen shows may not be what was painted
    atomic_bool waking; // a wake-up is in the queue
};

static float surface_ratio(const struct window *window)
{
    int window_w = 0, pixels_w = 0;
    SDL_GetWindowSize(window->window, &window_w, NULL);
    SDL_GetWindowSizeInPixels(window->window, &pixels_w, NULL);
    return window_w > 0 && pixels_w > 0 ? (float)pixels_w / (float)window_w : 1;
}

// Physical pixels per logical unit.
static float full_scale(const struct window *window)
{
    return window->scale * surface_ratio(window);
}

static float host_text_width(void *context, enum font font, float size, const char *text,
                             size_t length)
{
    struct window *window = context;
    return fonts_width(window->fonts, font, size, full_scale(window), text, length);
}

static const char *host_clipboard_get(void *context)
{
    struct window *window = context;
    SDL_free(window->clipboard);
    window->clipboard = SDL_GetClipboardText();
    return window->clipboard ? window->clipboard : "";
}

static void host_clipboard_set(void *context, const char *text)
{
    (void)context;
    SDL_SetClipboardText(text);
}

static int to_window(const struct window *window, float at)
{
    at *= window->scale;
    return isfinite(at) && fabsf(at) < 1e6f ? (int)lroundf(at) : 0;
}

static void host_text_rect(void *context, struct rect caret)
{
    struct window *window = context;
    SDL_Rect rect = {to_window(window, caret.x), to_window(window, caret.y),
                     to_window(window, caret.w), to_window(window, caret.h)};
    if (SDL_RectEquals(&rect, &window->text_rect))
        return; // telling costs a message to another process
    window->text_rect = rect;
    SDL_SetTextInputRect(&rect);
}

static void set_hints(void)
{
    SDL_SetHint(SDL_HINT_IME_SHOW_UI, "1");
    SDL_SetHint(SDL_HINT_IME_SUPPORT_EXTENDED_TEXT, "1");
    SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0");
    SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0");
    SDL_SetHint(SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "1");
    SDL_SetHint(SDL_HINT_MOUSE_FOCUS_CLICKTHROUGH, "1");
}

static bool is_headless(const char *driver)
{
    return !driver || strcmp(driver, "offscreen") == 0 || strcmp(driver, "dummy") == 0;
}

// Where no session bus is, libdbus below SDL would start one (dbus-launch): that costs
// half of the start-up time, and now and then waits for ever. Input methods that talk by
// D-Bus come with a bus.
static void launch_no_bus(void)
{
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    char path[4096];
    bool has_bus =
        getenv("DBUS_SESSION_BUS_ADDRESS") ||
        (runtime && file_join(path, sizeof path, runtime, "bus") && file_exists(path));
    if (!has_bus)
        setenv("DBUS_SESSION_BUS_ADDRESS", "disabled:", 0);
}

static bool is_set(const char *name)
{
    const char *value = getenv(name);
    return value && *value;
}

// SDL would try one library after the other, and libwayland complains on stderr. So what
// cannot work is not tried: nothing without an address of a display, and Wayland only
// where its sockets could be.
static bool has_display(void)
{
#if defined(__APPLE__)
    return true;
#else
    const char *wayland =
        getenv("WAYLAND_DISPLAY"); // a name in that directory, or a path
    if (is_set("SDL_VIDEODRIVER") || is_set("XDG_RUNTIME_DIR") ||
        is_set("WAYLAND_SOCKET") || (wayland && wayland[0] == '/'))
        return true;
    SDL_SetHint(SDL_HINT_VIDEODRIVER, "x11");
    return is_set("DISPLAY");
#endif
}

static bool start_video(bool allow_headless, struct error *err)
{
    static const char advice[] = "`alphascope trace` works without one";
    set_hints();
    if (!allow_headless && !has_display())
        return fail_with(err, ERR_IO,
                         "no display: neither DISPLAY nor WAYLAND_DISPLAY leads to one; "
                         "%s",
                         advice);
    launch_no_bus();
    if (SDL_InitSubSystem(SDL_INIT_VIDEO) != 0)
        return fail_with(err, ERR_IO, "no display: %s; %s", SDL_GetError(), advice);
    const char *driver = SDL_GetCurrentVideoDriver();
    if (!allow_headless && is_headless(driver)) {
        fail_with(err, ERR_IO, "no display: only SDL's %s driver starts; %s",
                  driver ? driver : "missing", advice);
        SDL_QuitSubSystem(SDL_INIT_VIDEO);
        return false;
    }
    return true;
}

// Fills in a missing size: the mock's, or most of a smaller display.
static void choose_size(int *w, int *h)
{
    SDL_Rect room = {0, 0, 1440, 900};
    if (SDL_GetDisplayUsableBounds(0, &room) != 0 || room.w < MIN_W || room.h < MIN_H)
        room = (SDL_Rect){0, 0, 1440, 900};
    if (*w <= 0)
        *w = room.w >= 1440 ? 1440 : room.w * 19 / 20;
    if (*h <= 0)
        *h = room.h >= 960 ? 900 : room.h * 9 / 10;
}

static bool open_window(struct window *window, const struct window_options *options,
                        struct error *err)
{
    int w = options->width, h = options->height;
    choose_size(&w, &h);
    window->window = SDL_CreateWindow(
        options->title ? options->title : "", SDL_WINDOWPOS_CENTERED,
        SDL_WINDOWPOS_CENTERED, w, h,
        SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI | SDL_WINDOW_SHOWN);
    if (!window->window)
        return fail_with(err, ERR_IO, "no window: %s", SDL_GetError());
    SDL_SetWindowMinimumSize(window->window, MIN_W, MIN_H);
    SDL_EventState(SDL_DROPFILE, SDL_ENABLE);
    SDL_EventState(SDL_DROPTEXT, SDL_ENABLE);
    SDL_StartTextInput();
    return true;
}

struct window *window_create(const struct window_options *options, struct fonts *fonts,
                             struct error *err)
{
    struct window *window = calloc(1, sizeof *window);
    if (!window) {
        fail_nomem(err, "the window");
        return NULL;
    }
    if (!start_video(options->allow_headless, err)) {
        free(window);
        return NULL;
    }
    window->fonts = fonts;
    window->scale = 1;
    window->host = (struct ui_host){window, host_text_width, host_clipboard_get,
                                    host_clipboard_set, host_text_rect};
    events_init(&window->events, SDL_RegisterEvents(1));
    window->render = render_create(fonts, err);
    if (!window->render || !open_window(window, options, err)) {
        window_destroy(window);
        return NULL;
    }
    return window;
}

void window_destroy(struct window *window)
{
    if (!window)
        return;
    events_finish(&window->events);
    SDL_free(window->clipboard);
    render_destroy(window->render);
    if (window->window)
        SDL_DestroyWindow(window->window);
    SDL_QuitSubSystem(SDL_INIT_VIDEO);
    free(window);
}

// Takes events while they fit this frame.
static bool drain(struct window *window, struct input *input)
{
    SDL_Event event;
    bool any = false;
    SDL_PumpEvents();
    while (SDL_PeepEvents(&event, 1, SDL_PEEKEVENT, SDL_FIRSTEVENT, SDL_LASTEVENT) == 1) {
        if (!events_fits(&window->events, input, &event))
            return true;
        SDL_PeepEvents(&event, 1, SDL_GETEVENT, SDL_FIRSTEVENT, SDL_LASTEVENT);
        if (event.type == window->events.wake_type)
            atomic_store(&window->waking, false);
        any = events_take(&window->events, input, &event) || any;
    }
    return any;
}

static void measure(const struct window *window, struct input *input)
{
    int w = 0, h = 0;
    SDL_GetWindowSizeInPixels(window->window, &w, &h);
    input->scale = full_scale(window);
    input->width = (float)w / input->scale;
    input->height = (float)h / input->scale;
    input->now_ms = SDL_GetTicks64();
}

// Sleeps until an event is there (it stays queued) or the time is over.
static void sleep_for_event(int timeout_ms)
{
    if (timeout_ms < 0)
        SDL_WaitEvent(NULL);
    else
        SDL_WaitEventTimeout(NULL, timeout_ms);
}

bool window_wait(struct window *window, struct input *input, int timeout_ms)
{
    events_begin(&window->events, input);
    uint64_t end = SDL_GetTicks64() + (uint64_t)(timeout_ms > 0 ? timeout_ms : 0);
    bool any = drain(window, input);
    while (!any && timeout_ms != 0) { // events that say nothing do not end the wait
        uint64_t now = SDL_GetTicks64();
        if (timeout_ms > 0 && now >= end)
            break;
        sleep_for_event(timeout_ms < 0 ? -1 : (int)(end - now));
        any = drain(window, input);
    }
    events_end(&window->events, input);
    window->lost = window->lost || input->exposed || input->resized;
    measure(window, input);
    return any;
}

void window_set_scale(struct window *window, float scale)
{
    if (scale > 0.1f && scale < 20)
        window->scale = scale;
    window->events.zoom = window->scale;
}

// What was painted goes to the screen, and all of it where the screen has lost the rest.
static bool show_changed(struct window *window)
{
    const struct box *boxes = NULL;
    int count = render_changed(window->render, &boxes);
    SDL_Rect rects[SHOWN_MAX];
    bool whole = window->lost || count > SHOWN_MAX;
    window->lost = false;
    for (int i = 0; i < count && !whole; i++)
        rects[i] = (SDL_Rect){boxes[i].x0, boxes[i].y0, boxes[i].x1 - boxes[i].x0,
                              boxes[i].y1 - boxes[i].y0};
    if (whole)
        return SDL_UpdateWindowSurface(window->window) == 0;
    return count == 0 || SDL_UpdateWindowSurfaceRects(window->window, rects, count) == 0;
}

bool window_paint(struct window *window, const struct draw_list *list,
                  struct color ground, struct error *err)
{
    SDL_Surface *surface = SDL_GetWindowSurface(window->window);
    if (!surface)
        return fail_with(err, ERR_IO, "the window cannot be painted: %s", SDL_GetError());
    if (!render_paint(window->render, surface, list, full_scale(window), ground, err))
        return false;
    window->painted = true;
    if (!show_changed(window))
        return fail_with(err, ERR_IO, "the window cannot be shown: %s", SDL_GetError());
    return true;
}

const struct ui_host *window_host(struct window *window)
{
    return &window->host;
}

void window_wake(void *context)
{
    struct window *window = context;
    if (atomic_exchange(&window->waking, true))
        return;
    SDL_Event event = {.type = window->events.wake_type};
    if (SDL_PushEvent(&event) != 1)
        atomic_store(&window->waking, false);
}

void window_set_title(struct window *window, const char *title)
{
    const char *now = SDL_GetWindowTitle(window->window);
    if (!now || strcmp(now, title) != 0)
        SDL_SetWindowTitle(window->window, title);
}

void window_set_fullscreen(struct window *window, bool on)
{
    SDL_SetWindowFullscreen(window->window, on ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0);
}

bool window_save_png(struct window *window, const char *path, struct error *err)
{
    SDL_Surface *surface = window->painted ? SDL_GetWindowSurface(window->window) : NULL;
    if (!surface)
        return fail_with(err, ERR_IO, "%s: nothing has been painted yet", path);
    struct buf rgb, png;
    buf_init(&rgb, (size_t)PNG_MAX_PIXELS * 3 + 1);
    buf_init(&png, (size_t)PNG_MAX_PIXELS * 4);
    bool ok = png_rgb(surface, &rgb, err) &&
              png_write((const unsigned char *)buf_text(&rgb), surface->w, surface->h,
                        &png, err) &&
              file_write(path, png.data, png.length, err);
    buf_finish(&rgb);
    buf_finish(&png);
    return ok;
}

// How much of the text fits one SDL text event, whole code points.
static size_t piece_of(const char *text, size_t length)
{
    if (length <= TEXT_PIECE)
        return length;
    size_t n = TEXT_PIECE;
    while (n > 1 && ((unsigned char)text[n] & 0xC0) == 0x80)
        n--;
    return n;
}

void window_push_text(struct window *window, const char *text)
{
    size_t length = strlen(text);
    while (length > 0) {
        size_t n = piece_of(text, length);
        SDL_Event event = {.type = SDL_TEXTINPUT};
        event.text.windowID = SDL_GetWindowID(window->window);
        memcpy(event.text.text, text, n);
        if (SDL_PushEvent(&event) < 0)
            return;
        text += n;
        length -= n;
    }
}
