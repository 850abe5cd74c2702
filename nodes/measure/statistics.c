/* SPDX-License-Identifier: MIT */
/* Statistics of a whole map. */
#include "common/rows.h"
#include "measure/kernels/moments.h"

#include <thalweg/rescale.h>

TW_MAP_INPUT;

enum { RECORD };
static const struct tw_port outputs[] = {
    {"record", TW_RECORD, 0, "min, max, mean, deviation, volume"},
    TW_PORT_END,
};

static enum tw_status run(struct tw_task *task)
{
    const float *cells = tw_floats(tw_task_input(task, IN));
    int32_t width = tw_task_width(task), height = tw_task_height(task);
    struct tw_span span = {0};
    struct tw_moments moments = {0};
    enum tw_status status = tw_span_find(task, cells, width, height, &span);
    if (status == TW_OK)
        status = tw_moments_find(task, cells, width, height, &moments);
    if (status == TW_OK)
        status = tw_task_list(task, RECORD, 5);
    if (status != TW_OK)
        return status;
    struct tw_value *record = tw_task_output(task, RECORD);
    tw_record_set(record, 0, "min", (double)span.low);
    tw_record_set(record, 1, "max", (double)span.high);
    tw_record_set(record, 2, "mean", moments.mean);
    tw_record_set(record, 3, "deviation", moments.deviation);
    tw_record_set(record, 4, "volume", moments.sum / ((double)width * (double)width));
    return TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    tw_rescale_forecast(f);
    tw_moments_forecast(f);
}

extern const struct tw_node_type tw_node_measure_statistics;
const struct tw_node_type tw_node_measure_statistics = {
    .name = "measure.statistics",
    .version = 1,
    .summary = "least, greatest and mean height, deviation and volume of a map",
    .keywords = "minimum, maximum, mean, deviation, range, histogram, report",
    .elsewhere = "HeightField Layer Property (Houdini), r.univar (GRASS), gdalinfo (GDAL)",
    .detail =
        "Gives the least, greatest and mean height, the deviation and the volume of a map. "
        "Choose measure.quantile for heights by share of the cells, and measure.volume for the "
        "volume under triangles.\n"
        "deviation is that of the population. volume is the sum of heights times the area of a "
        "cell, in height x map sides squared; depths below 0 count as negative.",
    .inputs = inputs,
    .outputs = outputs,
    .example = "noise: {type: noise.midpoint}\n"
               "numbers: {type: measure.statistics, in: noise}",
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
