/* SPDX-License-Identifier: MIT */
/* Prints what match: set in variants, as JSON, and what it may cost. */
#include "study/matching.h"
#include "cli/compare/compare.h"
#include "study/levels.h"

#include <jansson.h>

void tw_compare_matching_forecast(FILE *out, const struct tw_experiment *e)
{
    const struct tw_match *match = &e->match;
    if (match->seeds == 0)
        return;
    fprintf(out, "match: %d variant%s", (int)match->axis_count, match->axis_count == 1 ? "" : "s");
    if (e->level_count > 1)
        fprintf(out, " at %d levels", (int)e->level_count);
    fprintf(out, ", at most %lld runs with %d pilot seed%s\n", (long long)tw_match_runs(e),
            (int)match->seeds, match->seeds == 1 ? "" : "s");
}

static json_t *matched_json(const struct tw_comparison *c, const struct tw_matched *found)
{
    const struct tw_experiment *e = c->experiment;
    int32_t side = tw_side_of(c, found->variant);
    json_t *compared = NULL, *remaining = NULL;
    if (c->total > 0) {
        compared = json_real(tw_comparison_summary(c, found->variant, e->match.goal.measure).mean);
        remaining = json_real(tw_match_remaining(c, found));
    }
    return json_pack("{s:s, s:o?, s:i, s:s, s:s, s:s, s:f, s:f, s:i, s:b, s:o?, s:o?}", "variant",
                     e->variants[found->variant].name, "size", side > 0 ? json_integer(side) : NULL,
                     "level", (int)tw_level_of(e, found->variant) + 1, "measure",
                     e->measures[e->match.goal.measure].name, "parameter", found->axis->name,
                     "value", found->value, "target", found->target, "pilot_mean",
                     found->pilot_mean, "points", (int)found->points, "reached",
                     (int)found->reached, "compared_mean", compared, "remaining", remaining);
}

json_t *tw_compare_matching_json(const struct tw_comparison *c)
{
    const struct tw_match *match = &c->experiment->match;
    json_t *list = match->seeds > 0 ? json_array() : NULL;
    for (int32_t i = 0; i < match->found_count; i++)
        json_array_append_new(list, matched_json(c, &match->found[i]));
    return list;
}
