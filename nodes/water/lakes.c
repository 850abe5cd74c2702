/* SPDX-License-Identifier: MIT */
/* Lakes: depressions filled up to where what runs in evaporates or overflows. Barnes, Callaghan &
 * Wickert 2020 (the hierarchy of depressions) and 2021 (fill, spill, merge); how they are deviated
 * from is in kernels/depressions.h and kernels/lake_balance.h. */
#include "water/kernels/lake_balance.h"
#include "water/kernels/outlets.h"
#include "water/kernels/ranking.h"

struct params {
    float evaporation; /* e */
    float least_area, least_depth;
    int32_t border;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, evaporation, 0, 0, 1e6, TW_UNIT_NONE,
                 "of a cell under water, over the rain 1 of a cell; 0 fills every hollow",
                 TW_USUAL(0, 30)),
    TW_PARAM_F32(struct params, least_area, 0, 0, 1, TW_UNIT_SHARE,
                 "of the map: outputs leave out smaller lakes"),
    TW_PARAM_F32(struct params, least_depth, 0, 0, 1e6, TW_UNIT_HEIGHT,
                 "at the deepest place: outputs leave out shallower lakes", TW_USUAL(0, 0.02)),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_END,
};

enum { IN, RAIN, SEA };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    TW_RAIN_PORT,
    TW_SEA_PORT,
    TW_PORT_END,
};

enum { DEPTH, SURFACE, MASK, LABELS, RECORD };
static const struct tw_port outputs[] = {
    {"depth", TW_HEIGHTMAP, 0, "of the water, 0 on land"},
    {"surface", TW_HEIGHTMAP, TW_ON_DEMAND, "the water's level, and the terrain on land"},
    {"mask", TW_MASK, TW_ON_DEMAND, "1 on lakes, 0 on land"},
    {"labels", TW_LABELS, TW_ON_DEMAND, "1 on the largest lake, then by size; 0 on land"},
    {"record", TW_RECORD, 0,
     "lakes: their number; share, largest: of the map, all lakes and the largest; rain, "
     "evaporated, to_sea: means over the map"},
    TW_PORT_END,
};

struct work {
    struct tw_depressions d;
    uint8_t *outlet;
    struct tw_ranked *ranks;
};

static bool lay_out(struct tw_scratch *s, struct work *w)
{
    w->outlet = tw_scratch_maps(s, 1, sizeof *w->outlet);
    return tw_depressions_lay_out(s, &w->d);
}

/* ---- the lakes that outputs show ---- */

static float depth_at(const struct tw_depressions *d, size_t cell)
{
    float level = d->at[d->home[cell]].level, z = d->heights[cell];
    return level > z ? level - z : 0;
}

/* Counts the cells of each lake. */
static void measure_lakes(struct tw_depressions *d)
{
    for (int32_t node = 0; node < d->count; node++)
        d->at[node].cells = 0;
    for (size_t i = 0; i < (size_t)d->width * (size_t)d->height; i++)
        if (depth_at(d, i) > 0)
            d->at[d->at[d->home[i]].lake].cells++;
}

static bool is_shown(const struct params *p, const struct tw_depressions *d, int32_t lake)
{
    const struct tw_depression *at = &d->at[lake];
    float map = (float)((double)d->width * d->height);
    return at->cells > 0 && (float)at->cells / map >= p->least_area &&
           at->level - d->heights[at->pit] >= p->least_depth;
}

/* Empties the lakes that outputs leave out, and ranks the others over the first array of words,
 * which holds the order of cells no more. Returns their number. */
static int32_t choose_lakes(const struct params *p, struct work *w)
{
    struct tw_depressions *d = &w->d;
    int32_t count = 0;
    for (int32_t node = 1; node < d->count; node++) {
        struct tw_depression *at = &d->at[node];
        at->top = is_shown(p, d, at->lake);
        if (at->lake == node && at->top)
            w->ranks[count++] = (struct tw_ranked){at->cells, at->pit, node};
    }
    for (int32_t node = 1; node < d->count; node++)
        if (!d->at[node].top)
            d->at[node].level = -FLT_MAX;
    tw_rank(w->ranks, count);
    return count;
}

/* ---- outputs ---- */

struct maps {
    const struct tw_depressions *d;
    float *depth, *surface, *mask;
    int32_t *labels;
};

static void write_rows(void *context, int32_t begin, int32_t end)
{
    const struct maps *m = context;
    const struct tw_depressions *d = m->d;
    size_t width = (size_t)d->width;
    for (size_t i = (size_t)begin * width; i < (size_t)end * width; i++) {
        const struct tw_depression *home = &d->at[d->home[i]];
        bool wet = home->level > d->heights[i];
        m->depth[i] = depth_at(d, i);
        if (m->surface)
            m->surface[i] = wet ? home->level : d->heights[i];
        if (m->mask)
            m->mask[i] = wet ? 1.0f : 0.0f;
        if (m->labels)
            m->labels[i] = wet ? d->at[home->lake].top : 0;
    }
}

static void write_maps(struct tw_task *task, struct work *w, int32_t lakes)
{
    struct maps maps = {
        &w->d, tw_floats(tw_task_output(task, DEPTH)), tw_floats(tw_task_output(task, SURFACE)),
        tw_floats(tw_task_output(task, MASK)), tw_labels(tw_task_output(task, LABELS))};
    for (int32_t i = 0; i < lakes; i++)
        w->d.at[w->ranks[i].item].top = i + 1;
    tw_rows(task, w->d.height, 16, write_rows, &maps);
}

static enum tw_status write_record(struct tw_task *task, const struct work *w, int32_t lakes,
                                   struct tw_water_budget budget)
{
    const double cells = (double)w->d.width * w->d.height, unit = w->d.rain.unit * cells;
    double covered = 0;
    for (int32_t i = 0; i < lakes; i++)
        covered += (double)w->ranks[i].size;
    enum tw_status status = tw_task_list(task, RECORD, 6);
    if (status != TW_OK)
        return status;
    struct tw_value *record = tw_task_output(task, RECORD);
    tw_record_set(record, 0, "lakes", lakes);
    tw_record_set(record, 1, "share", covered / cells);
    tw_record_set(record, 2, "largest", lakes > 0 ? (double)w->ranks[0].size / cells : 0);
    tw_record_set(record, 3, "rain", (double)w->d.rain.total / unit);
    tw_record_set(record, 4, "evaporated", (double)budget.evaporated / unit);
    tw_record_set(record, 5, "to_sea", (double)budget.to_sea / unit);
    return TW_OK;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_value *in = tw_task_input(task, IN);
    size_t cells = tw_value_count(in);
    struct work w;
    enum tw_status status = tw_water_check_size(task);
    if (status != TW_OK)
        return status;
    if (!lay_out(&(struct tw_scratch){.task = task}, &w))
        return tw_task_no_memory(task);
    w.d.width = in->width;
    w.d.height = in->height;
    w.d.wrap = tw_task_wraps(task, p->border);
    w.d.heights = tw_floats(in);
    w.d.outlet = w.outlet;
    w.d.rain = tw_rain_of(tw_task_input(task, RAIN), cells);
    tw_water_outlets(task, w.d.heights, tw_task_input(task, SEA), w.d.wrap, w.outlet);
    status = tw_depressions_find(task, &w.d);
    if (status != TW_OK)
        return status;
    struct tw_water_budget budget = tw_lake_balance(&w.d, (double)p->evaporation);
    w.ranks = (struct tw_ranked *)(void *)w.d.words[0];
    measure_lakes(&w.d);
    int32_t lakes = choose_lakes(p, &w);
    write_maps(task, &w, lakes);
    return write_record(task, &w, lakes, budget);
}

static void forecast(struct tw_forecast *f)
{
    struct work w;
    lay_out(&(struct tw_scratch){.forecast = f}, &w);
}

extern const struct tw_node_type tw_node_water_lakes;
const struct tw_node_type tw_node_water_lakes = {
    .name = "water.lakes",
    .version = 1,
    .summary = "lakes in balance between rain, evaporation and overflow",
    .keywords = "ponds, water bodies, basins, reservoirs, fill-spill-merge, endorheic, salt lake, "
                "depressions, water table, flood, water depth",
    .elsewhere = "Lake (Gaea), r.fill.dir (GRASS), r.lake (GRASS), Fill Sinks (SAGA)",
    .detail =
        "Fills the hollows of the land with lakes: their depth, level and outline. Choose "
        "shape.fill_depressions to change the terrain itself, water.sea for all ground below one "
        "level, and water.rivers for what flows between lakes.\n"
        "Without evaporation every hollow is full: depth is that of shape.fill_depressions. Every "
        "cell of land or water gets rain 1, or what `rain` says; with evaporation e a lake of n "
        "cells loses e n. A lake fills up until it loses what runs in:\n"
        "    e n = inflow.\n"
        "If it overflows first, the rest runs on into the next hollow. Two full neighbours become "
        "one lake and rise together. So wet valleys have chains of lakes, and dry ones a pool at "
        "the bottom.\n"
        "In a hollow that does not overflow the lowest cells, as many as inflow / e, lie under "
        "water up to the height of the next one. e of 10 leaves a third of all lakes, 100 a hundredth.\n"
        "A cell's rain runs to the hollow of its lowest neighbour that is not higher. All rain, "
        "also that on lakes, evaporates or reaches the sea: in the record rain = evaporated + "
        "to_sea, exactly but for rounding. Negative rain counts as none.\n"
        "least_area and least_depth leave small lakes out of the outputs, and out of the record's "
        "lakes, share and largest; their water stays in the balance." TW_WATER_OUTLETS_DETAIL,
    .cite = "barnes2020 barnes2021",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "land: {type: noise.midpoint}\n"
               "lakes: {type: water.lakes, in: land, evaporation: 10}",
    .bordered = true,
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
