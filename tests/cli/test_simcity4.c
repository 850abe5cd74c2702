/* SPDX-License-Identifier: MIT */
/* What docs/simcity4.md promises of a region: sides of 64 km + 1, a grey .bmp of 8 bits with the
 * sea below level 84, and the same as .png. The .bmp is read here byte by byte, as a game does. */
#include "support/command.h"
#include "support/harness.h"
#include "support/picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIDE_MAX = 257, ROW_MAX = (SIDE_MAX + 3) / 4 * 4, HEADERS = 54 + 4 * 256 };

static struct command_result result;
static unsigned char bitmap[HEADERS + ROW_MAX * SIDE_MAX];

static uint32_t number(size_t at, size_t bytes)
{
    uint32_t n = 0;
    while (bytes-- > 0)
        n = n << 8 | bitmap[at + bytes];
    return n;
}

/* Row 0 is north. */
static int level(uint32_t side, uint32_t x, uint32_t y)
{
    return bitmap[number(10, 4) + (size_t)(side - 1 - y) * ((side + 3) / 4 * 4) + x];
}

static void read_region(const char *path, uint32_t side)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = fread(bitmap, 1, sizeof bitmap, file);
    fclose(file);
    assert_true(length >= HEADERS);
    assert_memory_equal(bitmap, "BM", 2);
    assert_int_equal(number(2, 4), length);
    assert_int_equal(number(18, 4), side);
    assert_int_equal(number(22, 4), side); /* positive: rows from the south */
    assert_int_equal(number(28, 2), 8);
    assert_int_equal(number(30, 4), 0); /* not packed */
    for (uint32_t i = 0; i < 256; i++)
        assert_int_equal(number(54 + 4 * i, 3), i * 0x010101u);
}

static void run(const char *arguments)
{
    command_run(arguments, &result);
    if (result.code != 0)
        fail_msg("thalweg %s: exit code %d\n%s", arguments, result.code, result.err);
}

/* The .png holds the same levels. */
static void expect_same_picture(const char *path, uint32_t side)
{
    struct tw_value png;
    assert_true(picture_read(path, &png));
    assert_int_equal(png.type, TW_HEIGHTMAP);
    assert_int_equal(png.width, side);
    for (uint32_t i = 0; i < side * side; i++)
        assert_int_equal((int)(tw_floats(&png)[i] * 255 + 0.5f), level(side, i % side, i / side));
    tw_field_clear(&png);
}

static void the_recipe_makes_a_region(void **state)
{
    int sea = 0, land = 0;
    (void)state;
    run("run " TW_GRAPHS
        "/coats/simcity.yaml -q -o out --size 257 -s roughness=0.2 -s drops=125000");
    read_region("out/region.bmp", 257);
    expect_same_picture("out/region.png", 257);
    for (uint32_t i = 0; i < 257 * 257; i++)
        level(257, i % 257, i / 257) < 84 ? sea++ : land++;
    assert_true(sea > 1000 && land > 1000);
}

/* Height 0 is the sea's: level 84 and above from there on, and the formula of the page's range. */
static void levels_are_those_of_the_page(void **state)
{
    static const char recipe[] =
        "thalweg: 1\nsize: 65\nnodes:\n  n: {type: noise.midpoint}\n"
        "  a: {type: shape.remap, in: n, to: [-0.45, 0.9]}\noutputs: {height: a}\n"
        "export:\n  sea.bmp: {from: height, range: [-0.4912, 1], clip: true}\n"
        "  fit.bmp: {from: height, range: fit}\n  fit.png: {from: height, range: fit, bits: 8}\n"
        "  height.npy: height\n";
    static float heights[65 * 65];
    unsigned char head[10];
    (void)state;
    command_write("region.yaml", recipe, sizeof recipe - 1);
    run("run region.yaml -q -o own");
    FILE *file = fopen("own/height.npy", "rb");
    assert_non_null(file);
    assert_int_equal(fread(head, 1, 10, file), 10);
    assert_int_equal(fseek(file, 10 + head[8] + 256 * head[9], SEEK_SET), 0);
    assert_int_equal(fread(heights, sizeof *heights, 65 * 65, file), 65 * 65);
    fclose(file);
    float low = heights[0], high = heights[0];
    read_region("own/sea.bmp", 65);
    for (uint32_t i = 0; i < 65 * 65; i++) {
        double h = (double)heights[i];
        int got = level(65, i % 65, i / 65);
        assert_int_equal(got, floor(255 * (h + 0.4912) / 1.4912 + 0.5));
        assert_true(h < 0 ? got <= 84 : got >= 84);
        assert_true(h > -0.003 || got < 84);
        low = fminf(low, heights[i]);
        high = fmaxf(high, heights[i]);
    }
    read_region("own/fit.bmp", 65);
    for (uint32_t i = 0; i < 65 * 65; i++)
        assert_int_equal(
            level(65, i % 65, i / 65),
            floor(255 * ((double)heights[i] - (double)low) / ((double)high - (double)low) + 0.5));
    expect_same_picture("own/fit.png", 65);
}

static int prepare(void **state)
{
    (void)state;
    command_enter();
    return 0;
}

static int clean(void **state)
{
    (void)state;
    command_leave();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_recipe_makes_a_region),
        cmocka_unit_test(levels_are_those_of_the_page),
    };
    return cmocka_run_group_tests(tests, prepare, clean);
}
