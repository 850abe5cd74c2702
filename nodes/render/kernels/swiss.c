/* SPDX-License-Identifier: MIT */
/* Four lights in the north-west, weighted by how far across the slope they fall (Mark 1992), on a
 * gradient that is part detail, part generalised. */
#include "render/kernels/swiss.h"

#include "render/kernels/enlarge.h"
#include "render/kernels/sky_view.h"
#include "render/kernels/tone.h"

enum { PIECE = 256, LIGHTS = 4 };

/* Colours in linear light. */
struct colours {
    struct tw_rgb base[4], lit, shade, shade_factor, sky, mist, shallow, deep, shore;
};

struct swiss {
    const struct tw_swiss_job *job;
    struct tw_task *task;
    struct colours colours;
    struct tw_scales scales;
    struct tw_sky_view sky;
    float *z;
    int32_t width, height;
    float k, sea, low, foot, rise;
    float light[LIGHTS][3], weight[LIGHTS]; /* towards the light; flat part of length 1 */
    struct tw_surface_cell *to;
};

struct piece {
    const float *rows[3];
    int32_t y, x, count;
    float m2[3][PIECE + 2], sky[PIECE], shade[PIECE];
};

static struct tw_rgb rgb(float r, float g, float b) { return tw_rgb_from_srgb(r, g, b); }

static void set_colours(struct colours *c)
{
    *c = (struct colours){
        .base = {rgb(172, 190, 164), rgb(204, 206, 168), rgb(228, 216, 184), rgb(250, 247, 240)},
        .lit = rgb(255, 247, 214),
        .shade = rgb(96, 104, 140),
        .shade_factor = rgb(128, 132, 168),
        .sky = rgb(150, 155, 185),
        .mist = rgb(206, 216, 222),
        .shallow = rgb(196, 220, 230),
        .deep = rgb(128, 174, 204),
        .shore = rgb(74, 128, 168)};
}

static TW_INLINE struct tw_rgb base_at(const struct colours *c, float t)
{
    struct tw_rgb low = tw_rgb_mix(c->base[0], c->base[1], tw_share_of(t / 0.3f));
    struct tw_rgb middle = tw_rgb_mix(low, c->base[2], tw_share_of((t - 0.3f) / 0.32f));
    return tw_rgb_mix(middle, c->base[3], tw_share_of((t - 0.62f) / 0.38f));
}

/* Light on a slope, sin(45 degrees) on level ground. sin^2 of the angle between aspect and light
 * needs no angle: it is the square of the gradient's part across the light. */
static TW_INLINE float light_on(const struct swiss *s, float gx, float gy)
{
    float steep = 1.0f / sqrtf(1.0f + gx * gx + gy * gy);
    float square = tw_max(gx * gx + gy * gy, 1e-12f), sum = 0, total = 0;
    for (int i = 0; i < LIGHTS; i++) {
        float across = gx * s->light[i][1] - gy * s->light[i][0];
        float weight = (0.25f + 0.75f * across * across / square) * s->weight[i];
        float facing = 0.70710678f * (1.0f - gx * s->light[i][0] - gy * s->light[i][1]) * steep;
        sum += weight * tw_max(facing, 0.0f);
        total += weight;
    }
    return sum / total;
}

/* Returns x for small x, then rises softly to 1. */
static TW_INLINE float knee(float x)
{
    float over = tw_max(x - 0.55f, 0.0f);
    return tw_min(x, 0.55f) + 0.45f * over / (0.45f + over);
}

static TW_INLINE struct tw_rgb land_of(const struct swiss *s, float t, float light, float sky)
{
    const struct colours *c = &s->colours;
    float q = (light - 0.70710678f) * (0.55f + 0.6f * t) * s->job->shading;
    struct tw_rgb base = base_at(c, t);
    struct tw_rgb bright = {base.r * 1.10f, base.g * 1.06f, base.b * 0.86f};
    struct tw_rgb dark = tw_rgb_multiply(base, c->shade_factor);
    bright = tw_rgb_mix(bright, c->lit, 0.45f);
    dark = tw_rgb_mix(dark, c->shade, 0.35f);
    float shade = tw_fast_pow(knee(tw_max(-1.6f * q, 0.0f)), 0.85f);
    struct tw_rgb colour = tw_rgb_mix(base, bright, 0.85f * tw_share_of(q * (1.0f / 0.29f)));
    colour = tw_rgb_mix(colour, dark, 0.95f * shade);
    float open = 1.0f - 0.5f * (1.0f - sky) * s->job->shading;
    colour = tw_rgb_multiply(colour, tw_rgb_mix(c->sky, (struct tw_rgb){1, 1, 1}, open));
    return tw_rgb_mix(colour, c->mist, 0.22f * s->job->shading * tw_smoothstep(0.45f, 0.0f, t));
}

/* Water by depth, and a line one cell wide along the shore. */
static TW_INLINE struct tw_rgb water_of(const struct swiss *s, float depth, float slope)
{
    const struct colours *c = &s->colours;
    struct tw_rgb water =
        tw_rgb_mix(c->shallow, c->deep, tw_smoothstep(0.0f, tw_max(s->sea - s->low, 1e-6f), depth));
    return tw_rgb_mix(c->shore, water, tw_smoothstep(0.6f, 1.4f, depth / tw_max(slope, 0.02f)));
}

static TW_INLINE void paint_body(const struct swiss *s, const struct piece *p)
{
    const float *up = p->rows[0], *at = p->rows[1], *down = p->rows[2];
    int32_t last = s->width - 1;
    float along = p->y == 0 || p->y == s->height - 1 ? 0.25f : 0.125f;
    for (int32_t i = 0; i < p->count; i++) {
        int32_t m = p->x + i, w = m > 0 ? m - 1 : 0, e = m < last ? m + 1 : last;
        float wide = m > 0 && m < last ? 0.125f : 0.25f;
        float gx = ((up[e] + 2.0f * at[e] + down[e]) - (up[w] + 2.0f * at[w] + down[w])) * wide;
        float gy = ((down[w] + 2.0f * down[m] + down[e]) - (up[w] + 2.0f * up[m] + up[e])) * along;
        float slope = sqrtf(gx * gx + gy * gy);
        float sx = (p->m2[1][i + 2] - p->m2[1][i]) * 4.0f * wide;
        float sy = (p->m2[2][i + 1] - p->m2[0][i + 1]) * 4.0f * along;
        float light =
            s->job->shade ? p->shade[i] : light_on(s, 0.6f * gx + 0.4f * sx, 0.6f * gy + 0.4f * sy);
        float depth = s->sea - at[m], wet = depth > 0 ? 1.0f : 0.0f;
        float t = tw_clamp((at[m] - s->foot) / s->rise, 0.0f, 1.0f);
        struct tw_rgb colour =
            tw_rgb_mix(land_of(s, t, light, p->sky[i]), water_of(s, depth, slope), wet);
        s->to[(size_t)p->y * (size_t)s->width + (size_t)m] = (struct tw_surface_cell){
            tw_surface_pack(colour.r), tw_surface_pack(colour.g), tw_surface_pack(colour.b), 0};
    }
}
TW_SIMD_KERNEL(paint, (const struct swiss *s, const struct piece *p), (s, p))

/* M_2 of a row with a cell more at both ends. */
static void read_level(const struct swiss *s, int32_t y, int32_t x, int32_t count, float *to)
{
    enum tw_simd simd = tw_task_simd(s->task);
    float edge[2];
    y = tw_clamp_index(y, s->height);
    tw_scales_read(simd, s->scales.at[2], &s->scales, y, x, count, to + 1);
    to[0] = to[1];
    if (x > 0) {
        tw_scales_read(simd, s->scales.at[2], &s->scales, y, x - 2, 2, edge);
        to[0] = edge[1];
    }
    to[count + 1] = to[count];
    if (x + count < s->width)
        tw_scales_read(simd, s->scales.at[2], &s->scales, y, x + count, 1, to + count + 1);
}

static void paint_piece(const struct swiss *s, struct piece *p)
{
    enum tw_simd simd = tw_task_simd(s->task);
    const struct tw_swiss_job *job = s->job;
    for (int32_t i = 0; i < 3; i++) {
        p->rows[i] = s->z + (size_t)tw_clamp_index(p->y + i - 1, s->height) * (size_t)s->width;
        read_level(s, p->y + i - 1, p->x, p->count, p->m2[i]);
    }
    tw_scales_read(simd, s->sky.all, &s->scales, p->y, p->x, p->count, p->sky);
    if (job->shade)
        tw_enlarge_read(job->shade, job->width, job->height, job->enlarge, p->y, p->x, p->count,
                        p->shade);
    paint(simd)(s, p);
}

static void paint_rows(void *context, int32_t begin, int32_t end)
{
    const struct swiss *s = context;
    struct piece piece;
    for (piece.y = begin; piece.y < end && !tw_task_cancelled(s->task); piece.y++)
        for (piece.x = 0; piece.x < s->width; piece.x += PIECE) {
            piece.count = s->width - piece.x < PIECE ? s->width - piece.x : PIECE;
            paint_piece(s, &piece);
        }
}

static void set_lights(struct swiss *s)
{
    for (int i = 0; i < LIGHTS; i++) {
        double azimuth = 270.0 + 30.0 * i;
        s->light[i][0] = (float)tw_sin_degrees(azimuth);
        s->light[i][1] = (float)-tw_cos_degrees(azimuth);
        s->weight[i] = i == 1 || i == 2 ? 1.6f : 1.0f;
    }
}

enum tw_status tw_swiss_paint(struct tw_task *task, const struct tw_swiss_job *job,
                              struct tw_surface_cell *to)
{
    struct swiss s = {.job = job,
                      .task = task,
                      .width = job->width * job->enlarge,
                      .height = job->height * job->enlarge,
                      .to = to};
    int32_t longest = s.width > s.height ? s.width : s.height;
    s.z = tw_task_scratch(task, (size_t)s.width * (size_t)s.height, sizeof *s.z);
    if (!s.z)
        return tw_task_no_memory(task);
    const float scale = tw_max(job->exaggeration, 1e-6f) * (float)longest; /* tints need heights */
    const float datum = tw_enlarge_datum(job->heights, job->exaggeration);
    s.k = 1024.0f / (float)longest;
    s.sea = (tw_max(job->sea, -1e6f) - datum) * scale;
    s.low = (job->low - datum) * scale;
    s.foot = tw_max(s.sea, s.low);
    s.rise = tw_max((job->high - datum) * scale - s.foot,
                    1e-6f + tw_rounding_of(job->low, job->high, scale));
    set_colours(&s.colours);
    set_lights(&s);
    tw_enlarge(task, job->heights, job->width, job->height, job->enlarge, datum, scale, s.z);
    enum tw_status status = tw_scales_build(task, s.z, s.width, s.height, &s.scales);
    if (status == TW_OK)
        status = tw_sky_view_find(task, &s.scales, 315, &s.sky);
    if (status != TW_OK)
        return status;
    tw_rows(task, s.height, 8, paint_rows, &s);
    return tw_task_cancelled(task) ? TW_CANCELLED : TW_OK;
}

void tw_swiss_forecast(struct tw_forecast *f, int32_t width, int32_t height, int32_t enlarge)
{
    struct swiss s = {.width = width * enlarge, .height = height * enlarge};
    struct tw_scratch counted = {.forecast = f};
    tw_scratch_take(&counted, (uint64_t)s.width * (uint64_t)s.height, sizeof *s.z);
    tw_scales_lay_out(&counted, s.width, s.height, &s.scales);
    tw_sky_view_lay_out(&counted, &s.scales, &s.sky);
}
