/* SPDX-License-Identifier: MIT */
#include "common/strata.h"

#include <thalweg/kernel.h>

struct tw_strata_course tw_strata_course(double period, double fold, double dip, double azimuth)
{
    return (struct tw_strata_course){.period = period,
                                     .fold = fold,
                                     .rise_x = dip * tw_sin_degrees(azimuth),
                                     .rise_y = -dip * tw_cos_degrees(azimuth)};
}

/* Sets the tops by the rows' thicknesses. */
static void stack(struct tw_strata *strata)
{
    double sum = 0, below = 0;
    for (int32_t i = 0; i < strata->count; i++)
        sum += (double)strata->at[i].thickness;
    for (int32_t i = 0; i < strata->count; i++) {
        strata->top[i] = below / sum;
        below += (double)strata->at[i].thickness;
    }
    strata->top[strata->count] = 1;
}

void tw_strata_read(const struct tw_table *table, struct tw_strata *strata)
{
    strata->count = table->rows < TW_STRATA_MAX ? table->rows : TW_STRATA_MAX;
    memcpy(strata->at, table->at, (size_t)strata->count * sizeof *strata->at);
    stack(strata);
}

/* A normal draw by Box and Muller. */
static double normal(struct tw_random4 words)
{
    double u = 1 - (double)tw_uniform(words.at[0]); /* above 0 */
    return sqrt(-2 * 0.6931471805599453 * tw_log2(u)) *
           tw_cos_degrees(360.0 * (double)tw_uniform(words.at[1]));
}

void tw_strata_draw(uint64_t seed, int32_t count, struct tw_strata *strata)
{
    strata->count = count < TW_STRATA_MAX ? count : TW_STRATA_MAX;
    for (int32_t i = 0; i < strata->count; i++) {
        struct tw_random4 words = tw_random(seed, (uint32_t)i, 0, 0, 0);
        double u = (double)tw_uniform(words.at[2]);
        strata->at[i] =
            (struct tw_stratum){.thickness = (float)tw_exp(0.9 * normal(words)),
                                .hardness = (float)(i % 2 == 0 ? 0.6 + 0.4 * u : 0.15 + 0.3 * u),
                                .red = 176,
                                .green = 132,
                                .blue = 98};
    }
    stack(strata);
}

int32_t tw_strata_find(const struct tw_strata *strata, double q)
{
    int32_t low = 0, high = strata->count;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (strata->top[middle] <= q)
            low = middle;
        else
            high = middle;
    }
    return low;
}

double tw_strata_hardness(const struct tw_strata *strata, double q, double blend)
{
    int32_t i = tw_strata_find(strata, q), n = strata->count;
    double own = (double)strata->at[i].hardness;
    double margin = 0.5 * blend * (strata->top[i + 1] - strata->top[i]);
    double down = q - strata->top[i], up = strata->top[i + 1] - q;
    if (down >= margin && up >= margin)
        return own;
    double other = (double)strata->at[down < up ? (i + n - 1) % n : (i + 1) % n].hardness;
    double t = 0.5 - 0.5 * (down < up ? down : up) / margin; /* 1/2 at the border */
    return own + (other - own) * t * t * (3 - 2 * t);
}
