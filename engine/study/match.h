/* SPDX-License-Identifier: MIT */
/* match: {goal: {score.erosion: {near: baseline, within: 2 %}}, seeds: 4, by: {a: {K: [1, 20]}}}
 * Compares variants at equal values of a measure: before the comparison, the parameter of each
 * variant under `by` is set so that the measure's mean over pilot seeds comes near the goal. */
#ifndef TW_ENGINE_STUDY_MATCH_H
#define TW_ENGINE_STUDY_MATCH_H

#include "study/tune.h"

#define TW_MATCH_POINTS_MAX 12 /* values tried for a variant */
#define TW_MATCH_SEEDS_MAX 1000

/* What was found for a variant. */
struct tw_matched {
    int32_t variant; /* of all levels */
    const struct tw_axis *axis;
    const char *value; /* of the parameter: the nearest that was tried */
    double target;     /* of the level */
    double pilot_mean; /* of the measure at `value`, over the pilot seeds */
    int32_t points;    /* values tried */
    bool reached;      /* the mean is within the goal's share of the target */
};

struct tw_match {
    struct tw_tune_goal goal; /* of kind TW_TUNE_NEAR */
    int32_t seeds;            /* pilot seeds; 0: nothing is matched */
    struct tw_axis *axes;     /* [variant of a level]; without a name: not matched */
    int32_t axis_count;       /* of those that have one */
    struct tw_matched *found; /* by variant; set by tw_compare_match() */
    int32_t found_count;
};

#endif
