/* SPDX-License-Identifier: MIT */
/* The shadow's upper border S is carried row by row away from the sun: at most one cell sideways
 * and tan(altitude) down per cell. Nine suns, three azimuths by three altitudes, make it soft; each
 * sweep writes whole numbers, so sums do not depend on who adds them. When the sun is nearer to
 * east or west than to north or south, the map is transposed, which turns columns into rows. */
#include "render/kernels/shadow_sweep.h"

#include <thalweg/kernel.h>
#include <thalweg/scratch.h>
#include <thalweg/simd.h>

enum { SUNS = 9, GROUPS = 4, UNIT = 85, TILE = 32 };
#define PENUMBRA 0.8f /* cells over which a border of a single sun fades */
#define BELOW 1e6f    /* cells: no shadow reaches the row at the sun */
#define LOWEST 0.05   /* degrees: a sun on the horizon would cast endless shadows */

struct sweep {
    const float *z; /* transposed when `turned` */
    float sea;
    int32_t width, height;
    bool down;          /* the first row is the one at the sun */
    float offset[SUNS]; /* columns from a cell to where its light crosses the row before */
    float drop[SUNS];   /* of the ray from row to row */
    uint8_t *sum[GROUPS];
    float *border[GROUPS]; /* S of two rows per group */
    struct tw_task *task;
    enum tw_simd simd;
};

/* Suns of group g: 2, 2, 2 and 3. */
static int first_sun(int group) { return 2 * group; }
static int last_sun(int group) { return group == GROUPS - 1 ? SUNS : 2 * group + 2; }

/* One row of one sun. `before` and `after` have a cell of padding at both ends. */
static TW_INLINE void step_body(const float *z, float sea, const float *before, float *after,
                                uint8_t *sum, int32_t width, float offset, float drop)
{
    int32_t side = offset < 0 ? -1 : 1;
    float share = offset < 0 ? -offset : offset;
    const float *beside = before + side;
    TW_INDEPENDENT
    for (int32_t x = 0; x < width; x++) {
        float s = before[x] + (beside[x] - before[x]) * share - drop;
        float top = tw_max(z[x], sea);
        float lit = tw_clamp((top - s) * (1.0f / PENUMBRA) + 0.6f, 0.0f, 1.0f);
        float level = lit * (float)UNIT + 0.5f;
        sum[x] = (uint8_t)(sum[x] + (uint8_t)(int32_t)level);
        after[x] = tw_max(top, s);
    }
}
TW_SIMD_KERNEL(step,
               (const float *z, float sea, const float *before, float *after, uint8_t *sum,
                int32_t width, float offset, float drop),
               (z, sea, before, after, sum, width, offset, drop))

static void pad(float *row, int32_t width)
{
    row[-1] = row[0];
    row[width] = row[width - 1];
}

static void sweep_sun(const struct sweep *s, int group, int sun)
{
    float *before = s->border[group] + 1, *after = before + s->width + 2;
    for (int32_t i = 0; i < s->height; i++) {
        size_t row = (size_t)(s->down ? i : s->height - 1 - i) * (size_t)s->width;
        if (i == 0)
            for (int32_t x = 0; x < s->width; x++)
                before[x] = tw_max(s->z[row + (size_t)x], s->sea) - BELOW;
        pad(before, s->width);
        step(s->simd)(s->z + row, s->sea, before, after, s->sum[group] + row, s->width,
                      s->offset[sun], s->drop[sun]);
        float *swap = before;
        before = after;
        after = swap;
        if (i % 256 == 0 && tw_task_cancelled(s->task))
            return;
    }
}

static void sweep_groups(void *context, int32_t begin, int32_t end)
{
    const struct sweep *s = context;
    size_t cells = (size_t)s->width * (size_t)s->height;
    for (int32_t group = begin; group < end; group++) {
        memset(s->sum[group], 0, cells);
        for (int sun = first_sun(group); sun < last_sun(group); sun++)
            sweep_sun(s, group, sun);
    }
}

struct transposition {
    const float *from;
    float *to;
    int32_t width, height; /* of `from` */
};

static void transpose_rows(void *context, int32_t begin, int32_t end)
{
    const struct transposition *t = context;
    for (int32_t y0 = begin * TILE; y0 < t->height && y0 < end * TILE; y0 += TILE)
        for (int32_t x0 = 0; x0 < t->width; x0 += TILE)
            for (int32_t x = x0; x < x0 + TILE && x < t->width; x++)
                for (int32_t y = y0; y < y0 + TILE && y < t->height; y++)
                    t->to[(size_t)x * (size_t)t->height + (size_t)y] =
                        t->from[(size_t)y * (size_t)t->width + (size_t)x];
}

struct total {
    const struct sweep *sweep;
    uint8_t *shares; /* in the order of the sweep; may be its first sum */
    uint8_t *lit;    /* in that of the map, where the sweep is turned */
};

static TW_INLINE void share_body(const struct sweep *s, uint8_t *to, size_t begin, size_t end)
{
    const uint8_t *a = s->sum[0], *b = s->sum[1], *c = s->sum[2], *d = s->sum[3];
    TW_INDEPENDENT
    for (size_t i = begin; i < end; i++) {
        uint32_t sum = (uint32_t)a[i] + b[i] + c[i] + d[i];
        to[i] = (uint8_t)((sum * 255 + SUNS * UNIT / 2) / (SUNS * UNIT));
    }
}
TW_SIMD_KERNEL(share, (const struct sweep *s, uint8_t *to, size_t begin, size_t end),
               (s, to, begin, end))

static void share_rows(void *context, int32_t begin, int32_t end)
{
    const struct total *t = context;
    size_t width = (size_t)t->sweep->width;
    share(t->sweep->simd)(t->sweep, t->shares, (size_t)begin * width, (size_t)end * width);
}

/* Rows of the map, which are columns of the sweep, by TILE. */
static void turn_rows(void *context, int32_t begin, int32_t end)
{
    const struct total *t = context;
    int32_t width = t->sweep->height, height = t->sweep->width;
    for (int32_t y0 = begin * TILE; y0 < height && y0 < end * TILE; y0 += TILE)
        for (int32_t x0 = 0; x0 < width; x0 += TILE)
            for (int32_t y = y0; y < y0 + TILE && y < height; y++)
                for (int32_t x = x0; x < x0 + TILE && x < width; x++)
                    t->lit[(size_t)y * (size_t)width + (size_t)x] =
                        t->shares[(size_t)x * (size_t)height + (size_t)y];
}

/* Towards the sun: east and south per cell of the way to it. */
static void aim(const struct tw_shadow_sweep *sweep, bool turned, struct sweep *s)
{
    double flat = tw_cos_degrees(sweep->altitude), d = sweep->softness;
    flat = flat > 0.05 ? flat : 0.05;
    for (int sun = 0; sun < SUNS; sun++) {
        double aside = (sun / 3 - 1) * d, azimuth = sweep->azimuth + aside / flat;
        double altitude = sweep->altitude + (sun % 3 - 1) * 0.8 * d + 0.25 * aside;
        altitude = altitude < LOWEST ? LOWEST : altitude > 89.9 ? 89.9 : altitude;
        double east = tw_sin_degrees(azimuth), south = -tw_cos_degrees(azimuth);
        double along = turned ? east : south, across = turned ? south : east;
        along = fabs(along);
        double offset = along > 0 ? across / along : 0;
        offset = offset > 1 ? 1 : offset < -1 ? -1 : offset;
        s->offset[sun] = (float)offset;
        s->drop[sun] = (float)(sqrt(1 + offset * offset) * tw_sin_degrees(altitude) /
                               tw_cos_degrees(altitude));
    }
}

static bool lay_out(struct tw_scratch *scratch, struct sweep *s, float **turned)
{
    uint64_t cells = (uint64_t)s->width * (uint64_t)s->height;
    if (turned)
        *turned = tw_scratch_take(scratch, cells, sizeof **turned);
    for (int i = 0; i < GROUPS; i++) {
        s->sum[i] = tw_scratch_take(scratch, cells, 1);
        s->border[i] = tw_scratch_take(scratch, 2 * ((uint64_t)s->width + 2), sizeof(float));
    }
    return tw_scratch_is_laid(scratch);
}

enum tw_status tw_shadow_sweep_cast(struct tw_task *task, const struct tw_shadow_sweep *sweep,
                                    uint8_t *lit)
{
    double east = tw_sin_degrees(sweep->azimuth), north = tw_cos_degrees(sweep->azimuth);
    bool turned = fabs(east) > fabs(north);
    float *columns = NULL;
    struct sweep s = {.z = sweep->z,
                      .sea = sweep->sea,
                      .width = turned ? sweep->height : sweep->width,
                      .height = turned ? sweep->width : sweep->height,
                      .down = turned ? east < 0 : north > 0,
                      .task = task,
                      .simd = tw_task_simd(task)};
    aim(sweep, turned, &s);
    if (!lay_out(&(struct tw_scratch){.task = task}, &s, turned ? &columns : NULL))
        return tw_task_no_memory(task);
    if (turned) {
        struct transposition t = {sweep->z, columns, sweep->width, sweep->height};
        tw_rows(task, (sweep->height - 1) / TILE + 1, 1, transpose_rows, &t);
        s.z = columns;
    }
    tw_rows(task, GROUPS, 1, sweep_groups, &s);
    struct total total = {&s, turned ? s.sum[0] : lit, lit};
    tw_rows(task, s.height, 16, share_rows, &total);
    if (turned)
        tw_rows(task, (sweep->height - 1) / TILE + 1, 1, turn_rows, &total);
    return tw_task_cancelled(task) ? TW_CANCELLED : TW_OK;
}

void tw_shadow_sweep_forecast(struct tw_forecast *f, int32_t width, int32_t height)
{
    const bool wide = width > height;
    struct sweep s = {.width = wide ? width : height, .height = wide ? height : width};
    float *turned;
    lay_out(&(struct tw_scratch){.forecast = f}, &s, &turned);
}
