/* SPDX-License-Identifier: MIT */
/* Gradient dependent erosion, Coats 2008, section 2.2, in its order-free form: what leaves a cell
 * follows from the state before the step, what comes to it is added after. So cells can be computed
 * in any order, and many at once. */
#ifndef THALWEG_COATS_H
#define THALWEG_COATS_H

#include <thalweg/node.h>

/* Kc, Kd, Ks: sediment capacity, sediment deposition, soil softness. */
struct tw_coats {
    float capacity, deposition, softness;
    float rain, rain_by_altitude, evaporation;
    int32_t rain_period, steps;
};

/* Rain on a cell of altitude a; never negative. */
static inline double tw_coats_rain(const struct tw_coats *k, double a)
{
    double fall = (double)k->rain + (double)k->rain_by_altitude * a;
    return fall > 0 ? fall : 0;
}

struct tw_coats_range {
    double low, high;
};

static inline void tw_coats_widen(struct tw_coats_range *range, double a)
{
    range->low = a < range->low ? a : range->low;
    range->high = a > range->high ? a : range->high;
}

/* Whether to look for heights that run away: now and then, and after the last step. */
static inline bool tw_coats_looks(const struct tw_coats *k, int32_t step)
{
    return step % 32 == 31 || step == k->steps - 1;
}

/* Fails when heights are further outside the terrain's range, water and sediment at the start
 * included, than ten times its width. */
enum tw_status tw_coats_judge(struct tw_task *task, const struct tw_coats_range *terrain,
                              const struct tw_coats_range *now, const struct tw_coats *k,
                              int32_t step);

/* Changes altitude, water and sediment of the task's size by all steps. */
enum tw_status tw_coats_synchronous(struct tw_task *task, const struct tw_coats *k, float *altitude,
                                    float *water, float *sediment);

#endif
