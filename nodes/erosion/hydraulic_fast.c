/* SPDX-License-Identifier: MIT */
/* Hydraulic erosion without a sediment map: Olsen 2004, "Hydraulic erosion", optimised version.
 * With Ks = Kc all water carries its full load, m = K w, so all that happens to the ground is
 * that rain dissolves K w of it and vapour leaves K w behind; water runs to the lowest neighbour
 * only, and at once. */
#include "common/kept_border.h"
#include "erosion/kernels/masked.h"
#include "erosion/kernels/mass_balance.h"
#include "erosion/kernels/olsen_params.h"
#include "erosion/kernels/ports.h"
#include "erosion/kernels/row_bands/row_bands.h"

#include <thalweg/resolution.h>

#include <string.h>

struct params {
    float rain, solubility, evaporation, capacity; /* Kr, Ks, Ke, Kc */
    float height_scale;
    int32_t iterations;
    int32_t order;
    int32_t side;
    int32_t border;
};

static const struct tw_param params[] = {
    TW_PARAM_RAIN(struct params),
    TW_PARAM_F32(struct params, solubility, 0.01, 0, 1, "height of ground per height of water",
                 "ground that water dissolves", TW_USUAL(0, 0.1)),
    TW_PARAM_EVAPORATION(struct params),
    TW_PARAM_F32(struct params, capacity, 0.01, 0, 1, "height of ground per height of water",
                 "load that water can carry; must equal solubility", TW_USUAL(0, 0.1)),
    TW_PARAM_HEIGHT_SCALE(struct params),
    TW_PARAM_PASSES(struct params, 100),
    TW_PARAM_VISITING_ORDER(struct params, order),
    TW_PARAM_SIDE(struct params, "iterations are"),
    TW_PARAM_KEPT_BORDER(struct params, border),
    TW_PARAM_END,
};

enum { IN, MASK };
static const struct tw_port inputs[] = {
    TW_EROSION_IN,
    TW_STRENGTH_PORT,
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    TW_EROSION_OUT,     {"water", TW_HEIGHTMAP, TW_ON_DEMAND, "the water that is left, as height"},
    TW_EROSION_CHANGES, TW_EROSION_LEDGER,
    TW_PORT_END,
};

enum { WATER = 1, ERODED };

struct constants {
    float rain, dissolved, load, evaporation; /* Kr, K Kr, K, Ke */
};

/* w += Kr, h -= K Kr */
static TW_INLINE void rain_body(const void *at, float *restrict h, size_t plane, size_t count)
{
    const struct constants *k = at;
    float drops = k->rain, dissolved = k->dissolved, *restrict w = h + plane;
    for (size_t i = 0; i < count; i++) {
        h[i] -= dissolved;
        w[i] += drops;
    }
}
TW_SIMD_KERNEL(rain, (const void *at, float *restrict h, size_t plane, size_t count),
               (at, h, plane, count))

/* Water up to half the drop of a = h + w runs to the lowest neighbour, if the cell gives any; then
 * some evaporates. */
static void visit_cell(const struct constants *k, bool gives, float *cell,
                       float *const neighbours[4], size_t plane)
{
    float steepest = 0, here = cell[0] + cell[plane];
    float *lowest = NULL;
    for (int i = 0; i < 4; i++) {
        float drop = here - (neighbours[i][0] + neighbours[i][plane]);
        if (drop > steepest) {
            steepest = drop;
            lowest = neighbours[i];
        }
    }
    if (gives && lowest && steepest <= TW_ROW_BANDS_DROP_MAX) {
        float half = 0.5f * steepest, flow = cell[plane] < half ? cell[plane] : half;
        cell[plane] -= flow;
        lowest[plane] += flow;
    }
    float vapour = k->evaporation * cell[plane];
    cell[plane] -= vapour;
    cell[0] += k->load * vapour;
}

static void visit(const void *at, float *cell, float *const neighbours[4], size_t plane)
{
    visit_cell(at, true, cell, neighbours, plane);
}

static void visit_kept(const void *at, float *cell, float *const neighbours[4], size_t plane)
{
    visit_cell(at, cell[2 * plane] != 0, cell, neighbours, plane);
}

/* The cells at x and x - 1 while rows are swept: ground and water. */
struct carried {
    float here_h[TW_ROW_BANDS_LANES], here_w[TW_ROW_BANDS_LANES];
    float left_h[TW_ROW_BANDS_LANES], left_w[TW_ROW_BANDS_LANES];
};

/* Does visit() for one slot in all lanes, first ground, then water. The water at x - 1 is final
 * then. `gives` is NULL if all cells give; lanes from `visited` on count as absent. */
static TW_INLINE void sweep_step(const struct constants *k, int32_t lanes, int32_t visited,
                                 const float *restrict gives, struct carried *restrict c,
                                 float *restrict row, const float *restrict up,
                                 float *restrict up_w, const float *restrict right,
                                 const float *restrict right_w, const float *restrict down,
                                 float *restrict down_w, float *restrict left_out)
{
    for (int32_t b = 0; b < lanes; b++) {
        float h = c->here_h[b], w = c->here_w[b], here = h + w;
        float d0 = here - (up[b] + up_w[b]), d1 = here - (c->left_h[b] + c->left_w[b]);
        float d2 = here - (right[b] + right_w[b]), d3 = here - (down[b] + down_w[b]);
        float steepest = tw_row_bands_steepest(d0, d1, d2, d3), half = 0.5f * steepest;
        float flow = w < half ? w : half;
        flow = steepest > 0 ? flow : 0;
        flow = steepest <= TW_ROW_BANDS_DROP_MAX ? flow : 0;
        flow = (gives ? gives[b] : 1) > 0 ? flow : 0;
        flow = b < visited ? flow : 0;
        struct tw_row_bands_shares shares = tw_row_bands_share(flow, d0, d1, d2, d3);
        float kept = w - flow, vapour = k->evaporation * kept, ground;
        vapour = b < visited ? vapour : 0;
        ground = h + k->load * vapour;
        up_w[b] -= shares.of[0];
        left_out[b] = c->left_w[b] - shares.of[1];
        down_w[b] -= shares.of[3];
        row[b] = ground;
        c->left_h[b] = ground;
        c->left_w[b] = kept - vapour;
        c->here_h[b] = right[b];
        c->here_w[b] = right_w[b] - shares.of[2];
    }
}

static TW_INLINE void sweep_slots(const struct constants *k, const struct tw_row_bands_run *run,
                                  int32_t lanes, bool all, bool kept)
{
    int32_t visited = all ? lanes : run->visited;
    size_t plane = run->plane, size = (size_t)lanes * sizeof(float);
    int32_t slot = run->first;
    float *row = tw_row_bands_slot(run, slot), *left = tw_row_bands_slot(run, slot - 1);
    struct carried c;
    struct tw_row_bands_run water = *run;
    water.cells += plane;
    memcpy(c.here_h, row, size);
    memcpy(c.here_w, row + plane, size);
    memcpy(c.left_h, left, size);
    memcpy(c.left_w, left + plane, size);
    for (int32_t i = 0; i < run->count; i++) {
        float *right = tw_row_bands_slot(run, slot + 1);
        tw_row_bands_fetch(run, slot);
        tw_row_bands_fetch(&water, slot);
        float *up = tw_row_bands_slot(run, slot - TW_ROW_BANDS_LAG) - 1;
        float *down = tw_row_bands_slot(run, slot + TW_ROW_BANDS_LAG) + 1;
        sweep_step(k, lanes, visited, kept ? row + 2 * plane : NULL, &c, row, up, up + plane, right,
                   right + plane, down, down + plane, left + plane);
        left = row;
        row = right;
        slot = slot + 1 < run->slots ? slot + 1 : 0;
    }
    memcpy(row + plane, c.here_w, size);
    memcpy(left + plane, c.left_w, size);
}

static TW_INLINE void sweep_lanes(const struct constants *k, const struct tw_row_bands_run *run,
                                  int32_t lanes, bool all)
{
    sweep_slots(k, run, lanes, all, false);
}
TW_ROW_BANDS_SWEEP(sweep, struct constants)

static TW_INLINE void sweep_kept_lanes(const struct constants *k,
                                       const struct tw_row_bands_run *run, int32_t lanes, bool all)
{
    sweep_slots(k, run, lanes, all, true);
}
TW_ROW_BANDS_SWEEP(sweep_kept, struct constants)

static struct tw_rule check(const void *at)
{
    const struct params *p = at;
    return p->solubility == p->capacity
               ? TW_RULES_HOLD
               : (struct tw_rule){
                     .param = "solubility",
                     .expected = "the same as",
                     .other = "capacity",
                     .hint = "erosion.hydraulic has a map of sediment, so there they may differ"};
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    struct tw_value *out = tw_task_output(task, 0);
    size_t count = tw_value_count(out);
    float *h = tw_task_scratch(task, count, 2 * sizeof *h), *w = h + count;
    float falls = p->rain / p->height_scale, load = p->solubility * p->height_scale;
    const struct constants constants = {falls, load * falls, load, p->evaporation};
    double scale = tw_resolution_scale(task, p->side);
    enum tw_simd simd = tw_task_simd(task);
    bool kept = p->border == TW_KEPT_BORDER;
    const struct tw_row_bands_rule rule = {.constants = &constants,
                                           .planes = 2,
                                           .closed = !kept && !tw_task_wraps(task, p->border),
                                           .kept = kept,
                                           .around = TW_NEIGHBOURS_CROSS,
                                           .visit = kept ? visit_kept : visit,
                                           .sweep = kept ? sweep_kept(simd) : sweep(simd),
                                           .before = rain(simd)};
    if (!h)
        return tw_task_no_memory(task);
    memcpy(h, tw_task_input(task, 0)->data, count * sizeof *h);
    memset(w, 0, count * sizeof *w);
    enum tw_status status =
        tw_row_bands_run(task, &rule, (enum tw_visiting_order)p->order,
                         tw_resolution_count(p->iterations, scale * sqrt(scale)), h);
    for (size_t i = 0; i < count; i++)
        h[i] += load * w[i];
    if (tw_task_wants(task, WATER))
        memcpy(tw_task_output(task, WATER)->data, w, count * sizeof *w);
    return status == TW_OK ? tw_mass_balance_finish(task, h, (size_t)out->width,
                                                    tw_task_input(task, MASK), ERODED)
                           : status;
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    tw_forecast_maps(f, 2, sizeof(float)); /* h, w */
    tw_mass_balance_forecast(f);
    bool kept = p->border == TW_KEPT_BORDER;
    tw_row_bands_forecast(
        f, (enum tw_visiting_order)p->order,
        &(struct tw_row_bands_rule){
            .planes = 2, .closed = !kept && !tw_forecast_wraps(f, p->border), .kept = kept});
}

extern const struct tw_node_type tw_node_erosion_hydraulic_fast;
const struct tw_node_type tw_node_erosion_hydraulic_fast = {
    .name = "erosion.hydraulic_fast",
    .version = 4,
    .summary = "hydraulic erosion without a sediment map, to the lowest neighbour",
    .keywords = "hydraulic erosion, water, rain, runoff",
    .elsewhere = "Erosion (Gaea), Erosion (World Machine)",
    .detail =
        "Does the work of erosion.hydraulic without a sediment map and with water that runs to "
        "the lowest neighbour only: rougher, in about a fifth of the time. Choose "
        "erosion.droplets for natural detail, and erosion.hydraulic for the method in full, with "
        "its map of sediment.\n"
        "A pass first rains on every cell, with the rain Kr and the solubility K, and dissolves "
        "ground:\n"
        "    w += Kr;\n"
        "    h -= K Kr.\n"
        "Then it visits the cells. With a = h + w and d the steepest drop of a, water moves to "
        "that neighbour:\n"
        "    min(w, d / 2).\n"
        "Then e = Ke w evaporates in every cell, those without a lower neighbour and those of "
        "the border included, and leaves its ground:\n"
        "    h += K e.\n"
        "After the last pass all load settles: h += K w. Level ground changes a little, since a "
        "cell that dries before its neighbour is visited is lower than that neighbour.\n"
        "Water moves by one cell in a pass. With `side` the iterations are multiplied by (width "
        "/ side)^(3/2), which lies between what free water takes, (width / side), and what "
        "settling ground takes, (width / side)^2.\n" TW_HEIGHT_SCALE_DETAIL "\n"
        "Border: wrap goes on at the other side. At a closed border, cells outside neither give "
        "nor take. With border: kept, water runs to cells of the border but not from them, as in "
        "the game that came with the paper; it evaporates there and leaves its ground, so that "
        "the border grows. No water leaves the map, since all of it evaporates: there are no sides "
        "to close. Maps of fewer than 24 rows are "
        "visited in raster order." TW_MASKED_LEDGER_DETAIL,
    .cite = "olsen2004",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.ridged, frequency: 2, gain: 1.5}\n"
               "eroded: {type: erosion.hydraulic_fast, in: noise, solubility: 0.1, capacity: 0.1, "
               "iterations: 20}",
    .bordered = true,
    .in_place = true,
    .reach = TW_REACH_ALL,
    .check = check,
    .run = run,
    .forecast = forecast,
};
