/* SPDX-License-Identifier: MIT */
/* Hydraulic erosion by shallow water in virtual pipes between neighbouring cells: Mei, Decaudin, Hu
 * 2007, equations 1 to 14. Deviations: sediment goes with the water of each pipe (first-order
 * upwind) where the paper advects it semi-Lagrangian, which loses or makes mass; it moves before
 * soil is dissolved, not after; the capacity fades in thin water (Stava et al. 2008); heights are
 * turned into lengths by `relief`. */
#include "common/simd.h"

#include <thalweg/kernel.h>

#include <string.h>

enum { SUBSTEPS_AUTO, SUBSTEPS_ONE, BORDER_CLOSED = 0, BORDER_OPEN, LANES = 16 };
#define DRY 1e-30f /* no depth at all; keeps 0 / 0 away */
#define CALM 0.5   /* auto stays below this share of the largest stable step: no checkerboards */

enum { LEFT, RIGHT, UP, DOWN };

struct params {
    float rain, evaporation;
    float capacity;          /* K_c */
    float dissolve, deposit; /* K_s, K_d */
    float pipe_area;         /* A over the pipe's width: map sides */
    float gravity;           /* g */
    float friction;          /* share of a pipe's flow lost in a time of 1, for small shares */
    float min_tilt;          /* least sin(alpha) */
    float full_depth;        /* depth from which the capacity is whole */
    float relief;            /* map sides that height 1 measures */
    float dt;
    int32_t steps, substeps, border;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, rain, 0.02, 0, 1000, "height per time", "water that falls"),
    TW_PARAM_F32(struct params, evaporation, 4, 0, 1000, "1 per time", "share of water that goes"),
    TW_PARAM_F32(struct params, capacity, 0.005, 0, 1000, "height per (side per time)",
                 "sediment that water of speed 1 carries down a vertical slope"),
    TW_PARAM_F32(struct params, dissolve, 20, 0, 1e6, "1 per time",
                 "share of the free capacity that is filled from the ground"),
    TW_PARAM_F32(struct params, deposit, 20, 0, 1e6, "1 per time",
                 "share of the sediment above the capacity that settles"),
    TW_PARAM_F32(struct params, pipe_area, 0.05, 1e-6, 1000, TW_UNIT_SIDE,
                 "cross-section of a pipe for each side of its width"),
    TW_PARAM_F32(struct params, gravity, 10, 1e-6, 1e6, "sides per time^2", "pull downhill"),
    TW_PARAM_F32(struct params, friction, 5, 0, 1e6, "1 per time",
                 "slows the water and stills its waves; 0 in the paper"),
    TW_PARAM_F32(struct params, min_tilt, 0.05, 0, 1, TW_UNIT_NONE,
                 "least sine of the slope, so that water on flats carries something"),
    TW_PARAM_F32(struct params, full_depth, 0.005, 0, 1000, TW_UNIT_HEIGHT,
                 "depth below which water carries less; 0 for none"),
    TW_PARAM_F32(struct params, relief, 0.25, 1e-6, 1000, TW_UNIT_SIDE,
                 "what height 1 measures in map sides"),
    TW_PARAM_F32(struct params, dt, 0.0019, 1e-9, 1000, "time", "length of a step"),
    TW_PARAM_I32(struct params, steps, 400, 0, 1000000, "steps", "steps in time"),
    TW_PARAM_ENUM(struct params, substeps, SUBSTEPS_AUTO, "auto|one",
                  "auto divides a step that is not stable; one makes that an error"),
    TW_PARAM_ENUM(struct params, border, BORDER_CLOSED, "closed|open",
                  "whether water and sediment leave over the border"),
    TW_PARAM_END,
};

static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    {"rain_map", TW_MASK, TW_OPTIONAL, "where it rains; everywhere if not given"},
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the eroded terrain, with all sediment settled"},
    {"water", TW_HEIGHTMAP, 0, "depth of the water at the end"},
    {"sediment", TW_HEIGHTMAP, 0, "what the water still carried; it is in out"},
    {"velocity", TW_VECTORS, 0, "of the water at the end, east and south, sides per time"},
    {"ledger", TW_RECORD, 0, "sums over cells: what came, moved and left, in heights"},
    TW_PORT_END,
};

/* Every map has a frame one cell wide. That of ground and water repeats the border, so nothing
 * flows into it (or, open, holds no water); that of the fluxes stays 0. */
struct model {
    int32_t width, height;
    size_t stride;
    float *ground, *next; /* b */
    float *water;         /* d */
    float *sediment;      /* s */
    float *load;          /* c: sediment that goes with a flux of 1: dt s / d */
    float *flux[4];       /* f: outflow, height per time */
    const float *rain;    /* mask; may be NULL */
    const float *in;
    bool open;
    float drag;                           /* share of the flux that is left after a step */
    float dt, push;                       /* push: dt A g / l^2 */
    float keep, falls;                    /* share of water left, water that falls in a step */
    float capacity, dissolve, deposit;    /* capacity: K_c l; rates: a step's share */
    float slope, min_tilt, inverse_depth; /* slope: relief / (2 l) */
    double *books;                        /* BOOKS a row */
    void (*flow)(const struct model *, int32_t);
    void (*erode)(const struct model *, int32_t);
    void (*sum)(const struct model *, int32_t);
};

enum { ERODED, DEPOSITED, RAINED, EVAPORATED, WATER_OUT, SEDIMENT_OUT, BOOKS };

static TW_INLINE size_t row_of(const struct model *m, int32_t y)
{
    return (size_t)(y + 1) * m->stride + 1;
}

/* Equations 2 to 5: pipes speed up with the difference of the water's surface; together they take
 * no more than there is. */
static TW_INLINE void flow_cells(const struct model *m, const float *ground, const float *water,
                                 const float *sediment, float *restrict left, float *restrict right,
                                 float *restrict up, float *restrict down, float *restrict load)
{
    const float *ground_up = ground - m->stride, *ground_down = ground + m->stride;
    const float *water_up = water - m->stride, *water_down = water + m->stride;
    float push = m->push, dt = m->dt, drag = m->drag;
    ptrdiff_t width = m->width;
    for (ptrdiff_t x = 0; x < width; x++) {
        float depth = water[x], surface = ground[x] + depth;
        float to_left = surface - (ground[x - 1] + water[x - 1]);
        float to_right = surface - (ground[x + 1] + water[x + 1]);
        float to_up = surface - (ground_up[x] + water_up[x]);
        float to_down = surface - (ground_down[x] + water_down[x]);
        float l = tw_max(0, drag * left[x] + push * to_left);
        float r = tw_max(0, drag * right[x] + push * to_right);
        float u = tw_max(0, drag * up[x] + push * to_up);
        float d = tw_max(0, drag * down[x] + push * to_down);
        float wanted = dt * ((l + r) + (u + d)), most = 0.999999f * depth;
        float share = most / tw_max(tw_max(wanted, most), DRY);
        left[x] = l * share;
        right[x] = r * share;
        up[x] = u * share;
        down[x] = d * share;
        load[x] = dt * sediment[x] / tw_max(depth, DRY);
    }
}

static TW_INLINE void flow_body(const struct model *m, int32_t y)
{
    size_t at = row_of(m, y);
    const struct model k = *m; /* no store can change it */
    flow_cells(&k, k.ground + at, k.water + at, k.sediment + at, k.flux[LEFT] + at,
               k.flux[RIGHT] + at, k.flux[UP] + at, k.flux[DOWN] + at, k.load + at);
}
TW_SIMD_KERNEL(flow, (const struct model *m, int32_t y), (m, y))

/* Equations 6 to 14: water and sediment arrive and leave, then the ground gives or takes up to what
 * the water can carry. What the ground gives is taken as the difference of its rounded heights, so
 * ground and sediment together keep their sum; the sediment may fall below 0 by that rounding. */
static TW_INLINE void erode_cells(const struct model *m, size_t at, float *restrict water,
                                  float *restrict sediment, float *restrict next)
{
    size_t stride = m->stride;
    const float *left = m->flux[LEFT] + at, *right = m->flux[RIGHT] + at;
    const float *up = m->flux[UP] + at, *down = m->flux[DOWN] + at;
    const float *from_up = down - stride, *from_down = up + stride;
    const float *load = m->load + at, *load_up = load - stride, *load_down = load + stride;
    const float *ground = m->ground + at;
    const float *ground_up = ground - stride, *ground_down = ground + stride;
    float thin = 0.5f * m->inverse_depth;
    ptrdiff_t width = m->width;
    for (ptrdiff_t x = 0; x < width; x++) {
        float from_left = right[x - 1], from_right = left[x + 1], z = ground[x];
        float in = (from_left + from_right) + (from_up[x] + from_down[x]);
        float out = (left[x] + right[x]) + (up[x] + down[x]);
        float before = water[x], after = tw_max(0, before + m->dt * (in - out));
        float along = (from_left - left[x]) + (right[x] - from_right);
        float across = (from_up[x] - up[x]) + (down[x] - from_down[x]);
        float depth = before + after;
        float speed = sqrtf(along * along + across * across) / tw_max(depth, DRY);
        float dx = m->slope * (ground[x + 1] - ground[x - 1]);
        float dy = m->slope * (ground_down[x] - ground_up[x]);
        float steep = dx * dx + dy * dy, tilt = sqrtf(steep / (1.0f + steep));
        float carries = m->capacity * tw_max(tilt, m->min_tilt) * speed;
        carries *= tw_min(1.0f, depth * thin);
        float own = load[x];
        float gone = (own * left[x] + own * right[x]) + (own * up[x] + own * down[x]);
        float come = (load[x - 1] * from_left + load[x + 1] * from_right) +
                     (load_up[x] * from_up[x] + load_down[x] * from_down[x]);
        float carried = (sediment[x] - gone) + come;
        float lack = carries - carried;
        float taken = m->dissolve * tw_max(lack, 0) - m->deposit * tw_max(-lack, 0);
        float lower = z - taken;
        next[x] = lower;
        sediment[x] = carried + (z - lower);
        water[x] = after * m->keep;
    }
}

static TW_INLINE void erode_body(const struct model *m, int32_t y)
{
    size_t at = row_of(m, y);
    const struct model k = *m;
    erode_cells(&k, at, k.water + at, k.sediment + at, k.next + at);
}
TW_SIMD_KERNEL(erode, (const struct model *m, int32_t y), (m, y))

/* A row's entries, in lanes of fixed order. */
static TW_INLINE void sum_body(const struct model *m, int32_t y)
{
    size_t at = row_of(m, y);
    const float *old = m->ground + at, *new = m->next + at, *water = m->water + at;
    double moved[LANES] = {0}, net[LANES] = {0}, left[LANES] = {0};
    int32_t x = 0;
    for (; x + LANES <= m->width; x += LANES)
        for (int k = 0; k < LANES; k++) {
            float lost = old[x + k] - new[x + k];
            moved[k] += (double)fabsf(lost);
            net[k] += (double)lost;
            left[k] += (double)water[x + k];
        }
    for (; x < m->width; x++) {
        moved[0] += (double)fabsf(old[x] - new[x]);
        net[0] += (double)(old[x] - new[x]);
        left[0] += (double)water[x];
    }
    double *books = m->books + (size_t)y * BOOKS;
    for (int k = 0; k < LANES; k++) {
        books[ERODED] += 0.5 * (moved[k] + net[k]);
        books[DEPOSITED] += 0.5 * (moved[k] - net[k]);
        books[EVAPORATED] += left[k] * (1 / (double)m->keep - 1);
    }
}
TW_SIMD_KERNEL(sum, (const struct model *m, int32_t y), (m, y))

static void book_exports(const struct model *m, int32_t y)
{
    size_t at = row_of(m, y), last = (size_t)m->width - 1;
    double *books = m->books + (size_t)y * BOOKS;
    for (size_t x = 0; x <= last; x++) {
        double out = 0;
        out += x == 0 ? (double)m->flux[LEFT][at + x] : 0;
        out += x == last ? (double)m->flux[RIGHT][at + x] : 0;
        out += y == 0 ? (double)m->flux[UP][at + x] : 0;
        out += y == m->height - 1 ? (double)m->flux[DOWN][at + x] : 0;
        books[WATER_OUT] += out * (double)m->dt;
        books[SEDIMENT_OUT] += out * (double)m->load[at + x];
        if (x == 0 && y > 0 && y < m->height - 1 && last > 1)
            x = last - 1;
    }
}

static void rain_row(const struct model *m, int32_t y)
{
    float *water = m->water + row_of(m, y);
    const float *mask = m->rain ? m->rain + (size_t)y * (size_t)m->width : NULL;
    double fallen = 0;
    for (int32_t x = 0; x < m->width; x++) {
        float drop = mask ? m->falls * mask[x] : m->falls;
        water[x] += drop;
        fallen += mask ? (double)drop : 0;
    }
    m->books[(size_t)y * BOOKS + RAINED] += mask ? fallen : (double)m->falls * m->width;
}

static void frame_row(const struct model *m, float *ground, int32_t y)
{
    size_t first = row_of(m, y), last = first + (size_t)m->width - 1;
    ground[first - 1] = ground[first];
    ground[last + 1] = ground[last];
    m->water[first - 1] = m->open ? 0 : m->water[first];
    m->water[last + 1] = m->open ? 0 : m->water[last];
}

/* The frame's rows, once all others are there. */
static void frame_map(const struct model *m)
{
    size_t first = m->stride, last = (size_t)m->height * m->stride;
    size_t bytes = m->stride * sizeof(float);
    memcpy(m->ground, m->ground + first, bytes);
    memcpy(m->ground + last + m->stride, m->ground + last, bytes);
    if (m->open) {
        memset(m->water, 0, bytes);
        memset(m->water + last + m->stride, 0, bytes);
    } else {
        memcpy(m->water, m->water + first, bytes);
        memcpy(m->water + last + m->stride, m->water + last, bytes);
    }
}

static void load_rows(void *context, int32_t begin, int32_t end)
{
    const struct model *m = context;
    for (int32_t y = begin; y < end; y++) {
        memcpy(m->ground + row_of(m, y), m->in + (size_t)y * (size_t)m->width,
               (size_t)m->width * sizeof(float));
        rain_row(m, y);
        frame_row(m, m->ground, y);
    }
}

static void flow_rows(void *context, int32_t begin, int32_t end)
{
    const struct model *m = context;
    for (int32_t y = begin; y < end; y++)
        m->flow(m, y);
}

static void erode_rows(void *context, int32_t begin, int32_t end)
{
    const struct model *m = context;
    for (int32_t y = begin; y < end; y++) {
        m->erode(m, y);
        m->sum(m, y);
        if (m->open)
            book_exports(m, y);
        if (m->falls > 0)
            rain_row(m, y);
        frame_row(m, m->next, y);
    }
}

struct results {
    const struct model *m;
    float *out, *water, *sediment, *velocity;
    float fastest;
};

static float bounded(float v, float most) { return tw_clamp(v, -most, most); }

static void store_rows(void *context, int32_t begin, int32_t end)
{
    const struct results *r = context;
    const struct model *m = r->m;
    float cell = 1.0f / (float)m->width;
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < m->width; x++) {
            size_t to = (size_t)y * (size_t)m->width + (size_t)x;
            size_t at = row_of(m, y) + (size_t)x, up = at - m->stride, down = at + m->stride;
            float depth = m->water[at], per = depth > 0 ? 0.5f * cell / depth : 0;
            float along = (m->flux[RIGHT][at - 1] - m->flux[LEFT][at]) +
                          (m->flux[RIGHT][at] - m->flux[LEFT][at + 1]);
            float across =
                (m->flux[DOWN][up] - m->flux[UP][at]) + (m->flux[DOWN][at] - m->flux[UP][down]);
            r->out[to] = m->ground[at] + m->sediment[at];
            r->water[to] = depth;
            r->sediment[to] = tw_max(m->sediment[at], 0);
            r->velocity[2 * to] = bounded(along * per, r->fastest);
            r->velocity[2 * to + 1] = bounded(across * per, r->fastest);
        }
}

static enum tw_status write_ledger(struct tw_task *task, const struct model *m,
                                   const struct results *r)
{
    static const char *const names[] = {
        "rained",    "evaporated",    "exported_water",    "eroded",
        "deposited", "sediment_left", "exported_sediment", "water_left"};
    double books[BOOKS] = {0}, sediment = 0, water = 0;
    for (int32_t y = 0; y < m->height; y++)
        for (int k = 0; k < BOOKS; k++)
            books[k] += m->books[(size_t)y * BOOKS + (size_t)k];
    for (size_t i = 0; i < (size_t)m->width * (size_t)m->height; i++) {
        sediment += (double)r->sediment[i];
        water += (double)r->water[i];
    }
    const double values[] = {
        books[RAINED],    books[EVAPORATED], books[WATER_OUT],    books[ERODED],
        books[DEPOSITED], sediment,          books[SEDIMENT_OUT], water};
    enum { COUNT = sizeof values / sizeof *values };
    enum tw_status status = tw_task_list(task, 4, COUNT);
    struct tw_entry *entries = tw_entries(tw_task_output(task, 4));
    for (int k = 0; status == TW_OK && k < COUNT; k++) {
        memcpy(entries[k].name, names[k], strlen(names[k]));
        entries[k].number = values[k];
    }
    return status;
}

/* Waves run at (A g)^(1/2); the scheme is stable up to dt = l / (2 A g)^(1/2). */
static enum tw_status divide(struct tw_task *task, const struct params *p, int32_t *parts)
{
    double cell = 1 / (double)tw_task_width(task);
    double stable = cell / sqrt(2 * (double)p->pipe_area * (double)p->gravity);
    double needed = (double)p->dt / stable;
    if (needed > 1 && p->substeps == SUBSTEPS_ONE)
        return tw_task_fail(task,
                            "a step of dt %g is not stable; at this size, pipe_area and gravity "
                            "the largest stable one is %.4g (or set substeps: auto)",
                            (double)p->dt, stable);
    if (needed / CALM * (double)p->steps > 1e6)
        return tw_task_fail(task,
                            "%d steps of dt %g would take %.3g stable ones of %.3g; at most "
                            "1000000 are allowed",
                            p->steps, (double)p->dt, needed * (double)p->steps, stable);
    *parts = needed > CALM && p->substeps == SUBSTEPS_AUTO ? (int32_t)(needed / CALM) + 1 : 1;
    return TW_OK;
}

static void set_rates(struct model *m, const struct params *p, int32_t parts)
{
    double cell = 1 / (double)m->width, dt = (double)p->dt / parts;
    m->drag = (float)tw_exp(-(double)p->friction * dt);
    m->open = p->border == BORDER_OPEN;
    m->dt = (float)dt;
    m->push = (float)(dt * (double)p->pipe_area * (double)p->gravity / (cell * cell));
    m->keep = (float)tw_exp(-tw_min(p->evaporation * m->dt, 50.0f));
    m->falls = (float)((double)p->rain * dt);
    m->capacity = (float)((double)p->capacity * cell);
    m->dissolve = (float)(1 - tw_exp(-(double)p->dissolve * dt));
    m->deposit = (float)(1 - tw_exp(-(double)p->deposit * dt));
    m->slope = (float)((double)p->relief / (2 * cell));
    m->min_tilt = p->min_tilt;
    m->inverse_depth = p->full_depth > 0 ? 1.0f / p->full_depth : 1e30f;
}

static enum tw_status prepare(struct tw_task *task, struct model *m)
{
    enum tw_simd simd = tw_task_simd(task);
    size_t count = ((size_t)m->height + 2) * m->stride;
    float **maps[] = {&m->ground,  &m->next,    &m->water,   &m->sediment, &m->load,
                      &m->flux[0], &m->flux[1], &m->flux[2], &m->flux[3]};
    m->flow = flow(simd);
    m->erode = erode(simd);
    m->sum = sum(simd);
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        *maps[i] = tw_task_scratch(task, count, sizeof(float));
        if (!*maps[i])
            return tw_task_no_memory(task);
        memset(*maps[i], 0, count * sizeof(float));
    }
    m->books = tw_task_scratch(task, (size_t)m->height * BOOKS, sizeof *m->books);
    if (!m->books)
        return tw_task_no_memory(task);
    memset(m->books, 0, (size_t)m->height * BOOKS * sizeof *m->books);
    return TW_OK;
}

static enum tw_status advance(struct tw_task *task, struct model *m, int32_t steps)
{
    if (steps == 0)
        m->falls = 0;
    tw_rows(task, m->height, 16, load_rows, m);
    frame_map(m);
    for (int32_t i = 0; i < steps; i++) {
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        if (i + 1 == steps)
            m->falls = 0;
        tw_rows(task, m->height, 16, flow_rows, m);
        tw_rows(task, m->height, 16, erode_rows, m);
        float *old = m->ground;
        m->ground = m->next;
        m->next = old;
        frame_map(m);
        tw_task_progress(task, (double)(i + 1) / steps);
    }
    return TW_OK;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_value *rain = tw_task_input(task, 1);
    struct model m = {.width = tw_task_width(task), .height = tw_task_height(task)};
    int32_t parts = 1;
    m.stride = (size_t)m.width + 2;
    m.in = tw_floats(tw_task_input(task, 0));
    m.rain = rain ? tw_floats(rain) : NULL;
    enum tw_status status = divide(task, p, &parts);
    if (status == TW_OK)
        status = prepare(task, &m);
    if (status != TW_OK)
        return status;
    set_rates(&m, p, parts);
    status = advance(task, &m, p->steps * parts);
    if (status != TW_OK)
        return status;
    struct results results = {
        .m = &m,
        .out = tw_floats(tw_task_output(task, 0)),
        .water = tw_floats(tw_task_output(task, 1)),
        .sediment = tw_floats(tw_task_output(task, 2)),
        .velocity = tw_floats(tw_task_output(task, 3)),
        .fastest = 1.0f / ((float)m.width * m.dt),
    };
    tw_rows(task, m.height, 16, store_rows, &results);
    return write_ledger(task, &m, &results);
}

extern const struct tw_node_type tw_node_erosion_pipes;
const struct tw_node_type tw_node_erosion_pipes = {
    .name = "erosion.pipes",
    .version = 1,
    .summary = "shallow water in virtual pipes that erodes and deposits",
    .detail =
        "Each step, with d the water, s the sediment and b the ground of a cell of length l: rain "
        "falls; the outflow to each of 4 neighbours is f = max(0, f e^(-friction dt) + dt A g "
        "(b + d - b_n - d_n) / l^2), scaled so that a cell gives no more than d; d changes by "
        "in- and outflow, and s goes with it: dt f s / d. With v the speed, |flux| l / d, and a "
        "the tilt, water carries C = capacity max(sin a, min_tilt) v min(1, d / full_depth). "
        "Where C > s the ground gives 1 - e^(-dissolve dt) of the difference, else it takes 1 - "
        "e^(-deposit dt). Last, d falls by e^(-evaporation dt).\nA step is stable up to "
        "l / (2 pipe_area gravity)^(1/2). substeps auto takes steps of at most half of that, which "
        "stills checkerboards; one fails above it and names it.\nLengths are in map sides, 1 "
        "height measures relief of them, and rates are per time, so results do not depend on the "
        "resolution but for detail; a doubling of the cells a side takes twice the substeps. Water "
        "cannot pass more than one cell a step.\nBorders are closed, or open: then water falls off "
        "the map as if there were none outside, and its sediment with it. What is still carried at "
        "the end settles where it is, so the sum of out is that of in less exported_sediment, and "
        "rained = evaporated + exported_water + water_left.",
    .cite = "mei2007 stava2008",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "eroded: {type: erosion.pipes, in: noise, steps: 100}",
    .in_place = true,
    .reach = TW_REACH_ALL,
    .run = run,
};
