/* SPDX-License-Identifier: MIT */
#include "study/effects.h"

#include "base/text/number.h"

#include <math.h>
#include <stdlib.h>

/* A variant's position in a factor's range, from the text of the value that was run. */
static double share_of(const struct tw_axis *factor, const struct tw_variant *variant)
{
    double value = factor->from;
    const char *text = tw_variant_value(variant, factor->name);
    if (text)
        tw_number_parse(text, &value);
    return (value - factor->from) / (factor->to - factor->from);
}

/* The step of a trajectory that moves the factor. */
static int32_t step_of(const struct tw_sensitivity *s, int32_t trajectory, int32_t factor)
{
    int32_t order[TW_FACTORS_MAX], step = 0;
    tw_morris_order(trajectory, s->factor_count, order);
    while (order[step] != factor)
        step++;
    return step;
}

struct tw_effect tw_compare_effect(const struct tw_comparison *c, int32_t factor, int32_t measure)
{
    const struct tw_experiment *e = c->experiment;
    const struct tw_sensitivity *s = &e->sensitivity;
    struct tw_running effects = {0}, sizes = {0};
    for (int32_t t = 0; t < s->trajectories; t++) {
        int32_t before = s->first_step + t * (s->factor_count + 1) + step_of(s, t, factor);
        double moved = share_of(&s->factors[factor], &e->variants[before + 1]) -
                       share_of(&s->factors[factor], &e->variants[before]);
        double change = c->sums[tw_cell_of(c, before + 1, measure)].mean -
                        c->sums[tw_cell_of(c, before, measure)].mean;
        if (moved == 0) /* the range is narrower than the digits of its ends */
            continue;
        tw_running_add(&effects, change / moved);
        tw_running_add(&sizes, fabs(change / moved));
    }
    return (struct tw_effect){(int32_t)effects.count, effects.mean, sizes.mean,
                              tw_running_summary(&sizes).interval,
                              tw_running_summary(&effects).deviation};
}

bool tw_compare_indices(const struct tw_comparison *c, int32_t measure,
                        struct tw_index indices[TW_FACTORS_MAX])
{
    const struct tw_sensitivity *s = &c->experiment->sensitivity;
    int32_t variants = s->rows * (s->factor_count + 2);
    double *values = malloc((size_t)variants * sizeof *values);
    for (int32_t v = 0; values && v < variants; v++)
        values[v] = c->sums[tw_cell_of(c, s->first_index + v, measure)].mean;
    const struct tw_index_rows rows = {values, s->rows, s->factor_count};
    bool ok = values && tw_indices_find(&rows, indices);
    free(values);
    return ok;
}

int32_t tw_compare_curve_variant(const struct tw_comparison *c, int32_t factor, int32_t point)
{
    const struct tw_sensitivity *s = &c->experiment->sensitivity;
    return s->first_point + factor * s->points + point;
}
