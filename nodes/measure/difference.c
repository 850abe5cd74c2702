/* SPDX-License-Identifier: MIT */
/* How much two maps differ. The percentage is that of Olsen 2004, "Thermal erosion": 100 % is a
 * map of zeros compared with a map of ones. */
#include "measure/kernels/moments.h"

#include <thalweg/rescale.h>
#include <thalweg/simd.h>

enum { A, B };
static const struct tw_port inputs[] = {
    {"a", TW_HEIGHTMAP, 0, "one map"},
    {"b", TW_HEIGHTMAP, 0, "the other map"},
    TW_PORT_END,
};

enum { RECORD, OUT };
static const struct tw_port outputs[] = {
    {"record", TW_RECORD, 0, "mean, max, percent"},
    {"out", TW_HEIGHTMAP, 0, "the difference of every cell, never negative"},
    TW_PORT_END,
};

struct maps {
    const float *a, *b;
    float *out;
    size_t width;
    enum tw_simd simd;
};

static TW_INLINE void subtract_body(const struct maps *maps, size_t begin, size_t end)
{
    const float *a = maps->a, *b = maps->b;
    float *out = maps->out;
    for (size_t i = begin; i < end; i++) {
        float difference = a[i] - b[i];
        out[i] = difference < 0 ? -difference : difference;
    }
}
TW_SIMD_KERNEL(subtract, (const struct maps *maps, size_t begin, size_t end), (maps, begin, end))

static void subtract_rows(void *context, int32_t begin, int32_t end)
{
    const struct maps *maps = context;
    subtract(maps->simd)(maps, (size_t)begin * maps->width, (size_t)end * maps->width);
}

static enum tw_status run(struct tw_task *task)
{
    int32_t width = tw_task_width(task), height = tw_task_height(task);
    struct maps maps = {tw_floats(tw_task_input(task, A)), tw_floats(tw_task_input(task, B)),
                        tw_floats(tw_task_output(task, OUT)), (size_t)width, tw_task_simd(task)};
    struct tw_span span = {0};
    struct tw_moments moments = {0};
    tw_rows(task, height, 64, subtract_rows, &maps);
    enum tw_status status = tw_span_find(task, maps.out, width, height, &span);
    if (status == TW_OK)
        status = tw_moments_find(task, maps.out, width, height, &moments);
    if (status == TW_OK)
        status = tw_task_list(task, RECORD, 3);
    if (status != TW_OK)
        return status;
    struct tw_value *record = tw_task_output(task, RECORD);
    tw_record_set(record, 0, "mean", moments.mean);
    tw_record_set(record, 1, "max", (double)span.high);
    tw_record_set(record, 2, "percent", 100 * moments.mean);
    return TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    tw_rescale_forecast(f);
    tw_moments_forecast(f);
}

extern const struct tw_node_type tw_node_measure_difference;
const struct tw_node_type tw_node_measure_difference = {
    .name = "measure.difference",
    .version = 1,
    .summary = "how much two maps differ, in numbers and as a map",
    .keywords = "compare, change detection, delta, diff, error",
    .elsewhere = "Compare (Gaea), r.mapcalc (GRASS)",
    .detail =
        "Shows how much two maps differ, in numbers and as a map: to compare settings, "
        "resolutions or programs. Choose measure.likeness for two terrains whose forms should be "
        "alike, not their cells.\n"
        "    out = |a - b|.\n"
        "mean and max are those of out. percent is 100 mean, so 100 compares a map of zeros with "
        "a map of ones.",
    .cite = "olsen2004",
    .inputs = inputs,
    .outputs = outputs,
    .example = "before: {type: noise.midpoint}\n"
               "after: {type: erosion.olsen, in: before}\n"
               "change: {type: measure.difference, a: before, b: after}",
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
