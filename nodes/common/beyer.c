/* SPDX-License-Identifier: MIT */
#include "common/beyer.h"

#include "common/drops.h"
#include "common/simd.h"

#include <thalweg/kernel.h>

#include <string.h>

/* Rows of the brush are padded with weights 0 to a multiple of 4 cells. */
enum { LANES = 8, BRUSH_ROW_MAX = 28, BRUSH_MAX = (2 * TW_BEYER_RADIUS_MAX + 1) * BRUSH_ROW_MAX };

struct drop {
    struct tw_drop base;
    float x, y, dx, dy; /* place in cells, direction */
    float speed, water, sediment;
    int32_t steps;
};

struct rain {
    struct tw_beyer model;
    int32_t width, height;
    size_t stride;
    uint64_t seed;
    enum tw_simd simd;
    int32_t across, row; /* sides of the brush, the second with its padding */
    float brush[BRUSH_MAX];
};

/* Droplets side by side. A lane without one stands still on the map's first cell. */
struct team {
    float x[LANES], y[LANES], dx[LANES], dy[LANES];
    float speed[LANES], water[LANES], sediment[LANES];
    int32_t steps[LANES];
    struct drop *drop[LANES]; /* NULL for an empty lane */
    struct tw_drop_tile tile[LANES];
};

/* Four cells around each place, and where it is between them. */
struct spots {
    int32_t column[LANES], row[LANES], cell[LANES];
    float u[LANES], v[LANES], nw[LANES], ne[LANES], sw[LANES], se[LANES];
};

/* What a step does to the ground. */
struct deeds {
    int32_t rests[LANES], leaves[LANES], puts[LANES];
    float amount[LANES]; /* put down on the four cells, or taken with the brush */
};

/* The loads are a loop of their own so that they are gathered into vectors: single stores that a
 * vector load reads at once stall it. */
static TW_INLINE void look(const struct rain *rain, const float *restrict x,
                           const float *restrict y, struct spots *restrict s)
{
    const float *restrict upper = rain->model.cells, *restrict lower = upper + rain->stride;
    const int32_t stride = (int32_t)rain->stride;
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

static TW_INLINE float height_of(const struct spots *s, int l)
{
    float upper = s->nw[l] * (1.0f - s->u[l]) + s->ne[l] * s->u[l];
    float lower = s->sw[l] * (1.0f - s->u[l]) + s->se[l] * s->u[l];
    return upper * (1.0f - s->v[l]) + lower * s->v[l];
}

/* New direction, Beyer's dir = dir inertia - g (1 - inertia), of length 1. On level ground, and at
 * the end of its life, a droplet rests. */
static TW_INLINE void steer(const struct rain *rain, struct team *t, const struct spots *s,
                            struct deeds *d)
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
        t->steps[l]++;
    }
}

/* Where the step ends; for those that rest or leave the map, where they are. */
static TW_INLINE void advance(const struct rain *rain, const struct team *t, struct deeds *d,
                              float *restrict x, float *restrict y)
{
    const float right = (float)(rain->width - 1), bottom = (float)(rain->height - 1);
#pragma GCC unroll 1
    for (int l = 0; l < LANES; l++) {
        float nx = t->x[l] + t->dx[l], ny = t->y[l] + t->dy[l];
        int32_t inside = (nx >= 0) & (ny >= 0) & (nx < right) & (ny < bottom);
        d->leaves[l] = !inside & !d->rests[l];
        int32_t goes = inside & !d->rests[l];
        x[l] = goes ? nx : t->x[l];
        y[l] = goes ? ny : t->y[l];
    }
}

/* Uphill the hole behind is filled; a surplus is put down in part; else ground is taken. */
static TW_INLINE void exchange(const struct rain *rain, struct team *t, const struct spots *here,
                               const struct spots *there, struct deeds *d)
{
    const struct tw_beyer m = rain->model;
#pragma GCC unroll 1
    for (int l = 0; l < LANES; l++) {
        float fall = height_of(here, l) - height_of(there, l);
        float slope = tw_max(fall, m.min_slope), sediment = t->sediment[l];
        float capacity = slope * t->speed[l] * t->water[l] * m.capacity;
        float filled = tw_min(-fall, sediment);
        float settled = (sediment - capacity) * m.deposition;
        float taken = tw_min((capacity - sediment) * m.erosion, fall);
        int32_t uphill = fall < 0, puts = uphill | (sediment > capacity);
        float put = uphill ? filled : settled;
        d->puts[l] = puts;
        d->amount[l] = puts ? put : taken;
        t->sediment[l] = puts ? sediment - put : sediment + taken;
        float square = tw_max(t->speed[l] * t->speed[l] + fall * m.gravity, 0);
        t->speed[l] = sqrtf(square);
        t->water[l] *= 1.0f - m.evaporation;
    }
}

static TW_INLINE void put(const struct rain *rain, size_t cell, float amount)
{
    rain->model.cells[cell] += amount;
    rain->model.deposited[cell] += amount;
}

static TW_INLINE void put_down(const struct rain *rain, const struct spots *s, int l, float amount)
{
    float u = s->u[l], v = s->v[l];
    size_t cell = (size_t)s->cell[l];
    put(rain, cell, amount * (1.0f - u) * (1.0f - v));
    put(rain, cell + 1, amount * u * (1.0f - v));
    put(rain, cell + rain->stride, amount * (1.0f - u) * v);
    put(rain, cell + rain->stride + 1, amount * u * v);
}

/* The brush where the border cuts it: what it loses goes to the rest. */
static void paint_cut(const struct rain *rain, int32_t left, int32_t top, float *map, float amount)
{
    int32_t x0 = left < 0 ? -left : 0, y0 = top < 0 ? -top : 0;
    int32_t x1 = rain->width - left < rain->across ? rain->width - left : rain->across;
    int32_t y1 = rain->height - top < rain->across ? rain->height - top : rain->across;
    float inside = 0;
    for (int32_t y = y0; y < y1; y++)
        for (int32_t x = x0; x < x1; x++)
            inside += rain->brush[y * rain->row + x];
    amount /= inside;
    for (int32_t y = y0; y < y1; y++)
        for (int32_t x = x0; x < x1; x++)
            map[(size_t)(top + y) * rain->stride + (size_t)(left + x)] +=
                amount * rain->brush[y * rain->row + x];
}

static TW_INLINE void paint_rows(const struct rain *rain, float *restrict to, float amount,
                                 int32_t row)
{
    const float *restrict brush = rain->brush;
    for (int32_t y = 0; y < rain->across; y++, to += rain->stride, brush += row)
        for (int32_t x = 0; x < row; x++)
            to[x] += amount * brush[x];
}

/* Adds `amount` to the cells under the brush around the nearest cell. Padding adds 0 to cells that
 * are within the reach of the droplet, and no further than the end of the row. */
static TW_INLINE void paint(const struct rain *rain, const struct spots *s, int l, float *map,
                            float amount)
{
    int32_t left = s->column[l] + (s->u[l] >= 0.5f) - rain->model.radius;
    int32_t top = s->row[l] + (s->v[l] >= 0.5f) - rain->model.radius;
    float *to = map + (ptrdiff_t)top * (ptrdiff_t)rain->stride + left;
    if (left < 0 || top < 0 || left + rain->row > rain->width || top + rain->across > rain->height)
        paint_cut(rain, left, top, map, amount);
    else if (rain->row == 8)
        paint_rows(rain, to, amount, 8);
    else
        paint_rows(rain, to, amount, rain->row);
}

/* Ground, water and what becomes of the droplet of a lane; true when it goes on. */
static TW_INLINE bool act(const struct rain *rain, struct team *t, const struct spots *here,
                          const struct deeds *d, int l, float sediment, float water)
{
    const struct tw_beyer *m = &rain->model;
    if (d->rests[l]) {
        paint(rain, here, l, m->cells, sediment);
        paint(rain, here, l, m->deposited, sediment);
    } else if (d->leaves[l]) {
        m->flow[here->cell[l]] += water;
        m->exported[here->cell[l]] += sediment;
    } else {
        m->flow[here->cell[l]] += water;
        if (d->puts[l])
            put_down(rain, here, l, d->amount[l]);
        else
            paint(rain, here, l, m->cells, -d->amount[l]);
        return true;
    }
    t->drop[l]->base.done = true;
    return false;
}

static void clear_lane(struct team *t, int l)
{
    t->drop[l] = NULL;
    t->x[l] = t->y[l] = t->dx[l] = t->dy[l] = 0;
    t->speed[l] = t->water[l] = t->sediment[l] = 0;
    t->steps[l] = 0;
}

/* Gives a lane its tile's next drop that is inside, or that of a new tile; or nothing. */
static void fill_lane(struct tw_drop_tiles *tiles, struct team *t, int l)
{
    struct drop *drop = tw_drop_next(&t->tile[l]);
    while (!drop && tw_drop_next_tile(tiles, &t->tile[l]))
        drop = tw_drop_next(&t->tile[l]);
    if (!drop) {
        clear_lane(t, l);
        return;
    }
    t->drop[l] = drop;
    t->x[l] = drop->x;
    t->y[l] = drop->y;
    t->dx[l] = drop->dx;
    t->dy[l] = drop->dy;
    t->speed[l] = drop->speed;
    t->water[l] = drop->water;
    t->sediment[l] = drop->sediment;
    t->steps[l] = drop->steps;
}

static void park(const struct team *t, int l)
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

/* Brings to the cache what the next step writes, since droplets start anywhere in their tiles. */
static TW_INLINE void fetch(const struct rain *rain, const struct spots *s)
{
    for (int l = 0; l < LANES; l++) {
        __builtin_prefetch(rain->model.flow + s->cell[l], 1);
        __builtin_prefetch(rain->model.deposited + s->cell[l], 1);
    }
}

/* One step of all lanes; the number of lanes that have a droplet afterwards. */
static TW_INLINE int step(const struct rain *rain, struct tw_drop_tiles *tiles, struct team *t)
{
    struct spots here, there;
    struct deeds deeds;
    float x[LANES], y[LANES], sediment[LANES], water[LANES];
    int busy = 0;
    memcpy(sediment, t->sediment, sizeof sediment);
    memcpy(water, t->water, sizeof water);
    look(rain, t->x, t->y, &here);
    steer(rain, t, &here, &deeds);
    advance(rain, t, &deeds, x, y);
    look(rain, x, y, &there);
    fetch(rain, &there);
    exchange(rain, t, &here, &there, &deeds);
    memcpy(t->x, x, sizeof x);
    memcpy(t->y, y, sizeof y);
    for (int l = 0; l < LANES; l++) {
        if (!t->drop[l])
            continue;
        bool goes_on = act(rain, t, &here, &deeds, l, sediment[l], water[l]);
        bool inside = tw_drop_inside(&t->tile[l].area, there.column[l], there.row[l]);
        if (goes_on && !inside)
            park(t, l);
        if (!goes_on || !inside)
            fill_lane(tiles, t, l);
        busy += t->drop[l] != NULL;
    }
    return busy;
}

static TW_INLINE void run_team_body(const struct rain *rain, struct tw_drop_tiles *tiles,
                                    struct team *team)
{
    while (step(rain, tiles, team) > 0)
        ;
}
TW_SIMD_KERNEL(run_team, (const struct rain *rain, struct tw_drop_tiles *tiles, struct team *team),
               (rain, tiles, team))

static void run_tiles(void *context, struct tw_drop_tiles *tiles)
{
    const struct rain *rain = context;
    struct team team;
    int busy = 0;
    for (int l = 0; l < LANES; l++) {
        team.tile[l] = (struct tw_drop_tile){.left = 0};
        fill_lane(tiles, &team, l);
        busy += team.drop[l] != NULL;
    }
    if (busy)
        run_team(rain->simd)(rain, tiles, &team);
}

static void start(void *context, void *at)
{
    const struct rain *rain = context;
    struct drop *drop = at;
    struct tw_random4 r = tw_random(rain->seed, drop->base.index, 0, 0, 0);
    drop->base.x = (int32_t)((uint64_t)r.at[0] * (uint64_t)(rain->width - 1) >> 32);
    drop->base.y = (int32_t)((uint64_t)r.at[1] * (uint64_t)(rain->height - 1) >> 32);
    drop->x = (float)drop->base.x + 0.99f * tw_uniform(r.at[2]);
    drop->y = (float)drop->base.y + 0.99f * tw_uniform(r.at[3]);
    drop->speed = drop->water = 1;
}

/* w = max(0, radius - distance), divided by the sum of all. */
static void make_brush(struct rain *rain)
{
    int32_t radius = rain->model.radius;
    float sum = 0;
    rain->across = 2 * radius + 1;
    rain->row = (rain->across + 3) / 4 * 4;
    memset(rain->brush, 0, sizeof rain->brush);
    for (int32_t y = 0; y < rain->across; y++)
        for (int32_t x = 0; x < rain->across; x++) {
            float dx = (float)(x - radius), dy = (float)(y - radius);
            float weight = tw_max(0, (float)radius - sqrtf(dx * dx + dy * dy));
            rain->brush[y * rain->row + x] = weight;
            sum += weight;
        }
    for (int32_t i = 0; i < rain->across * rain->row; i++)
        rain->brush[i] /= sum;
}

enum tw_status tw_beyer_run(struct tw_task *task, const struct tw_beyer *model, int32_t count,
                            bool sequential)
{
    struct rain rain = {.model = *model,
                        .width = tw_task_width(task),
                        .height = tw_task_height(task),
                        .stride = (size_t)tw_task_width(task),
                        .seed = tw_task_seed(task),
                        .simd = tw_task_simd(task)};
    const struct tw_drops drops = {.count = count,
                                   .size = sizeof(struct drop),
                                   .reach = model->radius + 4,
                                   .sequential = sequential,
                                   .context = &rain,
                                   .start = start,
                                   .run_tiles = run_tiles,
                                   .grain = LANES};
    make_brush(&rain);
    return tw_drops_run(task, &drops);
}
