/* SPDX-License-Identifier: MIT */
/* The numbers that engines get: levels at the sea, metres a level, sizes. */
#include "support/harness.h"

#include "format/preset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double level_of(const struct tw_range *range, double height)
{
    return (height - range->low) / (range->high - range->low) * 65535;
}

/* As a row of float heights is written, so 0 and 1 are not outside by a rounding. */
static void expect_inside(const struct tw_range *range)
{
    float ends[2] = {0, 1};
    unsigned char row[4];
    const struct tw_value value = {TW_HEIGHTMAP, 2, 1, ends};
    const struct tw_export_range levels = {range->low, range->high, false, 16};
    assert_true(tw_codec_quantise(&value, 0, &levels, row));
}

static void unreal_has_level_32768_at_the_sea(void **state)
{
    static const double seas[] = {0, 0.1, 0.2, 1.0 / 3, 0.5, 0.7, 0.999, 1};
    const struct tw_preset *unreal = tw_preset_find("unreal");
    (void)state;
    for (size_t i = 0; i < sizeof seas / sizeof *seas; i++) {
        const struct tw_world world = {.side_m = 1009, .height_m = 600, .sea_level = seas[i]};
        struct tw_range range = unreal->range(&world);
        assert_true(fabs(level_of(&range, seas[i]) - 32768) < 1e-6);
        expect_inside(&range);
    }
}

static const char *find(const struct tw_advice *advice, const char *name)
{
    for (int i = 0; i < advice->count; i++)
        if (strcmp(advice->at[i].name, name) == 0)
            return advice->at[i].text;
    fail_msg("no advice on %s", name);
    return NULL;
}

static struct tw_advice advise(const char *name, const char *ending, struct tw_world world,
                               int32_t side, const struct tw_range *range)
{
    const struct tw_preset *preset = tw_preset_find(name);
    const struct tw_value value = {TW_HEIGHTMAP, side, side, NULL};
    const struct tw_value *values[] = {&value};
    struct tw_encoding encoding = {.values = values, .count = 1, .world = &world};
    struct tw_advice advice = {.count = 0};
    encoding.range = range           ? *range
                     : preset->range ? preset->range(&world)
                                     : (struct tw_range){.high = 1};
    preset->advise(tw_format_find(ending, TW_HEIGHTMAP, false), &encoding, &advice);
    return advice;
}

/* At a Z scale of 100 Unreal's 65536 levels are 512 m: its manual's range in metres x 100 x
 * 0.001953125 with 512 m gives 100. */
static void unreal_scales_are_its_manuals(void **state)
{
    const struct tw_world world = {.side_m = 1009, .height_m = 512, .sea_level = 0.5};
    const struct tw_range all = {.low = 0, .high = 65535.0 / 65536};
    struct tw_advice advice = advise("unreal", ".png", world, 1009, &all);
    (void)state;
    assert_true(fabs(strtod(find(&advice, "Scale Z"), NULL) - 512 * 100 * 0.001953125) < 1e-6);
    assert_string_equal(find(&advice, "Scale X"), "100");
    assert_string_equal(find(&advice, "Location Z"), "0");
    const struct tw_world high = {.side_m = 2018, .height_m = 3000, .sea_level = 0.25};
    advice = advise("unreal", ".r16", high, 1009, NULL);
    /* 0.75 above the sea over 32767 levels, each Z scale / 12800 metres */
    double scale = strtod(find(&advice, "Scale Z"), NULL);
    assert_true(fabs(scale / 12800 * 32767 - 0.75 * 3000) < 1e-4);
    assert_string_equal(find(&advice, "Scale Y"), "200");
}

static void other_engines_get_metres(void **state)
{
    const struct tw_world world = {.side_m = 2052, .height_m = 600, .sea_level = 0.25};
    struct tw_advice advice = advise("unity", ".raw", world, 513, NULL);
    (void)state;
    assert_string_equal(find(&advice, "Terrain Width, Length"), "2048, 2048");
    assert_string_equal(find(&advice, "Terrain Height"), "600");
    assert_string_equal(find(&advice, "Position Y"), "-150");
    advice = advise("godot", ".r16", world, 513, NULL);
    assert_string_equal(find(&advice, "Vertex Spacing"), "4");
    assert_string_equal(find(&advice, "R16 Range"), "0, 600");
    assert_string_equal(find(&advice, "R16 Size"), "513, 513");
    advice = advise("simcity4", ".bmp", world, 513, NULL);
    assert_string_equal(find(&advice, "config.bmp"), "8 x 8");
    advice = advise("worldpainter", ".png", world, 513, NULL);
    assert_string_equal(find(&advice, "Scale in %"), "400");
    assert_string_equal(find(&advice, "Water level"), "150");
}

/* Of 256 levels, 84 is the first on land. */
static void simcity4_has_its_sea_at_level_84(void **state)
{
    const struct tw_preset *simcity4 = tw_preset_find("simcity4");
    (void)state;
    for (int i = 0; i < 20; i++) {
        const double sea = 0.05 * i;
        const struct tw_world world = {.sea_level = sea};
        struct tw_range range = simcity4->range(&world);
        assert_true(fabs((sea - range.low) / (range.high - range.low) * 255 - 84) < 1e-9);
        expect_inside(&range);
    }
}

static void expect_sides(const char *name, int32_t side, bool fits, int32_t below, int32_t above)
{
    int32_t found_below, found_above;
    assert_int_equal(tw_preset_fits(tw_preset_find(name), side, &found_below, &found_above), fits);
    if (fits)
        return;
    assert_int_equal(found_below, below);
    assert_int_equal(found_above, above);
}

static void nearest_sides_are_found(void **state)
{
    (void)state;
    expect_sides("unreal", 1009, true, 0, 0);
    expect_sides("unreal", 1024, false, 1009, 2017);
    expect_sides("unreal", 64, false, 0, 127);
    expect_sides("unreal", 9000, false, 8129, 0);
    expect_sides("unity", 512, false, 257, 513);
    expect_sides("simcity4", 1025, true, 0, 0);
    expect_sides("simcity4", 1, false, 0, 65);
    expect_sides("simcity4", 512, false, 449, 513);
    expect_sides("godot", 777, true, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(unreal_has_level_32768_at_the_sea),
                                       cmocka_unit_test(unreal_scales_are_its_manuals),
                                       cmocka_unit_test(other_engines_get_metres),
                                       cmocka_unit_test(simcity4_has_its_sea_at_level_84),
                                       cmocka_unit_test(nearest_sides_are_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
