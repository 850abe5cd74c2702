/* SPDX-License-Identifier: MIT */
#include "common/rising_land/rising_land.h"

#include "common/drainage/outlets.h"
#include "common/ground_maps.h"

#include <thalweg/kernel.h>
#include <thalweg/masks.h>

#include <float.h>
#include <math.h>
#include <string.h>

enum { GRAIN = 16, FADE_MOST = 16 }; /* FADE_MOST: such fades a side, at least */

/* ---- a step ---- */

static void uplift_rows(void *context, int32_t begin, int32_t end)
{
    const struct tw_rising_land *s = context;
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
    const struct tw_rising_land *s = context;
    size_t w = (size_t)s->d.width, first = (size_t)begin * w;
    memcpy(s->bed + first, s->z + first, ((size_t)end * w - first) * sizeof *s->z);
}

/* What creeps into a river leaves with it, so that a river's slope does not depend on how narrow
 * its cells are. */
static void clear_rows(void *context, int32_t begin, int32_t end)
{
    const struct tw_rising_land *s = context;
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

static void creep(struct tw_task *task, struct tw_rising_land *s)
{
    tw_rows(task, s->d.height, GRAIN, save_rows, s);
    tw_adi_diffusion_step(task, &s->creep, s->z);
    tw_rows(task, s->d.height, GRAIN, clear_rows, s);
}

struct ground {
    const float *z;
    size_t width;
    int infinite; /* set where a height is not finite */
};

static void find_infinite_rows(void *context, int32_t begin, int32_t end)
{
    struct ground *g = context;
    int infinite = 0;
    for (size_t i = (size_t)begin * g->width; i < (size_t)end * g->width; i++)
        infinite |= !(fabsf(g->z[i]) <= FLT_MAX);
    if (infinite)
        __atomic_store_n(&g->infinite, 1, __ATOMIC_RELAXED);
}

/* Water runs in circles on ground that is not finite, where comparisons fail. */
enum tw_status tw_rising_land_route(struct tw_task *task, struct tw_rising_land *s)
{
    struct ground ground = {s->z, (size_t)s->d.width, 0};
    tw_rows(task, s->d.height, GRAIN, find_infinite_rows, &ground);
    if (ground.infinite)
        return tw_task_fail(task, "the ground is not finite any more: smaller heights or a smaller "
                                  "uplift_rate keep it so");
    return tw_flow_lines_route(task, &s->lines, &s->d, s->z, s->area);
}

enum tw_status tw_rising_land_run(struct tw_task *task, struct tw_rising_land *s, int32_t steps)
{
    for (int32_t i = 0; i < steps; i++) {
        tw_rows(task, s->d.height, GRAIN, uplift_rows, s);
        enum tw_status status = tw_rising_land_route(task, s);
        if (status != TW_OK)
            return status;
        tw_incision_widen(task, &s->incision, &s->lines, s->area);
        tw_incision_step(task, &s->incision, &s->lines, s->area, s->z);
        if (s->creeps)
            creep(task, s);
        tw_task_progress(task, (double)(i + 1) / steps);
    }
    return TW_OK;
}

/* ---- many steps of uplift at once ---- */

struct lifting {
    struct tw_rising_land *s;
    const float *in, *ground;
    float rise;
};

static float rise_of(const struct lifting *l, size_t i)
{
    return l->s->uplift ? l->rise * l->s->uplift[i] : l->rise;
}

static void lift_rows(void *context, int32_t begin, int32_t end)
{
    const struct lifting *l = context;
    const struct tw_rising_land *s = l->s;
    size_t w = (size_t)s->d.width;
    for (size_t i = (size_t)begin * w; i < (size_t)end * w; i++) {
        float rise = rise_of(l, i);
        s->z[i] = s->outlet[i] ? l->in[i] : l->ground[i] + rise;
        if (s->raised)
            s->raised[i] += s->outlet[i] ? 0 : rise;
    }
}

void tw_rising_land_lift(struct tw_task *task, struct tw_rising_land *s, const float *in,
                         const float *ground, int32_t steps)
{
    struct lifting l = {s, in, ground, s->rise * (float)steps};
    tw_rows(task, s->d.height, GRAIN, lift_rows, &l);
}

static void sink_rows(void *context, int32_t begin, int32_t end)
{
    const struct lifting *l = context;
    size_t w = (size_t)l->s->d.width;
    for (size_t i = (size_t)begin * w; i < (size_t)end * w; i++)
        l->s->z[i] -= rise_of(l, i);
}

void tw_rising_land_sink(struct tw_task *task, struct tw_rising_land *s, int32_t steps)
{
    struct lifting l = {s, NULL, NULL, s->rise * (float)steps};
    tw_rows(task, s->d.height, GRAIN, sink_rows, &l);
}

/* ---- before the first ---- */

static void set_rates(struct tw_rising_land *s, const struct tw_rising_land_laws *laws)
{
    s->rise = laws->uplift_rate * laws->dt;
    s->channel = laws->channel * (float)s->d.cells + 1;
    tw_incision_init(&s->incision, (double)laws->K * (double)laws->dt, (double)laws->m,
                     (double)laws->n, (double)laws->talus, s->d.width);
    s->incision.wrap = laws->wrap;
    s->incision.mirrors = laws->ends == TW_ADI_CLOSED;
    s->incision.hardness = laws->hardness;
}

/* In cells, 0.85 of a hillside's length, (D / K)^(1/2): over that, crests would end level. A wider
 * fade makes the land steeper at its border than it is behind. */
static double creep_fade(const struct tw_rising_land_laws *laws, double side)
{
    const double most = side / FADE_MOST;
    double wide =
        laws->K > 0 ? 0.85 * sqrt((double)laws->diffusion / (double)laws->K) * side : most;
    return wide < most ? wide : most;
}

enum tw_status tw_rising_land_init(struct tw_task *task, struct tw_rising_land *s,
                                   const struct tw_rising_land_laws *laws)
{
    *s = (struct tw_rising_land){.uplift = laws->uplift, .outlet = laws->outlet};
    enum tw_status status = tw_drainage_init(task, &s->d);
    if (status != TW_OK)
        return status;
    s->area = tw_task_scratch(task, (size_t)s->d.cells, sizeof *s->area);
    s->bed = tw_task_scratch(task, (size_t)s->d.cells, sizeof *s->bed);
    if (!s->area || !s->bed)
        return tw_task_no_memory(task);
    set_rates(s, laws);
    status = tw_drainage_open(task, laws->outlet, laws->wrap, &s->d);
    if (status == TW_OK)
        status = tw_flow_lines_init(task, &s->lines, &s->d);
    if (status != TW_OK)
        return status;
    double side = (double)s->d.width, dt = (double)laws->dt;
    float spread = (float)((double)laws->diffusion * dt * side * side);
    s->creeps = spread > 0;
    return tw_adi_diffusion_init(task, &s->creep, spread, laws->ends, creep_fade(laws, side));
}

void tw_rising_land_forecast(struct tw_forecast *f)
{
    struct tw_rising_land s;
    tw_flow_lines_lay_out(&(struct tw_scratch){.forecast = f}, &s.lines);
    tw_drainage_forecast(f);
    tw_drainage_open_forecast(f);
    tw_forecast_maps(f, 1, sizeof *s.area + sizeof *s.bed);
    tw_adi_diffusion_forecast(f);
}
