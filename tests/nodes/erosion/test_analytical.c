/* SPDX-License-Identifier: MIT */
/* Land of a given age against its equations, followed cell by cell down to the outlet. */
#include "support/everywhere.h"
#include "support/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct law {
    double uplift_rate, K, m, hillslope, talus, age;
    const float *uplift, *hardness; /* may be NULL */
};

/* A map whose cells drain to receivers; outlets have none, -1. */
struct land {
    int32_t width, cells;
    const float *start;
    const int32_t *receiver;
    const double *length, *area; /* of the step to the receiver, in sides; upstream, in sides^2 */
};

static double speed_at(const struct land *land, const struct law *law, int32_t i)
{
    double soft = law->hardness ? 1 - (double)law->hardness[i] : 1;
    double slopes = law->hillslope / 1.4 * pow(land->area[i], -0.6);
    return (law->K * pow(land->area[i], law->m) + slopes) * soft;
}

static double rate_at(const struct law *law, int32_t i)
{
    return law->uplift_rate * (law->uplift ? (double)law->uplift[i] : 1);
}

/* Goes down the river for as long as the age lasts. */
static double height_of(const struct land *land, const struct law *law, int32_t i)
{
    double left = law->age, risen = 0;
    for (; land->receiver[i] >= 0; i = land->receiver[i]) {
        double speed = speed_at(land, law, i), below = (double)land->start[land->receiver[i]];
        if (speed * left <= land->length[i])
            return (double)land->start[i] -
                   speed * left / land->length[i] * ((double)land->start[i] - below) + risen +
                   rate_at(law, i) * left;
        left -= land->length[i] / speed;
        risen += rate_at(law, i) * land->length[i] / speed;
    }
    return (double)land->start[i] + risen;
}

/* The receiver of a cell that has a lower neighbour: the steepest of eight, the first on ties. */
static int32_t steepest(const float *z, int32_t width, int32_t cell)
{
    int32_t found = -1;
    double most = 0;
    for (int32_t k = 0; k < 9; k++) {
        int32_t next = cell + (k / 3 - 1) * width + k % 3 - 1;
        double drop = ((double)z[cell] - (double)z[next]) * (k % 2 ? 1 : sqrt(0.5));
        if (drop > most) {
            most = drop;
            found = next;
        }
    }
    return found;
}

enum { W = 47, H = 33, CELLS = W * H };

/* A roof that falls to the border, rough but without hollows. */
static void build_roof(float *z)
{
    struct tw_value rough = harness_terrain(W, H, 4);
    for (int32_t i = 0; i < CELLS; i++) {
        int32_t x = i % W, y = i / W;
        int32_t across = x < W - 1 - x ? x : W - 1 - x, down = y < H - 1 - y ? y : H - 1 - y;
        z[i] = 0.03f * (float)(across < down ? across : down) + 0.025f * tw_floats(&rough)[i];
    }
    free(rough.data);
}

struct drained {
    int32_t receiver[CELLS];
    double length[CELLS], area[CELLS];
};

static void drain(const float *z, struct drained *to)
{
    for (int32_t i = 0; i < CELLS; i++) {
        bool border = i % W == 0 || i % W == W - 1 || i / W == 0 || i / W == H - 1;
        int32_t r = border ? -1 : steepest(z, W, i), step = r < 0 ? 0 : abs(r - i);
        to->receiver[i] = r;
        to->length[i] = (step == 1 || step == W ? 1 : sqrt(2)) / W;
        to->area[i] = 0;
    }
    for (int32_t i = 0; i < CELLS; i++)
        for (int32_t at = i; at >= 0; at = to->receiver[at])
            to->area[at] += 1.0 / W / W;
}

/* Runs the node with masks m and n of slots 1 and 2 where the options name them. */
static struct tw_result *age(const struct tw_value *map, const char *options)
{
    char nodes[800];
    snprintf(nodes, sizeof nodes,
             "a: {type: test.map}\n%s%sout: {type: erosion.analytical, in: a, %s}\n",
             strstr(options, ": m") ? "m: {type: test.mask, slot: 1}\n" : "",
             strstr(options, ": n") ? "n: {type: test.mask, slot: 2}\n" : "", options);
    harness_give(0, map);
    return harness_run(&(struct harness){.width = map->width,
                                         .height = map->height,
                                         .nodes = nodes,
                                         .outputs = "flow: out.flow\neroded: out.eroded\n"
                                                    "deposited: out.deposited\n"
                                                    "ledger: out.ledger\n"});
}

static void expect_law(const float *z, const char *options, const struct law *law)
{
    static struct drained drained;
    const struct tw_value map = {TW_HEIGHTMAP, W, H, (float *)(uintptr_t)z};
    drain(z, &drained);
    const struct land land = {W, CELLS, z, drained.receiver, drained.length, drained.area};
    struct tw_result *result = age(&map, options);
    const float *out = tw_floats(tw_result_output(result, "out"));
    for (int32_t i = 0; i < CELLS; i++) {
        double expected = height_of(&land, law, i);
        int32_t r = drained.receiver[i];
        if (r >= 0 && expected < (double)out[r])
            expected = (double)out[r]; /* no hollow */
        if (r >= 0 && expected > (double)out[r] + law->talus * drained.length[i]) {
            double most = (double)out[r] + law->talus * drained.length[i];
            expected -= (expected - most) * (law->hardness ? 1 - (double)law->hardness[i] : 1);
        }
        if (fabs((double)out[i] - expected) > 1e-5)
            fail_msg("%s: cell %d is %g, not %g", options, (int)i, (double)out[i], expected);
    }
    tw_result_release(result);
}

/* From young land, where waves are within one step, to the steady state. */
static void one_pass_is_the_law_on_its_drainage(void **state)
{
    static float z[CELLS], uplift[CELLS], hardness[CELLS];
    static const double ages[] = {0.001, 0.05, 0.2, 0.6, 5};
    const struct tw_value lifted = {TW_MASK, W, H, uplift}, hard = {TW_MASK, W, H, hardness};
    (void)state;
    build_roof(z);
    for (int32_t i = 0; i < CELLS; i++) {
        uplift[i] = 0.3f + 0.7f * (float)(i % W) / W;
        hardness[i] = (float)(i / W % 5) / 4.0f; /* 0 to 1 */
    }
    harness_give(1, &lifted);
    harness_give(2, &hard);
    for (int k = 0; k < 5; k++) {
        char options[300];
        struct law law = {0.7, 5, 0.5, 0, 1e6, ages[k], NULL, NULL};
        const char *form = "passes: 1, border: fixed, uplift_rate: 0.7, K: 5, age: %g, talus: %g";
        snprintf(options, sizeof options, form, ages[k], 1e6);
        expect_law(z, options, &law);
        snprintf(options, sizeof options, form, ages[k], 3.0);
        strcat(options, ", uplift: m, hardness: n, m: 0.4, hillslope: 0.002");
        law = (struct law){0.7, 5, (double)0.4f, (double)0.002f, 3, ages[k], uplift, hardness};
        expect_law(z, options, &law);
    }
}

/* Straight up a river of 200 cells the steady state is that of implicit steps, Braun and Willett
 * 2013, eq. 23. */
static void old_land_is_that_of_steps_in_time(void **state)
{
    enum { N = 200 };
    static float z[N], at[N];
    static double stepped[N];
    const struct tw_value map = {TW_HEIGHTMAP, N, 1, z}, mask = {TW_MASK, N, 1, at};
    (void)state;
    at[0] = 1;
    for (int i = 0; i < N; i++)
        stepped[i] = z[i] = 0.001f * (float)i;
    for (int step = 0; step < 4000; step++)
        for (int i = 1; i < N; i++) {
            double f = 8 * sqrt((N - i) / (double)N / N) * 0.01 * N;
            stepped[i] = (stepped[i] + 0.5 * 0.01 + f * stepped[i - 1]) / (1 + f);
        }
    harness_give(1, &mask);
    struct tw_result *result = age(&map, "outlets: m, border: free, age: 40, talus: 1e6");
    const float *out = tw_floats(tw_result_output(result, "out"));
    for (int i = 0; i < N; i++)
        assert_true(fabs((double)out[i] - stepped[i]) < 1e-5);
    tw_result_release(result);
}

/* Across a level hollow, which young land fills up to its pass, rivers turn at many steps. */
static void rivers_wind_across_filled_hollows(void **state)
{
    enum { N = 96, RIM = 8 };
    static float z[N * N];
    const struct tw_value map = {TW_HEIGHTMAP, N, N, z};
    (void)state;
    for (int i = 0; i < N * N; i++) {
        int x = i % N, y = i / N, across = x < N - 1 - x ? x : N - 1 - x;
        int down = y < N - 1 - y ? y : N - 1 - y, depth = across < down ? across : down;
        bool gap = y < N / 2 && x == N / 2;
        z[i] = depth >= RIM ? 0.1f : gap ? 0.2f : 0.3f + 0.01f * (float)depth;
    }
    struct tw_result *result = age(&map, "border: fixed, uplift_rate: 0, K: 1, age: 0.001");
    const float *out = tw_floats(tw_result_output(result, "out"));
    int steps = 0, straight = 0;
    for (int y = RIM + 3; y < N - RIM - 3; y++)
        for (int x = RIM + 3; x < N - RIM - 3; x++) {
            int32_t cell = y * N + x, next = steepest(out, N, cell);
            steps++;
            straight += steepest(out, N, next) - next == next - cell;
        }
    print_message("%d of %d steps go straight on\n", straight, steps);
    assert_true(straight * 2 < steps);
    tw_result_release(result);
}

/* On any border each cell but the outlets has a way down, and what left is in the ledger. */
static void land_drains_and_its_mass_is_counted(void **state)
{
    static const char *const borders[] = {"wrap", "free", "fixed", "low"};
    struct tw_value map = harness_terrain(64, 48, 3);
    (void)state;
    for (int b = 0; b < 4; b++) {
        char options[100];
        snprintf(options, sizeof options, "age: 0.4, border: %s", borders[b]);
        struct tw_result *result = age(&map, options);
        const float *out = tw_floats(tw_result_output(result, "out"));
        const float *flow = tw_floats(tw_result_output(result, "flow"));
        const struct tw_value *ledger = tw_result_output(result, "ledger");
        double in_sum = 0, out_sum = 0, most = 0;
        for (int i = 0; i < 64 * 48; i++) {
            in_sum += (double)tw_floats(&map)[i];
            out_sum += (double)out[i];
            most = fmax(most, (double)flow[i]);
            bool pit = i % 64 && i % 64 < 63 && i / 64 && i / 64 < 47;
            for (int k = 0; k < 9 && pit; k++)
                pit = k == 4 || out[i + (k / 3 - 1) * 64 + k % 3 - 1] > out[i];
            assert_true(!pit || b == 0); /* on a torus the outlet lies anywhere */
        }
        assert_true(most > 0.05 && most <= 1);
        assert_true(fabs(in_sum + record_number(ledger, "raised") -
                         record_number(ledger, "exported") - out_sum) < 1e-3 * out_sum);
        assert_true(record_number(ledger, "raised") > 0.18 * 64 * 48);
        assert_true(fabs(record_number(ledger, "eroded") - record_number(ledger, "deposited") -
                         record_number(ledger, "exported")) < 1e-6 * out_sum);
        tw_result_release(result);
    }
    free(map.data);
}

static void expect_raised(const struct tw_value *map, const char *options, float rise)
{
    struct tw_result *result = age(map, options);
    const float *out = tw_floats(tw_result_output(result, "out"));
    int outlets = 0;
    for (int i = 0; i < map->width * map->height; i++) {
        bool kept = out[i] == tw_floats(map)[i];
        outlets += kept;
        assert_true(kept || fabsf(out[i] - tw_floats(map)[i] - rise) < 1e-5f);
    }
    assert_true(rise == 0 || outlets < map->width * map->height / 4);
    tw_result_release(result);
}

static void ground_that_nothing_wears_only_rises(void **state)
{
    static float z[CELLS], ones[CELLS], zeros[CELLS];
    const struct tw_value map = {TW_HEIGHTMAP, W, H, z};
    const struct tw_value one = {TW_MASK, W, H, ones}, zero = {TW_MASK, W, H, zeros};
    (void)state;
    build_roof(z);
    for (int i = 0; i < CELLS; i++)
        ones[i] = 1;
    harness_give(1, &one);
    harness_give(2, &zero);
    expect_raised(&map, "border: fixed, talus: 1e6, K: 0, age: 2", 1);
    expect_raised(&map, "border: fixed, hardness: m, age: 2", 1);
    expect_raised(&map, "border: fixed, talus: 1e6, uplift: n, hardness: m, age: 2", 0);
    expect_raised(&map, "border: fixed, mask: n, age: 2", 0);
    expect_raised(&map, "age: 0", 0);
}

/* A mask blends the change, and with it the ground that counts as raised. */
static void mask_takes_its_share(void **state)
{
    static float z[CELLS], half[CELLS];
    const struct tw_value map = {TW_HEIGHTMAP, W, H, z}, mask = {TW_MASK, W, H, half};
    (void)state;
    build_roof(z);
    for (int i = 0; i < CELLS; i++)
        half[i] = 0.25f;
    harness_give(1, &mask);
    struct tw_result *all = age(&map, "border: fixed");
    struct tw_result *part = age(&map, "border: fixed, mask: m");
    const float *whole = tw_floats(tw_result_output(all, "out"));
    const float *out = tw_floats(tw_result_output(part, "out"));
    for (int i = 0; i < CELLS; i++)
        assert_true(fabsf(out[i] - (0.75f * z[i] + 0.25f * whole[i])) < 1e-6f);
    assert_true(fabs(record_number(tw_result_output(part, "ledger"), "raised") -
                     0.25 * record_number(tw_result_output(all, "ledger"), "raised")) < 1e-3);
    tw_result_release(all);
    tw_result_release(part);
}

/* One cell, lines and level ground: all finite; a single cell is an outlet. */
static void takes_degenerate_maps(void **state)
{
    static const int32_t sizes[][2] = {{1, 1}, {1, 9}, {9, 1}, {2, 2}, {16, 16}};
    static const char *const borders[] = {"wrap", "free", "fixed", "low"};
    (void)state;
    for (int k = 0; k < 20; k++) {
        int32_t width = sizes[k % 5][0], height = sizes[k % 5][1];
        float *cells = calloc((size_t)width * (size_t)height, sizeof *cells);
        assert_non_null(cells);
        const struct tw_value map = {TW_HEIGHTMAP, width, height, cells};
        char options[60];
        snprintf(options, sizeof options, "border: %s", borders[k / 5]);
        struct tw_result *result = age(&map, options);
        const float *out = tw_floats(tw_result_output(result, "out"));
        for (int32_t i = 0; i < width * height; i++)
            assert_true(out[i] >= 0 && out[i] <= 0.5f);
        assert_true(width * height > 1 || out[0] == 0);
        tw_result_release(result);
        free(cells);
    }
}

static void refuses_outlets_that_are_nowhere(void **state)
{
    static float zeros[64 * 64];
    const struct tw_value zero = {TW_MASK, 64, 64, zeros};
    (void)state;
    harness_give(1, &zero);
    struct tw_error error =
        harness_fail(&(struct harness){.nodes = "a: {type: noise.midpoint}\n"
                                                "m: {type: test.mask, slot: 1}\n"
                                                "out: {type: erosion.analytical, in: a, "
                                                "outlets: m}\n"});
    assert_non_null(strstr(error.message, "'outlets' is nowhere 0.5 or more"));
}

static void gives_the_same_bytes_everywhere(void **state)
{
    struct harness harness = {.width = 129,
                              .height = 65,
                              .nodes = "a: {type: noise.midpoint, seed: 1}\n"
                                       "out: {type: erosion.analytical, in: a, age: 0.7}\n"};
    (void)state;
    struct tw_result *result = harness_run(&harness);
    everywhere(harness, "out", tw_floats(tw_result_output(result, "out")));
    tw_result_release(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_pass_is_the_law_on_its_drainage),
        cmocka_unit_test(old_land_is_that_of_steps_in_time),
        cmocka_unit_test(rivers_wind_across_filled_hollows),
        cmocka_unit_test(land_drains_and_its_mass_is_counted),
        cmocka_unit_test(ground_that_nothing_wears_only_rises),
        cmocka_unit_test(mask_takes_its_share),
        cmocka_unit_test(takes_degenerate_maps),
        cmocka_unit_test(refuses_outlets_that_are_nowhere),
        cmocka_unit_test(gives_the_same_bytes_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
