/* SPDX-License-Identifier: MIT */
#include "support/everywhere.h"
#include "support/harness.h"

#include <thalweg/kernel.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char outputs[] = "water: out.water\nsediment: out.sediment\n"
                              "velocity: out.velocity\nledger: out.ledger\n"
                              "eroded: out.eroded\ndeposited: out.deposited\n";

static struct tw_result *erode(const struct tw_value *map, const char *settings)
{
    char nodes[600];
    snprintf(nodes, sizeof nodes, "in: {type: test.map}\nout: {type: erosion.pipes, in: in, %s}\n",
             settings);
    harness_give(0, map);
    return harness_run(&(struct harness){.width = map->width,
                                         .height = map->height,
                                         .nodes = nodes,
                                         .outputs = outputs,
                                         .threads = 2});
}

static double sum(const struct tw_value *map)
{
    double total = 0;
    for (size_t i = 0; i < tw_value_count(map); i++)
        total += (double)tw_floats(map)[i];
    return total;
}

static double booked(const struct tw_result *result, const char *name)
{
    const struct tw_value *ledger = tw_result_output(result, "ledger");
    for (size_t i = 0; i < tw_value_count(ledger); i++)
        if (strcmp(tw_entries(ledger)[i].name, name) == 0)
            return tw_entries(ledger)[i].number;
    fail_msg("the ledger has no %s", name);
    return 0;
}

static bool close_to(double a, double b, double share) { return fabs(a - b) <= share * fabs(b); }

static void keeps_its_books(void **state)
{
    static const char *const borders[] = {"border: closed, steps: 120, dt: 0.01, capacity: 0.05",
                                          "border: open, steps: 120, dt: 0.01, capacity: 0.05"};
    static const int32_t sizes[][2] = {{47, 131}, {1, 80}, {30, 1}, {2, 3}, {1, 1}};
    (void)state;
    for (int i = 0; i < 10; i++) {
        struct tw_value map = harness_terrain(sizes[i / 2][0], sizes[i / 2][1], 7);
        struct tw_result *result = erode(&map, borders[i % 2]);
        double in = sum(&map), out = sum(tw_result_output(result, "out"));
        double exported = booked(result, "exported_sediment");
        double rained = booked(result, "rained");
        assert_true(close_to(out + exported, in, 1e-6));
        assert_true(fabs(in - out - sum(tw_result_output(result, "eroded")) +
                         sum(tw_result_output(result, "deposited"))) < 1e-6 * in);
        assert_true(fabs(booked(result, "eroded") - booked(result, "deposited") - exported) <
                    1e-6 * in);
        assert_true(
            close_to(booked(result, "eroded"), sum(tw_result_output(result, "eroded")), 1e-9));
        assert_true(close_to(booked(result, "deposited"),
                             sum(tw_result_output(result, "deposited")), 1e-9));
        assert_true(
            close_to(booked(result, "water_left"), sum(tw_result_output(result, "water")), 1e-9));
        assert_true(close_to(booked(result, "evaporated") + booked(result, "exported_water") +
                                 booked(result, "water_left"),
                             rained, 1e-4));
        assert_true(close_to(rained, 0.02 * 1.2 * (double)tw_value_count(&map), 1e-4));
        if (i % 2 == 0)
            assert_true(exported == 0 && booked(result, "exported_water") == 0);
        if (i < 2)
            assert_true(booked(result, "eroded") > 0.001 * in && (i == 0 || exported > 0));
        tw_result_release(result);
        free(map.data);
    }
}

static void water_on_a_flat_stands_still(void **state)
{
    float cells[20 * 30];
    struct tw_value map = {TW_HEIGHTMAP, 20, 30, cells};
    (void)state;
    for (int i = 0; i < 600; i++)
        cells[i] = 0.25f;
    struct tw_result *result = erode(&map, "evaporation: 0, rain: 0.5, dt: 0.01, steps: 100");
    for (int i = 0; i < 600; i++) {
        assert_true(tw_floats(tw_result_output(result, "out"))[i] == 0.25f);
        assert_true(fabs((double)tw_floats(tw_result_output(result, "water"))[i] - 0.5) < 1e-4);
        assert_true(tw_floats(tw_result_output(result, "velocity"))[2 * i] == 0);
    }
    tw_result_release(result);
}

/* Two basins joined over a sill end with one level. */
static void water_finds_its_level(void **state)
{
    float cells[32 * 4];
    struct tw_value map = {TW_HEIGHTMAP, 32, 4, cells};
    (void)state;
    for (int i = 0; i < 32 * 4; i++)
        cells[i] = i % 32 < 15 ? 0.2f : i % 32 > 17 ? 0.0f : 0.3f;
    struct tw_result *result =
        erode(&map, "evaporation: 0, rain: 0.1, capacity: 0, dissolve: 0, friction: 2, dt: 0.01, "
                    "steps: 4000");
    const float *water = tw_floats(tw_result_output(result, "water"));
    for (int i = 0; i < 32 * 4; i++)
        assert_true(fabsf(water[i] + cells[i] - water[0] - cells[0]) < 1e-2f);
    assert_true(water[0] > 3);
    tw_result_release(result);
}

/* ---- the scheme, cell by cell ---- */

enum { W = 37, H = 163, CELLS = W * H }; /* rows for several tiles, of an odd number of passes */

struct plain {
    float ground[CELLS], water[CELLS], sediment[CELLS], load[CELLS], next[CELLS], flux[4][CELLS];
    float carries[CELLS];
};
static const int step_x[4] = {-1, 1, 0, 0}, step_y[4] = {0, 0, -1, 1}; /* left right up down */

static int neighbour(int i, int k)
{
    int x = i % W + step_x[k], y = i / W + step_y[k];
    return x < 0 || y < 0 || x >= W || y >= H ? -1 : y * W + x;
}

static void plain_flow(struct plain *p, float dt, float push, float drag)
{
    for (int i = 0; i < CELLS; i++) {
        float f[4];
        for (int k = 0; k < 4; k++) {
            int n = neighbour(i, k) < 0 ? i : neighbour(i, k);
            float drop = (p->ground[i] + p->water[i]) - (p->ground[n] + p->water[n]);
            f[k] = drag * p->flux[k][i] + push * drop;
            f[k] = f[k] > 0 ? f[k] : 0;
        }
        float along = f[0] + f[1], across = f[2] + f[3];
        float expected = 1.41421356f * dt * sqrtf(along * along + across * across);
        float most = 0.999999f * p->water[i];
        for (int k = 0; k < 4; k++)
            p->flux[k][i] = f[k] * (expected > most ? most / expected : 1.0f);
        p->load[i] = p->water[i] > 0 ? dt * p->sediment[i] / p->water[i] : 0;
    }
}

static float arriving(const struct plain *p, const float *load, int i, int k)
{
    int n = neighbour(i, k);
    return n < 0 ? 0 : (load ? load[n] : 1.0f) * p->flux[k ^ 1][n];
}

/* Mean of what water carries over the cell and its neighbours; beyond the border as on it. */
static float carries_around(const float *carries, int i)
{
    float columns[3];
    for (int k = 0; k < 3; k++) {
        float rows[3];
        for (int j = 0; j < 3; j++) {
            int x = i % W + k - 1, y = i / W + j - 1;
            rows[j] = carries[tw_clamp_index(y, H) * W + tw_clamp_index(x, W)];
        }
        columns[k] = (rows[0] + rows[2]) + 2 * rows[1];
    }
    return 0.0625f * ((columns[0] + columns[2]) + 2 * columns[1]);
}

static void plain_erode(struct plain *p, float dt, float capacity, float rate, float keep,
                        float slope)
{
    float before[CELLS];
    memcpy(before, p->carries, sizeof before);
    for (int i = 0; i < CELLS; i++) {
        float in[4], out[4], come[4], z[4];
        for (int k = 0; k < 4; k++) {
            in[k] = arriving(p, NULL, i, k);
            come[k] = arriving(p, p->load, i, k);
            out[k] = p->flux[k][i];
            z[k] = p->ground[neighbour(i, k) < 0 ? i : neighbour(i, k)];
        }
        float net = ((in[0] + in[1]) + (in[2] + in[3])) - ((out[0] + out[1]) + (out[2] + out[3]));
        float after = p->water[i] + dt * net;
        after = after > 0 ? after : 0;
        float along = (in[0] - out[0]) + (out[1] - in[1]);
        float across = (in[2] - out[2]) + (out[3] - in[3]), depth = p->water[i] + after;
        float speed = depth > 0 ? sqrtf(along * along + across * across) / depth : 0;
        float dx = slope * (z[1] - z[0]), dy = slope * (z[3] - z[2]), steep = dx * dx + dy * dy;
        float tilt = sqrtf(steep / (1.0f + steep)), thin = depth * (0.5f * (1.0f / 0.005f));
        float carries = capacity * (tilt > 0.05f ? tilt : 0.05f) * speed;
        p->carries[i] = carries * (thin < 1 ? thin : 1.0f);
        float own = p->load[i];
        float gone = (own * out[0] + own * out[1]) + (own * out[2] + own * out[3]);
        float carried = (p->sediment[i] - gone) + ((come[0] + come[1]) + (come[2] + come[3]));
        p->next[i] = p->ground[i] - rate * (carries_around(before, i) - carried);
        p->sediment[i] = carried + (p->ground[i] - p->next[i]);
        p->water[i] = after * keep;
    }
    memcpy(p->ground, p->next, sizeof p->ground);
}

static void equals_the_plain_loop_everywhere(void **state)
{
    static struct plain p;
    struct tw_value map = harness_terrain(W, H, 3);
    float dt = 0.01f, rain = (float)((double)0.02f * (double)dt);
    double cell = 1.0 / W;
    (void)state;
    memset(&p, 0, sizeof p);
    memcpy(p.ground, map.data, sizeof p.ground);
    for (int step = 0; step < 30; step++) {
        for (int i = 0; i < CELLS; i++)
            p.water[i] += rain;
        plain_flow(&p, dt, (float)((double)dt * (double)0.05f * 10 / (cell * cell)),
                   (float)tw_exp(-5.0 * (double)dt));
        plain_erode(&p, dt, (float)((double)0.02f * cell), (float)(1 - tw_exp(-20 * (double)dt)),
                    (float)tw_exp((double)-(4.0f * dt)), (float)(0.25 / (2 * cell)));
    }
    for (int i = 0; i < CELLS; i++)
        p.next[i] = p.ground[i] + p.sediment[i];
    harness_give(0, &map);
    struct harness harness = {.width = W,
                              .height = H,
                              .nodes = "in: {type: test.map}\n"
                                       "out: {type: erosion.pipes, in: in, capacity: 0.02, "
                                       "dt: 0.01, steps: 30, substeps: one}\n",
                              .outputs = outputs};
    everywhere(harness, "out", p.next);
    everywhere(harness, "water", p.water);
    free(map.data);
}

static void names_the_largest_stable_step(void **state)
{
    (void)state;
    struct tw_error error = harness_fail(&(struct harness){
        .width = 100,
        .height = 100,
        .nodes = "in: {type: noise.midpoint}\n"
                 "out: {type: erosion.pipes, in: in, substeps: one, dt: 0.02}\n"});
    assert_non_null(strstr(error.message, "largest stable one is 0.01 "));
}

/* What the message names is taken, and one per cent more is not. */
static void takes_the_step_that_it_names(void **state)
{
    static const char wording[] = "largest stable one is ";
    double dt = 1;
    (void)state;
    for (int i = 0; i < 3; i++) {
        char nodes[300];
        snprintf(
            nodes, sizeof nodes,
            "in: {type: noise.midpoint}\n"
            "out: {type: erosion.pipes, in: in, pipe_area: 0.037, gravity: 9.81, substeps: one, "
            "steps: 20, dt: %.9g}\n",
            dt);
        const struct harness harness = {.width = 77, .height = 50, .nodes = nodes};
        if (i == 1) {
            struct tw_result *result = harness_run(&harness);
            tw_result_release(result);
            dt *= 1.01;
            continue;
        }
        struct tw_error error = harness_fail(&harness);
        const char *at = strstr(error.message, wording);
        assert_non_null(at);
        dt = strtod(at + strlen(wording), NULL);
    }
}

/* The same hills on finer cells are worn and flooded alike. */
static void scales_with_the_cells(void **state)
{
    double worn[2], water[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        int32_t side = 64 << i;
        struct tw_value map = harness_terrain(side, side, 1);
        for (int32_t k = 0; k < side * side; k++) {
            double x = (k % side + 0.5) / side, y = (k / side + 0.5) / side;
            tw_floats(&map)[k] = (float)(0.5 + 0.2 * sin(9 * x + 4 * y) + 0.1 * cos(17 * y - x));
        }
        struct tw_result *result = erode(&map, "steps: 100, dt: 0.005");
        worn[i] = booked(result, "eroded") / side / side;
        water[i] = booked(result, "water_left") / side / side;
        tw_result_release(result);
        free(map.data);
    }
    assert_true(close_to(worn[1], worn[0], 0.1) && close_to(water[1], water[0], 0.02));
}

/* Fans around a cone on a plain are as wide in all directions: four pipes once drew four lobes. */
static void lays_down_without_lobes(void **state)
{
    enum { SIDE = 192 };
    double fourfold = 0, all = 0;
    struct tw_value map = harness_terrain(SIDE, SIDE, 5);
    (void)state;
    for (int i = 0; i < SIDE * SIDE; i++) {
        double x = i % SIDE + 0.5 - SIDE / 2, y = i / SIDE + 0.5 - SIDE / 2;
        double height = fmax(0, 1 - sqrt(x * x + y * y) / (0.2 * SIDE));
        float rough = tw_floats(&map)[i];
        tw_floats(&map)[i] = (float)(0.36 * height * height) + 0.001f * rough;
    }
    struct tw_result *result = erode(&map, "capacity: 0.02, dt: 0.0025, steps: 300");
    const float *laid = tw_floats(tw_result_output(result, "deposited"));
    for (int i = 0; i < SIDE * SIDE; i++) {
        double x = i % SIDE + 0.5 - SIDE / 2, y = i / SIDE + 0.5 - SIDE / 2, r2 = x * x + y * y;
        double cos2 = (x * x - y * y) / r2,
               here = r2 > 0.24 * 0.24 * SIDE * SIDE ? (double)laid[i] : 0;
        fourfold += 2 * (2 * cos2 * cos2 - 1) * here;
        all += here;
    }
    if (!(fabs(fourfold / all) < 0.05))
        fail_msg("the fans' cos 4t is %+.3f of their mean", fourfold / all);
    tw_result_release(result);
    free(map.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_its_books),
        cmocka_unit_test(water_on_a_flat_stands_still),
        cmocka_unit_test(water_finds_its_level),
        cmocka_unit_test(equals_the_plain_loop_everywhere),
        cmocka_unit_test(names_the_largest_stable_step),
        cmocka_unit_test(takes_the_step_that_it_names),
        cmocka_unit_test(scales_with_the_cells),
        cmocka_unit_test(lays_down_without_lobes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
