/* SPDX-License-Identifier: MIT */
/* One ray a pixel, then four more on a rotated grid where brightness or distance jumps to a
 * neighbour: a few pixels in a hundred. Samples are averaged as shown, after the tone curve. Bands
 * of rows are looked at one after the other; a row is finished when the one below it is known. */
#include "render/kernels/free_sight.h"
#include "render/kernels/view.h"

enum { TILE = 16, BAND_ROWS = 4 * TILE, MORE = 4, SIGHTS = 16 };
/* A packet is a block of pixels, which see more of the same ground than a row of as many does. */
enum { BLOCK = 4, BLOCKS = 32, KEPT = 2 };
_Static_assert(BLOCK *BLOCK == TW_RAYS && TILE % BLOCK == 0, "a ray for each pixel");
#define BRIGHTER 0.08f /* difference of roots of luminance that makes an edge */
#define FURTHER 0.03f  /* relative difference of distance that makes an edge */

static const double more[MORE][2] = {
    {-0.125, -0.375}, {0.375, -0.125}, {0.125, 0.375}, {-0.375, 0.125}};

struct painting {
    const struct tw_view *view;
    struct tw_view_sample *samples; /* of the middles of the pixels of row `top` and those below */
    int32_t top;
    double *sights; /* free depths of tiles of TILE x TILE pixels */
    int32_t tiles;  /* in a row */
    uint8_t *pixels;
    int32_t first, end; /* rows of the band */
    int32_t finished;   /* rows above it are */
    int32_t blocks;     /* in a row */
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

static struct tw_view_sample *sample_of(const struct painting *p, int32_t x, int32_t y)
{
    return p->samples + (size_t)(y - p->top) * (size_t)p->view->width + (size_t)x;
}

/* The middles of a block's pixels; lanes beyond the band repeat the last ones. */
static void look_at_block(const struct painting *p, int32_t left, int32_t top)
{
    double u[TW_RAYS], v[TW_RAYS], sight[TW_RAYS];
    struct tw_view_sample samples[TW_RAYS];
    const int32_t width = p->view->width - left, height = p->end - top;
    const int32_t across_block = width < BLOCK ? width : BLOCK;
    const int32_t down_block = height < BLOCK ? height : BLOCK;
    for (int32_t i = 0; i < TW_RAYS; i++) {
        int32_t x = i % BLOCK < across_block ? i % BLOCK : across_block - 1;
        int32_t y = i / BLOCK < down_block ? i / BLOCK : down_block - 1;
        u[i] = across(p->view, left + x + 0.5);
        v[i] = upwards(p->view, top + y + 0.5);
        sight[i] = sight_of(p, left, top);
    }
    tw_view_look(p->simd, p->view, u, v, sight, samples);
    for (int32_t y = 0; y < down_block; y++)
        memcpy(sample_of(p, left, top + y), samples + y * BLOCK,
               (size_t)across_block * sizeof *samples);
}

static void look_at_blocks(void *context, int32_t begin, int32_t end)
{
    const struct painting *p = context;
    for (int32_t i = begin; i < end; i++)
        look_at_block(p, i % p->blocks * BLOCK, p->first + i / p->blocks * BLOCK);
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
    const struct tw_view_sample *at = sample_of(p, x, y);
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
        struct tw_rgb colour = sample_of(p, x[k], y)->colour;
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
            store(p, x, y, sample_of(p, x, y)->colour);
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
    for (int32_t y = p->finished + begin; y < p->finished + end; y++)
        finish_row(p, y);
}

static void look_at_band(struct tw_task *task, struct painting *p)
{
    const int32_t rows = p->end - p->first;
    tw_rows(task, (rows + TILE - 1) / TILE * p->tiles, SIGHTS, find_sights, p);
    tw_rows(task, (rows + BLOCK - 1) / BLOCK * p->blocks, BLOCKS, look_at_blocks, p);
}

/* All rows but the band's last, unless the picture ends with it. */
static void finish_band(struct tw_task *task, struct painting *p)
{
    const int32_t until = p->end < p->view->height ? p->end - 1 : p->end;
    tw_rows(task, until - p->finished, 1, finish_rows, p);
    p->finished = until;
}

/* The band's last two rows are those above the next one. */
static void keep_last_rows(struct painting *p)
{
    memmove(p->samples, sample_of(p, 0, p->end - KEPT),
            KEPT * (size_t)p->view->width * sizeof *p->samples);
    p->top = p->end - KEPT;
}

static enum tw_status paint_bands(struct tw_task *task, struct painting *p)
{
    const int32_t height = p->view->height;
    for (; p->first < height; p->first = p->end) {
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        const int32_t left = height - p->first;
        p->end = p->first + (left < BAND_ROWS ? left : BAND_ROWS);
        look_at_band(task, p);
        finish_band(task, p);
        if (p->end < height)
            keep_last_rows(p);
        tw_task_progress(task, 0.5 + 0.5 * p->end / height);
    }
    return TW_OK;
}

static int32_t tiles_of(int32_t pixels) { return pixels / TILE + (pixels % TILE > 0); }

/* Rows of samples in memory. */
static int32_t rows_of(int32_t height)
{
    return height < BAND_ROWS + KEPT ? height : BAND_ROWS + KEPT;
}

enum tw_status tw_view_paint(struct tw_task *task, const struct tw_view *view, uint8_t *pixels)
{
    const int32_t width = view->width, height = view->height;
    struct painting p = {.view = view, .pixels = pixels, .simd = tw_task_simd(task)};
    p.tiles = tiles_of(width);
    p.blocks = width / BLOCK + (width % BLOCK > 0);
    p.samples = tw_task_scratch(task, (size_t)rows_of(height) * (size_t)width, sizeof *p.samples);
    p.sights = tw_task_scratch(task, (size_t)p.tiles * (size_t)tiles_of(height), sizeof *p.sights);
    if (!p.samples || !p.sights)
        return tw_task_no_memory(task);
    return paint_bands(task, &p);
}

void tw_view_forecast(struct tw_forecast *f, int32_t width, int32_t height)
{
    tw_forecast_scratch(f, (uint64_t)width * (uint64_t)rows_of(height),
                        sizeof(struct tw_view_sample));
    tw_forecast_scratch(f, (uint64_t)tiles_of(width) * (uint64_t)tiles_of(height), sizeof(double));
}
