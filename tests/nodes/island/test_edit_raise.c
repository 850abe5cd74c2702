/* SPDX-License-Identifier: MIT */
/* What a brush raises and where it ends; after raising and lowering a map stays sound. */
#include "support/brush.h"

static void a_brush_raises_and_ends(void **state)
{
    static const struct brush brushes[] = {
        {0.5, 0.5, 0.2, 0.4}, {0.4, 0.5, 0.3, 0.5}, {1, 0, 0.7, 0.1}, {0.5, 0.5, 2, 10}};
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        const struct brush brush = brushes[seed % 4];
        struct tw_polymap m, up;
        char more[200];
        snprintf(more, sizeof more, "u: {type: island.edit_raise, in: m, at: [[%g, %g, %g, %g]]}\n",
                 brush.x, brush.y, brush.radius, brush.by);
        struct tw_result *result = island_run(seed, 'm', more, &m);
        brush_view(result, "u", &up);
        brush_check_elevation(&m, &up, brush, 1);
        tw_result_release(result);
    }
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

static void raising_the_sea_floor_makes_land(void **state)
{
    struct tw_polymap e, u;
    (void)state;
    struct tw_result *result =
        island_run(4, 'e', "u: {type: island.edit_raise, in: e, at: [[0.5, 0.5, 1, 1.5]]}\n", &e);
    brush_view(result, "u", &u);
    assert_true(brush_land(&u) > brush_land(&e));
    tw_result_release(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_brush_raises_and_ends),
        cmocka_unit_test(edited_maps_stay_sound),
        cmocka_unit_test(raising_the_sea_floor_makes_land),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
