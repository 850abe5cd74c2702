/* SPDX-License-Identifier: MIT */
#include "erosion/kernels/hillslope_creep.h"

#include "common/ground_maps.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

#include <string.h>

#define LEAST (1.0f / TW_HILLSLOPE_CREEP_LIMIT)

/* 1 / (1 - (S / S_c)^2) for a drop along and across the way the soil goes. */
static TW_INLINE float faster(float steep, float along, float across)
{
    float ratio = 1.0f - steep * (along * along + across * across);
    return 1.0f / (ratio > LEAST ? ratio : LEAST);
}

/* Soil that flows to a from b; `side` is the drop across, taken from the cells on both sides. The
 * bits are the same when computed for a and for b, so no soil is lost. */
static TW_INLINE float flow(float steep, float a, float b, float side)
{
    return (b - a) * faster(steep, b - a, 0.25f * side);
}

/* Soil that flows to a from b where a is as soft as `own` and b as `other`: the softness of the
 * higher cell limits it. `nonlinear` is a constant where this is inlined. */
static TW_INLINE float flow_soft(bool nonlinear, float steep, float a, float b, float side,
                                 float own, float other)
{
    float giver = b > a ? other : own;
    return (nonlinear ? flow(steep, a, b, side) : b - a) * giver;
}

static TW_INLINE void move_soft(const struct tw_hillslope_creep *m, int32_t y, bool nonlinear)
{
    size_t at = (size_t)(y + 1) * m->stride + 1;
    const float *restrict here = m->from + at, *restrict soft = m->soft + at;
    const float *restrict up = here - m->stride, *restrict down = here + m->stride;
    const float *restrict up_soft = soft - m->stride, *restrict down_soft = soft + m->stride;
    float *restrict to = m->to + at;
    float rate = m->rate, s = m->steep;
    ptrdiff_t width = m->width;
    for (ptrdiff_t x = 0; x < width; x++) {
        float z = here[x], own = soft[x];
        float north = (up[x + 1] + here[x + 1]) - (up[x - 1] + here[x - 1]);
        float south = (down[x + 1] + here[x + 1]) - (down[x - 1] + here[x - 1]);
        float west = (down[x - 1] + down[x]) - (up[x - 1] + up[x]);
        float east = (down[x + 1] + down[x]) - (up[x + 1] + up[x]);
        north = flow_soft(nonlinear, s, z, up[x], north, own, up_soft[x]);
        south = flow_soft(nonlinear, s, z, down[x], south, own, down_soft[x]);
        west = flow_soft(nonlinear, s, z, here[x - 1], west, own, soft[x - 1]);
        east = flow_soft(nonlinear, s, z, here[x + 1], east, own, soft[x + 1]);
        to[x] = z + rate * ((north + south) + (west + east));
    }
}

static TW_INLINE void move_body(const struct tw_hillslope_creep *m, int32_t y)
{
    const float *restrict here = m->from + (size_t)(y + 1) * m->stride + 1;
    const float *restrict up = here - m->stride, *restrict down = here + m->stride;
    float *restrict to = m->to + (size_t)(y + 1) * m->stride + 1;
    float rate = m->rate, steep = m->steep;
    ptrdiff_t width = m->width;
    if (m->soft) {
        if (m->nonlinear)
            move_soft(m, y, true);
        else
            move_soft(m, y, false);
        return;
    }
    if (!m->nonlinear) {
        for (ptrdiff_t x = 0; x < width; x++)
            to[x] = here[x] + rate * (((up[x] - here[x]) + (down[x] - here[x])) +
                                      ((here[x - 1] - here[x]) + (here[x + 1] - here[x])));
        return;
    }
    for (ptrdiff_t x = 0; x < width; x++) {
        float z = here[x];
        float north = flow(steep, z, up[x], (up[x + 1] + here[x + 1]) - (up[x - 1] + here[x - 1]));
        float south =
            flow(steep, z, down[x], (down[x + 1] + here[x + 1]) - (down[x - 1] + here[x - 1]));
        float west = flow(steep, z, here[x - 1], (down[x - 1] + down[x]) - (up[x - 1] + up[x]));
        float east = flow(steep, z, here[x + 1], (down[x + 1] + down[x]) - (up[x + 1] + up[x]));
        to[x] = z + rate * ((north + south) + (west + east));
    }
}
TW_SIMD_KERNEL(move, (const struct tw_hillslope_creep *m, int32_t y), (m, y))

static void frame_row(const struct tw_hillslope_creep *m, float *map, int32_t y)
{
    float *row = map + (size_t)(y + 1) * m->stride + 1;
    row[-1] = m->wrap ? row[m->width - 1] : row[0];
    row[m->width] = m->wrap ? row[0] : row[m->width - 1];
}

/* What a step brings to the cell `here` of a closed border from the one inland of it; `along` leads
 * along the border. */
static TW_INLINE float flow_to_border(const struct tw_hillslope_creep *m, const float *here,
                                      ptrdiff_t inland, ptrdiff_t along)
{
    const float *next = here + inland;
    float side = (next[along] + here[along]) - (next[-along] + here[-along]);
    const float *soft = m->soft ? m->soft + (here - m->from) : NULL;
    if (soft)
        return m->rate *
               flow_soft(m->nonlinear, m->steep, here[0], next[0], side, soft[0], soft[inland]);
    return m->rate * (m->nonlinear ? flow(m->steep, here[0], next[0], side) : next[0] - here[0]);
}

static const float *hardness_at(const struct tw_hillslope_creep *m, int32_t y, int32_t x)
{
    return m->hardness ? m->hardness + (size_t)y * (size_t)m->width + (size_t)x : NULL;
}

/* One of the borders that are rows: `row`, and the step to the next row inland. */
struct edge {
    int32_t row, inland;
};

/* What hard ground of the whole apron does not give to cell x of the border, which needs `gain`. */
static float held_across(const struct tw_hillslope_creep *m, struct edge edge, int32_t x,
                         float gain)
{
    float held = 0;
    for (int32_t k = 1; m->hardness && k < m->apron.cells; k++)
        held += tw_border_apron_held(m->apron.share[k] * gain,
                                     hardness_at(m, edge.row + k * edge.inland, x));
    return held;
}

/* Adds to row `to` its part of the apron along the first or last row, the kth from there. */
static void lay_across(const struct tw_hillslope_creep *m, struct edge edge, int32_t k, float *to)
{
    const float *border = m->from + (size_t)(edge.row + 1) * m->stride + 1;
    ptrdiff_t inland = edge.inland * (ptrdiff_t)m->stride;
    float share = m->apron.share[k] - (k == 0 ? 1.0f : 0.0f);
    for (int32_t x = 0; x < m->width; x++) {
        float gain = flow_to_border(m, border + x, inland, 1), amount = share * gain;
        float held =
            k > 0 ? tw_border_apron_held(amount, hardness_at(m, edge.row + k * edge.inland, x))
                  : -held_across(m, edge, x, gain);
        to[x] += amount - held;
    }
}

static void lay_aprons(const struct tw_hillslope_creep *m, int32_t y)
{
    const ptrdiff_t stride = (ptrdiff_t)m->stride, last = m->width - 1;
    const float *here = m->from + (y + 1) * stride + 1;
    const struct edge north = {0, 1}, south = {m->height - 1, -1};
    float *to = m->to + (y + 1) * stride + 1;
    if (m->width > 1) {
        float west = flow_to_border(m, here, 1, stride);
        float east = flow_to_border(m, here + last, -1, stride);
        tw_border_apron_lay(&m->apron, to, 1, west, hardness_at(m, y, 0), 1);
        tw_border_apron_lay(&m->apron, to + last, -1, east, hardness_at(m, y, m->width - 1), -1);
    }
    if (m->height > 1 && y < m->apron.cells)
        lay_across(m, north, y, to);
    if (m->height > 1 && m->height - 1 - y < m->apron.cells)
        lay_across(m, south, m->height - 1 - y, to);
}

static void move_rows(void *context, int32_t begin, int32_t end)
{
    const struct tw_hillslope_creep *m = context;
    for (int32_t y = begin; y < end; y++) {
        m->move(m, y);
        if (m->apron.cells > 1)
            lay_aprons(m, y);
        frame_row(m, m->to, y);
    }
}

/* The frame's rows, once all others are there. */
static void frame_map(const struct tw_hillslope_creep *m, float *map)
{
    size_t bytes = m->stride * sizeof *map;
    float *first = map + m->stride, *last = map + (size_t)m->height * m->stride;
    memcpy(map, m->wrap ? last : first, bytes);
    memcpy(last + m->stride, m->wrap ? first : last, bytes);
}

static void load_rows(void *context, int32_t begin, int32_t end)
{
    const struct tw_hillslope_creep *m = context;
    for (int32_t y = begin; y < end; y++) {
        memcpy(m->from + (size_t)(y + 1) * m->stride + 1, m->in + (size_t)y * (size_t)m->width,
               (size_t)m->width * sizeof *m->to);
        frame_row(m, m->from, y);
    }
}

static void soften_rows(void *context, int32_t begin, int32_t end)
{
    const struct tw_hillslope_creep *m = context;
    for (int32_t y = begin; y < end; y++) {
        float *soft = m->soft + (size_t)(y + 1) * m->stride + 1;
        for (int32_t x = 0; x < m->width; x++)
            soft[x] = tw_softness(m->hardness[(size_t)y * (size_t)m->width + (size_t)x]);
        frame_row(m, m->soft, y);
    }
}

static void steepest_rows(void *context, int32_t begin, int32_t end)
{
    const struct tw_hillslope_creep *m = context;
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

double tw_hillslope_creep_stiffness(struct tw_task *task, struct tw_hillslope_creep *m)
{
    float steepest = 0;
    if (!m->nonlinear)
        return 1;
    tw_rows(task, m->height, 16, steepest_rows, m);
    for (int32_t y = 0; y < m->height; y++)
        steepest = tw_max(steepest, m->row_steepest[y]);
    double ratio = (double)m->steep * (double)steepest,
           most = 1 - 1 / (double)TW_HILLSLOPE_CREEP_LIMIT;
    ratio = ratio < most ? ratio : most;
    return (1 + ratio) / ((1 - ratio) * (1 - ratio));
}

bool tw_hillslope_creep_lay_out(struct tw_scratch *s, struct tw_hillslope_creep *m, bool hard)
{
    uint64_t rows = (uint64_t)tw_scratch_height(s) + 2;
    m->stride = (size_t)tw_scratch_width(s) + 2;
    m->to = tw_scratch_take(s, rows * m->stride, sizeof *m->to);
    m->from = tw_scratch_take(s, rows * m->stride, sizeof *m->from);
    m->row_steepest = tw_scratch_take(s, rows, sizeof *m->row_steepest);
    m->soft = hard ? tw_scratch_take(s, rows * m->stride, sizeof *m->soft) : NULL;
    return tw_scratch_is_laid(s);
}

enum tw_status tw_hillslope_creep_init(struct tw_task *task, struct tw_hillslope_creep *m)
{
    m->move = move(tw_task_simd(task));
    if (!tw_hillslope_creep_lay_out(&(struct tw_scratch){.task = task}, m, m->hardness))
        return tw_task_no_memory(task);
    tw_rows(task, m->height, 16, load_rows, m);
    frame_map(m, m->from);
    if (m->soft) {
        tw_rows(task, m->height, 16, soften_rows, m);
        frame_map(m, m->soft);
    }
    return TW_OK;
}

void tw_hillslope_creep_step(struct tw_task *task, struct tw_hillslope_creep *m)
{
    tw_rows(task, m->height, 16, move_rows, m);
    frame_map(m, m->to);
    float *old = m->from;
    m->from = m->to;
    m->to = old;
}
