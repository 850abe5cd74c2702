/* SPDX-License-Identifier: MIT */
/* Prints how long each variant takes to run alone, as text and JSON. */
#include "cli/compare/compare.h"

#include <jansson.h>

static void print_median(FILE *out, const struct tw_median *time)
{
    fprintf(out, "  %9.4f", time->median);
    if (time->low == time->low)
        fprintf(out, " %9.4f %9.4f", time->low, time->high);
    else
        fprintf(out, " %9s %9s", "-", "-");
}

void tw_compare_times_text(FILE *out, const struct tw_comparison *c, int width)
{
    const struct tw_experiment *e = c->experiment;
    fprintf(out,
            "\nseconds by itself, without cache: medians of %d runs, interleaved\n"
            "  %-*s  %9s %19s  %9s %19s\n",
            (int)c->times[0].count, width, "variant", "wall", "95 % of it", "processor",
            "95 % of it");
    for (int32_t v = 0; v < e->variant_count; v++) {
        fprintf(out, "  %-*s", width, e->variants[v].name);
        print_median(out, &c->times[v].wall);
        print_median(out, &c->times[v].processor);
        fputs("\n", out);
    }
}

static json_t *median_json(const struct tw_median *time)
{
    json_t *interval = time->low == time->low ? json_pack("[f, f]", time->low, time->high) : NULL;
    return json_pack("{s:f, s:o?}", "median", time->median, "median_95", interval);
}

json_t *tw_compare_times_json(const struct tw_comparison *c, int32_t variant)
{
    if (!c->times)
        return NULL;
    const struct tw_variant_time *times = &c->times[variant];
    return json_pack("{s:i, s:o, s:o}", "runs", (int)times->count, "wall",
                     median_json(&times->wall), "processor", median_json(&times->processor));
}
