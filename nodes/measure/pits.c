/* SPDX-License-Identifier: MIT */
/* Where water would collect: cells that no water can leave, and the hollows around them, filled as
 * by priority-flood (Barnes, Lehman, Mulla 2014). Erosion by drops that do not see each other's
 * changes shows up here first. */
#include "common/drainage/outlets.h"
#include "common/rows.h"
#include "measure/kernels/moments.h"

struct params {
    int32_t border;
    struct tw_labels closed;
};

static const struct tw_param params[] = {
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_CLOSED(struct params),
    TW_PARAM_END,
};

enum { IN, OUTLETS };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    TW_OUTLETS_PORT,
    TW_PORT_END,
};

enum { RECORD, OUT };
static const struct tw_port outputs[] = {
    {"record", TW_RECORD, 0, "pits, hollows: shares of the map; depth: mean over the map"},
    {"out", TW_MASK, 0, "1 in pits"},
    TW_PORT_END,
};

struct maps {
    const struct tw_drainage *d;
    const float *heights;
    float *out;
};

static bool is_pit(const struct maps *maps, int32_t cell)
{
    for (int k = 0; k < 8; k++) {
        int32_t next = tw_drainage_neighbour(maps->d, cell, k);
        if (next >= 0 && maps->heights[next] < maps->heights[cell])
            return false;
    }
    return true;
}

static void find_pits(void *context, int32_t begin, int32_t end)
{
    const struct maps *maps = context;
    int32_t width = maps->d->width;
    for (int32_t cell = begin * width; cell < end * width; cell++)
        maps->out[cell] = maps->d->label[cell] && is_pit(maps, cell) ? 1 : 0;
}

/* Writes the depth of the water to `filled`; returns the share of cells under water. */
static double sink(const struct maps *maps, float *filled)
{
    int32_t under = 0;
    for (int32_t i = 0; i < maps->d->cells; i++) {
        filled[i] -= maps->heights[i];
        under += filled[i] > 0;
    }
    return (double)under / maps->d->cells;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    struct tw_drainage d;
    struct tw_moments pits = {0}, depth = {0};
    struct maps maps = {&d, tw_floats(tw_task_input(task, IN)),
                        tw_floats(tw_task_output(task, OUT))};
    struct tw_exits exits;
    enum tw_status status = tw_exits_read(task, &p->closed, tw_task_input(task, OUTLETS),
                                          tw_task_wraps(task, p->border), &exits);
    if (status == TW_OK)
        status = tw_drainage_init_world(task, &d, maps.heights, &exits);
    float *filled = tw_task_scratch(task, tw_value_count(tw_task_input(task, IN)), sizeof *filled);
    if (status == TW_OK && !filled)
        status = TW_MEMORY;
    if (status == TW_OK)
        status = tw_drainage_levels(task, &d, maps.heights);
    if (status != TW_OK)
        return status;
    tw_rows(task, d.height, 32, find_pits, &maps);
    tw_drainage_fill(task, &d, maps.heights, filled);
    double hollows = sink(&maps, filled);
    status = tw_moments_find(task, maps.out, d.width, d.height, &pits);
    if (status == TW_OK)
        status = tw_moments_find(task, filled, d.width, d.height, &depth);
    if (status == TW_OK)
        status = tw_task_list(task, RECORD, 3);
    if (status != TW_OK)
        return status;
    struct tw_value *record = tw_task_output(task, RECORD);
    tw_record_set(record, 0, "pits", pits.mean);
    tw_record_set(record, 1, "hollows", hollows);
    tw_record_set(record, 2, "depth", depth.mean);
    return TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    bool wrap = tw_forecast_wraps(f, p->border);
    tw_drainage_world_forecast(f, tw_exits_need_map(f, &p->closed, wrap, OUTLETS));
    tw_forecast_maps(f, 1, sizeof(float)); /* filled */
    tw_moments_forecast(f);
    tw_moments_forecast(f);
}

extern const struct tw_node_type tw_node_measure_pits;
const struct tw_node_type tw_node_measure_pits = {
    .name = "measure.pits",
    .version = 2,
    .summary = "how much of a terrain does not drain",
    .keywords = "sinks, depressions, drainage quality, holes",
    .elsewhere = "r.fill.dir (GRASS)",
    .detail =
        "Shows how much of a terrain does not drain. Choose shape.fill_depressions to mend it.\n"
        "pits is the share of cells without a lower one among their eight neighbours. hollows is "
        "the share below the lowest outlet, and depth the mean depth of the water that fills "
        "them, over the whole map. Outlets are not "
        "pits." TW_CHOSEN_OUTLETS_DETAIL,
    .cite = "barnes2014",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "rained: {type: erosion.raindrops, in: noise, drops: 20000}\n"
               "pits: {type: measure.pits, in: rained}",
    .reach = TW_REACH_ALL,
    .bordered = true,
    .run = run,
    .forecast = forecast,
};
