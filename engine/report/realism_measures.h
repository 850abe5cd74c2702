/* SPDX-License-Identifier: MIT */
/* Which measures of an experiment are numbers of measure.realism, and the bands of real ranges. */
#ifndef TW_ENGINE_REPORT_REALISM_MEASURES_H
#define TW_ENGINE_REPORT_REALISM_MEASURES_H

#include "graph/graph.h"
#include "study/experiment.h"

#include <thalweg/realism.h>

struct tw_realism_measures {
    const struct tw_realism_band *bands; /* NULL: no measure has one */
    int32_t band_of[TW_MEASURES_MAX];    /* by measure; -1: none */
};

/* `recipe` is that of a variant; all variants have its size and world. */
void tw_realism_measures_find(const struct tw_experiment *e, const struct tw_recipe *recipe,
                              struct tw_realism_measures *found);

#endif
