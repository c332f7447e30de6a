// SPDX-License-Identifier: MIT
// ui/ui: text that is cut to its room, and the tooltip.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "fake.h"

// Size 10: a column is 5 wide.
static void text_is_cut_between_clusters(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        float width;
        const char *shown;
    } cases[] = {
        {"coffee", 30, "coffee"},
        {"coffee", 29, "coff\xe2\x80\xa6"},
        {"coffee", 5, "\xe2\x80\xa6"},
        {"coffee", 4, ""},
        {"a cup of tea", 30, "a cup\xe2\x80\xa6"},
        {"a cup of tea", 35, "a cup\xe2\x80\xa6"}, // no space before the ellipsis
        {"e\xcc\x81"
         "e\xcc\x81"
         "e\xcc\x81",
         14, "e\xcc\x81\xe2\x80\xa6"},
        {"\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x94\xac!!!", 12, "\xe2\x80\xa6"},
        {"\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x94\xac!!!", 15,
         "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x94\xac\xe2\x80\xa6"},
        {"\xe6\xb3\xa8\xe6\x84\x8f\xe5\x8a\x9b", 24, "\xe6\xb3\xa8\xe2\x80\xa6"},
        {"", 10, ""},
    };
    fake_begin(fake);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char out[64];
        bool cut = ui_elide(&fake->ui, FONT_TEXT, 10, cases[i].width, cases[i].text, out,
                            sizeof(out));
        assert_string_equal(out, cases[i].shown);
        assert_int_equal(cut, strcmp(cases[i].text, cases[i].shown) != 0);
    }
    fake_end(fake);
}

static void a_cut_respects_the_buffer(void **state)
{
    (void)state;
    char long_text[5001], out[8];
    memset(long_text, 'x', 5000);
    long_text[5000] = '\0';
    fake_begin(fake);
    assert_true(ui_elide(&fake->ui, FONT_TEXT, 10, 1e6f, long_text, out, sizeof(out)));
    assert_string_equal(out, "xxxx\xe2\x80\xa6");
    assert_true(ui_elide(&fake->ui, FONT_TEXT, 10, 1e6f, long_text, out, 3));
    assert_string_equal(out, "");
    fake_end(fake);
}

static void text_fit_aligns_and_says_when_it_cuts(void **state)
{
    (void)state;
    struct rect rect = {100, 0, 60, 20};
    static const struct {
        int align;
        float x;
    } cases[] = {{-1, 100}, {0, 120}, {1, 140}};
    for (int i = 0; i < 3; i++) {
        fake_begin(fake);
        assert_false(ui_text_fit(&fake->ui, FONT_TEXT, 10, rect, cases[i].align,
                                 fake->style->ink, "four"));
        const struct draw_cmd *text = draw_find_text(&fake->list, "four");
        assert_non_null(text);
        assert_float_equal(text->rect.x, cases[i].x, 0.001);
        assert_true(text->rect.y > 10 && text->rect.y < 20);
        assert_true(ui_text_fit(&fake->ui, FONT_TEXT, 10, rect, cases[i].align,
                                fake->style->ink, "thirteen chars"));
        fake_end(fake);
    }
}

static const struct draw_cmd *last_frame_of(const struct draw_list *list)
{
    for (int i = list->count - 1; i >= 0; i--)
        if (list->cmds[i].kind == DRAW_FRAME)
            return &list->cmds[i];
    return NULL;
}

static void the_tooltip_is_on_top_and_inside_the_window(void **state)
{
    (void)state;
    static const struct rect places[] = {
        {0, 0, 10, 10}, {990, 590, 10, 10}, {-50, 300, 10, 10}, {500, -80, 10, 10}};
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        fake_begin(fake);
        ui_tooltip(&fake->ui, places[i], "attention weight of this word");
        int before = fake->list.count;
        draw_fill(&fake->list, rect_make(0, 0, 5, 5), 0, fake->style->ink);
        fake_end(fake);
        const struct draw_cmd *box = last_frame_of(&fake->list);
        assert_true(box != NULL && box > &fake->list.cmds[before]);
        assert_true(box->rect.x >= 0 && box->rect.x + box->rect.w <= 1000);
        assert_true(box->rect.y >= 0 && box->rect.y + box->rect.h <= 600);
        assert_non_null(draw_find_text(&fake->list, "attention weight"));
    }
    fake_begin(fake);
    fake_end(fake);
    assert_null(draw_find_text(&fake->list, "attention"));
}

static int count_texts(const struct draw_list *list, int *widest)
{
    int count = 0;
    *widest = 0;
    for (int i = 0; i < list->count; i++) {
        const struct draw_cmd *cmd = &list->cmds[i];
        if (cmd->kind != DRAW_TEXT)
            continue;
        const char *text = (const char *)list->bytes + cmd->offset;
        int columns = utf8_columns(text, cmd->length);
        *widest = columns > *widest ? columns : *widest;
        count++;
    }
    return count;
}

static void the_tooltip_wraps_to_three_lines(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int lines;
        bool cut;
    } cases[] = {
        {"one line", 1, false},
        {"The weight of this source word, after the softmax over the whole row, and "
         "its raw score.",
         2, false},
        {"a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a "
         "a "
         "a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a "
         "a "
         "a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a "
         "a",
         3, true},
        {"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
         "xxxxxxxxxxxxxxxx",
         2, false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int widest;
        fake_begin(fake);
        ui_tooltip(&fake->ui, rect_make(10, 10, 10, 10), cases[i].text);
        fake_end(fake);
        assert_int_equal(count_texts(&fake->list, &widest), cases[i].lines);
        assert_true(widest <= 61);
        assert_int_equal(draw_find_text(&fake->list, "\xe2\x80\xa6") != NULL,
                         cases[i].cut);
    }
}

static void a_tooltip_of_any_bytes_is_clean(void **state)
{
    (void)state;
    char text[2000];
    memset(text, '\xff', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    fake->input.width = 120; // narrower than the text
    fake_begin(fake);
    ui_tooltip(&fake->ui, rect_make(10, 10, 10, 10), text);
    fake_end(fake);
    const struct draw_cmd *cmd = draw_find_text(&fake->list, "\xef\xbf\xbd");
    assert_non_null(cmd);
    assert_true(utf8_valid((const char *)fake->list.bytes + cmd->offset, cmd->length));
    const struct draw_cmd *box = last_frame_of(&fake->list);
    assert_true(box->rect.x >= 0 && box->rect.x + box->rect.w <= 120);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, fake_set_up, fake_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(text_is_cut_between_clusters),
        CASE(a_cut_respects_the_buffer),
        CASE(text_fit_aligns_and_says_when_it_cuts),
        CASE(the_tooltip_is_on_top_and_inside_the_window),
        CASE(the_tooltip_wraps_to_three_lines),
        CASE(a_tooltip_of_any_bytes_is_clean),
    };
    return cmocka_run_group_tests_name("ui text", tests, NULL, NULL);
}
