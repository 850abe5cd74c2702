/* SPDX-License-Identifier: MIT */
/* The picture of what differs between two maps, by hand: white, the ends, and nothing to show. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gate/map_difference.h"

static const uint8_t white[] = {255, 255, 255}, red[] = {103, 0, 31}, blue[] = {5, 48, 97};

static void assert_drawn(float *before, float *after, double scale, const uint8_t *const *expected)
{
    const struct tw_value a = {.type = TW_HEIGHTMAP, .width = 3, .height = 1, .data = before},
                          b = {.type = TW_HEIGHTMAP, .width = 3, .height = 1, .data = after};
    struct tw_value image;
    struct tw_error err = {0};
    assert_int_equal(tw_map_difference_draw(&a, &b, scale, &image, &err), TW_OK);
    assert_int_equal(image.type, TW_IMAGE);
    assert_int_equal(image.width, 3);
    assert_int_equal(image.height, 1);
    for (size_t i = 0; i < 3; i++)
        assert_memory_equal(tw_pixels(&image) + 3 * i, expected[i], 3);
    tw_field_clear(&image);
}

static void the_greatest_difference_is_darkest(void **state)
{
    static float before[] = {0, 0.5f, 1}, after[] = {2, 0.5f, -1};
    (void)state;
    assert_drawn(before, after, 2, (const uint8_t *const[]){red, white, blue});
    assert_drawn(before, after, 0.5, (const uint8_t *const[]){red, white, blue});
}

static void equal_maps_are_white(void **state)
{
    static float map[] = {0, 0.5f, -3};
    (void)state;
    assert_drawn(map, map, 0, (const uint8_t *const[]){white, white, white});
    assert_drawn(map, map, 1, (const uint8_t *const[]){white, white, white});
}

/* White to red by the square root of the share, so that a quarter is half way. */
static void small_differences_show(void **state)
{
    static float before[] = {0, 0, 0}, after[] = {0.25f, 1, 0};
    static const uint8_t half[] = {179, 128, 143};
    (void)state;
    assert_drawn(before, after, 1, (const uint8_t *const[]){half, red, white});
}

/* Longer than what is read at a time, and with several numbers a cell. */
static void colours_of_wide_maps_are_compared(void **state)
{
    enum { WIDTH = 700, HEIGHT = 2, AT = WIDTH + 601 };
    static uint8_t before[3 * WIDTH * HEIGHT], after[3 * WIDTH * HEIGHT];
    const struct tw_value a = {.type = TW_IMAGE, WIDTH, HEIGHT, before},
                          b = {.type = TW_IMAGE, WIDTH, HEIGHT, after};
    struct tw_value image;
    (void)state;
    after[3 * 255 + 2] = 3; /* its numbers lie in two stretches */
    after[3 * AT] = 60;
    after[3 * AT + 2] = 30;
    const struct tw_map_difference d = tw_map_difference_find(&a, &b);
    assert_int_equal(d.differing, 2);
    assert_true(d.greatest == 60 && d.x == AT - WIDTH && d.y == 1);
    assert_true(d.mean == 93.0 / (3 * WIDTH * HEIGHT));
    assert_int_equal(tw_map_difference_draw(&a, &b, 30, &image, NULL), TW_OK);
    assert_memory_equal(tw_pixels(&image) + 3 * AT, red, 3);
    assert_memory_equal(tw_pixels(&image) + 3 * (AT + 1), white, 3);
    assert_true(tw_pixels(&image)[3 * 255] < 255);
    tw_field_clear(&image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_greatest_difference_is_darkest),
                                       cmocka_unit_test(equal_maps_are_white),
                                       cmocka_unit_test(small_differences_show),
                                       cmocka_unit_test(colours_of_wide_maps_are_compared)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
