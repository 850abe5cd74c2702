/* SPDX-License-Identifier: MIT */
/* Masks as materials over the ground, and water by mask, against a plain reference. */
#include "render/kernels/noise_tile.h"
#include "render/kernels/surface_light.h"
#include "support/everywhere.h"
#include "support/probe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 64, CELLS = SIDE * SIDE };

static float masks[2][CELLS], dry[CELLS];

/* Every share, in patches that cross. */
static void fill_masks(void)
{
    for (int i = 0; i < CELLS; i++) {
        masks[0][i] = fminf(fmaxf(1.4f * (float)(i % SIDE) / SIDE - 0.2f, 0), 1);
        masks[1][i] = fminf(fmaxf(1.6f * (float)((i * 7 / SIDE) % SIDE) / SIDE - 0.3f, 0), 1);
    }
}

/* Runs two surfaces of one rough map, with masks m0 and m1 and a mask of zeros, z. */
static struct tw_result *two(const char *a, const char *b)
{
    static char nodes[1200];
    static struct tw_value values[3];
    float *planes[] = {masks[0], masks[1], dry};
    fill_masks();
    for (int i = 0; i < 3; i++) {
        values[i] = (struct tw_value){TW_MASK, SIDE, SIDE, planes[i]};
        harness_give(i, &values[i]);
    }
    snprintf(nodes, sizeof nodes,
             "n: {type: noise.midpoint}\nm0: {type: test.mask}\nm1: {type: test.mask, slot: 1}\n"
             "z: {type: test.mask, slot: 2}\none: {type: shape.invert, in: z}\n"
             "a: {type: %s}\nb: {type: %s}\n",
             a, b);
    return harness_run(&(struct harness){.width = SIDE, .height = SIDE, .nodes = nodes});
}

static void same(const char *a, const char *b)
{
    struct tw_result *result = two(a, b);
    const struct tw_value *left = tw_result_output(result, "a");
    const struct tw_value *right = tw_result_output(result, "b");
    assert_int_equal(left->type, right->type);
    assert_int_equal(tw_value_count(left), tw_value_count(right));
    size_t size = left->type == TW_SURFACE ? sizeof(struct tw_surface_cell) : 3;
    assert_memory_equal(left->data, right->data, (size_t)tw_value_count(left) * size);
    tw_result_release(result);
}

#define PLAIN "render.surface, in: n, sea: 0.4, size: 256"

static void nothing_laid_changes_no_byte(void **state)
{
    (void)state;
    same(PLAIN, PLAIN ", layers: [], materials: []");
    same(PLAIN, PLAIN ", layers: [z, z], materials: [snow, {name: road, bump: 0}], water: z");
    same(PLAIN ", mood: desert, image: p}\np: {type: render.relief, in: n",
         PLAIN ", mood: desert, image: p, layers: z, materials: [lava]");
}

static void a_whole_layer_has_its_colour(void **state)
{
    (void)state;
    same("render.surface, in: n, size: 256, ramp: [[0, 9, 90, 200], [1, 9, 90, 200]]",
         "render.surface, in: n, size: 256, layers: one, "
         "materials: [{red: 9, green: 90, blue: 200, grain: 0}]");
    same("render.surface, in: n, size: 256, layers: one, materials: [{name: snow}]",
         "render.surface, in: n, size: 256, layers: [m0, one], "
         "materials: [lava, {red: 240, green: 245, blue: 252}]");
}

/* The mood's noise stays under a layer without bump; half a layer has half of it. */
static void bump_is_mixed_by_share(void **state)
{
    (void)state;
    const char *half = "h: {type: source.constant, value: 0.5}\nhm: {type: mask.from, in: h}\n";
    char with[500], without[300];
    snprintf(with, sizeof with,
             "render.surface, in: n, ramp: [[0, 99, 99, 99], [1, 99, 99, 99]], layers: hm, "
             "materials: [{red: 99, green: 99, blue: 99, grain: 0, ragged: 0, bump: 0}]}\n%s"
             "unused: {type: noise.midpoint",
             half);
    snprintf(without, sizeof without,
             "render.surface, in: n, ramp: [[0, 99, 99, 99], [1, 99, 99, 99]], bump: 0.5");
    struct tw_result *result = two(with, without);
    const uint16_t *a = tw_result_output(result, "a")->data;
    const uint16_t *b = tw_result_output(result, "b")->data;
    for (int i = 0; i < 4 * CELLS; i++)
        assert_true(abs(a[i] - b[i]) <= 2);
    tw_result_release(result);
}

/* ---- a plain reference: one cell at a time, in double ---- */

static const struct tw_material materials[] = {{{0.5f, 0.1f, 0.2f}, 1, 1, 1},
                                               {{0.1f, 0.4f, 0.7f}, 0.5f, 0, 2.5f}};
static const struct tw_rgb base = {0.3f, 0.2f, 0.1f};

static double part(struct tw_rgb c, int k) { return (double)(k == 0 ? c.r : k == 1 ? c.g : c.b); }

static double smooth(double a, double b, double v)
{
    double t = fmin(fmax((v - a) / (b - a), 0), 1);
    return t * t * (3 - 2 * t);
}

struct noise {
    double n1, n2;
};

static struct noise noise_at(const float *tile, int x, int y)
{
    const double k = 1024.0 / SIDE, wide = k / 29, fine = k / 3.3;
    double n1 = (double)tw_noise_tile_at(tile, (float)(x * wide), (float)(y * wide));
    double u = x * fine + 1.5 * n1, v = y * fine + 0.21 * x * fine;
    return (struct noise){n1, (double)tw_noise_tile_at(tile, (float)u, (float)v)};
}

static double laid(struct noise n, int i, int k)
{
    double colour = part(base, k);
    for (int l = 0; l < 2; l++) {
        const struct tw_material *m = &materials[l];
        double in = (double)masks[l][i];
        double out = in + 4 * in * (1 - in) * (double)m->ragged * (0.3 * n.n1 + 0.35 * n.n2);
        double tone = 1 + (double)m->grain * (0.1 * n.n1 + 0.14 * n.n2);
        colour += (part(m->colour, k) * tone - colour) * smooth(0.15, 0.85, out);
    }
    return colour;
}

static struct tw_surface_job job;

/* Level light: the ground's colour times one number a channel. */
static double light_at(struct noise n, int i, int k, double water)
{
    const struct tw_sun *s = &job.scene.sun;
    const struct tw_palette palette = tw_mood_palette(job.scene.mood);
    double level =
        (double)s->z * part(s->light, k) + 0.65 * part(s->zenith, k) + 0.35 * part(s->around, k);
    double ground = laid(n, i, k), a = exp(-part(palette.absorption, k) * 0.55 * water);
    double bed = 0.4 * ground + 0.6 * part(palette.at[TW_TINT_BED], k);
    double deep = bed * a * a + part(palette.at[TW_TINT_WATER], k) * (1 - a);
    deep *= 1 + 0.07 * n.n1 + 0.025 * n.n2;
    return level * (ground + (deep - ground) * water);
}

static enum tw_status check_layers(struct tw_task *task)
{
    static struct tw_surface_cell to[CELLS];
    static float tile[TW_NOISE_CELLS];
    tw_noise_tile_fill(task, tile);
    probe_require(tw_surface_light(task, &job, to) == TW_OK);
    for (int i = 0; i < CELLS; i++) {
        struct noise n = noise_at(tile, i % SIDE, i / SIDE);
        double water = job.water ? (double)job.water[i] : 0;
        probe_require(fabs(to[i].water / 65535.0 - water) < 1e-4);
        for (int k = 0; k < 3; k++) {
            double expected = light_at(n, i, k, water);
            double found = (double)tw_surface_unpack((&to[i].red)[k]);
            if (fabs(found - expected) > 0.004 * expected + 1e-4)
                return tw_task_fail(task, "cell %d, channel %d: %g, expected %g", i, k, found,
                                    expected);
        }
    }
    return TW_OK;
}

static void layers_and_water_follow_their_formulas(void **state)
{
    static struct tw_surface_ramp ramp = {.low = 0, .high = 1};
    static struct tw_layers layers = {.count = 2, .masks = {masks[0], masks[1]}};
    static float flat[CELLS], water[CELLS];
    (void)state;
    fill_masks();
    memcpy(layers.materials, materials, sizeof materials);
    for (int i = 0; i <= TW_RAMP_STEPS; i++)
        ramp.at[i] = base;
    ramp.below = ramp.above = base;
    for (int i = 0; i < CELLS; i++)
        water[i] = (float)(i / SIDE) / (SIDE - 1);
    job = (struct tw_surface_job){.scene = {TW_ALPINE, -1e9f, 0.15f, tw_sun_at(290, 30, 0.62f)},
                                  .heights = flat,
                                  .width = SIDE,
                                  .height = SIDE,
                                  .enlarge = 1,
                                  .ramp = &ramp,
                                  .layers = &layers,
                                  .bump = 1,
                                  .softness = 1.2f};
    probe_run(check_layers, SIDE, SIDE, 1);
    job.water = water;
    probe_run(check_layers, SIDE, SIDE, 2);
}

/* ---- tables ---- */

static void fails(const char *layers, const char *words)
{
    char nodes[400];
    snprintf(nodes, sizeof nodes,
             "n: {type: noise.midpoint}\nm: {type: mask.height, in: n}\n"
             "out: {type: render.surface, in: n, %s}\n",
             layers);
    struct tw_error error = harness_fail(&(struct harness){.nodes = nodes});
    if (!strstr(error.message, words))
        fail_msg("'%s' does not say '%s'", error.message, words);
}

static void faults_say_what_is_expected(void **state)
{
    (void)state;
    fails("layers: m, materials: [{name: snwo}]", "materials.name is 'snwo'; expected one of flat");
    fails("layers: m, materials: [{name: snwo}]", "did you mean 'snow'?");
    fails("layers: m, materials: [raod]", "did you mean 'road'?");
    fails("layers: m, materials: [{name: [road]}]", "materials.name is a list; expected a word");
    fails("layers: m, materials: [{grain: 0}]",
          "materials.red is not given in row 1; expected a name, or all of red, green and blue");
    fails("layers: [m, m], materials: [snow, {red: 1, green: 2}]",
          "materials.blue is not given in row 2; expected a name");
    fails("layers: m, materials: [{name: snow, green: 3}]",
          "materials.green is 3 in row 1; expected either a name or red");
    fails("layers: m", "layers has 1 mask and materials 0 rows; expected a row for each mask");
    fails("layers: [m, m, m], materials: [snow]", "layers has 3 masks and materials 1 row;");
}

static void every_thread_lays_the_same(void **state)
{
    (void)state;
    everywhere_image((struct harness){.width = 61,
                                      .height = 45,
                                      .nodes = "n: {type: noise.perlin}\n"
                                               "m: {type: mask.height, in: n, low: 0.5}\n"
                                               "s: {type: mask.slope, in: n}\n"
                                               "v: {type: render.perspective, in: n, water: s, "
                                               "layers: [m, s], materials: [snow, road], bend: n, "
                                               "strata: [[1, 0.2], [2, 0.9]], size: [160, 90]}"},
                     "v");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_laid_changes_no_byte),
        cmocka_unit_test(a_whole_layer_has_its_colour),
        cmocka_unit_test(bump_is_mixed_by_share),
        cmocka_unit_test(layers_and_water_follow_their_formulas),
        cmocka_unit_test(faults_say_what_is_expected),
        cmocka_unit_test(every_thread_lays_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
