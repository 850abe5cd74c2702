/* SPDX-License-Identifier: MIT */
/* Gives the differences that adjust: asks for as JSON. */
#include "cli/compare/compare.h"
#include "study/adjust.h"
#include "study/levels.h"

#include <jansson.h>

static json_t *row_of(const struct tw_comparison *c, int32_t variant, int32_t measure)
{
    const struct tw_experiment *e = c->experiment;
    struct tw_adjusted a;
    int32_t side = tw_side_of(c, variant);
    json_t *row = json_pack("{s:s, s:o?, s:i, s:s, s:s, s:i}", "variant", e->variants[variant].name,
                            "size", side > 0 ? json_integer(side) : NULL, "level",
                            (int)tw_level_of(e, variant) + 1, "measure", e->measures[measure].name,
                            "covariate", e->measures[e->covariate].name, "count", (int)c->count);
    bool found = tw_compare_adjusted(c, variant, measure, &a);
    json_t *more = found ? json_pack("{s:f, s:[f, f], s:f, s:[f, f], s:f, s:[f, f], s:b, s:b}",
                                     "difference", a.difference, "interval", a.low, a.high, "slope",
                                     a.slope, "slope_95", a.slope_low, a.slope_high, "steeper",
                                     a.steeper, "steeper_95", a.steeper_low, a.steeper_high,
                                     "parallel", (int)a.is_parallel, "inside", (int)a.is_inside)
                         : json_pack("{s:n}", "difference");
    json_object_update(row, more);
    json_decref(more);
    return row;
}

json_t *tw_compare_adjusted_json(const struct tw_comparison *c)
{
    const struct tw_experiment *e = c->experiment;
    json_t *list = e->adjusts ? json_array() : NULL;
    for (int32_t v = 0; list && v < e->variant_count; v++)
        for (int32_t m = 0; m < e->measure_count; m++)
            if (tw_is_adjusted(e, v, m))
                json_array_append_new(list, row_of(c, v, m));
    return list;
}
