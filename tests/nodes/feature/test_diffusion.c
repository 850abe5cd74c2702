/* SPDX-License-Identifier: MIT */
#include "support/everywhere.h"

#include <thalweg/kernel.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int samples = 20000; /* of a segment */

/* Three curves: bent, with slopes of both signs on both sides; straight; and without elevation. */
static const char *const three = "    - [0, 0.2, 0.3, 0.9, 0.03, 0.1, -50, 0.15, 20, 0.1, 0.2]\n"
                                 "    - [0, 0.5, 0.2, 0.7, 0.05, 0.1, -30, 0.05, 40, 0.1, 0.1]\n"
                                 "    - [0, 0.7, 0.5, 0.8, 0.03, 0.05, -50, 0.1, -9, 0.2, 0.1]\n"
                                 "    - [0, 0.6, 0.8, 0.3, 0.03, 0.1, -50, 0.1, 20, 0.1, 0.2]\n"
                                 "    - [3, 0.1, 0.9, 0.2, 0.04, 0.1, -20, 0.0, 0, 0.15, 0.1]\n"
                                 "    - [3, 0.4, 0.7, 0.4, 0.04, 0.1, -20, 0.1, 0, 0.1, 0.15]\n"
                                 "    - [4, 0.9, 0.1, 0.4, 0.05, 0, 0, 0, 0, 0.1, 0.15, 0]\n"
                                 "    - [4, 0.9, 0.3, 0.4, 0.05, 0, 0, 0, 0, 0.1, 0.15, 1]\n"
                                 "    - [4, 0.8, 0.5, 0.4, 0.05, 0, 0, 0, 0, 0.1, 0.15, 1]\n";

/* Slopes that fall towards a curve without elevation, or from a curve outside the map, lead
 * together where hardly anything holds the terrain. */
static const char *const valley = "    - [0, 0.815, 0.892, 0, 0.009, 0.086, -45, 0.145, 29, "
                                  "0.05, 0.04, 0]\n"
                                  "    - [0, 0.801, 0.902, 0, 0.009, 0.097, -46, 0.048, -53, "
                                  "0.12, 0.12, 0]\n"
                                  "    - [0, 0.860, 1.120, 0, 0.009, 0.080, 25, 0.060, -34, "
                                  "0.10, 0.14, 0]\n"
                                  "    - [1, 0.575, 0.579, 0.044, 0.005, 0.104, -20, 0.084, "
                                  "-33, 0.06, 0.19]\n"
                                  "    - [1, 0.760, 0.409, 0.043, 0.012, 0.070, -24, 0.020, "
                                  "-11, 0.18, 0.03]\n";
static const char *const outside = "    - [0, -0.229, 0.2125, 0.437, 0, 0.941, -89, 2, -89, "
                                   "0, 2]\n"
                                   "    - [0, -0.270, 0.985, 292.3, 0.2276, 1.585, -29, 0, "
                                   "-89, 1.25, 0.872, 0]\n";

struct solved {
    struct tw_result *result;
    const struct tw_value *out, *alpha, *beta, *gamma;
    struct tw_control control[96];
    int32_t controls;
};

static const struct tw_result *sampled; /* whose curves `path` has, below */

/* Runs the node over terrain (NULL: none) with the points and more parameters. */
static struct solved solve(struct harness harness, const struct tw_value *terrain,
                           const char *points, const char *more)
{
    char nodes[10000];
    struct solved solved;
    snprintf(
        nodes, sizeof nodes,
        "%sc:\n  type: feature.curve\n  points:\n%sd: {type: feature.diffusion, %scurves: c%s}\n",
        terrain ? "in: {type: test.map}\n" : "", points, terrain ? "in: in, " : "", more);
    if (terrain) {
        harness_give(0, terrain);
        harness.width = terrain->width;
        harness.height = terrain->height;
    }
    harness.nodes = nodes;
    harness.outputs = "alpha: d.alpha\nbeta: d.beta\ngamma: d.gamma\n";
    solved.result = harness_run(&harness);
    sampled = NULL;
    solved.out = tw_result_output(solved.result, "d");
    solved.alpha = tw_result_output(solved.result, "alpha");
    solved.beta = tw_result_output(solved.result, "beta");
    solved.gamma = tw_result_output(solved.result, "gamma");
    const struct tw_value *c = tw_result_output(solved.result, "c");
    solved.controls = c->width;
    memcpy(solved.control, c->data, (size_t)c->width * sizeof(struct tw_control));
    return solved;
}

static double cell(const struct tw_value *value, int32_t x, int32_t y)
{
    return (double)tw_floats(value)[(size_t)y * (size_t)value->width + (size_t)x];
}

/* ---- a reference: brute force over samples of the curves, and plain Jacobi ---- */

struct cell_reference {
    double alpha, beta, gamma, e, nx, ny;
    double angle;  /* radians */
    double margin; /* how far the cell's distance is from the nearest limit of a band */
};

static double lerp(float a, float b, double t) { return (double)a * (1 - t) + (double)b * t; }

/* Hermite basis functions; the end segments are the quadratics with the inner tangent. */
static double hermite(double a, double b, double m0, double m1, int ends, double t)
{
    if (ends == 3)
        return a + (b - a) * t;
    if (ends == 1)
        return (a - b + m1) * t * t + (2 * (b - a) - m1) * t + a;
    if (ends == 2)
        return (b - a - m0) * t * t + m0 * t + a;
    return (2 * t * t * t - 3 * t * t + 1) * a + (t * t * t - 2 * t * t + t) * m0 +
           (3 * t * t - 2 * t * t * t) * b + (t * t * t - t * t) * m1;
}

/* `samples` + 1 of the segment from each control point on, in cells from the map's corner. */
static double (*path)[2];

static void sample_segment(const struct tw_control *c, int32_t first, int32_t i, int32_t last,
                           int32_t width, int32_t height)
{
    int ends = (i == first) + 2 * (i + 1 == last);
    const struct tw_control *p = &c[i], *q = &c[i + 1];
    const struct tw_control *o = i > first ? p - 1 : p, *n = i + 1 < last ? q + 1 : q;
    for (int k = 0; k <= samples; k++) {
        double *at = path[(size_t)i * (size_t)(samples + 1) + (size_t)k], t = (double)k / samples;
        at[0] = hermite((double)p->x, (double)q->x, ((double)q->x - (double)o->x) / 2,
                        ((double)n->x - (double)p->x) / 2, ends, t) *
                    (double)width -
                0.5;
        at[1] = hermite((double)p->y, (double)q->y, ((double)q->y - (double)o->y) / 2,
                        ((double)n->y - (double)p->y) / 2, ends, t) *
                    (double)height -
                0.5;
    }
}

static struct cell_reference band_of(const struct tw_control *c, int32_t first, int32_t last,
                                     int32_t width, int32_t cx, int32_t cy, double *best)
{
    struct cell_reference r = {.margin = 1e9};
    double least = 1e60;
    *best = 1e30;
    for (int32_t i = first; i < last; i++) {
        const double(*at)[2] = (const double(*)[2])path + (size_t)i * (size_t)(samples + 1);
        int ends = (i == first) + 2 * (i + 1 == last);
        const struct tw_control *p = &c[i], *q = &c[i + 1];
        const struct tw_control *o = i > first ? p - 1 : p, *n = i + 1 < last ? q + 1 : q;
        for (int k = 1; k <= samples; k++) {
            double ox = cx - at[k][0], oy = cy - at[k][1], square = ox * ox + oy * oy;
            if (square >= least)
                continue;
            least = square;
            double t = (double)k / samples, s = (double)width, d = *best = sqrt(square);
            double tx = at[k][0] - at[k - 1][0], ty = at[k][1] - at[k - 1][1];
            bool past = (i == first && k == 1 && ox * tx + oy * ty < 0) ||
                        (i + 1 == last && k == samples && ox * tx + oy * ty > 0);
            bool left = ox * ty - oy * tx > 0;
            double plateau = lerp(p->plateau, q->plateau, t) * s;
            double slope = left ? lerp(p->slope_left, q->slope_left, t)
                                : lerp(p->slope_right, q->slope_right, t);
            double envelope = left ? lerp(p->envelope_left, q->envelope_left, t)
                                   : lerp(p->envelope_right, q->envelope_right, t);
            double angle = left ? lerp(p->angle_left, q->angle_left, t)
                                : lerp(p->angle_right, q->angle_right, t);
            double core = plateau + slope * s, outer = core + envelope * s;
            r = (struct cell_reference){.gamma = d <= outer};
            r.margin = fmin(fabs(d - outer), fmin(fabs(d - core), fabs(d - plateau)));
            if ((i == first && k == 1) || (i + 1 == last && k == samples)) /* beside an end */
                r.margin = fmin(r.margin, fabs(ox * tx + oy * ty) / sqrt(tx * tx + ty * ty));
            if (d <= core && d <= outer && !past) {
                double forced = lerp(p->elevation, q->elevation, t);
                r.alpha = d <= plateau ? 0.9 * forced : 0;
                r.beta = d <= plateau ? 0 : 0.5;
                r.e = hermite((double)p->z, (double)q->z, ((double)q->z - (double)o->z) / 2,
                              ((double)n->z - (double)p->z) / 2, ends, t);
                r.angle = angle * 3.14159265358979 / 180;
                r.nx = ox / d;
                r.ny = oy / d;
            }
        }
    }
    return r;
}

static int32_t last_of(const struct solved *s, int32_t first)
{
    while (first + 1 < s->controls && s->control[first + 1].curve == s->control[first].curve)
        first++;
    return first;
}

static void sample(const struct solved *s)
{
    if (sampled == s->result)
        return;
    path = realloc(path, sizeof *path * (size_t)s->controls * (size_t)(samples + 1));
    assert_non_null(path);
    for (int32_t first = 0, last; first < s->controls; first = last + 1) {
        last = last_of(s, first);
        for (int32_t i = first; i < last; i++)
            sample_segment(s->control, first, i, last, s->out->width, s->out->height);
    }
    sampled = s->result;
}

static int rank(const struct cell_reference *r)
{
    return r->gamma == 0 ? 3 : r->beta > 0 ? 1 : r->e != 0 ? 0 : 2;
}

static struct cell_reference reference(const struct solved *s, int32_t x, int32_t y)
{
    struct cell_reference best = {0};
    double nearest = 1e30, margin = 1e9;
    sample(s);
    for (int32_t first = 0, last; first < s->controls; first = last + 1) {
        double d;
        last = last_of(s, first);
        struct cell_reference r = band_of(s->control, first, last, s->out->width, x, y, &d);
        margin = fmin(margin, r.margin);
        if (rank(&r) < rank(&best) || (rank(&r) == rank(&best) && d < nearest)) {
            best = r;
            nearest = d;
        }
    }
    best.margin = margin;
    return best;
}

/* At the limit of a band the reference takes the node's word. */
static void take_word(struct cell_reference *r, const struct solved *s, int32_t i)
{
    r->alpha = (double)tw_floats(s->alpha)[i];
    r->beta = (double)tw_floats(s->beta)[i];
    r->gamma = (double)tw_floats(s->gamma)[i];
}

static int32_t clamp(int32_t i, int32_t n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }

/* G of a map as high as wide. */
static double rise(const struct cell_reference *r, int32_t w, bool literal)
{
    return literal ? sin(r->angle) / w
                   : tan(r->angle) / w * (pow(fabs(r->nx), 3) + pow(fabs(r->ny), 3));
}

/* One cell of eqs 6 to 9; h0 NULL: the flat map. */
static double step(const struct cell_reference *r, const double *h, const double *h0, int32_t w,
                   int32_t ht, int32_t x, int32_t y, bool literal)
{
    int32_t i = y * w + x, sx = (r->nx > 0) - (r->nx < 0), sy = (r->ny > 0) - (r->ny < 0);
    double laplace = (h[y * w + clamp(x - 1, w)] + h[y * w + clamp(x + 1, w)] +
                      h[clamp(y - 1, ht) * w + x] + h[clamp(y + 1, ht) * w + x]) /
                     4;
    double n =
        r->nx * r->nx * h[y * w + clamp(x - sx, w)] + r->ny * r->ny * h[clamp(y - sy, ht) * w + x];
    return r->alpha * r->e + r->beta * (n + rise(r, w, literal)) +
           r->gamma * (1 - r->alpha - r->beta) * laplace +
           (1 - r->gamma) * (1 - r->alpha - r->beta) * h0[i];
}

static void weights_and_solution(struct harness harness, const struct tw_value *terrain,
                                 const char *points, bool literal)
{
    char more[80];
    snprintf(more, sizeof more, ", tolerance: 0.000001%s", literal ? ", slope: literal" : "");
    struct solved s = solve(harness, terrain, points, more);
    int32_t w = s.out->width, h = s.out->height, cells = w * h, checked = 0;
    struct cell_reference *r = calloc((size_t)cells, sizeof *r);
    double *h0 = calloc((size_t)cells, sizeof *h0), *now = calloc((size_t)cells, sizeof *now);
    double *next = calloc((size_t)cells, sizeof *next), change = 1;
    for (int32_t i = 0; i < cells; i++) {
        r[i] = reference(&s, i % w, i / w);
        now[i] = h0[i] = terrain ? (double)tw_floats(terrain)[i] : 0;
        if (r[i].margin < 1e-3) {
            take_word(&r[i], &s, i);
            continue;
        }
        checked++;
        if (fabs(r[i].alpha - (double)tw_floats(s.alpha)[i]) > 1e-4 ||
            r[i].beta != (double)tw_floats(s.beta)[i] ||
            r[i].gamma != (double)tw_floats(s.gamma)[i])
            fail_msg("x %d, y %d: %g %g %g, expected %g %g %g", (int)(i % w), (int)(i / w),
                     (double)tw_floats(s.alpha)[i], (double)tw_floats(s.beta)[i],
                     (double)tw_floats(s.gamma)[i], r[i].alpha, r[i].beta, r[i].gamma);
    }
    assert_true(checked > cells * 9 / 10);
    for (int round = 0; round < 200000 && change > 1e-12; round++) {
        change = 0;
        for (int32_t i = 0; i < cells; i++) {
            next[i] = step(&r[i], now, h0, w, h, i % w, i / w, literal);
            change = fmax(change, fabs(next[i] - now[i]));
        }
        double *swap = now;
        now = next;
        next = swap;
    }
    for (int32_t i = 0; i < cells; i++)
        if (fabs(now[i] - (double)tw_floats(s.out)[i]) > 2e-5)
            fail_msg("x %d, y %d: %.7g, expected %.7g", (int)(i % w), (int)(i / w),
                     (double)tw_floats(s.out)[i], now[i]);
    free(r);
    free(h0);
    free(now);
    free(next);
    tw_result_release(s.result);
}

static void equals_samples_and_jacobi(void **state)
{
    struct tw_value wide = harness_terrain(31, 23, 3), tall = harness_terrain(19, 27, 4);
    (void)state;
    weights_and_solution((struct harness){0}, &wide, three, false);
    weights_and_solution((struct harness){0}, &tall, three, true);
    weights_and_solution((struct harness){.width = 24, .height = 24}, NULL, three, false);
    free(wide.data);
    free(tall.data);
}

/* Forty curves over several blocks of cells: what is passed over must not matter. */
static void weights_of_many_curves(void **state)
{
    char points[8000] = "";
    (void)state;
    for (uint32_t i = 0; i < 40; i++)
        for (uint32_t k = 0; k < 2; k++) {
            struct tw_random4 u = tw_random(11, i, k, 0, 0), v = tw_random(11, i, k, 1, 0);
            size_t used = strlen(points);
            snprintf(points + used, sizeof points - used,
                     "    - [%d, %.3f, %.3f, 1, 0.01, %.3f, 9, %.3f, 9, 0.02, %.3f]\n", (int)i,
                     (double)tw_uniform(u.at[0]), (double)tw_uniform(u.at[1]),
                     (double)tw_uniform(u.at[2]) / 40, (double)tw_uniform(u.at[3]) / 40,
                     (double)tw_uniform(v.at[0]) / 30);
        }
    samples = 500;
    struct solved s = solve((struct harness){.width = 300, .height = 270}, NULL, points, "");
    int bands[4] = {0};
    for (int32_t i = 7; i < 300 * 270; i += 101) {
        struct cell_reference r = reference(&s, i % 300, i / 300);
        if (r.margin < 0.7)
            continue;
        bands[rank(&r)]++;
        if (fabs(r.alpha - (double)tw_floats(s.alpha)[i]) > 1e-4 ||
            r.beta != (double)tw_floats(s.beta)[i] || r.gamma != (double)tw_floats(s.gamma)[i])
            fail_msg("x %d, y %d: %g %g, expected %g %g", (int)(i % 300), (int)(i / 300),
                     (double)tw_floats(s.beta)[i], (double)tw_floats(s.gamma)[i], r.beta, r.gamma);
    }
    for (int i = 0; i < 4; i++)
        assert_true(bands[i] > 5);
    samples = 20000;
    tw_result_release(s.result);
}

/* ---- a sparse reference for more cells: eliminates the equations of a band matrix ---- */

/* Coefficients of row i at [W + j - i] for its unknowns j = i - W..i + 2 W, then the right side. */
static double *row_of(double *band, int32_t w, int32_t i)
{
    return band + (size_t)i * (size_t)(3 * w + 2) + w - i;
}

/* Eqs 6 to 9 for a cell of the map; mode relative takes off what the terrain has of E and G. */
static void equation(const struct solved *s, const float *terrain, bool relative, double *band,
                     int32_t i)
{
    struct cell_reference r = reference(s, i % s->out->width, i / s->out->width);
    int32_t w = s->out->width, h = s->out->height, x = i % w, y = i / w;
    int32_t sx = (r.nx > 0) - (r.nx < 0), sy = (r.ny > 0) - (r.ny < 0);
    int32_t upx = y * w + clamp(x - sx, w), upy = clamp(y - sy, h) * w + x;
    if (r.margin < 0.05)
        take_word(&r, s, i);
    double gamma = relative ? 1 : r.gamma, rest = 1 - r.alpha - r.beta;
    double *row = row_of(band, w, i), here = terrain ? (double)terrain[i] : 0;
    double had = r.alpha * here, g = rise(&r, w, false);
    if (terrain)
        had += r.beta *
               (here - r.nx * r.nx * (double)terrain[upx] - r.ny * r.ny * (double)terrain[upy]);
    row[i] += 1;
    row[y * w + clamp(x - 1, w)] -= gamma * rest / 4;
    row[y * w + clamp(x + 1, w)] -= gamma * rest / 4;
    row[clamp(y - 1, h) * w + x] -= gamma * rest / 4;
    row[clamp(y + 1, h) * w + x] -= gamma * rest / 4;
    row[upx] -= r.beta * r.nx * r.nx;
    row[upy] -= r.beta * r.ny * r.ny;
    row[i + 2 * w + 1] =
        r.alpha * r.e + r.beta * g + (1 - gamma) * rest * here - (relative ? had : 0);
}

static void eliminate(double *band, int32_t w, int32_t count)
{
    for (int32_t k = 0; k < count; k++)
        for (int32_t i = k + 1; i < count && i <= k + w; i++) {
            double *row = row_of(band, w, i), *pivot = row_of(band, w, k);
            double share = row[k] / pivot[k];
            for (int32_t j = k; j <= k + w && j < count && share != 0; j++)
                row[j] -= share * pivot[j];
            row[i + 2 * w + 1] -= share * pivot[k + 2 * w + 1];
        }
    for (int32_t i = count - 1; i >= 0; i--) {
        double *row = row_of(band, w, i), *x = &row[i + 2 * w + 1];
        for (int32_t j = i + 1; j <= i + w && j < count; j++)
            *x -= row[j] * row_of(band, w, j)[j + 2 * w + 1];
        *x /= row[i];
    }
}

/* The error of the node, as a share of the range of what it solved for. */
static double error_of(struct harness harness, const struct tw_value *terrain, bool relative,
                       const char *points, const char *more)
{
    struct solved s = solve(harness, terrain, points, more);
    int32_t w = s.out->width, count = w * s.out->height;
    const float *h0 = terrain ? tw_floats(terrain) : NULL;
    double *band = calloc((size_t)count * (size_t)(3 * w + 2), sizeof *band), worst = 0;
    double low = 1e30, high = -1e30;
    for (int32_t i = 0; i < count; i++)
        equation(&s, h0, relative, band, i);
    eliminate(band, w, count);
    for (int32_t i = 0; i < count; i++) {
        double x = row_of(band, w, i)[i + 2 * w + 1];
        double found = (double)tw_floats(s.out)[i] - (relative && h0 ? (double)h0[i] : 0);
        worst = fmax(worst, fabs(found - x));
        low = fmin(low, x);
        high = fmax(high, x);
    }
    free(band);
    tw_result_release(s.result);
    return worst / (high - low);
}

static void equals_elimination(void **state)
{
    struct tw_value terrain = harness_terrain(23, 31, 5);
    (void)state;
    assert_true(error_of((struct harness){0}, &terrain, true,
                         "    - [0, 0.2, 0.3, 0.9, 0.06, 0.1, -50, 0.2, 20, 1, 1]\n"
                         "    - [0, 0.7, 0.6, 0.4, 0.06, 0.1, -50, 0.2, 20, 1, 1]\n",
                         ", tolerance: 0.000001, mode: relative") < 5e-5);
    free(terrain.data);
}

/* What the samples are off counts many times here. */
static void equals_elimination_where_little_holds(void **state)
{
    struct tw_value terrain = harness_terrain(64, 64, 5);
    (void)state;
    samples = 2000;
    assert_true(error_of((struct harness){0}, &terrain, true, valley, ", mode: relative") < 1e-3);
    assert_true(error_of((struct harness){.width = 64, .height = 64}, NULL, false, outside, "") <
                1e-3);
    samples = 20000;
    free(terrain.data);
}

/* The same, but so that heights of billions would be the solution. */
static void refuses_what_is_all_but_loose(void **state)
{
    (void)state;
    struct tw_error error = harness_fail(&(struct harness){
        .width = 64,
        .height = 64,
        .nodes = "c: {type: feature.curve, points: ["
                 "[0, -0.229, 1.070, 1, 0.03, 0.1, -84, 0, 19, 0.02, 0], "
                 "[0, 1.879, 1.116, 1, 0.0137, 1.352, -89, 2, 89, 1.05, 1.849, 0]]}\n"
                 "d: {type: feature.diffusion, curves: c}\n"});
    assert_non_null(strstr(error.message, "no solution within 40 cycles"));
    assert_non_null(strstr(error.message, "lead together"));
}

/* ---- facts ---- */

static void keeps_the_terrain_outside_bit_for_bit(void **state)
{
    struct tw_value terrain = harness_terrain(129, 65, 6);
    (void)state;
    struct solved s = solve((struct harness){0}, &terrain, three, "");
    int inside = 0;
    for (size_t i = 0; i < tw_value_count(&terrain); i++) {
        if (tw_floats(s.gamma)[i] == 0)
            assert_memory_equal(&tw_floats(s.out)[i], &tw_floats(&terrain)[i], sizeof(float));
        else
            inside++;
    }
    assert_true(inside > 2000 && inside < 8300);
    tw_result_release(s.result);
    harness_give(0, &terrain);
    for (int relative = 0; relative < 2; relative++) {
        struct tw_result *result = harness_run(&(struct harness){
            .width = 129,
            .height = 65,
            .nodes = relative
                         ? "in: {type: test.map}\nc: {type: feature.curve, points: []}\n"
                           "d: {type: feature.diffusion, in: in, curves: [c, c], mode: relative}\n"
                         : "in: {type: test.map}\nd: {type: feature.diffusion, in: in}\n"});
        harness_same(tw_result_output(result, "d"), tw_floats(&terrain));
        tw_result_release(result);
    }
    free(terrain.data);
}

/* A straight curve over a flat map at 0: its plateau within 1 % of the height, its slopes exact
 * along an axis and, corrected, on a diagonal; left of a curve to the east is north. */
static void plateau_and_slopes_have_their_height_and_angle(void **state)
{
    const double tan30 = sqrt(1.0 / 3);
    (void)state;
    struct solved s = solve((struct harness){.width = 200, .height = 200}, NULL,
                            "    - [0, -1, 0.5025, 1, 0.05, 0.2, -30, 0.1, 30, 0.05, 0.05]\n"
                            "    - [0, 2, 0.5025, 1, 0.05, 0.2, -30, 0.1, 30, 0.05, 0.05]\n",
                            ", tolerance: 1e-6");
    assert_true(fabs(cell(s.out, 100, 100) - 1) < 0.01);
    for (int32_t y = 66; y < 85; y++) /* left, falling to the north */
        assert_true(fabs((cell(s.out, 100, y + 1) - cell(s.out, 100, y)) * 200 - tan30) < 2e-3);
    for (int32_t y = 112; y < 122; y++) /* right, rising to the south */
        assert_true(fabs((cell(s.out, 100, y + 1) - cell(s.out, 100, y)) * 200 - tan30) < 2e-3);
    assert_true(cell(s.gamma, 100, 30) == 0 && cell(s.gamma, 100, 150) == 0);
    tw_result_release(s.result);
    for (int literal = 0; literal < 2; literal++) {
        s = solve((struct harness){.width = 200, .height = 200}, NULL,
                  "    - [0, -0.5, -0.5, 1, 0.05, 0.2, -30, 0.2, -30, 0.05, 0.05]\n"
                  "    - [0, 1.5, 1.5, 1, 0.05, 0.2, -30, 0.2, -30, 0.05, 0.05]\n",
                  literal ? ", tolerance: 0.00001, slope: literal" : ", tolerance: 0.00001");
        double fall = (cell(s.out, 114, 86) - cell(s.out, 122, 78)) / (8 * sqrt(2.0)) * 200;
        assert_true(fabs(fall - (literal ? sqrt(0.5) : tan30)) < 5e-3);
        tw_result_release(s.result);
    }
}

/* Where the recipe says what lengths are, angles are those of its metres, whatever the direction.
 */
static void corrected_slopes_have_their_angle_in_the_world(void **state)
{
    static const struct {
        const char *head;
        double side, height; /* in one unit */
    } worlds[] = {{"", 1, 1},
                  {"world: {side_m: 4096, height_m: 600}\n", 4096, 600},
                  {"world: {side_m: 200, height_m: 900}\n", 200, 900}};
    static const double angles[] = {5, 41, 60, 77, 89};
    (void)state;
    for (int i = 0; i < 15; i++) {
        const double turn = 0.13 + 0.41 * i, east = cos(turn), south = sin(turn);
        const double angle = angles[i % 5], height = worlds[i / 5].height,
                     side = worlds[i / 5].side;
        char points[300];
        snprintf(points, sizeof points,
                 "    - [0, %.6f, %.6f, 3, 0.05, 0.3, %g, 0.3, %g, 0.05, 0.05]\n"
                 "    - [0, %.6f, %.6f, 3, 0.05, 0.3, %g, 0.3, %g, 0.05, 0.05]\n",
                 0.5 - 2 * east, 0.5 - 2 * south, -angle, -angle, 0.5 + 2 * east, 0.5 + 2 * south,
                 -angle, -angle);
        struct solved s =
            solve((struct harness){.width = 160, .height = 160, .head = worlds[i / 5].head}, NULL,
                  points, ", tolerance: 1e-6");
        int32_t x = (int32_t)(80 - south * 32), y = (int32_t)(80 + east * 32); /* amid a slope */
        double dx = (cell(s.out, x + 1, y) - cell(s.out, x - 1, y)) / 2;
        double dy = (cell(s.out, x, y + 1) - cell(s.out, x, y - 1)) / 2;
        double steep = hypot(dx, dy) * 160 * height / side;
        if (fabs(atan(steep) * 57.29577951308232 - angle) > 0.5)
            fail_msg("%g degrees instead of %g, turned by %g", atan(steep) * 57.29577951308232,
                     angle, turn);
        tw_result_release(s.result);
    }
}

static void refuses_angles_without_a_tangent(void **state)
{
    (void)state;
    struct harness harness = {
        .nodes = "c: {type: feature.curve, points: [[0, 0.2, 0.5, 1, 0.1, 0.1, -30], "
                 "[0, 0.8, 0.5, 1, 0.1, 0.1, -89.5]]}\n"
                 "d: {type: feature.diffusion, curves: c}\n"};
    struct tw_error error = harness_fail(&harness);
    if (!strstr(error.message, "point 2 of its curves has angle_left -89.5; expected -89 to 89"))
        fail_msg("%s", error.message);
    harness.nodes = "c: {type: feature.curve, points: [[0, 0.2, 0.5, 1, 0.1, 0.1, -30], "
                    "[0, 0.8, 0.5, 1, 0.1, 0.1, -89.5]]}\n"
                    "d: {type: feature.diffusion, curves: c, slope: literal}\n";
    tw_result_release(harness_run(&harness));
}

static void ends_have_a_half_disc_of_envelope_only(void **state)
{
    (void)state;
    struct solved s = solve((struct harness){.width = 100, .height = 100}, NULL,
                            "    - [0, 0.4, 0.5, 1, 0.05, 0.05, -30, 0, 0, 0.1, 0.1]\n"
                            "    - [0, 0.6, 0.5, 1, 0.05, 0.05, -30, 0, 0, 0.1, 0.1]\n",
                            "");
    assert_true(cell(s.alpha, 40, 49) > 0.8 && cell(s.alpha, 39, 49) == 0);
    assert_true(cell(s.gamma, 39, 49) == 1 && cell(s.gamma, 21, 49) == 1); /* radius 0.2, left */
    assert_true(cell(s.gamma, 18, 49) == 0);
    assert_true(cell(s.gamma, 26, 50) == 1 && cell(s.gamma, 22, 52) == 0); /* 0.15, right */
    assert_true(cell(s.beta, 38, 42) == 0 && cell(s.beta, 41, 42) == 0.5);
    tw_result_release(s.result);
}

/* The height of a plateau follows the cubic through the control points: between 0, 1, 0 and 1 the
 * middle of the inner segment is at 1/2 and its slope there at -3/2, not -1. */
static void heights_follow_the_cubic(void **state)
{
    (void)state;
    struct solved s = solve((struct harness){.width = 128, .height = 128}, NULL,
                            "    - [0, 0.05, 0.5, 0, 0.04]\n    - [0, 0.35, 0.5, 1, 0.04]\n"
                            "    - [0, 0.65, 0.5, 0, 0.04]\n    - [0, 0.95, 0.5, 1, 0.04]\n",
                            ", tolerance: 1e-6");
    for (int32_t x = 50; x < 78; x++) {
        double t = ((x + 0.5) / 128 - 0.35) / 0.3;
        double expected = 1 - 3 * t * t + 2 * t * t * t; /* both tangents are 0 */
        assert_true(fabs(cell(s.out, x, 64) - expected) < 0.01);
    }
    tw_result_release(s.result);
}

/* The map along a level stretch and a ramp. */
static struct solved solve_ramp(const char *interpolation)
{
    char points[300];
    snprintf(points, sizeof points,
             "    - [0, 0.05, 0.5, 0.56, 0.04]\n    - [0, 0.35, 0.5, 0.56, 0.04]\n"
             "    - [0, 0.95, 0.5, 0.2, 0.04]\n  interpolation: %s\n",
             interpolation);
    return solve((struct harness){.width = 128, .height = 128}, NULL, points, ", tolerance: 1e-6");
}

static void monotone_and_straight_heights_do_not_overshoot(void **state)
{
    (void)state;
    struct solved cubic = solve_ramp("cubic"), monotone = solve_ramp("monotone");
    struct solved straight = solve_ramp("straight");
    assert_true(cell(cubic.out, 25, 64) > 0.59);
    for (int32_t i = 0; i < 128 * 128; i++)
        assert_true(tw_floats(monotone.out)[i] < 0.5601f && tw_floats(straight.out)[i] < 0.5601f);
    for (int32_t x = 10; x < 118; x++) {
        double t = ((x + 0.5) / 128 - 0.35) / 0.6;
        assert_true(fabs(cell(straight.out, x, 64) - (0.56 - 0.36 * fmax(t, 0))) < 0.01);
        assert_true(t > 0 || fabs(cell(monotone.out, x, 64) - 0.56) < 0.005);
        assert_true(cell(monotone.out, x + 1, 64) < cell(monotone.out, x, 64) + 1e-4);
    }
    tw_result_release(cubic.result);
    tw_result_release(monotone.result);
    tw_result_release(straight.result);
}

/* A straight curve turns by 161 degrees; slopes are on the outer side only, which is left. */
static void sides_hold_around_sharp_kinks(void **state)
{
    (void)state;
    struct solved s = solve((struct harness){.width = 200, .height = 200}, NULL,
                            "    - [0, 0.4, 0.9, 1, 0.01, 0.15, -30, 0, 0, 0.05, 0.05]\n"
                            "    - [0, 0.5, 0.3, 1, 0.01, 0.15, -30, 0, 0, 0.05, 0.05]\n"
                            "    - [0, 0.6, 0.9, 1, 0.01, 0.15, -30, 0, 0, 0.05, 0.05]\n"
                            "  interpolation: straight\n",
                            "");
    for (int32_t i = -60; i <= 60; i += 2) { /* around the tip */
        double a = i * 3.14159265358979 / 180;
        int32_t x = (int32_t)(100 + 20 * sin(a)), y = (int32_t)(60 - 20 * cos(a));
        assert_true(cell(s.beta, x, y) == 0.5);
    }
    assert_true(cell(s.beta, 100, 90) == 0); /* within */
    tw_result_release(s.result);
}

/* Samples of a curve of four points, in map sides. */
enum { CURVE_STEPS = 300, CURVE_SAMPLES = 3 * CURVE_STEPS + 1 };

static void sample_curve(const struct tw_control *c, double (*samples_at)[2])
{
    for (int32_t i = 0; i < 3; i++) {
        int ends = (i == 0) + 2 * (i == 2);
        const struct tw_control *p = &c[i], *q = &c[i + 1];
        const struct tw_control *o = i ? p - 1 : p, *n = i < 2 ? q + 1 : q;
        for (int k = 0; k <= CURVE_STEPS; k++) {
            double t = (double)k / CURVE_STEPS, *at = samples_at[i * CURVE_STEPS + k];
            at[0] = hermite((double)p->x, (double)q->x, ((double)q->x - (double)o->x) / 2,
                            ((double)n->x - (double)p->x) / 2, ends, t);
            at[1] = hermite((double)p->y, (double)q->y, ((double)q->y - (double)o->y) / 2,
                            ((double)n->y - (double)p->y) / 2, ends, t);
        }
    }
}

/* The least distance at a minimum between the ends, and at an end that (x, y) lies past; beside an
 * end it is both. */
static void nearest_samples(double (*at)[2], double x, double y, double *along, double *past)
{
    const int last = CURVE_SAMPLES - 1;
    double d[CURVE_SAMPLES];
    for (int k = 0; k <= last; k++)
        d[k] = hypot(at[k][0] - x, at[k][1] - y);
    *along = *past = 1;
    for (int k = 1; k < last; k++)
        if (d[k] <= d[k - 1] && d[k] <= d[k + 1])
            *along = fmin(*along, d[k]);
    for (int end = 0; end < 2; end++) {
        double here = d[end ? last : 0], rise = d[end ? last - 1 : 1] - here;
        *past = rise > -1e-4 ? fmin(*past, here) : *past;
        *along = fabs(rise) <= 1e-4 ? fmin(*along, here) : *along;
    }
}

/* Hairpins under slopes much wider than their bends: a cell has a slope only where the nearest of
 * all points of the curve is not an end that it lies past. */
static void the_nearest_point_is_found_on_the_concave_side(void **state)
{
    enum { SIDE = 48 };
    (void)state;
    for (uint32_t i = 70; i < 110; i++) {
        char points[600] = "";
        for (uint32_t k = 0; k < 4; k++) {
            struct tw_random4 u = tw_random(5, i, k, 0, 0);
            size_t used = strlen(points);
            snprintf(points + used, sizeof points - used,
                     "    - [0, %.3f, %.3f, 1, 0.01, 0.3, -30, 0.3, -30, 0.1, 0.1]\n",
                     0.25 + (double)tw_uniform(u.at[0]) / 2,
                     0.25 + (double)tw_uniform(u.at[1]) / 2);
        }
        struct solved s = solve((struct harness){.width = SIDE, .height = SIDE}, NULL, points, "");
        double at[CURVE_SAMPLES][2];
        sample_curve(s.control, at);
        for (int32_t c = 0; c < SIDE * SIDE; c++) {
            double along, past, core = 0.01 + 0.3, close = 0.05 / SIDE;
            nearest_samples(at, (c % SIDE + 0.5) / SIDE, (c / SIDE + 0.5) / SIDE, &along, &past);
            double nearest = fmin(along, past);
            if (fabs(along - past) < close || fabs(nearest - core) < close || nearest < 0.04)
                continue;
            if ((along < past && along < core) != (tw_floats(s.beta)[c] > 0))
                fail_msg("curve %d, x %d, y %d: %g along, %g past an end", (int)i, (int)(c % SIDE),
                         (int)(c / SIDE), along, past);
        }
        tw_result_release(s.result);
    }
}

static void moves_with_heights(void **state)
{
    struct tw_value terrain = harness_terrain(65, 65, 7);
    const char *low = "    - [0, 0.3, 0.4, 0.5, 0.05, 0.2, -30, 0.2, -30, 0.2, 0.2]\n"
                      "    - [0, 0.7, 0.6, 1.0, 0.05, 0.2, -30, 0.2, -30, 0.2, 0.2]\n";
    const char *high = "    - [0, 0.3, 0.4, 2.5, 0.05, 0.2, -30, 0.2, -30, 0.2, 0.2]\n"
                       "    - [0, 0.7, 0.6, 3.0, 0.05, 0.2, -30, 0.2, -30, 0.2, 0.2]\n";
    (void)state;
    for (int relative = 0; relative < 2; relative++) {
        const char *more = relative ? ", mode: relative, tolerance: 1e-6" : ", tolerance: 1e-6";
        struct solved a = solve((struct harness){0}, &terrain, low, more);
        for (size_t i = 0; i < tw_value_count(&terrain); i++)
            tw_floats(&terrain)[i] += 2;
        struct solved b = solve((struct harness){0}, &terrain, high, more);
        for (size_t i = 0; i < tw_value_count(&terrain); i++) {
            double rise = (double)tw_floats(b.out)[i] - (double)tw_floats(a.out)[i];
            assert_true(fabs(rise - 2) < 1e-5);
            tw_floats(&terrain)[i] -= 2;
        }
        tw_result_release(a.result);
        tw_result_release(b.result);
    }
    free(terrain.data);
}

static void the_error_stays_below_the_tolerance(void **state)
{
    struct tw_value terrain = harness_terrain(257, 257, 8);
    (void)state;
    for (int relative = 0; relative < 2; relative++) {
        struct solved rough =
            solve((struct harness){0}, &terrain, three, relative ? ", mode: relative" : "");
        struct solved fine =
            solve((struct harness){0}, &terrain, three,
                  relative ? ", mode: relative, tolerance: 1e-6" : ", tolerance: 1e-6");
        for (size_t i = 0; i < tw_value_count(&terrain); i++)
            assert_true(fabs((double)tw_floats(rough.out)[i] - (double)tw_floats(fine.out)[i]) <
                        1e-4);
        tw_result_release(rough.result);
        tw_result_release(fine.result);
    }
    free(terrain.data);
}

static void gives_the_same_bytes_however_it_runs(void **state)
{
    struct tw_value terrain = harness_terrain(257, 129, 9);
    (void)state;
    for (int loose = 0; loose < 2; loose++) {
        const char *points = loose ? outside : three;
        struct solved a = solve((struct harness){.threads = 1}, &terrain, points, "");
        for (int i = 0; i < 3; i++)
            for (int32_t threads = SANITIZED ? 8 : 1; threads <= 8;
                 threads = threads == 1 ? 2 : threads * 4) {
                struct harness harness = {.threads = threads, .simd = everywhere_levels[i]};
                if (everywhere_twice(i))
                    continue;
                struct solved b = solve(harness, &terrain, points, "");
                harness_same(b.out, tw_floats(a.out));
                harness_same(b.alpha, tw_floats(a.alpha));
                harness_same(b.gamma, tw_floats(a.gamma));
                tw_result_release(b.result);
            }
        tw_result_release(a.result);
    }
    free(terrain.data);
}

static void copes_with_all_sizes(void **state)
{
    static const int32_t sizes[][2] = {{1, 1}, {1, 70}, {70, 1}, {2, 3}, {257, 129}, {31, 300}};
    (void)state;
    for (int i = 0; i < 6; i++) {
        struct harness harness = {.width = sizes[i][0], .height = sizes[i][1]};
        const char *across = "    - [0, -1, 0.5, 1, 0.6, 0, 0, 0, 0, 1, 1]\n"
                             "    - [0, 2, 0.5, 1, 0.6, 0, 0, 0, 0, 1, 1]\n";
        struct solved s = solve(harness, NULL, across, ", mode: relative, tolerance: 1e-6");
        for (size_t k = 0; k < tw_value_count(s.out); k++)
            assert_true(fabs((double)tw_floats(s.out)[k] - 1) < 1e-4);
        tw_result_release(s.result);
    }
}

static void refuses_what_nothing_holds(void **state)
{
    (void)state;
    struct tw_error error = harness_fail(&(struct harness){
        .nodes = "c: {type: feature.curve, points: [[0, 0, 0, 1, 0.1, 0, 0, 0, 0, 3, 3, 0], "
                 "[0, 1, 1, 1, 0.1, 0, 0, 0, 0, 3, 3, 0]]}\n"
                 "d: {type: feature.diffusion, curves: c}\n"});
    assert_non_null(strstr(error.message, "nothing holds the terrain"));
    error = harness_fail(
        &(struct harness){.nodes = "c: {type: feature.curve, points: [[0, 3, 3], [0, 4, 4]]}\n"
                                   "d: {type: feature.diffusion, curves: c, mode: relative}\n"});
    assert_non_null(strstr(error.message, "nothing holds the terrain"));
}

static void warns_of_a_plateau_between_cells(void **state)
{
    (void)state;
    struct solved s = solve((struct harness){0}, NULL,
                            "    - [5, 0.2, 0.5, 1, 0.001]\n    - [5, 0.8, 0.5, 1, 0.001]\n", "");
    assert_non_null(strstr(harness_warning(), "curve 5"));
    tw_result_release(s.result);
}

/* Weiss's Figure 5: the old mountain grows in mode relative and keeps its height in mode local. */
static void figure_5_of_the_paper(void **state)
{
    struct tw_recipe *recipe = NULL;
    struct tw_result *result = NULL;
    struct tw_error error;
    const struct tw_load_options load = {.width = 128, .height = 128};
    float old = 0, relative = 0, local = 0;
    (void)state;
    assert_int_equal(tw_recipe_load(TW_GRAPHS "/weiss/curves.yaml", &load, &recipe, &error), TW_OK);
    for (int i = 0; i < 3; i++) {
        static const char *const names[] = {"old", "relative", "local"};
        float *const highest[] = {&old, &relative, &local};
        const struct tw_run_options run = {.threads = 1, .only = names[i]};
        assert_int_equal(tw_recipe_run(recipe, &run, &result, &error), TW_OK);
        for (int32_t y = 0; y < 128; y++)
            for (int32_t x = 0; x < 50; x++) {
                float here = (float)cell(tw_result_output(result, names[i]), x, y);
                *highest[i] = here > *highest[i] ? here : *highest[i];
            }
        tw_result_release(result);
    }
    tw_recipe_release(recipe);
    assert_true(old > 0.15f && relative > 1.2f * old && local == old);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_samples_and_jacobi),
        cmocka_unit_test(weights_of_many_curves),
        cmocka_unit_test(equals_elimination),
        cmocka_unit_test(equals_elimination_where_little_holds),
        cmocka_unit_test(refuses_what_is_all_but_loose),
        cmocka_unit_test(keeps_the_terrain_outside_bit_for_bit),
        cmocka_unit_test(plateau_and_slopes_have_their_height_and_angle),
        cmocka_unit_test(corrected_slopes_have_their_angle_in_the_world),
        cmocka_unit_test(refuses_angles_without_a_tangent),
        cmocka_unit_test(ends_have_a_half_disc_of_envelope_only),
        cmocka_unit_test(heights_follow_the_cubic),
        cmocka_unit_test(monotone_and_straight_heights_do_not_overshoot),
        cmocka_unit_test(sides_hold_around_sharp_kinks),
        cmocka_unit_test(the_nearest_point_is_found_on_the_concave_side),
        cmocka_unit_test(moves_with_heights),
        cmocka_unit_test(the_error_stays_below_the_tolerance),
        cmocka_unit_test(gives_the_same_bytes_however_it_runs),
        cmocka_unit_test(copes_with_all_sizes),
        cmocka_unit_test(refuses_what_nothing_holds),
        cmocka_unit_test(warns_of_a_plateau_between_cells),
        cmocka_unit_test(figure_5_of_the_paper),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
