/* SPDX-License-Identifier: MIT */
#include "shape/kernels/valley_floors.h"

#include "common/drainage/outlets.h"

#include <thalweg/scratch.h>

#include <float.h>
#include <math.h>

enum { POLLED = 1 << 16 };

/* What comes down to a cell. */
struct load {
    double sediment;
    float cells;  /* upstream, itself included */
    float lowest; /* of its donors; FLT_MAX without any */
};

struct course {
    const struct tw_valley_floors *f;
    struct tw_drainage d;
    struct load *loads;
};

static bool lay_out(struct tw_scratch *s, struct course *c)
{
    c->loads = tw_scratch_maps(s, 1, sizeof *c->loads);
    return tw_scratch_is_laid(s);
}

static enum tw_status route(struct tw_task *task, struct course *c, const float *z)
{
    enum tw_status status = tw_drainage_init_world(task, &c->d, z, &c->f->exits);
    if (status == TW_OK)
        status = tw_drainage_route(task, &c->d, z);
    if (status == TW_OK && !lay_out(&(struct tw_scratch){.task = task}, c))
        status = tw_task_no_memory(task);
    return status;
}

/* How much settles on a cell that is `drop` above its receiver, `far` cells away. */
static double settles(const struct tw_valley_floors *f, const struct load *load, double z,
                      double drop, double far)
{
    const double slope = drop / far, room = ((double)load->lowest - z) / 2;
    if (!(slope < f->gentle) || !(room > 0) || load->cells <= 1)
        return 0;
    const double level = slope > 0 ? 1 - slope / f->gentle : 1;
    const double wanted = f->deposited * level * load->sediment / (double)load->cells;
    return wanted < room ? wanted : room;
}

/* Lays sediment on the cell, whose donors are done, and hands on what is left and its water. */
static void pass_on(struct course *c, int32_t cell, float *z)
{
    struct load *own = c->loads + cell;
    const int k = c->d.to[cell];
    if (k == TW_OUTLET)
        return;
    const int32_t next = tw_drainage_neighbour(&c->d, cell, k);
    const bool corner = k == 0 || k == 2 || k == 5 || k == 7;
    struct load *below = c->loads + next;
    if (c->f->eroded) {
        own->sediment += (double)c->f->eroded[cell];
        const double laid = settles(c->f, own, (double)z[cell], (double)(z[cell] - z[next]),
                                    corner ? 1.4142135623730951 : 1);
        z[cell] = (float)((double)z[cell] + laid);
        below->sediment += own->sediment > laid ? own->sediment - laid : 0;
    }
    below->cells += own->cells;
    below->lowest = z[cell] < below->lowest ? z[cell] : below->lowest;
    z[next] = z[cell] < z[next] ? z[cell] : z[next];
}

static enum tw_status run_down(struct tw_task *task, struct course *c, float *z)
{
    for (int32_t i = 0; i < c->d.cells; i++)
        c->loads[i] = (struct load){.cells = 1, .lowest = FLT_MAX};
    for (int32_t i = c->d.cells; i-- > 0;) {
        if (i % POLLED == 0 && tw_task_cancelled(task))
            return TW_CANCELLED;
        pass_on(c, c->d.order[i], z);
    }
    return TW_OK;
}

enum tw_status tw_valley_floors(struct tw_task *task, const struct tw_valley_floors *f, float *z)
{
    struct course c = {.f = f};
    enum tw_status status = route(task, &c, z);
    return status == TW_OK ? run_down(task, &c, z) : status;
}

enum tw_status tw_valley_floors_open(struct tw_task *task, const struct tw_exits *exits, float *z)
{
    const struct tw_valley_floors none = {.exits = *exits};
    struct course c = {.f = &none};
    enum tw_status status = route(task, &c, z);
    if (status != TW_OK)
        return status;
    float *filled = (float *)c.loads; /* not needed yet */
    tw_drainage_fill(task, &c.d, z, filled);
    for (int32_t i = 0; i < c.d.cells; i++)
        z[i] = (float)(((double)z[i] + (double)filled[i]) / 2);
    return run_down(task, &c, z);
}

void tw_valley_floors_forecast(struct tw_forecast *f, bool map)
{
    struct course c;
    tw_drainage_world_forecast(f, map);
    lay_out(&(struct tw_scratch){.forecast = f}, &c);
}
