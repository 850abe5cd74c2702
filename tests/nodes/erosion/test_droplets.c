/* SPDX-License-Identifier: MIT */
/* erosion.droplets: the same bytes on any number of threads, ledgers that balance, and what a
 * droplet does on ground whose outcome is known. */
#include "support/harness.h"
#include "support/sanitized.h"

#include <thalweg/kernel.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tw_result *run(const struct tw_value *terrain, const char *more, int threads,
                             const char *simd)
{
    char nodes[400];
    snprintf(nodes, sizeof nodes,
             "in: {type: test.map}\n"
             "out: {type: erosion.droplets, in: in, seed: 5%s}\n",
             more);
    harness_give(0, terrain);
    return harness_run(&(struct harness){
        .width = terrain->width,
        .height = terrain->height,
        .threads = threads,
        .simd = simd,
        .nodes = nodes,
        .outputs = "eroded: out.eroded\ndeposited: out.deposited\nflow: out.flow\n"
                   "ledger: out.ledger\n"});
}

static double sum_of(const struct tw_value *map)
{
    double sum = 0;
    for (size_t i = 0; i < tw_value_count(map); i++)
        sum += (double)tw_floats(map)[i];
    return sum;
}

static double entry(const struct tw_result *result, const char *name)
{
    const struct tw_value *record = tw_result_output(result, "ledger");
    for (int32_t i = 0; i < record->width; i++)
        if (strcmp(tw_entries(record)[i].name, name) == 0)
            return tw_entries(record)[i].number;
    fail_msg("no entry %s", name);
    return 0;
}

static void same_bytes_on_any_number_of_threads(void **state)
{
    /* the first has several legs a colour */
    static const int32_t sides[][2] = {{900, 900}, {1, 1},  {1, 90},    {90, 1},
                                       {2, 2},     {3, 70}, {257, 129}, {300, 200}};
    static const char *const names[] = {"out", "eroded", "deposited", "flow"};
    static const char *const levels[] = {"base", "avx2", NULL};
    static const int threads[] = {2, 8, 3};
    (void)state;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        struct tw_value terrain = harness_terrain(sides[i][0], sides[i][1], 11);
        static const char *const settings[] = {
            ", density: 0.02", ", density: 0.05, radius: 5, lifetime: 300", ", side: 60"};
        const char *more = settings[i % 3];
        struct tw_result *one = run(&terrain, more, 1, NULL);
        for (int k = SANITIZED; k < 3 - RACES_ONLY; k++) {
            struct tw_result *many = run(&terrain, more, threads[k], levels[k]);
            for (int n = 0; n < 4; n++)
                harness_same(tw_result_output(many, names[n]),
                             tw_floats(tw_result_output(one, names[n])));
            tw_result_release(many);
        }
        tw_result_release(one);
        free(terrain.data);
    }
}

/* ---- droplets one by one, written out, with default parameters but for the radius ---- */

static uint64_t mix(uint64_t v)
{
    v = (v ^ (v >> 30)) * 0xBF58476D1CE4E5B9u;
    v = (v ^ (v >> 27)) * 0x94D049BB133111EBu;
    return v ^ (v >> 31);
}

/* What the engine makes of a recipe's seed 0 and a node's `seed: 5`. */
static uint64_t key_of_seed_5(void) { return mix(mix(0) ^ mix(5 + 0x9E3779B97F4A7C15u)); }

struct ground {
    float *h;
    int32_t w, height, radius;
    float brush[23][23];
};

static float between(const struct ground *g, float x, float y)
{
    int32_t i = (int32_t)x, j = (int32_t)y;
    float u = x - (float)i, v = y - (float)j;
    const float *at = g->h + j * g->w + i;
    float upper = at[0] * (1.0f - u) + at[1] * u;
    float lower = at[g->w] * (1.0f - u) + at[g->w + 1] * u;
    return upper * (1.0f - v) + lower * v;
}

/* Where the brush lies: its corner, its side, and its row as the node's vectors have it. */
struct lie {
    int32_t left, top, across, row;
    bool folded;
};

static struct lie lie_at(const struct ground *g, float x, float y)
{
    int32_t i = (int32_t)x + (x - floorf(x) >= 0.5f), j = (int32_t)y + (y - floorf(y) >= 0.5f);
    struct lie at = {i - g->radius + 1, j - g->radius + 1, 2 * g->radius - 1, 0, false};
    at.row = (at.across + 3) / 4 * 4;
    at.folded =
        at.left < 0 || at.top < 0 || at.left + at.row > g->w || at.top + at.across > g->height;
    return at;
}

static int32_t mirrored(int32_t i, int32_t n)
{
    while (i < 0 || i >= n)
        i = i < 0 ? -1 - i : 2 * n - 1 - i;
    return i;
}

/* Beyond the border lies what it mirrors. */
static float *cell_of(const struct ground *g, const struct lie *at, int32_t a, int32_t b)
{
    return &g->h[mirrored(at->top + b, g->height) * g->w + mirrored(at->left + a, g->w)];
}

static void paint(const struct ground *g, float x, float y, float amount)
{
    struct lie at = lie_at(g, x, y);
    for (int32_t b = 0; b < at.across; b++)
        for (int32_t a = 0; a < at.across; a++)
            *cell_of(g, &at, a, b) += amount * g->brush[b][a];
}

/* Takes no cell below `floor`. The order of the sum is the vectors': columns, then halves. */
static float dig(const struct ground *g, float x, float y, float amount, float floor)
{
    struct lie at = lie_at(g, x, y);
    float columns[24] = {0}, one_by_one = 0, sum = 0;
    for (int32_t b = 0; b < at.across; b++)
        for (int32_t a = 0; a < at.across; a++) {
            float *cell = cell_of(g, &at, a, b), before = *cell;
            float after = before - amount * g->brush[b][a];
            *cell = before <= floor ? before : after < floor ? floor : after;
            columns[a] += before - *cell;
            one_by_one += before - *cell;
        }
    for (int32_t a = 0; a < at.row / 2; a++)
        columns[a] += columns[a + at.row / 2];
    for (int32_t a = 0; a < at.row / 4; a++)
        sum += columns[a] + columns[a + at.row / 4];
    return at.folded ? one_by_one : sum;
}

static void put(const struct ground *g, float x, float y, float amount)
{
    int32_t i = (int32_t)x, j = (int32_t)y;
    float u = x - (float)i, v = y - (float)j, *at = g->h + j * g->w + i;
    at[0] += amount * (1.0f - u) * (1.0f - v);
    at[1] += amount * u * (1.0f - v);
    at[g->w] += amount * (1.0f - u) * v;
    at[g->w + 1] += amount * u * v;
}

static void roll(const struct ground *g, float x, float y)
{
    float dx = 0, dy = 0, speed = 1, water = 1, sediment = 0;
    for (int step = 0;; step++) {
        int32_t i = (int32_t)x, j = (int32_t)y;
        float u = x - (float)i, v = y - (float)j, *at = g->h + j * g->w + i;
        float gx = (at[1] - at[0]) * (1.0f - v) + (at[g->w + 1] - at[g->w]) * v;
        float gy = (at[g->w] - at[0]) * (1.0f - u) + (at[g->w + 1] - at[1]) * u;
        float turn = (1.0f - 0.1f) * (float)g->w;
        dx = dx * 0.1f - gx * turn;
        dy = dy * 0.1f - gy * turn;
        float length = sqrtf(dx * dx + dy * dy);
        if (step == 48 || !(length > 1e-12f)) {
            paint(g, x, y, sediment);
            return;
        }
        dx /= length;
        dy /= length;
        float nx = x + dx, ny = y + dy;
        if (!(nx >= 0 && ny >= 0 && nx < (float)(g->w - 1) && ny < (float)(g->height - 1)))
            return;
        float fall = between(g, x, y) - between(g, nx, ny);
        float slope = fall > 0.05f / (float)g->w ? fall : 0.05f / (float)g->w;
        float capacity = slope * speed * water * 8;
        if (fall < 0 || sediment > capacity) {
            float amount = (sediment - capacity) * 0.3f;
            if (fall < 0)
                amount = -fall < sediment ? -fall : sediment;
            put(g, x, y, amount);
            sediment -= amount;
        } else {
            float amount = (capacity - sediment) * 0.3f;
            amount = amount < fall ? amount : fall;
            sediment += dig(g, x, y, amount, between(g, nx, ny));
        }
        float square = speed * speed + fall * 4;
        speed = sqrtf(square > 0 ? square : 0);
        water *= 1.0f - 0.02f;
        x = nx;
        y = ny;
    }
}

static void rain_one_by_one(struct ground *g, uint32_t drops)
{
    float sum = 0;
    for (int32_t b = 0; b < 2 * g->radius - 1; b++)
        for (int32_t a = 0; a < 2 * g->radius - 1; a++) {
            float x = (float)(a + 1 - g->radius), y = (float)(b + 1 - g->radius);
            float weight = (float)g->radius - sqrtf(x * x + y * y);
            g->brush[b][a] = weight > 0 ? weight : 0;
            sum += g->brush[b][a];
        }
    for (int32_t b = 0; b < 2 * g->radius - 1; b++)
        for (int32_t a = 0; a < 2 * g->radius - 1; a++)
            g->brush[b][a] /= sum;
    for (uint32_t i = 0; i < drops; i++) {
        struct tw_random4 r = tw_random(key_of_seed_5(), i, 0, 0, 0);
        int32_t x = (int32_t)((uint64_t)r.at[0] * (uint64_t)(g->w - 1) >> 32);
        int32_t y = (int32_t)((uint64_t)r.at[1] * (uint64_t)(g->height - 1) >> 32);
        roll(g, (float)x + 0.99f * tw_uniform(r.at[2]), (float)y + 0.99f * tw_uniform(r.at[3]));
    }
}

static void gives_the_bytes_of_the_plain_loop(void **state)
{
    static const int32_t sides[][2] = {{2, 2}, {3, 40}, {64, 50}, {97, 71}};
    static const char *const levels[] = {"base", "avx2", NULL};
    (void)state;
    for (size_t i = 0; i < sizeof sides / sizeof *sides - SANITIZED; i++)
        for (int32_t radius = 1; radius <= 12; radius += radius < 4 ? 1 : 4) {
            struct tw_value terrain = harness_terrain(sides[i][0], sides[i][1], 13);
            size_t bytes = tw_value_count(&terrain) * sizeof(float);
            struct ground g = {malloc(bytes), terrain.width, terrain.height, radius, {{0}}};
            char more[80];
            assert_non_null(g.h);
            memcpy(g.h, terrain.data, bytes);
            rain_one_by_one(&g, (uint32_t)(tw_value_count(&terrain) / 4));
            snprintf(more, sizeof more, ", density: 0.25, radius: %d, order: sequential",
                     (int)radius);
            for (int k = 0; k < 3; k++) {
                struct tw_result *result = run(&terrain, more, 1 + k, levels[k]);
                harness_same(tw_result_output(result, "out"), g.h);
                tw_result_release(result);
            }
            free(g.h);
            free(terrain.data);
        }
}

static void tiles_of_one_map_are_sequential(void **state)
{
    struct tw_value terrain = harness_terrain(64, 50, 8);
    (void)state;
    struct tw_result *tiles = run(&terrain, ", density: 2", 2, NULL);
    struct tw_result *sequential = run(&terrain, ", density: 2, order: sequential", 2, NULL);
    harness_same(tw_result_output(tiles, "out"), tw_floats(tw_result_output(sequential, "out")));
    tw_result_release(tiles);
    tw_result_release(sequential);
    free(terrain.data);
}

static void its_ledger_balances(void **state)
{
    static const char *const settings[] = {"",
                                           ", radius: 1, inertia: 0.9",
                                           ", radius: 9",
                                           ", lifetime: 3",
                                           ", erosion: 1, deposition: 1",
                                           ", side: 40",
                                           ", side: 200"};
    struct tw_value terrain = harness_terrain(100, 91, 4);
    double before = sum_of(&terrain);
    (void)state;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        struct tw_result *result = run(&terrain, settings[i], 2, NULL);
        double after = sum_of(tw_result_output(result, "out"));
        double moved = entry(result, "eroded") - entry(result, "deposited");
        assert_true(fabs(before - after - entry(result, "exported")) < 1e-5 * before);
        assert_true(fabs(before - after - moved) < 1e-5 * before);
        assert_true(entry(result, "eroded") > 1 && entry(result, "exported") > 0);
        assert_true(fabs(sum_of(tw_result_output(result, "deposited")) -
                         entry(result, "deposited")) < 1e-6);
        tw_result_release(result);
    }
    free(terrain.data);
}

static void level_ground_stays(void **state)
{
    (void)state;
    struct tw_result *result =
        harness_run(&(struct harness){.nodes = "in: {type: source.constant, value: 0.5}\n"
                                               "out: {type: erosion.droplets, in: in}\n"});
    for (size_t i = 0; i < 64 * 64; i++)
        assert_true(tw_floats(tw_result_output(result, "out"))[i] == 0.5f);
    tw_result_release(result);
}

/* On a plane that falls to the east by 1 a side, droplets run east in their row: all water passes
 * the columns, and what is taken, with no deposition, leaves in the east. */
static void a_plane_sheds_to_its_foot(void **state)
{
    struct tw_value plane = harness_terrain(128, 128, 1);
    (void)state;
    for (size_t i = 0; i < tw_value_count(&plane); i++)
        tw_floats(&plane)[i] = 1 - (float)(i % 128) / 128;
    struct tw_result *result =
        run(&plane, ", density: 0.02, erosion: 0.001, evaporation: 0, lifetime: 200", 2, NULL);
    const float *flow = tw_floats(tw_result_output(result, "flow"));
    double west = 0, east = 0;
    for (size_t y = 0; y < 128; y++) {
        west += (double)flow[y * 128 + 1];
        east += (double)flow[y * 128 + 120];
    }
    int drops = (int)(0.02f * 128 * 128); /* uniform, so about 121 / 127 pass the 121st column */
    assert_true(east > 0.85 * drops && east < 1.05 * drops);
    assert_true(west < 0.1 * drops);
    assert_true(entry(result, "exported") >
                0.99 * (entry(result, "eroded") - entry(result, "deposited")));
    assert_true(entry(result, "deposited") < 0.05 * entry(result, "eroded"));
    tw_result_release(result);
    free(plane.data);
}

/* Digging stops where the droplet goes, so nothing sinks below the lowest ground there was: neither
 * at the border, where droplets take away what would fill a hole, nor by many droplets. */
static void nothing_sinks_below_the_lowest_ground(void **state)
{
    static const char *const settings[] = {", density: 4", ", density: 3, radius: 7",
                                           ", density: 2, erosion: 1, deposition: 0"};
    (void)state;
    for (uint32_t k = 0; k < (SANITIZED ? 3 : 6); k++) {
        struct tw_value terrain =
            harness_terrain(SANITIZED ? 40 : 96, (SANITIZED ? 30 : 70) + (int32_t)k, 40 + k);
        struct tw_result *result = run(&terrain, settings[k % 3], 2, NULL);
        const float *out = tw_floats(tw_result_output(result, "out"));
        float before = tw_floats(&terrain)[0], after = out[0];
        for (size_t i = 0; i < tw_value_count(&terrain); i++) {
            before = fminf(before, tw_floats(&terrain)[i]);
            after = fminf(after, out[i]);
        }
        assert_true(after >= before);
        tw_result_release(result);
        free(terrain.data);
    }
}

/* Valleys gather water: more of it in the lowest tenth of cells than in the highest. */
static void water_gathers_low(void **state)
{
    struct tw_value terrain = harness_terrain(200, 200, 6);
    double low = 0, high = 0;
    (void)state;
    struct tw_result *result = run(&terrain, ", density: 0.25, evaporation: 0", 2, NULL);
    const float *flow = tw_floats(tw_result_output(result, "flow"));
    float mean = (float)(sum_of(&terrain) / (200 * 200));
    for (size_t i = 0; i < tw_value_count(&terrain); i++)
        *(tw_floats(&terrain)[i] < mean ? &low : &high) += (double)flow[i];
    assert_true(low > 1.3 * high);
    tw_result_release(result);
    free(terrain.data);
}

static void tiles_look_like_one_after_the_other(void **state)
{
    struct tw_value terrain = harness_terrain(320, 256, 21);
    double slope[2] = {0}, squares = 0;
    (void)state;
    if (SANITIZED) { /* statistics: the same places as for the same bytes on all threads */
        free(terrain.data);
        skip();
    }
    struct tw_result *tiles = run(&terrain, "", 2, NULL);
    struct tw_result *one = run(&terrain, ", order: sequential", 2, NULL);
    const float *a = tw_floats(tw_result_output(tiles, "out"));
    const float *b = tw_floats(tw_result_output(one, "out"));
    for (size_t i = 1; i < tw_value_count(&terrain); i++) {
        slope[0] += fabs((double)(a[i] - a[i - 1]));
        slope[1] += fabs((double)(b[i] - b[i - 1]));
        squares += (double)(a[i] - b[i]) * (double)(a[i] - b[i]);
    }
    assert_true(fabs(slope[0] / slope[1] - 1) < 0.02);
    assert_true(squares > 0 && sqrt(squares / (320 * 256)) < 0.02);
    assert_true(fabs(entry(tiles, "eroded") / entry(one, "eroded") - 1) < 0.02);
    tw_result_release(tiles);
    tw_result_release(one);
    free(terrain.data);
}

/* Droplets rest at once on level ground; the forecast cannot know. */
static void forecasts_long_runs(void **state)
{
    struct tw_value terrain = harness_terrain(64, 64, 1);
    (void)state;
    memset(terrain.data, 0, tw_value_count(&terrain) * sizeof(float));
    tw_result_release(run(&terrain, ", density: 100, lifetime: 400", 2, NULL));
    assert_string_equal(harness_warning(), "");
    tw_result_release(run(&terrain, ", density: 100, lifetime: 10000", 2, NULL));
    const char *forecast = "409600 droplets of up to 10000 steps take up to 2 minutes on one core";
    assert_non_null(strstr(harness_warning(), forecast));
    free(terrain.data);
}

/* Droplets run along closed sides, and their load stays. */
static void nothing_leaves_over_closed_sides(void **state)
{
    static const char *const closed[] = {"", ", closed: [west]",
                                         ", closed: [north, east, south, west]",
                                         ", side: 40, closed: [north, east, south, west]"};
    struct tw_value plane = harness_terrain(100, 91, 4);
    double exported[4];
    (void)state;
    for (int i = 0; i < 100 * 91; i++) /* down to the west */
        tw_floats(&plane)[i] = 0.02f * tw_floats(&plane)[i] + 0.01f * (float)(i % 100);
    double before = sum_of(&plane);
    for (int i = 0; i < 4; i++) {
        struct tw_result *result = run(&plane, closed[i], 2, NULL);
        exported[i] = entry(result, "exported");
        assert_true(fabs(before - sum_of(tw_result_output(result, "out")) - exported[i]) <
                    1e-5 * before);
        tw_result_release(result);
    }
    assert_true(exported[0] > 1 && exported[1] < 0.5 * exported[0]);
    assert_true(exported[2] == 0 && exported[3] == 0);
    free(plane.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bytes_on_any_number_of_threads),
        cmocka_unit_test(gives_the_bytes_of_the_plain_loop),
        cmocka_unit_test(tiles_of_one_map_are_sequential),
        cmocka_unit_test(its_ledger_balances),
        cmocka_unit_test(nothing_leaves_over_closed_sides),
        cmocka_unit_test(level_ground_stays),
        cmocka_unit_test(a_plane_sheds_to_its_foot),
        cmocka_unit_test(nothing_sinks_below_the_lowest_ground),
        cmocka_unit_test(water_gathers_low),
        cmocka_unit_test(tiles_look_like_one_after_the_other),
        cmocka_unit_test(forecasts_long_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
