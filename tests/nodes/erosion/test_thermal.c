/* SPDX-License-Identifier: MIT */
#include "reference/olsen.h"
#include "support/kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void thermal(struct tw_value *map, float *water)
{
    (void)water;
    ref_thermal(tw_floats(map), NULL, (struct ref_size){map->width, map->height, false},
                3.0f / (float)map->width, 0.25f, 6);
}

static void closed(struct tw_value *map, float *water)
{
    (void)water;
    ref_thermal(tw_floats(map), NULL, (struct ref_size){map->width, map->height, true},
                3.0f / (float)map->width, 0.25f, 6);
}

/* What is neither a torus nor Olsen's slope: the definition, cell by cell. Within the border `kept`
 * only inner cells give. */
struct slump {
    bool kept, distance;
    float threshold, rate;
};

static float excess(const struct slump *s, const struct tw_value *map, int32_t x, int32_t y, int k)
{
    int32_t i = x + k % 3 - 1, j = y + k / 3 - 1;
    if (k == 4 || i < 0 || j < 0 || i >= map->width || j >= map->height)
        return 0;
    float drop = tw_floats(map)[y * map->width + x] - tw_floats(map)[j * map->width + i];
    float threshold = s->distance && k % 2 == 0 ? 1.41421356f * s->threshold : s->threshold;
    return drop > threshold ? drop - threshold : 0;
}

static float weight(const struct slump *s, const struct tw_value *map, int32_t x, int32_t y, int k)
{
    float over = excess(s, map, x, y, k);
    int32_t i = x + k % 3 - 1, j = y + k / 3 - 1;
    return s->distance || over <= 0
               ? over
               : tw_floats(map)[y * map->width + x] - tw_floats(map)[j * map->width + i];
}

static void give(const struct slump *s, const struct tw_value *map, float *loss, float *total)
{
    for (int32_t y = 0; y < map->height; y++)
        for (int32_t x = 0; x < map->width; x++) {
            float most = 0, sum = 0;
            for (int k = 0; k < 9; k++) {
                most = fmaxf(most, excess(s, map, x, y, k));
                sum += weight(s, map, x, y, k);
            }
            bool border = x == 0 || y == 0 || x == map->width - 1 || y == map->height - 1;
            loss[y * map->width + x] = s->kept && border ? 0 : s->rate * most;
            total[y * map->width + x] = sum;
        }
}

static void slump_plainly(const struct slump *s, struct tw_value *map, int passes)
{
    size_t count = tw_value_count(map);
    float *loss = malloc(3 * count * sizeof *loss), *total = loss + count, *next = total + count;
    assert_non_null(loss);
    for (int pass = 0; pass < passes; pass++) {
        give(s, map, loss, total);
        for (int32_t y = 0; y < map->height; y++)
            for (int32_t x = 0; x < map->width; x++) {
                float change = -loss[y * map->width + x];
                for (int k = 0; k < 9; k++) {
                    int32_t i = x + k % 3 - 1, j = y + k / 3 - 1, from = j * map->width + i;
                    if (k == 4 || i < 0 || j < 0 || i >= map->width || j >= map->height)
                        continue;
                    float part = weight(s, map, i, j, 8 - k);
                    if (part > 0)
                        change += loss[from] * part / total[from];
                }
                next[y * map->width + x] = tw_floats(map)[y * map->width + x] + change;
            }
        memcpy(tw_floats(map), next, count * sizeof *next);
    }
    free(loss);
}

static void kept(struct tw_value *map, float *water)
{
    const struct slump s = {true, false, 3.0f / (float)map->width, 0.25f};
    (void)water;
    slump_plainly(&s, map, 6);
}

static void by_distance(struct tw_value *map, float *water)
{
    const struct slump s = {false, true, 3.0f / (float)map->width, 0.25f};
    (void)water;
    slump_plainly(&s, map, 6);
}

/* A cone steeper than the talus comes to rest as a cone: as far along diagonals as along axes. */
static void rests_alike_in_all_directions(void **state)
{
    static float cells[129 * 129];
    struct tw_value in = {TW_HEIGHTMAP, 129, 129, cells};
    (void)state;
    for (int i = 0; i < 129 * 129; i++)
        cells[i] = fmaxf(0, 0.5f - 0.06f * hypotf((float)(i % 129 - 64), (float)(i / 129 - 64)));
    harness_give(0, &in);
    struct tw_result *result = harness_run(
        &(struct harness){.width = 129,
                          .height = 129,
                          .nodes = "in: {type: test.map}\n"
                                   "out: {type: erosion.thermal, in: in, talus: 2.58, slope: "
                                   "distance, iterations: 1000, border: closed}\n"});
    const float *out = tw_floats(tw_result_output(result, "out"));
    int peak = 64 * 129 + 64; /* 7 cells along the row are as far as 5 along the diagonal */
    float along = (out[peak] - out[peak + 7]) / 7;
    float across = (out[peak] - out[peak + 5 * 130]) / (5 * 1.41421356f);
    assert_true(fabsf(along / 0.02f - 1) < 0.01f); /* the talus, a cell */
    assert_true(fabsf(across / 0.02f - 1) < 0.1f);
    tw_result_release(result);
}

static void equals_the_plain_loop(void **state)
{
    (void)state;
    kernel_equals(thermal, "{type: erosion.thermal, in: in, talus: 3, rate: 0.25, iterations: 6}",
                  false);
    kernel_equals(closed,
                  "{type: erosion.thermal, in: in, talus: 3, rate: 0.25, iterations: 6, "
                  "border: closed}",
                  false);
    kernel_equals(kept,
                  "{type: erosion.thermal, in: in, talus: 3, rate: 0.25, iterations: 6, "
                  "border: kept}",
                  false);
    kernel_equals(by_distance,
                  "{type: erosion.thermal, in: in, talus: 3, rate: 0.25, iterations: 6, "
                  "border: closed, slope: distance}",
                  false);
}

/* T = 1/4: the peak loses (1 - T) / 2, an eighth of it to each of the equal neighbours. */
static void spreads_a_peak_evenly(void **state)
{
    float cells[8 * 8] = {0}, expected[8 * 8] = {0};
    struct tw_value in = {TW_HEIGHTMAP, 8, 8, cells};
    (void)state;
    cells[3 * 8 + 3] = 1;
    for (int i = 0; i < 9; i++)
        expected[(2 + i / 3) * 8 + 2 + i % 3] = 0.375f / 8;
    expected[3 * 8 + 3] = 0.625f;
    kernel_gives(&in, "{type: erosion.thermal, in: in, talus: 2, iterations: 1}", expected);
}

static void leaves_slopes_at_rest(void **state)
{
    float cells[16 * 16];
    struct tw_value in = {TW_HEIGHTMAP, 16, 16, cells};
    (void)state;
    for (int i = 0; i < 256; i++)
        cells[i] = (float)abs(i % 16 - 8) / 64; /* 1/64 a cell: 4 talus, T N = 16/64 */
    kernel_gives(&in, "{type: erosion.thermal, in: in, talus: 0.25, iterations: 9}", cells);
}

static void keeps_the_sum_of_heights(void **state)
{
    (void)state;
    kernel_keeps_sum("{type: erosion.thermal, in: in, talus: 2, iterations: 20}", 1e-5);
    kernel_keeps_sum("{type: erosion.thermal, in: in, talus: 2, iterations: 20, border: closed}",
                     1e-5);
}

static void does_nothing_in_no_iterations(void **state)
{
    (void)state;
    kernel_is_identity("{type: erosion.thermal, in: in, iterations: 0}");
}

static void refuses_no_talus(void **state)
{
    (void)state;
    kernel_refuses("{type: erosion.thermal, in: in, talus: 0}", "talus");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_plain_loop),    cmocka_unit_test(rests_alike_in_all_directions),
        cmocka_unit_test(spreads_a_peak_evenly),    cmocka_unit_test(leaves_slopes_at_rest),
        cmocka_unit_test(keeps_the_sum_of_heights), cmocka_unit_test(does_nothing_in_no_iterations),
        cmocka_unit_test(refuses_no_talus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
