/* SPDX-License-Identifier: MIT */
/* The steps in order: working grid, cast shadow, smoother levels, sky view, then every cell. */
#include "render/kernels/surface_light.h"

#include "render/kernels/enlarge.h"
#include "render/kernels/noise_tile.h"
#include "render/kernels/shadow_sweep.h"
#include "render/kernels/sky_view.h"
#include "render/kernels/surface_paint.h"
#include "render/kernels/tone.h"

#include <thalweg/rescale.h>

/* Depths of lakes, as shares of the relief above the sea: a film of rain that does not show, and a
 * lake that hides the ground. */
#define FILM 0.001f
#define LAKE 0.003f
#define SHALLOW 0.55f /* least depth of water by mask, in depths at which light fades */

struct lighting {
    const struct tw_surface_job *job;
    struct tw_task *task;
    struct tw_paint paint;
    struct tw_scales scales;
    struct tw_sky_view sky;
    float *noise; /* what paint.noise reads */
    float *z;     /* heights of the working grid, in cells above the datum */
    uint8_t *lit; /* share of the sun */
    float datum;  /* a height */
    float scale;  /* cells per height */
    struct tw_tone_tables tones;
    struct tw_surface_cell *to;
};

static float cells_of(const struct lighting *l, float height)
{
    return (height - l->datum) * l->scale;
}

static void read_optional(const struct lighting *l, const float *plane, float missing, int32_t y,
                          int32_t x, int32_t count, float *to)
{
    const struct tw_surface_job *job = l->job;
    if (plane)
        tw_enlarge_read(plane, job->width, job->height, job->enlarge, y, x, count, to);
    for (int32_t i = 0; !plane && i < count; i++)
        to[i] = missing;
}

static void read_sun(const struct lighting *l, struct tw_paint_piece *piece)
{
    size_t first = (size_t)piece->y * (size_t)l->paint.width + (size_t)piece->x;
    if (l->job->shade) {
        read_optional(l, l->job->shade, 1, piece->y, piece->x, piece->count, piece->sun);
        for (int32_t i = 0; i < piece->count; i++)
            piece->sun[i] = tw_share_of(piece->sun[i]);
        return;
    }
    for (int32_t i = 0; i < piece->count; i++)
        piece->sun[i] = (float)l->lit[first + (size_t)i] * (1.0f / 255.0f);
}

/* The picture, stretched over the map, between its pixels. */
static void read_image(const struct lighting *l, struct tw_paint_piece *piece)
{
    const struct tw_value *image = l->job->image;
    const float *decode = l->tones.decode;
    float across = (float)image->width / (float)l->paint.width;
    float v = ((float)piece->y + 0.5f) * (float)image->height / (float)l->paint.height - 0.5f;
    int32_t top = tw_floor(v);
    const uint8_t *upper =
        tw_pixels(image) + 3 * (size_t)tw_clamp_index(top, image->height) * (size_t)image->width;
    const uint8_t *lower = tw_pixels(image) + 3 * (size_t)tw_clamp_index(top + 1, image->height) *
                                                  (size_t)image->width;
    for (int32_t i = 0; i < piece->count; i++) {
        float u = ((float)(piece->x + i) + 0.5f) * across - 0.5f, at[3];
        int32_t left = tw_floor(u);
        size_t a = 3 * (size_t)tw_clamp_index(left, image->width);
        size_t b = 3 * (size_t)tw_clamp_index(left + 1, image->width);
        for (size_t k = 0; k < 3; k++) {
            float above = tw_mix(decode[upper[a + k]], decode[upper[b + k]], u - (float)left);
            float below = tw_mix(decode[lower[a + k]], decode[lower[b + k]], u - (float)left);
            at[k] = tw_mix(above, below, v - (float)top);
        }
        piece->image[i] = (struct tw_rgb){at[0], at[1], at[2]};
    }
}

static void paint_piece(const struct lighting *l, struct tw_paint_piece *p)
{
    const struct tw_surface_job *job = l->job;
    enum tw_simd simd = tw_task_simd(l->task);
    size_t width = (size_t)l->paint.width;
    for (int32_t i = 0; i < 3; i++)
        p->rows[i] = l->z + (size_t)tw_clamp_index(p->y + i - 1, l->paint.height) * width;
    tw_scales_read(simd, l->scales.at[3], &l->scales, p->y, p->x, p->count, p->hollow);
    tw_scales_read(simd, l->scales.at[5], &l->scales, p->y, p->x, p->count, p->valley);
    tw_scales_read(simd, l->sky.all, &l->scales, p->y, p->x, p->count, p->sky);
    tw_scales_read(simd, l->sky.sunward, &l->scales, p->y, p->x, p->count, p->sunward);
    read_sun(l, p);
    read_optional(l, job->lakes, 0, p->y, p->x, p->count, p->lake);
    for (int32_t i = 0; job->lakes && i < p->count; i++)
        p->lake[i] *= l->scale;
    read_optional(l, job->wetness, 0, p->y, p->x, p->count, p->wet);
    read_optional(l, job->water, 0, p->y, p->x, p->count, p->water);
    for (int32_t i = 0; i < p->count; i++)
        p->water[i] = tw_share_of(p->water[i]);
    read_optional(l, job->mask, 0, p->y, p->x, p->count, p->mask);
    if (job->image)
        read_image(l, p);
    tw_paint_piece(simd, &l->paint, p, l->to + (size_t)p->y * width + (size_t)p->x);
}

static void paint_rows(void *context, int32_t begin, int32_t end)
{
    const struct lighting *l = context;
    struct tw_paint_piece piece;
    piece.has_wet = l->job->wetness != NULL;
    piece.has_image = l->job->image != NULL;
    piece.has_water = l->job->water != NULL;
    for (piece.y = begin; piece.y < end && !tw_task_cancelled(l->task); piece.y++)
        for (piece.x = 0; piece.x < l->paint.width; piece.x += TW_PAINT_CELLS) {
            int32_t left = l->paint.width - piece.x;
            piece.count = left < TW_PAINT_CELLS ? left : TW_PAINT_CELLS;
            paint_piece(l, &piece);
        }
}

float tw_surface_scale(const struct tw_surface_job *job)
{
    int32_t longest = job->width > job->height ? job->width : job->height;
    return tw_max(job->scene.exaggeration, 1e-6f) * (float)(longest * job->enlarge);
}

float tw_surface_datum(const struct tw_surface_job *job)
{
    return tw_enlarge_datum(job->heights, job->scene.exaggeration);
}

static bool lay_out(struct tw_scratch *s, struct lighting *l)
{
    const uint64_t cells = (uint64_t)l->paint.width * (uint64_t)l->paint.height;
    l->noise = tw_scratch_take(s, TW_NOISE_CELLS, sizeof *l->noise);
    l->z = tw_scratch_take(s, cells, sizeof *l->z);
    l->lit = tw_scratch_take(s, cells, 1);
    return tw_scratch_is_laid(s);
}

static enum tw_status cast_shadow(struct lighting *l)
{
    const struct tw_sun *sun = &l->job->scene.sun;
    struct tw_shadow_sweep sweep = {.z = l->z,
                                    .width = l->paint.width,
                                    .height = l->paint.height,
                                    .sea = cells_of(l, tw_max(l->job->scene.sea, -1e6f)),
                                    .azimuth = sun->azimuth,
                                    .altitude = sun->altitude,
                                    .softness = (double)l->job->softness};
    if (l->job->shade || sun->altitude <= 0 || l->job->shading == 0) {
        memset(l->lit, 255, (size_t)l->paint.width * (size_t)l->paint.height);
        return TW_OK;
    }
    struct tw_scratch_mark before = tw_task_scratch_mark(l->task);
    enum tw_status status = tw_shadow_sweep_cast(l->task, &sweep, l->lit);
    tw_task_scratch_return(l->task, before);
    return status;
}

static void set_paint(struct lighting *l, struct tw_span span)
{
    const struct tw_surface_job *job = l->job;
    const struct tw_mood_light *light = tw_mood_light(job->scene.mood);
    const struct tw_sun *sun = &job->scene.sun;
    struct tw_paint *p = &l->paint;
    int32_t longest = p->width > p->height ? p->width : p->height;
    p->palette = tw_mood_palette(job->scene.mood);
    p->scene = job->scene;
    p->k = 1024.0f / (float)longest;
    p->base = p->k * (l->datum * l->scale);
    p->sea = cells_of(l, tw_max(job->scene.sea, -1e6f));
    p->foot = tw_max(p->sea, cells_of(l, span.low));
    p->rise = tw_max(cells_of(l, span.high) - p->foot,
                     1e-6f + tw_rounding_of(span.low, span.high, l->scale));
    p->snow = job->snow;
    p->bump = job->bump * light->bump;
    p->ground_bump = job->image ? 0 : 1;
    p->enlarge = job->enlarge;
    p->layers = job->layers;
    p->least_fade = job->water ? SHALLOW : 0;
    p->shading = job->shading;
    p->fade = 1.0f / (light->water_depth * (float)longest);
    p->film = FILM * p->rise;
    p->lake = 1.0f / tw_max((LAKE - FILM) * p->rise, 1e-20f);
    p->ramp = job->ramp;
    struct tw_rgb mean = tw_mood_colour(light->mean);
    p->bounce = tw_rgb_scale(tw_rgb_multiply(mean, sun->light), light->bounce * tw_max(sun->z, 0));
}

static enum tw_status light(struct lighting *l)
{
    const struct tw_surface_job *job = l->job;
    struct tw_paint *paint = &l->paint;
    struct tw_span span = {0, 0};
    enum tw_status status = tw_span_find(l->task, job->heights, job->width, job->height, &span);
    paint->width = job->width * job->enlarge;
    paint->height = job->height * job->enlarge;
    if (status == TW_OK && !lay_out(&(struct tw_scratch){.task = l->task}, l))
        status = tw_task_no_memory(l->task);
    if (status != TW_OK)
        return status;
    tw_noise_tile_fill(l->task, l->noise);
    paint->noise = l->noise;
    l->scale = tw_surface_scale(job);
    l->datum = tw_surface_datum(job);
    tw_enlarge(l->task, job->heights, job->width, job->height, job->enlarge, l->datum, l->scale,
               l->z);
    status = cast_shadow(l);
    if (status == TW_OK)
        status = tw_scales_build(l->task, l->z, paint->width, paint->height, &l->scales);
    if (status == TW_OK)
        status = tw_sky_view_find(l->task, &l->scales, job->scene.sun.azimuth, &l->sky);
    if (status != TW_OK)
        return status;
    set_paint(l, span);
    if (job->image)
        tw_tone_tables_fill(&l->tones);
    tw_task_progress(l->task, 0.5);
    tw_rows(l->task, paint->height, 8, paint_rows, l);
    return tw_task_cancelled(l->task) ? TW_CANCELLED : TW_OK;
}

enum tw_status tw_surface_light(struct tw_task *task, const struct tw_surface_job *job,
                                struct tw_surface_cell *to)
{
    struct lighting l = {.job = job, .task = task, .to = to};
    struct tw_scratch_mark before = tw_task_scratch_mark(task);
    enum tw_status status = light(&l);
    tw_task_scratch_return(task, before);
    return status;
}

void tw_surface_light_forecast(struct tw_forecast *f, int32_t width, int32_t height,
                               int32_t enlarge, bool shadow)
{
    int32_t w = width * enlarge, h = height * enlarge;
    struct lighting l = {.paint = {.width = w, .height = h}};
    struct tw_forecast sweep = tw_forecast_step(f), levels = sweep;
    if (shadow)
        tw_shadow_sweep_forecast(&sweep, w, h);
    tw_scales_lay_out(&(struct tw_scratch){.forecast = &levels}, w, h, &l.scales);
    tw_sky_view_lay_out(&(struct tw_scratch){.forecast = &levels}, &l.scales, &l.sky);
    tw_rescale_forecast(f);
    lay_out(&(struct tw_scratch){.forecast = f}, &l);
    tw_forecast_steps(f, &sweep, &levels);
}
