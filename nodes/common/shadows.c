/* SPDX-License-Identifier: MIT */
/* Rays of a block of cells march together. Where the lowest of them is above all terrain that they
 * may cross in some steps, found in a pyramid of maxima as in render/kernels/heightfield_raycast.c,
 * these steps are skipped. */
#include "common/shadows.h"
#include "common/shadow_crossings.h"

#include <thalweg/kernel.h>
#include <thalweg/rescale.h>

enum { BLOCK = TW_SHADOW_BLOCK, TILE = TW_SHADOW_STEPS, LEVELS = 14 };
#define NO_HEIGHT (-1e300)

struct cast {
    struct tw_shadow_march march;
    float *lit;
    double slack;   /* above the rounding error of a height between two cells */
    int32_t levels; /* a tile of level l is TILE 2^l cells wide */
    int32_t across[LEVELS];
    float *tops[LEVELS]; /* the greatest height of each tile */
};

static double lower(double a, double b) { return b < a ? b : a; }

/* The greatest height of the tiles that meet the rectangle; NO_HEIGHT outside the map. */
static double top_of(const struct cast *cast, int level, double left, double top, double right,
                     double bottom)
{
    double x_last = cast->march.width - 1, y_last = cast->march.height - 1;
    if (right < 0 || bottom < 0 || left > x_last || top > y_last)
        return NO_HEIGHT;
    int32_t size = TILE << level;
    int32_t x0 = left > 0 ? (int32_t)left / size : 0, y0 = top > 0 ? (int32_t)top / size : 0;
    int32_t x1 = (int32_t)(right < x_last ? right : x_last) / size;
    int32_t y1 = (int32_t)(bottom < y_last ? bottom : y_last) / size;
    float highest = -INFINITY;
    for (int32_t y = y0; y <= y1; y++)
        for (int32_t x = x0; x <= x1; x++) {
            float tile = cast->tops[level][(size_t)y * (size_t)cast->across[level] + (size_t)x];
            highest = tile > highest ? tile : highest;
        }
    return (double)highest * cast->march.scale;
}

/* No height that the block's rays cross from step k to before `end` is greater. */
static double top_ahead(const struct cast *cast, const struct tw_shadow_way *way,
                        const struct tw_shadow_block *b, int level, int32_t k, int32_t end)
{
    double a = way->across * (way->length * (double)k);
    double z = way->across * (way->length * (double)(end - 1));
    double least = lower(a, z) - 1, most = a + z - lower(a, z) + 2;
    double near = way->sign > 0 ? k : 1 - end, far = way->sign > 0 ? end - 1 : -k;
    double right = b->x + b->across - 1, bottom = b->y + b->down - 1;
    double top = way->columns
                     ? top_of(cast, level, b->x + near, b->y + least, right + far, bottom + most)
                     : top_of(cast, level, b->x + least, b->y + near, right + most, bottom + far);
    return top + cast->slack;
}

/* Up a level after steps that were skipped, down one where the terrain may reach a ray. */
static void follow(const struct cast *cast, const struct tw_shadow_way *way,
                   struct tw_shadow_block *b)
{
    const struct tw_shadow_march *m = &cast->march;
    int32_t size = way->columns ? m->width : m->height, level = 0, end = 0;
    int32_t first = way->columns ? b->x : b->y, count = way->columns ? b->across : b->down;
    int32_t last = way->sign > 0 ? size - 1 - first : first + count - 1;
    for (int32_t k = 1; k <= last; k = end) {
        double ray = b->lowest + way->length * (double)k * m->rise;
        if (ray > m->highest)
            return;
        double steps = (double)(TILE << level) / way->length;
        int32_t stride = steps > 1 ? (int32_t)steps : 1;
        end = (k / stride + 1) * stride;
        double top = top_ahead(cast, way, b, level, k, end);
        if (ray > top) {
            level += level < cast->levels - 1;
        } else if (level > 0) {
            level--;
            end = k;
        } else {
            tw_shadow_cross(m, way, b, k, end, top);
        }
    }
}

static void light_block(const struct cast *cast, struct tw_shadow_block *b)
{
    const struct tw_shadow_march *m = &cast->march;
    for (int axis = 0; axis < 2; axis++) {
        double along = axis == 0 ? m->x : m->y;
        struct tw_shadow_way way = {axis == 0, along > 0 ? 1 : -1, 1 / fabs(along),
                                    axis == 0 ? m->y : m->x};
        if (axis == 0)
            tw_shadow_cross(m, &way, b, 1, 1, INFINITY); /* no step: finds the lowest */
        if (fabs(along) >= 1e-9)
            follow(cast, &way, b);
    }
}

static void light_rows(void *context, int32_t begin, int32_t end)
{
    const struct cast *cast = context;
    int32_t width = cast->march.width, height = cast->march.height;
    int32_t blocks = (width - 1) / BLOCK + 1;
    for (int32_t i = begin * blocks; i < end * blocks; i++) {
        struct tw_shadow_block b = {.x = i % blocks * BLOCK, .y = i / blocks * BLOCK};
        b.across = b.x + BLOCK < width ? BLOCK : width - b.x;
        b.down = b.y + BLOCK < height ? BLOCK : height - b.y;
        light_block(cast, &b);
        for (int32_t row = 0; row < b.down; row++) {
            float *lit = cast->lit + (size_t)(b.y + row) * (size_t)width + (size_t)b.x;
            for (int32_t x = 0; x < b.across; x++)
                lit[x] = b.dark[row][x] ? 0.0f : 1.0f;
        }
    }
}

/* The greatest of the tiles, or cells, of a square of `side` below a tile. */
struct rise {
    const float *from;
    float *to;
    int32_t from_across, from_down, across, side;
};

static float greatest_of(const float *cells, int32_t count, float greatest)
{
    for (int32_t i = 0; i < count; i++)
        greatest = cells[i] > greatest ? cells[i] : greatest;
    return greatest;
}

static void raise_row(const struct rise *r, const float *from, float *to)
{
    int32_t side = r->side, whole = r->from_across / side;
    if (side == TILE)
        for (int32_t x = 0; x < whole; x++)
            to[x] = greatest_of(from + x * TILE, TILE, to[x]);
    else
        for (int32_t x = 0; x < whole; x++)
            to[x] = greatest_of(from + x * side, side, to[x]);
    if (whole < r->across)
        to[whole] = greatest_of(from + whole * side, r->from_across - whole * side, to[whole]);
}

static void raise_rows(void *context, int32_t begin, int32_t end)
{
    const struct rise *r = context;
    for (int32_t row = begin; row < end; row++) {
        float *to = r->to + (size_t)row * (size_t)r->across;
        int32_t top = row * r->side;
        int32_t bottom = top + r->side < r->from_down ? top + r->side : r->from_down;
        for (int32_t x = 0; x < r->across; x++)
            to[x] = -INFINITY;
        for (int32_t y = top; y < bottom; y++)
            raise_row(r, r->from + (size_t)y * (size_t)r->from_across, to);
    }
}

static enum tw_status build_tops(struct tw_task *task, struct cast *cast)
{
    const struct tw_shadow_march *m = &cast->march;
    struct rise r = {m->heights, NULL, m->width, m->height, 0, TILE};
    do {
        int32_t down = (r.from_down - 1) / r.side + 1;
        r.across = (r.from_across - 1) / r.side + 1;
        r.to = tw_task_scratch(task, (size_t)r.across * (size_t)down, sizeof *r.to);
        if (!r.to)
            return tw_task_no_memory(task);
        tw_rows(task, down, 8, raise_rows, &r);
        cast->across[cast->levels] = r.across;
        cast->tops[cast->levels++] = r.to;
        r = (struct rise){r.to, NULL, r.across, down, 0, 2};
    } while (r.from_across > 1 || r.from_down > 1);
    return TW_OK;
}

enum tw_status tw_shadows_cast(struct tw_task *task, const struct tw_shadow_light *light,
                               const float *heights, float *lit)
{
    struct tw_span span;
    struct cast cast = {.march = {.heights = heights,
                                  .scale = light->scale,
                                  .width = tw_task_width(task),
                                  .height = tw_task_height(task),
                                  .x = tw_sin_degrees(light->azimuth),
                                  .y = -tw_cos_degrees(light->azimuth),
                                  .rise = tw_cos_degrees(light->tilt) / tw_sin_degrees(light->tilt),
                                  .simd = tw_task_simd(task)},
                        .lit = lit};
    struct tw_shadow_march *m = &cast.march;
    if (tw_span_find(task, heights, m->width, m->height, &span) != TW_OK ||
        build_tops(task, &cast) != TW_OK)
        return TW_MEMORY;
    m->highest = (double)span.high * m->scale;
    cast.slack = 1e-14 * (fabs(m->highest) + fabs((double)span.low * m->scale));
    tw_shadow_set_bounds(m, tw_max(fabsf(span.low), fabsf(span.high)));
    tw_rows(task, (m->height - 1) / BLOCK + 1, 1, light_rows, &cast);
    return TW_OK;
}

void tw_shadows_forecast(struct tw_forecast *f)
{
    uint64_t across = (uint64_t)f->width, down = (uint64_t)f->height, side = TILE;
    tw_rescale_forecast(f);
    do {
        across = (across - 1) / side + 1;
        down = (down - 1) / side + 1;
        tw_forecast_scratch(f, across * down, sizeof(float));
        side = 2;
    } while (across > 1 || down > 1);
}
