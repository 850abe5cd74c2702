/* SPDX-License-Identifier: MIT */
/* How much of the sky a cell sees: the sky-view factor of Zaksek, Ostir and Kokalj 2011, and the
 * positive and negative openness of Yokoyama, Shirasawa and Pike 2002. Over a sector towards the
 * wind positive openness is 90 degrees less the upwind slope Sx of Winstral, Elder and Davis 2002,
 * here a mean of angles. */
#include "common/angle.h"
#include "common/rows.h"
#include "common/shadows/horizon.h"
#include "common/sides.h"

#include <math.h>

enum { SKY, POSITIVE, NEGATIVE, BLOCK = 256 };

struct params {
    int32_t kind;
    float radius;
    int32_t directions; /* n */
    float azimuth, sector;
    float exaggeration;
    int32_t border;
};

static const struct tw_param params[] = {
    TW_PARAM_ENUM(struct params, kind, SKY, "sky|positive|negative",
                  "the share of the sky, or the mean angle from the zenith or the nadir"),
    TW_PARAM_F32(struct params, radius, 0.05, 0, 0.5, TW_UNIT_SIDE,
                 "how far a cell looks, one cell at least; the time grows with it"),
    TW_PARAM_I32(struct params, directions, 16, 1, TW_HORIZON_DIRECTIONS_MAX, "directions",
                 "directions all around, clockwise from north"),
    TW_PARAM_F32(struct params, azimuth, 0, 0, 360, TW_UNIT_DEGREES,
                 "the middle of the sector, clockwise from north"),
    TW_PARAM_F32(struct params, sector, 360, 0, 360, TW_UNIT_DEGREES,
                 "width of the sector: only directions within half of it of azimuth count"),
    TW_PARAM_HEIGHT_IN_SIDES(struct params),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_END,
};

TW_TERRAIN_INPUT;

enum { OUT, VALUE };
static const struct tw_port outputs[] = {
    {"out", TW_MASK, 0, "the share of the sky, or the angle over 180 degrees"},
    {"value", TW_HEIGHTMAP, TW_ON_DEMAND, "the share of the sky, or the angle in degrees"},
    TW_PORT_END,
};

struct map {
    struct tw_horizon horizon;
    float *out, *value; /* value: NULL if unused */
    int32_t kind;
    const struct tw_task *task;
    enum tw_simd simd;
};

/* The sine of the horizon's angle: t / sqrt(1 + t^2). */
static TW_INLINE void add_sky_body(double *restrict sums, const double *restrict tangents,
                                   int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        double t = tangents[i] > 0 ? tangents[i] : 0;
        sums[i] += t / sqrt(1 + t * t);
    }
}
TW_SIMD_KERNEL(add_sky, (double *sums, const double *tangents, int32_t count),
               (sums, tangents, count))

static TW_INLINE void add_angles_body(double *restrict sums, const double *restrict tangents,
                                      int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        sums[i] += tw_vector_atan2(tangents[i], 1);
}
TW_SIMD_KERNEL(add_angles, (double *sums, const double *tangents, int32_t count),
               (sums, tangents, count))

static void look_around(const struct map *map, int32_t x, int32_t y, int32_t width)
{
    const struct tw_horizon *h = &map->horizon;
    double sums[BLOCK] = {0}, tangents[BLOCK];
    size_t first = (size_t)y * (size_t)h->heights.width + (size_t)x;
    for (int32_t d = 0; d < h->count; d++) {
        tw_horizon_row(h, map->simd, d, x, y, width, map->kind == NEGATIVE ? NULL : tangents,
                       map->kind == NEGATIVE ? tangents : NULL);
        (map->kind == SKY ? add_sky : add_angles)(map->simd)(sums, tangents, width);
    }
    for (int32_t i = 0; i < width; i++) {
        double mean = sums[i] / h->count, degrees = mean * TW_DEGREES_PER_RADIAN;
        double value =
            map->kind == SKY ? 1 - mean : 90 + (map->kind == NEGATIVE ? degrees : -degrees);
        if (map->value)
            map->value[first + (size_t)i] = (float)value;
        map->out[first + (size_t)i] =
            tw_clamp((float)(map->kind == SKY ? value : value / 180), 0, 1);
    }
}

static void look_rows(void *context, int32_t begin, int32_t end)
{
    const struct map *map = context;
    int32_t width = map->horizon.heights.width;
    for (int32_t y = begin; y < end && !tw_task_cancelled(map->task); y++)
        for (int32_t x = 0; x < width; x += BLOCK)
            look_around(map, x, y, width - x < BLOCK ? width - x : BLOCK);
}

/* Whether direction i lies in the sector, up to what floats cut off a limit such as 14.4. */
static bool is_within(const struct params *p, int32_t i)
{
    const double away = fabs(360.0 * i / p->directions - (double)p->azimuth);
    return (away > 180 ? 360 - away : away) <= 0.5 * (double)p->sector + 1e-4;
}

static void keep_sector(const struct params *p, struct tw_horizon *h)
{
    h->count = 0;
    for (int32_t i = 0; i < p->directions; i++)
        if (is_within(p, i))
            h->directions[h->count++] = h->directions[i];
}

static struct tw_rule check(const void *at)
{
    const struct params *p = at;
    for (int32_t i = 0; i < p->directions; i++)
        if (is_within(p, i))
            return TW_RULES_HOLD;
    return TW_RULE_OF_TWO("sector", "wide enough to hold one of the", "directions");
}

/* The points between which heights are linear lie at the ends of the radius, too. */
static int32_t reach_of(const void *at, int32_t width, int32_t height)
{
    const struct params *p = at;
    (void)height;
    return (int32_t)tw_sides_in_cells(p->radius, width) + 2;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    int32_t width = tw_task_width(task);
    struct map map = {.out = tw_floats(tw_task_output(task, OUT)),
                      .value = tw_floats(tw_task_output(task, VALUE)),
                      .kind = p->kind,
                      .task = task,
                      .simd = tw_task_simd(task)};
    enum tw_status status = tw_horizon_init(task, &map.horizon, p->directions, p->radius,
                                            tw_task_wraps(task, p->border));
    if (status != TW_OK)
        return status;
    keep_sector(p, &map.horizon);
    tw_padded_load(task, &map.horizon.heights, tw_floats(tw_task_input(task, IN)),
                   (double)p->exaggeration * (double)width);
    tw_rows(task, map.horizon.heights.height, 4, look_rows, &map);
    return tw_task_cancelled(task) ? TW_CANCELLED : TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    tw_horizon_forecast(f, p->radius);
}

extern const struct tw_node_type tw_node_mask_openness;
const struct tw_node_type tw_node_mask_openness = {
    .name = "mask.openness",
    .version = 2,
    .summary = "how much of the sky each cell sees",
    .keywords =
        "ambient occlusion, sky view factor, cavity, sheltered, crevices, dirt, visibility, "
        "wind shelter, Winstral, windward, leeward, snow drift",
    .elsewhere =
        "Occlusion (Gaea), HeightField Mask by Feature (Houdini), Ambient Occlusion (Blender), "
        "r.skyview (GRASS), Sky View Factor (SAGA)",
    .detail =
        "Measures how much of the sky each cell sees: dark valleys, bright crests, ambient shade "
        "for a texture. Choose mask.light for one direction of light, and mask.prominence for "
        "crests and valleys by height alone.\n"
        "In each direction the land up to radius has a greatest angle of elevation b and a least "
        "one d. They are taken where the ray meets rows or columns of cell centres, between "
        "which heights are linear. A direction in which the map ends at once counts as level.\n"
        "sky is 1 on a plain:\n"
        "    1 - mean of sin max(0, b).\n"
        "positive is low in valleys, negative low on crests; both are 90 on a plain and may be "
        "greater:\n"
        "    positive = mean of 90 - b;\n"
        "    negative = mean of 90 + d.\n"
        "With sector only the directions within sector / 2 of azimuth count. With kind positive "
        "and a sector of 30 towards the wind they give Winstral's Sx, the mean angle of the ground "
        "that shelters a cell, and its tangent as a slope. It is above 0 in the lee, where snow "
        "drifts, and below 0 where wind blows it away.\n"
        "    Sx = 90 - positive;\n"
        "    shelter = tan(90 - positive).\n"
        "Winstral's directions are 5 degrees apart: directions of 60 gives five, 6 degrees apart.",
    .cite = "zaksek2011 yokoyama2002 winstral2002",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "land: {type: erosion.stream_power, in: noise, steps: 30}\n"
               "sky: {type: mask.openness, in: land}",
    .bordered = true,
    .reach_of = reach_of,
    .check = check,
    .run = run,
    .forecast = forecast,
};
