/* SPDX-License-Identifier: MIT */
/* Particle hydraulic erosion, Beyer 2015, "Implementation of a method for hydraulic erosion": a
 * droplet rolls downhill with inertia, picks up ground where it can carry more and deposits some
 * where it carries too much. We deviate in five points: slopes that steer it and `min_slope` are
 * rises per map side, not per cell, so that finer maps steer alike; the brush is centred on the
 * nearest cell; a droplet on level ground rests instead of turning at random; it deposits what it
 * carries at its end, so that ground leaves the map only over the border; and erosion stops at the
 * height where the step ends. Otherwise droplets that leave the map over a low cell of the border
 * would cut a canyon inland from there, deeper without end.
 * The model itself is erosion/kernels/droplets/beyer.c; erosion/kernels/droplets/droplet_rounds.h
 * says how droplets share the threads. */
#include "common/area_mean.h"
#include "common/drainage/exits.h"
#include "common/ground_maps.h"
#include "common/regrid.h"
#include "erosion/kernels/droplets/droplet_carry.h"
#include "erosion/kernels/droplets/droplet_levels.h"
#include "erosion/kernels/masked.h"

#include <thalweg/kernel.h>
#include <thalweg/part.h>
#include <thalweg/resolution.h>

#include <string.h>

enum { OUT, ERODED, DEPOSITED, FLOW, LEDGER };

static const struct tw_param params[] = {
    TW_PARAM_F32(struct tw_droplet_params, inertia, 0.1, 0, 1, TW_UNIT_SHARE,
                 "share of the old direction in the new one"),
    TW_PARAM_F32(struct tw_droplet_params, capacity, 8, 0, 1000, "height per height",
                 "ground that a droplet can carry for its fall in a step, at speed and water 1",
                 TW_USUAL(1, 30)),
    TW_PARAM_F32(struct tw_droplet_params, erosion, 0.3, 0, 1, TW_UNIT_SHARE,
                 "share of the free capacity that is picked up in a step"),
    TW_PARAM_F32(struct tw_droplet_params, deposition, 0.3, 0, 1, TW_UNIT_SHARE,
                 "share of the surplus that is deposited in a step"),
    TW_PARAM_F32(struct tw_droplet_params, evaporation, 0.02, 0, 1, TW_UNIT_SHARE,
                 "share of the water that evaporates in a step", TW_USUAL(0, 0.1)),
    TW_PARAM_I32(struct tw_droplet_params, radius, 3, 1, TW_BRUSH_RADIUS_MAX, TW_UNIT_CELLS,
                 "how far around it a droplet picks up ground"),
    TW_PARAM_I32(struct tw_droplet_params, lifetime, 48, 1, 10000, "steps",
                 "steps of one cell, at most", TW_USUAL(10, 200)),
    TW_PARAM_F32(struct tw_droplet_params, density, 0.5, 0, 1000, "per cell",
                 "droplets for each cell", TW_USUAL(0.05, 2)),
    TW_PARAM_F32(struct tw_droplet_params, gravity, 4, 0, 1000, "",
                 "gain of squared speed for a fall of 1", TW_USUAL(0.5, 20)),
    TW_PARAM_F32(struct tw_droplet_params, min_slope, 0.05, 0, 1000, TW_UNIT_RISE_PER_SIDE,
                 "slope that counts at least for the capacity", TW_USUAL(0, 0.5)),
    TW_PARAM_ENUM(struct tw_droplet_params, order, 0, "tiles|sequential",
                  "droplets of distant tiles at once, or one after the other on one thread"),
    TW_PARAM_SIDE(struct tw_droplet_params, "steps, radius and density are"),
    TW_PARAM_LEVELS(struct tw_droplet_params),
    TW_PARAM_CLOSED(struct tw_droplet_params),
    TW_PARAM_END,
};

enum { IN, MASK, HARDNESS, RAIN_MAP };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    TW_STRENGTH_PORT,
    TW_HARDNESS_PORT,
    TW_RAIN_MAP_PORT,
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the eroded terrain"},
    {"eroded", TW_HEIGHTMAP, TW_ON_DEMAND, "height taken from each cell"},
    {"deposited", TW_HEIGHTMAP, TW_ON_DEMAND, "height deposited on each cell"},
    {"flow", TW_HEIGHTMAP, TW_ON_DEMAND, "water that passed each cell"},
    {"ledger", TW_RECORD, TW_ON_DEMAND, "eroded, deposited, exported: sums of heights"},
    TW_PORT_END,
};

/* What droplets do to the map of the task. */
struct changes {
    struct tw_beyer model;
    float *eroded; /* may be NULL, as the model's maps but cells */
    int states;    /* how many of deposited, flow and exported are used */
};

/* Droplets of the second pass with `side`, as a share of `density`. */
#define FINISH 0.5

/* Computes the eroded map as what is missing now plus the deposits; `eroded` is NULL if unused.
 * With `levels` a cell may end higher than the change spread over it from larger cells says. */
static void find_eroded(const float *in, int32_t levels, const struct tw_beyer *model,
                        float *eroded)
{
    size_t count = (size_t)model->width * (size_t)model->height;
    for (size_t i = 0; eroded && i < count; i++) {
        if (levels > 0)
            model->deposited[i] = tw_max(model->deposited[i], model->cells[i] - in[i]);
        eroded[i] = tw_max(0, in[i] + model->deposited[i] - model->cells[i]);
    }
}

/* Row by row. */
static double sum_of(const float *cells, int32_t width, int32_t height)
{
    double sum = 0;
    for (int32_t y = 0; y < height; y++, cells += width) {
        double row = 0;
        for (int32_t x = 0; x < width; x++)
            row += (double)cells[x];
        sum += row;
    }
    return sum;
}

/* Masks the maps and writes the ledger. `exported`: what left besides the model's. */
static enum tw_status finish(struct tw_task *task, const struct changes *c, double exported)
{
    int32_t width = tw_task_width(task), height = tw_task_height(task);
    const float *eroded = c->eroded, *deposited = c->model.deposited;
    tw_masked_apply(task, tw_floats(tw_task_input(task, IN)), tw_task_input(task, MASK), c->eroded,
                    c->model.deposited);
    if (!eroded || !deposited || !c->model.exported) /* the ledger is not used */
        return TW_OK;
    exported += sum_of(c->model.exported, width, height);
    enum tw_status status = tw_task_list(task, LEDGER, 3);
    if (status != TW_OK)
        return status;
    struct tw_value *ledger = tw_task_output(task, LEDGER);
    tw_record_set(ledger, 0, "eroded", sum_of(eroded, width, height));
    tw_record_set(ledger, 1, "deposited", sum_of(deposited, width, height));
    tw_record_set(ledger, 2, "exported", exported);
    return TW_OK;
}

/* Maps of what changes. `carried`: over from smaller ones. What was eroded follows from the
 * deposits, and the ledger from both. */
static bool lay_out(struct tw_scratch *s, bool carried, struct changes *c)
{
    bool ledger = tw_scratch_wants(s, LEDGER), flow = tw_scratch_wants(s, FLOW);
    bool eroded = carried || ledger || tw_scratch_wants(s, ERODED);
    bool deposited = eroded || tw_scratch_wants(s, DEPOSITED);
    c->eroded = eroded ? tw_scratch_output(s, ERODED) : NULL;
    c->model.deposited = deposited ? tw_scratch_output(s, DEPOSITED) : NULL;
    c->model.flow = flow ? tw_scratch_output(s, FLOW) : NULL;
    c->model.exported = ledger ? tw_scratch_maps(s, 1, sizeof(float)) : NULL;
    c->states = deposited + flow + ledger;
    return tw_scratch_is_laid(s);
}

static bool take_maps(struct tw_task *task, bool carried, struct changes *c)
{
    c->model = (struct tw_beyer){.width = tw_task_width(task),
                                 .height = tw_task_height(task),
                                 .hardness = tw_optional_cells(task, HARDNESS),
                                 .rain_map = tw_optional_cells(task, RAIN_MAP),
                                 .cells = tw_floats(tw_task_output(task, OUT))};
    return lay_out(&(struct tw_scratch){.task = task}, carried, c);
}

static enum tw_status run_on_map(struct tw_task *task, const struct tw_droplet_params *p)
{
    const float *in = tw_floats(tw_task_input(task, IN));
    struct changes c;
    if (!take_maps(task, p->levels > 0, &c))
        return tw_task_no_memory(task);
    enum tw_status status = tw_droplet_levels_run(task, p, in, &c.model);
    if (status != TW_OK)
        return status;
    find_eroded(in, p->levels, &c.model, c.eroded);
    return finish(task, &c, 0);
}

/* The size that `side` means, in the map's proportions: at least 2 x 2, or droplets would have no
 * slope to follow. */
static struct tw_regrid_size size_of_side(int32_t width, int32_t height, int32_t side)
{
    struct tw_regrid_size size = {side, tw_resolution_count(height, (double)side / width)};
    size.width = size.width < 2 ? 2 : size.width;
    size.height = size.height < 2 && height > 1 ? 2 : size.height;
    return size;
}

/* The means of hardness and rain_map; false without memory. */
static bool take_means(struct tw_task *task, const struct tw_beyer *model, struct tw_beyer *small)
{
    struct tw_regrid_size size = {small->width, small->height};
    const float *const fine[] = {model->hardness, model->rain_map};
    const float **coarse[] = {&small->hardness, &small->rain_map};
    for (int i = 0; i < 2; i++) {
        if (!fine[i])
            continue;
        float *means =
            tw_task_scratch(task, (size_t)size.width * (size_t)size.height, sizeof *means);
        if (!means)
            return false;
        tw_area_mean(task, fine[i], size.width, size.height, means);
        *coarse[i] = means;
    }
    return true;
}

/* The droplets of a smaller map, which replaces the task's map while they fall. */
struct small {
    const struct tw_droplet_params *p;
    const float *in;
    struct tw_beyer *model;
};

static enum tw_status run_small(struct tw_task *task, void *context)
{
    const struct small *s = context;
    return tw_droplet_levels_run(task, s->p, s->in, s->model);
}

/* Runs droplets on a map of `side` cells, carries what they change to all cells, and runs a few
 * more there, for gullies as fine as the map. */
static enum tw_status run_at_side(struct tw_task *task, const struct tw_droplet_params *p)
{
    struct tw_regrid_size size = size_of_side(tw_task_width(task), tw_task_height(task), p->side);
    size_t count = (size_t)size.width * (size_t)size.height;
    const float *in = tw_floats(tw_task_input(task, IN));
    struct tw_beyer small = {.width = size.width, .height = size.height};
    struct changes c;
    float *maps = tw_task_scratch(task, count, 6 * sizeof *maps);
    if (!maps || !take_maps(task, true, &c) || !take_means(task, &c.model, &small))
        return tw_task_no_memory(task);
    c.model.stream = 1;
    small.cells = maps;
    small.deposited = maps + count;
    small.flow = c.model.flow ? maps + 2 * count : NULL;
    small.exported = c.model.exported ? maps + 3 * count : NULL;
    float *small_in = maps + 4 * count, *small_eroded = maps + 5 * count;
    tw_area_mean(task, in, size.width, size.height, small_in);
    const struct tw_task_span part = {size.width, size.height, 0, 0.5};
    enum tw_status status =
        tw_task_part(task, &part, run_small, &(struct small){p, small_in, &small});
    if (status != TW_OK)
        return status;
    find_eroded(small_in, p->levels, &small, small_eroded);
    const struct tw_droplet_carry carry = {&small, small_eroded, in, &c.model, c.eroded};
    status = tw_droplet_carry_change(task, &carry);
    if (status != TW_OK)
        return status;
    if (c.model.exported)
        memset(c.model.exported, 0, tw_value_count(tw_task_input(task, IN)) * sizeof *in);
    status = tw_droplet_run(task, p, (double)p->density * FINISH, &c.model);
    if (status != TW_OK)
        return status;
    find_eroded(in, 0, &c.model, c.eroded);
    double cells = (double)tw_value_count(tw_task_input(task, IN)) / (double)count;
    return finish(task, &c,
                  small.exported ? sum_of(small.exported, size.width, size.height) * cells : 0);
}

static enum tw_status run(struct tw_task *task)
{
    struct tw_droplet_params p = *(const struct tw_droplet_params *)tw_task_params(task);
    double drops = (double)p.density * (double)tw_value_count(tw_task_input(task, IN));
    bool smaller = p.side > 0 && p.side < tw_task_width(task);
    if (drops > INT32_MAX)
        return tw_task_fail(task, "density %g makes %.3g droplets; expected at most %d",
                            (double)p.density, drops, INT32_MAX);
    tw_droplet_fit(&p, tw_resolution_scale(task, p.side));
    tw_droplet_warn(task, &p, drops * (smaller ? FINISH : tw_droplet_levels_work(p.levels)));
    return smaller ? run_at_side(task, &p) : run_on_map(task, &p);
}

static void forecast(struct tw_forecast *f)
{
    const struct tw_droplet_params *p = f->params;
    bool smaller = p->side > 0 && p->side < f->width;
    struct changes c;
    lay_out(&(struct tw_scratch){.forecast = f}, smaller || p->levels > 0, &c);
    const struct tw_droplet_need need = {
        .maps = (f->inputs[HARDNESS] > 0) + (f->inputs[RAIN_MAP] > 0), .states = c.states};
    if (!smaller) {
        tw_droplet_levels_forecast(f, &need);
        return;
    }
    struct tw_regrid_size size = size_of_side(f->width, f->height, p->side);
    struct tw_forecast small = *f, whole = *f;
    struct tw_regrid regrid;
    small.width = size.width;
    small.height = size.height;
    small.scratch = whole.scratch = 0;
    tw_droplet_levels_forecast(&small, &need); /* and is freed */
    tw_droplet_forecast(&whole, (double)p->density * FINISH);
    tw_regrid_lay_out(&(struct tw_scratch){.forecast = &whole}, &regrid, size, false);
    tw_forecast_scratch(f, (uint64_t)size.width * (uint64_t)size.height,
                        (6 + (size_t)need.maps) * sizeof(float));
    tw_forecast_scratch(f, whole.scratch > small.scratch ? whole.scratch : small.scratch, 1);
}

extern const struct tw_node_type tw_node_erosion_droplets;
const struct tw_node_type tw_node_erosion_droplets = {
    .name = "erosion.droplets",
    .version = 3,
    .summary = "droplets that roll downhill, carve and deposit",
    .keywords = "hydraulic erosion, rain, particles, gullies, channels, sediment",
    .elsewhere = "Erosion (Gaea), Erosion (World Machine), HeightField Erode (Houdini), "
                 "HydraulicParticle (Hesiod)",
    .detail =
        "Carves gullies below ridges and lays fans at their feet: the usual choice for natural "
        "detail on any terrain. Choose erosion.stream_power for mountains from nothing, "
        "erosion.pipes for lakes and flat valley floors, and erosion.raindrops for gullies that "
        "keep the volume exactly.\n"
        "A droplet moves by one cell a step. Its direction d keeps some of its inertia and turns "
        "down the slope g of the bilinear surface, in rises per map side:\n"
        "    d = normalised(inertia d - (1 - inertia) g).\n"
        "With f the fall of a step, the droplet can carry:\n"
        "    C = max(f, min_slope / width) speed water `capacity`.\n"
        "Uphill it fills the hole behind it with min(-f, sediment). With a load above C it "
        "deposits `deposition` of the surplus. Both go to the four cells around it.\n"
        "With a load below C it picks up min(`erosion` of the free capacity, f) with a brush of "
        "weights radius - distance. It lowers no cell below the height at which the step ends, "
        "so nothing sinks below the lowest ground there was.\n"
        "Then the water shrinks by `evaporation`, and the speed changes by:\n"
        "    speed^2 += gravity f.\n"
        "A droplet ends on level ground or after `lifetime` steps, and deposits its load there.\n"
        "Border: whatever the recipe's `borders`, the ground ends at the border. Droplets leave "
        "the map with their load, which the ledger counts as `exported`. Brushes are folded back "
        "at the border, so that it wears down like ground inland. Sides in `closed` are walls, "
        "along which droplets run: with all four, nothing is exported. A droplet ends wherever "
        "its lifetime does, so inner basins need no outlets.\n"
        "    sum(out) = sum(in) - exported = sum(in) - eroded + deposited.\n"
        "Droplets fall in rounds over tiles of 64 cells in four colours, which lie elsewhere in "
        "every turn. So no seams show, and the bytes do not depend on the number of threads. "
        "Maps of one row or column do not change.\n"
        "Steps, radius and density count cells; `side` ties them to a map of that width.\n"
        "A map wider than `side` is first reduced to that width by the means of its cells, and "
        "droplets run there. What they erode, deposit and let flow is carried to all cells by "
        "smooth splines that keep each mean. Then half as many droplets per cell run on the "
        "whole map, for gullies as fine as its cells. Together that takes less time than without "
        "`side`. Beside steep banks a spline overshoots a little, so ground may end lower than "
        "the lowest there was.\n"
        "On a narrower map, with s = width / side, radius, lifetime and capacity shrink by s. "
        "Each of erosion, deposition and evaporation, e, becomes:\n"
        "    1 - (1 - e)^(1 / s).\n"
        "hardness H: a brush takes (1 - H) of what it would take from a cell.\n"
        "rain_map: a droplet begins with that much water in place of 1, and can carry as much "
        "less." TW_MASKED_LEDGER_DETAIL "\n"
        "`exported` counts what all droplets took "
        "along." TW_LEVELS_DETAIL
        " Here time is the number of droplets. Lengths in cells are halved with the map, and so "
        "is `side` where it is below the width.",
    .cite = "beyer2015",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct tw_droplet_params),
    .example = "noise: {type: noise.midpoint}\n"
               "eroded: {type: erosion.droplets, in: noise, density: 0.25}",
    .random = true,
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
