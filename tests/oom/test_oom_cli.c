// SPDX-License-Identifier: MIT
// Whole commands, and the start of the window, under every single failure of memory, of
// files and of closing them, once and from then on: an exit status and a sentence, the
// old output file as it was, nothing left beside it. What survives a failure gives the
// right output, or says what it lacks.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/app.h"
#include "base/file.h"
#include "cli/cli.h"
#include "desk.h"
#include "faults.h"
#include "sdl/offscreen.h"

#define GOLDEN ALPHASCOPE_TESTS "/golden/models/"

enum { MOST_CALLS = 5000, WORDS_MAX = 16, SAID_BYTES = 8192 };

static char folder[] = "/tmp/alphascope-oom-XXXXXX";
static char out_path[64], test_path[64], gold_path[64], said_path[64], models_path[64];
static char said[SAID_BYTES];

struct command_case {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *words[WORDS_MAX];
    bool writes; // out_path
};

static const struct command_case commands[] = {
    {"trace, a file of JSON",
     cli_trace,
     {"trace", "-m", GOLDEN "tiny-dot-f32", "--text", "a b", "-o", out_path},
     true},
    {"trace, a picture",
     cli_trace,
     {"trace", "-m", GOLDEN "tiny-dot-f32", "--text", "a", "-f", "png", "-o", out_path},
     true},
    {"evaluate",
     cli_evaluate,
     {"evaluate", "-m", GOLDEN "tiny-additive-f32", "--test", test_path, "--gold",
      gold_path, "--threads", "1", "--format", "json", "-o", out_path},
     true},
    {"inspect", cli_inspect, {"inspect", GOLDEN "tiny-general-bf16"}, false},
    {"models", cli_models, {"models"}, false},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static const struct {
    enum fault fault;
    const char *name;
} faults[] = {{FAULT_MEMORY, "memory"}, {FAULT_FILES, "files"}, {FAULT_CLOSE, "close"}};
enum { FAULTS = sizeof faults / sizeof *faults };

static struct try_case { // a command under a kind of failure
    int command, fault;
} tries[COMMANDS * FAULTS];

// Standard output goes nowhere and what is said into a file; returns the old two.
static void redirect(int old[2])
{
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    int file = open(said_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    fflush(stdout);
    fflush(stderr);
    old[0] = dup(STDOUT_FILENO);
    old[1] = dup(STDERR_FILENO);
    dup2(nowhere, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    close(nowhere);
    close(file);
}

static void give_back(const int old[2])
{
    fflush(stdout);
    fflush(stderr);
    dup2(old[0], STDOUT_FILENO);
    dup2(old[1], STDERR_FILENO);
    close(old[0]);
    close(old[1]);
}

static void put(const char *path, const char *text)
{
    struct error err;
    assert_true(file_write(path, text, strlen(text), &err));
}

static void take(const char *path, struct buf *out)
{
    struct error err;
    buf_init(out, 16 << 20);
    assert_true(file_read(path, out, &err));
}

static int count_files(void)
{
    int count = 0;
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    while (readdir(directory))
        count++;
    closedir(directory);
    return count;
}

// The exit status; what was said is in `said`.
static int run(const struct command_case *command, enum fault fault, int n, bool sticky,
               bool *happened)
{
    char words[WORDS_MAX][256], *argv[WORDS_MAX + 1];
    int argc = 0, old[2];
    for (; argc < WORDS_MAX && command->words[argc]; argc++) {
        snprintf(words[argc], sizeof words[argc], "%s", command->words[argc]);
        argv[argc] = words[argc];
    }
    argv[argc] = NULL;
    redirect(old);
    faults_arm(fault, n, sticky);
    int code = command->run(argc, argv);
    *happened = faults_disarm();
    give_back(old);
    struct buf text;
    take(said_path, &text);
    snprintf(said, sizeof said, "%s", buf_text(&text));
    buf_finish(&text);
    return code;
}

static bool is_sentences(const char *text)
{
    size_t length = strlen(text);
    return length && text[length - 1] == '\n' && !strncmp(text, "alphascope ", 11);
}

// What the command writes when nothing fails, but for times.
static void expected_output(const struct command_case *command, struct buf *out)
{
    bool happened;
    assert_int_equal(run(command, FAULT_MEMORY, MOST_CALLS * 100, false, &happened), 0);
    assert_false(happened);
    assert_string_equal(said, "");
    if (command->writes)
        take(out_path, out);
}

static bool same_file(const struct buf *wanted)
{
    struct buf found;
    take(out_path, &found);
    bool same = found.length == wanted->length &&
                !memcmp(buf_text(&found), buf_text(wanted), found.length);
    buf_finish(&found);
    return same;
}

// A speed differs from run to run; what comes after it is not compared.
static bool like_file(const struct buf *wanted)
{
    struct buf found;
    take(out_path, &found);
    const char *speed = strstr(buf_text(wanted), "tokens_per_second");
    size_t same = speed ? (size_t)(speed - buf_text(wanted)) : wanted->length;
    bool like = found.length >= same && !memcmp(found.data, buf_text(wanted), same) &&
                (speed || found.length == wanted->length);
    buf_finish(&found);
    return like;
}

static void judge(const struct command_case *command, int n, int code, int files,
                  const struct buf *wanted)
{
    struct buf old = {0};
    buf_init(&old, 16);
    buf_add(&old, "old");
    if (code != EXIT_DONE && (code != EXIT_INPUT || !is_sentences(said)))
        fail_msg("failure %d: exit status %d: '%s'", n, code, said);
    if (command->writes && code != EXIT_DONE && !same_file(&old))
        fail_msg("failure %d: the old file is lost: '%s'", n, said);
    if (command->writes && code == EXIT_DONE && !said[0] && !like_file(wanted))
        fail_msg("failure %d: it succeeds with another output", n);
    if (count_files() != files)
        fail_msg("failure %d: something is left beside the output: '%s'", n, said);
    buf_finish(&old);
}

static void every_failure_ends_in_a_sentence(void **state)
{
    const struct try_case *try = *state;
    const struct command_case *command = &commands[try->command];
    struct buf wanted = {0};
    int failed = 0;
    put(out_path, "old");
    expected_output(command, &wanted);
    int files = count_files();
    for (int sticky = 0; sticky < 2; sticky++) {
        bool happened = true;
        for (int n = 0; happened; n++) {
            assert_true(n < MOST_CALLS);
            put(out_path, "old");
            int code = run(command, faults[try->fault].fault, n, sticky, &happened);
            judge(command, n, code, files, &wanted);
            failed += code != EXIT_DONE;
        }
    }
    assert_true(failed > 0 || faults[try->fault].fault == FAULT_CLOSE);
    buf_finish(&wanted);
}

// The first picture, as the program makes it but for SDL's own window.
static bool start(struct error *err)
{
    struct app_options options = {.models_root = models_path, .tau = 1, .report = true};
    struct offscreen *screen =
        offscreen_create(ALPHASCOPE_TESTS "/../assets/fonts", false, err);
    struct app *app = screen ? app_create(&options, err) : NULL;
    bool ok = app != NULL;
    if (ok) {
        struct input input = {.width = 640, .height = 400, .scale = 1, .x = -1, .y = -1};
        bool complete = app_settle(app, 20000);
        app_frame(app, offscreen_host(screen, 1), &input);
        complete = complete || app_is_complete(app);
        if (!complete && !*app_banner(app))
            ok = fail_with(err, ERR_CANCELLED,
                           "the window shows nothing and says nothing");
        ok = ok &&
             offscreen_paint(screen, app_list(app), 640, 400, 1, app_ground(app), err);
    }
    app_destroy(app);
    offscreen_destroy(screen);
    return ok;
}

static void the_window_starts_or_says_why_not(void **state)
{
    enum fault fault = *(const enum fault *)*state;
    int failed = 0;
    for (int sticky = 0; sticky < 2; sticky++) {
        bool happened = true;
        for (int n = 0; happened; n++) {
            struct error err = {0};
            assert_true(n < MOST_CALLS);
            faults_arm(fault, n, sticky);
            bool ok = start(&err);
            happened = faults_disarm();
            if (!ok && (!happened || err.code == ERR_CANCELLED || !err.text[0]))
                fail_msg("failure %d: code %d: '%s'", n, (int)err.code, err.text);
            failed += !ok;
        }
    }
    assert_true(failed > 0 || fault == FAULT_CLOSE);
}

struct window {
    struct app *app;
    struct offscreen *screen;
    struct desk desk;
};

static void open_window(struct window *window)
{
    struct error err = {0};
    struct app_options options = {
        .models_root = models_path, .tau = 1, .files = desk_files(&window->desk)};
    struct input input = {.width = 640, .height = 400, .scale = 1, .x = -1, .y = -1};
    window->app = app_create(&options, &err);
    window->screen = offscreen_create(ALPHASCOPE_TESTS "/../assets/fonts", false, &err);
    assert_true(window->app && window->screen && app_settle(window->app, 20000));
    app_frame(window->app, offscreen_host(window->screen, 1), &input);
}

static void close_window(struct window *window)
{
    app_destroy(window->app);
    offscreen_destroy(window->screen);
    desk_finish(&window->desk);
}

// Saves over an old file with every failure; returns how many were said.
static int save_with_failures(struct app *app, const char *path, enum fault fault,
                              bool sticky)
{
    char line[100];
    int failed = 0, files = count_files();
    bool happened = true;
    snprintf(line, sizeof line, "save %s", path);
    for (int n = 0; happened; n++) {
        struct error err = {0};
        struct buf found;
        put(path, "old");
        faults_arm(fault, n, sticky);
        bool ok = app_command(app, line, &err);
        happened = faults_disarm();
        take(path, &found);
        bool right = ok ? found.length > 20 : happened && err.text[0];
        if (!right || (!ok && strcmp(buf_text(&found), "old") != 0))
            fail_msg("failure %d: %s: %d, %zu bytes: '%s'", n, line, ok, found.length,
                     err.text);
        buf_finish(&found);
        failed += !ok;
        assert_int_equal(count_files(), files);
    }
    return failed;
}

static void open_with_failures(struct app *app, const char *path, enum fault fault,
                               bool sticky)
{
    char line[100];
    bool happened = true;
    snprintf(line, sizeof line, "open %s", path);
    for (int n = 0; happened; n++) {
        struct error err = {0};
        faults_arm(fault, n, sticky);
        bool ok = app_command(app, line, &err);
        app_settle(app, 20000);
        happened = faults_disarm();
        if (!ok && (!happened || !err.text[0]))
            fail_msg("failure %d: %s: '%s'", n, line, err.text);
        assert_true(app_settle(app, 20000) || *app_banner(app));
    }
    assert_true(app_settle(app, 20000));
}

static void the_window_saves_and_opens_or_says_why_not(void **state)
{
    enum fault fault = *(const enum fault *)*state;
    static const char *const endings[] = {"json", "tsv", "pdf", "png", "alphascope"};
    struct window window = {0};
    int failed = 0;
    char path[80];
    open_window(&window);
    for (int i = 0; i < 10; i++) {
        snprintf(path, sizeof path, "%s.%s", out_path, endings[i % 5]);
        put(path, "old");
        failed += save_with_failures(window.app, path, fault, i < 5);
        if (i % 5 == 4)
            open_with_failures(window.app, path, fault, i < 5);
        assert_int_equal(unlink(path), 0);
    }
    assert_true(failed > 0);
    close_window(&window);
}

static const char *place(char *out, size_t size, const char *name)
{
    snprintf(out, size, "%s/%s", folder, name);
    return out;
}

static int set_up(void **state)
{
    (void)state;
    char link[128];
    if (!mkdtemp(folder))
        return -1;
    put(place(out_path, sizeof out_path, "out"), "old");
    put(place(test_path, sizeof test_path, "test.tsv"), "a b\tc d\nb\td\n");
    put(place(gold_path, sizeof gold_path, "gold.txt"), "a b\tc d\t0-0 1?1\n");
    put(place(said_path, sizeof said_path, "said"), "");
    if (mkdir(place(models_path, sizeof models_path, "models"), 0700) != 0 ||
        symlink(GOLDEN "tiny-dot-f32", place(link, sizeof link, "models/dot")) != 0 ||
        symlink(GOLDEN "tiny-none-bf16", place(link, sizeof link, "models/none")) != 0)
        return -1;
    return setenv("ALPHASCOPE_DATA", folder, 1); // `models` lists these two
}

static int tear_down(void **state)
{
    (void)state;
    char link[128];
    unlink(place(link, sizeof link, "models/dot"));
    unlink(place(link, sizeof link, "models/none"));
    rmdir(models_path);
    unlink(out_path);
    unlink(test_path);
    unlink(gold_path);
    unlink(said_path);
    return rmdir(folder);
}

static void name_case(char out[64], const char *what, int fault)
{
    snprintf(out, 64, "%s, %s failing", what, faults[fault].name);
}

int main(void)
{
    static struct CMUnitTest tests[COMMANDS * FAULTS + 2 * FAULTS];
    static char names[COMMANDS * FAULTS + 2 * FAULTS][64];
    static enum fault kinds[FAULTS];
    size_t count = 0;
    for (int f = 0; f < FAULTS; f++) {
        kinds[f] = faults[f].fault;
        for (int c = 0; c < COMMANDS; c++, count++) {
            struct try_case *try = &tries[f * COMMANDS + c];
            *try = (struct try_case){c, f};
            name_case(names[count], commands[c].name, f);
            tests[count] = (struct CMUnitTest){
                names[count], every_failure_ends_in_a_sentence, NULL, NULL, try};
        }
        name_case(names[count], "start", f);
        tests[count] = (struct CMUnitTest){
            names[count], the_window_starts_or_says_why_not, NULL, NULL, &kinds[f]};
        count++;
        name_case(names[count], "save and open", f);
        tests[count] =
            (struct CMUnitTest){names[count], the_window_saves_and_opens_or_says_why_not,
                                NULL, NULL, &kinds[f]};
        count++;
    }
    return _cmocka_run_group_tests("oom_cli", tests, count, set_up, tear_down);
}
