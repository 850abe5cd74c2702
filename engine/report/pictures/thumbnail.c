/* SPDX-License-Identifier: MIT */
#include "report/pictures/thumbnail.h"

/* Returns how many cells of the large picture a side of one small cell covers. */
static int32_t step_of(const struct tw_value *from)
{
    int32_t side = from->width > from->height ? from->width : from->height;
    return (side + TW_THUMBNAIL_SIDE - 1) / TW_THUMBNAIL_SIDE;
}

/* Returns the mean of one channel over the cells of a block. */
static double mean_of(const struct tw_value *from, int32_t x0, int32_t y0, int32_t step,
                      size_t channels, size_t channel)
{
    const int32_t x1 = x0 + step < from->width ? x0 + step : from->width;
    const int32_t y1 = y0 + step < from->height ? y0 + step : from->height;
    const size_t width = (size_t)(x1 - x0), count = width * (size_t)(y1 - y0);
    double sum = 0;
    for (int32_t y = y0; y < y1; y++) {
        const size_t at = ((size_t)y * (size_t)from->width + (size_t)x0) * channels + channel;
        const unsigned char *bytes = (const unsigned char *)from->data + at;
        const float *numbers = (const float *)from->data + at;
        for (size_t i = 0; from->type == TW_IMAGE && i < width; i++)
            sum += bytes[i * channels];
        for (size_t i = 0; from->type != TW_IMAGE && i < width; i++)
            sum += numbers[i];
    }
    return count > 0 ? sum / (double)count : 0;
}

enum tw_status tw_thumbnail(const struct tw_value *from, struct tw_value *small,
                            struct tw_error *err)
{
    int32_t step = step_of(from);
    if (step <= 1)
        return tw_field_copy(small, from, err);
    int32_t width = (from->width + step - 1) / step, height = (from->height + step - 1) / step;
    enum tw_status status = tw_field_alloc(small, from->type, width, height, err);
    size_t channels = from->type == TW_IMAGE ? 3 : 1;
    for (int32_t y = 0; status == TW_OK && y < height; y++)
        for (int32_t x = 0; x < width; x++)
            for (size_t c = 0; c < channels; c++) {
                size_t at = ((size_t)y * (size_t)width + (size_t)x) * channels + c;
                double mean = mean_of(from, x * step, y * step, step, channels, c);
                if (from->type == TW_IMAGE)
                    ((unsigned char *)small->data)[at] = (unsigned char)(mean + 0.5);
                else
                    ((float *)small->data)[at] = (float)mean;
            }
    return status;
}
