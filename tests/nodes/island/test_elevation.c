/* SPDX-License-Identifier: MIT */
#include "support/island.h"

static bool flat_step(const struct tw_polymap *m, const struct tw_polymap_edge *edge)
{
    return is_lake_cell(m, edge->d0) || is_lake_cell(m, edge->d1);
}

/* The steps from the coast by Bellman and Ford: relax all edges until nothing changes. */
static void reference_steps(const struct tw_polymap *m, int32_t *steps)
{
    for (int32_t c = 0; c < m->corners; c++)
        steps[c] = m->corner_flags[c] & TW_COAST ? 0 : 1 << 20;
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t e = 0; e < m->edges; e++) {
            int32_t a = m->edge[e].v0, b = m->edge[e].v1, step = flat_step(m, &m->edge[e]) ? 0 : 1;
            if (steps[a] + step < steps[b] || steps[b] + step < steps[a]) {
                steps[b] = steps[a] + step < steps[b] ? steps[a] + step : steps[b];
                steps[a] = steps[b] + step < steps[a] ? steps[b] + step : steps[a];
                changed = true;
            }
        }
    }
}

static void check_heights(const struct tw_polymap *m)
{
    static int32_t steps[3000];
    int32_t highest = 1;
    assert_true(m->corners < 3000);
    reference_steps(m, steps);
    for (int32_t c = 0; c < m->corners; c++)
        if (!(m->corner_flags[c] & TW_OCEAN) && steps[c] > highest)
            highest = steps[c];
    for (int32_t c = 0; c < m->corners; c++) {
        float e = m->corner_elevation[c], expected = (float)steps[c] / (float)highest;
        bool ocean = m->corner_flags[c] & TW_OCEAN;
        expected = ocean ? (expected > 1 ? -1 : -expected) : expected;
        assert_true(fabsf(e - expected) < 1e-6f);
        assert_true(ocean ? e < 0 : m->corner_flags[c] & TW_COAST ? e == 0 : e > 0);
        assert_true(fabsf(m->corner_temperature[c] - (1 - (e > 0 ? e : 0))) < 1e-6f);
    }
}

/* A land corner has a strictly lower neighbour or is a lake's; its rank leads down to the coast. */
static void check_ways_down(const struct tw_polymap *m)
{
    for (int32_t c = 0; c < m->corners; c++) {
        bool lower = false, ranked = false;
        assert_int_equal(m->corner_rank[c] < 0, (m->corner_flags[c] & TW_OCEAN) != 0);
        if (m->corner_flags[c] & (TW_OCEAN | TW_COAST))
            continue;
        for (int32_t s = m->corner_start[c]; s < m->corner_start[c + 1]; s++) {
            int32_t other = tw_polymap_far_end(&m->edge[m->spoke[s]], c);
            lower = lower || m->corner_elevation[other] < m->corner_elevation[c];
            ranked = ranked || (m->corner_rank[other] < m->corner_rank[c] &&
                                m->corner_elevation[other] <= m->corner_elevation[c]);
        }
        assert_true(ranked);
        assert_true(lower || m->corner_flags[c] & TW_SHORE);
    }
}

static void check_lakes(const struct tw_polymap *m)
{
    for (int32_t i = 0; i < m->cells; i++)
        for (int32_t side = m->cell_start[i]; side < m->cell_start[i + 1]; side++)
            if (is_lake_cell(m, i)) {
                int32_t first = m->side_corner[m->cell_start[i]];
                assert_true(m->corner_elevation[m->side_corner[side]] ==
                            m->corner_elevation[first]);
            }
}

static void invariants_on_200_maps(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct tw_polymap m;
        struct tw_result *result = island_run(seed, 'e', NULL, &m);
        check_heights(&m);
        check_ways_down(&m);
        check_lakes(&m);
        check_means(&m, m.corner_elevation, m.cell_elevation);
        check_means(&m, m.corner_temperature, m.cell_temperature);
        tw_result_release(result);
    }
}

static void needs_a_shape(void **state)
{
    (void)state;
    struct tw_error error =
        harness_fail(&(struct harness){.nodes = "p: {type: island.polygons, cells: 50}\n"
                                                "e: {type: island.elevation, in: p}\n"});
    assert_non_null(strstr(error.message, "island.shape"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(invariants_on_200_maps),
                                       cmocka_unit_test(needs_a_shape)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
