/* SPDX-License-Identifier: MIT */
#include "report/gallery/private.h"

#include "format/codec.h"

#include <math.h>
#include <stdlib.h>

static int32_t longest(const struct tw_value *map)
{
    return map->width > map->height ? map->width : map->height;
}

/* ---- PNG ---- */

struct pixels {
    const struct tw_value *image;
    int channels;
};

static bool fill_row(void *context, int32_t y, unsigned char *row)
{
    const struct pixels *p = context;
    const uint8_t *from = tw_pixels(p->image) + 3 * (size_t)y * (size_t)p->image->width;
    for (int32_t x = 0; x < p->image->width; x++)
        for (int c = 0; c < p->channels; c++) {
            int level = (from[3 * x + c] * 63 + 127) / 255;
            *row++ = (unsigned char)((level * 255 + 31) / 63);
        }
    return true;
}

/* Compression level. 9 makes a page 3 % smaller, but writing it takes a fifth longer. */
enum { LEVEL = 4 };

static bool is_grey(const struct tw_value *image)
{
    const uint8_t *at = tw_pixels(image);
    for (size_t i = 0; i < tw_value_count(image); i++)
        if (at[3 * i] != at[3 * i + 1] || at[3 * i] != at[3 * i + 2])
            return false;
    return true;
}

enum tw_status tw_gallery_encode(const struct tw_value *image, struct tw_bytes *png,
                                 struct tw_error *err)
{
    struct pixels pixels = {image, is_grey(image) ? 1 : 3};
    const struct tw_png_rows rows = {.width = image->width,
                                     .height = image->height,
                                     .channels = pixels.channels,
                                     .bits = 8,
                                     .level = LEVEL,
                                     .fill = fill_row,
                                     .context = &pixels};
    return tw_png_encode_rows(&rows, png, err);
}

/* ---- histograms ---- */

/* Rise per map side, by central differences; one-sided at the borders. */
static double slope_at(const struct tw_value *map, int32_t x, int32_t y)
{
    const float *at = tw_floats(map);
    size_t w = (size_t)map->width;
    int32_t left = x > 0 ? x - 1 : x, right = x + 1 < map->width ? x + 1 : x;
    int32_t up = y > 0 ? y - 1 : y, down = y + 1 < map->height ? y + 1 : y;
    double dx = 0, dy = 0;
    if (right > left)
        dx =
            ((double)at[(size_t)y * w + (size_t)right] - (double)at[(size_t)y * w + (size_t)left]) /
            (right - left);
    if (down > up)
        dy = ((double)at[(size_t)down * w + (size_t)x] - (double)at[(size_t)up * w + (size_t)x]) /
             (down - up);
    return sqrt(dx * dx + dy * dy) * longest(map);
}

static int bin_of(double value, double low, double high)
{
    int bin = high > low ? (int)((value - low) / (high - low) * TW_GALLERY_BINS) : 0;
    return bin < 0 ? 0 : bin >= TW_GALLERY_BINS ? TW_GALLERY_BINS - 1 : bin;
}

void tw_gallery_count(const struct tw_value *map, struct tw_gallery *g, int32_t k, double weight)
{
    const float *at = tw_floats(map);
    for (int32_t y = 0; y < map->height; y++)
        for (int32_t x = 0; x < map->width; x++) {
            double height = (double)at[(size_t)y * (size_t)map->width + (size_t)x];
            g->heights[k][bin_of(height, g->low, g->high)] += weight;
            g->slopes[k][bin_of(slope_at(map, x, y), 0, g->steepest)] += weight;
        }
}

double tw_gallery_steepest(const struct tw_value *map)
{
    enum { FINE = 4096 };
    double most = 0, count = 0, shares[FINE] = {0};
    for (int32_t y = 0; y < map->height; y++)
        for (int32_t x = 0; x < map->width; x++) {
            double slope = slope_at(map, x, y);
            most = slope > most ? slope : most;
        }
    for (int32_t y = 0; y < map->height; y++)
        for (int32_t x = 0; x < map->width; x++) {
            int bin = most > 0 ? (int)(slope_at(map, x, y) / most * (FINE - 1)) : 0;
            shares[bin]++;
        }
    int bin = FINE - 1;
    for (; bin > 0 && (count += shares[bin]) * 200 < (double)tw_value_count(map); bin--)
        ;
    return most * (bin + 1) / FINE;
}
