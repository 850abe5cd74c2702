/* SPDX-License-Identifier: MIT */
/* The moods are rows of numbers that we chose: what holds of any, and that none changes unnoticed.
 */
#include "support/golden.h"
#include "support/little_endian.h"

#include "base/memory/digest.h"
#include "render/kernels/moods.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static bool is_grey(struct tw_rgb colour) { return colour.r == colour.g && colour.g == colour.b; }

/* Nothing grows there; its water is a dark plain. */
static void the_moon_has_no_colour(void **state)
{
    struct tw_palette moon = tw_mood_palette(TW_MOON);
    (void)state;
    for (int tint = 0; tint < TW_TINT_WATER; tint++)
        assert_true(is_grey(moon.at[tint]));
}

static float light_of(struct tw_rgb colour) { return colour.r + colour.g + colour.b; }

static void snow_is_bright_and_forest_dark(void **state)
{
    (void)state;
    for (int mood = 0; mood < TW_MOODS; mood++) {
        struct tw_palette palette = tw_mood_palette((enum tw_mood)mood);
        float snow = light_of(palette.at[TW_TINT_SNOW]);
        for (int tint = 0; tint < TW_TINTS; tint++)
            assert_true(light_of(palette.at[tint]) <= snow);
        assert_true(light_of(palette.at[TW_TINT_FOREST]) <= light_of(palette.at[TW_TINT_MEADOW]));
        assert_true(light_of(palette.at[TW_TINT_WATER]) < light_of(palette.at[TW_TINT_BED]));
    }
}

static struct tw_digest digest_of(enum tw_mood mood)
{
    const struct tw_mood_light *light = tw_mood_light(mood);
    const struct tw_palette palette = tw_mood_palette(mood);
    float numbers[6] = {light->sky,    light->exposure, light->haze,
                        light->bounce, light->bump,     light->water_depth};
    float tints[sizeof palette / sizeof(float)];
    struct tw_digest_state state;
    memcpy(tints, &palette, sizeof tints);
    to_little_endian(numbers, 6, sizeof *numbers);
    to_little_endian(tints, sizeof tints / sizeof *tints, sizeof *tints);
    tw_digest_begin(&state);
    tw_digest_add(&state, numbers, sizeof numbers);
    tw_digest_add(&state, tints, sizeof tints);
    tw_digest_add(&state, light->mean, sizeof light->mean);
    tw_digest_add(&state, light->backdrop_low, sizeof light->backdrop_low);
    tw_digest_add(&state, light->backdrop_high, sizeof light->backdrop_high);
    tw_digest_add(&state, light->haze_colour, sizeof light->haze_colour);
    tw_digest_add(&state, light->stratum, sizeof light->stratum);
    tw_digest_add(&state, light->soil, sizeof light->soil);
    return tw_digest_end(&state);
}

static void numbers_change_on_purpose_only(void **state)
{
    static const char *const names[] = {"alpine",   "temperate", "desert",
                                        "volcanic", "moon",      "island"};
    struct golden golden;
    (void)state;
    golden_begin(&golden, TW_GOLDEN "/moods.txt");
    for (int mood = 0; mood < TW_MOODS; mood++) {
        struct tw_digest digest = digest_of((enum tw_mood)mood);
        char hex[2 * sizeof digest.at + 1], line[64];
        tw_hex(digest.at, sizeof digest.at, hex);
        snprintf(line, sizeof line, "%s %s\n", names[mood], hex);
        golden_line(&golden, line);
    }
    golden_end(&golden);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_moon_has_no_colour),
                                       cmocka_unit_test(snow_is_bright_and_forest_dark),
                                       cmocka_unit_test(numbers_change_on_purpose_only)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
