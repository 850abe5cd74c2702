/* SPDX-License-Identifier: MIT */
/* A tile's row is 16 cells, worked on as vectors without branches. Lengths are measured from the
 * segment's point nearest to the tile's centre, so that floats do for segments of any length. */
#include "path/kernels/earthwork.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

/* Levees rise at most that far above the ground. */
static const float LEVEE_MAX = 0.02f;

/* A segment as seen from a row of a tile, and constants of the work. */
struct view {
    float x, y;             /* from the segment's nearest point to the row's first cell */
    float ux, uy, per_cell; /* along the segment; 1 / its square length */
    float at, left, right;  /* that point on the segment, 0 to 1; from there to the ends */
    float z, dz, depth, ddepth, half, dhalf; /* at the first end, and to the other end */
    float top, per_bank, per_plain;          /* in half widths */
    float fill, cut, per_shoulder;           /* per cell; 1 / half widths */
    float sign;                              /* -1: a trench; 1: a dam */
    int32_t line, point;
};

struct place {
    float square, r, z, depth, half;
};

static TW_INLINE float smoothstep(float t)
{
    t = tw_clamp(t, 0, 1);
    return t * t * (3 - 2 * t);
}

/* Cell k of the row on the segment. */
static TW_INLINE struct place place_of(const struct view *v, int32_t k)
{
    const float x = v->x + (float)k;
    const float moved = tw_clamp((x * v->ux + v->y * v->uy) * v->per_cell, v->left, v->right);
    const float dx = x - moved * v->ux, dy = v->y - moved * v->uy, t = v->at + moved;
    const float square = dx * dx + dy * dy;
    return (struct place){square, sqrtf(square), v->z + t * v->dz, v->depth + t * v->ddepth,
                          v->half + t * v->dhalf};
}

/* Of the segment that is nearest in its widths, on ties of the lower one. */
static TW_INLINE void mark_bed(struct tw_carved_tile *tile, int32_t i, const struct place *at,
                               float ratio)
{
    const bool nearer =
        (ratio < tile->ratio[i]) | ((ratio == tile->ratio[i]) & (at->z < tile->level[i]));
    tile->level[i] = nearer ? at->z : tile->level[i];
    tile->ratio[i] = nearer ? ratio : tile->ratio[i];
    tile->bed[i] = tw_max(tile->bed[i], tw_clamp(at->half - at->r + 0.5f, 0, 1));
}

static TW_INLINE void move_to(struct tw_carved_tile *tile, int32_t i, float low, float high)
{
    tile->low[i] = low < tile->low[i] ? low : tile->low[i];
    tile->high[i] = high > tile->high[i] ? high : tile->high[i];
}

/* A parabola to half the width, a bank up to the crest, and a plain that fades into the ground. */
static TW_INLINE void river_body(struct tw_carved_tile *tile, const struct view *v, int32_t row)
{
    TW_INDEPENDENT
    for (int32_t k = 0; k < TW_CARVED_TILE; k++) {
        const int32_t i = row + k;
        const struct place at = place_of(v, k);
        const float x = at.r / at.half, ground = tile->ground[i];
        const float bed = at.z - at.depth * (1 - x * x);
        const float crest = at.z + 0.25f * at.depth * smoothstep((x - 1) * v->per_bank);
        const float fade = smoothstep((x - v->top) * v->per_plain);
        const float beyond = fade < 1 ? crest + fade * (ground - crest) : ground;
        const bool within = x <= 1;
        const float levee = tw_min(beyond, ground + LEVEE_MAX);
        mark_bed(tile, i, &at, x);
        move_to(tile, i, within ? bed : beyond, within ? ground : levee);
        tile->near[i] = within ? -1.0f : tile->near[i];
        tile->bank[i] = tw_max(tile->bank[i], within ? 1 : 1 - fade);
    }
}

/* Flat to half the width; beyond, the ground between the slopes of a bank and of a cutting. The bed
 * is that of the nearest road, on ties of the earlier line and point, then of the lower. */
static TW_INLINE void road_body(struct tw_carved_tile *tile, const struct view *v, int32_t row)
{
    TW_INDEPENDENT
    for (int32_t k = 0; k < TW_CARVED_TILE; k++) {
        const int32_t i = row + k;
        const struct place at = place_of(v, k);
        const float over = at.r - at.half, ground = tile->ground[i];
        const float low = at.z - v->fill * over, high = at.z + v->cut * over;
        const float kept = tw_min(tw_max(ground, low), high);
        const float share = 1 - smoothstep(over / at.half * v->per_shoulder);
        const bool within = over <= 0;
        const float to = ((share > 0) & !within) ? ground + share * (kept - ground) : ground;
        const bool lower = (tile->point[i] == v->point) & (at.z < tile->road[i]);
        const bool sooner = (v->line < tile->line[i]) |
                            ((v->line == tile->line[i]) & ((v->point < tile->point[i]) | lower));
        const bool first =
            within & ((at.square < tile->near[i]) | ((at.square == tile->near[i]) & sooner));
        mark_bed(tile, i, &at, at.r / at.half);
        move_to(tile, i, to, to);
        tile->bank[i] = tw_max(tile->bank[i], share);
        tile->near[i] = first ? at.square : tile->near[i];
        tile->line[i] = first ? v->line : tile->line[i];
        tile->point[i] = first ? v->point : tile->point[i];
        tile->road[i] = first ? at.z : tile->road[i];
    }
}

/* A trench or a dam. */
static TW_INLINE void profile_body(struct tw_carved_tile *tile, const struct view *v, int32_t row)
{
    TW_INDEPENDENT
    for (int32_t k = 0; k < TW_CARVED_TILE; k++) {
        const int32_t i = row + k;
        const struct place at = place_of(v, k);
        const float x = at.r / at.half, ground = tile->ground[i];
        const float to = x <= 1 ? at.z + v->sign * at.depth * (1 - smoothstep(x)) : ground;
        mark_bed(tile, i, &at, x);
        move_to(tile, i, v->sign < 0 ? to : ground, v->sign > 0 ? to : ground);
    }
}

TW_SIMD_KERNEL(river, (struct tw_carved_tile * tile, const struct view *v, int32_t row),
               (tile, v, row))
TW_SIMD_KERNEL(road, (struct tw_carved_tile * tile, const struct view *v, int32_t row),
               (tile, v, row))
TW_SIMD_KERNEL(profile, (struct tw_carved_tile * tile, const struct view *v, int32_t row),
               (tile, v, row))

struct tw_segment_rule tw_earthwork_rule(const struct tw_earthwork *work)
{
    const double reach[] = {[TW_RIVER] = 0.5 * (1 + work->bank) + work->plain,
                            [TW_ROAD] = 0.5 + work->shoulder,
                            [TW_CUT] = 0.5,
                            [TW_RAISE] = 0.5};
    return (struct tw_segment_rule){reach[work->kind], work->kind == TW_RIVER};
}

static void begin(struct tw_carved_tile *tile)
{
    memcpy(tile->low, tile->ground, sizeof tile->low);
    memcpy(tile->high, tile->ground, sizeof tile->high);
    memset(tile->bed, 0, sizeof tile->bed);
    memset(tile->bank, 0, sizeof tile->bank);
    for (int32_t i = 0; i < TW_CARVED_CELLS; i++)
        tile->ratio[i] = tile->near[i] = FLT_MAX;
    memset(tile->level, 0, sizeof tile->level);
    memset(tile->line, 0, sizeof tile->line);
    memset(tile->point, 0, sizeof tile->point);
    memset(tile->road, 0, sizeof tile->road);
    tile->reached = true;
}

/* 1 / x as a finite float. */
static float inverse(double x) { return x > 1e-30 ? (float)(1 / x) : 1e30f; }

static struct view view_of(const struct tw_carved_tile *tile, const struct tw_segment *s)
{
    const struct tw_earthwork *work = tile->work;
    const double x = tile->x - s->x, y = tile->y - s->y, *u = s->along;
    const double length = u[0] * u[0] + u[1] * u[1], middle = 0.5 * TW_CARVED_TILE;
    double t = length > 0 ? ((x + middle) * u[0] + (y + middle) * u[1]) / length : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return (struct view){.x = (float)(x + 0.5 - t * u[0]),
                         .y = (float)(y + 0.5 - t * u[1]),
                         .ux = (float)u[0],
                         .uy = (float)u[1],
                         .per_cell = length > 1e-12 ? (float)(1 / length) : 0,
                         .at = (float)t,
                         .left = (float)-t,
                         .right = (float)(1 - t),
                         .z = s->z[0],
                         .dz = s->z[1] - s->z[0],
                         .depth = s->depth[0],
                         .ddepth = s->depth[1] - s->depth[0],
                         .half = 0.5f * s->width[0],
                         .dhalf = 0.5f * (s->width[1] - s->width[0]),
                         .top = (float)(1 + work->bank),
                         .per_bank = inverse(work->bank),
                         .per_plain = inverse(2 * work->plain),
                         .fill = (float)work->fill,
                         .cut = (float)work->cut,
                         .per_shoulder = inverse(2 * work->shoulder),
                         .sign = work->kind == TW_CUT ? -1.0f : 1.0f,
                         .line = s->line,
                         .point = s->point};
}

void tw_carved_tile_add(void *context, const struct tw_segment *segment)
{
    struct tw_carved_tile *tile = context;
    struct view v = view_of(tile, segment);
    const double end = segment->y + segment->along[1], reach = (double)segment->reach;
    const double low = (segment->y < end ? segment->y : end) - reach - 1;
    const double high = (segment->y < end ? end : segment->y) + reach;
    if (!tile->reached)
        begin(tile);
    for (int32_t row = 0; row < TW_CARVED_TILE; row++, v.y += 1) {
        if (tile->y + row < low || tile->y + row > high)
            continue;
        if (tile->work->kind == TW_RIVER)
            river(tile->simd)(tile, &v, row * TW_CARVED_TILE);
        else if (tile->work->kind == TW_ROAD)
            road(tile->simd)(tile, &v, row * TW_CARVED_TILE);
        else
            profile(tile->simd)(tile, &v, row * TW_CARVED_TILE);
    }
}

float tw_carved_tile_result(const struct tw_carved_tile *tile, int32_t i)
{
    const float ground = tile->ground[i], low = tile->low[i], high = tile->high[i];
    if (tile->near[i] >= 0 && tile->near[i] < FLT_MAX)
        return tile->road[i];
    if (tile->near[i] < 0 || high == ground)
        return low;
    return low == ground ? high : low + (high - ground);
}
