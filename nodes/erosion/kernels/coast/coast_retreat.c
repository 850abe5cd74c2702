/* SPDX-License-Identifier: MIT */
/* How far the sea comes: a front that starts at the shore and is as fast as waves, rock and the
 * height of the land allow. */
#include "common/ground_maps.h"
#include "common/sides.h"
#include "erosion/kernels/coast/coast.h"
#include "erosion/kernels/coast/fetch.h"

#include <thalweg/kernel.h>

#include <string.h>

/* ---- the sea ---- */

static int32_t flood(struct tw_coast *c, int32_t count)
{
    int32_t *queue = c->march.heap;
    for (int32_t at = 0; at < count; at++)
        for (int k = 0; k < 4; k++) {
            const int32_t next = tw_fast_marching_neighbour(&c->march, queue[at], k);
            if (next < 0 || c->kind[next] == TW_COAST_SEA || c->in[next] >= c->level)
                continue;
            c->kind[next] = TW_COAST_SEA;
            queue[count++] = next;
        }
    return count;
}

int32_t tw_coast_find_sea(struct tw_coast *c)
{
    const struct tw_fast_marching *m = &c->march;
    int32_t count = 0;
    memset(c->kind, TW_COAST_LAND, (size_t)c->cells);
    for (int32_t i = 0; !m->wrap && i < c->cells; i++) {
        const int32_t x = i % m->width, y = i / m->width;
        if ((x > 0 && y > 0 && x < m->width - 1 && y < m->height - 1) || c->in[i] >= c->level)
            continue;
        c->kind[i] = TW_COAST_SEA;
        m->heap[count++] = i;
    }
    if (count > 0)
        return flood(c, count);
    for (int32_t i = 0; i < c->cells; i++) {
        c->kind[i] = c->in[i] < c->level ? TW_COAST_SEA : TW_COAST_LAND;
        count += c->kind[i] == TW_COAST_SEA;
    }
    return count;
}

/* ---- fronts ---- */

/* Land above 0, also where it lies below the sea but apart from it. */
static void set_shore(struct tw_coast *c)
{
    for (int32_t i = 0; i < c->cells; i++) {
        const float height = c->in[i] - c->level;
        c->ahead[i] = c->kind[i] == TW_COAST_SEA ? height : tw_max(height, 1e-9f);
    }
}

enum tw_status tw_coast_march(struct tw_coast *c, const float *slowness, double limit, bool carries)
{
    return tw_fast_marching_run(c->task, &c->march,
                                &(struct tw_front){c->ahead, slowness, limit, carries});
}

/* Times in which a cell is taken; all that comes before 1 is. */
static void set_slowness(struct tw_coast *c)
{
    const double retreat = (double)c->p->retreat;
    for (int32_t i = 0; i < c->cells; i++) {
        const double exposure = (double)tw_clamp(c->march.carried[i], 0, 1);
        const double softness = c->hardness ? (double)tw_softness(c->hardness[i]) : 1;
        const double height = (double)tw_max(c->in[i] - c->level, 0);
        const double speed = retreat * tw_pow(exposure, (double)c->p->power) * softness /
                             (1 + height / (double)c->p->tall);
        const double slowness = speed > 0 ? c->cell / speed : INFINITY;
        c->slow[i] = slowness < 1e30 && c->march.time[i] < INFINITY ? (float)slowness : INFINITY;
    }
}

/* Leaves in `ahead` the time that is left until the sea would come, as far as a cell away; the sea
 * itself is INFINITY, since the line between it and land that stays is no cliff. */
static void take(struct tw_coast *c)
{
    for (int32_t i = 0; i < c->cells; i++) {
        const double left = c->march.time[i] - 1;
        if (c->kind[i] == TW_COAST_LAND && left <= 0)
            c->kind[i] = TW_COAST_TAKEN;
        c->ahead[i] = c->kind[i] == TW_COAST_SEA ? INFINITY : (float)(left < 1 ? left : 1);
    }
}

enum tw_status tw_coast_take_land(struct tw_coast *c)
{
    const double reach = tw_sides_in_cells(c->p->retreat, c->march.width);
    const double beach = TW_COAST_WIDTHS * (double)c->p->berm / (double)c->p->beach / c->cell;
    const double limit = (reach > beach ? reach : beach) + 4;
    set_shore(c);
    const struct tw_fetch fetch = {.ahead = c->ahead,
                                   .width = c->march.width,
                                   .height = c->march.height,
                                   .wrap = c->march.wrap,
                                   .azimuth = (double)c->p->azimuth,
                                   .reach = tw_sides_in_cells(c->p->reach, c->march.width)};
    enum tw_status status = tw_fetch_find(c->task, &fetch, c->slow, c->march.carried);
    if (status == TW_OK)
        status = tw_coast_march(c, NULL, limit, true);
    if (status != TW_OK)
        return status;
    set_slowness(c);
    status = tw_coast_march(c, c->slow, 1, false);
    if (status == TW_OK)
        take(c);
    return status;
}
