/* SPDX-License-Identifier: MIT */
#include "support/island.h"

#include "common/biome.h"

enum { SIDE = 64 };

static int32_t nearest(const struct tw_polymap *m, int32_t pixel, double *lead)
{
    double x = -1 + 2 * (pixel % SIDE + 0.5) / SIDE, y = -1 + 2 * (pixel / SIDE + 0.5) / SIDE;
    double best = 1e9, second = 1e9;
    int32_t found = 0;
    for (int32_t c = 0; c < m->cells; c++) {
        double dx = (double)m->cell_at[c].x - x, dy = (double)m->cell_at[c].y - y;
        double d = sqrt(dx * dx + dy * dy);
        second = d < best ? best : d < second ? d : second;
        found = d < best ? c : found;
        best = d < best ? d : best;
    }
    *lead = second - best;
    return found;
}

static void biomes_have_their_colours(void **state)
{
    struct tw_polymap m;
    (void)state;
    struct tw_result *result = island_run(
        3, 'b', "o: {type: render.polymap, in: b, layer: biomes, edges: false, rivers: false}\n",
        &m);
    const uint8_t *pixels = tw_pixels(tw_result_output(result, "o"));
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        double lead;
        int32_t polygon = nearest(&m, i, &lead);
        if (lead > 1e-3)
            assert_memory_equal(pixels + 3 * i, tw_biomes[m.cell_biome[polygon]].colour, 3);
    }
    tw_result_release(result);
}

/* Between the two stops around it. */
static double ramp(const int stops[][4], double value, int channel)
{
    int k = 0;
    while (value > stops[k + 1][0] / 1000.0 && stops[k + 1][0] < 1000)
        k++;
    double from = stops[k][0] / 1000.0, to = stops[k + 1][0] / 1000.0;
    double t = (value - from) / (to - from);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return stops[k][channel] + t * (stops[k + 1][channel] - stops[k][channel]);
}

static void layers_have_their_colours(void **state)
{
    /* thousandths, red, green, blue */
    static const int heights[][4] = {{-1000, 28, 48, 92},  {-1, 118, 164, 200},
                                     {0, 222, 212, 164},   {100, 120, 164, 88},
                                     {450, 176, 170, 100}, {750, 134, 108, 84},
                                     {1000, 250, 250, 250}},
                     temperatures[][4] = {{0, 60, 92, 176},
                                          {500, 236, 228, 180},
                                          {1000, 190, 56, 40}},
                     moistures[][4] = {
                         {0, 226, 206, 152}, {300, 146, 180, 116}, {1000, 32, 84, 140}};
    static const char *const layers[] = {"elevation", "temperature", "moisture"};
    (void)state;
    for (int layer = 0; layer < 3; layer++)
        for (uint64_t seed = 0; seed < 3; seed++) {
            struct tw_polymap m;
            char nodes[200];
            snprintf(nodes, sizeof nodes,
                     "o: {type: render.polymap, in: b, layer: %s, edges: false, rivers: false, "
                     "smooth: false}\n",
                     layers[layer]);
            struct tw_result *result = island_run(seed, 'b', nodes, &m);
            const uint8_t *pixels = tw_pixels(tw_result_output(result, "o"));
            for (int32_t i = 0; i < SIDE * SIDE; i++) {
                double lead;
                int32_t c = nearest(&m, i, &lead);
                const float *values[] = {m.cell_elevation, m.cell_temperature, m.cell_moisture};
                if (lead <= 1e-3 || (layer != 1 && m.cell_flags[c] & (TW_WATER | TW_OCEAN)))
                    continue;
                for (int k = 0; k < 3; k++) {
                    double expected = ramp(layer == 0   ? heights
                                           : layer == 1 ? temperatures
                                                        : moistures,
                                           (double)values[layer][c], k + 1);
                    if (!(fabs(pixels[3 * i + k] - expected) < 0.505))
                        fail_msg("%s, seed %d, pixel %d, channel %d: %d, expected %g",
                                 layers[layer], (int)seed, (int)i, k, pixels[3 * i + k], expected);
                }
            }
            tw_result_release(result);
        }
}

/* Along the sides it is darker than the paper, at the centres it is not. */
static void sides_are_drawn(void **state)
{
    struct tw_polymap m;
    (void)state;
    struct tw_result *result =
        island_run(0, 'p', "o: {type: render.polymap, in: p, line_width: 2}\n", &m);
    const uint8_t *pixels = tw_pixels(tw_result_output(result, "o"));
    for (int32_t e = 0; e < m.edges; e++) {
        struct tw_polymap_place a = m.corner_at[m.edge[e].v0], b = m.corner_at[m.edge[e].v1];
        int32_t x = (int32_t)((a.x + b.x + 2) * SIDE / 4),
                y = (int32_t)((a.y + b.y + 2) * SIDE / 4);
        x = x < SIDE ? x : SIDE - 1;
        y = y < SIDE ? y : SIDE - 1;
        assert_true(pixels[3 * (y * SIDE + x)] < 120);
    }
    tw_result_release(result);
}

static void every_layer_on_any_threads(void **state)
{
    static const char *const layers[] = {"polygons",    "shape",    "elevation",
                                         "temperature", "moisture", "biomes"};
    (void)state;
    for (int k = 0; k < 6; k++) {
        char nodes[700];
        snprintf(nodes, sizeof nodes,
                 "p: {type: island.polygons, cells: 90}\n"
                 "s: {type: island.shape, in: p, scale: 1.0, offset: -0.4}\n"
                 "e: {type: island.elevation, in: s}\nr: {type: island.rivers, in: e}\n"
                 "m: {type: island.moisture, in: r}\nb: {type: island.biomes, in: m}\n"
                 "o: {type: render.polymap, in: b, layer: %s, smooth: true, graph: true, "
                 "centres: true}\n",
                 layers[k]);
        struct harness harness = {.width = 61, .height = 33, .threads = 1, .nodes = nodes};
        struct tw_result *one = harness_run(&harness);
        harness.threads = 8;
        struct tw_result *eight = harness_run(&harness);
        assert_memory_equal(tw_result_output(one, "o")->data, tw_result_output(eight, "o")->data,
                            61 * 33 * 3);
        tw_result_release(one);
        tw_result_release(eight);
    }
}

static void a_missing_layer_is_named(void **state)
{
    (void)state;
    struct tw_error error = harness_fail(
        &(struct harness){.nodes = "p: {type: island.polygons, cells: 90}\n"
                                   "o: {type: render.polymap, in: p, layer: moisture}\n"});
    assert_non_null(strstr(error.message, "island.moisture"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(biomes_have_their_colours), cmocka_unit_test(layers_have_their_colours),
        cmocka_unit_test(sides_are_drawn),           cmocka_unit_test(every_layer_on_any_threads),
        cmocka_unit_test(a_missing_layer_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
