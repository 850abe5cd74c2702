/* SPDX-License-Identifier: MIT */
/* A point that a search tries: one variant of an experiment's recipe, over its seeds. */
#ifndef TW_ENGINE_STUDY_TRIAL_H
#define TW_ENGINE_STUDY_TRIAL_H

#include "study/comparison.h"

/* The experiment with these settings as its only variant, stored in `variant`. Borrows from `e`. */
struct tw_experiment tw_experiment_trial(const struct tw_experiment *e,
                                         const struct tw_setting *settings, int32_t count,
                                         struct tw_variant *variant);

#endif
