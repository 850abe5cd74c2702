/* SPDX-License-Identifier: MIT */
/* shape.slope_blur: planes move by half the distance, extremes stay on their side, and a plain walk
 * in double takes the same heights. */
#include "support/harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 48 };

static struct tw_result *blur(const struct tw_value *in, const char *more)
{
    char nodes[300];
    harness_give(0, in);
    snprintf(nodes, sizeof nodes,
             "in: {type: test.map}\nout: {type: shape.slope_blur, in: in, %s}\n", more);
    return harness_run(&(struct harness){.width = N, .height = N, .nodes = nodes});
}

/* Slope 0.5 to the east and 0.3 to the south, in rise per map side. */
static void planes_move_by_half_the_distance(void **state)
{
    static float cells[N * N];
    const struct tw_value in = {TW_HEIGHTMAP, N, N, cells};
    double slope = sqrt(0.5 * 0.5 + 0.3 * 0.3);
    (void)state;
    for (int i = 0; i < N * N; i++)
        cells[i] = 0.5f * (float)(i % N) / N + 0.3f * (float)(i / N) / N;
    static const struct {
        const char *more;
        double moved;
    } rows[] = {{"take: mean", -0.05},
                {"take: minimum", -0.1},
                {"take: maximum", 0},
                {"take: mean, direction: ascent, steps: 3", 0.05},
                {"take: maximum, direction: ascent", 0.1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char more[200];
        snprintf(more, sizeof more, "border: closed, radius: 0, distance: 0.1, %s", rows[i].more);
        struct tw_result *result = blur(&in, more);
        for (int y = 10; y < N - 10; y++)
            for (int x = 10; x < N - 10; x++) {
                double found = tw_floats(tw_result_output(result, "out"))[y * N + x];
                if (fabs(found - (double)cells[y * N + x] - slope * rows[i].moved) > 1e-5)
                    fail_msg("%s: %g at %d, %d", rows[i].more, found - (double)cells[y * N + x], x,
                             y);
            }
        tw_result_release(result);
    }
}

/* Heights far from 0 have few digits left for what they differ by, and keep those. */
static void a_flat_map_stays_at_any_height(void **state)
{
    static const float heights[] = {0.3f, -0.7f, 1e-7f, 1e6f};
    static float cells[N * N];
    const struct tw_value in = {TW_HEIGHTMAP, N, N, cells};
    (void)state;
    for (size_t h = 0; h < sizeof heights / sizeof *heights; h++) {
        for (int i = 0; i < N * N; i++)
            cells[i] = heights[h];
        struct tw_result *result = blur(&in, "steps: 256, distance: 0.2");
        assert_memory_equal(tw_floats(tw_result_output(result, "out")), cells, sizeof cells);
        tw_result_release(result);
    }
}

static void extremes_stay_on_their_side(void **state)
{
    struct tw_value in = harness_terrain(N, N, 7);
    (void)state;
    struct tw_result *low = blur(&in, "take: minimum, distance: 0.1");
    struct tw_result *mean = blur(&in, "distance: 0.1");
    struct tw_result *high = blur(&in, "take: maximum, distance: 0.1");
    struct tw_result *none = blur(&in, "distance: 0");
    for (int i = 0; i < N * N; i++) {
        float z = tw_floats(&in)[i], least = tw_floats(tw_result_output(low, "out"))[i];
        float middle = tw_floats(tw_result_output(mean, "out"))[i];
        float greatest = tw_floats(tw_result_output(high, "out"))[i];
        assert_true(least <= z && greatest >= z);
        assert_true(least <= middle + 1e-6f && middle <= greatest + 1e-6f);
        assert_true(fabsf(tw_floats(tw_result_output(none, "out"))[i] - z) < 1e-6f);
    }
    tw_result_release(low);
    tw_result_release(mean);
    tw_result_release(high);
    tw_result_release(none);
    free(in.data);
}

static int wrapped(int i) { return ((i % N) + N) % N; }

static double height_at(const float *z, double x, double y)
{
    int x0 = (int)floor(x), y0 = (int)floor(y);
    double fx = x - x0, fy = y - y0, sum = 0;
    for (int i = 0; i < 4; i++)
        sum += (i % 2 ? fx : 1 - fx) * (i / 2 ? fy : 1 - fy) *
               (double)z[wrapped(y0 + i / 2) * N + wrapped(x0 + i % 2)];
    return sum;
}

/* The unit vector down the interpolated slope. */
static void direction_at(const float *z, double x, double y, double *dx, double *dy)
{
    *dx = height_at(z, x - 1, y) - height_at(z, x + 1, y);
    *dy = height_at(z, x, y - 1) - height_at(z, x, y + 1);
    double length = sqrt(*dx * *dx + *dy * *dy);
    *dx /= length;
    *dy /= length;
}

static double reference(const float *z, int x, int y, double distance, int steps)
{
    double px = x, py = y, step = distance / steps, sum = height_at(z, px, py);
    for (int i = 0; i < steps; i++) {
        double ax, ay, bx, by;
        direction_at(z, px, py, &ax, &ay);
        direction_at(z, px + step / 2 * ax, py + step / 2 * ay, &bx, &by);
        if (ax * bx + ay * by < 0) {
            step /= 2;
            bx = ax;
            by = ay;
        }
        px += step * bx;
        py += step * by;
        sum += height_at(z, px, py);
    }
    return sum / (steps + 1);
}

/* Smooth hills on a torus, where rounding decides no direction. */
static void equals_a_plain_walk(void **state)
{
    static float cells[N * N];
    const struct tw_value in = {TW_HEIGHTMAP, N, N, cells};
    int far = 0;
    (void)state;
    for (int i = 0; i < N * N; i++)
        cells[i] = (float)(0.5 + 0.2 * sin(2 * M_PI * (i % N + 0.37 * (i / N)) / N) *
                                     cos(4 * M_PI * (i / N) / N));
    struct tw_result *result = blur(&in, "border: wrap, radius: 0, distance: 0.125, steps: 6");
    for (int i = 0; i < N * N; i++) {
        /* the slant does not close around the torus: leave the seam out */
        if (i % N < 8 || i % N >= N - 8 || i / N < 8 || i / N >= N - 8)
            continue;
        double expected = reference(cells, i % N, i / N, 6, 6);
        far += fabs((double)tw_floats(tw_result_output(result, "out"))[i] - expected) > 1e-5;
    }
    assert_int_equal(far, 0);
    tw_result_release(result);
}

/* The way follows the guide alone. */
static void a_guide_gives_the_way(void **state)
{
    static float cells[N * N], ramp[N * N];
    const struct tw_value in = {TW_HEIGHTMAP, N, N, cells}, guide = {TW_HEIGHTMAP, N, N, ramp};
    (void)state;
    for (int i = 0; i < N * N; i++) {
        cells[i] = (float)(i / N) / N;
        ramp[i] = (float)(i % N);
    }
    harness_give(0, &in);
    harness_give(1, &guide);
    struct tw_result *result = harness_run(
        &(struct harness){.width = N,
                          .height = N,
                          .nodes = "in: {type: test.map}\nguide: {type: test.map, slot: 1}\n"
                                   "out: {type: shape.slope_blur, in: in, guide: guide, "
                                   "border: closed, distance: 0.2}\n"});
    for (int i = 0; i < N * N; i++) /* across the slope of `in` */
        assert_true(fabsf(tw_floats(tw_result_output(result, "out"))[i] - cells[i]) < 1e-6f);
    tw_result_release(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planes_move_by_half_the_distance),
        cmocka_unit_test(a_flat_map_stays_at_any_height),
        cmocka_unit_test(extremes_stay_on_their_side),
        cmocka_unit_test(equals_a_plain_walk),
        cmocka_unit_test(a_guide_gives_the_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
