/* SPDX-License-Identifier: MIT */
/* Reduces pictures of the documents to 256 colours, which keeps the repository small: median cut
 * (Heckbert 1982) on colours of 5 bits per channel, and an ordered dither of four levels; greys are
 * unchanged. */
#ifndef TW_TESTS_SUPPORT_PALETTE_H
#define TW_TESTS_SUPPORT_PALETTE_H

#include "support/picture.h"

#include <png.h>

enum { PALETTE_COLOURS = 256, PALETTE_CELLS = 1 << 15 };

struct palette {
    uint8_t colours[PALETTE_COLOURS][3];
    int count;
    uint8_t index[PALETTE_CELLS]; /* by colour of 15 bits */
};

struct palette_box {
    int low[3], high[3]; /* 0..31, inclusive */
    uint64_t pixels;
};

static inline int palette_cell(const int *at) { return at[0] << 10 | at[1] << 5 | at[2]; }

/* Counts pixels in each plane of a box across an axis; returns their sum. */
static inline uint64_t palette_profile(const uint32_t *counts, const struct palette_box *box,
                                       int axis, uint64_t *planes)
{
    uint64_t sum = 0;
    memset(planes, 0, 32 * sizeof *planes);
    for (int r = box->low[0]; r <= box->high[0]; r++)
        for (int g = box->low[1]; g <= box->high[1]; g++)
            for (int b = box->low[2]; b <= box->high[2]; b++) {
                const int at[3] = {r, g, b};
                planes[at[axis]] += counts[palette_cell(at)];
                sum += counts[palette_cell(at)];
            }
    return sum;
}

/* Shrinks a box to its pixels. */
static inline void palette_shrink(const uint32_t *counts, struct palette_box *box)
{
    uint64_t planes[32];
    for (int axis = 0; axis < 3; axis++) {
        box->pixels = palette_profile(counts, box, axis, planes);
        while (box->low[axis] < box->high[axis] && planes[box->low[axis]] == 0)
            box->low[axis]++;
        while (box->low[axis] < box->high[axis] && planes[box->high[axis]] == 0)
            box->high[axis]--;
    }
}

static inline int palette_longest(const struct palette_box *box)
{
    int axis = 1;
    for (int i = 0; i < 3; i++)
        if (box->high[i] - box->low[i] > box->high[axis] - box->low[axis])
            axis = i;
    return axis;
}

/* Splits a box across its longest side into halves of equal pixel counts. */
static inline struct palette_box palette_split(const uint32_t *counts, struct palette_box *box)
{
    uint64_t planes[32], below = 0;
    int axis = palette_longest(box), cut = box->low[axis];
    palette_profile(counts, box, axis, planes);
    for (; cut < box->high[axis] - 1 && 2 * (below + planes[cut]) < box->pixels; cut++)
        below += planes[cut];
    struct palette_box other = *box;
    box->high[axis] = cut;
    other.low[axis] = cut + 1;
    palette_shrink(counts, box);
    palette_shrink(counts, &other);
    return other;
}

/* The box with the greatest product of pixels and size that can still be split; -1 for none. */
static inline int palette_worst(const struct palette_box *boxes, int count)
{
    int worst = -1;
    double most = 0;
    for (int i = 0; i < count; i++) {
        int axis = palette_longest(&boxes[i]), size = boxes[i].high[axis] - boxes[i].low[axis];
        double weight = (double)boxes[i].pixels * size * size;
        if (size > 0 && weight > most) {
            most = weight;
            worst = i;
        }
    }
    return worst;
}

static inline void palette_fill(const uint32_t *counts, const struct palette_box *box,
                                struct palette *palette)
{
    uint64_t sums[3] = {0}, total = 0;
    for (int r = box->low[0]; r <= box->high[0]; r++)
        for (int g = box->low[1]; g <= box->high[1]; g++)
            for (int b = box->low[2]; b <= box->high[2]; b++) {
                const int at[3] = {r, g, b};
                uint64_t pixels = counts[palette_cell(at)];
                palette->index[palette_cell(at)] = (uint8_t)palette->count;
                total += pixels;
                for (int k = 0; k < 3; k++)
                    sums[k] += pixels * (uint64_t)(at[k] * 255 / 31);
            }
    for (int k = 0; k < 3; k++)
        palette->colours[palette->count][k] = (uint8_t)(total ? (sums[k] + total / 2) / total : 0);
    palette->count++;
}

/* The 15-bit colour of pixel (x, y), dithered by a quarter of a step. */
static inline int palette_bits(const uint8_t *pixel, int32_t x, int32_t y)
{
    static const int dither[2][2] = {{-3, 1}, {3, -1}};
    int at[3];
    for (int k = 0; k < 3; k++) {
        int v = pixel[k] + dither[y & 1][x & 1];
        v = v < 0 ? 0 : v > 255 ? 255 : v;
        at[k] = (v * 31 + 127) / 255;
    }
    return palette_cell(at);
}

/* Takes an image of greys as it is. */
static inline bool palette_take_greys(const struct tw_value *image, struct palette *palette,
                                      uint8_t *indices)
{
    const uint8_t *pixels = tw_pixels(image);
    for (size_t i = 0; i < tw_value_count(image); i++) {
        if (pixels[3 * i] != pixels[3 * i + 1] || pixels[3 * i] != pixels[3 * i + 2])
            return false;
        indices[i] = pixels[3 * i];
    }
    palette->count = PALETTE_COLOURS;
    for (int i = 0; i < PALETTE_COLOURS; i++)
        memset(palette->colours[i], i, 3);
    return true;
}

/* Reduces the colours of an image to at most 256. */
static inline void palette_reduce(struct tw_value *image, struct palette *palette, uint8_t *indices)
{
    static uint32_t counts[PALETTE_CELLS];
    struct palette_box boxes[PALETTE_COLOURS] = {{{0, 0, 0}, {31, 31, 31}, 0}};
    int count = 1;
    if (palette_take_greys(image, palette, indices))
        return;
    memset(counts, 0, sizeof counts);
    memset(palette, 0, sizeof *palette);
    for (size_t i = 0; i < tw_value_count(image); i++)
        counts[palette_bits(tw_pixels(image) + 3 * i, (int32_t)(i % (size_t)image->width),
                            (int32_t)(i / (size_t)image->width))]++;
    palette_shrink(counts, &boxes[0]);
    for (int worst; count < PALETTE_COLOURS && (worst = palette_worst(boxes, count)) >= 0; count++)
        boxes[count] = palette_split(counts, &boxes[worst]);
    for (int i = 0; i < count; i++)
        palette_fill(counts, &boxes[i], palette);
    for (size_t i = 0; i < tw_value_count(image); i++) {
        uint8_t *pixel = tw_pixels(image) + 3 * i;
        indices[i] = palette->index[palette_bits(pixel, (int32_t)(i % (size_t)image->width),
                                                 (int32_t)(i / (size_t)image->width))];
        memcpy(pixel, palette->colours[indices[i]], 3);
    }
}

/* Writes the reduced image without filters, which hurt palettes. */
static inline void palette_write(const char *path, const struct tw_value *image,
                                 const struct palette *palette, uint8_t *indices)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_color colours[PALETTE_COLOURS];
    for (int i = 0; i < palette->count; i++)
        colours[i] =
            (png_color){palette->colours[i][0], palette->colours[i][1], palette->colours[i][2]};
    png_init_io(png, file);
    png_set_compression_level(png, 9);
    png_set_filter(png, 0, PNG_FILTER_NONE);
    png_set_IHDR(png, info, (uint32_t)image->width, (uint32_t)image->height, 8,
                 PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_PLTE(png, info, colours, palette->count);
    png_write_info(png, info);
    for (int32_t y = 0; y < image->height; y++)
        png_write_row(png, indices + (size_t)y * (size_t)image->width);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    assert_int_equal(fclose(file), 0);
}

/* Whether the picture in the file equals this image in 256 colours; writes it if `update`. */
static inline bool palette_is_current(const char *path, struct tw_value *image, bool update)
{
    static struct palette palette;
    struct tw_value old = {0};
    uint8_t *indices = malloc(tw_value_count(image));
    assert_non_null(indices);
    palette_reduce(image, &palette, indices);
    bool same = picture_read(path, &old) && picture_same(&old, image);
    tw_field_clear(&old);
    if (!same && update)
        palette_write(path, image, &palette, indices);
    free(indices);
    return same || update;
}

#endif
