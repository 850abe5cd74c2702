/* SPDX-License-Identifier: MIT */
/* Rays of a packet of cells march together. Where the lowest of them is above all terrain that they
 * may cross in some steps, found in a pyramid of maxima as in render/kernels/heightfield_raycast.c,
 * these steps are skipped. */
#include "common/shadows/shadows.h"
#include "common/shadows/crossings.h"

#include <thalweg/kernel.h>
#include <thalweg/rescale.h>
#include <thalweg/scratch.h>

enum { PACKET = TW_SHADOW_PACKET, TILE = TW_SHADOW_STEPS, TILE_BITS = 3, LEVELS = 14 };
_Static_assert(TILE_BITS == 3 && TILE == 8, "a tile is 2^TILE_BITS wide");
enum { SQUARE = 8 }; /* packets each way that are lit one after the other, near in memory */
#define NO_HEIGHT (-1e300)

struct cast {
    struct tw_shadow_march march;
    struct tw_shadow_way ways[2];
    int ways_count;
    int32_t strides[2][LEVELS]; /* steps that a way takes through a tile */
    float *lit;
    double slack;   /* above the rounding error of a height between two cells, or of where it is */
    int32_t levels; /* a tile of level l is TILE 2^l cells wide */
    int32_t across[LEVELS];
    float *tops[LEVELS]; /* the greatest height of each tile */
};

struct span {
    int32_t first, last;
};

/* The tiles of cells, of which there are `size`. */
static struct span tiles_of(struct span cells, int32_t size, int level)
{
    int32_t first = cells.first > 0 ? cells.first : 0;
    int32_t last = cells.last < size ? cells.last : size - 1;
    return (struct span){first >> (TILE_BITS + level), last >> (TILE_BITS + level)};
}

static float higher(float a, float b) { return a > b ? a : b; }

/* The greatest height of the tiles that meet the rectangle; NO_HEIGHT outside the map. */
static double top_of(const struct cast *cast, int level, struct span columns, struct span rows)
{
    int32_t width = cast->march.width, height = cast->march.height;
    if (columns.last < 0 || rows.last < 0 || columns.first >= width || rows.first >= height)
        return NO_HEIGHT;
    struct span x = tiles_of(columns, width, level), y = tiles_of(rows, height, level);
    const float *tops = cast->tops[level] + (size_t)y.first * (size_t)cast->across[level];
    float highest = -INFINITY;
    for (int32_t row = y.first; row <= y.last; row++, tops += cast->across[level]) {
        float along = tops[x.first]; /* so that rows do not wait for each other */
        for (int32_t column = x.first + 1; column <= x.last; column++)
            along = higher(tops[column], along);
        highest = higher(along, highest);
    }
    return (double)highest * cast->march.scale;
}

/* Returns how far along the other axis step k crosses, rounded down; not much more than the map. */
static int32_t offset_of(const struct tw_shadow_march *m, const struct tw_shadow_way *way,
                         int32_t k)
{
    double offset = way->across * (way->length * (double)k);
    double beyond = (double)m->width + (double)m->height;
    offset = offset < beyond ? offset : beyond;
    offset = offset > -beyond ? offset : -beyond;
    return (int32_t)offset - (offset < 0);
}

/* Returns a bound on the heights that the packet's rays cross from step k to before `end`. */
static double top_ahead(const struct cast *cast, const struct tw_shadow_way *way,
                        const struct tw_shadow_packet *b, int level, int32_t k, int32_t end)
{
    int32_t a = offset_of(&cast->march, way, k), z = offset_of(&cast->march, way, end - 1);
    struct span along = {way->sign > 0 ? k : 1 - end, way->sign > 0 ? end - 1 : -k};
    struct span aside = {a < z ? a : z, (a < z ? z : a) + 1};
    struct span dx = way->columns ? along : aside, dy = way->columns ? aside : along;
    struct span columns = {b->x + dx.first, b->x + b->across - 1 + dx.last};
    struct span rows = {b->y + dy.first, b->y + b->down - 1 + dy.last};
    return top_of(cast, level, columns, rows) + cast->slack;
}

/* Up a level after steps that were skipped, down one where the terrain may reach a ray. */
static void follow(const struct cast *cast, int i, struct tw_shadow_packet *b)
{
    const struct tw_shadow_march *m = &cast->march;
    const struct tw_shadow_way *way = &cast->ways[i];
    int32_t size = way->columns ? m->width : m->height, level = 0, end = 0;
    int32_t first = way->columns ? b->x : b->y, count = way->columns ? b->across : b->down;
    int32_t last = way->sign > 0 ? size - 1 - first : first + count - 1;
    for (int32_t k = 1; k <= last; k = end) {
        double ray = b->lowest + way->length * (double)k * m->rise;
        if (ray > m->highest)
            return;
        int32_t stride = cast->strides[i][level];
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

static void plan_ways(struct cast *cast)
{
    const struct tw_shadow_march *m = &cast->march;
    for (int axis = 0; axis < 2; axis++) {
        double along = axis == 0 ? m->x : m->y, across = axis == 0 ? m->y : m->x;
        if (fabs(along) < 1e-9)
            continue;
        int i = cast->ways_count++;
        cast->ways[i] = (struct tw_shadow_way){axis == 0, along > 0 ? 1 : -1, 1 / fabs(along),
                                               across, fabs(along) == fabs(across)};
        for (int level = 0; level < cast->levels; level++) {
            double steps = (double)(TILE << level) / cast->ways[i].length;
            cast->strides[i][level] = steps > 1 ? (int32_t)steps : 1;
        }
        if (cast->ways[i].diagonal)
            return;
    }
}

static void light_packet(const struct cast *cast, int32_t x, int32_t y)
{
    struct tw_shadow_packet b;
    tw_shadow_start(&cast->march, &b, x, y);
    for (int i = 0; i < cast->ways_count; i++)
        follow(cast, i, &b);
    for (int32_t row = 0; row < b.down; row++) {
        float *lit = cast->lit + (size_t)(y + row) * (size_t)cast->march.width + (size_t)x;
        for (int32_t i = 0; i < b.across; i++)
            lit[i] = b.from[row][i] < INFINITY ? 1.0f : 0.0f;
    }
}

static void light_rows(void *context, int32_t begin, int32_t end)
{
    const struct cast *cast = context;
    int32_t across = (cast->march.width - 1) / PACKET + 1, down = end - begin;
    int32_t squares = (across - 1) / SQUARE + 1;
    for (int32_t i = 0; i < (down - 1) / SQUARE * squares + squares; i++) {
        int32_t left = i % squares * SQUARE, top = begin + i / squares * SQUARE;
        int32_t right = left + SQUARE < across ? left + SQUARE : across;
        int32_t bottom = top + SQUARE < end ? top + SQUARE : end;
        for (int32_t y = top; y < bottom; y++)
            for (int32_t x = left; x < right; x++)
                light_packet(cast, x * PACKET, y * PACKET);
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

/* Fills the tops, or counts them for the forecast; false without memory. */
static bool build_tops(struct tw_scratch *s, struct cast *cast)
{
    const struct tw_shadow_march *m = &cast->march;
    struct rise r = {m->heights, NULL, m->width, m->height, 0, TILE};
    do {
        int32_t down = (r.from_down - 1) / r.side + 1;
        r.across = (r.from_across - 1) / r.side + 1;
        r.to = tw_scratch_take(s, (uint64_t)r.across * (uint64_t)down, sizeof *r.to);
        if (!tw_scratch_is_laid(s))
            return false;
        if (r.to)
            tw_rows(s->task, down, 8, raise_rows, &r);
        cast->across[cast->levels] = r.across;
        cast->tops[cast->levels++] = r.to;
        r = (struct rise){r.to, NULL, r.across, down, 0, 2};
    } while (r.from_across > 1 || r.from_down > 1);
    return true;
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
        !build_tops(&(struct tw_scratch){.task = task}, &cast))
        return tw_task_no_memory(task);
    m->highest = (double)span.high * m->scale;
    cast.slack = 1e-9 * (fabs(m->highest) + fabs((double)span.low * m->scale));
    plan_ways(&cast);
    tw_shadow_set_bounds(m, tw_max(fabsf(span.low), fabsf(span.high)));
    tw_rows(task, (m->height - 1) / PACKET + 1, 1, light_rows, &cast);
    return TW_OK;
}

void tw_shadows_forecast(struct tw_forecast *f)
{
    struct cast cast = {.march = {.width = f->width, .height = f->height}};
    tw_rescale_forecast(f);
    build_tops(&(struct tw_scratch){.forecast = f}, &cast);
}
