/* SPDX-License-Identifier: MIT */
/* Hillslope creep: soil moves downhill with a flux q of the slope S. Linear, q = D S, rounds crests
 * and fills hollows; nonlinear, q = D S / (1 - (S / S_c)^2), Roering, Kirchner, Dietrich 1999, eq.
 * 8, keeps hillsides straight near the critical slope. Deviation: the factor 1 / (1 - (S / S_c)^2)
 * stops growing at LIMIT, where slides would begin, so that the step can stay finite. */
#include "common/simd.h"
#include "erosion/kernels/mass_balance.h"
#include "erosion/kernels/stable_limit.h"

#include <thalweg/kernel.h>

#include <string.h>

#define LIMIT 4.0f /* reached at S = 0.866 S_c */

enum { SUBSTEPS_AUTO, SUBSTEPS_ONE, BORDER_WRAP = 0, SUBSTEPS_MAX = 1000000 };

struct params {
    float diffusivity; /* D: sides^2 per time */
    bool nonlinear;
    float critical; /* S_c: height per map side */
    float dt;       /* time */
    int32_t steps, substeps, border;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, diffusivity, 0.0001, 0, 1e6, "sides^2 per time",
                 "how fast soil moves; shapes narrower than (4 D time)^(1/2) go"),
    TW_PARAM_BOOL(struct params, nonlinear, 0, "faster and faster towards the critical slope"),
    TW_PARAM_F32(struct params, critical, 5, 1e-6, 1e6, TW_UNIT_RISE_PER_SIDE,
                 "slope at which nonlinear creep becomes a slide"),
    TW_PARAM_F32(struct params, dt, 0.01, 0, 1e6, "time", "length of a step"),
    TW_PARAM_I32(struct params, steps, 10, 0, 100000, "steps", "steps in time"),
    TW_PARAM_ENUM(struct params, substeps, SUBSTEPS_AUTO, "auto|one",
                  "auto divides a step that is not stable; one makes that an error"),
    TW_PARAM_ENUM(struct params, border, BORDER_WRAP, "wrap|closed",
                  "what soil does at the border; neither loses any"),
    TW_PARAM_END,
};

static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the rounded terrain"},
    {"eroded", TW_HEIGHTMAP, 0, "what cells lost in all"},
    {"deposited", TW_HEIGHTMAP, 0, "what cells gained in all"},
    {"ledger", TW_RECORD, 0, "eroded, deposited: sums over cells, in heights"},
    TW_PORT_END,
};

enum { ERODED = 1 };

/* Both maps have a frame one cell wide that repeats what lies across the border. */
struct model {
    const float *in;
    float *from, *to;
    int32_t width, height;
    size_t stride;
    bool nonlinear, wrap;
    float rate;  /* D dt / cell^2 */
    float steep; /* (1 / (S_c cell))^2: times a drop squared it is (S / S_c)^2 */
    float *row_steepest;
    void (*move)(const struct model *, int32_t);
};

/* 1 / (1 - (S / S_c)^2) for a drop along and across the way the soil goes. */
static TW_INLINE float faster(float steep, float along, float across)
{
    float ratio = 1.0f - steep * (along * along + across * across);
    return 1.0f / (ratio > 1.0f / LIMIT ? ratio : 1.0f / LIMIT);
}

/* Soil that comes to a from b; `side` is the drop across, taken from the cells beside both. The
 * same bits come out when a looks at b and when b looks at a, so none is lost. */
static TW_INLINE float comes(float steep, float a, float b, float side)
{
    return (b - a) * faster(steep, b - a, 0.25f * side);
}

static TW_INLINE void move_body(const struct model *m, int32_t y)
{
    const float *restrict here = m->from + (size_t)(y + 1) * m->stride + 1;
    const float *restrict up = here - m->stride, *restrict down = here + m->stride;
    float *restrict to = m->to + (size_t)(y + 1) * m->stride + 1;
    float rate = m->rate, steep = m->steep;
    ptrdiff_t width = m->width;
    if (!m->nonlinear) {
        for (ptrdiff_t x = 0; x < width; x++)
            to[x] = here[x] + rate * (((up[x] - here[x]) + (down[x] - here[x])) +
                                      ((here[x - 1] - here[x]) + (here[x + 1] - here[x])));
        return;
    }
    for (ptrdiff_t x = 0; x < width; x++) {
        float z = here[x];
        float north = comes(steep, z, up[x], (up[x + 1] + here[x + 1]) - (up[x - 1] + here[x - 1]));
        float south =
            comes(steep, z, down[x], (down[x + 1] + here[x + 1]) - (down[x - 1] + here[x - 1]));
        float west = comes(steep, z, here[x - 1], (down[x - 1] + down[x]) - (up[x - 1] + up[x]));
        float east = comes(steep, z, here[x + 1], (down[x + 1] + down[x]) - (up[x + 1] + up[x]));
        to[x] = z + rate * ((north + south) + (west + east));
    }
}
TW_SIMD_KERNEL(move, (const struct model *m, int32_t y), (m, y))

static void frame_row(const struct model *m, float *map, int32_t y)
{
    float *row = map + (size_t)(y + 1) * m->stride + 1;
    row[-1] = m->wrap ? row[m->width - 1] : row[0];
    row[m->width] = m->wrap ? row[0] : row[m->width - 1];
}

static void move_rows(void *context, int32_t begin, int32_t end)
{
    const struct model *m = context;
    for (int32_t y = begin; y < end; y++) {
        m->move(m, y);
        frame_row(m, m->to, y);
    }
}

/* The frame's rows, once all others are there. */
static void frame_map(const struct model *m, float *map)
{
    size_t bytes = m->stride * sizeof *map;
    float *first = map + m->stride, *last = map + (size_t)m->height * m->stride;
    memcpy(map, m->wrap ? last : first, bytes);
    memcpy(last + m->stride, m->wrap ? first : last, bytes);
}

static void load_rows(void *context, int32_t begin, int32_t end)
{
    const struct model *m = context;
    for (int32_t y = begin; y < end; y++) {
        memcpy(m->from + (size_t)(y + 1) * m->stride + 1, m->in + (size_t)y * (size_t)m->width,
               (size_t)m->width * sizeof *m->to);
        frame_row(m, m->from, y);
    }
}

static void steepest_rows(void *context, int32_t begin, int32_t end)
{
    const struct model *m = context;
    for (int32_t y = begin; y < end; y++) {
        const float *here = m->from + (size_t)(y + 1) * m->stride + 1, *down = here + m->stride;
        float steepest = 0;
        for (int32_t x = 0; x < m->width; x++) {
            float east = here[x + 1] - here[x], south = down[x] - here[x];
            steepest = tw_max(steepest, east * east + south * south);
        }
        m->row_steepest[y] = steepest;
    }
}

/* The largest dq/dS over D: how much less time a stable step has than a linear one. */
static double stiffness(struct tw_task *task, struct model *m)
{
    float steepest = 0;
    if (!m->nonlinear)
        return 1;
    tw_rows(task, m->height, 16, steepest_rows, m);
    for (int32_t y = 0; y < m->height; y++)
        steepest = tw_max(steepest, m->row_steepest[y]);
    double ratio = (double)m->steep * (double)steepest, most = 1 - 1 / (double)LIMIT;
    ratio = ratio < most ? ratio : most;
    return (1 + ratio) / ((1 - ratio) * (1 - ratio));
}

static enum tw_status prepare(struct tw_task *task, struct model *m, const struct params *p)
{
    size_t rows = (size_t)m->height + 2;
    m->to = tw_task_scratch(task, rows * m->stride, sizeof *m->to);
    m->from = tw_task_scratch(task, rows * m->stride, sizeof *m->from);
    m->row_steepest = tw_task_scratch(task, rows, sizeof *m->row_steepest);
    if (!m->to || !m->from || !m->row_steepest)
        return tw_task_no_memory(task);
    tw_rows(task, m->height, 16, load_rows, m);
    frame_map(m, m->from);
    double cell = 1 / (double)m->width;
    m->steep = (float)(1 / ((double)p->critical * (double)p->critical * cell * cell));
    return TW_OK;
}

/* How many equal parts a step needs to be stable: D dt J <= cell^2 / 4. */
static enum tw_status divide(struct tw_task *task, struct model *m, const struct params *p,
                             int32_t *parts)
{
    double cell = 1 / (double)m->width, stiff = stiffness(task, m);
    double needed = 4 * (double)p->diffusivity * (double)p->dt * stiff / (cell * cell);
    if (needed > 1 + TW_STABLE_LIMIT_SLACK && p->substeps == SUBSTEPS_ONE)
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
    bool divided = needed > 1 && p->substeps == SUBSTEPS_AUTO && p->steps > 0;
    *parts = divided ? (int32_t)needed + 1 : 1;
    m->rate = (float)((double)p->diffusivity * (double)p->dt / (cell * cell) / *parts);
    return TW_OK;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    int32_t width = tw_task_width(task), height = tw_task_height(task), parts = 1;
    struct model m = {.width = width, .height = height, .stride = (size_t)width + 2};
    m.in = tw_floats(tw_task_input(task, 0));
    m.nonlinear = p->nonlinear;
    m.wrap = p->border == BORDER_WRAP;
    m.move = move(tw_task_simd(task));
    enum tw_status status = prepare(task, &m, p);
    if (status == TW_OK)
        status = divide(task, &m, p, &parts);
    if (status != TW_OK)
        return status;
    for (int32_t i = 0; i < p->steps * parts; i++) {
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        tw_rows(task, height, 16, move_rows, &m);
        frame_map(&m, m.to);
        float *old = m.from;
        m.from = m.to;
        m.to = old;
        tw_task_progress(task, (double)(i + 1) / ((double)p->steps * parts));
    }
    return tw_mass_balance_finish(task, m.from + m.stride + 1, m.stride, ERODED);
}

extern const struct tw_node_type tw_node_erosion_creep;
const struct tw_node_type tw_node_erosion_creep = {
    .name = "erosion.creep",
    .version = 2,
    .summary = "soil creep that rounds crests and fills hollows",
    .detail =
        "dz/dt = -div q. Linear: q = -D grad z. Nonlinear: q = -D grad z / (1 - (S / S_c)^2), the "
        "factor at most 4, so that steeper ground moves 4 times as fast.\nExplicit in time; a "
        "step is stable up to cell^2 / (4 D J), J = 1 for linear creep and at most 28 for "
        "nonlinear creep near S_c. substeps auto divides dt by as much as that needs; one fails "
        "and names the largest stable dt.\nD is in map sides squared per time and S in height per "
        "map side: results do not depend on the resolution, but a doubling of the cells a side "
        "takes 4 times the substeps.\nBorders wrap or are closed; the sum of heights is kept, so "
        "the ledger's eroded and deposited are equal but for rounding.",
    .cite = "roering1999 culling1963",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "rounded: {type: erosion.creep, in: noise, nonlinear: true, critical: 4}",
    .in_place = true,
    .reach = TW_REACH_ALL,
    .run = run,
};
