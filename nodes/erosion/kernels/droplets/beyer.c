/* SPDX-License-Identifier: MIT */
#include "erosion/kernels/droplets/beyer.h"

#include "common/drainage/exits.h"
#include "erosion/kernels/droplets/brush.h"
#include "erosion/kernels/droplets/droplet_rounds.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

#include <math.h>
#include <string.h>

enum { LANES = 8 };

struct drop {
    struct tw_droplet base;
    float x, y, dx, dy; /* place in cells, direction */
    float speed, water, sediment;
    int32_t steps;
};

struct rain {
    struct tw_beyer model;
    int32_t width, height;
    uint64_t seed;
    enum tw_simd simd;
    float west, north, east, south; /* places that no droplet passes: walls, or infinity */
    struct tw_brush brush;
};

/* Droplets side by side. A lane without one rests where its last one was, or on another's cell: on
 * ground that belongs to this thread. */
struct lanes {
    float x[LANES], y[LANES], dx[LANES], dy[LANES];
    float speed[LANES], water[LANES], sediment[LANES];
    int32_t steps[LANES];
    int32_t left[LANES], top[LANES], right[LANES], bottom[LANES]; /* where it may go */
    struct drop *drop[LANES];
    struct tw_droplet_tile tile[LANES];
};

/* The four cells around each droplet, and where it is between them. */
struct bilinear_cells {
    int32_t column[LANES], row[LANES], cell[LANES];
    float u[LANES], v[LANES], nw[LANES], ne[LANES], sw[LANES], se[LANES];
};

/* What a droplet does in a step: it rests or leaves the map; else it deposits or erodes. It stops
 * when its next step is not this lane's. */
struct actions {
    int32_t rests[LANES], leaves[LANES], deposits[LANES], erodes[LANES], stops[LANES];
    float amount[LANES]; /* deposited on the four cells, or eroded with the brush */
    float floor[LANES];  /* height where the step ends: erosion does not go deeper */
};

/* The loads are a loop of their own so that they are gathered into vectors: a vector load stalls on
 * single stores just before it. */
static TW_INLINE void locate(const struct rain *rain, const float *restrict x,
                             const float *restrict y, struct bilinear_cells *restrict s)
{
    const float *restrict upper = rain->model.cells, *restrict lower = upper + rain->width;
    const int32_t stride = rain->width;
#pragma GCC unroll 1
    for (int l = 0; l < LANES; l++) {
        int32_t column = (int32_t)x[l], row = (int32_t)y[l];
        s->column[l] = column;
        s->row[l] = row;
        s->cell[l] = row * stride + column;
        s->u[l] = x[l] - (float)column;
        s->v[l] = y[l] - (float)row;
    }
#pragma GCC unroll 1
    for (int l = 0; l < LANES; l++) {
        s->nw[l] = upper[s->cell[l]];
        s->ne[l] = upper[s->cell[l] + 1];
        s->sw[l] = lower[s->cell[l]];
        s->se[l] = lower[s->cell[l] + 1];
    }
}

static TW_INLINE float height_of(const struct bilinear_cells *s, int l)
{
    float upper = s->nw[l] * (1.0f - s->u[l]) + s->ne[l] * s->u[l];
    float lower = s->sw[l] * (1.0f - s->u[l]) + s->se[l] * s->u[l];
    return upper * (1.0f - s->v[l]) + lower * s->v[l];
}

/* New direction, Beyer's dir = dir inertia - g (1 - inertia), of length 1. On level ground, and at
 * the end of its life, a droplet rests. */
static TW_INLINE void steer(const struct rain *rain, struct lanes *t,
                            const struct bilinear_cells *s, struct actions *d)
{
    const float keep = rain->model.inertia, turn = (1.0f - keep) * rain->model.side;
    const int32_t lifetime = rain->model.lifetime;
#pragma GCC unroll 1
    for (int l = 0; l < LANES; l++) {
        float gx = (s->ne[l] - s->nw[l]) * (1.0f - s->v[l]) + (s->se[l] - s->sw[l]) * s->v[l];
        float gy = (s->sw[l] - s->nw[l]) * (1.0f - s->u[l]) + (s->se[l] - s->ne[l]) * s->u[l];
        float dx = t->dx[l] * keep - gx * turn, dy = t->dy[l] * keep - gy * turn;
        float length = sqrtf(dx * dx + dy * dy);
        int32_t level = !(length > 1e-12f);
        d->rests[l] = level | (t->steps[l] == lifetime);
        length = level ? 1.0f : length;
        t->dx[l] = dx / length;
        t->dy[l] = dy / length;
        t->steps[l] += !d->rests[l];
    }
}

/* Finds where the step ends; droplets that rest or leave the map stay where they are. */
static TW_INLINE void advance(const struct rain *rain, const struct lanes *t, struct actions *d,
                              float *restrict x, float *restrict y)
{
    const float right = (float)(rain->width - 1), bottom = (float)(rain->height - 1);
#pragma GCC unroll 1
    for (int l = 0; l < LANES; l++) {
        float nx = tw_min(tw_max(t->x[l] + t->dx[l], rain->west), rain->east);
        float ny = tw_min(tw_max(t->y[l] + t->dy[l], rain->north), rain->south);
        int32_t inside = (nx >= 0) & (ny >= 0) & (nx < right) & (ny < bottom);
        d->leaves[l] = !inside & !d->rests[l];
        int32_t goes = inside & !d->rests[l];
        x[l] = goes ? nx : t->x[l];
        y[l] = goes ? ny : t->y[l];
    }
}

/* Uphill the hole behind is filled; a surplus of sediment is deposited in part; else ground is
 * eroded, which adds to the sediment as much as the brush finds. */
static TW_INLINE void exchange(const struct rain *rain, struct lanes *t,
                               const struct bilinear_cells *here,
                               const struct bilinear_cells *there, struct actions *d)
{
    const struct tw_beyer m = rain->model;
#pragma GCC unroll 1
    for (int l = 0; l < LANES; l++) {
        float floor = height_of(there, l), fall = height_of(here, l) - floor;
        float slope = tw_max(fall, m.min_slope), sediment = t->sediment[l];
        float capacity = slope * t->speed[l] * t->water[l] * m.capacity;
        float filled = tw_min(-fall, sediment);
        float settled = (sediment - capacity) * m.deposition;
        float taken = tw_min((capacity - sediment) * m.erosion, fall);
        int32_t uphill = fall < 0, deposits = uphill | (sediment > capacity);
        float put = uphill ? filled : settled;
        int32_t goes = !(d->rests[l] | d->leaves[l]);
        d->deposits[l] = goes & deposits;
        d->erodes[l] = goes & !deposits;
        d->amount[l] = deposits ? put : taken;
        d->floor[l] = floor;
        t->sediment[l] = d->deposits[l] ? sediment - put : sediment;
        float square = tw_max(t->speed[l] * t->speed[l] + fall * m.gravity, 0);
        t->speed[l] = sqrtf(square);
        t->water[l] *= 1.0f - m.evaporation;
    }
}

/* Which lanes are free for another droplet after this step. */
static TW_INLINE void find_stops(const struct lanes *t, const struct bilinear_cells *there,
                                 struct actions *d)
{
#pragma GCC unroll 1
    for (int l = 0; l < LANES; l++) {
        int32_t inside = (there->column[l] >= t->left[l]) & (there->column[l] < t->right[l]) &
                         (there->row[l] >= t->top[l]) & (there->row[l] < t->bottom[l]);
        d->stops[l] = d->rests[l] | d->leaves[l] | !inside;
    }
}

static TW_INLINE void deposit_two(const struct rain *rain, size_t cell, const float amount[2])
{
    float *restrict ground = rain->model.cells + cell;
    for (int k = 0; k < 2; k++)
        ground[k] += amount[k];
    for (int k = 0; rain->model.deposited && k < 2; k++)
        rain->model.deposited[cell + (size_t)k] += amount[k];
}

static TW_INLINE void deposit(const struct rain *rain, const struct bilinear_cells *s, int l,
                              float amount)
{
    const float across[2] = {amount * (1.0f - s->u[l]), amount * s->u[l]};
    float upper[2], lower[2];
    for (int k = 0; k < 2; k++) {
        upper[k] = across[k] * (1.0f - s->v[l]);
        lower[k] = across[k] * s->v[l];
    }
    deposit_two(rain, (size_t)s->cell[l], upper);
    deposit_two(rain, (size_t)s->cell[l] + (size_t)rain->width, lower);
}

static TW_INLINE void erode(const struct rain *rain, struct lanes *t,
                            const struct bilinear_cells *s, const struct actions *d, int l)
{
    int32_t x = s->column[l] + (s->u[l] >= 0.5f), y = s->row[l] + (s->v[l] >= 0.5f);
    if (rain->model.hardness)
        t->sediment[l] += tw_brush_dig_hard(&rain->brush, rain->model.cells, rain->model.hardness,
                                            x, y, d->amount[l], d->floor[l]);
    else
        t->sediment[l] +=
            tw_brush_dig(&rain->brush, rain->model.cells, x, y, d->amount[l], d->floor[l]);
}

/* Where a droplet rests it deposits what it carries; beyond the border that is exported. */
static void end(const struct rain *rain, const struct lanes *t, const struct bilinear_cells *s,
                const struct actions *d, int l)
{
    const struct tw_beyer *m = &rain->model;
    float sediment = t->sediment[l];
    if (d->rests[l]) {
        int32_t x = s->column[l] + (s->u[l] >= 0.5f), y = s->row[l] + (s->v[l] >= 0.5f);
        tw_brush_paint(&rain->brush, m->cells, x, y, sediment);
        if (m->deposited)
            tw_brush_paint(&rain->brush, m->deposited, x, y, sediment);
    } else if (m->exported) {
        m->exported[s->cell[l]] += sediment;
    }
    t->drop[l]->base.done = true;
}

/* An empty lane has reached its lifetime, so it rests. */
static void clear_lane(const struct rain *rain, struct lanes *t, int l)
{
    t->drop[l] = NULL;
    t->dx[l] = t->dy[l] = t->speed[l] = t->water[l] = t->sediment[l] = 0;
    t->steps[l] = rain->model.lifetime;
}

static void set_lane(struct lanes *t, int l, struct drop *drop)
{
    const struct tw_droplet_area area = tw_droplet_area_of(&t->tile[l], &drop->base);
    t->drop[l] = drop;
    t->x[l] = drop->x;
    t->y[l] = drop->y;
    t->dx[l] = drop->dx;
    t->dy[l] = drop->dy;
    t->speed[l] = drop->speed;
    t->water[l] = drop->water;
    t->sediment[l] = drop->sediment;
    t->steps[l] = drop->steps;
    t->left[l] = area.left;
    t->top[l] = area.top;
    t->right[l] = area.right;
    t->bottom[l] = area.bottom;
}

/* Gives a lane its tile's next drop, or the first one of a new tile; false if none is left. */
static bool fill_lane(const struct rain *rain, struct tw_droplet_tiles *tiles, struct lanes *t,
                      int l)
{
    struct drop *drop = tw_droplet_next(&t->tile[l], 1);
    while (!drop && tw_droplet_next_tile(tiles, &t->tile[l]))
        drop = tw_droplet_next(&t->tile[l], 1);
    if (drop)
        set_lane(t, l, drop);
    else
        clear_lane(rain, t, l);
    return drop;
}

static void park(const struct lanes *t, int l)
{
    struct drop *drop = t->drop[l];
    drop->base.x = (int32_t)t->x[l];
    drop->base.y = (int32_t)t->y[l];
    drop->x = t->x[l];
    drop->y = t->y[l];
    drop->dx = t->dx[l];
    drop->dy = t->dy[l];
    drop->speed = t->speed[l];
    drop->water = t->water[l];
    drop->sediment = t->sediment[l];
    drop->steps = t->steps[l];
}

/* Prefetches what the step writes, since droplets start anywhere in their tiles. */
static TW_INLINE void fetch(const struct rain *rain, const struct bilinear_cells *s)
{
    for (int l = 0; l < LANES; l++) {
        if (rain->model.flow)
            __builtin_prefetch(rain->model.flow + s->cell[l], 1);
        if (rain->model.deposited)
            __builtin_prefetch(rain->model.deposited + s->cell[l], 1);
    }
}

/* Bit l is set where lane l's word is not 0. */
static TW_INLINE unsigned mask_of(const int32_t *words)
{
    unsigned mask = 0;
    for (int l = 0; l < LANES; l++)
        mask |= (unsigned)(words[l] & 1) << l;
    return mask;
}

/* One step of all lanes; `busy` has a bit for each lane with a droplet, the result has it
 * afterwards. The ground changes action by action: lanes never touch the same cells, and the
 * branches of a loop over lanes that do the same are predicted well. */
static TW_INLINE unsigned step(const struct rain *rain, struct tw_droplet_tiles *tiles,
                               struct lanes *t, unsigned busy)
{
    struct bilinear_cells here, there;
    struct actions actions;
    float x[LANES], y[LANES], water[LANES];
    memcpy(water, t->water, sizeof water);
    locate(rain, t->x, t->y, &here);
    steer(rain, t, &here, &actions);
    advance(rain, t, &actions, x, y);
    locate(rain, x, y, &there);
    fetch(rain, &there);
    exchange(rain, t, &here, &there, &actions);
    find_stops(t, &there, &actions);
    memcpy(t->x, x, sizeof x);
    memcpy(t->y, y, sizeof y);
    for (int l = 0; rain->model.flow && l < LANES; l++)
        rain->model.flow[here.cell[l]] += actions.rests[l] ? 0 : water[l];
    for (unsigned left = mask_of(actions.erodes); left; left &= left - 1)
        erode(rain, t, &here, &actions, __builtin_ctz(left));
    for (unsigned left = mask_of(actions.deposits); left; left &= left - 1)
        deposit(rain, &here, __builtin_ctz(left), actions.amount[__builtin_ctz(left)]);
    for (unsigned left = mask_of(actions.stops) & busy; left; left &= left - 1) {
        int l = __builtin_ctz(left);
        if (actions.rests[l] | actions.leaves[l])
            end(rain, t, &here, &actions, l);
        else
            park(t, l);
        if (!fill_lane(rain, tiles, t, l))
            busy &= ~(1u << l);
    }
    return busy;
}

static TW_INLINE void run_lanes_body(const struct rain *rain, struct tw_droplet_tiles *tiles,
                                     struct lanes *lanes, unsigned busy)
{
    while (busy)
        busy = step(rain, tiles, lanes, busy);
}
TW_SIMD_KERNEL(run_lanes,
               (const struct rain *rain, struct tw_droplet_tiles *tiles, struct lanes *lanes,
                unsigned busy),
               (rain, tiles, lanes, busy))

static void run_tiles(void *context, struct tw_droplet_tiles *tiles)
{
    const struct rain *rain = context;
    struct lanes lanes = {.x = {0}};
    unsigned busy = 0;
    for (int l = 0; l < LANES; l++) {
        if (fill_lane(rain, tiles, &lanes, l)) {
            busy |= 1u << l;
        } else {
            lanes.x[l] = lanes.x[0];
            lanes.y[l] = lanes.y[0];
        }
    }
    run_lanes(rain->simd)(rain, tiles, &lanes, busy);
}

static void start(void *context, void *at)
{
    const struct rain *rain = context;
    struct drop *drop = at;
    struct tw_random4 r = tw_random(rain->seed, drop->base.index, 0, rain->model.stream, 0);
    drop->base.x = (int32_t)((uint64_t)r.at[0] * (uint64_t)(rain->width - 1) >> 32);
    drop->base.y = (int32_t)((uint64_t)r.at[1] * (uint64_t)(rain->height - 1) >> 32);
    drop->x = (float)drop->base.x + 0.99f * tw_uniform(r.at[2]);
    drop->y = (float)drop->base.y + 0.99f * tw_uniform(r.at[3]);
    const float *rain_map = rain->model.rain_map;
    drop->speed = 1;
    drop->water =
        rain_map ? rain_map[(size_t)drop->base.y * (size_t)rain->width + (size_t)drop->base.x] : 1;
}

/* The last place before a wall at so many cells. */
static float before(int32_t cells) { return (float)cells * (1 - 0x1p-22f); }

static void set_walls(struct rain *rain)
{
    const unsigned closed = rain->model.closed;
    rain->west = closed >> TW_SIDE_WEST & 1 ? 0 : -INFINITY;
    rain->north = closed >> TW_SIDE_NORTH & 1 ? 0 : -INFINITY;
    rain->east = closed >> TW_SIDE_EAST & 1 ? before(rain->width - 1) : INFINITY;
    rain->south = closed >> TW_SIDE_SOUTH & 1 ? before(rain->height - 1) : INFINITY;
}

enum tw_status tw_beyer_run(struct tw_task *task, const struct tw_beyer *model, int32_t count,
                            bool sequential)
{
    struct rain rain = {.model = *model,
                        .width = model->width,
                        .height = model->height,
                        .seed = tw_task_seed(task),
                        .simd = tw_task_simd(task)};
    const struct tw_droplet_rounds drops = {.width = rain.width,
                                            .height = rain.height,
                                            .count = count,
                                            .size = sizeof(struct drop),
                                            .reach = model->radius + 4,
                                            .sequential = sequential,
                                            .context = &rain,
                                            .start = start,
                                            .run_tiles = run_tiles,
                                            .grain = 3 * LANES};
    set_walls(&rain);
    tw_brush_make(&rain.brush, model->radius, rain.width, rain.height);
    return tw_droplet_rounds_run(task, &drops);
}

void tw_beyer_forecast(struct tw_forecast *f, int32_t count, bool sequential)
{
    tw_droplet_rounds_forecast(f, count, sizeof(struct drop), sequential);
}
