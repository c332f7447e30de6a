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

#include "drawn.h"
#include "driver.h"

struct station {
    const char *keys;  // "Ctrl+M", "3 PageDown", or text in quotes
    const char *sees;  // on the screen then; NULL: it is enough that it has changed
    const char * not ; // not there any more; NULL: nothing
};

static const struct station stations[] = {
    // the picture, row by row
    {"Ctrl+R", "row 0 of 14", "tasse"},
    {"4 PageDown", "row 4 of 14", NULL},
    {"Ctrl+R", "plaît", "row 0"},
    {"Ctrl+PageUp", "row 1 of 14", NULL},
    {"3 Down", "row 4 of 14", NULL},
    // into a row
    {"Alt+Down", "How “tasse” looked back", "entropy"},
    {"2 PageDown", "10.03 / 1.00 = 10.03", NULL},
    {"2 PageDown", "exp(−2.80) = 0.061", NULL},
    {"2 PageDown", "0.774 h₅", NULL},
    {"PageDown", "92.7%", NULL},
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
    {"Alt+R", NULL, "log₂ 11"},
    {"Alt+R", "log₂ 11", NULL},
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
    {"Alt+A", "1.66 bits", "log₂ 11"},
    {"Alt+A", "log₂ 11", "1.66 bits"},
    {"Alt+D", "Δα", NULL},
    {"Alt+D Esc", NULL, "Δα"},
    {"F6", "row 4 of 15", NULL},
    {"Shift+F6", "row 4 of 14", NULL},
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
    {"F9", "BLEU", "log₂ 11"},
    {"F9", "log₂ 11", "BLEU"},
    {"Ctrl+B", "Beam search", NULL},
    {"Alt+J", "beam 5: 2 of 5", NULL},
    {"Ctrl+Shift+B", NULL, "beam 5"},
    {"Shift+F9", "Q", "log₂ 11"},
    {"Shift+F9", "log₂ 11", NULL},
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

static struct driver *driver;

static int set_up(void **state)
{
    (void)state;
    driver = driver_ready(NULL, NULL);
    return driver ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    driver_close(driver);
    return 0;
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
static void press(const char *chord)
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
                press(word);
        }
        times = 1;
    }
    assert_true(driver_settle(driver));
}

static void every_view_is_reached_by_key(void **state)
{
    (void)state;
    driver->input.width = 1280 / 1.5f;
    driver->input.height = 720 / 1.5f;
    driver->input.scale = 1.5f;
    assert_true(driver_settle(driver));
    for (size_t i = 0; i < sizeof stations / sizeof *stations; i++) {
        const struct station *at = &stations[i];
        uint64_t before = driver_hash(driver);
        carry_out(at->keys);
        if (driver_hash(driver) == before)
            fail_msg("station %zu, %s: nothing has changed", i, at->keys);
        if (*app_banner(driver->app))
            fail_msg("station %zu, %s: %s", i, at->keys, app_banner(driver->app));
        if (at->sees && !driver_sees(driver, at->sees))
            fail_msg("station %zu, %s: there is no '%s'", i, at->keys, at->sees);
        const char *over = drawn_over(app_list(driver->app));
        if (over)
            fail_msg("station %zu, %s: %s", i, at->keys, over);
        if (at->not &&driver_sees(driver, at->not ))
            fail_msg("station %zu, %s: '%s' is still there", i, at->keys, at->not );
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_view_is_reached_by_key, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("demonstration", tests, NULL, NULL);
}
