/* SPDX-License-Identifier: MIT */
#include "support/record.h"
#include "support/symmetry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 60, CELLS = SIDE * SIDE };

static const double pi = 3.141592653589793;

/* The paper's figure 4: rows are the numbers of lower, columns of higher directions. */
static const char *const table[] = {"FFFTTVVVI", "FFTTTVVV.", "FHSSLLV..", "HHSSSL...", "HHPSS....",
                                    "RRPP.....", "RRR......", "RR.......", "K........"};
static const char letters[] = ".FKRHPSLTVI"; /* of the labels 1 to 10 */

/* 1 higher, -1 lower, 0 level, by the angles themselves. */
static int direction(const struct tw_value *map, int x, int y, int dx, int dy, double reach,
                     double exaggeration, double flatness, bool wrap)
{
    double most = 0, least = 0, here = (double)tw_floats(map)[y * map->width + x];
    bool seen = false;
    for (int k = 1; k == 1 || k * hypot(dx, dy) <= reach; k++) {
        int i = x + k * dx, j = y + k * dy, w = map->width, h = map->height;
        if (!wrap && (i < 0 || j < 0 || i >= w || j >= h))
            break;
        double z = (double)tw_floats(map)[(j % h + h) % h * w + (i % w + w) % w];
        double angle = atan2((z - here) * exaggeration * w, k * hypot(dx, dy)) * 180 / pi;
        most = !seen || angle > most ? angle : most;
        least = !seen || angle < least ? angle : least;
        seen = true;
    }
    return most + least > flatness ? 1 : -(most + least) > flatness ? -1 : 0;
}

static char form_at(const struct tw_value *map, int x, int y, double reach, double exaggeration,
                    double flatness, bool wrap)
{
    int higher = 0, lower = 0;
    for (int k = 0; k < 9; k++) {
        int seen = k == 4 ? 0
                          : direction(map, x, y, k % 3 - 1, k / 3 - 1, reach, exaggeration,
                                      flatness, wrap);
        higher += seen > 0;
        lower += seen < 0;
    }
    return table[lower][higher];
}

/* Also where angles are nearly upright, so that sums of two come near 180 degrees. */
static void equals_the_definition(void **state)
{
    static const int32_t sizes[][2] = {{1, 1}, {1, 20}, {20, 1}, {40, 33}, {300, 7}};
    static const struct {
        double exaggeration, flatness;
    } settings[] = {{(double)0.15f, 5}, {1000, 1}, {30, 45}};
    (void)state;
    for (int i = 0; i < 60; i++) {
        struct tw_value map = harness_terrain(sizes[i % 5][0], sizes[i % 5][1], 3);
        bool wrap = i / 5 % 2;
        double radius = i / 10 % 2 ? 0.2 : 0, exaggeration = settings[i / 20].exaggeration;
        double flatness = settings[i / 20].flatness;
        char node[200];
        snprintf(node, sizeof node,
                 "type: measure.landforms, in: in, radius: %g, exaggeration: %g, flatness: %g, "
                 "border: %s",
                 radius, exaggeration, flatness, wrap ? "wrap" : "closed");
        struct tw_value out = symmetry_run(&map, node, "out");
        for (int k = 0; k < map.width * map.height; k++) {
            char expected =
                form_at(&map, k % map.width, k / map.width, (double)(float)radius * map.width,
                        exaggeration, flatness, wrap);
            if (letters[(int)tw_floats(&out)[k]] != expected)
                fail_msg("%d, cell %d: %c, not %c", i, k, letters[(int)tw_floats(&out)[k]],
                         expected);
        }
        free(out.data);
        free(map.data);
    }
}

/* Upside down peaks are pits, ridges valleys, shoulders footslopes, spurs hollows. */
static void upside_down_is_transposed(void **state)
{
    static const int other[] = {0, 1, 10, 9, 8, 7, 6, 5, 4, 3, 2};
    static float cells[CELLS];
    const struct tw_value below = {TW_HEIGHTMAP, SIDE, SIDE, cells};
    struct tw_value map = harness_terrain(SIDE, SIDE, 4);
    struct tw_value out = symmetry_run(&map, "type: measure.landforms, in: in", "out");
    bool met[11] = {false};
    (void)state;
    for (int i = 0; i < CELLS; i++)
        cells[i] = -tw_floats(&map)[i];
    struct tw_value turned = symmetry_run(&below, "type: measure.landforms, in: in", "out");
    for (int i = 0; i < CELLS; i++) {
        int form = (int)tw_floats(&out)[i];
        assert_int_equal((int)tw_floats(&turned)[i], other[form]);
        met[form] = true;
    }
    assert_true(met[2] && met[3] && met[5] && met[6] && met[7] && met[9] && met[10]);
    free(out.data);
    free(turned.data);
    free(map.data);
}

/* A needle is a peak, though its directions look down by nearly 90 degrees, twice; and every cell
 * of steep land is one of the ten. */
static void steep_land_has_landforms(void **state)
{
    static float cells[25] = {[12] = 4};
    const struct tw_value needle = {TW_HEIGHTMAP, 5, 5, cells};
    struct tw_value land = harness_terrain(SIDE, SIDE, 4);
    (void)state;
    struct tw_value out =
        symmetry_run(&needle, "type: measure.landforms, in: in, exaggeration: 1000", "out");
    assert_int_equal((int)tw_floats(&out)[12], 2);
    free(out.data);
    for (int i = 0; i < CELLS; i++)
        tw_floats(&land)[i] *= 1000;
    out = symmetry_run(&land, "type: measure.landforms, in: in", "out");
    for (int i = 0; i < CELLS; i++)
        assert_true(tw_floats(&out)[i] >= 1 && tw_floats(&out)[i] <= 10);
    free(out.data);
    free(land.data);
}

static void the_record_counts_the_labels(void **state)
{
    static const char *const names[] = {"flat",  "peak",   "ridge",     "shoulder", "spur",
                                        "slope", "hollow", "footslope", "valley",   "pit"};
    struct tw_value map = harness_terrain(SIDE, SIDE, 4);
    double counts[11] = {0}, sum = 0;
    (void)state;
    harness_give(0, &map);
    struct tw_result *result = harness_run(
        &(struct harness){.width = SIDE,
                          .height = SIDE,
                          .head = "world: {side_m: 1000, height_m: 150}\n",
                          .nodes = "in: {type: test.map}\n"
                                   "forms: {type: measure.landforms, in: in}\n"
                                   "metres: {type: measure.landforms, in: in, metres: true, "
                                   "exaggeration: 9}\n",
                          .outputs = "record: forms.record\n"});
    const struct tw_value *forms = tw_result_output(result, "forms");
    for (int i = 0; i < CELLS; i++)
        counts[tw_labels(forms)[i]]++;
    for (int i = 0; i < 10; i++) {
        double share = record_number(tw_result_output(result, "record"), names[i]);
        assert_true(fabs(share - counts[i + 1] / CELLS) < 1e-12);
        sum += share;
    }
    assert_true(fabs(sum - 1) < 1e-12);
    assert_memory_equal(tw_labels(tw_result_output(result, "metres")), tw_labels(forms),
                        CELLS * sizeof(int32_t)); /* 150 m on 1000 m */
    tw_result_release(result);
    free(map.data);
}

static void reaches_the_decimal_that_is_written(void **state)
{
    (void)state;
    symmetry_reaches("measure.landforms", "out");
}

static void turns_and_rolls_with_the_map(void **state)
{
    (void)state;
    symmetry_turns("type: measure.landforms, in: in, radius: 0.2, border: closed", "out", 0, 0);
    symmetry_rolls("type: measure.landforms, in: in, radius: 0.2, border: wrap", "out", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_the_definition),
                                       cmocka_unit_test(upside_down_is_transposed),
                                       cmocka_unit_test(steep_land_has_landforms),
                                       cmocka_unit_test(the_record_counts_the_labels),
                                       cmocka_unit_test(reaches_the_decimal_that_is_written),
                                       cmocka_unit_test(turns_and_rolls_with_the_map)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
