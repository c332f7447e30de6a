// SPDX-License-Identifier: MIT
// ui/draw: what goes in comes out, what does not fit is counted; ui/style: the themes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "ui/draw.h"
#include "ui/style.h"

static const struct color red = {255, 0, 0, 255};

static void draw_one_of_each(struct draw_list *list, float x, const char *text)
{
    static const uint8_t pixels[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    draw_reset(list);
    draw_fill(list, rect_make(x, 2, 3, 4), 1, red);
    draw_frame(list, rect_make(1, 2, 3, 4), 1, 1.5f, red);
    draw_text(list, FONT_BOLD, 14, 5, 6, -40, red, text, -1);
    draw_clip(list, rect_make(0, 0, 10, 10));
    draw_image(list, rect_make(0, 0, 9, 9), 2, 1, pixels, 200);
}

static void commands_hold_what_was_drawn(void **state)
{
    (void)state;
    struct draw_list list;
    assert_true(draw_init(&list, 10, 100));
    draw_one_of_each(&list, 1, "caf\xc3\xa9");
    assert_int_equal(list.count, 5);
    assert_int_equal(list.dropped, 0);
    const struct draw_cmd *text = draw_find_text(&list, "af");
    assert_non_null(text);
    assert_int_equal(text->kind, DRAW_TEXT);
    assert_int_equal(text->font, FONT_BOLD);
    assert_int_equal(text->length, 5);
    assert_memory_equal(list.bytes + text->offset, "caf\xc3\xa9", 5);
    assert_float_equal(text->rect.x, 5, 0);
    assert_float_equal(text->angle, -40, 0);
    assert_null(draw_find_text(&list, "tea"));
    assert_int_equal(list.cmds[4].kind, DRAW_IMAGE);
    assert_memory_equal(list.bytes + list.cmds[4].offset, "\1\2\3\4\5\6\7\10", 8);
    assert_int_equal(list.cmds[4].color.a, 200);
    draw_finish(&list);
}

static void what_cannot_be_seen_is_not_drawn(void **state)
{
    (void)state;
    struct draw_list list;
    assert_true(draw_init(&list, 10, 100));
    draw_fill(&list, rect_make(0, 0, 0, 4), 0, red);
    draw_fill(&list, rect_make(0, 0, -3, 4), 0, red);
    draw_fill(&list, rect_make(0, 0, NAN, 4), 0, red);
    draw_fill(&list, rect_make(0, 0, 4, 4), 0, (struct color){1, 1, 1, 0});
    draw_frame(&list, rect_make(0, 0, 4, 4), 0, 0, red);
    draw_text(&list, FONT_TEXT, 14, 0, 0, 0, red, "", -1);
    draw_image(&list, rect_make(0, 0, 4, 4), 0, 5, NULL, 255);
    draw_ribbon(&list, rect_make(0, 0, 4, 0), 1, 2, 3, red);
    draw_ribbon(&list, rect_make(0, 0, 4, 4), 1, 2, 0, red);
    draw_stroke(&list, 0, 0, 4, 4, 0, red);
    draw_stroke(&list, 0, NAN, 4, 4, 1, red);
    assert_int_equal(list.count, 0);
    assert_int_equal(list.dropped, 0);
    draw_clip(&list, rect_make(0, 0, -1, -1)); // the end of a clip
    assert_int_equal(list.count, 1);
    draw_finish(&list);
}

static void what_does_not_fit_is_counted(void **state)
{
    (void)state;
    struct draw_list list;
    assert_true(draw_init(&list, 3, 8));
    draw_text(&list, FONT_TEXT, 14, 0, 0, 0, red, "12345", -1);
    draw_text(&list, FONT_TEXT, 14, 0, 0, 0, red, "6789", -1);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.dropped, 1);
    draw_text(&list, FONT_TEXT, 14, 0, 0, 0, red, "678", -1);
    draw_image(&list, rect_make(0, 0, 4, 4), 1 << 30, 1 << 30, NULL, 255);
    assert_int_equal(list.dropped, 2);
    for (int i = 0; i < 5; i++)
        draw_fill(&list, rect_make(0, 0, 4, 4), 0, red);
    assert_int_equal(list.count, 3);
    assert_int_equal(list.dropped, 6);
    draw_reset(&list);
    assert_int_equal(list.dropped, 0);
    assert_int_equal((int)list.used, 0);
    draw_finish(&list);
    draw_finish(&list);
    assert_false(draw_init(&list, 0, 8));
    assert_false(draw_init(&list, 8, 0));
}

static void equal_frames_have_equal_hashes(void **state)
{
    (void)state;
    struct draw_list a, b;
    assert_true(draw_init(&a, 10, 100));
    assert_true(draw_init(&b, 50, 400));
    memset(b.bytes, 0x55, 400);
    draw_one_of_each(&a, 1, "same");
    draw_one_of_each(&b, 1, "same");
    assert_true(draw_hash(&a) == draw_hash(&b));
    draw_one_of_each(&b, 1.5f, "same");
    assert_true(draw_hash(&a) != draw_hash(&b));
    draw_one_of_each(&b, 1, "samf");
    assert_true(draw_hash(&a) != draw_hash(&b));
    draw_one_of_each(&b, 1, "same");
    b.bytes[b.cmds[4].offset + 7]++;
    assert_true(draw_hash(&a) != draw_hash(&b));
    b.count--;
    assert_true(draw_hash(&a) != draw_hash(&b));
    draw_finish(&a);
    draw_finish(&b);
}

// What differs in the high bits of several words must not cancel.
static void images_of_other_opacities_have_other_hashes(void **state)
{
    (void)state;
    uint8_t one[16] = {0}, other[16] = {0};
    struct draw_list list;
    assert_true(draw_init(&list, 10, 100));
    other[7] = other[11] = other[15] = 128;
    draw_image(&list, rect_make(0, 0, 9, 9), 2, 2, one, 255);
    uint64_t hash = draw_hash(&list);
    draw_reset(&list);
    draw_image(&list, rect_make(0, 0, 9, 9), 2, 2, other, 255);
    assert_true(draw_hash(&list) != hash);
    draw_finish(&list);
}

// Each field that shows must move the hash.
static void every_field_counts_in_the_hash(void **state)
{
    (void)state;
    struct draw_list list;
    assert_true(draw_init(&list, 10, 100));
    draw_one_of_each(&list, 1, "same");
    uint64_t whole = draw_hash(&list);
    for (int field = 0; field < 11; field++) {
        draw_one_of_each(&list, 1, "same");
        struct draw_cmd *cmd = &list.cmds[2];
        float *numbers[] = {&cmd->rect.x, &cmd->rect.y, &cmd->rect.w, &cmd->rect.h,
                            &cmd->size,   &cmd->angle,  &cmd->radius, &cmd->width};
        if (field < 8)
            *numbers[field] += 1;
        else if (field == 8)
            cmd->font = FONT_TEXT;
        else if (field == 9)
            cmd->color.g = 1;
        else
            cmd->length--;
        assert_true(draw_hash(&list) != whole);
    }
    draw_finish(&list);
}

static double channel_light(uint8_t value)
{
    double v = value / 255.0;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double light(struct color c)
{
    return 0.2126 * channel_light(c.r) + 0.7152 * channel_light(c.g) +
           0.0722 * channel_light(c.b);
}

// WCAG 2's contrast ratio.
static double contrast(struct color a, struct color b)
{
    double x = light(a), y = light(b);
    return x > y ? (x + 0.05) / (y + 0.05) : (y + 0.05) / (x + 0.05);
}

static void every_text_can_be_read(void **state)
{
    (void)state;
    for (int theme = 0; theme < THEME_COUNT; theme++) {
        const struct style *s = style_of((enum theme)theme);
        const struct color grounds[] = {s->ground, s->panel};
        for (int i = 0; i < 2; i++) {
            assert_true(contrast(s->ink, grounds[i]) >= 4.5);
            assert_true(contrast(s->dim, grounds[i]) >= 4.5);
            assert_true(contrast(s->accent, grounds[i]) >= 4.5);
            assert_true(contrast(s->warn, grounds[i]) >= 4.5);
            assert_true(contrast(s->ring, grounds[i]) >= 3);
        }
        assert_true(contrast(s->on_accent, s->accent) >= 4.5);
        assert_true(contrast(s->on_warn, s->warn) >= 4.5);
        assert_true(s->theme == (enum theme)theme);
    }
    assert_ptr_equal(style_of((enum theme)99), style_of(THEME_DARK));
}

static void colours_mix_and_fade(void **state)
{
    (void)state;
    struct color a = {0, 100, 200, 255}, b = {100, 100, 0, 55};
    struct color half = color_mix(a, b, 0.5f);
    assert_int_equal(half.r, 50);
    assert_int_equal(half.g, 100);
    assert_int_equal(half.b, 100);
    assert_int_equal(half.a, 155);
    assert_int_equal(color_mix(a, b, -1).r, 0);
    assert_int_equal(color_mix(a, b, 7).r, 100);
    assert_int_equal(color_mix(a, b, NAN).r, 0);
    assert_int_equal(color_fade(a, 0.5f).a, 128);
    assert_int_equal(color_fade(a, 0.5f).b, 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_hold_what_was_drawn),
        cmocka_unit_test(what_cannot_be_seen_is_not_drawn),
        cmocka_unit_test(what_does_not_fit_is_counted),
        cmocka_unit_test(equal_frames_have_equal_hashes),
        cmocka_unit_test(images_of_other_opacities_have_other_hashes),
        cmocka_unit_test(every_field_counts_in_the_hash),
        cmocka_unit_test(every_text_can_be_read),
        cmocka_unit_test(colours_mix_and_fade),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
