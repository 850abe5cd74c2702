/* SPDX-License-Identifier: MIT */
#include "common/biome.h"
#include "common/plants.h"
#include "support/golden.h"
#include "support/harness.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 40, HEIGHT = 24 };

static int32_t labels[WIDTH * HEIGHT];
static float cells[WIDTH * HEIGHT];
static const struct tw_value biome = {TW_LABELS, WIDTH, HEIGHT, labels};
static const struct tw_value height = {TW_HEIGHTMAP, WIDTH, HEIGHT, cells};
static struct tw_placement plant = {0.5f, 0.5f, 0.3f, 0, TW_CONIFER};
static const struct tw_value plants = {TW_PLACEMENTS, 1, 1, &plant};

static struct harness harness_of(const char *more)
{
    static char nodes[300];
    snprintf(nodes, sizeof nodes,
             "b: {type: test.labels}\nh: {type: test.map, slot: 1}\n"
             "p: {type: test.placements, slot: 2}\n%s",
             more);
    harness_give(0, &biome);
    harness_give(1, &height);
    harness_give(2, &plants);
    return (struct harness){.width = WIDTH, .height = HEIGHT, .threads = 2, .nodes = nodes};
}

static struct tw_result *picture(const char *more)
{
    const struct harness harness = harness_of(more);
    return harness_run(&harness);
}

static void every_biome_has_its_colour(void **state)
{
    (void)state;
    for (int32_t i = 0; i < WIDTH * HEIGHT; i++)
        labels[i] = i % TW_BIOME_COUNT;
    struct tw_result *result = picture("o: {type: render.biomes, biome: b}\n");
    for (int32_t i = 0; i < WIDTH * HEIGHT; i++)
        assert_memory_equal(tw_pixels(tw_result_output(result, "o")) + 3 * i,
                            tw_biomes[i % TW_BIOME_COUNT].colour, 3);
    tw_result_release(result);
}

/* A ridge from north to south, of grass: its west side is lit, its east side dark; the sea is as
 * it is without relief. */
static void relief_lights_the_west(void **state)
{
    (void)state;
    for (int32_t i = 0; i < WIDTH * HEIGHT; i++) {
        int32_t x = i % WIDTH;
        labels[i] = i / WIDTH < 12 ? TW_GRASSLAND : TW_OCEAN_BIOME;
        cells[i] = 0.01f * (float)(x < 20 ? x : 40 - x);
    }
    struct tw_result *result = picture("o: {type: render.biomes, biome: b, height: h}\n");
    const uint8_t *pixels = tw_pixels(tw_result_output(result, "o"));
    uint8_t plain = tw_biomes[TW_GRASSLAND].colour[1];
    assert_true(pixels[3 * (5 * WIDTH + 10) + 1] > plain);
    assert_true(pixels[3 * (5 * WIDTH + 30) + 1] < plain);
    assert_memory_equal(pixels + 3 * (20 * WIDTH + 10), tw_biomes[TW_OCEAN_BIOME].colour, 3);
    tw_result_release(result);
}

static void plants_are_dots(void **state)
{
    (void)state;
    for (int32_t i = 0; i < WIDTH * HEIGHT; i++)
        labels[i] = TW_SNOW;
    struct tw_result *result = picture("o: {type: render.biomes, biome: b, plants: p}\n");
    const uint8_t *pixels = tw_pixels(tw_result_output(result, "o"));
    for (int32_t y = 0; y < HEIGHT; y++)
        for (int32_t x = 0; x < WIDTH; x++) {
            double dx = x + 0.5 - 20, dy = y + 0.5 - 12, away = dx * dx + dy * dy;
            if (away < 5 * 5)
                assert_memory_equal(pixels + 3 * (y * WIDTH + x), tw_plants[TW_CONIFER].colour, 3);
            if (away > 7 * 7)
                assert_memory_equal(pixels + 3 * (y * WIDTH + x), tw_biomes[TW_SNOW].colour, 3);
        }
    tw_result_release(result);
}

static void labels_that_are_no_biomes_are_refused(void **state)
{
    static const int32_t wrong[] = {-1, TW_BIOME_COUNT};
    static const size_t places[] = {0, WIDTH * HEIGHT - 1};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        memset(labels, 0, sizeof labels);
        labels[places[i / 2]] = wrong[i % 2];
        const struct harness harness = harness_of("o: {type: render.biomes, biome: b}\n");
        struct tw_error error = harness_fail(&harness);
        assert_non_null(strstr(error.message, " is not a biome; expected 0 to "));
    }
}

/* Few maps hold every biome and plant: tests/golden/biomes.txt has the numbers of all. */
static void tables_change_on_purpose_only(void **state)
{
    struct golden golden;
    char line[200];
    (void)state;
    golden_begin(&golden, TW_GOLDEN "/biomes.txt");
    for (int i = 0; i < TW_BIOME_COUNT; i++) {
        const struct tw_biome_row *b = &tw_biomes[i];
        snprintf(line, sizeof line, "biome %d %s %.9g %.9g #%02x%02x%02x\n", i, b->name,
                 (double)b->amplitude, (double)b->roughness, b->colour[0], b->colour[1],
                 b->colour[2]);
        golden_line(&golden, line);
    }
    for (int i = 0; i < TW_PLANT_COUNT; i++) {
        const struct tw_plant_row *p = &tw_plants[i];
        snprintf(line, sizeof line, "plant %d %s %.9g #%02x%02x%02x\n", i, p->name, (double)p->size,
                 p->colour[0], p->colour[1], p->colour[2]);
        golden_line(&golden, line);
    }
    golden_end(&golden);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_biome_has_its_colour),
        cmocka_unit_test(relief_lights_the_west),
        cmocka_unit_test(plants_are_dots),
        cmocka_unit_test(labels_that_are_no_biomes_are_refused),
        cmocka_unit_test(tables_change_on_purpose_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
