/* SPDX-License-Identifier: MIT */
/* Virtual pipes; see the header. Equation numbers are those of Mei, Decaudin, Hu 2007. */
#include "erosion/kernels/virtual_pipes.h"
#include "common/ground_maps.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

#include <string.h>

enum { LANES = 16 };
#define DRY 1e-30f /* a depth that counts as none; avoids 0 / 0 */
#define ROOT_2 1.41421356f

/* Equations 2 to 5: pipes speed up with the difference of the water's surface; together they take
 * no more than there is. Their limit is one on the length of the flow, not on the sum of both
 * axes': thin water on slopes is always at it, and would run faster along the axes. */
static TW_INLINE void flow_cells(const struct tw_virtual_pipes *m, ptrdiff_t count,
                                 const float *ground, const float *water, const float *sediment,
                                 float *restrict left, float *restrict right, float *restrict up,
                                 float *restrict down, float *restrict load)
{
    const float *ground_up = ground - m->stride, *ground_down = ground + m->stride;
    const float *water_up = water - m->stride, *water_down = water + m->stride;
    float push = m->push, dt = m->dt, drag = m->drag;
    for (ptrdiff_t x = 0; x < count; x++) {
        float depth = water[x], surface = ground[x] + depth;
        float to_left = surface - (ground[x - 1] + water[x - 1]);
        float to_right = surface - (ground[x + 1] + water[x + 1]);
        float to_up = surface - (ground_up[x] + water_up[x]);
        float to_down = surface - (ground_down[x] + water_down[x]);
        float l = tw_max(0, drag * left[x] + push * to_left);
        float r = tw_max(0, drag * right[x] + push * to_right);
        float u = tw_max(0, drag * up[x] + push * to_up);
        float d = tw_max(0, drag * down[x] + push * to_down);
        float along = l + r, across = u + d;
        float asked = ROOT_2 * dt * sqrtf(along * along + across * across); /* >= dt (l+r+u+d) */
        float most = 0.999999f * depth;
        float share = most / tw_max(tw_max(asked, most), DRY);
        left[x] = l * share;
        right[x] = r * share;
        up[x] = u * share;
        down[x] = d * share;
        load[x] = dt * sediment[x] / tw_max(depth, DRY);
    }
}

static TW_INLINE void flow_body(const struct tw_virtual_pipes *m, int32_t y, struct tw_stretch s)
{
    size_t at = tw_virtual_pipes_row(m, y) + (size_t)s.begin;
    const struct tw_virtual_pipes k = *m; /* no store can change it */
    flow_cells(&k, s.end - s.begin, k.ground + at, k.water + at, k.sediment + at,
               k.flux[TW_VIRTUAL_PIPES_LEFT] + at, k.flux[TW_VIRTUAL_PIPES_RIGHT] + at,
               k.flux[TW_VIRTUAL_PIPES_UP] + at, k.flux[TW_VIRTUAL_PIPES_DOWN] + at, k.load + at);
}
TW_SIMD_KERNEL(flow, (const struct tw_virtual_pipes *m, int32_t y, struct tw_stretch s), (m, y, s))

/* Binomial weights over 3 x 3 cells. */
static TW_INLINE float smooth(const float *up, const float *at, const float *down, ptrdiff_t x)
{
    float left = (up[x - 1] + down[x - 1]) + 2 * at[x - 1];
    float right = (up[x + 1] + down[x + 1]) + 2 * at[x + 1];
    float middle = (up[x] + down[x]) + 2 * at[x];
    return 0.0625f * ((left + right) + 2 * middle);
}

/* Equations 6 to 14: water and sediment arrive and leave, then the ground gives or takes up to what
 * the water around could carry in the step before. By the cell's own water, rills one cell wide
 * would grow fastest, and only along rows and columns. What the ground gives is taken as the
 * difference of its rounded heights, so ground and sediment together keep their sum; the sediment
 * may fall below 0 by that rounding.
 */
static TW_INLINE void erode_cells(const struct tw_virtual_pipes *m, ptrdiff_t count, size_t at,
                                  const float *hardness, float *restrict water,
                                  float *restrict sediment, float *restrict next,
                                  float *restrict carries_next)
{
    size_t stride = m->stride;
    const float *left = m->flux[TW_VIRTUAL_PIPES_LEFT] + at,
                *right = m->flux[TW_VIRTUAL_PIPES_RIGHT] + at;
    const float *up = m->flux[TW_VIRTUAL_PIPES_UP] + at,
                *down = m->flux[TW_VIRTUAL_PIPES_DOWN] + at;
    const float *from_up = down - stride, *from_down = up + stride;
    const float *load = m->load + at, *load_up = load - stride, *load_down = load + stride;
    const float *ground = m->ground + at;
    const float *ground_up = ground - stride, *ground_down = ground + stride;
    const float *able = m->carries + at, *able_up = able - stride, *able_down = able + stride;
    float thin = 0.5f * m->inverse_depth;
    for (ptrdiff_t x = 0; x < count; x++) {
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
        carries_next[x] = carries * tw_min(1.0f, depth * thin);
        float own = load[x];
        float gone = (own * left[x] + own * right[x]) + (own * up[x] + own * down[x]);
        float come = (load[x - 1] * from_left + load[x + 1] * from_right) +
                     (load_up[x] * from_up[x] + load_down[x] * from_down[x]);
        float carried = (sediment[x] - gone) + come;
        float lack = smooth(able_up, able, able_down, x) - carried;
        float dissolve = hardness ? m->dissolve * tw_softness(hardness[x]) : m->dissolve;
        float taken = dissolve * tw_max(lack, 0) - m->deposit * tw_max(-lack, 0);
        float lower = z - taken;
        next[x] = lower;
        sediment[x] = carried + (z - lower);
        water[x] = after * m->keep;
    }
}

static TW_INLINE void erode_body(const struct tw_virtual_pipes *m, int32_t y, struct tw_stretch s)
{
    size_t at = tw_virtual_pipes_row(m, y) + (size_t)s.begin;
    ptrdiff_t count = s.end - s.begin;
    const struct tw_virtual_pipes k = *m;
    if (k.hardness)
        erode_cells(&k, count, at, k.hardness + (size_t)y * (size_t)k.width + s.begin, k.water + at,
                    k.sediment + at, k.next + at, k.carries_next + at);
    else
        erode_cells(&k, count, at, NULL, k.water + at, k.sediment + at, k.next + at,
                    k.carries_next + at);
}
TW_SIMD_KERNEL(erode, (const struct tw_virtual_pipes *m, int32_t y, struct tw_stretch s), (m, y, s))

/* The water that a row loses to the air, summed in lanes of fixed order. */
static TW_INLINE void sum_body(const struct tw_virtual_pipes *m, int32_t y)
{
    const float *water = m->water + tw_virtual_pipes_row(m, y);
    double left[LANES] = {0};
    int32_t x = 0;
    for (; x + LANES <= m->width; x += LANES)
        for (int k = 0; k < LANES; k++)
            left[k] += (double)water[x + k];
    for (; x < m->width; x++)
        left[0] += (double)water[x];
    double *totals = m->totals + (size_t)y * TW_VIRTUAL_PIPES_TOTALS;
    for (int k = 0; k < LANES; k++)
        totals[TW_VIRTUAL_PIPES_EVAPORATED] += left[k] * (1 / (double)m->keep - 1);
}
TW_SIMD_KERNEL(sum, (const struct tw_virtual_pipes *m, int32_t y), (m, y))

static void book_exports(const struct tw_virtual_pipes *m, int32_t y)
{
    size_t at = tw_virtual_pipes_row(m, y), last = (size_t)m->width - 1;
    double *totals = m->totals + (size_t)y * TW_VIRTUAL_PIPES_TOTALS;
    for (size_t x = 0; x <= last; x++) {
        double out = 0;
        out += x == 0 ? (double)m->flux[TW_VIRTUAL_PIPES_LEFT][at + x] : 0;
        out += x == last ? (double)m->flux[TW_VIRTUAL_PIPES_RIGHT][at + x] : 0;
        out += y == 0 ? (double)m->flux[TW_VIRTUAL_PIPES_UP][at + x] : 0;
        out += y == m->height - 1 ? (double)m->flux[TW_VIRTUAL_PIPES_DOWN][at + x] : 0;
        totals[TW_VIRTUAL_PIPES_WATER_OUT] += out * (double)m->dt;
        totals[TW_VIRTUAL_PIPES_SEDIMENT_OUT] += out * (double)m->load[at + x];
        if (x == 0 && y > 0 && y < m->height - 1 && last > 1)
            x = last - 1;
    }
}

static TW_INLINE void wet_body(const struct tw_virtual_pipes *m, int32_t y, struct tw_stretch s)
{
    float *restrict water = m->water + tw_virtual_pipes_row(m, y), falls = m->falls;
    const float *restrict mask = m->rain ? m->rain + (size_t)y * (size_t)m->width : NULL;
    for (int32_t x = s.begin; x < s.end; x++)
        water[x] += mask ? falls * mask[x] : falls;
}
TW_SIMD_KERNEL(wet, (const struct tw_virtual_pipes *m, int32_t y, struct tw_stretch s), (m, y, s))

static void book_rain(const struct tw_virtual_pipes *m, int32_t y)
{
    const float *mask = m->rain ? m->rain + (size_t)y * (size_t)m->width : NULL;
    double fallen = 0;
    for (int32_t x = 0; mask && x < m->width; x++)
        fallen += (double)(m->falls * mask[x]);
    m->totals[(size_t)y * TW_VIRTUAL_PIPES_TOTALS + TW_VIRTUAL_PIPES_RAINED] +=
        mask ? fallen : (double)m->falls * m->width;
}

static void rain_row(const struct tw_virtual_pipes *m, int32_t y, struct tw_stretch s)
{
    m->wet(m, y, s);
    if (m->totals)
        book_rain(m, y);
}

/* Fills the frame beyond row y of the border: a copy of row y, or empty of water. */
static void frame_beyond(const struct tw_virtual_pipes *m, int32_t y, int32_t beyond,
                         struct tw_stretch s)
{
    size_t left = s.begin == 0, right = s.end == m->width; /* corners */
    size_t from = tw_virtual_pipes_row(m, y) + (size_t)s.begin - left;
    size_t to = tw_virtual_pipes_row(m, beyond) + (size_t)s.begin - left;
    size_t bytes = (left + (size_t)(s.end - s.begin) + right) * sizeof(float);
    memcpy(m->next + to, m->next + from, bytes);
    memcpy(m->carries_next + to, m->carries_next + from, bytes);
    if (m->open >> (beyond < 0 ? TW_SIDE_NORTH : TW_SIDE_SOUTH) & 1)
        memset(m->water + to, 0, bytes);
    else
        memcpy(m->water + to, m->water + from, bytes);
}

/* Fills the frame of m->next, m->carries_next and m->water at the ends of row y, once that row is
 * computed. */
static void frame_row(const struct tw_virtual_pipes *m, int32_t y, struct tw_stretch s)
{
    size_t first = tw_virtual_pipes_row(m, y), last = first + (size_t)m->width - 1;
    if (s.begin == 0) {
        m->next[first - 1] = m->next[first];
        m->carries_next[first - 1] = m->carries_next[first]; /* water carries as much as on it */
        m->water[first - 1] = m->open >> TW_SIDE_WEST & 1 ? 0 : m->water[first];
    }
    if (s.end == m->width) {
        m->next[last + 1] = m->next[last];
        m->carries_next[last + 1] = m->carries_next[last];
        m->water[last + 1] = m->open >> TW_SIDE_EAST & 1 ? 0 : m->water[last];
    }
    if (y == 0)
        frame_beyond(m, y, -1, s);
    if (y == m->height - 1)
        frame_beyond(m, y, m->height, s);
}

static void load_rows(void *context, int32_t begin, int32_t end)
{
    const struct tw_virtual_pipes *m = context;
    const struct tw_stretch row = {0, m->width};
    for (int32_t y = begin; y < end; y++) {
        memcpy(m->next + tw_virtual_pipes_row(m, y), m->in + (size_t)y * (size_t)m->width,
               (size_t)m->width * sizeof(float));
        rain_row(m, y, row);
        frame_row(m, y, row);
    }
}

/* The maps as step `step` finds them: it reads what the one before has written as next. */
static struct tw_virtual_pipes at_step(const struct tw_virtual_pipes *m, int64_t step)
{
    struct tw_virtual_pipes at = *m;
    if (step % 2 == 0) {
        at.ground = m->next;
        at.next = m->ground;
        at.carries = m->carries_next;
        at.carries_next = m->carries;
    }
    return at;
}

static void erode_row(const struct tw_virtual_pipes *m, int32_t y, struct tw_stretch s, bool last)
{
    m->erode(m, y, s);
    if (m->totals)
        m->sum(m, y);
    if (m->totals && m->open)
        book_exports(m, y);
    if (m->falls > 0 && !last)
        rain_row(m, y, s);
    frame_row(m, y, s);
}

struct run {
    const struct tw_virtual_pipes *m;
    int64_t passes;
};

/* Even passes are those of the pipes, odd ones of everything else. */
static void run_stretch(void *context, int64_t pass, int32_t y, struct tw_stretch stretch)
{
    const struct run *run = context;
    const struct tw_virtual_pipes at = at_step(run->m, pass / 2);
    if (pass % 2 == 0)
        at.flow(&at, y, stretch);
    else
        erode_row(&at, y, stretch, pass + 1 == run->passes);
}

enum { MAPS = 11 };

static uint64_t stride_of(int32_t width)
{
    enum { LEAD = TW_VIRTUAL_PIPES_LEAD };
    return ((uint64_t)width + LEAD) / LEAD * LEAD + LEAD;
}

static void *take_zeros(struct tw_scratch *s, uint64_t count, size_t size)
{
    void *block = tw_scratch_take(s, count, size);
    return block ? memset(block, 0, (size_t)count * size) : NULL;
}

bool tw_virtual_pipes_lay_out(struct tw_scratch *s, struct tw_virtual_pipes *m, bool totals)
{
    const int32_t width = tw_scratch_width(s), height = tw_scratch_height(s);
    *m = (struct tw_virtual_pipes){
        .width = width, .height = height, .stride = (size_t)stride_of(width)};
    float **maps[MAPS] = {&m->ground,  &m->next,    &m->water,       &m->sediment,
                          &m->load,    &m->flux[0], &m->flux[1],     &m->flux[2],
                          &m->flux[3], &m->carries, &m->carries_next};
    for (size_t i = 0; i < MAPS; i++)
        *maps[i] = take_zeros(s, ((uint64_t)height + 2) * m->stride, sizeof(float));
    if (totals)
        m->totals = take_zeros(s, (uint64_t)height * TW_VIRTUAL_PIPES_TOTALS, sizeof *m->totals);
    return tw_scratch_is_laid(s);
}

enum tw_status tw_virtual_pipes_init(struct tw_task *task, struct tw_virtual_pipes *m, bool totals)
{
    enum tw_simd simd = tw_task_simd(task);
    if (!tw_virtual_pipes_lay_out(&(struct tw_scratch){.task = task}, m, totals))
        return tw_task_no_memory(task);
    m->flow = flow(simd);
    m->erode = erode(simd);
    m->wet = wet(simd);
    m->sum = sum(simd);
    return TW_OK;
}

enum tw_status tw_virtual_pipes_run(struct tw_task *task, struct tw_virtual_pipes *m, int32_t steps)
{
    struct run run = {m, 2 * (int64_t)steps};
    const struct tw_split_tiling tiling = {.rows = m->height,
                                           .columns = m->width,
                                           .passes = run.passes,
                                           .cell_bytes = MAPS * sizeof(float),
                                           .whole_rows = m->totals != NULL, /* sums of rows */
                                           .relax = run_stretch,
                                           .context = &run};
    if (steps == 0)
        m->falls = 0;
    tw_rows(task, m->height, 16, load_rows, m);
    enum tw_status status = tw_split_tiling_run(task, &tiling);
    *m = at_step(m, steps);
    return status;
}
