/* SPDX-License-Identifier: MIT */
/* The height that a given share of the cells lies below. */
#include "common/rows.h"
#include "measure/kernels/sorted.h"

#include <thalweg/node.h>

#include <string.h>

struct params {
    float share;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, share, 0.5, 0, 1, TW_UNIT_SHARE,
                 "share of the cells that lie below: 0 the lowest, 0.5 the median, 1 the highest"),
    TW_PARAM_END,
};

TW_MAP_INPUT;

enum { RECORD };
static const struct tw_port outputs[] = {
    {"record", TW_RECORD, 0, "quantile"},
    TW_PORT_END,
};

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    size_t cells = (size_t)tw_task_width(task) * (size_t)tw_task_height(task);
    float *sorted = tw_task_scratch(task, cells, sizeof *sorted);
    float *work = tw_task_scratch(task, cells, sizeof *work);
    if (!sorted || !work)
        return tw_task_no_memory(task);
    memcpy(sorted, tw_floats(tw_task_input(task, IN)), cells * sizeof *sorted);
    tw_sort_floats(sorted, work, cells);
    enum tw_status status = tw_task_list(task, RECORD, 1);
    if (status != TW_OK)
        return status;
    tw_record_set(tw_task_output(task, RECORD), 0, "quantile",
                  tw_sorted_quantile(sorted, cells, (double)p->share));
    return TW_OK;
}

static void forecast(struct tw_forecast *f) { tw_forecast_maps(f, 2, sizeof(float)); }

extern const struct tw_node_type tw_node_measure_quantile;
const struct tw_node_type tw_node_measure_quantile = {
    .name = "measure.quantile",
    .version = 1,
    .summary = "the height that a given share of the cells lies below",
    .keywords = "percentile, median, snow line by area, share of land, histogram",
    .elsewhere = "r.quantile (GRASS)",
    .detail =
        "Finds the height that a given share of the cells lies below: a sea level for a given "
        "share of land, a snow line. Choose measure.statistics for the least, greatest and mean "
        "height.\n"
        "Of n cells in order the quantile of share p is the cell at p (n - 1), counted from 0; "
        "between two cells it is linear (Hyndman & Fan 1996, definition 7).",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "snowline: {type: measure.quantile, in: noise, share: 0.9}",
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
