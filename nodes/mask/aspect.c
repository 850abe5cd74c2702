/* SPDX-License-Identifier: MIT */
/* Slopes that face one way: the azimuth of the way down, by central differences. */
#include "common/angle.h"
#include "common/rows.h"
#include "mask/kernels/band.h"

#include <thalweg/padded.h>

struct params {
    float azimuth;
    float width;
    float softness;
    float least_slope;
    int32_t border;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, azimuth, 180, 0, 360, TW_UNIT_DEGREES,
                 "the way down that is selected, clockwise from north"),
    TW_PARAM_F32(struct params, width, 90, 0, 360, TW_UNIT_DEGREES,
                 "the mask is 1 up to half of it on either side"),
    TW_PARAM_F32(struct params, softness, 45, 0, 180, TW_UNIT_DEGREES,
                 "how far beyond it falls to 0"),
    TW_PARAM_F32(struct params, least_slope, 0, 0, 1e9, TW_UNIT_RISE_PER_SIDE,
                 "flatter ground faces nowhere", TW_USUAL(0, 10)),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_END,
};

TW_TERRAIN_INPUT;

enum { OUT, VALUE };
static const struct tw_port outputs[] = {
    {"out", TW_MASK, 0, "1 where the ground falls that way, 0 elsewhere"},
    {"value", TW_HEIGHTMAP, TW_ON_DEMAND,
     "the azimuth of the way down, 0 to 360; 0 where there is none"},
    TW_PORT_END,
};

struct map {
    struct params params;
    struct tw_padded heights;
    float *out, *value; /* value: NULL if unused */
    double half;        /* cells per map side over two */
    enum tw_simd simd;
};

static TW_INLINE void face(const struct map *map, int32_t y, bool valued)
{
    const double *n = tw_padded_row(&map->heights, y - 1), *c = tw_padded_row(&map->heights, y);
    const double *s = tw_padded_row(&map->heights, y + 1);
    size_t first = (size_t)y * (size_t)map->heights.width;
    float *restrict out = map->out + first, *restrict value = valued ? map->value + first : NULL;
    const struct params p = map->params;
    const struct tw_band band = {0, 0.5f * p.width, p.softness};
    double half = map->half, least = (double)p.least_slope;
    int32_t width = map->heights.width;
    for (int32_t x = 0; x < width; x++) {
        double east = (c[x - 1] - c[x + 1]) * half, north = (s[x] - n[x]) * half;
        double slope = sqrt(east * east + north * north);
        double azimuth = tw_vector_atan2(east, north) * TW_DEGREES_PER_RADIAN;
        azimuth = azimuth < 0 ? azimuth + 360 : azimuth;
        double d = azimuth - (double)p.azimuth;
        d = d < 0 ? -d : d;
        d = d > 180 ? 360 - d : d;
        bool faces = slope > 0 && slope >= least;
        float mask = tw_mask_band((float)d, band);
        if (valued)
            value[x] = faces ? (float)azimuth : 0.0f;
        out[x] = faces ? mask : 0.0f;
    }
}

static TW_INLINE void face_row_body(const struct map *map, int32_t y)
{
    if (map->value)
        face(map, y, true);
    else
        face(map, y, false);
}
TW_SIMD_KERNEL(face_row, (const struct map *map, int32_t y), (map, y))

static void face_rows(void *context, int32_t begin, int32_t end)
{
    const struct map *map = context;
    for (int32_t y = begin; y < end; y++)
        face_row(map->simd)(map, y);
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    struct map map = {.params = *p,
                      .out = tw_floats(tw_task_output(task, OUT)),
                      .value = tw_floats(tw_task_output(task, VALUE)),
                      .half = 0.5 * (double)tw_task_width(task),
                      .simd = tw_task_simd(task)};
    enum tw_status status = tw_padded_init(task, &map.heights, 1, tw_task_wraps(task, p->border));
    if (status != TW_OK)
        return status;
    tw_padded_load(task, &map.heights, tw_floats(tw_task_input(task, IN)), 1);
    tw_rows(task, map.heights.height, 32, face_rows, &map);
    return TW_OK;
}

static void forecast(struct tw_forecast *f) { tw_padded_forecast(f, 1); }

extern const struct tw_node_type tw_node_mask_aspect;
const struct tw_node_type tw_node_mask_aspect = {
    .name = "mask.aspect",
    .version = 2,
    .summary = "slopes that face one way, such as sunny ones",
    .keywords = "exposition, orientation, sunny side, north face, snow on shaded sides, direction, "
                "select by angle",
    .elsewhere =
        "Angle (Gaea), Angle Selector (World Machine), HeightField Mask by Feature (Houdini), "
        "GradientAngle (Hesiod), gdaldem aspect (GDAL), r.slope.aspect (GRASS)",
    .detail =
        "Selects slopes that face one way: sunny sides for forest, lee sides for snow. Choose "
        "mask.light for the places that direct light reaches, shadows of other mountains "
        "included.\n"
        "With the slopes z_x to the east and z_y to the south, central over 3 x 3 cells, the way "
        "down has the azimuth, clockwise from north:\n"
        "    atan2(-z_x, z_y).\n"
        "d is its angle to the selected azimuth, 0 to 180. Up to width / 2 out is 1. Beyond it "
        "falls off:\n"
        "    t = 1 - (d - width / 2) / softness;\n"
        "    out = 3 t^2 - 2 t^3.\n"
        "out is 0 on level ground and where the slope is below least_slope. shape.blur before "
        "this node hides roughness from it.\n"
        "Beyond a closed border the ground goes straight on: the slope across the border is that "
        "between its outer two cells.",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "land: {type: shape.blur, in: noise, radius: 0.01}\n"
               "south: {type: mask.aspect, in: land, azimuth: 180, least_slope: 0.5}",
    .bordered = true,
    .reach = 1,
    .run = run,
    .forecast = forecast,
};
