/* SPDX-License-Identifier: MIT */
#include "reference/gradient_row.h"

#include "base/os/cpu.h"
#include "island/kernels/perturbation.h"
#include "support/harness.h"

#include <math.h>

/* The k-th instruction set, as far as the processor has it. */
static enum tw_simd level(int k)
{
    return k < (int)tw_cpu_simd() ? (enum tw_simd)k : tw_cpu_simd();
}

/* The row kernel of the perturbation gives the bytes of its cells by themselves, in two parts. */
static void noise_rows_are_noise_points(void **state)
{
    static const double steps[] = {0, 1e-9, 0.031, 0.25, 1.0 / 3, 1, 1.7, 12.3};
    static const double starts[] = {-4.3, 0.5, 3000};
    (void)state;
    for (int k = 0; k < 24 * 3; k++) {
        float row[300], expected[300];
        double x0 = starts[k % 3], step = steps[k / 3 % 8];
        enum tw_simd simd = level(k / 24);
        struct tw_gradient_row own = {77, k, x0, step, 0.5 * k - 9.3, 2.5, 0, 37 + k};
        for (int32_t i = 0; i < 300; i++)
            row[i] = expected[i] = 0.01f * (float)i;
        tw_gradient_row(simd, &own, row);
        own.first = own.count;
        own.count = 300 - own.first;
        tw_gradient_row(simd, &own, row + own.first);
        plain_gradient_row(77, k, x0, step, own.y, 2.5, 300, expected);
        assert_memory_equal(row, expected, sizeof row);
        for (int32_t i = 0; i < 300; i++)
            assert_true(fabs((double)row[i] - 0.01 * i -
                             2.5 * tw_gradient_noise(77, k, x0 + i * step, own.y)) < 1e-5);
    }
}

enum { CELLS_MAX = 300 * 9 };

/* Rows of offsets, in cells. */
static void plain_offsets(const struct tw_perturbation *p, int32_t y, float *x, float *down)
{
    double frequency = (double)p->frequency, weight = (double)p->magnitude;
    for (int32_t i = 0; i < p->width; i++)
        x[i] = down[i] = 0;
    for (int32_t k = 0; k < p->octaves; k++, frequency *= 2, weight *= 0.5) {
        double step = frequency / p->width, at = (y + 0.5) * frequency / p->height;
        plain_gradient_row(p->key, 2 * k, 0.5 * step, step, at, weight * p->width, p->width, x);
        plain_gradient_row(p->key, 2 * k + 1, 0.5 * step, step, at, weight * p->height, p->width,
                           down);
    }
}

/* What a map, and labels, show at a place. */
static float plain_look_up(const struct tw_perturbation *p, const float *map, const int32_t *labels,
                           float x, float y, int32_t *label)
{
    x = tw_clamp(x, 0.0f, (float)(p->width - 1));
    y = tw_clamp(y, 0.0f, (float)(p->height - 1));
    int32_t x0 = tw_floor(x), y0 = tw_floor(y);
    int32_t x1 = tw_clamp_index(x0 + 1, p->width), y1 = tw_clamp_index(y0 + 1, p->height);
    float across = x - (float)x0, along = y - (float)y0;
    const float *above = map + (ptrdiff_t)y0 * p->width, *below = map + (ptrdiff_t)y1 * p->width;
    float up = above[x0] + (above[x1] - above[x0]) * across;
    float down = below[x0] + (below[x1] - below[x0]) * across;
    *label = labels[(along < 0.5f ? y0 : y1) * p->width + (across < 0.5f ? x0 : x1)];
    return up + (down - up) * along;
}

static void check_row(const struct tw_perturbation *p, const float *map, const int32_t *labels,
                      int32_t y)
{
    float across[300], down[300], shown[300];
    int32_t names[300];
    struct tw_perturbed cells = {.y = y};
    for (; cells.x < p->width; cells.x += cells.count) {
        int32_t left = p->width - cells.x, most = cells.x > 0 ? TW_PERTURBED : 7;
        cells.count = left < most ? left : most;
        tw_perturbation_find(p, &cells);
        tw_perturbed_floats(&cells, p->simd, map, shown + cells.x);
        tw_perturbed_labels(&cells, labels, names + cells.x);
    }
    plain_offsets(p, y, across, down);
    for (int32_t x = 0; x < p->width; x++) {
        int32_t label;
        float value =
            plain_look_up(p, map, labels, (float)x + across[x], (float)y + down[x], &label);
        assert_memory_equal(&shown[x], &value, sizeof value);
        assert_int_equal(names[x], label);
    }
}

static void cells_look_up_by_themselves(void **state)
{
    static const int32_t sizes[][2] = {{1, 1}, {1, 9}, {9, 1}, {3, 2}, {17, 5}, {300, 9}};
    static const float shapes[][2] = {{0.05f, 8}, {1, 3.7f}, {1e-6f, 0}, {0.3f, 4096}};
    static float map[CELLS_MAX];
    static int32_t labels[CELLS_MAX];
    (void)state;
    for (int32_t i = 0; i < CELLS_MAX; i++) {
        labels[i] = i;
        map[i] = (float)(tw_random(9, (uint32_t)i, 0, 0, 0).at[0] >> 8) * (i % 5 ? 1 : 1e30f);
    }
    for (int k = 0; k < 6 * 4 * 3; k++) {
        const struct tw_perturbation p = {.key = 5,
                                          .magnitude = shapes[k / 6 % 4][0],
                                          .frequency = shapes[k / 6 % 4][1],
                                          .octaves = 1 + k % 4,
                                          .width = sizes[k % 6][0],
                                          .height = sizes[k % 6][1],
                                          .simd = level(k / 24)};
        for (int32_t y = 0; y < p.height; y++)
            check_row(&p, map, labels, y);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_rows_are_noise_points),
        cmocka_unit_test(cells_look_up_by_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
