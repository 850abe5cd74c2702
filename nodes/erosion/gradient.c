/* SPDX-License-Identifier: MIT */
/* Continuous, gradient dependent erosion, Coats 2008, section 2.2, after Musgrave 1989: water falls
 * now and then, runs to all lower neighbours, the lowest first, and carries sediment with it.
 * His text deposits for every neighbour that is not lower and once more at the end; we do it once
 * a cell and step, at the end. */
#include "common/coats.h"

#include <string.h>

struct params {
    float rain;
    int32_t rain_period;
    float rain_by_altitude;
    float Kc, Kd, Ks;
    float evaporation;
    int32_t steps;
    int32_t update;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, rain, 0.002, 0, 1000, TW_UNIT_HEIGHT,
                 "water that falls on every cell at once"),
    TW_PARAM_I32(struct params, rain_period, 160, 1, 1000000, "steps", "steps between rains"),
    TW_PARAM_F32(struct params, rain_by_altitude, 0.002, 0, 1000, "height per height",
                 "further water in proportion to the altitude"),
    TW_PARAM_F32(struct params, Kc, 1, 0, 1000, "height per height",
                 "sediment capacity: sediment that a unit of water takes along"),
    TW_PARAM_F32(struct params, Kd, 0.1, 0, 1, TW_UNIT_SHARE,
                 "sediment deposition: share that settles in a step"),
    TW_PARAM_F32(struct params, Ks, 0.3, 0, 1, TW_UNIT_SHARE,
                 "soil softness: share of missing sediment that is dug from the ground"),
    TW_PARAM_F32(struct params, evaporation, 0, 0, 1, TW_UNIT_SHARE,
                 "share of the water that dries up after a step; none in the text"),
    TW_PARAM_I32(struct params, steps, 320, 0, 1000000, "steps", "steps of the simulation"),
    TW_PARAM_ENUM(struct params, update, 0, "at_once|synchronous",
                  "cell after cell on the changing map, or all cells from the state before"),
    TW_PARAM_END,
};

static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    {"water", TW_HEIGHTMAP, TW_OPTIONAL, "water at the start; none if not given"},
    {"sediment", TW_HEIGHTMAP, TW_OPTIONAL,
     "sediment in the water at the start; none if not given"},
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the eroded terrain"},
    {"water", TW_HEIGHTMAP, 0, "depth of the water that is left"},
    {"sediment", TW_HEIGHTMAP, 0, "sediment that the water still carries"},
    TW_PORT_END,
};

/* The state of `at_once`, in double: it is the reference. */
struct land {
    double *a, *w, *s;
    int32_t width, height;
    double Kc, Kd, Ks;
};

/* Existing neighbours from the lowest altitude up, in reading order on ties. */
static int sort_around(const struct land *land, int32_t x, int32_t y, size_t around[8])
{
    int count = 0;
    for (int32_t v = y - 1; v <= y + 1; v++)
        for (int32_t u = x - 1; u <= x + 1; u++) {
            if ((u == x && v == y) || u < 0 || v < 0 || u >= land->width || v >= land->height)
                continue;
            size_t cell = (size_t)v * (size_t)land->width + (size_t)u;
            int at = count++;
            for (; at > 0 && land->a[around[at - 1]] > land->a[cell]; at--)
                around[at] = around[at - 1];
            around[at] = cell;
        }
    return count;
}

static void pour(const struct land *land, size_t v, size_t u)
{
    double drop = (land->w[v] + land->a[v]) - (land->w[u] + land->a[u]);
    double moved = land->w[v] < drop ? land->w[v] : drop;
    if (!(moved > 0))
        return;
    double wanted = land->Kc * moved;
    double taken = land->s[v] < wanted ? land->s[v] : wanted;
    double dug = land->Ks * (wanted - taken);
    land->w[v] -= moved;
    land->w[u] += moved;
    land->s[v] -= taken;
    land->s[u] += taken + dug;
    land->a[v] -= dug;
}

static void visit(const struct land *land, int32_t x, int32_t y)
{
    size_t v = (size_t)y * (size_t)land->width + (size_t)x, around[8];
    int count = land->w[v] > 0 ? sort_around(land, x, y, around) : 0;
    for (int i = 0; i < count; i++)
        pour(land, v, around[i]);
    double settled = land->Kd * land->s[v];
    land->a[v] += settled;
    land->s[v] -= settled;
}

static struct tw_coats_range range_of(const struct land *land, bool with_water)
{
    struct tw_coats_range range = {land->a[0], land->a[0]};
    for (size_t i = 0; i < (size_t)land->width * (size_t)land->height; i++) {
        tw_coats_widen(&range, land->a[i]);
        if (with_water)
            tw_coats_widen(&range, land->a[i] + land->w[i] + land->s[i]);
    }
    return range;
}

/* One step; the rain is before it. */
static enum tw_status step_at_once(struct tw_task *task, const struct land *land,
                                   const struct tw_coats *k, int32_t step)
{
    size_t count = (size_t)land->width * (size_t)land->height;
    for (size_t i = 0; step % k->rain_period == 0 && i < count; i++)
        land->w[i] += tw_coats_rain(k, land->a[i]);
    for (int32_t y = 0; y < land->height; y++) {
        if (y % 64 == 0 && tw_task_cancelled(task))
            return TW_CANCELLED;
        for (int32_t x = 0; x < land->width; x++)
            visit(land, x, y);
    }
    for (size_t i = 0; i < count; i++)
        land->w[i] *= 1.0 - (double)k->evaporation;
    tw_task_progress(task, (double)(step + 1) / k->steps);
    return TW_OK;
}

static enum tw_status run_at_once(struct tw_task *task, const struct tw_coats *k, float *altitude,
                                  float *water, float *sediment)
{
    struct land land = {.width = tw_task_width(task), .height = tw_task_height(task)};
    size_t count = (size_t)land.width * (size_t)land.height;
    land.a = tw_task_scratch(task, 3 * count, sizeof *land.a);
    if (!land.a)
        return tw_task_no_memory(task);
    land.w = land.a + count;
    land.s = land.w + count;
    land.Kc = (double)k->capacity;
    land.Kd = (double)k->deposition;
    land.Ks = (double)k->softness;
    for (size_t i = 0; i < count; i++) {
        land.a[i] = (double)altitude[i];
        land.w[i] = (double)water[i];
        land.s[i] = (double)sediment[i];
    }
    const struct tw_coats_range terrain = range_of(&land, true);
    for (int32_t step = 0; step < k->steps; step++) {
        enum tw_status status = step_at_once(task, &land, k, step);
        if (status == TW_OK && tw_coats_looks(k, step)) {
            struct tw_coats_range now = range_of(&land, false);
            status = tw_coats_judge(task, &terrain, &now, k, step);
        }
        if (status != TW_OK)
            return status;
    }
    for (size_t i = 0; i < count; i++) {
        altitude[i] = (float)land.a[i];
        water[i] = (float)land.w[i];
        sediment[i] = (float)land.s[i];
    }
    return TW_OK;
}

/* Brings an input to its output; a negative depth has no meaning. */
static enum tw_status take_depth(struct tw_task *task, int port, float *to)
{
    const struct tw_value *from = tw_task_input(task, port);
    size_t count = tw_value_count(tw_task_output(task, 0));
    if (!from) {
        memset(to, 0, count * sizeof *to);
        return TW_OK;
    }
    memcpy(to, tw_floats(from), count * sizeof *to);
    for (size_t i = 0; i < count; i++)
        if (to[i] < 0)
            return tw_task_fail(task, "'%s' is %.9g at x %d, y %d; allowed are 0 and more",
                                inputs[port].name, (double)to[i],
                                (int)(i % (size_t)tw_task_width(task)),
                                (int)(i / (size_t)tw_task_width(task)));
    return TW_OK;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_value *in = tw_task_input(task, 0);
    float *out = tw_floats(tw_task_output(task, 0));
    float *water = tw_floats(tw_task_output(task, 1));
    float *sediment = tw_floats(tw_task_output(task, 2));
    const struct tw_coats k = {.capacity = p->Kc,
                               .deposition = p->Kd,
                               .softness = p->Ks,
                               .rain = p->rain,
                               .rain_by_altitude = p->rain_by_altitude,
                               .evaporation = p->evaporation,
                               .rain_period = p->rain_period,
                               .steps = p->steps};
    if (tw_floats(in) != out)
        memcpy(out, in->data, tw_value_count(in) * sizeof *out);
    enum tw_status status = take_depth(task, 1, water);
    if (status == TW_OK)
        status = take_depth(task, 2, sediment);
    if (status != TW_OK)
        return status;
    return p->update == 1 ? tw_coats_synchronous(task, &k, out, water, sediment)
                          : run_at_once(task, &k, out, water, sediment);
}

extern const struct tw_node_type tw_node_erosion_gradient;
const struct tw_node_type tw_node_erosion_gradient = {
    .name = "erosion.gradient",
    .version = 1,
    .summary = "water that runs down all slopes and carries sediment",
    .detail =
        "a, w, s: altitude, water and sediment of a cell. Every `rain_period` steps w += rain + "
        "rain_by_altitude a, the first time before the first step.\n"
        "In a step a cell v pours to its 8 neighbours u, from the lowest a up, ties in reading "
        "order: dw = min(w_v, (w_v + a_v) - (w_u + a_u)), nothing where dw <= 0. The water wants "
        "c = Kc dw of sediment; where s_v < c, the ground gives Ks (c - s_v). Then Kd s_v settles. "
        "a + s keeps its sum and, between rains without evaporation, so does w.\n"
        "Water moves by the whole difference of two surfaces, so ponds swing for ever and rib "
        "their "
        "beds after many rains; a little `evaporation`, which his text lacks, dries them up.\n"
        "`at_once` goes through rows from north to south and cells from west to east on the "
        "changing map, on one thread. `synchronous` takes outflow from the state before the step "
        "and adds inflow after it: no order, all threads, and the one for large maps.\n"
        "Border: neighbours outside the map do not exist, so nothing leaves it. Water crosses one "
        "cell a step: on a map twice as fine it runs as far in twice the steps, with twice the "
        "rain period. It moves by whole differences between cells, so the marks that it leaves are "
        "as wide as cells and differ with the size all the same.",
    .cite = "coats2008 musgrave1989",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example =
        "noise: {type: noise.ridged, frequency: 2, gain: 1.5}\n"
        "eroded: {type: erosion.gradient, in: noise, update: synchronous, evaporation: 0.02}",
    .in_place = true,
    .reach = TW_REACH_ALL,
    .run = run,
};
