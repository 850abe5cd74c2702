/* SPDX-License-Identifier: MIT */
/* Rows of simplex noise are the same to the last bit at every width of vectors, also where a row
 * runs along the sides of squares, far from the origin, so that rounding decides which it meets. */
#include "noise/kernels/lattice_simplex.h"

#include "base/os/cpu.h"
#include "support/harness.h"

#include <thalweg/kernel.h>

#include <math.h>

enum { ROWS = 40000, COUNT = 512, FARTHEST = 65536 - COUNT };

/* Where rows are parallel to two sides of the squares, one way and the other: tan = -S / (1 + S)
 * and its inverse, with S = (sqrt(3) - 1) / 2. */
static const double along[] = {-15, 165, -75, 105};

static struct tw_lattice draw(uint32_t row, struct tw_lattice_span *span)
{
    const struct tw_random4 a = tw_random(3, row, 0, 0, 0), b = tw_random(3, row, 1, 0, 0);
    double angle = 360 * (double)tw_uniform(a.at[0]);
    if (row % 4 > 0)
        angle =
            along[a.at[1] % 4] + (a.at[1] & 4 ? 1 : -1) * pow(10, -6 * (double)tw_uniform(a.at[2]));
    const double step = pow(2, -1 - 7 * (double)tw_uniform(a.at[3])); /* coarser than the map */
    *span = (struct tw_lattice_span){(int32_t)(b.at[0] % FARTHEST), (int32_t)(b.at[1] % FARTHEST),
                                     COUNT - (int32_t)(row % 17)};
    return (struct tw_lattice){.basis = TW_BASIS_SIMPLEX,
                               .index = row,
                               .key = {row, 77},
                               .step_x = step,
                               .step_y = step,
                               .start_x = (double)tw_uniform(b.at[2]),
                               .start_y = (double)tw_uniform(b.at[3]),
                               .width = FARTHEST + COUNT,
                               .rotated = true,
                               .cosine = tw_cos_degrees(angle) * step,
                               .sine = tw_sin_degrees(angle) * step};
}

static void rows_are_those_of_single_cells(void **state)
{
    float plain[COUNT + 16], wide[COUNT + 16];
    (void)state;
    for (uint32_t row = 0; row < ROWS; row++) {
        struct tw_lattice_span span;
        const struct tw_lattice lattice = draw(row, &span);
        tw_lattice_simplex(&lattice, TW_SIMD_BASE, &span, plain);
        for (int simd = TW_SIMD_BASE + 1; simd <= (int)tw_cpu_simd(); simd++) {
            tw_lattice_simplex(&lattice, (enum tw_simd)simd, &span, wide);
            for (int32_t i = 0; i < span.count; i++)
                if (memcmp(&wide[i], &plain[i], sizeof *wide) != 0)
                    fail_msg("row %u, cell %d: %.9g at level %d, not %.9g", row, (int)i,
                             (double)wide[i], simd, (double)plain[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_those_of_single_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
