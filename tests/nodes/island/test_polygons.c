/* SPDX-License-Identifier: MIT */
/* The polygon map against what a clipped Voronoi diagram is: its graph, its area, nearest sites. */
#include "common/polymap/polymap.h"
#include "support/harness.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static struct tw_result *polygons(int32_t cells, int32_t relaxations, uint64_t seed,
                                  int32_t threads, struct tw_polymap *map)
{
    char nodes[120];
    snprintf(nodes, sizeof nodes, "out: {type: island.polygons, cells: %d, relaxations: %d}\n",
             (int)cells, (int)relaxations);
    struct tw_result *result =
        harness_run(&(struct harness){.seed = seed, .threads = threads, .nodes = nodes});
    assert_true(tw_polymap_view(tw_result_output(result, "out"), map));
    return result;
}

static struct tw_polymap_place corner_of_side(const struct tw_polymap *m, int32_t side)
{
    return m->corner_at[m->side_corner[side]];
}

static double area(const struct tw_polymap *m, int32_t cell)
{
    int32_t begin = m->cell_start[cell], end = m->cell_start[cell + 1];
    double sum = 0;
    for (int32_t side = begin; side < end; side++) {
        struct tw_polymap_place a = corner_of_side(m, side);
        struct tw_polymap_place b = corner_of_side(m, side + 1 < end ? side + 1 : begin);
        sum += (double)a.x * (double)b.y - (double)b.x * (double)a.y;
    }
    return sum / 2;
}

/* Each side of a cell is an edge with that cell beside it and the side's corners at its ends. */
static void check_sides(const struct tw_polymap *m)
{
    for (int32_t i = 0; i < m->cells; i++) {
        int32_t begin = m->cell_start[i], end = m->cell_start[i + 1];
        assert_true(end - begin >= 3);
        for (int32_t side = begin; side < end; side++) {
            const struct tw_polymap_edge *edge = &m->edge[m->side_edge[side]];
            int32_t from = m->side_corner[side];
            int32_t to = m->side_corner[side + 1 < end ? side + 1 : begin];
            assert_true(edge->d0 == i || edge->d1 == i);
            assert_true((edge->v0 == from && edge->v1 == to) ||
                        (edge->v1 == from && edge->v0 == to));
        }
    }
    for (int32_t c = 0; c < m->corners; c++)
        for (int32_t s = m->corner_start[c]; s < m->corner_start[c + 1]; s++)
            assert_true(m->edge[m->spoke[s]].v0 == c || m->edge[m->spoke[s]].v1 == c);
}

static void check_border(const struct tw_polymap *m)
{
    for (int32_t e = 0; e < m->edges; e++) {
        struct tw_polymap_place a = m->corner_at[m->edge[e].v0], b = m->corner_at[m->edge[e].v1];
        bool along_x = a.x == b.x && (a.x == 1 || a.x == -1);
        bool along_y = a.y == b.y && (a.y == 1 || a.y == -1);
        assert_int_equal(m->edge[e].d1 < 0, along_x || along_y);
    }
}

static void graph_and_area(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct tw_polymap m;
        struct tw_result *result =
            polygons(16 + (int32_t)seed * 3, (int32_t)(seed % 4), seed, 1, &m);
        double sum = 0;
        assert_int_equal(m.corners - m.edges + m.cells, 1);
        for (int32_t i = 0; i < m.cells; i++) {
            double own = area(&m, i);
            assert_true(own > 0);
            sum += own;
        }
        assert_true(sum > 4 - 1e-5 && sum < 4 + 1e-5);
        check_sides(&m);
        check_border(&m);
        tw_result_release(result);
    }
}

static double distance(struct tw_polymap_place a, struct tw_polymap_place b)
{
    double dx = (double)a.x - (double)b.x, dy = (double)a.y - (double)b.y;
    return sqrt(dx * dx + dy * dy);
}

/* A corner is as far from the sites around it as from any: no site is nearer. */
static void corners_are_voronoi_vertices(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 5; seed++) {
        struct tw_polymap m;
        struct tw_result *result = polygons(300, (int32_t)seed % 3, seed, 1, &m);
        for (int32_t i = 0; i < m.cells; i++)
            for (int32_t side = m.cell_start[i]; side < m.cell_start[i + 1]; side++) {
                struct tw_polymap_place at = corner_of_side(&m, side);
                double own = distance(at, m.cell_at[i]);
                for (int32_t j = 0; j < m.cells; j++)
                    assert_true(distance(at, m.cell_at[j]) > own - 1e-6);
            }
        tw_result_release(result);
    }
}

/* The sites of n + 1 relaxations are the means of the corners of n relaxations. */
static void relaxation_takes_the_mean_of_corners(void **state)
{
    struct tw_polymap before, after;
    (void)state;
    for (int32_t steps = 0; steps < 3; steps++) {
        struct tw_result *a = polygons(500, steps, 9, 1, &before);
        struct tw_result *b = polygons(500, steps + 1, 9, 1, &after);
        for (int32_t i = 0; i < before.cells; i++) {
            double x = 0, y = 0;
            int32_t count = before.cell_start[i + 1] - before.cell_start[i];
            for (int32_t side = before.cell_start[i]; side < before.cell_start[i + 1]; side++) {
                x += (double)corner_of_side(&before, side).x / count;
                y += (double)corner_of_side(&before, side).y / count;
            }
            assert_true(fabs(x - (double)after.cell_at[i].x) < 4e-7);
            assert_true(fabs(y - (double)after.cell_at[i].y) < 4e-7);
        }
        tw_result_release(a);
        tw_result_release(b);
    }
}

static void same_bytes_on_any_threads(void **state)
{
    struct tw_polymap m;
    (void)state;
    struct tw_result *one = polygons(20000, 1, 5, 1, &m), *eight = polygons(20000, 1, 5, 8, &m);
    const struct tw_value *a = tw_result_output(one, "out"), *b = tw_result_output(eight, "out");
    assert_int_equal(a->width, b->width);
    assert_memory_equal(a->data, b->data, (size_t)a->width * sizeof(uint32_t));
    tw_result_release(one);
    tw_result_release(eight);
}

/* Maps of a million polygons are slow where neighbours lie anywhere in memory. */
static void polygons_that_follow_each_other_are_near(void **state)
{
    struct tw_polymap m;
    double sum = 0, spacing = 2 / sqrt(5000.0);
    (void)state;
    struct tw_result *result = polygons(5000, 2, 3, 1, &m);
    for (int32_t i = 1; i < m.cells; i++)
        sum += distance(m.cell_at[i - 1], m.cell_at[i]);
    assert_true(sum / (m.cells - 1) < 1.5 * spacing);
    tw_result_release(result);
}

static void damaged_blocks_are_refused(void **state)
{
    struct tw_polymap m, view;
    (void)state;
    struct tw_result *result = polygons(20, 0, 1, 1, &m);
    struct tw_value value = *tw_result_output(result, "out");
    uint32_t *words = value.data;
    for (int32_t width = 0; width < value.width; width++)
        assert_false(
            tw_polymap_view(&(struct tw_value){TW_POLYMAP, width, width ? 1 : 0, words}, &view));
    for (int32_t i = 0; i < 5; i++) {
        uint32_t kept = words[i];
        words[i] = kept + 1;
        assert_false(tw_polymap_view(&value, &view));
        words[i] = 0xFFFFFFFFu;
        assert_false(tw_polymap_view(&value, &view));
        words[i] = kept;
    }
    assert_true(tw_polymap_view(&value, &view));
    assert_false(tw_polymap_view(&(struct tw_value){TW_POLYMAP, value.width, 2, words}, &view));
    assert_false(tw_polymap_view(&(struct tw_value){TW_POLYMAP, value.width, 1, NULL}, &view));
    tw_result_release(result);
}

/* A block of zeros of these counts, but for the end of its corners' spokes. */
static bool valid_of_zeros(uint32_t cells, uint32_t corners, uint32_t edges)
{
    uint32_t words[64] = {TW_POLYMAP_MAGIC, cells, corners, edges};
    struct tw_value value = {TW_POLYMAP, tw_polymap_words(cells, corners, edges, 0), 1, words};
    struct tw_polymap map;
    tw_polymap_lay_out(words, &map);
    map.corner_start[corners] = 2 * (int32_t)edges;
    return tw_polymap_view(&value, &map);
}

static void the_smallest_has_one_of_each(void **state)
{
    (void)state;
    assert_true(valid_of_zeros(1, 1, 1));
    assert_false(valid_of_zeros(0, 1, 1));
    assert_false(valid_of_zeros(1, 0, 1));
    assert_false(valid_of_zeros(1, 1, 0));
    assert_int_equal(tw_polymap_words(UINT32_MAX, 1, 1, 0), 0);
}

/* Whether the block is still a polygon map with these numbers at `at`. */
static bool valid_with(const struct tw_value *value, void *at, const void *numbers, size_t size)
{
    struct tw_polymap view;
    char kept[8];
    memcpy(kept, at, size);
    memcpy(at, numbers, size);
    bool valid = tw_polymap_view(value, &view);
    memcpy(at, kept, size);
    return valid;
}

/* Each of them may be anything from `low` to below `end`. */
static void check_indices(const struct tw_value *value, int32_t *at, int32_t count, int32_t low,
                          int32_t end)
{
    const int32_t numbers[] = {low, end - 1, low - 1, end, INT32_MIN, INT32_MAX};
    for (int32_t i = 0; i < count; i++)
        for (int n = 0; n < 6; n++)
            assert_true(valid_with(value, at + i, numbers + n, sizeof *at) == (n < 2));
}

/* They rise from 0 to `last`. */
static void check_starts(const struct tw_value *value, int32_t *at, int32_t count, int32_t last)
{
    for (int32_t i = 0; i <= count; i++) {
        const int32_t numbers[] = {i > 0 ? at[i - 1] - 1 : -1, i < count ? at[i + 1] + 1 : last + 1,
                                   i > 0 ? last - 1 : 1};
        for (int n = 0; n < (i == 0 || i == count ? 3 : 2); n++)
            assert_false(valid_with(value, at + i, numbers + n, sizeof *at));
    }
}

static void indices_lead_nowhere_else(void **state)
{
    struct tw_polymap m;
    (void)state;
    struct tw_result *result = polygons(20, 0, 1, 1, &m);
    const struct tw_value *value = tw_result_output(result, "out");
    check_starts(value, m.cell_start, m.cells, m.sides);
    check_starts(value, m.corner_start, m.corners, 2 * m.edges);
    check_indices(value, m.cell_biome, m.cells, 0, 16);
    const uint32_t flags[] = {0, UINT32_MAX};
    for (int32_t i = 0; i < 2 * m.cells; i++)
        assert_true(valid_with(value, m.cell_flags + i / 2, flags + i % 2, sizeof *flags));
    for (int32_t i = 0; i < 2 * m.corners; i++)
        assert_true(valid_with(value, m.corner_flags + i / 2, flags + i % 2, sizeof *flags));
    check_indices(value, m.corner_rank, m.corners, -1, m.corners);
    check_indices(value, m.side_corner, m.sides, 0, m.corners);
    check_indices(value, m.side_edge, m.sides, 0, m.edges);
    check_indices(value, m.spoke, 2 * m.edges, 0, m.edges);
    for (int32_t e = 0; e < m.edges; e++) {
        check_indices(value, &m.edge[e].d0, 1, 0, m.cells);
        check_indices(value, &m.edge[e].d1, 1, -1, m.cells);
        check_indices(value, &m.edge[e].v0, 1, 0, m.corners);
        check_indices(value, &m.edge[e].v1, 1, 0, m.corners);
    }
    tw_result_release(result);
}

/* Each of them may be anything from `low` to `high`. */
static void check_numbers(const struct tw_value *value, float *at, int32_t count, float low,
                          float high)
{
    const float numbers[] = {
        low,      high, nextafterf(low, -INFINITY), nextafterf(high, INFINITY), -INFINITY,
        INFINITY, NAN};
    for (int32_t i = 0; i < count; i++)
        for (int n = 0; n < 7; n++)
            assert_true(valid_with(value, at + i, numbers + n, sizeof *at) == (n < 2));
}

/* An edge has no more water than either of its corners. */
static void check_rivers(const struct tw_value *value, const struct tw_polymap *m)
{
    check_numbers(value, m->corner_river, m->corners, 0, FLT_MAX);
    for (int32_t i = 0; i < m->corners; i++)
        m->corner_river[i] = 3;
    check_numbers(value, m->edge_river, m->edges, 0, 3);
    for (int32_t e = 0; e < m->edges; e++) {
        m->edge_river[e] = 3;
        check_numbers(value, &m->corner_river[m->edge[e].v0], 1, 3, FLT_MAX);
        check_numbers(value, &m->corner_river[m->edge[e].v1], 1, 3, FLT_MAX);
        m->edge_river[e] = 0;
    }
}

/* Words are not scanned for finite numbers, so a cache that others write to may hold any. */
static void impossible_numbers_are_refused(void **state)
{
    struct tw_polymap m;
    (void)state;
    struct tw_result *result = polygons(20, 0, 1, 1, &m);
    const struct tw_value *value = tw_result_output(result, "out");
    float *const cells[] = {m.cell_elevation, m.cell_temperature, m.cell_moisture};
    float *const corners[] = {m.corner_elevation, m.corner_temperature, m.corner_moisture};
    check_numbers(value, &m.cell_at->x, 2 * m.cells, -1.001f, 1.001f);
    check_numbers(value, &m.corner_at->x, 2 * m.corners, -1.001f, 1.001f);
    for (int i = 0; i < 3; i++) {
        check_numbers(value, cells[i], m.cells, -FLT_MAX, FLT_MAX);
        check_numbers(value, corners[i], m.corners, -FLT_MAX, FLT_MAX);
    }
    check_rivers(value, &m);
    tw_result_release(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(graph_and_area),
        cmocka_unit_test(corners_are_voronoi_vertices),
        cmocka_unit_test(relaxation_takes_the_mean_of_corners),
        cmocka_unit_test(same_bytes_on_any_threads),
        cmocka_unit_test(polygons_that_follow_each_other_are_near),
        cmocka_unit_test(damaged_blocks_are_refused),
        cmocka_unit_test(the_smallest_has_one_of_each),
        cmocka_unit_test(indices_lead_nowhere_else),
        cmocka_unit_test(impossible_numbers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
