/* SPDX-License-Identifier: MIT */
/* One ray a pixel, then four more on a rotated grid where brightness or distance jumps to a
 * neighbour: a few pixels in a hundred. Samples are averaged as shown, after the tone curve. Bands
 * of rows follow one another; a row is finished once the one below it is known. */
#include "render/kernels/free_sight.h"
#include "render/kernels/view.h"

enum { TILE = 16, BAND_ROWS = 4 * TILE, MORE = 4, SIGHTS = 16 };
/* A packet is a square of pixels, which see more of the same ground than a row of as many does. */
enum { PACKET = 4, PACKETS = 32, KEPT = 2, PIECE = 256 };
_Static_assert(PACKET *PACKET == TW_RAYS && TILE % PACKET == 0, "a ray for each pixel");
#define BRIGHTER 0.08f /* difference of roots of luminance that makes an edge */
#define FURTHER 0.03f  /* relative difference of distance that makes an edge */

static const double more[MORE][2] = {
    {-0.125, -0.375}, {0.375, -0.125}, {0.125, 0.375}, {-0.375, 0.125}};

/* What the middles of pixels see. */
enum plane { RED, GREEN, BLUE, ROOT, DEPTH, PLANES };

struct painting {
    const struct tw_view *view;
    float *planes[PLANES]; /* of row `top` and those below */
    int32_t top;
    double *sights; /* free depths of tiles of TILE x TILE pixels */
    int32_t tiles;  /* in a row */
    uint8_t *pixels;
    int32_t first, end; /* rows of the band */
    int32_t finished;   /* rows above it are */
    int32_t packets;    /* in a row */
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

static float *plane_at(const struct painting *p, enum plane plane, int32_t x, int32_t y)
{
    return p->planes[plane] + (size_t)(y - p->top) * (size_t)p->view->width + (size_t)x;
}

/* Rows of a packet of pixels; most packets are whole, of which the size is known. */
static void keep(const struct painting *p, enum plane plane, int32_t left, int32_t top,
                 int32_t width, int32_t height, const float *packet)
{
    for (int32_t y = 0; y < height; y++) {
        float *row = plane_at(p, plane, left, top + y);
        if (width == PACKET)
            memcpy(row, packet + y * PACKET, PACKET * sizeof *row);
        else
            memcpy(row, packet + y * PACKET, (size_t)width * sizeof *row);
    }
}

/* The middles of a packet's pixels; lanes beyond the band repeat the last ones. */
static void look_at_packet(const struct painting *p, int32_t left, int32_t top)
{
    double u[TW_RAYS], v[TW_RAYS], sight[TW_RAYS];
    struct tw_view_packet seen;
    const int32_t width = p->view->width - left, height = p->end - top;
    const int32_t across_packet = width < PACKET ? width : PACKET;
    const int32_t down_packet = height < PACKET ? height : PACKET;
    for (int32_t i = 0; i < TW_RAYS; i++) {
        int32_t x = i % PACKET < across_packet ? i % PACKET : across_packet - 1;
        int32_t y = i / PACKET < down_packet ? i / PACKET : down_packet - 1;
        u[i] = across(p->view, left + x + 0.5);
        v[i] = upwards(p->view, top + y + 0.5);
        sight[i] = sight_of(p, left, top);
    }
    tw_view_look(p->simd, p->view, u, v, sight, &seen);
    keep(p, RED, left, top, across_packet, down_packet, seen.light.red);
    keep(p, GREEN, left, top, across_packet, down_packet, seen.light.green);
    keep(p, BLUE, left, top, across_packet, down_packet, seen.light.blue);
    keep(p, ROOT, left, top, across_packet, down_packet, seen.root);
    keep(p, DEPTH, left, top, across_packet, down_packet, seen.depth);
}

static void look_at_packets(void *context, int32_t begin, int32_t end)
{
    const struct painting *p = context;
    for (int32_t i = begin; i < end; i++)
        look_at_packet(p, i % p->packets * PACKET, p->first + i / p->packets * PACKET);
}

/* Pixels x .. x + count - 1 of row y: which are at edges, and the tones of all. */
struct piece {
    int32_t x, y, count;
    int32_t edge[PIECE];
    int32_t tone[3][PIECE]; /* steps of the view's tone tables */
};

/* 1 where pixels differ that are `away` pixels apart. */
static TW_INLINE int32_t differs(const float *root, const float *depth, ptrdiff_t away)
{
    float near = depth[0], far = depth[away], brighter = root[0] - root[away];
    float nearer = near < far ? near : far, further = near - far;
    return (fabsf(brighter) > BRIGHTER) | (fabsf(further) > FURTHER * nearer);
}

/* At the picture's border a pixel has itself for a neighbour, which does not differ. */
static TW_INLINE void find_edges(const struct painting *p, struct piece *c)
{
    const float *root = plane_at(p, ROOT, c->x, c->y), *depth = plane_at(p, DEPTH, c->x, c->y);
    const ptrdiff_t width = p->view->width;
    const ptrdiff_t up = c->y > 0 ? -width : 0, down = c->y + 1 < p->view->height ? width : 0;
    const int32_t begin = c->x > 0 ? 0 : 1, end = c->x + c->count < width ? c->count : c->count - 1;
    for (int32_t i = 0; i < c->count; i++)
        c->edge[i] = differs(root + i, depth + i, up) | differs(root + i, depth + i, down);
    for (int32_t i = begin; i < c->count; i++)
        c->edge[i] |= differs(root + i, depth + i, -1);
    for (int32_t i = 0; i < end; i++)
        c->edge[i] |= differs(root + i, depth + i, 1);
}

static TW_INLINE void examine_body(const struct painting *p, struct piece *c)
{
    find_edges(p, c);
    for (int k = RED; k <= BLUE; k++) {
        const float *light = plane_at(p, (enum plane)k, c->x, c->y);
        for (int32_t i = 0; i < c->count; i++)
            c->tone[k][i] = tw_tone_step(light[i]);
    }
}
TW_SIMD_KERNEL(examine, (const struct painting *p, struct piece *c), (p, c))

static uint8_t *pixel_at(const struct painting *p, int32_t x, int32_t y)
{
    return p->pixels + 3 * ((size_t)y * (size_t)p->view->width + (size_t)x);
}

/* More rays for the pixels x[0] .. of row y, as many as fill a packet. */
static void refine(const struct painting *p, const int32_t *x, int32_t count, int32_t y)
{
    double u[TW_RAYS], v[TW_RAYS], sight[TW_RAYS];
    struct tw_view_packet seen;
    const float *const light[] = {seen.light.red, seen.light.green, seen.light.blue};
    for (int32_t i = 0; i < TW_RAYS; i++) {
        int32_t pixel = i / MORE < count ? i / MORE : count - 1;
        u[i] = across(p->view, x[pixel] + 0.5 + more[i % MORE][0]);
        v[i] = upwards(p->view, y + 0.5 + more[i % MORE][1]);
        sight[i] = sight_of(p, x[pixel], y);
    }
    tw_view_look(p->simd, p->view, u, v, sight, &seen);
    for (int32_t i = 0; i < count; i++)
        for (int k = RED; k <= BLUE; k++) {
            float sum = *plane_at(p, (enum plane)k, x[i], y);
            for (int n = 0; n < MORE; n++)
                sum += light[k][MORE * i + n];
            pixel_at(p, x[i], y)[k] = tw_tone_byte(&p->view->tones, sum * (1.0f / (MORE + 1)));
        }
}

static void finish_piece(const struct painting *p, struct piece *c)
{
    int32_t edges[TW_RAYS / MORE], count = 0;
    uint8_t *to = pixel_at(p, c->x, c->y);
    examine(p->simd)(p, c);
    for (int32_t i = 0; i < c->count; i++)
        for (int k = RED; k <= BLUE; k++)
            to[3 * i + k] = p->view->tones.encode[c->tone[k][i]];
    for (int32_t i = 0; i < c->count; i++) {
        if (c->edge[i])
            edges[count++] = c->x + i;
        if (count == TW_RAYS / MORE || (count > 0 && i + 1 == c->count)) {
            refine(p, edges, count, c->y);
            count = 0;
        }
    }
}

static void finish_row(const struct painting *p, int32_t y)
{
    struct piece piece = {.y = y};
    for (; piece.x < p->view->width; piece.x += PIECE) {
        int32_t left = p->view->width - piece.x;
        piece.count = left < PIECE ? left : PIECE;
        finish_piece(p, &piece);
    }
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
    tw_rows(task, (rows + PACKET - 1) / PACKET * p->packets, PACKETS, look_at_packets, p);
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
    for (int k = 0; k < PLANES; k++)
        memmove(p->planes[k], plane_at(p, (enum plane)k, 0, p->end - KEPT),
                KEPT * (size_t)p->view->width * sizeof *p->planes[k]);
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
    p.packets = width / PACKET + (width % PACKET > 0);
    const size_t cells = (size_t)rows_of(height) * (size_t)width;
    p.planes[0] = tw_task_scratch(task, PLANES * cells, sizeof *p.planes[0]);
    p.sights = tw_task_scratch(task, (size_t)p.tiles * (size_t)tiles_of(height), sizeof *p.sights);
    if (!p.planes[0] || !p.sights)
        return tw_task_no_memory(task);
    for (int k = 1; k < PLANES; k++)
        p.planes[k] = p.planes[0] + (size_t)k * cells;
    return paint_bands(task, &p);
}

void tw_view_forecast(struct tw_forecast *f, int32_t width, int32_t height)
{
    tw_forecast_scratch(f, (uint64_t)width * (uint64_t)rows_of(height), PLANES * sizeof(float));
    tw_forecast_scratch(f, (uint64_t)tiles_of(width) * (uint64_t)tiles_of(height), sizeof(double));
}
