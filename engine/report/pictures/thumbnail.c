/* SPDX-License-Identifier: MIT */
#include "report/pictures/thumbnail.h"

/* Returns how many cells of the large picture a side of one small cell covers. */
static int32_t step_of(const struct tw_value *from)
{
    int32_t side = from->width > from->height ? from->width : from->height;
    return (side + TW_THUMBNAIL_SIDE - 1) / TW_THUMBNAIL_SIDE;
}

/* Cells of the large picture that become one. */
struct block {
    int32_t x0, y0, x1, y1;
};

static struct block block_of(const struct tw_value *from, int32_t x, int32_t y, int32_t step)
{
    const int32_t x0 = x * step, y0 = y * step;
    return (struct block){x0, y0, x0 + step < from->width ? x0 + step : from->width,
                          y0 + step < from->height ? y0 + step : from->height};
}

static double count_of(const struct block *b)
{
    return (double)(b->x1 - b->x0) * (double)(b->y1 - b->y0);
}

static void mean_pixel(const struct tw_value *from, const struct block *b, uint8_t *pixel)
{
    uint64_t sums[3] = {0};
    for (int32_t y = b->y0; y < b->y1; y++) {
        const uint8_t *at = tw_pixels(from) + ((size_t)y * (size_t)from->width + (size_t)b->x0) * 3;
        for (int32_t x = b->x0; x < b->x1; x++, at += 3)
            for (int c = 0; c < 3; c++)
                sums[c] += at[c];
    }
    for (int c = 0; c < 3; c++)
        pixel[c] = (uint8_t)((double)sums[c] / count_of(b) + 0.5);
}

static float mean_number(const struct tw_value *from, const struct block *b)
{
    double sum = 0;
    for (int32_t y = b->y0; y < b->y1; y++)
        for (int32_t x = b->x0; x < b->x1; x++)
            sum += (double)tw_floats(from)[(size_t)y * (size_t)from->width + (size_t)x];
    return (float)(sum / count_of(b));
}

enum tw_status tw_thumbnail(const struct tw_value *from, struct tw_value *small,
                            struct tw_error *err)
{
    int32_t step = step_of(from);
    if (step <= 1)
        return tw_field_copy(small, from, err);
    int32_t width = (from->width + step - 1) / step, height = (from->height + step - 1) / step;
    enum tw_status status = tw_field_alloc(small, from->type, width, height, err);
    for (int32_t y = 0; status == TW_OK && y < height; y++)
        for (int32_t x = 0; x < width; x++) {
            const struct block block = block_of(from, x, y, step);
            const size_t at = (size_t)y * (size_t)width + (size_t)x;
            if (from->type == TW_IMAGE)
                mean_pixel(from, &block, tw_pixels(small) + 3 * at);
            else
                tw_floats(small)[at] = mean_number(from, &block);
        }
    return status;
}
