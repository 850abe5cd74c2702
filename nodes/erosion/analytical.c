/* SPDX-License-Identifier: MIT */
/* Stream power incision with uplift, dz/dt = U - K A^m S, at any age without steps in time: the
 * method of characteristics along the rivers (Royden and Perron 2013; Steer 2021), repeated until
 * rivers and land fit each other (Tzathas et al. 2024). Deviations: water runs by D8 with
 * depressions left over their lowest pass; from the sixth pass on each takes the mean of the last
 * land and the new one, since divides otherwise swing; slopes along the flow stay above 0 and
 * within the talus. */
#include "common/drainage/flow_accumulation.h"
#include "common/drainage/land_outlets.h"
#include "common/drainage/outlets.h"
#include "erosion/kernels/characteristics.h"
#include "erosion/kernels/land_border.h"
#include "erosion/kernels/mass_balance.h"

#include <string.h>

enum { WHOLE_PASSES = 5 };

struct params {
    float uplift_rate; /* U: height per time */
    float K, m;        /* erodibility: with areas in sides^2, slopes in heights per side */
    float talus;       /* steepest slope, height per map side */
    float hillslope;   /* k_h: sides^2.2 per time */
    float age;         /* t: time */
    int32_t passes;
    int32_t border;
    struct tw_labels closed;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, uplift_rate, 0.5, -1000, 1000, "height per time",
                 "how fast the ground rises, times the uplift mask", TW_USUAL(0, 2)),
    TW_PARAM_F32(struct params, K, 8, 0, 1e6, "1 per time (m = 0.5)",
                 "erodibility: larger cuts deeper and sooner", TW_USUAL(0.5, 50)),
    TW_PARAM_F32(struct params, m, 0.5, 0, 4, TW_UNIT_NONE, "exponent of the upstream area"),
    TW_PARAM_F32(struct params, talus, 12, 0, 1e9, TW_UNIT_RISE_PER_SIDE,
                 "steepest slope that stands; steeper ground falls at once", TW_USUAL(2, 50)),
    TW_PARAM_F32(struct params, hillslope, 0, 0, 1e6, "sides^2.2 per time",
                 "wear of ground with little water: larger gives lower, smoother hillsides",
                 TW_USUAL(0, 0.002)),
    TW_PARAM_F32(struct params, age, 1, 0, 1e6, "time", "how long the land rises and wears",
                 TW_USUAL(0.1, 10)),
    TW_PARAM_I32(struct params, passes, 20, 1, 1000, "passes",
                 "how often the rivers are drawn anew on the land that they made", TW_USUAL(1, 60)),
    TW_PARAM_LAND_BORDER(struct params),
    TW_PARAM_END,
};

TW_LAND_PORTS("height that the limits of slope put on, where out is higher");

struct work {
    struct tw_drainage d;
    struct tw_characteristics waves;
    uint8_t *outlet;
    float *raised; /* in + uplift; NULL when no balance is wanted */
};

static bool lay_out(struct tw_scratch *s, struct work *w)
{
    w->outlet = tw_scratch_maps(s, 1, sizeof *w->outlet);
    return tw_characteristics_lay_out(s, &w->waves) &&
           tw_mass_balance_lay_out(s, false, TW_LAND_ERODED, &w->raised);
}

static struct tw_characteristics laws_of(struct tw_task *task, const struct params *p)
{
    return (struct tw_characteristics){.uplift_rate = (double)p->uplift_rate,
                                       .K = (double)p->K,
                                       .m = (double)p->m,
                                       .hillslope = (double)p->hillslope,
                                       .talus = (double)p->talus,
                                       .age = (double)p->age,
                                       .start = tw_floats(tw_task_input(task, TW_LAND_IN)),
                                       .uplift = tw_optional_cells(task, TW_LAND_UPLIFT),
                                       .hardness = tw_optional_cells(task, TW_LAND_HARDNESS)};
}

/* Draws the rivers of the land z; areas take the memory of the order, which receivers leave
 * free. */
static enum tw_status draw_rivers(struct tw_task *task, struct work *w, const float *z)
{
    enum tw_status status = tw_drainage_receivers(task, &w->d, z);
    if (status != TW_OK)
        return status;
    uint32_t *area = (uint32_t *)w->d.order;
    tw_flow_area(task, &w->d, area);
    w->waves.area = area;
    return TW_OK;
}

static enum tw_status shape_land(struct tw_task *task, struct work *w, float *z)
{
    const struct params *p = tw_task_params(task);
    for (int32_t pass = 0; pass < p->passes; pass++) {
        enum tw_status status = draw_rivers(task, w, z);
        w->waves.own = pass < WHOLE_PASSES ? 1 : 0.5;
        if (status == TW_OK)
            status = tw_characteristics_step(task, &w->waves, &w->d, z);
        if (status != TW_OK)
            return status;
        tw_task_progress(task, (double)(pass + 1) / p->passes);
    }
    return TW_OK;
}

/* Writes in + uplift of the whole age, outlets excepted. */
static void raise_ground(const struct work *w, float *raised)
{
    const struct tw_characteristics *c = &w->waves;
    for (int32_t i = 0; i < w->d.cells; i++) {
        double rise = c->uplift_rate * c->age * (c->uplift ? (double)c->uplift[i] : 1);
        raised[i] = (float)((double)c->start[i] + (w->outlet[i] ? 0 : rise));
    }
}

static enum tw_status write_flow(struct tw_task *task, struct work *w, const float *z)
{
    float *flow = tw_floats(tw_task_output(task, TW_LAND_FLOW));
    enum tw_status status = flow ? draw_rivers(task, w, z) : TW_OK;
    for (int32_t i = 0; flow && status == TW_OK && i < w->d.cells; i++)
        flow[i] = (float)w->waves.area[i] / (float)w->d.cells;
    return status;
}

static enum tw_status finish(struct tw_task *task, struct work *w, float *z)
{
    const struct tw_value *mask = tw_task_input(task, TW_LAND_MASK);
    const float *in = w->waves.start;
    tw_strength_apply(task, in, z, mask, z);
    double before = 0;
    if (w->raised) {
        before = tw_mass_balance_sum(task, in);
        raise_ground(w, w->raised);
        tw_strength_apply(task, in, w->raised, mask, w->raised);
    }
    enum tw_status status = write_flow(task, w, z);
    return status == TW_OK ? tw_land_store_ledger(task, w->raised, z, before) : status;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    struct work w = {.waves = laws_of(task, p)};
    const float *in = w.waves.start;
    float *z = tw_floats(tw_task_output(task, TW_LAND_OUT));
    if (!lay_out(&(struct tw_scratch){.task = task}, &w))
        return tw_task_no_memory(task);
    enum tw_status status = tw_land_find_outlets(task, p->border, &p->closed, in,
                                                 tw_task_input(task, TW_LAND_OUTLETS), w.outlet);
    if (status == TW_OK)
        status = tw_drainage_init(task, &w.d);
    if (status == TW_OK)
        status = tw_drainage_open(task, w.outlet, tw_land_wraps(task, p->border), &w.d);
    if (status != TW_OK)
        return status;
    memcpy(z, in, (size_t)w.d.cells * sizeof *z);
    if (p->border == TW_LAND_LOW)
        tw_outlets_flood_border(z, w.d.width, w.d.height, tw_closed_sides(&p->closed),
                                tw_land_lowest(in, (size_t)w.d.cells));
    if (p->age > 0)
        status = shape_land(task, &w, z);
    return status == TW_OK ? finish(task, &w, z) : status;
}

static void forecast(struct tw_forecast *f)
{
    struct work w;
    lay_out(&(struct tw_scratch){.forecast = f}, &w);
    tw_drainage_forecast(f);
    tw_drainage_open_forecast(f);
    tw_mass_balance_forecast(f);
}

extern const struct tw_node_type tw_node_erosion_analytical;
const struct tw_node_type tw_node_erosion_analytical = {
    .name = "erosion.analytical",
    .version = 2,
    .summary = "mountains that rivers cut, of any age, without steps in time",
    .keywords = "mountains, mountain range, ridges, valleys, rivers, fluvial, uplift, tectonics, "
                "stream power, age, knickpoint, steady state",
    .elsewhere = "Mountain (Gaea)",
    .detail =
        "Makes mountain ranges of a given age at once, where erosion.stream_power takes one step "
        "in time after the other: land rises while rivers cut it, and `age` says for how long. "
        "Any age takes the same time, about 2 microseconds a cell. It starts from a low noise, since level "
        "ground drains in straight lines.\n"
        "Choose erosion.stream_power for rivers that run at any angle, with floors a few cells "
        "wide, and for ages as a slider: here a little more age may move a divide, and single "
        "cells near it by half of the relief. A hillslope of 0.0003 gives whole, smooth "
        "hillsides; erosion.thermal after this node takes away the walls that stand where the "
        "basins of two outlets meet. Wide hollows of `in` "
        "that no river has reached at a young age become plains: for young land start from "
        "ground with few of them.\n"
        "The law is that of stream_power with n = 1 and without creep, U being the uplift, A the "
        "upstream area and S the slope along the flow:\n"
        "    dz/dt = U - K A^m S.\n"
        "Along a river that is a wave which travels up with the speed a, L being the distance "
        "from one cell to the next in map sides:\n"
        "    a = (K A^m + hillslope / 1.4 A^-0.6) (1 - hardness);\n"
        "    tau(x) = sum of L / a from the outlet up to x;\n"
        "    R(x) = sum of U L / a from the outlet up to x.\n"
        "At an age of t a place x has the height of the place x* downstream from which a wave "
        "takes the time t to it, raised by what rose on the way:\n"
        "    z(x) = z0(x*) + R(x) - R(x*), tau(x*) = tau(x) - t.\n"
        "Where tau(x) < t waves from the outlet have passed x, and the land is in its steady "
        "state, which more age does not change:\n"
        "    z(x) = z0(outlet) + R(x).\n"
        "Rivers depend on the land, so a pass finds the rivers of the last land (D8, over the "
        "lowest pass of each depression) and from them the land of this age, always from `in`. "
        "From the sixth pass on the mean of both is taken, as divides would swing for ever. "
        "Slopes along the flow stay within talus and above 0, if only by the last digits of a "
        "height, so that the land has no hollow and no level ground; these differ from cell to "
        "cell, so that rivers wind across plains.\n"
        "On noises of 256 cells a side another pass after 20 moves the land by 0.2 % of its relief "
        "in the mean at age 0.4 and by 0.3 to 0.5 % at 1.2, but single cells beside a divide by "
        "up to a quarter.\n"
        "Beside stream_power of 60 steps, age 1.2: the mean height is 0.27 here, 0.22 with "
        "hillslope 0.0003 and 0.20 there; slopes fall with the area to the power 0.50, 0.40 and "
        "0.32; the spectrum's slope is 2.5, 3.7 and 3.9. measure.likeness to it is 0.20 without "
        "and 0.12 with hillslope: one look, other valleys.\n" TW_LAND_OUTLETS_DETAIL
        "Mass: rivers deposit nothing. What they take leaves the map and counts as `exported` in "
        "the ledger; raised is U t of every cell but outlets:\n"
        "    sum(out) = sum(in) + raised - exported = sum(in) + raised - eroded + deposited.\n"
        "hardness H: waves are slowed by 1 - H, and talus lowers a cell by 1 - H of what it "
        "would. Ground of hardness 1 keeps all its uplift." TW_MASKED_DETAIL
        " The ground without erosion, in + mask uplift, is masked alike. The flow, the maps and "
        "the ledger describe `out`.",
    .cite = "steer2021 royden2013 tzathas2024 braun2013 barnes2014",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "mountains: {type: erosion.analytical, in: noise, age: 1, hillslope: 0.0003}",
    .reach = TW_REACH_ALL,
    .bordered = true,
    .run = run,
    .forecast = forecast,
};
