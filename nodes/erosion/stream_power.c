/* SPDX-License-Identifier: MIT */
/* Stream power incision with uplift, dz/dt = U - K A^m S^n + D lap z, implicit in time and linear
 * in cells: Braun and Willett 2013, their equations 1 and 21 to 23, with hillslope creep. Water
 * leaves depressions over their lowest pass; a bed below its receiver's does not erode and is never
 * filled. Deviations: water runs at any angle (Tarboton 1997) in place of one of eight; what works
 * on the ground is the flow through a width of a few cells; n = 2 is solved in closed form like
 * n = 1, other n by Newton's method on a form that is convex, so that it converges from one side.
 */
#include "common/drainage_outlets.h"
#include "erosion/kernels/adi_diffusion.h"
#include "erosion/kernels/flow_lines.h"
#include "erosion/kernels/ground_maps.h"
#include "erosion/kernels/incision.h"
#include "erosion/kernels/masked.h"
#include "erosion/kernels/mass_balance.h"
#include "erosion/kernels/outlets.h"

#include <thalweg/kernel.h>

#include <string.h>

enum { BORDER_RECIPE, BORDER_WRAP, BORDER_FREE, BORDER_FIXED, BORDER_LOW };

struct params {
    float uplift_rate; /* U: height per time */
    float K;           /* erodibility: with areas in sides^2, slopes in heights per side */
    float m, n;
    float talus;     /* steepest hillside, height per map side */
    float diffusion; /* D: sides^2 per time */
    float channel;   /* A_c: share of the map */
    float dt;        /* time */
    int32_t steps;
    int32_t border;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, uplift_rate, 0.5, -1000, 1000, "height per time",
                 "how fast the ground rises, times the uplift mask"),
    TW_PARAM_F32(struct params, K, 8, 0, 1e6, "1 per time (m = 0.5)",
                 "erodibility: larger cuts deeper and sooner"),
    TW_PARAM_F32(struct params, m, 0.5, 0, 4, TW_UNIT_NONE, "exponent of the upstream area"),
    TW_PARAM_F32(struct params, n, 1, 0.1, 10, TW_UNIT_NONE, "exponent of the slope"),
    TW_PARAM_F32(struct params, talus, 12, 0, 1e9, TW_UNIT_RISE_PER_SIDE,
                 "steepest slope that stands; steeper ground falls at once"),
    TW_PARAM_F32(struct params, diffusion, 0.0002, 0, 1e6, "sides^2 per time",
                 "hillslope creep: larger gives wider, rounder hillsides"),
    TW_PARAM_F32(
        struct params, channel, 0.00003, 0, 1, TW_UNIT_SHARE,
        "upstream share of the map from which rivers carry off what creeps into them; 1: never"),
    TW_PARAM_F32(struct params, dt, 0.02, 1e-9, 1e6, "time", "length of a step; any is stable"),
    TW_PARAM_I32(struct params, steps, 50, 0, 100000, "steps", "steps in time"),
    TW_PARAM_ENUM(struct params, border, BORDER_RECIPE, "recipe|wrap|free|fixed|low",
                  "what the border is: as the recipe says, the other side's neighbour, land like "
                  "any other, ground that keeps its heights, or a sea at the lowest height"),
    TW_PARAM_END,
};

static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    {"uplift", TW_MASK, TW_OPTIONAL, "where the ground rises; everywhere if not given"},
    {"outlets", TW_MASK, TW_OPTIONAL,
     "where water leaves, from 0.5: cells that keep their heights; see border if not given"},
    TW_STRENGTH_PORT,
    TW_HARDNESS_PORT,
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the eroded terrain"},
    {"flow", TW_HEIGHTMAP, TW_ON_DEMAND, "upstream area on out, share of the map"},
    {"eroded", TW_HEIGHTMAP, TW_ON_DEMAND,
     "height taken away in all, in + uplift - out where that is lower"},
    {"deposited", TW_HEIGHTMAP, TW_ON_DEMAND, "height that creep laid down, where out is higher"},
    {"ledger", TW_RECORD, TW_ON_DEMAND,
     "raised, eroded, deposited, exported: sums over cells, in heights"},
    TW_PORT_END,
};

enum { IN, UPLIFT, OUTLETS, MASK, HARDNESS };
enum { OUT, FLOW, ERODED, LEDGER = 4 };

struct model {
    struct tw_drainage d;
    struct tw_flow_lines lines;
    struct tw_incision incision;
    struct tw_adi_diffusion creep;
    float *z, *raised;   /* raised: in + uplift; NULL when no balance is wanted */
    const float *uplift; /* may be NULL */
    uint8_t *outlet;     /* cells that keep their heights */
    float *bed;          /* heights before creep */
    float *area;         /* cells upstream, itself included */
    float channel;       /* that of a river's head */
    float rise;          /* U dt */
};

static void uplift_rows(void *context, int32_t begin, int32_t end)
{
    const struct model *s = context;
    size_t w = (size_t)s->d.width;
    for (size_t i = (size_t)begin * w; i < (size_t)end * w; i++) {
        float rise = s->uplift ? s->rise * s->uplift[i] : s->rise;
        rise = s->outlet[i] ? 0 : rise;
        s->z[i] += rise;
        if (s->raised)
            s->raised[i] += rise;
    }
}

static void save_rows(void *context, int32_t begin, int32_t end)
{
    const struct model *s = context;
    size_t w = (size_t)s->d.width, first = (size_t)begin * w;
    memcpy(s->bed + first, s->z + first, ((size_t)end * w - first) * sizeof *s->z);
}

/* What creeps into a river leaves with it, so that a river's slope does not depend on how narrow
 * its cells are. */
static void clear_rows(void *context, int32_t begin, int32_t end)
{
    const struct model *s = context;
    const float *hardness = s->incision.hardness;
    size_t w = (size_t)s->d.width;
    for (size_t i = (size_t)begin * w; i < (size_t)end * w; i++) {
        float least = tw_min(s->bed[i], s->z[i]);
        s->z[i] = s->area[i] >= s->channel ? least : s->z[i];
        if (hardness && s->z[i] < s->bed[i])
            s->z[i] = tw_strength_blend(s->bed[i], s->z[i], tw_softness(hardness[i]));
        s->z[i] = s->outlet[i] ? s->bed[i] : s->z[i];
    }
}

static void creep(struct tw_task *task, struct model *s)
{
    tw_rows(task, s->d.height, 16, save_rows, s);
    tw_adi_diffusion_step(task, &s->creep, s->z);
    tw_rows(task, s->d.height, 16, clear_rows, s);
}

static enum tw_status route(struct tw_task *task, struct model *s)
{
    return tw_flow_lines_route(task, &s->lines, &s->d, s->z, s->area);
}

static enum tw_status advance(struct tw_task *task, struct model *s, int32_t steps)
{
    for (int32_t i = 0; i < steps; i++) {
        tw_rows(task, s->d.height, 16, uplift_rows, s);
        enum tw_status status = route(task, s);
        if (status != TW_OK)
            return status;
        tw_incision_widen(task, &s->incision, &s->lines, s->area);
        tw_incision_step(task, &s->incision, &s->lines, s->area, s->z);
        if (s->creep.a > 0)
            creep(task, s);
        tw_task_progress(task, (double)(i + 1) / steps);
    }
    return TW_OK;
}

/* That of the final ground. */
static enum tw_status write_flow(struct tw_task *task, struct model *s)
{
    float *flow = tw_floats(tw_task_output(task, FLOW));
    enum tw_status status = route(task, s);
    for (int32_t i = 0; status == TW_OK && i < s->d.cells; i++)
        flow[i] = s->area[i] / (float)s->d.cells;
    return status;
}

/* All that is missing left with the rivers, since they lay nothing down. `before`: sum of in. */
static enum tw_status write_ledger(struct tw_task *task, const struct model *s, double before)
{
    struct tw_mass_balance moved;
    struct tw_value *ledger = tw_task_output(task, LEDGER);
    double raised = 0;
    if (tw_task_wants(task, LEDGER)) /* before it is eroded */
        raised = tw_mass_balance_sum(task, s->raised) - before;
    enum tw_status status =
        tw_mass_balance_store(task, s->raised, s->z, (size_t)s->d.width, NULL, ERODED, &moved);
    if (status != TW_OK || !tw_task_wants(task, LEDGER))
        return status;
    status = tw_task_list(task, LEDGER, 4);
    if (status != TW_OK)
        return status;
    tw_record_set(ledger, 0, "raised", raised);
    tw_record_set(ledger, 1, "eroded", moved.eroded);
    tw_record_set(ledger, 2, "deposited", moved.deposited);
    tw_record_set(ledger, 3, "exported", moved.eroded - moved.deposited);
    return TW_OK;
}

/* Adds the cells of the input `outlets`; false when it has none. */
static bool add_outlets(const struct tw_value *mask, uint8_t *outlet)
{
    bool found = false;
    for (size_t i = 0; i < tw_value_count(mask); i++) {
        bool here = tw_floats(mask)[i] >= 0.5f;
        outlet[i] |= here;
        found |= here;
    }
    return found;
}

static enum tw_status open_outlets(struct tw_task *task, struct model *s, int32_t border, bool wrap)
{
    const struct tw_value *mask = tw_task_input(task, OUTLETS);
    bool keeps_border = border == BORDER_FIXED || border == BORDER_LOW;
    if (keeps_border || !mask)
        tw_outlets_mark(keeps_border ? TW_OUTLETS_BORDER
                        : wrap       ? TW_OUTLETS_LOWEST
                                     : TW_OUTLETS_GATES,
                        s->z, s->d.width, s->d.height, s->outlet);
    else
        memset(s->outlet, 0, (size_t)s->d.cells);
    if (mask && !add_outlets(mask, s->outlet))
        return tw_task_fail(task, "'outlets' is nowhere 0.5 or more; it must be somewhere");
    return tw_drainage_open(task, s->outlet, wrap, &s->d);
}

/* The border becomes as low as the lowest cell. */
static void flood_border(const struct model *s)
{
    int32_t w = s->d.width, h = s->d.height;
    float low = s->z[0];
    for (int32_t i = 0; i < s->d.cells; i++)
        low = tw_min(low, s->z[i]);
    for (int32_t y = 0; y < h; y++)
        for (int32_t x = 0; x < w; x++)
            if (x == 0 || y == 0 || x == w - 1 || y == h - 1)
                s->z[y * w + x] = low;
}

static enum tw_status prepare(struct tw_task *task, struct model *s, const struct params *p)
{
    enum { CLOSED_OR_OPEN = TW_BORDER_CLOSED };
    size_t cells = (size_t)tw_task_width(task) * (size_t)tw_task_height(task);
    bool wrap = tw_task_wraps(task, p->border < BORDER_FREE ? p->border : CLOSED_OR_OPEN);
    enum tw_adi_ends ends = wrap                        ? TW_ADI_WRAP
                            : p->border >= BORDER_FIXED ? TW_ADI_FIXED
                                                        : TW_ADI_CLOSED;
    enum tw_status status = tw_drainage_init(task, &s->d);
    if (status != TW_OK)
        return status;
    s->area = tw_task_scratch(task, cells, sizeof *s->area);
    s->bed = tw_task_scratch(task, cells, sizeof *s->bed);
    s->outlet = tw_task_scratch(task, cells, sizeof *s->outlet);
    if (!s->area || !s->bed || !s->outlet)
        return tw_task_no_memory(task);
    if (p->border == BORDER_LOW)
        flood_border(s);
    double side = (double)s->d.width, dt = (double)p->dt;
    s->rise = p->uplift_rate * p->dt;
    s->channel = p->channel * (float)cells + 1;
    tw_incision_init(&s->incision, (double)p->K * dt, (double)p->m, (double)p->n, (double)p->talus,
                     s->d.width);
    s->incision.wrap = wrap;
    s->incision.hardness = tw_optional_cells(task, HARDNESS);
    status = open_outlets(task, s, p->border, wrap);
    if (status == TW_OK)
        status = tw_flow_lines_init(task, &s->lines, &s->d);
    if (status != TW_OK)
        return status;
    return tw_adi_diffusion_init(task, &s->creep, (float)((double)p->diffusion * dt * side * side),
                                 ends);
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const float *in = tw_floats(tw_task_input(task, IN));
    const struct tw_value *uplift = tw_task_input(task, UPLIFT);
    size_t cells = tw_value_count(tw_task_output(task, OUT));
    struct model *s = tw_task_scratch(task, 1, sizeof *s);
    if (!s)
        return tw_task_no_memory(task);
    const struct tw_value *mask = tw_task_input(task, MASK);
    const float *kept = tw_masked_before(task, mask);
    if (!kept)
        return tw_task_no_memory(task);
    *s = (struct model){.z = tw_floats(tw_task_output(task, OUT)),
                        .uplift = uplift ? tw_floats(uplift) : NULL};
    enum tw_status status = tw_mass_balance_reserve(task, NULL, ERODED, &s->raised);
    if (status != TW_OK)
        return status;
    double before = tw_task_wants(task, LEDGER) ? tw_mass_balance_sum(task, in) : 0;
    if (s->raised)
        memcpy(s->raised, in, cells * sizeof *in);
    if (in != s->z)
        memcpy(s->z, in, cells * sizeof *in);
    status = prepare(task, s, p);
    if (status == TW_OK)
        status = advance(task, s, p->steps);
    if (status != TW_OK)
        return status;
    tw_masked_apply(task, kept, mask, NULL, NULL);
    if (s->raised)
        tw_strength_apply(task, kept, s->raised, mask, s->raised);
    if (tw_task_wants(task, FLOW))
        status = write_flow(task, s);
    return status == TW_OK ? write_ledger(task, s, before) : status;
}

static void forecast(struct tw_forecast *f)
{
    struct model s;
    tw_masked_forecast(f, MASK);
    tw_drainage_forecast(f);
    tw_drainage_open_forecast(f);
    tw_forecast_maps(f, 1, sizeof *s.area + sizeof *s.bed + sizeof *s.outlet);
    tw_flow_lines_forecast(f);
    tw_adi_diffusion_forecast(f);
    tw_mass_balance_forecast(f);
    tw_mass_balance_reserve_forecast(f, false, ERODED);
    tw_forecast_scratch(f, 1, sizeof s);
}

extern const struct tw_node_type tw_node_erosion_stream_power;
const struct tw_node_type tw_node_erosion_stream_power = {
    .name = "erosion.stream_power",
    .version = 4,
    .summary = "rivers cut a rising land into ridges and branching valleys",
    .detail =
        "dz/dt = U - K A^m S^n + D lap z: A the upstream area, S the slope along the flow. Water "
        "runs straight downhill at any angle (D-infinity, after priority-flood): its line meets "
        "the side between two neighbours at a distance L, where the ground is r high, and they "
        "share it by where it does. A is taken over 5 x 5 cells, binomial weights, as what passes "
        "through a width of 8/3 cells: so no angle is better than another, and rivers have floors "
        "a few cells wide. Each step, from the outlets up, with z after uplift and f = K dt A^m / "
        "L^n:\nz' - r' + f (z' - r')^n = z - r', which is z' = r' + (z - r') / (1 + f) for n = 1; "
        "z' - r' is at most talus L. Then one implicit step of creep along rows and one along "
        "columns; cells with an A of channel or more do not keep what creeps into them. Any dt is "
        "stable.\nL is in map sides, A in map sides squared, z in heights, so the parameters do "
        "not depend on the resolution. The form does a little: smaller cells show finer rivers and "
        "their steep heads, by which the mean height grows by 15 to 20 % with each doubling of the "
        "cells a side.\nThe land is near its steady state after a time of about 6 / K; for n = 1, "
        "m = 0.5 its relief is then 6 to 12 times U / K, and hillsides are about (D / K)^(1/2) "
        "long. With a map side of s and a height 1 of h metres and a time unit of t years, the K "
        "of the literature is K h^(1 - n) s^(n - 2 m) / t, and D is D s^2 / t.\nOutlets keep their "
        "heights. With `outlets` they are its cells; else, on a torus (border wrap), the lowest "
        "cell; with border free, cells of the border that are its lowest for an eighth of a side "
        "to both sides, and the rest of the border is land like any other; with fixed and low, "
        "which also take `outlets`, the whole border. Rivers lay nothing down; what they take "
        "leaves the map, the ledger's exported: sum(out) = sum(in) + raised - exported = sum(in) + "
        "raised - eroded + deposited.\nhardness H: in each step rivers, talus and creep lower a "
        "cell by (1 - H) of what they would, and the ground above follows from where that leaves "
        "it. Creep still brings what soft ground would give, so exported is what left less "
        "that." TW_MASKED_DETAIL
        " So is the ground without erosion, in + mask uplift; flow, maps and ledger are those of "
        "out.",
    .cite = "braun2013 tarboton1997 barnes2014",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "mountains: {type: erosion.stream_power, in: noise, uplift_rate: 0.5, K: 8}",
    .in_place = true,
    .reach = TW_REACH_ALL,
    .bordered = true,
    .run = run,
    .forecast = forecast,
};
