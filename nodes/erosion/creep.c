/* SPDX-License-Identifier: MIT */
/* Hillslope creep: soil moves downhill with a flux q of the slope S. Linear, q = D S, rounds crests
 * and fills hollows; nonlinear, q = D S / (1 - (S / S_c)^2), Roering, Kirchner, Dietrich 1999, eq.
 * 8, keeps hillsides straight near the critical slope. Deviation: the factor 1 / (1 - (S / S_c)^2)
 * stops growing at 4, where slides would begin, so that the step can stay finite. */
#include "erosion/kernels/ground_maps.h"
#include "erosion/kernels/hillslope_creep.h"
#include "erosion/kernels/masked.h"
#include "erosion/kernels/mass_balance.h"
#include "erosion/kernels/ports.h"
#include "erosion/kernels/stable_limit.h"

#include <thalweg/kernel.h>

#define APRON_WIDE 4 /* in (D time)^(1/2); slopes of closed borders are a tenth lower there */

enum { SUBSTEPS_MAX = 1000000 };

struct params {
    float diffusivity; /* D: sides^2 per time */
    bool nonlinear;
    float critical; /* S_c: height per map side */
    float dt;       /* time */
    int32_t steps, substeps, border;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, diffusivity, 0.0001, 0, 1e6, "sides^2 per time",
                 "how fast soil moves; it smooths shapes narrower than (4 D time)^(1/2)",
                 TW_USUAL(1e-6, 0.001)),
    TW_PARAM_BOOL(struct params, nonlinear, 0, "faster and faster towards the critical slope"),
    TW_PARAM_F32(struct params, critical, 5, 1e-6, 1e6, TW_UNIT_RISE_PER_SIDE,
                 "slope at which nonlinear creep becomes a slide", TW_USUAL(1, 20)),
    TW_PARAM_F32(struct params, dt, 0.01, 0, 1e6, "time", "length of a step", TW_USUAL(0.001, 0.1)),
    TW_PARAM_I32(struct params, steps, 10, 0, 100000, "steps", "steps in time", TW_USUAL(1, 100)),
    TW_PARAM_SUBSTEPS(struct params, substeps),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_END,
};

enum { IN, MASK, HARDNESS };
static const struct tw_port inputs[] = {
    TW_EROSION_IN,
    TW_STRENGTH_PORT,
    TW_HARDNESS_PORT,
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the rounded terrain"},
    TW_EROSION_CHANGES,
    TW_EROSION_LEDGER,
    TW_PORT_END,
};

enum { ERODED = 1 };

/* How many equal substeps a step needs to be stable: D dt J <= cell^2 / 4. */
static enum tw_status divide(struct tw_task *task, struct tw_hillslope_creep *m,
                             const struct params *p, int32_t *substeps)
{
    double cell = 1 / (double)m->width, stiff = tw_hillslope_creep_stiffness(task, m);
    double needed = 4 * (double)p->diffusivity * (double)p->dt * stiff / (cell * cell);
    if (needed > 1 + TW_STABLE_LIMIT_SLACK && p->substeps == TW_SUBSTEPS_ONE)
        return tw_task_fail(task,
                            "a step of dt %g is not stable; at this size and these slopes the "
                            "largest stable one is %.4g (or set substeps: auto)",
                            (double)p->dt, tw_stable_limit_shown((double)p->dt / needed));
    if (needed * (double)p->steps > (double)SUBSTEPS_MAX)
        return tw_task_fail(task,
                            "%d steps of dt %g would take %.3g stable ones of %.3g; at most %d "
                            "are allowed",
                            p->steps, (double)p->dt, needed * (double)p->steps,
                            (double)p->dt / needed, SUBSTEPS_MAX);
    bool divided = needed > 1 && p->substeps == TW_SUBSTEPS_AUTO && p->steps > 0;
    *substeps = divided ? (int32_t)needed + 1 : 1;
    m->rate = (float)((double)p->diffusivity * (double)p->dt / (cell * cell) / *substeps);
    return TW_OK;
}

static void set_apron(struct tw_hillslope_creep *m, const struct params *p)
{
    double creeps = sqrt((double)p->diffusivity * (double)p->dt * (double)p->steps) * m->width;
    int32_t most = m->width < m->height ? m->width : m->height;
    tw_border_apron_set(&m->apron, m->wrap ? 0 : APRON_WIDE * creeps, most);
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    double cell = 1 / (double)tw_task_width(task), critical = (double)p->critical;
    struct tw_hillslope_creep m = {.in = tw_floats(tw_task_input(task, IN)),
                                   .hardness = tw_optional_cells(task, HARDNESS),
                                   .width = tw_task_width(task),
                                   .height = tw_task_height(task),
                                   .nonlinear = p->nonlinear,
                                   .steep = (float)(1 / (critical * critical * cell * cell)),
                                   .wrap = tw_task_wraps(task, p->border)};
    int32_t substeps = 1;
    set_apron(&m, p);
    enum tw_status status = tw_hillslope_creep_init(task, &m);
    if (status == TW_OK)
        status = divide(task, &m, p, &substeps);
    if (status != TW_OK)
        return status;
    for (int32_t i = 0; i < p->steps * substeps; i++) {
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        tw_hillslope_creep_step(task, &m);
        tw_task_progress(task, (double)(i + 1) / ((double)p->steps * substeps));
    }
    return tw_mass_balance_finish(task, tw_hillslope_creep_row(&m, 0), m.stride,
                                  tw_task_input(task, MASK), ERODED);
}

static void forecast(struct tw_forecast *f)
{
    struct tw_hillslope_creep m;
    tw_hillslope_creep_lay_out(&(struct tw_scratch){.forecast = f}, &m, f->inputs[HARDNESS] > 0);
    tw_mass_balance_forecast(f);
}

extern const struct tw_node_type tw_node_erosion_creep;
const struct tw_node_type tw_node_erosion_creep = {
    .name = "erosion.creep",
    .version = 3,
    .summary = "soil creep that rounds crests and fills hollows",
    .keywords = "diffusion, soil, smoothing, rounding, weathering, old hills",
    .elsewhere = "HeightField Slump (Houdini)",
    .detail =
        "Rounds crests and fills hollows, as soil does that creeps downhill. Use it as the last "
        "step of a chain, or for soft, old hills. Choose erosion.thermal to cut slopes down to "
        "an angle of rest, and shape.blur for smoothing that need not keep the ground's volume.\n"
        "Height changes by the divergence of the flux q:\n"
        "    dz/dt = -div q.\n"
        "Linear creep, with the diffusivity D, rounds everything:\n"
        "    q = -D grad z.\n"
        "Nonlinear creep keeps hillsides straight near the critical slope S_c:\n"
        "    q = -D grad z / (1 - (S / S_c)^2).\n"
        "Its factor is at most 4, so ground that is steeper moves 4 times as fast as linear "
        "creep would move it.\n"
        "Steps are explicit in time. A step is stable up to cell^2 / (4 D J), with J = 1 for "
        "linear creep and at most 28 for nonlinear creep near S_c. substeps: auto divides dt by "
        "as much as that needs; substeps: one fails there and names the largest stable dt.\n"
        "D is in map sides squared per time and S in height per map side. So results do not "
        "depend on the resolution, but a doubling of the cells a side takes 4 times the "
        "substeps.\n"
        "Border: wrap goes on at the other side. At a closed border, what creeps towards it is "
        "spread over the last 4 (D time)^(1/2) sides before it, so that slopes do not end in a "
        "level lip. Both keep the sum of heights, so `eroded` and `deposited` in the ledger are "
        "equal but for rounding.\n"
        "hardness H: of the flux between two cells the "
        "higher one gives (1 - H)." TW_MASKED_LEDGER_DETAIL,
    .cite = "roering1999 culling1963",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "rounded: {type: erosion.creep, in: noise, nonlinear: true, critical: 4}",
    .bordered = true,
    .in_place = true,
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
