/* SPDX-License-Identifier: MIT */
/* Particle hydraulic erosion, Beyer 2015, "Implementation of a method for hydraulic erosion": a
 * droplet rolls downhill with inertia, takes up ground where it can carry more and drops it where
 * it carries too much. We deviate in four points: slopes that steer it and `min_slope` are rises
 * per map side, not per cell, so that finer maps steer alike; the brush is centred on the nearest
 * cell; a droplet on level ground rests instead of turning at random; what it carries at its end
 * is put down, so that ground leaves the map over its border only.
 * For how droplets share the threads see common/drops.h. */
#include "common/drops.h"

#include <thalweg/kernel.h>

#include <string.h>

enum { RADIUS_MAX = 12, BRUSH = 2 * RADIUS_MAX + 1 };

struct params {
    float inertia, capacity, erosion, deposition, evaporation;
    int32_t radius, lifetime;
    float density, gravity, min_slope;
    int32_t order;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, inertia, 0.1, 0, 1, TW_UNIT_SHARE,
                 "share of the old direction in the new one"),
    TW_PARAM_F32(struct params, capacity, 8, 0, 1000, "height per height",
                 "ground that a droplet can carry for its fall in a step, at speed and water 1"),
    TW_PARAM_F32(struct params, erosion, 0.3, 0, 1, TW_UNIT_SHARE,
                 "share of the free capacity that is taken up in a step"),
    TW_PARAM_F32(struct params, deposition, 0.3, 0, 1, TW_UNIT_SHARE,
                 "share of the surplus that is put down in a step"),
    TW_PARAM_F32(struct params, evaporation, 0.02, 0, 1, TW_UNIT_SHARE,
                 "share of the water that is lost in a step"),
    TW_PARAM_I32(struct params, radius, 3, 1, RADIUS_MAX, TW_UNIT_CELLS,
                 "how far around it a droplet takes up ground"),
    TW_PARAM_I32(struct params, lifetime, 48, 1, 10000, "steps", "steps of one cell, at most"),
    TW_PARAM_F32(struct params, density, 0.5, 0, 1000, "per cell", "droplets for each cell"),
    TW_PARAM_F32(struct params, gravity, 4, 0, 1000, "", "gain of squared speed for a fall of 1"),
    TW_PARAM_F32(struct params, min_slope, 0.05, 0, 1000, TW_UNIT_RISE_PER_SIDE,
                 "slope that counts at least for the capacity"),
    TW_PARAM_ENUM(struct params, order, 0, "tiles|sequential",
                  "droplets of distant tiles at once, or one after the other on one thread"),
    TW_PARAM_END,
};

static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the eroded terrain"},
    {"eroded", TW_HEIGHTMAP, 0, "height taken from each cell"},
    {"deposited", TW_HEIGHTMAP, 0, "height put down on each cell"},
    {"flow", TW_HEIGHTMAP, 0, "water that came by"},
    {"ledger", TW_RECORD, 0, "eroded, deposited, exported: sums of heights"},
    TW_PORT_END,
};

struct drop {
    struct tw_drop base;
    float x, y, dx, dy; /* place in cells, direction */
    float speed, water, sediment;
    int32_t steps;
};

struct rain {
    const struct params *p;
    float *cells, *deposited, *flow, *exported;
    int32_t width, height;
    size_t stride;
    uint64_t seed;
    float side;                 /* cells a map side, which makes rises per side of rises per cell */
    float brush[BRUSH * BRUSH]; /* weights in rows of 2 radius + 1, of sum 1 */
};

/* Four cells around a place and where it is between them. */
struct spot {
    size_t cell;
    float u, v, nw, ne, sw, se;
};

static struct spot spot_at(const struct rain *rain, float x, float y)
{
    int32_t column = (int32_t)x, row = (int32_t)y;
    struct spot s = {
        (size_t)row * rain->stride + (size_t)column, x - (float)column, y - (float)row, 0, 0, 0, 0};
    s.nw = rain->cells[s.cell];
    s.ne = rain->cells[s.cell + 1];
    s.sw = rain->cells[s.cell + rain->stride];
    s.se = rain->cells[s.cell + rain->stride + 1];
    return s;
}

static float height_of(const struct spot *s)
{
    float upper = s->nw * (1.0f - s->u) + s->ne * s->u;
    float lower = s->sw * (1.0f - s->u) + s->se * s->u;
    return upper * (1.0f - s->v) + lower * s->v;
}

/* New direction, Beyer's dir = dir inertia - g (1 - inertia), of length 1; false on level ground.
 */
static bool steer(const struct rain *rain, struct drop *drop, const struct spot *s)
{
    float gx = (s->ne - s->nw) * (1.0f - s->v) + (s->se - s->sw) * s->v;
    float gy = (s->sw - s->nw) * (1.0f - s->u) + (s->se - s->ne) * s->u;
    float keep = rain->p->inertia, turn = (1.0f - keep) * rain->side;
    float dx = drop->dx * keep - gx * turn, dy = drop->dy * keep - gy * turn;
    float length = sqrtf(dx * dx + dy * dy);
    if (!(length > 1e-12f))
        return false;
    drop->dx = dx / length;
    drop->dy = dy / length;
    return true;
}

static void put(const struct rain *rain, size_t cell, float amount)
{
    rain->cells[cell] += amount;
    rain->deposited[cell] += amount;
}

/* Puts ground down on the four cells around the place. */
static void put_down(const struct rain *rain, struct drop *drop, const struct spot *s, float amount)
{
    put(rain, s->cell, amount * (1.0f - s->u) * (1.0f - s->v));
    put(rain, s->cell + 1, amount * s->u * (1.0f - s->v));
    put(rain, s->cell + rain->stride, amount * (1.0f - s->u) * s->v);
    put(rain, s->cell + rain->stride + 1, amount * s->u * s->v);
    drop->sediment -= amount;
}

/* Adds `amount` to the cells under the brush, less what the border cuts off of it. */
static void paint(const struct rain *rain, const struct spot *s, float *map, float amount)
{
    int32_t radius = rain->p->radius, across = 2 * radius + 1;
    int32_t cx = (int32_t)(s->cell % rain->stride) + (s->u >= 0.5f);
    int32_t cy = (int32_t)(s->cell / rain->stride) + (s->v >= 0.5f);
    int32_t left = cx < radius ? radius - cx : 0, top = cy < radius ? radius - cy : 0;
    int32_t right = rain->width - cx + radius < across ? rain->width - cx + radius : across;
    int32_t bottom = rain->height - cy + radius < across ? rain->height - cy + radius : across;
    if (right - left < across || bottom - top < across) {
        float inside = 0;
        for (int32_t y = top; y < bottom; y++)
            for (int32_t x = left; x < right; x++)
                inside += rain->brush[y * across + x];
        amount /= inside;
    }
    for (int32_t y = top; y < bottom; y++) {
        float *row = map + (ptrdiff_t)(cy - radius + y) * (ptrdiff_t)rain->stride + cx - radius;
        for (int32_t x = left; x < right; x++)
            row[x] += amount * rain->brush[y * across + x];
    }
}

/* Ground goes to and fro for a step that falls by `fall`. */
static void exchange(const struct rain *rain, struct drop *drop, const struct spot *s, float fall)
{
    const struct params *p = rain->p;
    float slope = tw_max(fall, p->min_slope / rain->side);
    float capacity = slope * drop->speed * drop->water * p->capacity;
    if (fall < 0) {
        put_down(rain, drop, s, tw_min(-fall, drop->sediment));
    } else if (drop->sediment > capacity) {
        put_down(rain, drop, s, (drop->sediment - capacity) * p->deposition);
    } else {
        float taken = tw_min((capacity - drop->sediment) * p->erosion, fall);
        paint(rain, s, rain->cells, -taken);
        drop->sediment += taken;
    }
}

static void come_to_rest(const struct rain *rain, struct drop *drop, const struct spot *s)
{
    paint(rain, s, rain->cells, drop->sediment);
    paint(rain, s, rain->deposited, drop->sediment);
    drop->base.done = true;
}

static void step(const struct rain *rain, struct drop *drop)
{
    struct spot here = spot_at(rain, drop->x, drop->y);
    if (drop->steps++ == rain->p->lifetime || !steer(rain, drop, &here)) {
        come_to_rest(rain, drop, &here);
        return;
    }
    float x = drop->x + drop->dx, y = drop->y + drop->dy;
    rain->flow[here.cell] += drop->water;
    if (!(x >= 0 && y >= 0 && x < (float)(rain->width - 1) && y < (float)(rain->height - 1))) {
        rain->exported[here.cell] += drop->sediment;
        drop->base.done = true;
        return;
    }
    struct spot there = spot_at(rain, x, y);
    float fall = height_of(&here) - height_of(&there);
    exchange(rain, drop, &here, fall);
    drop->speed = sqrtf(tw_max(drop->speed * drop->speed + fall * rain->p->gravity, 0));
    drop->water *= 1.0f - rain->p->evaporation;
    drop->x = x;
    drop->y = y;
    drop->base.x = (int32_t)x;
    drop->base.y = (int32_t)y;
}

static void run_drop(void *context, void *at, const struct tw_drop_area *area)
{
    struct drop *drop = at;
    while (!drop->base.done && tw_drop_inside(area, drop->base.x, drop->base.y))
        step(context, drop);
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
    int32_t radius = rain->p->radius, across = 2 * radius + 1;
    float sum = 0;
    for (int32_t y = 0; y < across; y++)
        for (int32_t x = 0; x < across; x++) {
            float dx = (float)(x - radius), dy = (float)(y - radius);
            float weight = tw_max(0, (float)radius - sqrtf(dx * dx + dy * dy));
            rain->brush[y * across + x] = weight;
            sum += weight;
        }
    for (int32_t i = 0; i < across * across; i++)
        rain->brush[i] /= sum;
}

/* What was taken is what is missing; then the sums, row by row. */
static enum tw_status close_books(struct tw_task *task, const struct rain *rain, const float *in,
                                  float *eroded)
{
    static const char *const names[3] = {"eroded", "deposited", "exported"};
    double sums[3] = {0};
    for (int32_t y = 0; y < rain->height; y++) {
        double row[3] = {0};
        for (size_t i = (size_t)y * rain->stride; i < (size_t)(y + 1) * rain->stride; i++) {
            eroded[i] = tw_max(0, in[i] + rain->deposited[i] - rain->cells[i]);
            row[0] += (double)eroded[i];
            row[1] += (double)rain->deposited[i];
            row[2] += (double)rain->exported[i];
        }
        for (int k = 0; k < 3; k++)
            sums[k] += row[k];
    }
    enum tw_status status = tw_task_list(task, 4, 3);
    for (int k = 0; k < 3 && status == TW_OK; k++) {
        struct tw_entry *entry = &tw_entries(tw_task_output(task, 4))[k];
        strncpy(entry->name, names[k], sizeof entry->name - 1);
        entry->number = sums[k];
    }
    return status;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const float *in = tw_floats(tw_task_input(task, 0));
    size_t count = tw_value_count(tw_task_input(task, 0));
    struct rain rain = {.p = p,
                        .cells = tw_floats(tw_task_output(task, 0)),
                        .deposited = tw_floats(tw_task_output(task, 2)),
                        .flow = tw_floats(tw_task_output(task, 3)),
                        .exported = tw_task_scratch(task, count, sizeof(float)),
                        .width = tw_task_width(task),
                        .height = tw_task_height(task),
                        .stride = (size_t)tw_task_width(task),
                        .seed = tw_task_seed(task),
                        .side = (float)tw_task_width(task)};
    double wanted = (double)p->density * (double)count;
    bool line = rain.width < 2 || rain.height < 2; /* no slope across: nothing moves */
    if (!rain.exported)
        return tw_task_no_memory(task);
    if (wanted > INT32_MAX)
        return tw_task_fail(task, "density %g makes %.3g droplets; allowed are %d",
                            (double)p->density, wanted, INT32_MAX);
    memcpy(rain.cells, in, count * sizeof *in);
    memset(rain.deposited, 0, count * sizeof *in);
    memset(rain.flow, 0, count * sizeof *in);
    memset(rain.exported, 0, count * sizeof *in);
    make_brush(&rain);
    const struct tw_drops drops = {line ? 0 : (int32_t)wanted,
                                   sizeof(struct drop),
                                   p->radius + 2,
                                   p->order == 1,
                                   &rain,
                                   start,
                                   run_drop};
    enum tw_status status = tw_drops_run(task, &drops);
    if (status != TW_OK)
        return status;
    return close_books(task, &rain, in, tw_floats(tw_task_output(task, 1)));
}

extern const struct tw_node_type tw_node_erosion_droplets;
const struct tw_node_type tw_node_erosion_droplets = {
    .name = "erosion.droplets",
    .version = 1,
    .summary = "droplets that roll downhill, carve and deposit",
    .detail =
        "A droplet moves by one cell a step in the direction d = normalised(inertia d - (1 - "
        "inertia) g), g the slope of the bilinear surface in rises per map side. Let f be its "
        "fall. "
        "Its capacity is max(f, min_slope / width) speed water `capacity`. Uphill it fills the "
        "hole "
        "behind it, min(-f, sediment); with more than its capacity it puts down `deposition` of "
        "the "
        "surplus, both on the four cells around it; else it takes up min(`erosion` of the free "
        "capacity, f) with a brush of weights radius - distance. Then speed^2 += gravity f and "
        "water "
        "shrinks by `evaporation`.\n"
        "It rests on level ground and after `lifetime` steps, and puts down what it carries. "
        "Border: "
        "droplets leave the map with their load, the ledger's `exported`: sum(out) = sum(in) - "
        "exported = sum(in) - eroded + deposited.\n"
        "Droplets run in rounds over tiles of 64 cells in four colours, so the bytes do not depend "
        "on the threads. `lifetime` and `radius` count cells: a map twice as fine wants twice of "
        "both. Maps of one row or column stay as they are.",
    .cite = "beyer2015",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "eroded: {type: erosion.droplets, in: noise, density: 0.25}",
    .random = true,
    .reach = TW_REACH_ALL,
    .run = run,
};
