/* SPDX-License-Identifier: MIT */
/* The fronts of two measures, which front: names: one of each level's variants, and one of a
 * tuning's trials, by their means over the seeds. */
#ifndef TW_ENGINE_STUDY_FRONT_H
#define TW_ENGINE_STUDY_FRONT_H

#include "study/comparison.h"
#include "study/statistics/front.h"

struct tw_front_set {
    int32_t level;                 /* whose variants the points are; -1: trials */
    struct tw_front_point *points; /* those on the front first; `at` is a variant of the level, or a
                                      trial; coordinates have the sign that makes more better */
    int32_t count;                 /* points; trials that failed have none */
    int32_t on;                    /* points on the front */
    int32_t knee;                  /* index of a point; -1: none */
};

/* Number of fronts; 0 if the experiment has no front:. */
int32_t tw_front_count(const struct tw_comparison *comparison);
/* Finds one of them. tw_front_release() it even after a failure. */
enum tw_status tw_front_of(const struct tw_comparison *comparison, int32_t number,
                           struct tw_front_set *front, struct tw_error *err);
void tw_front_release(struct tw_front_set *front);

/* Mean of a measure at a point. */
double tw_front_mean(const struct tw_comparison *comparison, const struct tw_front_set *front,
                     int32_t point, int32_t measure);
/* Values of parameters that a point sets; *count receives their number. */
const struct tw_setting *tw_front_settings(const struct tw_comparison *comparison,
                                           const struct tw_front_set *front, int32_t point,
                                           int32_t *count);

#endif
