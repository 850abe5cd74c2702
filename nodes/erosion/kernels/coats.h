/* SPDX-License-Identifier: MIT */
/* Gradient dependent erosion, Coats 2008, section 2.2, in the order of its text and in a form that
 * has none: there outflow follows from the state before the step, and inflow is added after it, so
 * cells can be computed in any order, and many at once. */
#ifndef TW_NODES_EROSION_KERNELS_COATS_H
#define TW_NODES_EROSION_KERNELS_COATS_H

#include <thalweg/scratch.h>

/* Kc, Kd, Ks: sediment capacity, sediment deposition, soil softness. */
struct tw_coats {
    float capacity, deposition, softness;
    float rain, rain_by_altitude, evaporation;
    int32_t rain_period, steps;
    bool shares; /* water goes to all lower neighbours by slope, not to the lowest first */
};

/* For water that is shared. A drop counts as a slope, across a corner by 1 / 2^(1/2): on a plane
 * water then moves as far along a diagonal as along a row. In a step two cells exchange at most an
 * eighth of the difference of their surfaces, half of what is stable among 8 neighbours. */
#define TW_COATS_DIAGONAL 0.70710678f
#define TW_COATS_EXCHANGE 0.125f

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

/* Whether to check for heights that run away: every 32 steps, and after the last one. */
static inline bool tw_coats_looks(const struct tw_coats *k, int32_t step)
{
    return step % 32 == 31 || step == k->steps - 1;
}

struct tw_coats_maps {
    float *altitude, *water, *sediment;
};

/* How a run ended. */
struct tw_coats_end {
    bool unstable;
    struct tw_coats_range terrain, now; /* with water and sediment at the start; at the end */
    int32_t steps;                      /* completed */
    double rained;                      /* sum of all cells and rains */
};

/* Sets `unstable` when heights are further outside the terrain's range than ten times its width. */
static inline bool tw_coats_judge(struct tw_coats_end *end, const struct tw_coats *k)
{
    double beyond = 10 * (end->terrain.high - end->terrain.low + (double)k->rain);
    end->unstable =
        !(end->now.low >= end->terrain.low - beyond && end->now.high <= end->terrain.high + beyond);
    return end->unstable;
}

/* Runs the steps on maps of the task's size and, where `store` is set and heights did not run away,
 * writes them back. `memory` is what its layout took, for one run after the other. */
typedef enum tw_status tw_coats_fn(struct tw_task *task, const struct tw_coats *k,
                                   const struct tw_coats_maps *maps, bool store, void *memory,
                                   struct tw_coats_end *end);
tw_coats_fn tw_coats_synchronous;
/* Runs cell after cell on the changing map, as the text says; in double, on one thread. */
tw_coats_fn tw_coats_at_once;

void *tw_coats_synchronous_lay_out(struct tw_scratch *s);
void *tw_coats_at_once_lay_out(struct tw_scratch *s);

#endif
