/* SPDX-License-Identifier: MIT */
/* The terrain as a block seen by a pinhole camera. Rays find the surface through a pyramid of
 * maxima (render/kernels/heightfield_raycast.h), so every pixel is independent. */
#include "common/rescale.h"
#include "common/sample.h"
#include "render/kernels/camera.h"
#include "render/kernels/colour.h"
#include "render/kernels/hillshade.h"

enum { BAND_ROWS = 32 };
#define SOFTNESS 0.5f /* of the light; see render.hillshade */

struct params {
    float azimuth, pitch, distance, view;
    float exaggeration;
    float light_azimuth, light_altitude, shading;
    int32_t samples;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, azimuth, 205, 0, 360, TW_UNIT_DEGREES,
                 "where the camera stands, clockwise from north"),
    TW_PARAM_F32(struct params, pitch, 35, 0, 90, TW_UNIT_DEGREES, "how far it looks down"),
    TW_PARAM_F32(struct params, distance, 2.1, 0.01, 1000, TW_UNIT_SIDE,
                 "from the middle of the map, in longer sides"),
    TW_PARAM_F32(struct params, view, 40, 1, 150, TW_UNIT_DEGREES,
                 "angle of view over the picture's width"),
    TW_PARAM_F32(struct params, exaggeration, 0.15, 0, 1000, TW_UNIT_SIDE,
                 "what height 1 measures in map sides"),
    TW_PARAM_F32(struct params, light_azimuth, 315, 0, 360, TW_UNIT_DEGREES,
                 "where the light comes from, clockwise from north"),
    TW_PARAM_F32(struct params, light_altitude, 45, 0, 90, TW_UNIT_DEGREES,
                 "the light above the horizon"),
    TW_PARAM_F32(struct params, shading, 1, 0, 1, TW_UNIT_SHARE,
                 "strength of the shading; 0 for an image that is already shaded"),
    TW_PARAM_I32(struct params, samples, 2, 1, 8, "rays a side",
                 "samples x samples rays make a pixel"),
    TW_PARAM_END,
};

enum { IN, IMAGE };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    {"image", TW_IMAGE, TW_OPTIONAL, "its colours; stone if not given"},
    TW_PORT_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_IMAGE, 0, "the view, as large as the map"},
    TW_PORT_END,
};

static const struct tw_colour stone = {{206, 198, 182}}, earth = {{132, 112, 94}};
static const struct tw_colour_stop sky[] = {{0, {{148, 182, 216}}}, {1, {{236, 241, 245}}}};

struct scene {
    const struct params *params;
    struct tw_hillshade_slopes slopes;
    struct tw_hillshade_light light;
    struct tw_pyramid pyramid;
    struct tw_camera camera;
    double bottom;        /* of the block, in cells */
    const uint8_t *image; /* NULL: stone */
    uint8_t *pixels;
    float *shade;  /* light on each cell */
    int32_t first; /* first row of the current band */
};

static void shade_rows(void *context, int32_t begin, int32_t end)
{
    const struct scene *s = context;
    int32_t width = s->slopes.width;
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < width; x += TW_HILLSHADE_CELLS)
            tw_hillshade_light_find(&s->slopes, &s->light, y, x,
                                    width - x < TW_HILLSHADE_CELLS ? width - x : TW_HILLSHADE_CELLS,
                                    s->shade + (size_t)y * (size_t)width + (size_t)x);
}

/* The image, interpolated between its pixels. */
static struct tw_colour image_at(const struct scene *s, double x, double y)
{
    int32_t width = s->slopes.width, height = s->slopes.height;
    int32_t left = (int32_t)x, top = (int32_t)y;
    size_t right = (size_t)tw_clamp_index(left + 1, width), below = (size_t)(top + 1 < height);
    const uint8_t *upper = s->image + 3 * (size_t)top * (size_t)width;
    const uint8_t *lower = upper + 3 * below * (size_t)width;
    float fx = (float)(x - left), fy = (float)(y - top);
    struct tw_colour colour;
    for (size_t k = 0; k < 3; k++) {
        float a = (float)upper[3 * (size_t)left + k], b = (float)upper[3 * right + k];
        float c = (float)lower[3 * (size_t)left + k], d = (float)lower[3 * right + k];
        colour.at[k] = (a * (1 - fx) + b * fx) * (1 - fy) + (c * (1 - fx) + d * fx) * fy;
    }
    return colour;
}

/* Light on the wall that the point lies in, which is at the nearest border: none is so dark that
 * its outline disappears. */
static float wall_light(const struct scene *s, const double *at)
{
    const struct tw_hillshade_light *l = &s->light;
    double distance[4] = {at[0], s->slopes.width - 1 - at[0], at[1], s->slopes.height - 1 - at[1]};
    const float cosine[4] = {-l->x, l->x, -l->y, l->y};
    int nearest = 0;
    for (int i = 1; i < 4; i++)
        nearest = distance[i] < distance[nearest] ? i : nearest;
    return 0.4f + 0.6f * tw_hillshade_light_soften(cosine[nearest], l->softness);
}

static struct tw_colour colour_at(const struct scene *s, const struct tw_hit *hit)
{
    double x = hit->at[0] < 0 ? 0 : hit->at[0], y = hit->at[1] < 0 ? 0 : hit->at[1];
    int32_t width = s->slopes.width, height = s->slopes.height;
    x = x > width - 1 ? width - 1 : x;
    y = y > height - 1 ? height - 1 : y;
    float light = hit->wall ? wall_light(s, hit->at)
                            : tw_sample(s->shade, width, height, (float)x, (float)y, false);
    float level = tw_max(tw_hillshade_light_level(&s->light), 0.01f);
    light = (1.0f - s->params->shading) + s->params->shading * light / level;
    struct tw_colour colour = hit->wall ? earth : s->image ? image_at(s, x, y) : stone;
    for (int k = 0; k < 3; k++)
        colour.at[k] = tw_min(colour.at[k] * light, 255.0f);
    return colour;
}

static struct tw_colour look(const struct scene *s, double u, double v)
{
    struct tw_ray ray = tw_camera_ray(&s->camera, u, v);
    struct tw_hit hit;
    if (tw_raycast(&s->pyramid, s->bottom, &ray, &hit))
        return colour_at(s, &hit);
    return tw_colour_ramp_weighted(sky, sizeof sky / sizeof sky[0], (float)(0.5 - 0.5 * v));
}

static void paint_pixel(const struct scene *s, int32_t x, int32_t y)
{
    int32_t n = s->params->samples, width = s->slopes.width, height = s->slopes.height;
    struct tw_colour sum = {{0, 0, 0}};
    for (int32_t i = 0; i < n * n; i++) {
        double u = 2 * (x + (i % n + 0.5) / n) / width - 1;
        double v = 1 - 2 * (y + (i / n + 0.5) / n) / height;
        struct tw_colour colour = look(s, u, v);
        for (int k = 0; k < 3; k++)
            sum.at[k] += colour.at[k];
    }
    tw_colour_store_lit(sum, 1.0f / (float)(n * n),
                        s->pixels + 3 * ((size_t)y * (size_t)width + (size_t)x));
}

static void paint_rows(void *context, int32_t begin, int32_t end)
{
    const struct scene *s = context;
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < s->slopes.width; x++)
            paint_pixel(s, x, s->first + y);
}

/* The camera must be next to the block or above its surface. */
static bool sees_outside(const struct scene *s)
{
    const double *eye = s->camera.eye;
    bool beside =
        eye[0] < 0 || eye[1] < 0 || eye[0] > s->slopes.width - 1 || eye[1] > s->slopes.height - 1;
    return beside || eye[2] > tw_pyramid_height(&s->pyramid, eye[0], eye[1]);
}

static enum tw_status prepare(struct tw_task *task, struct scene *s)
{
    const struct params *p = s->params;
    struct tw_span span = {0, 0};
    int32_t width = s->slopes.width, height = s->slopes.height;
    double longest = width > height ? width : height, scale = (double)s->slopes.scale;
    enum tw_status status = tw_span_find(task, s->slopes.cells, width, height, &span);
    if (status == TW_OK)
        status = tw_pyramid_build(task, 0, s->slopes.scale, &s->pyramid);
    if (status != TW_OK)
        return status;
    s->shade = tw_task_scratch(task, (size_t)width * (size_t)height, sizeof *s->shade);
    if (!s->shade)
        return tw_task_no_memory(task);
    s->bottom = (double)span.low * scale - 0.03 * longest;
    s->camera = tw_camera_place(
        (double)p->azimuth, (double)p->pitch, (double)p->distance * longest, (double)p->view,
        0.5 * ((double)span.low + (double)span.high) * scale, width, height);
    if (!sees_outside(s))
        return tw_task_fail(task, "the camera is below the terrain: raise its pitch or distance");
    return TW_OK;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_value *image = tw_task_input(task, IMAGE);
    struct scene scene = {
        .params = p,
        .slopes = tw_hillshade_slopes_of(task, 0, p->exaggeration),
        .light = tw_hillshade_light_from(p->light_azimuth, p->light_altitude, SOFTNESS),
        .image = image ? tw_pixels(image) : NULL,
        .pixels = tw_pixels(tw_task_output(task, OUT))};
    int32_t width = scene.slopes.width, height = scene.slopes.height;
    if (width < 2 || height < 2)
        return tw_task_fail(task, "a view needs at least 2 x 2 cells; the map has %d x %d",
                            (int)width, (int)height);
    enum tw_status status = prepare(task, &scene);
    if (status != TW_OK)
        return status;
    tw_rows(task, height, 16, shade_rows, &scene);
    for (; scene.first < height; scene.first += BAND_ROWS) {
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        int32_t left = height - scene.first;
        tw_rows(task, left < BAND_ROWS ? left : BAND_ROWS, 1, paint_rows, &scene);
        tw_task_progress(task, (double)scene.first / height);
    }
    return TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    struct scene s;
    tw_rescale_forecast(f);
    tw_pyramid_forecast(f);
    tw_forecast_maps(f, 1, sizeof *s.shade);
}

extern const struct tw_node_type tw_node_render_perspective;
const struct tw_node_type tw_node_render_perspective = {
    .name = "render.perspective",
    .version = 1,
    .summary = "a view of the terrain in three dimensions",
    .detail = "A pinhole camera looks at the middle of the map. Each of samples^2 rays per pixel "
              "skips what lies below it by a pyramid of maxima and meets the bilinear surface, "
              "whose colour is multiplied by 1 - shading + shading s / s_0, s being the light of "
              "render.hillshade and s_0 that on level ground. The block is cut off at the border.",
    .cite = "tevs2008 horn1981",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "colours: {type: render.relief, in: noise, sea_level: 0.3, shading: 0}\n"
               "view: {type: render.perspective, in: noise, image: colours}",
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
