/* SPDX-License-Identifier: MIT */
/* Estimates the map size that a refused run would have memory for. */
#include "run/state.h"

#include <math.h>
#include <stdio.h>

/* Margin for memory that does not shrink with the map, as tables. */
static const double MARGIN = 0.9;

void tw_run_print_largest(const struct tw_run *run, uint64_t bytes, char *text, size_t size)
{
    const double cells = (double)run->recipe->width * run->recipe->height;
    const uint64_t limit = run->options->max_memory;
    const double within_limit = (double)limit / (double)bytes * cells * MARGIN;
    double fit = (double)TW_CELLS_MAX;
    char within[48] = "";
    if (limit > 0 && within_limit < fit)
        fit = within_limit;
    if (limit > 0)
        snprintf(within, sizeof within, " in %s", tw_memory_limit_text(limit).text);
    snprintf(text, size, "whole maps fit up to about %d x %d cells%s", (int)sqrt(fit),
             (int)sqrt(fit), within);
}
