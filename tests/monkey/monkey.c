// SPDX-License-Identifier: MIT
// A monkey at the window: random keys, text, pointer, wheel, drops of models and of what
// is none, resizes, scales, clipboards, pauses. Whatever it does, each picture must be
// fit to be painted, and is; in the end the program still translates. With many events,
// the memory in use at a fifth of the way and at the end must be the same.
//
// usage: monkey [EVENTS [SEED]]
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "app/app.h"
#include "desk.h"
#include "drawn.h"
#include "lines.h"
#include "random.h"
#include "sdl/offscreen.h"
#include "text/utf8.h"
#include "zoo.h"

enum { EVENTS = 1500, MANY_EVENTS = 100000, PIXELS_MAX = 2 << 20, SHARES = 20 };
enum { SEED = 1, RESIDENT_MORE_KB = 16 << 10 };

static int n_events = EVENTS;
static uint64_t seed = SEED;

static struct monkey {
    struct app *app;
    struct offscreen *screen;
    struct desk desk;
    struct input input;
    struct random random;
    float dots;        // pixels per point of the display
    float zoom;        // what the window has
    int width, height; // pixels
    uint64_t painted;  // hash of the list on the screen
    int frames, paints, drops;
    long resident_kb[SHARES + 1], taken_kb[SHARES + 1];
    char dropped[4096];
} monkey;

// An option of the sanitizer, where there is one: what is freed comes back soon, so that
// the memory in use says something.
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "quarantine_size_mb=8";
}

static int below(int n)
{
    return random_below(&monkey.random, n);
}

static struct edit_event *add_edit(void)
{
    struct input *input = &monkey.input;
    if (input->n_edits == INPUT_MAX_EDITS)
        return NULL;
    struct edit_event *edit = &input->edits[input->n_edits++];
    memset(edit, 0, sizeof *edit);
    return edit;
}

static void press_key(enum key key, char ch, unsigned mods)
{
    struct edit_event *edit = add_edit();
    if (edit)
        edit->key = (struct key_event){key, ch, mods};
    monkey.input.mods = mods;
}

static void any_key(void)
{
    enum key key = (enum key)(1 + below(KEY_CHAR - 1));
    press_key(key, 0, below(3) ? 0 : (unsigned)below(8));
}

static void shortcut(void)
{
    static const char keys[] = "abcdeqtvxyz0123456789+-=?.";
    press_key(KEY_CHAR, keys[below(sizeof keys - 1)],
              (unsigned)(below(2) ? MOD_CTRL : 1 + below(7)));
}

static void type(void)
{
    static const char *const pieces[] = {
        "a",
        "e",
        "t",
        " ",
        " ",
        "The",
        " cat",
        " sleeps",
        ".",
        "?",
        "1",
        "9",
        "b",
        "é",
        "e\xcc\x81",
        "\xcc\x81",
        "ß",
        "你好",
        "ሰላም",
        "مرحبا",
        "🇫🇷",
        "👩‍👩‍👧‍👦",
        "½",
        "\xe2\x80\xae",
        "\xe2\x80\x8d",
        "\xf0\x9f\x87\xab",
        "\xff",
        "\xe2\x82",
        "0.5",
        ".png",
        ".pdf",
        "\xe2\x88\x9e",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    };
    struct edit_event *edit = add_edit();
    if (edit)
        snprintf(edit->text, sizeof edit->text, "%s",
                 random_of(&monkey.random, pieces, sizeof pieces / sizeof *pieces));
}

static void compose(void)
{
    static const char *const preedits[] = {"", "", "に", "にほんご", "e\xcc\x81", "a b"};
    struct input *input = &monkey.input;
    snprintf(input->preedit, sizeof input->preedit, "%s",
             random_of(&monkey.random, preedits, 6));
    input->preedit_caret = input->preedit[0] ? below((int)strlen(input->preedit) + 1) : 0;
}

static void move(void)
{
    struct input *input = &monkey.input;
    if (below(20) == 0) {
        input->x = input->y = -1e6f; // it left the window
        return;
    }
    input->x = random_between(&monkey.random, -10, input->width + 10);
    input->y = random_between(&monkey.random, -10, input->height + 10);
    if (below(3) == 0)
        input->y = random_between(&monkey.random, 0, 120); // where the buttons are
}

static void click(void)
{
    struct input *input = &monkey.input;
    input->pressed = input->pressed || !input->down;
    input->released = input->released || input->down;
    input->down = !input->down;
    input->clicks = 1 + below(3);
}

static void wheel(void)
{
    monkey.input.wheel_x = random_between(&monkey.random, -3, 3);
    monkey.input.wheel_y = random_between(&monkey.random, -3, 3);
}

static void drop_model(void)
{
    snprintf(monkey.input.drop, sizeof monkey.input.drop, "%s",
             below(2) ? zoo_good(&monkey.random) : zoo_bad(&monkey.random));
    monkey.drops++;
}

static void drop_text(void)
{
    static const char *const texts[] = {
        "",
        " ",
        "The black cat sleeps.",
        "Yes.\nNo.\tNever.",
        "\xff\xfe",
        "I would like a cup of coffee, please.",
        "12 May 2004",
        "ba",
    };
    snprintf(monkey.dropped, sizeof monkey.dropped, "%s",
             random_of(&monkey.random, texts, sizeof texts / sizeof *texts));
    monkey.input.dropped_text = true;
    monkey.input.drop_text = monkey.dropped;
    monkey.input.drop_text_length = strlen(monkey.dropped);
}

static void change_disk(void)
{
    zoo_change(&monkey.random);
}

// What it types, a script can say, too; what is refused is refused.
static void say_line(void)
{
    struct error err;
    (void)!app_command(monkey.app, random_line(&monkey.random), &err);
}

static void keep_session(void)
{
    char line[4200];
    struct error err;
    snprintf(line, sizeof line, "%s %s", below(3) ? "open" : "save", zoo_session());
    (void)!app_command(monkey.app, line, &err);
}

static void resize(void)
{
    static const float dots[] = {1, 1, 1, 1.25f, 2};
    monkey.dots = dots[below(5)];
    do {
        monkey.width = 320 + below(1400);
        monkey.height = 240 + below(900);
    } while (monkey.width * monkey.height > PIXELS_MAX);
    monkey.input.resized = true;
}

static void change_focus(void)
{
    struct input *input = &monkey.input;
    if (below(2)) {
        input->focus_gained = true;
        return;
    }
    input->focus_lost = true;
    input->mods = 0;
    input->preedit[0] = '\0';
    input->preedit_caret = 0;
}

static void fill_clipboard(void)
{
    static char much[5000];
    static const char *const texts[] = {"", "one\ntwo", "\xf0\x28\x8c\x28", much};
    memset(much, 'z', sizeof much - 1);
    const struct ui_host *host = offscreen_host(monkey.screen, monkey.input.scale);
    host->clipboard_set(host->context, random_of(&monkey.random, texts, 4));
}

static void pause_a_while(void)
{
    monkey.input.now_ms += (uint64_t)below(3000);
}

static void wait_for_the_engine(void)
{
    app_settle(monkey.app, 10);
}

static const struct {
    int weight; // of 1000
    void (*act)(void);
} acts[] = {
    {255, type},
    {220, any_key},
    {120, shortcut},
    {130, move},
    {130, click},
    {40, wheel},
    {20, compose},
    {15, drop_model},
    {10, drop_text},
    {14, say_line},
    {1, keep_session},
    {5, change_disk},
    {10, resize},
    {10, change_focus},
    {5, fill_clipboard},
    {10, pause_a_while},
    {5, wait_for_the_engine},
};

static void act(void)
{
    int at = below(1000), i = 0;
    for (; at >= acts[i].weight; i++)
        at -= acts[i].weight;
    acts[i].act();
}

static void set_size(void)
{
    struct input *input = &monkey.input;
    input->scale = monkey.zoom * monkey.dots;
    input->width = (float)monkey.width / input->scale;
    input->height = (float)monkey.height / input->scale;
}

static void paint(void)
{
    struct error err;
    const struct draw_list *list = app_list(monkey.app);
    const struct input *input = &monkey.input;
    uint64_t hash = draw_hash(list);
    if (drawn_badly(list))
        fail_msg("%s", drawn_badly(list));
    if (hash == monkey.painted && !input->resized)
        return;
    monkey.painted = hash;
    monkey.paints++;
    if (!offscreen_paint(monkey.screen, list, input->width, input->height, input->scale,
                         app_ground(monkey.app), &err))
        fail_msg("%s", err.text);
}

static void forget_events(void)
{
    struct input *input = &monkey.input;
    input->n_edits = 0;
    input->pressed = input->released = input->resized = false;
    input->focus_gained = input->focus_lost = input->dropped_text = false;
    input->wheel_x = input->wheel_y = 0;
    input->drop[0] = '\0';
}

// As the program's loop does it: a new zoom is another size, never painted as the old.
static void frame(void)
{
    set_size();
    app_frame(monkey.app, offscreen_host(monkey.screen, monkey.input.scale),
              &monkey.input);
    float zoom = app_zoom(monkey.app);
    if (zoom < monkey.zoom || zoom > monkey.zoom) {
        monkey.zoom = zoom;
        forget_events();
        set_size();
        app_frame(monkey.app, offscreen_host(monkey.screen, monkey.input.scale),
                  &monkey.input);
    }
    paint();
    assert_true(utf8_valid(app_title(monkey.app), strlen(app_title(monkey.app))));
    forget_events();
    monkey.frames++;
}

static long resident_kb(void)
{
    long size = 0, pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%ld %ld", &size, &pages) != 2)
        pages = 0;
    if (file)
        fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

// What malloc has given and not got back, whatever it keeps: of the sanitizer that stands
// in its place, or its own.
size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));

static long taken_kb(void)
{
    if (__sanitizer_get_current_allocated_bytes)
        return (long)(__sanitizer_get_current_allocated_bytes() >> 10);
#ifdef __GLIBC__
    struct mallinfo2 info = mallinfo2();
    return (long)((info.uordblks + info.hblkhd) >> 10);
#else
    return 0;
#endif
}

static void note(int share)
{
    monkey.resident_kb[share] = resident_kb();
    monkey.taken_kb[share] = taken_kb();
    if (n_events >= MANY_EVENTS)
        print_message(
            "# %3d %%: %ld kB resident, %ld kB of malloc, %d frames, %d painted, "
            "%d drops\n",
            100 * share / SHARES, monkey.resident_kb[share], monkey.taken_kb[share],
            monkey.frames, monkey.paints, monkey.drops);
    fflush(stdout);
}

// One model, one sentence, one size of window: from wherever the random user went, so
// that the memory in use can be compared.
static void come_to_rest(void)
{
    static const char *const lines[] = {"reveal off",
                                        "beam off",
                                        "theme dark",
                                        "zoom 1",
                                        "beside off",
                                        "what-if clear",
                                        "dropout off",
                                        "tau 1",
                                        "mode re-read",
                                        "model en-fr-bahdanau",
                                        "set-text The black cat sleeps."};
    struct error err;
    for (int i = 0; i < 8; i++) // whatever lies over the matrix
        assert_true(app_command(monkey.app, "dismiss", &err));
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (!app_command(monkey.app, lines[i], &err))
            fail_msg("%s: %s", lines[i], err.text);
        for (int k = 0; k < 100 && !app_is_complete(monkey.app); k++) {
            app_settle(monkey.app, 5000);
            frame();
        }
    }
    monkey.width = 1440, monkey.height = 900, monkey.dots = 1;
    frame();
}

static void the_window_lives_through_it(void **state)
{
    (void)state;
    for (int i = 0; i < n_events; i++) {
        if (i % (n_events / SHARES) == 0) {
            come_to_rest();
            note(i / (n_events / SHARES));
        }
        act();
        if (below(3) == 0)
            continue; // more than one event in a frame
        monkey.input.now_ms += (uint64_t)below(60);
        frame();
    }
    come_to_rest();
    note(SHARES);
    assert_true(app_is_complete(monkey.app));
    assert_non_null(draw_find_text(app_list(monkey.app), "chat"));
}

static void the_memory_in_use_stays_the_same(void **state)
{
    (void)state;
    long early = monkey.resident_kb[SHARES / 5], late = monkey.resident_kb[SHARES];
    print_message("# %ld kB at 20 %%, %ld kB at the end\n", early, late);
    assert_true(early > 0 && late < early + RESIDENT_MORE_KB);
}

static int set_up(void **state)
{
    (void)state;
    struct error err;
    if (!zoo_open())
        return -1;
    struct app_options options = {.models_root = ALPHASCOPE_TESTS "/../models",
                                  .tau = 1,
                                  .files = desk_files(&monkey.desk)};
    options.files.directory = zoo_folder();
    monkey.random.state = seed;
    monkey.dots = monkey.zoom = 1;
    monkey.width = 1024, monkey.height = 768;
    monkey.input.x = monkey.input.y = -1e6f;
    monkey.screen = offscreen_create(ALPHASCOPE_TESTS "/../assets/fonts", false, &err);
    monkey.app = app_create(&options, &err);
    return monkey.screen && monkey.app ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    app_destroy(monkey.app);
    offscreen_destroy(monkey.screen);
    desk_finish(&monkey.desk);
    zoo_close();
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_window_lives_through_it),
        cmocka_unit_test(the_memory_in_use_stays_the_same),
    };
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 20); // as main.c
#endif
    if (argc > 1)
        n_events = atoi(argv[1]);
    if (argc > 2)
        seed = strtoull(argv[2], NULL, 10);
    if (n_events < SHARES)
        n_events = SHARES;
    return _cmocka_run_group_tests("monkey", tests, n_events < MANY_EVENTS ? 1 : 2,
                                   set_up, tear_down);
}
