/* SPDX-License-Identifier: MIT */
/* Stream power incision with uplift, dz/dt = U - K A^m S^n + D lap z, implicit in time and linear
 * in cells: Braun and Willett 2013, their equations 1 and 21 to 23, with hillslope creep. Water
 * leaves depressions over their lowest pass; a bed below its receiver's does not erode and is never
 * filled. Deviation: n = 2 is solved in closed form like n = 1; other n by Newton's method on a
 * form that is convex, so that it converges from one side. */
#include "common/drainage.h"
#include "common/record.h"
#include "erosion/kernels/adi_diffusion.h"
#include "erosion/kernels/mass_balance.h"

#include <thalweg/kernel.h>

#include <string.h>

enum { POWERS = 4096, NEWTON_STEPS = 60 };

struct params {
    float uplift_rate; /* U: height per time */
    float K;           /* erodibility: with areas in sides^2, slopes in heights per side */
    float m, n;
    float talus;     /* steepest hillside, height per map side */
    float diffusion; /* D: sides^2 per time */
    float channel;   /* A_c: share of the map */
    float dt;        /* time */
    int32_t steps;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, uplift_rate, 0.5, -1000, 1000, "height per time",
                 "how fast the ground rises, times the uplift mask"),
    TW_PARAM_F32(struct params, K, 8, 0, 1e6, "1 per time (m = 0.5)",
                 "erodibility: larger cuts deeper and sooner"),
    TW_PARAM_F32(struct params, m, 0.5, 0, 4, TW_UNIT_NONE, "exponent of the upstream area"),
    TW_PARAM_F32(struct params, n, 1, 0.1, 10, TW_UNIT_NONE, "exponent of the slope"),
    TW_PARAM_F32(struct params, talus, 12, 0, 1e9, TW_UNIT_RISE_PER_SIDE,
                 "steepest slope that stands; steeper ground falls at once"),
    TW_PARAM_F32(struct params, diffusion, 0.0002, 0, 1e6, "sides^2 per time",
                 "hillslope creep: larger gives wider, rounder hillsides"),
    TW_PARAM_F32(
        struct params, channel, 0.00003, 0, 1, TW_UNIT_SHARE,
        "upstream share of the map from which rivers carry off what creeps into them; 1: never"),
    TW_PARAM_F32(struct params, dt, 0.02, 1e-9, 1e6, "time", "length of a step; any is stable"),
    TW_PARAM_I32(struct params, steps, 50, 0, 100000, "steps", "steps in time"),
    TW_PARAM_END,
};

static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain; its border keeps its heights"},
    {"uplift", TW_MASK, TW_OPTIONAL, "where the ground rises; everywhere if not given"},
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the eroded terrain"},
    {"flow", TW_HEIGHTMAP, 0, "upstream area on out, share of the map"},
    {"eroded", TW_HEIGHTMAP, 0, "height taken away in all, in + uplift - out where that is lower"},
    {"deposited", TW_HEIGHTMAP, 0, "height that creep laid down, where out is higher"},
    {"ledger", TW_RECORD, 0, "raised, eroded, deposited, exported: sums over cells, in heights"},
    TW_PORT_END,
};

enum { FLOW = 1, ERODED, LEDGER = 4 };

struct model {
    struct tw_drainage d;
    struct tw_adi_diffusion creep;
    float *z, *raised;   /* raised: in + uplift */
    const float *uplift; /* may be NULL */
    float *bed;          /* heights before creep */
    uint32_t channel;    /* cells upstream of a river's head */
    uint32_t *area;
    float rise;    /* U dt */
    double factor; /* K dt / (cell length)^n / (cells a side)^(2 m) */
    double m, n, diagonal;
    float stands[2];         /* rise that stands: along an axis, along a diagonal */
    float powers[POWERS][2]; /* factor area^m along an axis and along a diagonal */
};

/* x with x + f x^n = h, for h > 0 and f >= 0. With y = x^n when n < 1 it is y^(1/n) + f y = h, so
 * the unknown's power is above 1 either way and Newton's steps fall monotonically to the root. */
static double drop_after(double f, double h, double n)
{
    if (n == 1)
        return h / (1 + f);
    if (n == 2)
        return 2 * h / (1 + sqrt(1 + 4 * f * h));
    double linear = n > 1 ? 1 : f, curved = n > 1 ? f : 1, power = n > 1 ? n : 1 / n;
    if (f <= 0)
        return h;
    double x = h / linear, bound = tw_pow(h / curved, 1 / power);
    x = x < bound ? x : bound;
    for (int i = 0; i < NEWTON_STEPS; i++) {
        double slope = curved * tw_pow(x, power - 1);
        double next = x - (linear * x + slope * x - h) / (linear + power * slope);
        bool done = x - next <= 1e-9 * x;
        x = next;
        if (done)
            break;
    }
    return n > 1 ? x : h - f * x;
}

/* Heights of the receivers are those of the end of the step, so they come first. */
static void erode_trees(void *context, int32_t begin, int32_t end)
{
    const struct model *s = context;
    const struct tw_drainage *d = &s->d;
    for (int32_t i = d->tree[begin]; i < d->tree[end]; i++) {
        int32_t cell = d->order[i], to = d->to[cell];
        if (to == TW_OUTLET)
            continue;
        float base = s->z[cell + d->step[to]], top = s->z[cell];
        if (base >= top)
            continue;
        bool diagonal = to == 0 || to == 2 || to == 5 || to == 7;
        uint32_t area = s->area[cell];
        double f = area < POWERS
                       ? (double)s->powers[area][diagonal]
                       : s->factor * tw_pow((double)area, s->m) * (diagonal ? s->diagonal : 1);
        float z = base + (float)drop_after(f, (double)(top - base), s->n);
        z = tw_min(z, tw_min(top, base + s->stands[diagonal]));
        s->z[cell] = z;
    }
}

static void uplift_rows(void *context, int32_t begin, int32_t end)
{
    const struct model *s = context;
    int32_t w = s->d.width, h = s->d.height;
    for (int32_t y = begin > 1 ? begin : 1; y < end && y < h - 1; y++) {
        float *z = s->z + (size_t)y * (size_t)w;
        const float *mask = s->uplift ? s->uplift + (size_t)y * (size_t)w : NULL;
        float *sum = s->raised + (size_t)y * (size_t)w;
        for (int32_t x = 1; x < w - 1; x++) {
            float rise = mask ? s->rise * mask[x] : s->rise;
            z[x] += rise;
            sum[x] += rise;
        }
    }
}

static void save_rows(void *context, int32_t begin, int32_t end)
{
    const struct model *s = context;
    size_t w = (size_t)s->d.width, first = (size_t)begin * w;
    memcpy(s->bed + first, s->z + first, ((size_t)end * w - first) * sizeof *s->z);
}

/* What creeps into a river leaves with it, so that a river's slope does not depend on how narrow
 * its cells are. */
static void clear_rows(void *context, int32_t begin, int32_t end)
{
    const struct model *s = context;
    size_t w = (size_t)s->d.width;
    for (size_t i = (size_t)begin * w; i < (size_t)end * w; i++) {
        float least = tw_min(s->bed[i], s->z[i]);
        s->z[i] = s->area[i] >= s->channel ? least : s->z[i];
    }
}

static void creep(struct tw_task *task, struct model *s)
{
    tw_rows(task, s->d.height, 16, save_rows, s);
    tw_adi_diffusion_step(task, &s->creep, s->z);
    tw_rows(task, s->d.height, 16, clear_rows, s);
}

static void prepare(struct model *s, const struct params *p)
{
    double side = (double)s->d.width;
    s->m = (double)p->m;
    s->n = (double)p->n;
    s->rise = p->uplift_rate * p->dt;
    s->stands[0] = p->talus / (float)s->d.width;
    s->stands[1] = 1.41421356f * s->stands[0];
    s->channel = (uint32_t)((double)p->channel * (double)s->d.cells) + 1;
    s->diagonal = tw_pow(0.7071067811865476, s->n);
    s->factor = (double)p->K * (double)p->dt * tw_pow(side, s->n) / tw_pow(side, 2 * s->m);
    for (int32_t i = 0; i < POWERS; i++) {
        double f = s->factor * tw_pow((double)i, s->m);
        s->powers[i][0] = (float)f;
        s->powers[i][1] = (float)(f * s->diagonal);
    }
}

static enum tw_status advance(struct tw_task *task, struct model *s, int32_t steps)
{
    for (int32_t i = 0; i < steps; i++) {
        tw_rows(task, s->d.height, 16, uplift_rows, s);
        enum tw_status status = tw_drainage_route(task, &s->d, s->z);
        if (status != TW_OK)
            return status;
        tw_drainage_area(task, &s->d, s->area);
        tw_rows(task, s->d.trees, 32, erode_trees, s);
        if (s->creep.a > 0)
            creep(task, s);
        tw_task_progress(task, (double)(i + 1) / steps);
    }
    return TW_OK;
}

/* All that is missing left over the border, since rivers lay nothing down. `before`: sum of in. */
static enum tw_status close_books(struct tw_task *task, const struct model *s, double before)
{
    struct tw_mass_balance moved;
    struct tw_value *ledger = tw_task_output(task, LEDGER);
    double raised = tw_mass_balance_sum(task, s->raised) - before; /* before it is eroded */
    enum tw_status status =
        tw_mass_balance_store(task, s->raised, s->z, (size_t)s->d.width, ERODED, &moved);
    if (status == TW_OK)
        status = tw_task_list(task, LEDGER, 4);
    if (status != TW_OK)
        return status;
    tw_record_set(ledger, 0, "raised", raised);
    tw_record_set(ledger, 1, "eroded", moved.eroded);
    tw_record_set(ledger, 2, "deposited", moved.deposited);
    tw_record_set(ledger, 3, "exported", moved.eroded - moved.deposited);
    return TW_OK;
}

static enum tw_status allocate(struct tw_task *task, struct model *s, const struct params *p)
{
    size_t cells = (size_t)tw_task_width(task) * (size_t)tw_task_height(task);
    enum tw_status status = tw_drainage_init(task, &s->d);
    if (status != TW_OK)
        return status;
    s->area = tw_task_scratch(task, cells, sizeof *s->area);
    s->bed = tw_task_scratch(task, cells, sizeof *s->bed);
    if (!s->area || !s->bed)
        return tw_task_no_memory(task);
    double side = (double)s->d.width;
    return tw_adi_diffusion_init(task, &s->creep,
                                 (float)((double)p->diffusion * (double)p->dt * side * side));
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const float *in = tw_floats(tw_task_input(task, 0));
    const struct tw_value *uplift = tw_task_input(task, 1);
    float *flow = tw_floats(tw_task_output(task, FLOW));
    size_t cells = tw_value_count(tw_task_output(task, 0));
    struct model *s = tw_task_scratch(task, 1, sizeof *s);
    if (!s)
        return tw_task_no_memory(task);
    *s = (struct model){.z = tw_floats(tw_task_output(task, 0)),
                        .raised = tw_floats(tw_task_output(task, ERODED)),
                        .uplift = uplift ? tw_floats(uplift) : NULL};
    enum tw_status status = allocate(task, s, p);
    if (status != TW_OK)
        return status;
    prepare(s, p);
    double before = tw_mass_balance_sum(task, in);
    if (in != s->z)
        memcpy(s->z, in, cells * sizeof *in);
    memcpy(s->raised, s->z, cells * sizeof *s->raised);
    status = advance(task, s, p->steps);
    if (status == TW_OK)
        status = tw_drainage_route(task, &s->d, s->z);
    if (status != TW_OK)
        return status;
    tw_drainage_area(task, &s->d, s->area);
    for (size_t i = 0; i < cells; i++)
        flow[i] = (float)s->area[i] / (float)cells;
    return close_books(task, s, before);
}

extern const struct tw_node_type tw_node_erosion_stream_power;
const struct tw_node_type tw_node_erosion_stream_power = {
    .name = "erosion.stream_power",
    .version = 3,
    .summary = "rivers cut a rising land into ridges and branching valleys",
    .detail =
        "dz/dt = U - K A^m S^n + D lap z: A the upstream area (D8, after priority-flood), S the "
        "slope to the receiver r. Each step, from the outlets up, with z after uplift and "
        "f = K dt A^m / L^n:\nz' - z'_r + f (z' - z'_r)^n = z - z'_r, which is "
        "z' = z'_r + (z - z'_r) / (1 + f) for n = 1; z' - z'_r is at most talus L. Then one "
        "implicit step of creep along rows and one along columns; cells with an upstream area of "
        "channel or more do not keep what creeps into them. Any dt is stable.\nL is in map sides, "
        "A in map sides squared, z in heights, so the parameters do not depend on the resolution. "
        "The form does a little: smaller cells show finer rivers and their steep heads, by which "
        "the mean height grows by up to U ln 2 / K with each doubling of the cells a side, 2 to "
        "10 % by default. What creeps into a narrower river cell would need a steeper river, "
        "which makes that 20 to 40 % with channel 1 and nearly nothing with channel near D / K, "
        "the default.\nThe land is "
        "near its steady state after a "
        "time of about 6 / K; for n = 1, m = 0.5 its relief is then 6 to 12 times U / K, and "
        "hillsides are about (D / K)^(1/2) long. With a map side of s and a height 1 of h metres "
        "and a time unit of t years, the K of the literature is K h^(1 - n) s^(n - 2 m) / t, and D "
        "is D s^2 / t.\nBorder cells are outlets and keep their heights. Rivers lay nothing down; "
        "what they take leaves the map, the ledger's exported: sum(out) = sum(in) + raised - "
        "exported = sum(in) + raised - eroded + deposited.",
    .cite = "braun2013 barnes2014",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "mountains: {type: erosion.stream_power, in: noise, uplift_rate: 0.5, K: 8}",
    .in_place = true,
    .reach = TW_REACH_ALL,
    .run = run,
};
