/* SPDX-License-Identifier: MIT */
#include "support/island.h"

/* The corner a river goes to from c: the neighbour lowest by (elevation, rank). */
static int32_t downstream(const struct tw_polymap *m, int32_t c)
{
    int32_t best = -1;
    for (int32_t s = m->corner_start[c]; s < m->corner_start[c + 1]; s++) {
        int32_t o = tw_polymap_far_end(&m->edge[m->spoke[s]], c);
        if (m->corner_flags[o] & TW_OCEAN)
            continue;
        if (best < 0 || m->corner_elevation[o] < m->corner_elevation[best] ||
            (m->corner_elevation[o] == m->corner_elevation[best] &&
             m->corner_rank[o] < m->corner_rank[best]))
            best = o;
    }
    return best;
}

/* Never up, never back, volumes never fall, and the coast is reached. */
static void follow(const struct tw_polymap *m, int32_t c)
{
    int32_t steps = 0;
    assert_false(m->corner_flags[c] & TW_OCEAN);
    while (!(m->corner_flags[c] & TW_COAST)) {
        int32_t next = downstream(m, c);
        assert_true(next >= 0 && ++steps < m->corners);
        assert_true(m->corner_elevation[next] <= m->corner_elevation[c]);
        assert_true(m->corner_river[next] >= m->corner_river[c] + 1);
        c = next;
    }
}

/* What flows in by edges and springs, each step's gain added, is what the corner has. */
static void check_edges(const struct tw_polymap *m)
{
    for (int32_t e = 0; e < m->edges; e++) {
        int32_t a = m->edge[e].v0, b = m->edge[e].v1;
        int32_t from = m->corner_rank[a] > m->corner_rank[b] ? a : b;
        if (m->edge_river[e] > 0) {
            assert_int_equal(downstream(m, from), tw_polymap_far_end(&m->edge[e], from));
            assert_true(m->edge_river[e] == m->corner_river[from]);
        }
    }
}

static void invariants_on_200_maps(void **state)
{
    int32_t rivers = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct tw_polymap m;
        struct tw_result *result = island_run(seed, 'r', NULL, &m);
        for (int32_t c = 0; c < m.corners; c++)
            if (m.corner_river[c] > 0) {
                follow(&m, c);
                rivers++;
            }
        check_edges(&m);
        tw_result_release(result);
    }
    assert_true(rivers > 2000);
}

/* With gain 0 volumes count springs: what comes to the coast is what started. */
static void springs_are_spaced_and_counted(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct tw_polymap m;
        double arrived = 0;
        struct tw_result *result = island_run(
            seed, 'e', "o: {type: island.rivers, in: e, count: 5, gain: 0, spacing: 2}\n", NULL);
        assert_true(tw_polymap_view(tw_result_output(result, "o"), &m));
        for (int32_t c = 0; c < m.corners; c++)
            if (m.corner_flags[c] & TW_COAST)
                arrived += (double)m.corner_river[c];
        assert_true(arrived >= 1 && arrived <= 5);
        tw_result_release(result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(invariants_on_200_maps),
                                       cmocka_unit_test(springs_are_spaced_and_counted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
