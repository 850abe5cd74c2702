/* SPDX-License-Identifier: MIT */
/* Results of a sensitivity plan, of measures' means over the seeds. An elementary effect is the
 * change of a measure's mean over the seeds along one step of a trajectory, divided by the step's
 * share of the parameter's range: the slope across the whole range if the measure were linear. */
#ifndef TW_ENGINE_STUDY_EFFECTS_H
#define TW_ENGINE_STUDY_EFFECTS_H

#include "study/comparison.h"
#include "study/statistics/indices.h"

struct tw_effect {
    int32_t count;   /* number of elementary effects: one per trajectory that moves the parameter */
    double mu;       /* their mean: near 0 if they cancel */
    double mu_star;  /* mean of their absolute values (Campolongo, Cariboni & Saltelli 2007) */
    double interval; /* half width of mu_star's 95 % confidence interval (Student) */
    double sigma;    /* their standard deviation: how much depends on the other parameters */
};

/* Effect of one factor on one measure. */
struct tw_effect tw_compare_effect(const struct tw_comparison *comparison, int32_t factor,
                                   int32_t measure);
/* Sobol indices of all factors for one measure; false if memory runs out. */
bool tw_compare_indices(const struct tw_comparison *comparison, int32_t measure,
                        struct tw_index indices[TW_FACTORS_MAX]);
/* The variant at point `point` of a factor's curve. */
int32_t tw_compare_curve_variant(const struct tw_comparison *comparison, int32_t factor,
                                 int32_t point);

#endif
