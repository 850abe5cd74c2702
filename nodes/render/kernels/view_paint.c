/* SPDX-License-Identifier: MIT */
/* One ray a pixel, then four more on a rotated grid where brightness or distance jumps to a
 * neighbour: a few pixels in a hundred. Samples are averaged as shown, after the tone curve. */
#include "render/kernels/free_sight.h"
#include "render/kernels/view.h"

enum { TILE = 16, BAND_ROWS = 2 * TILE, MORE = 4, SIGHTS = 16 };
#define BRIGHTER 0.08f /* difference of roots of luminance that makes an edge */
#define FURTHER 0.03f  /* relative difference of distance that makes an edge */

static const double more[MORE][2] = {
    {-0.125, -0.375}, {0.375, -0.125}, {0.125, 0.375}, {-0.375, 0.125}};

struct painting {
    const struct tw_view *view;
    struct tw_view_sample *samples; /* of the pixels' middles */
    double *sights;                 /* free depths of tiles of TILE x TILE pixels */
    int32_t tiles;                  /* in a row */
    uint8_t *pixels;
    int32_t first; /* row of the band */
    enum tw_simd simd;
};

static double across(const struct tw_view *view, double x) { return 2 * x / view->width - 1; }
static double upwards(const struct tw_view *view, double y) { return 1 - 2 * y / view->height; }

/* Of the band's tiles. */
static void find_sights(void *context, int32_t begin, int32_t end)
{
    const struct painting *p = context;
    const int32_t before = p->first / TILE * p->tiles;
    for (int32_t tile = before + begin; tile < before + end; tile++) {
        int32_t x = tile % p->tiles * TILE, y = tile / p->tiles * TILE;
        const double u[2] = {across(p->view, x), across(p->view, x + TILE)};
        const double v[2] = {upwards(p->view, y + TILE), upwards(p->view, y)};
        p->sights[tile] = tw_free_sight(&p->view->pyramid, &p->view->camera, u, v);
    }
}

static double sight_of(const struct painting *p, int32_t x, int32_t y)
{
    return p->sights[(size_t)(y / TILE) * (size_t)p->tiles + (size_t)(x / TILE)];
}

/* The middles of `count` pixels, at most TW_RAYS; lanes left over repeat the last. */
static void look_at_pixels(const struct painting *p, int32_t x, int32_t y, int32_t count)
{
    double u[TW_RAYS], v[TW_RAYS], sight[TW_RAYS];
    struct tw_view_sample samples[TW_RAYS];
    for (int32_t i = 0; i < TW_RAYS; i++) {
        int32_t pixel = x + (i < count ? i : count - 1);
        u[i] = across(p->view, pixel + 0.5);
        v[i] = upwards(p->view, y + 0.5);
        sight[i] = sight_of(p, pixel, y);
    }
    tw_view_look(p->simd, p->view, u, v, sight, samples);
    memcpy(p->samples + (size_t)y * (size_t)p->view->width + (size_t)x, samples,
           (size_t)count * sizeof *samples);
}

static void look_rows(void *context, int32_t begin, int32_t end)
{
    const struct painting *p = context;
    int32_t width = p->view->width;
    for (int32_t y = p->first + begin; y < p->first + end; y++)
        for (int32_t x = 0; x < width; x += TW_RAYS)
            look_at_pixels(p, x, y, width - x < TW_RAYS ? width - x : TW_RAYS);
}

static bool differs(const struct tw_view_sample *a, const struct tw_view_sample *b)
{
    float brightness = sqrtf(tw_rgb_luminance(a->colour)) - sqrtf(tw_rgb_luminance(b->colour));
    float nearer = tw_min(a->depth, b->depth);
    return fabsf(brightness) > BRIGHTER || fabsf(a->depth - b->depth) > FURTHER * nearer;
}

static bool is_edge(const struct painting *p, int32_t x, int32_t y)
{
    size_t width = (size_t)p->view->width;
    const struct tw_view_sample *at = p->samples + (size_t)y * width + (size_t)x;
    return (x + 1 < p->view->width && differs(at, at + 1)) || (x > 0 && differs(at, at - 1)) ||
           (y + 1 < p->view->height && differs(at, at + width)) ||
           (y > 0 && differs(at, at - width));
}

static void store(const struct painting *p, int32_t x, int32_t y, struct tw_rgb colour)
{
    size_t at = (size_t)y * (size_t)p->view->width + (size_t)x;
    tw_tone_store(&p->view->tones, colour, p->pixels + 3 * at);
}

/* More rays for the pixels x[0] .. of row y, as many as fill a packet. */
static void refine(const struct painting *p, const int32_t *x, int32_t count, int32_t y)
{
    double u[TW_RAYS], v[TW_RAYS], sight[TW_RAYS];
    struct tw_view_sample samples[TW_RAYS];
    for (int32_t i = 0; i < TW_RAYS; i++) {
        int32_t pixel = i / MORE < count ? i / MORE : count - 1;
        u[i] = across(p->view, x[pixel] + 0.5 + more[i % MORE][0]);
        v[i] = upwards(p->view, y + 0.5 + more[i % MORE][1]);
        sight[i] = sight_of(p, x[pixel], y);
    }
    tw_view_look(p->simd, p->view, u, v, sight, samples);
    for (int32_t k = 0; k < count; k++) {
        struct tw_rgb colour = p->samples[(size_t)y * (size_t)p->view->width + (size_t)x[k]].colour;
        for (int i = 0; i < MORE; i++)
            colour = tw_rgb_add(colour, samples[MORE * k + i].colour);
        store(p, x[k], y, tw_rgb_scale(colour, 1.0f / (MORE + 1)));
    }
}

static void finish_row(const struct painting *p, int32_t y)
{
    int32_t edges[TW_RAYS / MORE], count = 0, width = p->view->width;
    for (int32_t x = 0; x < width; x++) {
        if (!is_edge(p, x, y)) {
            store(p, x, y, p->samples[(size_t)y * (size_t)width + (size_t)x].colour);
            continue;
        }
        edges[count++] = x;
        if (count == TW_RAYS / MORE) {
            refine(p, edges, count, y);
            count = 0;
        }
    }
    if (count > 0)
        refine(p, edges, count, y);
}

static void finish_rows(void *context, int32_t begin, int32_t end)
{
    const struct painting *p = context;
    for (int32_t y = p->first + begin; y < p->first + end; y++)
        finish_row(p, y);
}

/* What is done for `rows` rows from the painting's first on. */
typedef void band_fn(struct tw_task *task, struct painting *p, int32_t rows);

static void look_band(struct tw_task *task, struct painting *p, int32_t rows)
{
    tw_rows(task, (rows + TILE - 1) / TILE * p->tiles, SIGHTS, find_sights, p);
    tw_rows(task, rows, 1, look_rows, p);
}

static void finish_band(struct tw_task *task, struct painting *p, int32_t rows)
{
    tw_rows(task, rows, 1, finish_rows, p);
}

static enum tw_status paint_bands(struct tw_task *task, struct painting *p, band_fn *band,
                                  double done)
{
    int32_t height = p->view->height;
    for (p->first = 0; p->first < height; p->first += BAND_ROWS) {
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        int32_t left = height - p->first;
        band(task, p, left < BAND_ROWS ? left : BAND_ROWS);
        tw_task_progress(task, done + 0.25 * p->first / height);
    }
    return TW_OK;
}

enum tw_status tw_view_paint(struct tw_task *task, const struct tw_view *view, uint8_t *pixels)
{
    size_t count = (size_t)view->width * (size_t)view->height;
    struct painting p = {.view = view, .pixels = pixels, .simd = tw_task_simd(task)};
    int32_t tile_rows = (view->height + TILE - 1) / TILE;
    p.tiles = (view->width + TILE - 1) / TILE;
    p.samples = tw_task_scratch(task, count, sizeof *p.samples);
    p.sights = tw_task_scratch(task, (size_t)p.tiles * (size_t)tile_rows, sizeof *p.sights);
    if (!p.samples || !p.sights)
        return tw_task_no_memory(task);
    enum tw_status status = paint_bands(task, &p, look_band, 0.5);
    return status == TW_OK ? paint_bands(task, &p, finish_band, 0.75) : status;
}

void tw_view_forecast(struct tw_forecast *f, int32_t width, int32_t height)
{
    tw_forecast_scratch(f, (uint64_t)width * (uint64_t)height, sizeof(struct tw_view_sample));
    tw_forecast_scratch(
        f, ((uint64_t)width + TILE - 1) / TILE * (((uint64_t)height + TILE - 1) / TILE),
        sizeof(double));
}
