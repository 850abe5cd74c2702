/* SPDX-License-Identifier: MIT */
/* What the samples of a comparison say, pair by pair and all together. */
#include "compare/comparison.h"

#include <stdlib.h>

enum tw_status tw_compare_judge(struct tw_comparison *c, struct tw_error *err)
{
    const struct tw_experiment *e = c->experiment;
    size_t most = (size_t)e->variant_count * (size_t)e->measure_count;
    struct tw_paired **all = calloc(most + 1, sizeof *all);
    enum tw_status status = all ? TW_OK : tw_error_set(err, TW_MEMORY, "out of memory");
    int32_t count = 0;
    for (int32_t v = 0; all && e->baseline >= 0 && v < e->variant_count; v++)
        for (int32_t m = 0; status == TW_OK && v != e->baseline && m < e->measure_count; m++) {
            all[count] = tw_pair_of(c, v, m);
            status = tw_paired_find(tw_samples(c, v, m), tw_samples(c, e->baseline, m), c->count,
                                    all[count++], err);
        }
    if (status == TW_OK)
        status = tw_paired_holm(all, count, err);
    for (int32_t v = 0; status == TW_OK && e->baseline >= 0 && v < e->variant_count; v++)
        for (int32_t m = 0; v != e->baseline && m < e->measure_count; m++)
            tw_paired_judge(tw_pair_of(c, v, m), e->measures[m].goal);
    free(all);
    return status;
}

/* With fewer pairs than can show anything an interval may be narrow by chance. */
bool tw_compare_is_narrow(const struct tw_comparison *c)
{
    const struct tw_experiment *e = c->experiment;
    bool asked = false;
    for (int32_t m = 0; m < e->measure_count; m++) {
        if (!(e->measures[m].until > 0))
            continue;
        asked = true;
        for (int32_t v = 0; v < e->variant_count; v++) {
            struct tw_summary d = tw_comparison_difference(c, v, m);
            if (v != e->baseline &&
                (c->total < TW_PAIRS_MIN || 2 * d.interval > e->measures[m].until))
                return false;
        }
    }
    return asked;
}
