/* SPDX-License-Identifier: MIT */
#include "support/brush.h"

static void a_brush_lowers_and_ends(void **state)
{
    static const struct brush brushes[] = {
        {0.5, 0.5, 0.1, 0.25}, {0.4, 0.5, 0.3, 0.4}, {0, 1, 0.7, 0.1}, {0.5, 0.5, 2, 10}};
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        const struct brush brush = brushes[seed % 4];
        struct tw_polymap m, low;
        char more[200];
        if (seed % 4 == 0)
            strcpy(more, "l: {type: island.edit_lower, in: m, at: [{x: 0.5, y: 0.5}]}\n");
        else
            snprintf(more, sizeof more,
                     "l: {type: island.edit_lower, in: m, at: [[%g, %g, %g, %g]]}\n", brush.x,
                     brush.y, brush.radius, brush.by);
        struct tw_result *result = island_run(seed, 'm', more, &m);
        brush_view(result, "l", &low);
        brush_check_elevation(&m, &low, brush, -1);
        tw_result_release(result);
    }
}

/* Where neither map has a lake, lowering is raising with the opposite sign. */
static void is_the_opposite_of_raising(void **state)
{
    struct tw_polymap e, up, low;
    int32_t moved = 0;
    (void)state;
    struct tw_result *result =
        island_run(11, 'e',
                   "u: {type: island.edit_raise, in: e, at: [[0.5, 0.5, 0.4, 0.3]]}\n"
                   "l: {type: island.edit_lower, in: e, at: [[0.5, 0.5, 0.4, 0.3]]}\n",
                   &e);
    brush_view(result, "u", &up);
    brush_view(result, "l", &low);
    for (int32_t c = 0; c < e.corners; c++) {
        float rise = up.corner_elevation[c] - e.corner_elevation[c];
        float fall = e.corner_elevation[c] - low.corner_elevation[c];
        if ((up.corner_flags[c] | low.corner_flags[c]) & TW_SHORE)
            continue;
        assert_true(fabsf(rise - fall) < 1e-6f);
        moved += fall > 0.01f;
    }
    assert_true(moved > 20);
    tw_result_release(result);
}

/* A wide brush lets the sea in; no brush, and one of 0, leave every height and all land. */
static void the_sea_comes_in(void **state)
{
    struct tw_polymap e, low, none, zero;
    (void)state;
    struct tw_result *result =
        island_run(4, 'e',
                   "l: {type: island.edit_lower, in: e, at: [[0.5, 0.5, 1, 3]]}\n"
                   "none: {type: island.edit_lower, in: e}\n"
                   "zero: {type: island.edit_lower, in: e, at: [[0.5, 0.5, 1, 0]]}\n",
                   &e);
    const size_t corners = (size_t)e.corners * sizeof(float);
    brush_view(result, "l", &low);
    brush_view(result, "none", &none);
    brush_view(result, "zero", &zero);
    assert_true(brush_land(&low) < brush_land(&e));
    assert_memory_equal(none.corner_elevation, e.corner_elevation, corners);
    assert_memory_equal(zero.corner_elevation, e.corner_elevation, corners);
    assert_memory_equal(zero.corner_temperature, e.corner_temperature, corners);
    assert_memory_equal(zero.cell_flags, e.cell_flags, (size_t)e.cells * sizeof *e.cell_flags);
    tw_result_release(result);
}

/* Land below 0 stays land where no ocean borders it. Sunken lakes lower their shores, too. */
static void the_sea_takes_all_land_below_0_that_it_reaches(void **state)
{
    int32_t dry = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed += 3) {
        struct tw_polymap e, low;
        struct tw_result *result = island_run(
            seed, 'e', "l: {type: island.edit_lower, in: e, at: [[0.5, 0.5, 0.2, 1.5]]}\n", &e);
        brush_view(result, "l", &low);
        for (int32_t i = 0; i < e.cells; i++)
            dry += !(low.cell_flags[i] & TW_WATER) && low.cell_elevation[i] < 0;
        for (int32_t i = 0; i < e.edges; i++) {
            const int32_t a = e.edge[i].d0, b = e.edge[i].d1;
            if (b < 0 || (low.cell_flags[a] & TW_OCEAN) == (low.cell_flags[b] & TW_OCEAN))
                continue;
            const int32_t land = low.cell_flags[a] & TW_OCEAN ? b : a;
            assert_true(low.cell_elevation[land] >= 0);
        }
        tw_result_release(result);
    }
    assert_true(dry > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_brush_lowers_and_ends),
        cmocka_unit_test(is_the_opposite_of_raising),
        cmocka_unit_test(the_sea_comes_in),
        cmocka_unit_test(the_sea_takes_all_land_below_0_that_it_reaches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
