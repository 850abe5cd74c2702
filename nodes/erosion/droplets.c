/* SPDX-License-Identifier: MIT */
/* Particle hydraulic erosion, Beyer 2015, "Implementation of a method for hydraulic erosion": a
 * droplet rolls downhill with inertia, takes up ground where it can carry more and drops it where
 * it carries too much. We deviate in five points: slopes that steer it and `min_slope` are rises
 * per map side, not per cell, so that finer maps steer alike; the brush is centred on the nearest
 * cell; a droplet on level ground rests instead of turning at random; what it carries at its end
 * is put down, so that ground leaves the map over its border only; and digging stops at the height
 * where the step ends. Without that, droplets that leave the map over a low cell of the border dig
 * it deeper each time, and a canyon from there inland, without end.
 * The model itself is erosion/kernels/beyer.c; for how droplets share the threads see
 * erosion/kernels/droplet_rounds.h. */
#include "common/resolution.h"
#include "erosion/kernels/beyer.h"

#include <thalweg/kernel.h>

#include <string.h>

struct params {
    float inertia, capacity, erosion, deposition, evaporation;
    int32_t radius, lifetime;
    float density, gravity, min_slope;
    int32_t order;
    int32_t side;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, inertia, 0.1, 0, 1, TW_UNIT_SHARE,
                 "share of the old direction in the new one"),
    TW_PARAM_F32(struct params, capacity, 8, 0, 1000, "height per height",
                 "ground that a droplet can carry for its fall in a step, at speed and water 1"),
    TW_PARAM_F32(struct params, erosion, 0.3, 0, 1, TW_UNIT_SHARE,
                 "share of the free capacity that is taken up in a step"),
    TW_PARAM_F32(struct params, deposition, 0.3, 0, 1, TW_UNIT_SHARE,
                 "share of the surplus that is put down in a step"),
    TW_PARAM_F32(struct params, evaporation, 0.02, 0, 1, TW_UNIT_SHARE,
                 "share of the water that is lost in a step"),
    TW_PARAM_I32(struct params, radius, 3, 1, TW_BRUSH_RADIUS_MAX, TW_UNIT_CELLS,
                 "how far around it a droplet takes up ground"),
    TW_PARAM_I32(struct params, lifetime, 48, 1, 10000, "steps", "steps of one cell, at most"),
    TW_PARAM_F32(struct params, density, 0.5, 0, 1000, "per cell", "droplets for each cell"),
    TW_PARAM_F32(struct params, gravity, 4, 0, 1000, "", "gain of squared speed for a fall of 1"),
    TW_PARAM_F32(struct params, min_slope, 0.05, 0, 1000, TW_UNIT_RISE_PER_SIDE,
                 "slope that counts at least for the capacity"),
    TW_PARAM_ENUM(struct params, order, 0, "tiles|sequential",
                  "droplets of distant tiles at once, or one after the other on one thread"),
    TW_PARAM_SIDE(struct params, "radius, lifetime and what happens in a step are"),
    TW_PARAM_END,
};

static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the eroded terrain"},
    {"eroded", TW_HEIGHTMAP, 0, "height taken from each cell"},
    {"deposited", TW_HEIGHTMAP, 0, "height put down on each cell"},
    {"flow", TW_HEIGHTMAP, 0, "water that came by"},
    {"ledger", TW_RECORD, 0, "eroded, deposited, exported: sums of heights"},
    TW_PORT_END,
};

/* What was taken is what is missing; then the sums, row by row. */
static enum tw_status close_books(struct tw_task *task, const struct tw_beyer *model,
                                  const float *in, float *eroded)
{
    static const char *const names[3] = {"eroded", "deposited", "exported"};
    size_t width = (size_t)tw_task_width(task), height = (size_t)tw_task_height(task);
    double sums[3] = {0};
    for (size_t y = 0; y < height; y++) {
        double row[3] = {0};
        for (size_t i = y * width; i < (y + 1) * width; i++) {
            eroded[i] = tw_max(0, in[i] + model->deposited[i] - model->cells[i]);
            row[0] += (double)eroded[i];
            row[1] += (double)model->deposited[i];
            row[2] += (double)model->exported[i];
        }
        for (int k = 0; k < 3; k++)
            sums[k] += row[k];
    }
    enum tw_status status = tw_task_list(task, 4, 3);
    for (int k = 0; k < 3 && status == TW_OK; k++) {
        struct tw_entry *entry = &tw_entries(tw_task_output(task, 4))[k];
        strncpy(entry->name, names[k], sizeof entry->name - 1);
        entry->number = sums[k];
    }
    return status;
}

/* What share of a step of 1 is left to one of 1 / scale. */
static float share_of_step(float share, double scale)
{
    return (float)(1 - tw_pow(1 - (double)share, 1 / scale));
}

/* Lengths grow in cells with the map, and what happens on the same way stays: a droplet on smaller
 * cells carries more of them, since its load is the same height over a smaller area. */
static void fit_to_map(const struct tw_task *task, struct params *p)
{
    double scale = tw_resolution_scale(task, p->side);
    if (p->side == 0)
        return;
    p->radius = tw_resolution_count(p->radius, scale);
    p->radius = p->radius < TW_BRUSH_RADIUS_MAX ? p->radius : TW_BRUSH_RADIUS_MAX;
    p->lifetime = tw_resolution_count(p->lifetime, scale);
    p->capacity = (float)((double)p->capacity * scale);
    p->erosion = share_of_step(p->erosion, scale);
    p->deposition = share_of_step(p->deposition, scale);
    p->evaporation = share_of_step(p->evaporation, scale);
}

static enum tw_status run(struct tw_task *task)
{
    struct params own = *(const struct params *)tw_task_params(task), *p = &own;
    fit_to_map(task, p);
    const float *in = tw_floats(tw_task_input(task, 0));
    size_t count = tw_value_count(tw_task_input(task, 0));
    double drops = (double)p->density * (double)count;
    bool line = tw_task_width(task) < 2 || tw_task_height(task) < 2; /* no slope across */
    const struct tw_beyer model = {.inertia = p->inertia,
                                   .capacity = p->capacity,
                                   .erosion = p->erosion,
                                   .deposition = p->deposition,
                                   .evaporation = p->evaporation,
                                   .gravity = p->gravity,
                                   .side = (float)tw_task_width(task),
                                   .min_slope = p->min_slope / (float)tw_task_width(task),
                                   .radius = p->radius,
                                   .lifetime = p->lifetime,
                                   .cells = tw_floats(tw_task_output(task, 0)),
                                   .deposited = tw_floats(tw_task_output(task, 2)),
                                   .flow = tw_floats(tw_task_output(task, 3)),
                                   .exported = tw_task_scratch(task, count, sizeof(float))};
    if (!model.exported)
        return tw_task_no_memory(task);
    if (drops > INT32_MAX)
        return tw_task_fail(task, "density %g makes %.3g droplets; allowed are %d",
                            (double)p->density, drops, INT32_MAX);
    memcpy(model.cells, in, count * sizeof *in);
    memset(model.deposited, 0, count * sizeof *in);
    memset(model.flow, 0, count * sizeof *in);
    memset(model.exported, 0, count * sizeof *in);
    enum tw_status status = TW_OK;
    if (!line)
        status = tw_beyer_run(task, &model, (int32_t)drops, p->order == 1);
    if (status != TW_OK)
        return status;
    return close_books(task, &model, in, tw_floats(tw_task_output(task, 1)));
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    double drops = (double)p->density * (double)f->width * (double)f->height;
    int32_t count = drops < INT32_MAX ? (int32_t)drops : INT32_MAX;
    tw_forecast_maps(f, 1, sizeof(float)); /* exported */
    if (f->width > 1 && f->height > 1)
        tw_beyer_forecast(f, count, p->order == 1);
}

extern const struct tw_node_type tw_node_erosion_droplets;
const struct tw_node_type tw_node_erosion_droplets = {
    .name = "erosion.droplets",
    .version = 1,
    .summary = "droplets that roll downhill, carve and deposit",
    .detail =
        "A droplet moves by one cell a step in the direction d = normalised(inertia d - (1 - "
        "inertia) g), g the slope of the bilinear surface in rises per map side. Let f be its "
        "fall. Its capacity is max(f, min_slope / width) speed water `capacity`. Uphill it fills "
        "the hole behind it, min(-f, sediment); with more than its capacity it puts down "
        "`deposition` of the surplus, both on the four cells around it; else it takes up "
        "min(`erosion` of the free capacity, f) with a brush of weights radius - distance, from "
        "no cell deeper than to the height where the step ends: nothing sinks below the lowest "
        "ground there was. Then speed^2 += gravity f and water shrinks by `evaporation`.\n"
        "It rests on level ground and after `lifetime` steps, and puts down what it carries. "
        "Border: droplets leave the map with their load, the ledger's `exported`: sum(out) = "
        "sum(in) - exported = sum(in) - eroded + deposited.\n"
        "Droplets run in rounds over tiles of 64 cells in four colours, so the bytes do not "
        "depend on the threads. Maps of one row or column stay as they are.\n"
        "Steps and radius count cells. With `side` and s = width / side, radius (to 12), lifetime"
        " and capacity grow by s, and of erosion, deposition and evaporation, e becomes 1 - (1 - "
        "e)^(1 / s): so gentle erosion keeps its large shapes. Where density carves deep, valleys"
        " choose other ways at another size, as with another seed. Time grows by s^5.",
    .cite = "beyer2015",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "eroded: {type: erosion.droplets, in: noise, density: 0.25}",
    .random = true,
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
