/* SPDX-License-Identifier: MIT */
#include "serve/thumbnail.h"

#include "format/codec.h"
#include "report/pictures/value_picture.h"

#include <math.h>
#include <string.h>

enum { SIDE = 112 };

/* A map of which each pixel takes the cell at the middle of its block. */
struct sample {
    const struct tw_value *value;
    int32_t width, height, block;
};

static size_t cell_at(const struct sample *sample, int32_t x, int32_t y)
{
    const struct tw_value *value = sample->value;
    const int32_t middle = sample->block / 2;
    int32_t row = y * sample->block + middle, column = x * sample->block + middle;
    row = row < value->height ? row : value->height - 1;
    column = column < value->width ? column : value->width - 1;
    return (size_t)row * (size_t)value->width + (size_t)column;
}

static float height_at(const struct sample *sample, int32_t x, int32_t y)
{
    x = x < 0 ? 0 : x >= sample->width ? sample->width - 1 : x;
    y = y < 0 ? 0 : y >= sample->height ? sample->height - 1 : y;
    return tw_floats(sample->value)[cell_at(sample, x, y)];
}

/* Light from the north-west, over a grey that rises with the height; slopes are exaggerated, so
 * that any relief is seen. */
static void draw_heights(const struct sample *sample, float low, float scale, unsigned char *to)
{
    const float steep = 18 * scale;
    for (int32_t y = 0; y < sample->height; y++)
        for (int32_t x = 0; x < sample->width; x++) {
            const float east = height_at(sample, x + 1, y) - height_at(sample, x - 1, y);
            const float south = height_at(sample, x, y + 1) - height_at(sample, x, y - 1);
            const float a = east * steep / 2, b = south * steep / 2;
            const float light = (1 + 0.6f * a + 0.6f * b) / sqrtf(1 + a * a + b * b) / 1.36f;
            const float grey = 0.45f + 0.55f * (height_at(sample, x, y) - low) * scale;
            const float shade = light < 0 ? 0 : light * grey;
            memset(to, (int)((shade > 1 ? 1 : shade) * 255 + 0.5f), 3);
            to += 3;
        }
}

static void draw_mask(const struct sample *sample, float low, float scale, unsigned char *to)
{
    for (int32_t y = 0; y < sample->height; y++)
        for (int32_t x = 0; x < sample->width; x++, to += 3)
            memset(to, (int)((height_at(sample, x, y) - low) * scale * 255 + 0.5f), 3);
}

static void draw_labels(const struct sample *sample, unsigned char *to)
{
    static const unsigned char colours[][3] = {
        {90, 110, 140},  {214, 96, 77},  {244, 165, 80},  {253, 219, 120}, {166, 204, 106},
        {102, 170, 120}, {90, 170, 190}, {100, 130, 200}, {150, 110, 190}, {200, 120, 170}};
    const size_t count = sizeof colours / sizeof *colours;
    for (int32_t y = 0; y < sample->height; y++)
        for (int32_t x = 0; x < sample->width; x++, to += 3) {
            const size_t label = (size_t)tw_field_number(sample->value, cell_at(sample, x, y));
            memcpy(to, colours[label % count], 3);
        }
}

static void draw(const struct sample *sample, unsigned char *to)
{
    const struct tw_value *value = sample->value;
    float low = 0, high = 1;
    if (value->type == TW_LABELS) {
        draw_labels(sample, to);
        return;
    }
    tw_value_range(value, &low, &high);
    if (value->type == TW_MASK && low >= 0 && high <= 1)
        low = 0, high = 1;
    const float scale = high > low ? 1 / (high - low) : 0;
    if (value->type == TW_MASK)
        draw_mask(sample, low, scale, to);
    else
        draw_heights(sample, low, scale, to);
}

enum tw_status tw_thumbnail_encode(const struct tw_value *value, struct tw_bytes *png,
                                   struct tw_error *err)
{
    const struct tw_export_range any = {0, 1, true, 8};
    const int32_t longer = value->width > value->height ? value->width : value->height;
    const int32_t block = (longer + SIDE - 1) / SIDE;
    const struct sample sample = {value, (value->width + block - 1) / block,
                                  (value->height + block - 1) / block, block};
    struct tw_value image = {.type = TW_IMAGE};
    enum tw_status status = value->type == TW_IMAGE && block > 1
                                ? tw_value_reduce(value, SIDE, &image, err)
                            : value->type != TW_IMAGE
                                ? tw_field_alloc(&image, TW_IMAGE, sample.width, sample.height, err)
                                : TW_OK;
    if (status == TW_OK && value->type != TW_IMAGE)
        draw(&sample, image.data);
    if (status == TW_OK)
        status = tw_png_encode(image.data ? &image : value, &any, png, err);
    tw_field_clear(&image);
    return status;
}
