/* SPDX-License-Identifier: MIT */
/* Stream power incision with uplift, dz/dt = U - K A^m S^n + D lap z, implicit in time and linear
 * in cells: Braun and Willett 2013, their equations 1 and 21 to 23, with hillslope creep. Water
 * leaves depressions over their lowest pass; a bed below its receiver's does not erode and is never
 * filled. Deviations: water runs at any angle (Tarboton 1997) in place of one of eight; what works
 * on the ground is the flow through a width of a few cells; n = 2 is solved in closed form like
 * n = 1, other n by Newton's method on a form that is convex, so that it converges from one side.
 */
#include "common/drainage/land_outlets.h"
#include "common/rising_land/rising_land.h"
#include "erosion/kernels/land_border.h"
#include "erosion/kernels/levels.h"
#include "erosion/kernels/mass_balance.h"

#include <thalweg/kernel.h>

#include <string.h>

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
    struct tw_labels closed;
    int32_t levels;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, uplift_rate, 0.5, -1000, 1000, "height per time",
                 "how fast the ground rises, times the uplift mask", TW_USUAL(0, 2.5)),
    TW_PARAM_F32(struct params, K, 8, 0, 1e6, "1 per time (m = 0.5)",
                 "erodibility: larger cuts deeper and sooner", TW_USUAL(0.5, 50)),
    TW_PARAM_F32(struct params, m, 0.5, 0, 4, TW_UNIT_NONE, "exponent of the upstream area"),
    TW_PARAM_F32(struct params, n, 1, 0.1, 10, TW_UNIT_NONE, "exponent of the slope"),
    TW_PARAM_F32(struct params, talus, 12, 0, 1e9, TW_UNIT_RISE_PER_SIDE,
                 "steepest slope that stands; steeper ground falls at once", TW_USUAL(2, 50)),
    TW_PARAM_F32(struct params, diffusion, 0.0002, 0, 1e6, "sides^2 per time",
                 "hillslope creep: larger gives wider, rounder hillsides", TW_USUAL(5e-6, 0.002)),
    TW_PARAM_F32(
        struct params, channel, 0.00003, 0, 1, TW_UNIT_SHARE,
        "upstream share of the map from which rivers carry off what creeps into them; 1: never",
        TW_USUAL(0, 0.0003)),
    TW_PARAM_F32(struct params, dt, 0.02, 1e-9, 1e6, "time", "length of a step; any is stable",
                 TW_USUAL(0.002, 0.1)),
    TW_PARAM_I32(struct params, steps, 50, 0, 100000, "steps", "steps in time", TW_USUAL(5, 150)),
    TW_PARAM_LAND_BORDER(struct params),
    TW_PARAM_LEVELS(struct params),
    TW_PARAM_END,
};

TW_LAND_PORTS("height that creep laid down, where out is higher");

enum { LEVEL_HARDNESS, LEVEL_UPLIFT };

/* What all levels of one run share. */
struct erosion {
    const struct params *p;
    bool wrap;
    const float *in, *kept; /* kept: `in` as it is needed once out is written */
    const uint8_t *outlet;  /* cells of the task's map that keep their heights */
    int32_t width, height;  /* of that map */
    float low;              /* its lowest height */
    float *raised;          /* in + uplift; NULL when no balance is wanted */
    double before;          /* sum of in, for the ledger */
    int32_t done;           /* steps of the coarser levels */
};

/* Writes the flow of the final ground. */
static enum tw_status write_flow(struct tw_task *task, struct tw_rising_land *s)
{
    float *flow = tw_floats(tw_task_output(task, TW_LAND_FLOW));
    enum tw_status status = tw_rising_land_route(task, s);
    for (int32_t i = 0; status == TW_OK && i < s->d.cells; i++)
        flow[i] = s->area[i] / (float)s->d.cells;
    return status;
}

/* Returns the outlets of a coarser level; NULL if out of memory. */
static const uint8_t *coarse_outlets(struct tw_task *task, const struct erosion *e)
{
    struct tw_outlets_map fine = {e->width, e->height, e->outlet};
    int32_t width = tw_task_width(task), height = tw_task_height(task);
    uint8_t *outlet = tw_task_scratch(task, (size_t)width * (size_t)height, sizeof *outlet);
    if (outlet)
        tw_outlets_cover(&fine, width, height, outlet);
    return outlet;
}

static enum tw_adi_ends ends_of(const struct erosion *e)
{
    if (e->wrap)
        return TW_ADI_WRAP;
    return tw_land_is_held(e->p->border, &e->p->closed) ? TW_ADI_FIXED : TW_ADI_CLOSED;
}

static enum tw_status prepare(struct tw_task *task, const struct erosion *e,
                              const struct tw_level *level, struct tw_rising_land *s)
{
    const struct params *p = e->p;
    struct tw_rising_land_laws laws = {.uplift_rate = p->uplift_rate,
                                       .K = p->K,
                                       .m = p->m,
                                       .n = p->n,
                                       .talus = p->talus,
                                       .diffusion = p->diffusion,
                                       .channel = p->channel,
                                       .dt = p->dt,
                                       .wrap = e->wrap,
                                       .ends = ends_of(e),
                                       .uplift = level->maps[LEVEL_UPLIFT],
                                       .hardness = level->maps[LEVEL_HARDNESS],
                                       .outlet =
                                           level->after ? coarse_outlets(task, e) : e->outlet};
    if (!laws.outlet)
        return tw_task_no_memory(task);
    enum tw_status status = tw_rising_land_init(task, s, &laws);
    if (status != TW_OK)
        return status;
    s->z = level->after ? level->after : tw_floats(tw_task_output(task, TW_LAND_OUT));
    s->raised = level->after ? NULL : e->raised;
    if (e->done > 0)
        tw_rising_land_lift(task, s, level->in, level->ground, e->done);
    else if (s->z != level->ground)
        memcpy(s->z, level->ground, (size_t)s->d.cells * sizeof *s->z);
    if (p->border == TW_LAND_LOW)
        tw_outlets_flood_border(s->z, s->d.width, s->d.height, tw_closed_sides(&p->closed), e->low);
    return TW_OK;
}

static enum tw_status finish(struct tw_task *task, const struct erosion *e,
                             struct tw_rising_land *s)
{
    const struct tw_value *mask = tw_task_input(task, TW_LAND_MASK);
    tw_masked_apply(task, e->kept, mask, NULL, NULL);
    if (s->raised)
        tw_strength_apply(task, e->kept, s->raised, mask, s->raised);
    enum tw_status status = tw_task_wants(task, TW_LAND_FLOW) ? write_flow(task, s) : TW_OK;
    return status == TW_OK ? tw_land_store_ledger(task, s->raised, s->z, e->before) : status;
}

static enum tw_status erode(struct tw_task *task, const struct tw_level *level, void *context)
{
    struct erosion *e = context;
    struct tw_rising_land *s = tw_task_scratch(task, 1, sizeof *s);
    int32_t steps = tw_level_steps(level, e->p->steps);
    if (!s)
        return tw_task_no_memory(task);
    enum tw_status status = prepare(task, e, level, s);
    if (status == TW_OK)
        status = tw_rising_land_run(task, s, steps);
    if (status != TW_OK)
        return status;
    e->done += steps;
    if (!level->after)
        return finish(task, e, s);
    tw_rising_land_sink(task, s, e->done);
    return TW_OK;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const float *in = tw_floats(tw_task_input(task, TW_LAND_IN));
    size_t cells = tw_value_count(tw_task_output(task, TW_LAND_OUT));
    const float *hardness = tw_optional_cells(task, TW_LAND_HARDNESS);
    struct erosion e = {.p = p,
                        .wrap = tw_land_wraps(task, p->border),
                        .in = in,
                        .kept = tw_masked_before(task, tw_task_input(task, TW_LAND_MASK)),
                        .width = tw_task_width(task),
                        .height = tw_task_height(task),
                        .low = p->border == TW_LAND_LOW ? tw_land_lowest(in, cells) : 0};
    uint8_t *outlet = tw_task_scratch(task, cells, sizeof *outlet);
    if (!e.kept || !outlet ||
        !tw_mass_balance_lay_out(&(struct tw_scratch){.task = task}, false, TW_LAND_ERODED,
                                 &e.raised))
        return tw_task_no_memory(task);
    e.outlet = outlet;
    enum tw_status status = tw_land_find_outlets(task, p->border, &p->closed, in,
                                                 tw_task_input(task, TW_LAND_OUTLETS), outlet);
    if (status != TW_OK)
        return status;
    e.before = tw_task_wants(task, TW_LAND_LEDGER) ? tw_mass_balance_sum(task, in) : 0;
    if (e.raised)
        memcpy(e.raised, in, cells * sizeof *in);
    const struct tw_levels levels = {
        .levels = p->levels,
        .wraps = e.wrap,
        .in = in,
        .maps =
            {[LEVEL_HARDNESS] = hardness, [LEVEL_UPLIFT] = tw_optional_cells(task, TW_LAND_UPLIFT)},
        .hardness = hardness,
        .erode = erode,
        .context = &e};
    return tw_levels_run(task, &levels);
}

static void forecast_level(struct tw_forecast *f, bool finest)
{
    tw_rising_land_forecast(f);
    tw_forecast_scratch(f, 1, sizeof(struct tw_rising_land));
    if (finest)
        tw_mass_balance_forecast(f);
    else
        tw_forecast_maps(f, 1, sizeof(uint8_t)); /* outlets */
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    const struct tw_levels_need need = {.levels = p->levels,
                                        .maps = (f->inputs[TW_LAND_HARDNESS] > 0) +
                                                (f->inputs[TW_LAND_UPLIFT] > 0),
                                        .wraps = tw_land_forecast_wraps(f, p->border),
                                        .work = forecast_level};
    float *raised;
    tw_masked_forecast(f, TW_LAND_MASK);
    tw_forecast_maps(f, 1, sizeof(uint8_t)); /* outlets */
    tw_mass_balance_lay_out(&(struct tw_scratch){.forecast = f}, false, TW_LAND_ERODED, &raised);
    tw_levels_forecast(f, &need);
}

extern const struct tw_node_type tw_node_erosion_stream_power;
const struct tw_node_type tw_node_erosion_stream_power = {
    .name = "erosion.stream_power",
    .version = 5,
    .summary = "rivers cut a rising land into ridges and branching valleys",
    .keywords = "mountains, mountain range, ridges, valleys, rivers, fluvial, uplift, tectonics, "
                "incision, drainage, canyon",
    .elsewhere = "Mountain (Gaea), HydraulicStream (Hesiod)",
    .detail =
        "Makes whole mountain ranges: land rises while rivers cut it, until ridges and branching "
        "valleys that all drain cover the map. It starts from almost nothing: a noise and an "
        "uplift mask.\n"
        "Choose erosion.droplets for detail on a terrain that exists, and erosion.pipes for "
        "lakes and flat valley floors. erosion.thermal or erosion.creep after this node bring "
        "slopes to rest and round crests.\n"
        "A cell of height z follows the stream power law with hillslope creep, U being the "
        "uplift, A the upstream area and S the slope along the flow:\n"
        "    dz/dt = U - K A^m S^n + D lap z.\n"
        "Flow: water runs straight downhill at any angle (D-infinity, after priority-flood). Its "
        "line meets the side between two neighbours at a distance L, at a point that is r high; "
        "the two share the water by how near they are to that point.\n"
        "A is taken over 5 x 5 cells with binomial weights, as what passes through a width of "
        "8/3 cells. So the flow prefers no angle, and rivers have floors a few cells wide.\n"
        "A step goes through the cells from the outlets up. With z the height after uplift, and "
        "z' and r' the heights after the step, it solves:\n"
        "    f = K dt A^m / L^n;\n"
        "    z' - r' + f (z' - r')^n = z - r'.\n"
        "For n = 1 that is:\n"
        "    z' = r' + (z - r') / (1 + f).\n"
        "z' - r' is at most talus L. Any dt is stable.\n"
        "Creep: each step ends with one implicit step along rows and one along columns. At a "
        "border that is land, creep fades to nothing over 0.85 (D / K)^(1/2), so that crests go "
        "on up to the border. Cells with an A of `channel` or more do not keep what creeps into "
        "them.\n"
        "Scale: L is in map sides, A in map sides squared and z in heights, so the parameters do "
        "not depend on the resolution. The form does a little: smaller cells show finer rivers "
        "and their steep heads, and the mean height grows by 15 to 20 % with each doubling of "
        "the cells a side.\n"
        "Time: the land is near its steady state after about 6 / K. For n = 1 and m = 0.5 its "
        "relief is then 6 to 12 times U / K, and hillsides are about (D / K)^(1/2) long. Talus "
        "limits slopes along the flow alone: while divides still move, up to about twice that "
        "time, walls several times as steep may rise on them, which erosion.thermal takes away.\n"
        "Published K and D become, for a map side of s metres, heights in units of h metres and "
        "time in units of t years:\n"
        "    K h^(1 - n) s^(n - 2 m) / t;\n"
        "    D s^2 / t.\n" TW_LAND_OUTLETS_DETAIL
        "Mass: rivers deposit nothing. What they take leaves the map and counts as `exported` in "
        "the ledger:\n"
        "    sum(out) = sum(in) + raised - exported = sum(in) + raised - eroded + deposited.\n"
        "hardness H: in each step rivers, talus and creep lower a cell by (1 - H) of what they "
        "would, and the ground above follows from the height that this leaves. Creep still "
        "brings what soft ground would give, so `exported` "
        "is what left less that surplus." TW_MASKED_DETAIL
        " The ground without erosion, in + mask uplift, is masked alike. The flow, the maps and "
        "the ledger describe `out`." TW_LEVELS_DETAIL,
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
