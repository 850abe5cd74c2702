/* SPDX-License-Identifier: MIT */
#include "study/trial.h"

struct tw_experiment tw_experiment_trial(const struct tw_experiment *e,
                                         const struct tw_setting *settings, int32_t count,
                                         struct tw_variant *variant)
{
    struct tw_experiment alone = *e;
    *variant = (struct tw_variant){.name = "trial",
                                   .recipe = e->recipe,
                                   .settings = settings,
                                   .setting_count = count,
                                   .place = count > 0 ? settings[0].place : (struct tw_place){0}};
    alone.variants = variant;
    alone.variant_count = alone.level_variants = alone.level_count = alone.run_count = 1;
    alone.baseline = -1;
    alone.sensitivity = (struct tw_sensitivity){0};
    return alone;
}
