/* SPDX-License-Identifier: MIT */
/* All four brushes: what they add, where they end, and that the map stays sound. */
#include "support/island.h"

static double brush(struct tw_polymap_place at, double x, double y, double radius, double by)
{
    double dx = ((double)at.x + 1) / 2 - x, dy = ((double)at.y + 1) / 2 - y;
    double share = 1 - (dx * dx + dy * dy) / (radius * radius);
    return share > 0 ? by * share * share : 0;
}

static double clamp(double v) { return v < 0 ? 0 : v > 1 ? 1 : v; }

static void brushes_add_and_end(void **state)
{
    struct tw_polymap e, up, warm, wet, moist;
    (void)state;
    struct tw_result *result = island_run(
        11, 'm',
        "up: {type: island.edit_raise, in: e, at: [{x: 0.5, y: 0.5, radius: 0.2, by: 0.4}]}\n"
        "warm: {type: island.edit_warm, in: m, at: [[0.4, 0.5, 0.3, 0.5]]}\n"
        "wet: {type: island.edit_wet, in: m, at: [[0.4, 0.5, 0.3, 0.5]]}\n",
        &moist);
    assert_true(tw_polymap_view(tw_result_output(result, "e"), &e));
    assert_true(tw_polymap_view(tw_result_output(result, "up"), &up));
    assert_true(tw_polymap_view(tw_result_output(result, "warm"), &warm));
    assert_true(tw_polymap_view(tw_result_output(result, "wet"), &wet));
    for (int32_t c = 0; c < e.corners; c++) {
        double added = brush(e.corner_at[c], 0.5, 0.5, 0.2, 0.4);
        double other = brush(e.corner_at[c], 0.4, 0.5, 0.3, 0.5);
        if (!(up.corner_flags[c] & TW_SHORE))
            assert_true(fabs((double)up.corner_elevation[c] - (double)e.corner_elevation[c] -
                             added) < 1e-5);
        assert_true(fabs((double)warm.corner_temperature[c] -
                         clamp((double)moist.corner_temperature[c] + other)) < 1e-5);
        assert_true(fabs((double)wet.corner_moisture[c] -
                         clamp((double)moist.corner_moisture[c] + other)) < 1e-5);
    }
    check_means(&up, up.corner_elevation, up.cell_elevation);
    check_means(&up, up.corner_temperature, up.cell_temperature);
    check_means(&wet, wet.corner_moisture, wet.cell_moisture);
    check_means(&warm, warm.corner_temperature, warm.cell_temperature);
    tw_result_release(result);
}

/* Ranks of an edited map lead from every land corner to the coast, so rivers arrive. */
static void check_rivers(const struct tw_polymap *m)
{
    for (int32_t c = 0; c < m->corners; c++) {
        int32_t at = c, steps = 0;
        while (!(m->corner_flags[at] & (TW_OCEAN | TW_COAST))) {
            int32_t best = at;
            for (int32_t s = m->corner_start[at]; s < m->corner_start[at + 1]; s++) {
                int32_t o = tw_polymap_far_end(&m->edge[m->spoke[s]], at);
                if (m->corner_rank[o] >= 0 && m->corner_rank[o] < m->corner_rank[best])
                    best = o;
            }
            assert_true(best != at && ++steps < m->corners);
            at = best;
        }
    }
}

static void edited_maps_stay_sound(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct tw_polymap m;
        struct tw_result *result =
            island_run(seed, 'e',
                       "u: {type: island.edit_raise, in: e, at: [[0.2, 0.2, 0.3, 1.5]]}\n"
                       "l: {type: island.edit_lower, in: u, at: [[0.5, 0.5, 0.2, 0.7], "
                       "[0.9, 0.6, 0.5, 0.6]]}\n"
                       "r: {type: island.rivers, in: l}\n",
                       NULL);
        assert_true(tw_polymap_view(tw_result_output(result, "r"), &m));
        check_rivers(&m);
        for (int32_t i = 0; i < m.cells; i++) {
            bool ocean = m.cell_flags[i] & TW_OCEAN;
            assert_true(!(m.cell_flags[i] & TW_BORDER) || ocean);
            for (int32_t side = m.cell_start[i]; side < m.cell_start[i + 1]; side++) {
                int32_t c = m.side_corner[side];
                assert_true(!ocean || m.corner_flags[c] & (TW_OCEAN | TW_COAST));
                if (is_lake_cell(&m, i))
                    assert_true(m.corner_elevation[c] ==
                                m.corner_elevation[m.side_corner[m.cell_start[i]]]);
            }
        }
        tw_result_release(result);
    }
}

/* A bay: lowering the middle of the coast lets the sea in; raising the sea floor makes land. */
static void the_coast_moves(void **state)
{
    struct tw_polymap e, u, l;
    int32_t land[3] = {0};
    (void)state;
    struct tw_result *result =
        island_run(4, 'e',
                   "u: {type: island.edit_raise, in: e, at: [[0.5, 0.5, 1, 1.5]]}\n"
                   "l: {type: island.edit_lower, in: e, at: [[0.5, 0.5, 1, 3]]}\n",
                   &e);
    assert_true(tw_polymap_view(tw_result_output(result, "u"), &u));
    assert_true(tw_polymap_view(tw_result_output(result, "l"), &l));
    for (int32_t i = 0; i < e.cells; i++) {
        land[0] += !(e.cell_flags[i] & TW_WATER);
        land[1] += !(u.cell_flags[i] & TW_WATER);
        land[2] += !(l.cell_flags[i] & TW_WATER);
    }
    assert_true(land[1] > land[0] && land[0] > land[2]);
    tw_result_release(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(brushes_add_and_end),
        cmocka_unit_test(edited_maps_stay_sound),
        cmocka_unit_test(the_coast_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
