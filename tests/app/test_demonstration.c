// SPDX-License-Identifier: MIT
// A demonstration of ten minutes, by keyboard alone, in the window of a projector (1280 x
// 720 at 150 %): every view is reached, and each key has done what it is pressed for.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/state.h"
#include "case.h"
#include "drawn.h"
#include "view/short.h"

enum { ROW = 3 }; // that is looked into

// Words in braces stand for what the model in use makes of the sentence: see value_of.
struct station {
    const char *keys;  // "Ctrl+M", "3 PageDown", or text in quotes
    const char *sees;  // on the screen then; NULL: it is enough that it has changed
    const char * not ; // was there and is not any more; NULL: nothing
};

static const struct station stations[] = {
    // the picture, row by row
    {"Ctrl+R", "row 0 of {rows}", "{late}"},
    {"4 PageDown", "row 4 of {rows}", NULL},
    {"Ctrl+R", "{late}", NULL},
    {"Ctrl+PageUp", "row 1 of {rows}", NULL},
    {"3 Down", "row 4 of {rows}", NULL},
    // into a row
    {"Alt+Down", "How “{word}” looked back", "entropy"},
    {"2 PageDown", "{e} / 1.00 = {e}", NULL},
    {"2 PageDown", "exp({gap}) = {power}", NULL},
    {"2 PageDown", "{term}", NULL},
    {"PageDown", "{p}%", NULL},
    {"PageDown", "soft − hard", NULL},
    {"PageDown", "∂αᵢ/∂eⱼ", NULL},
    {"Esc", "entropy", "∂αᵢ/∂eⱼ"},
    // τ
    {"Alt+0", "0.00", "1.00"},
    {"Alt+9", "∞", NULL},
    {"Alt+1", "1.00", NULL},
    {"F5", NULL, NULL},
    {"Ctrl+T \"0.3\" Enter", "0.30", NULL},
    {"Alt+1 F5", "1.00", NULL},
    // other ways to look
    {"Alt+R", NULL, "log₂ {columns}"},
    {"Alt+R", "log₂ {columns}", NULL},
    {"Alt+W", "words: source summed", NULL},
    {"Alt+E", "⏎ hidden", NULL},
    {"2 Alt+W Alt+E", NULL, "⏎ hidden"},
    {"Alt+K", "the largest 1 of each row", NULL},
    {"3 Alt+K", NULL, "the largest 1"},
    {"Alt+H", NULL, NULL},
    {"Alt+H Alt+X", "transposed", NULL},
    {"Alt+X", NULL, "transposed"},
    {"Alt+V", "sub-words", NULL},
    {"Esc", NULL, "sub-words"},
    // other models
    {"Alt+A", "{bits} bits", "log₂ {columns}"},
    {"Alt+A", "log₂ {columns}", "{bits} bits"},
    {"Alt+D", "Δα", NULL},
    {"Alt+D Esc", NULL, "Δα"},
    {"F6", "row 4 of {rows of en-fr-coverage}", NULL},
    {"Shift+F6", "row 4 of {rows of en-fr-bahdanau}", NULL},
    // what it says
    {"Alt+N", "confidence", NULL},
    {"Alt+N", NULL, "confidence"},
    {"Alt+G", NULL, NULL},
    {"Alt+O", NULL, NULL},
    {"Alt+G Alt+O", NULL, NULL},
    // what if
    {"Esc 5 Shift+Right", "coverage", NULL}, // its columns
    {"Alt+I", "Pin row", NULL},
    {"Ctrl+Shift+Up", "1 edit", NULL},
    {"Alt+Shift+2", "row 4 says", NULL},
    {"Alt+B", "before the edits", NULL},
    {"Alt+B Alt+T \"Le\" Enter", "begins with “Le”", NULL},
    {"Alt+L", NULL, NULL},
    {"Esc", NULL, NULL},
    {"Alt+C Alt+I Enter", NULL, "begins with"},
    {"Ctrl+D", "α dropout", NULL},
    {"Ctrl+D", NULL, "α dropout"},
    // where it comes from, and what searches
    {"F9", "BLEU", "log₂ {columns}"},
    {"F9", "log₂ {columns}", "BLEU"},
    {"Ctrl+B", "Beam search", NULL},
    {"Alt+J", "beam 5: 2 of 5", NULL},
    {"Ctrl+Shift+B", NULL, "beam 5"},
    {"Shift+F9", "Q", "log₂ {columns}"},
    {"Shift+F9", "log₂ {columns}", NULL},
    // other sentences, other models
    {"F12", NULL, "coffee"},
    {"Shift+F12", "coffee", NULL},
    {"F7", NULL, "coffee"},
    {"F7", NULL, NULL},
    {"F7", NULL, NULL},
    {"Alt+PageUp", "step", NULL},
    {"F7", "gegeben", NULL},
    {"F7", "coffee", NULL},
    // the room
    {"F2", NULL, NULL},
    {"F3", NULL, NULL},
    {"F4", "row maximum", NULL},
    {"Ctrl+S", "PNG", NULL},
    {"Esc", NULL, "PNG"},
    {"F1", "Keys", NULL},
    {"F1", "Ctrl+Q", NULL}, // the last of them
    {"F1", "α is a weight, not an explanation", "Keys"},
    {"F1", NULL, "α is a weight"},
    {"Esc \"b\"", NULL, "coffee"},
    {"\"b\"", "coffee", NULL},
};

static char late[80]; // see keep_late_word

static int set_up(void **state)
{
    (void)state;
    driver = driver_ready(NULL, NULL);
    return driver ? 0 : -1;
}

static enum key key_of(const char *name)
{
    static const struct {
        const char *name;
        enum key key;
    } names[] = {{"Down", KEY_DOWN},      {"Up", KEY_UP},
                 {"Right", KEY_RIGHT},    {"PageDown", KEY_PAGE_DOWN},
                 {"PageUp", KEY_PAGE_UP}, {"Esc", KEY_ESCAPE},
                 {"Enter", KEY_ENTER}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i].name))
            return names[i].key;
    if (name[0] == 'F' && name[1])
        return (enum key)(KEY_F1 + atoi(name + 1) - 1);
    return KEY_CHAR;
}

// "Ctrl+Shift+B"
static void press_chord(const char *chord)
{
    static const struct {
        const char *name;
        unsigned mod;
    } mods[] = {{"Ctrl+", MOD_CTRL}, {"Alt+", MOD_ALT}, {"Shift+", MOD_SHIFT}};
    unsigned held = 0;
    for (int i = 0; i < 3; i++)
        if (!strncmp(chord, mods[i].name, strlen(mods[i].name))) {
            held |= mods[i].mod;
            chord += strlen(mods[i].name);
        }
    enum key key = key_of(chord);
    char ch = *chord >= 'A' && *chord <= 'Z' ? (char)(*chord - 'A' + 'a') : *chord;
    driver_key(driver, key, key == KEY_CHAR ? ch : 0, held);
}

static void carry_out(const char *keys)
{
    char copy[80], *rest = copy;
    int times = 1;
    snprintf(copy, sizeof copy, "%s", keys);
    for (char *word; (word = strtok_r(rest, " ", &rest));) {
        if (word[0] == '"') {
            word[strlen(word) - 1] = '\0';
            driver_type(driver, word + 1);
        } else if (word[0] >= '1' && word[0] <= '9' && !word[1]) {
            times = word[0] - '0';
            continue;
        } else {
            for (int i = 0; i < times; i++)
                press_chord(word);
        }
        times = 1;
    }
    assert_true(driver_settle(driver));
}

// Keeps the longest label that comes after the row, and that no other text contains.
static void keep_late_word(void)
{
    const struct alignment *now = driver_now(driver);
    late[0] = '\0';
    for (int t = ROW + 1; t < alignment_rows(now); t++) {
        const char *word = now->target[t].text;
        bool alone = sightings(word) == 1 && driver_count(driver, word) == 1;
        if (alone && strlen(word) > strlen(late))
            snprintf(late, sizeof late, "%s", word);
    }
    assert_true(late[0]);
}

static double mean_bits(void)
{
    const struct alignment *now = driver_now(driver);
    struct attention of = {now->alpha, alignment_rows(now), now->n_src, now->source};
    return (double)readings_matrix(&of).entropy_bits;
}

// Of the row 4 where it is of a row.
static void value_of(const char *name, char *out, size_t size)
{
    const struct alignment *now = driver_now(driver);
    struct driver_row row = driver_row(driver, ROW);
    if (!strcmp(name, "rows"))
        snprintf(out, size, "%d", alignment_rows(now));
    else if (!strncmp(name, "rows of ", 8) && !strcmp(now->model, name + 8))
        snprintf(out, size, "%d", alignment_rows(now));
    else if (!strcmp(name, "columns"))
        snprintf(out, size, "%d", now->n_src);
    else if (!strcmp(name, "bits"))
        snprintf(out, size, "%.2f", mean_bits());
    else if (!strcmp(name, "word"))
        snprintf(out, size, "%s", row.word);
    else if (!strcmp(name, "late"))
        snprintf(out, size, "%s", late);
    else if (!strcmp(name, "e"))
        snprintf(out, size, "%s", number_text(row.most, 2).text);
    else if (!strcmp(name, "gap")) // from the largest score to the next
        snprintf(out, size, "%s", number_text(row.gap, 2).text);
    else if (!strcmp(name, "power"))
        snprintf(out, size, "%.3f", row.power);
    else if (!strcmp(name, "term"))
        snprintf(out, size, "%s", driver_term(&row, row.best));
    else if (!strcmp(name, "p"))
        snprintf(out, size, "%.1f", 100 * (double)now->p[ROW]);
    else
        fail_msg("{%s} is not known of %s", name, now->model);
}

// out: (size). Puts in what the words in braces stand for. NULL stays NULL.
static const char *filled(const char *text, char *out, size_t size)
{
    char name[40], value[80];
    if (!text)
        return NULL;
    for (out[0] = '\0'; *text;) {
        size_t used = strlen(out), plain = strcspn(text, "{");
        snprintf(out + used, size - used, "%.*s", (int)plain, text);
        text += plain;
        if (!*text)
            break;
        size_t length = strcspn(text, "}");
        snprintf(name, sizeof name, "%.*s", (int)length - 1, text + 1);
        value_of(name, value, sizeof value);
        snprintf(out + used + plain, size - used - plain, "%s", value);
        text += length + 1;
    }
    return out;
}

static void visit(size_t i, const struct station *at)
{
    char words[160], others[160];
    uint64_t before = driver_hash(driver);
    const char *gone = filled(at->not, others, sizeof others);
    if (gone && !driver_sees(driver, gone))
        fail_msg("station %zu, %s: '%s' was not there before", i, at->keys, gone);
    carry_out(at->keys);
    if (driver_hash(driver) == before)
        fail_msg("station %zu, %s: nothing has changed", i, at->keys);
    if (*app_banner(driver->app))
        fail_msg("station %zu, %s: %s", i, at->keys, app_banner(driver->app));
    const char *sees = filled(at->sees, words, sizeof words);
    if (sees && !driver_sees(driver, sees))
        fail_msg("station %zu, %s: there is no '%s'", i, at->keys, sees);
    const char *over = drawn_over(app_list(driver->app));
    if (over)
        fail_msg("station %zu, %s: %s", i, at->keys, over);
    if (gone && driver_sees(driver, gone))
        fail_msg("station %zu, %s: '%s' is still there", i, at->keys, gone);
}

static void every_view_is_reached_by_key(void **state)
{
    (void)state;
    driver->input.width = 1280 / 1.5f;
    driver->input.height = 720 / 1.5f;
    driver->input.scale = 1.5f;
    assert_true(driver_settle(driver));
    keep_late_word();
    for (size_t i = 0; i < sizeof stations / sizeof *stations; i++)
        visit(i, &stations[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_view_is_reached_by_key, set_up,
                                        close_driver),
    };
    return cmocka_run_group_tests_name("demonstration", tests, NULL, NULL);
}
