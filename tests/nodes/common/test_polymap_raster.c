/* SPDX-License-Identifier: MIT */
/* Polygons that leave cells open, as those of a file may: the first such cell is named. */
#include "reference/polymap_raster.h"
#include "support/island.h"

enum { OPEN = 1 << 30 }; /* no value of an island */

static struct tw_value copy_of(const struct tw_value *value)
{
    struct tw_value copy = *value;
    copy.data = malloc((size_t)value->width * sizeof(uint32_t));
    assert_non_null(copy.data);
    memcpy(copy.data, value->data, (size_t)value->width * sizeof(uint32_t));
    return copy;
}

/* The first cell that no triangle holds; -1: none. */
static int32_t first_open(const struct tw_polymap *m, int32_t width, int32_t height)
{
    float *values = malloc((size_t)width * (size_t)height * sizeof *values);
    int32_t found = -1;
    assert_non_null(values);
    for (int32_t i = 0; i < width * height; i++)
        values[i] = (float)OPEN;
    plain_polymap_values(m, m->corner_elevation, m->cell_elevation, width, height, values);
    for (int32_t i = 0; i < width * height && found < 0; i++)
        found = values[i] == (float)OPEN ? i : -1;
    free(values);
    return found;
}

/* With the map of triangles, which biomes need, and with a strip of it at a time. */
static void expect_open(const struct tw_value *polygons, int32_t width, int32_t height,
                        int32_t open)
{
    static const char *const outputs[] = {"biome: o.biome\n", NULL};
    char message[100];
    snprintf(message, sizeof message, "no polygon covers the cell at x %d, y %d", open % width,
             open / width);
    harness_give(0, polygons);
    for (int i = 0; i < 4; i++) {
        const struct harness harness = {
            .width = width,
            .height = height,
            .threads = 1 + i / 2,
            .nodes = "p: {type: test.polymap}\no: {type: island.raster, in: p}\n",
            .outputs = outputs[i % 2]};
        if (open < 0) {
            tw_result_release(harness_run(&harness));
            continue;
        }
        struct tw_error error = harness_fail(&harness);
        if (!strstr(error.message, message))
            fail_msg("%s; expected %s", error.message, message);
    }
}

static double squeezed(float at, double low, double high)
{
    return low + ((double)at + 1) / 2 * (high - low);
}

/* Polygons that cover only the cells of some columns and rows. */
static void cells_beside_all_polygons_are_open(void **state)
{
    enum { WIDTH = 33, HEIGHT = 160 };
    static const struct {
        int32_t left, top, right, bottom, open;
    } rows[] = {
        {0, 0, WIDTH, HEIGHT, -1},
        {1, 0, WIDTH, HEIGHT, 0},
        {0, 1, WIDTH, HEIGHT, 0},
        {0, 0, WIDTH - 1, HEIGHT, WIDTH - 1},
        {0, 0, 20, 100, 20},
        {0, 0, WIDTH, 1, WIDTH},
        {0, 0, WIDTH, 101, 101 * WIDTH},
        {0, 0, WIDTH, HEIGHT - 1, (HEIGHT - 1) * WIDTH},
    };
    struct tw_polymap m;
    struct tw_result *result = island_run(3, 'b', NULL, NULL);
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tw_value polygons = copy_of(tw_result_output(result, "b"));
        assert_true(tw_polymap_view(&polygons, &m));
        const double x[] = {2.0 * rows[i].left / WIDTH - 1, 2.0 * rows[i].right / WIDTH - 1};
        const double y[] = {2.0 * rows[i].top / HEIGHT - 1, 2.0 * rows[i].bottom / HEIGHT - 1};
        for (int32_t k = 0; k < m.cells + m.corners; k++) {
            struct tw_polymap_place *at = k < m.cells ? &m.cell_at[k] : &m.corner_at[k - m.cells];
            at->x = (float)squeezed(at->x, x[0], x[1]);
            at->y = (float)squeezed(at->y, y[0], y[1]);
        }
        assert_int_equal(first_open(&m, WIDTH, HEIGHT), rows[i].open);
        expect_open(&polygons, WIDTH, HEIGHT, rows[i].open);
        free(polygons.data);
    }
    tw_result_release(result);
}

/* An edge without a length has no triangles. */
static void cells_of_a_lost_edge_are_open(void **state)
{
    enum { WIDTH = 61, HEIGHT = 47, EVERY = 19 };
    struct tw_polymap m;
    struct tw_result *result = island_run(4, 'b', NULL, NULL);
    int open = 0;
    (void)state;
    for (int32_t e = 0, edges = EVERY; e < edges; e += EVERY) {
        struct tw_value polygons = copy_of(tw_result_output(result, "b"));
        assert_true(tw_polymap_view(&polygons, &m));
        m.edge[e].v1 = m.edge[e].v0;
        m.edge_river[e] = 0;
        int32_t cell = first_open(&m, WIDTH, HEIGHT);
        expect_open(&polygons, WIDTH, HEIGHT, cell);
        open += cell >= 0;
        edges = m.edges;
        free(polygons.data);
    }
    assert_true(open > 10);
    tw_result_release(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_beside_all_polygons_are_open),
        cmocka_unit_test(cells_of_a_lost_edge_are_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
