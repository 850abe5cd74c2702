/* SPDX-License-Identifier: MIT */
#include "support/island.h"

/* Flags of all cells around a corner, combined: any and all. */
static void around(const struct tw_polymap *m, int32_t corner, bool *ocean, bool *land, bool *lake)
{
    *ocean = *land = *lake = false;
    for (int32_t i = 0; i < m->cells; i++)
        for (int32_t side = m->cell_start[i]; side < m->cell_start[i + 1]; side++)
            if (m->side_corner[side] == corner) {
                *ocean = *ocean || (m->cell_flags[i] & TW_OCEAN);
                *land = *land || !(m->cell_flags[i] & TW_WATER);
                *lake = *lake || is_lake_cell(m, i);
            }
}

static void check_cells(const struct tw_polymap *m)
{
    for (int32_t i = 0; i < m->cells; i++) {
        int32_t wet = 0;
        for (int32_t side = m->cell_start[i]; side < m->cell_start[i + 1]; side++)
            wet += (m->corner_flags[m->side_corner[side]] & TW_WATER) != 0;
        bool border = m->cell_flags[i] & TW_BORDER, water = m->cell_flags[i] & TW_WATER;
        assert_int_equal(water, border || 10 * wet >= 3 * cell_corners(m, i));
        assert_true(!border || m->cell_flags[i] & TW_OCEAN);
        assert_true(water || !(m->cell_flags[i] & TW_OCEAN));
    }
    for (int32_t e = 0; e < m->edges; e++)
        if (m->edge[e].d1 >= 0) {
            bool one = m->cell_flags[m->edge[e].d0] & TW_OCEAN;
            bool two = m->cell_flags[m->edge[e].d1] & TW_OCEAN;
            assert_false(one && is_lake_cell(m, m->edge[e].d1));
            assert_false(two && is_lake_cell(m, m->edge[e].d0));
        }
}

static void water_rules_on_200_maps(void **state)
{
    int32_t lakes = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct tw_polymap m;
        struct tw_result *result = island_run(seed, 's', NULL, &m);
        check_cells(&m);
        for (int32_t c = 0; c < m.corners; c += 7) {
            bool ocean, land, lake;
            uint32_t flags = m.corner_flags[c];
            around(&m, c, &ocean, &land, &lake);
            assert_false(ocean && lake);
            assert_int_equal((flags & TW_OCEAN) != 0, ocean && !land);
            assert_int_equal((flags & TW_COAST) != 0, ocean && land);
            assert_int_equal((flags & TW_SHORE) != 0, lake);
            lakes += lake;
        }
        tw_result_release(result);
    }
    assert_true(lakes > 100);
}

static void far_offsets_leave_no_land(void **state)
{
    (void)state;
    struct tw_error error =
        harness_fail(&(struct harness){.nodes = "p: {type: island.polygons, cells: 50}\n"
                                                "s: {type: island.shape, in: p, offset: 50}\n"});
    assert_non_null(strstr(error.message, "no polygon is land"));
}

static void the_whole_map_but_its_border_can_be_land(void **state)
{
    struct tw_polymap m;
    (void)state;
    struct tw_result *result =
        harness_run(&(struct harness){.nodes = "p: {type: island.polygons, cells: 400}\n"
                                               "s: {type: island.shape, in: p, offset: -50}\n"});
    assert_true(tw_polymap_view(tw_result_output(result, "s"), &m));
    for (int32_t i = 0; i < m.cells; i++)
        assert_int_equal((m.cell_flags[i] & TW_WATER) != 0, (m.cell_flags[i] & TW_BORDER) != 0);
    tw_result_release(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(water_rules_on_200_maps),
        cmocka_unit_test(far_offsets_leave_no_land),
        cmocka_unit_test(the_whole_map_but_its_border_can_be_land),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
