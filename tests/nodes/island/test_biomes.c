/* SPDX-License-Identifier: MIT */
#include "support/island.h"

#include "island/kernels/climate.h"

/* The table of the specification, written as code. */
static int32_t by_climate(float t, float m)
{
    if (t < 0.2f)
        return m > 0.5f ? TW_SNOW : m > 0.33f ? TW_TUNDRA : m > 0.16f ? TW_BARE : TW_SCORCHED;
    if (t < 0.4f)
        return m > 0.66f ? TW_TAIGA : m > 0.33f ? TW_SHRUBLAND : TW_TEMPERATE_DESERT;
    if (t < 0.7f)
        return m > 0.83f   ? TW_TEMPERATE_RAIN_FOREST
               : m > 0.5f  ? TW_DECIDUOUS_FOREST
               : m > 0.16f ? TW_GRASSLAND
                           : TW_TEMPERATE_DESERT;
    return m > 0.66f   ? TW_TROPICAL_RAIN_FOREST
           : m > 0.33f ? TW_TROPICAL_SEASONAL_FOREST
           : m > 0.16f ? TW_GRASSLAND
                       : TW_SUBTROPICAL_DESERT;
}

static bool touches_coast(const struct tw_polymap *m, int32_t cell)
{
    bool coast = false;
    for (int32_t side = m->cell_start[cell]; side < m->cell_start[cell + 1]; side++)
        coast = coast || (m->corner_flags[m->side_corner[side]] & TW_COAST);
    return coast;
}

static void table_on_200_maps(void **state)
{
    int32_t seen[TW_BIOME_COUNT] = {0};
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct tw_polymap m;
        struct tw_result *result = island_run(seed, 'b', NULL, &m);
        for (int32_t i = 0; i < m.cells; i++) {
            int32_t expected = m.cell_flags[i] & TW_OCEAN   ? TW_OCEAN_BIOME
                               : m.cell_flags[i] & TW_WATER ? TW_LAKE
                               : touches_coast(&m, i)
                                   ? TW_BEACH
                                   : by_climate(m.cell_temperature[i], m.cell_moisture[i]);
            assert_int_equal(m.cell_biome[i], expected);
            seen[expected]++;
        }
        tw_result_release(result);
    }
    int32_t kinds = 0;
    for (int32_t biome = 0; biome < TW_BIOME_COUNT; biome++)
        kinds += seen[biome] > 0;
    assert_true(kinds >= 10);
}

static void climates_at_their_bounds(void **state)
{
    (void)state;
    for (int t = 0; t <= 100; t++)
        for (int m = 0; m <= 100; m++) {
            float temperature = (float)t * 0.01f, moisture = (float)m * 0.01f;
            assert_int_equal((int32_t)tw_biome_of_climate(temperature, moisture),
                             by_climate(temperature, moisture));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(table_on_200_maps),
                                       cmocka_unit_test(climates_at_their_bounds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
