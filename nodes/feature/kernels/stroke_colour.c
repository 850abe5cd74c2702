/* SPDX-License-Identifier: MIT */
#include "feature/kernels/stroke_colour.h"

#include <thalweg/kernel.h>

static struct tw_stroke_colour colour_of(const uint8_t *rgb)
{
    int32_t r = rgb[0], g = rgb[1], b = rgb[2];
    int32_t high = r > g ? (r > b ? r : b) : (g > b ? g : b);
    int32_t low = r < g ? (r < b ? r : b) : (g < b ? g : b), span = high - low;
    int32_t hue = 0;
    if (span)
        hue = high == r   ? 60 * (g - b) / span
              : high == g ? 120 + 60 * (b - r) / span
                          : 240 + 60 * (r - g) / span;
    return (struct tw_stroke_colour){span, high, tw_wrap(hue, 360)};
}

struct tw_stroke_colour tw_stroke_colour_under(const struct tw_value *picture, int32_t width,
                                               int32_t height, int32_t x, int32_t y)
{
    int32_t x0 = (int32_t)((int64_t)x * picture->width / width);
    int32_t x1 = (int32_t)(((int64_t)x + 1) * picture->width / width);
    int32_t y0 = (int32_t)((int64_t)y * picture->height / height);
    int32_t y1 = (int32_t)(((int64_t)y + 1) * picture->height / height);
    struct tw_stroke_colour strongest = {0};
    for (int32_t v = y0; v < y1 || v == y0; v++)
        for (int32_t u = x0; u < x1 || u == x0; u++) {
            size_t at = (size_t)v * (size_t)picture->width + (size_t)u;
            struct tw_stroke_colour here = colour_of(tw_pixels(picture) + 3 * at);
            if (here.strength > strongest.strength)
                strongest = here;
        }
    return strongest;
}
