/* SPDX-License-Identifier: MIT */
/* Hydraulic erosion without a sediment map: Olsen 2004, "Hydraulic erosion", optimised version.
 * With Ks = Kc all water carries its full load, m = K w, so dissolving K w of rain and leaving K w
 * of vapour is all that happens to the ground; water runs to the lowest neighbour only and at once.
 */
#include "common/bands.h"

#include <string.h>

struct params {
    float rain, solubility, evaporation, capacity; /* Kr, Ks, Ke, Kc */
    int32_t iterations;
    int32_t order;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, rain, 0.01, 0, 1, TW_UNIT_HEIGHT, "water that falls in a pass"),
    TW_PARAM_F32(struct params, solubility, 0.01, 0, 1, "height of ground per height of water",
                 "ground that water dissolves"),
    TW_PARAM_F32(struct params, evaporation, 0.5, 0, 1, TW_UNIT_SHARE,
                 "share of the water that evaporates in a pass"),
    TW_PARAM_F32(struct params, capacity, 0.01, 0, 1, "height of ground per height of water",
                 "load that water can carry; must equal solubility"),
    TW_PARAM_I32(struct params, iterations, 100, 0, 100000, "passes", "passes over the map"),
    TW_PARAM_ENUM(struct params, order, 0, TW_BANDS_LABELS, "the order in which cells are visited"),
    TW_PARAM_END,
};

static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the eroded terrain"},
    {"water", TW_HEIGHTMAP, 0, "the water that is left, as height"},
    TW_PORT_END,
};

struct constants {
    float rain, dissolved, load, evaporation; /* Kr, K Kr, K, Ke */
};

/* Ground first, then water: w += Kr, h -= K Kr. */
static void rain(const void *at, float *cells, size_t count, size_t plane)
{
    const struct constants *k = at;
    for (size_t i = 0; i < count; i++) {
        cells[i] -= k->dissolved;
        cells[i + plane] += k->rain;
    }
}

/* Water up to half the drop of a = h + w runs to the lowest neighbour; then some evaporates. */
static void visit(const void *at, float *cell, float *const neighbours[4], size_t plane)
{
    const struct constants *k = at;
    float steepest = 0, here = cell[0] + cell[plane];
    float *lowest = NULL;
    for (int i = 0; i < 4; i++) {
        float drop = here - (neighbours[i][0] + neighbours[i][plane]);
        if (drop > steepest) {
            steepest = drop;
            lowest = neighbours[i];
        }
    }
    if (lowest) {
        float half = 0.5f * steepest, moved = cell[plane] < half ? cell[plane] : half;
        cell[plane] -= moved;
        lowest[plane] += moved;
    }
    float vapour = k->evaporation * cell[plane];
    cell[plane] -= vapour;
    cell[0] += k->load * vapour;
}

static const char *check(const void *at)
{
    const struct params *p = at;
    return p->solubility == p->capacity
               ? NULL
               : "solubility and capacity must be equal, since there is no sediment map; use "
                 "erosion.hydraulic for others";
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    struct tw_value *out = tw_task_output(task, 0);
    size_t count = tw_value_count(out);
    float *h = tw_task_scratch(task, count, 2 * sizeof *h), *w = h + count;
    const struct constants constants = {p->rain, p->solubility * p->rain, p->solubility,
                                        p->evaporation};
    const struct tw_bands_rule rule = {.constants = &constants,
                                       .planes = 2,
                                       .around = TW_AROUND_CROSS,
                                       .visit = visit,
                                       .before = rain};
    if (!h)
        return tw_task_no_memory(task);
    memcpy(h, tw_task_input(task, 0)->data, count * sizeof *h);
    memset(w, 0, count * sizeof *w);
    enum tw_status status =
        tw_bands_run(task, &rule, (enum tw_bands_order)p->order, p->iterations, h);
    for (size_t i = 0; i < count; i++)
        tw_floats(out)[i] = h[i] + p->solubility * w[i];
    memcpy(tw_task_output(task, 1)->data, w, count * sizeof *w);
    return status;
}

extern const struct tw_node_type tw_node_erosion_hydraulic_fast;
const struct tw_node_type tw_node_erosion_hydraulic_fast = {
    .name = "erosion.hydraulic_fast",
    .version = 1,
    .summary = "hydraulic erosion without a sediment map, to the lowest neighbour",
    .detail =
        "A pass rains on every cell, w += Kr, h -= K Kr, then visits the cells: with a = h + w "
        "and d the steepest drop of a, min(w, d / 2) of the water moves to that neighbour, then "
        "e = Ke w evaporates and h += K e. At the end h += K w.\nBorders wrap. Maps of fewer "
        "than 24 rows are visited in raster order.",
    .cite = "olsen2004",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "eroded: {type: erosion.hydraulic_fast, in: noise, iterations: 20}",
    .in_place = true,
    .reach = TW_REACH_ALL,
    .check = check,
    .run = run,
};
