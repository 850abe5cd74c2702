/* SPDX-License-Identifier: MIT */
#include "study/adjust.h"

#include "study/experiment_private.h"

void tw_experiment_read_adjust(struct tw_experiment_reader *reader, const struct tw_yaml *name)
{
    struct tw_experiment *e = reader->experiment;
    if (!name || !tw_expect_kind(reader->log, name, TW_YAML_SCALAR, "adjust"))
        return;
    int32_t measure = tw_experiment_find_measure(reader, name);
    if (e->baseline < 0 && !tw_yaml_find(reader->root, "baseline"))
        TW_EXPERIMENT_FAULT(reader, name->place,
                            "adjust: is about differences to the baseline, and there is none");
    else if (measure >= 0 && e->measure_count < 2)
        TW_EXPERIMENT_FAULT(reader, name->place,
                            "adjust: %.60s is all that is measured; expected another measure to "
                            "compare at equal values of it",
                            name->text);
    else if (measure >= 0) {
        e->adjusts = true;
        e->covariate = measure;
    }
}

bool tw_is_adjusted(const struct tw_experiment *e, int32_t variant, int32_t measure)
{
    return e->adjusts && measure != e->covariate && tw_is_compared(e, variant);
}

bool tw_compare_adjusted(const struct tw_comparison *c, int32_t variant, int32_t measure,
                         struct tw_adjusted *adjusted)
{
    const struct tw_experiment *e = c->experiment;
    int32_t baseline = tw_experiment_baseline(e, variant);
    const struct tw_adjusted_samples samples = {
        tw_samples(c, variant, measure), tw_samples(c, baseline, measure),
        tw_samples(c, variant, e->covariate), tw_samples(c, baseline, e->covariate), c->count};
    return tw_adjusted_find(&samples, adjusted);
}
