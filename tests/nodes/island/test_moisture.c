/* SPDX-License-Identifier: MIT */
#include "support/island.h"

/* On land, moisture is the greater of the own source and 0.8 times the moistest neighbour's. */
static void check_moisture(const struct tw_polymap *m)
{
    float largest = 0;
    for (int32_t c = 0; c < m->corners; c++)
        largest = m->corner_river[c] > largest ? m->corner_river[c] : largest;
    for (int32_t c = 0; c < m->corners; c++) {
        float expected = largest > 0 ? m->corner_river[c] / largest : 0;
        for (int32_t s = m->corner_start[c]; s < m->corner_start[c + 1]; s++) {
            float other = m->corner_moisture[tw_polymap_far_end(&m->edge[m->spoke[s]], c)];
            expected = 0.8f * other > expected ? 0.8f * other : expected;
        }
        expected = m->corner_flags[c] & TW_OCEAN ? 0 : expected;
        assert_true(m->corner_moisture[c] == expected);
    }
}

static void invariants_on_200_maps(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct tw_polymap m;
        struct tw_result *result = island_run(seed, 'm', NULL, &m);
        check_moisture(&m);
        check_means(&m, m.corner_moisture, m.cell_moisture);
        tw_result_release(result);
    }
}

static void no_river_no_moisture(void **state)
{
    struct tw_polymap m;
    (void)state;
    struct tw_result *result = island_run(3, 'e',
                                          "r: {type: island.rivers, in: e, count: 0}\n"
                                          "m: {type: island.moisture, in: r}\n",
                                          NULL);
    assert_non_null(strstr(harness_warning(), "no river"));
    assert_true(tw_polymap_view(tw_result_output(result, "m"), &m));
    for (int32_t c = 0; c < m.corners; c++)
        assert_true(m.corner_moisture[c] == 0);
    tw_result_release(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(invariants_on_200_maps),
                                       cmocka_unit_test(no_river_no_moisture)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
