/* SPDX-License-Identifier: MIT */
#include "reference/polymap_raster.h"
#include "support/island.h"

#include "common/biome.h"
#include "island/kernels/gradient_noise.h"

#include <stdlib.h>

/* The fan triangle that holds (x, y) by plain double arithmetic, and the value there. Near shared
 * sides any of them will do, as the mesh is continuous. */
static bool value_at(const struct tw_polymap *m, const float *corners, const float *cells, double x,
                     double y, double *value)
{
    for (int32_t i = 0; i < m->cells; i++)
        for (int32_t side = m->cell_start[i]; side < m->cell_start[i + 1]; side++) {
            int32_t b = m->side_corner[side];
            int32_t c =
                m->side_corner[side + 1 < m->cell_start[i + 1] ? side + 1 : m->cell_start[i]];
            double ax = (double)m->cell_at[i].x, ay = (double)m->cell_at[i].y;
            double bx = (double)m->corner_at[b].x - ax, by = (double)m->corner_at[b].y - ay;
            double cx = (double)m->corner_at[c].x - ax, cy = (double)m->corner_at[c].y - ay;
            double area = bx * cy - by * cx, px = x - ax, py = y - ay;
            double u = (px * cy - py * cx) / area, v = (bx * py - by * px) / area;
            if (u < -1e-9 || v < -1e-9 || u + v > 1 + 1e-9)
                continue;
            *value =
                (1 - u - v) * (double)cells[i] + u * (double)corners[b] + v * (double)corners[c];
            return true;
        }
    return false;
}

static const char raster[] = "o: {type: island.raster, in: b}\n";
static const char outputs[] = "moisture: o.moisture\ntemperature: o.temperature\n"
                              "biome: o.biome\nwater: o.water\nriver: o.river\n";

static void run_sized(uint64_t seed, int32_t width, int32_t height, int32_t threads,
                      const char *simd, const char *more, struct tw_result **result)
{
    char nodes[1000];
    snprintf(nodes, sizeof nodes,
             "p: {type: island.polygons, cells: 150}\n"
             "s: {type: island.shape, in: p, base_octave: 3, scale: 1.0, offset: -0.4}\n"
             "e: {type: island.elevation, in: s}\nr: {type: island.rivers, in: e, count: 8}\n"
             "m: {type: island.moisture, in: r}\nb: {type: island.biomes, in: m}\n%s",
             more);
    *result = harness_run(&(struct harness){.width = width,
                                            .height = height,
                                            .threads = threads,
                                            .simd = simd,
                                            .seed = seed,
                                            .nodes = nodes,
                                            .outputs = outputs});
}

static void values_are_those_of_the_mesh(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 4; seed++) {
        struct tw_polymap m;
        struct tw_result *result;
        run_sized(seed, 61, 47, 1, NULL, raster, &result);
        assert_true(tw_polymap_view(tw_result_output(result, "b"), &m));
        const float *out = tw_floats(tw_result_output(result, "o"));
        const float *moisture = tw_floats(tw_result_output(result, "moisture"));
        const float *temperature = tw_floats(tw_result_output(result, "temperature"));
        for (int32_t i = 0; i < 61 * 47; i++) {
            double x = -1 + 2 * (i % 61 + 0.5) / 61, y = -1 + 2 * (i / 61 + 0.5) / 47, value;
            assert_true(value_at(&m, m.corner_elevation, m.cell_elevation, x, y, &value));
            assert_true(fabs(value - (double)out[i]) < 1e-4);
            assert_true(value_at(&m, m.corner_moisture, m.cell_moisture, x, y, &value));
            assert_true(fabs(value - (double)moisture[i]) < 1e-4);
            assert_true(value_at(&m, m.corner_temperature, m.cell_temperature, x, y, &value));
            assert_true(fabs(value - (double)temperature[i]) < 1e-4);
        }
        tw_result_release(result);
    }
}

/* Byte for byte, where triangles are smaller than cells, and where they are wider than a run. */
static void bytes_are_those_of_the_plain_loop(void **state)
{
    static const int32_t sizes[][2] = {{1, 1}, {1, 9}, {9, 1}, {17, 23}, {257, 31}, {1601, 7}};
    (void)state;
    for (uint64_t k = 0; k < 6; k++) {
        struct tw_polymap m;
        struct tw_result *result;
        int32_t w = sizes[k][0], h = sizes[k][1];
        float *values = malloc((size_t)w * (size_t)h * sizeof *values);
        assert_non_null(values);
        run_sized(k, w, h, 1 + (int32_t)k % 2, k % 3 ? "base" : NULL, raster, &result);
        assert_true(tw_polymap_view(tw_result_output(result, "b"), &m));
        plain_polymap_values(&m, m.corner_elevation, m.cell_elevation, w, h, values);
        harness_same(tw_result_output(result, "o"), values);
        plain_polymap_values(&m, m.corner_moisture, m.cell_moisture, w, h, values);
        harness_same(tw_result_output(result, "moisture"), values);
        tw_result_release(result);
        free(values);
    }
}

/* Every cell belongs to a polygon: the nearest of all sites, but for ties. */
static void no_holes_and_nearest_polygons(void **state)
{
    static const int32_t sizes[][2] = {{1, 1}, {1, 9}, {9, 1}, {257, 129}, {128, 128}, {100, 77}};
    (void)state;
    for (uint64_t k = 0; k < 6; k++) {
        struct tw_polymap m;
        struct tw_result *result;
        int32_t w = sizes[k][0], h = sizes[k][1];
        run_sized(k, w, h, 2, NULL, raster, &result);
        assert_true(tw_polymap_view(tw_result_output(result, "b"), &m));
        const int32_t *biome = tw_labels(tw_result_output(result, "biome"));
        const float *water = tw_floats(tw_result_output(result, "water"));
        for (int32_t i = 0; i < w * h; i++) {
            double x = -1 + 2 * (i % w + 0.5) / w, y = -1 + 2 * (i / w + 0.5) / h;
            double best = 1e9, second = 1e9;
            int32_t nearest = 0;
            for (int32_t c = 0; c < m.cells; c++) {
                double dx = (double)m.cell_at[c].x - x, dy = (double)m.cell_at[c].y - y;
                double d = sqrt(dx * dx + dy * dy);
                second = d < best ? best : d < second ? d : second;
                nearest = d < best ? c : nearest;
                best = d < best ? d : best;
            }
            if (second - best > 1e-4)
                assert_int_equal(biome[i], m.cell_biome[nearest]);
            assert_true(water[i] == (biome[i] == TW_LAKE || biome[i] == TW_OCEAN_BIOME));
        }
        tw_result_release(result);
    }
}

static void rivers_are_drawn_along_their_edges(void **state)
{
    struct tw_polymap m;
    struct tw_result *result;
    double sum = 0;
    (void)state;
    run_sized(2, 200, 200, 1, NULL, raster, &result);
    assert_true(tw_polymap_view(tw_result_output(result, "b"), &m));
    const float *river = tw_floats(tw_result_output(result, "river"));
    for (int32_t e = 0; e < m.edges; e++)
        if (m.edge_river[e] > 0) {
            struct tw_polymap_place a = m.corner_at[m.edge[e].v0], b = m.corner_at[m.edge[e].v1];
            int32_t x = (int32_t)((a.x + b.x + 2) * 50), y = (int32_t)((a.y + b.y + 2) * 50);
            assert_true(river[y * 200 + x] > 0.25f);
        }
    for (int32_t i = 0; i < 200 * 200; i++) {
        assert_true(river[i] >= 0 && river[i] <= 1);
        sum += (double)river[i];
    }
    assert_true(sum > 20 && sum < 4000);
    tw_result_release(result);
}

static void noise_keeps_its_range(void **state)
{
    double low = 0, high = 0, sum = 0;
    (void)state;
    for (int32_t i = 0; i < 100000; i++) {
        double n = tw_gradient_noise(5, 0, i * 0.377 - 9000, (i % 777) * 1.13);
        low = n < low ? n : low;
        high = n > high ? n : high;
        sum += n;
    }
    assert_true(low > -1 && low < -0.6 && high < 1 && high > 0.6 && fabs(sum) < 1000);
    assert_true(tw_gradient_noise(5, 0, -3, 8) == 0);
}

static void same_bytes_on_threads_and_instructions(void **state)
{
    static const char bent[] = "o: {type: island.raster, in: b, magnitude: 0.05}\n";
    static const char *const names[] = {"o", "moisture", "temperature", "biome", "water", "river"};
    static const int32_t threads[] = {2, 8};
    struct tw_result *one, *other;
    (void)state;
    run_sized(6, 129, 67, 1, NULL, bent, &one);
    for (int k = 0; k < 2; k++) {
        run_sized(6, 129, 67, threads[k], k ? "base" : "avx2", bent, &other);
        for (int n = 0; n < 6; n++)
            assert_memory_equal(tw_result_output(one, names[n])->data,
                                tw_result_output(other, names[n])->data, 129 * 67 * 4);
        tw_result_release(other);
    }
    tw_result_release(one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_the_mesh),
        cmocka_unit_test(bytes_are_those_of_the_plain_loop),
        cmocka_unit_test(no_holes_and_nearest_polygons),
        cmocka_unit_test(rivers_are_drawn_along_their_edges),
        cmocka_unit_test(noise_keeps_its_range),
        cmocka_unit_test(same_bytes_on_threads_and_instructions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
