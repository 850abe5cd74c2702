/* SPDX-License-Identifier: MIT */
/* Values as pictures: what is black, white and grey, which label has which colour, and what a
 * smaller picture shows. */
#include "report/pictures/value_picture.h"

#include "support/harness.h"

#include <string.h>

static const struct tw_run_options plain = {.threads = 1};

static struct tw_value value_of(enum tw_type type, int32_t width, int32_t height, void *data)
{
    return (struct tw_value){type, width, height, data};
}

static void expect_pixels(const struct tw_value *value, const uint8_t *expected)
{
    struct tw_value image;
    assert_true(tw_value_is_drawable(value->type));
    assert_int_equal(tw_value_draw(value, &plain, &image, NULL), TW_OK);
    assert_int_equal(image.type, TW_IMAGE);
    assert_int_equal(image.width, value->width);
    assert_int_equal(image.height, value->height);
    assert_memory_equal(tw_pixels(&image), expected, 3 * tw_value_count(value));
    tw_field_clear(&image);
}

/* A half is rounded up; a mask of one share is black. */
static void masks_go_from_their_least_to_their_greatest(void **state)
{
    float cells[] = {0.25f, 0.75f, 0.5f, 0.375f, 0.6875f, 0.25f}, level[] = {0.5f, 0.5f};
    struct tw_value mask = value_of(TW_MASK, 3, 2, cells), flat = value_of(TW_MASK, 2, 1, level);
    static const uint8_t greys[] = {0,  0,  0,  255, 255, 255, 128, 128, 128,
                                    64, 64, 64, 223, 223, 223, 0,   0,   0};
    static const uint8_t black[6] = {0};
    (void)state;
    expect_pixels(&mask, greys);
    expect_pixels(&flat, black);
}

static void labels_have_colours_that_return_after_eleven(void **state)
{
    int32_t numbers[] = {0, 3, 9, 10, 11, 14};
    struct tw_value labels = value_of(TW_LABELS, 6, 1, numbers);
    static const uint8_t colours[] = {128, 128, 128, 200, 0,   0,   0,   0, 255,
                                      0,   0,   56,  128, 128, 128, 200, 0, 0};
    (void)state;
    expect_pixels(&labels, colours);
}

static void images_are_as_they_are(void **state)
{
    uint8_t pixels[] = {1, 2, 3, 250, 251, 252};
    struct tw_value image = value_of(TW_IMAGE, 2, 1, pixels);
    (void)state;
    expect_pixels(&image, pixels);
}

static void lists_are_not_drawn(void **state)
{
    (void)state;
    assert_false(tw_value_is_drawable(TW_POINTS));
    assert_false(tw_value_is_drawable(TW_RECORD));
    assert_true(tw_value_is_drawable(TW_HEIGHTMAP));
}

/* The same hill ten times as high, and above the clouds, is the same picture. */
static void reliefs_do_not_depend_on_what_heights_are(void **state)
{
    enum { SIDE = 32 };
    static float low[SIDE * SIDE], high[SIDE * SIDE];
    struct tw_value hill = value_of(TW_HEIGHTMAP, SIDE, SIDE, low), image;
    struct tw_value tower = value_of(TW_HEIGHTMAP, SIDE, SIDE, high);
    (void)state;
    for (int i = 0; i < SIDE * SIDE; i++) {
        int x = i % SIDE - SIDE / 2, y = i / SIDE - SIDE / 2;
        low[i] = (float)(x * x + y * y < 100 ? 100 - x * x - y * y : 0) / 128;
        high[i] = low[i] * 8 + 64;
    }
    assert_int_equal(tw_value_draw(&hill, &plain, &image, NULL), TW_OK);
    expect_pixels(&tower, tw_pixels(&image));
    tw_field_clear(&image);
}

static void smaller_pictures_are_means(void **state)
{
    float cells[] = {0, 1, 4, 8, 2, 3, 4, 8};
    struct tw_value map = value_of(TW_HEIGHTMAP, 4, 2, cells), reduced;
    (void)state;
    assert_int_equal(tw_value_reduce(&map, 2, &reduced, NULL), TW_OK);
    assert_int_equal(reduced.width, 2);
    assert_int_equal(reduced.height, 1);
    assert_true(tw_floats(&reduced)[0] == 1.5f && tw_floats(&reduced)[1] == 6);
    tw_field_clear(&reduced);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masks_go_from_their_least_to_their_greatest),
        cmocka_unit_test(labels_have_colours_that_return_after_eleven),
        cmocka_unit_test(images_are_as_they_are),
        cmocka_unit_test(lists_are_not_drawn),
        cmocka_unit_test(reliefs_do_not_depend_on_what_heights_are),
        cmocka_unit_test(smaller_pictures_are_means),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
