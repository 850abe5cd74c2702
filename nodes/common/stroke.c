/* SPDX-License-Identifier: MIT */
#include "common/stroke.h"

#include <thalweg/kernel.h>

static float distance(const struct tw_stroke *s, float x, float y)
{
    float ux = s->to[0] - s->from[0], uy = s->to[1] - s->from[1];
    float px = x - s->from[0], py = y - s->from[1], square = ux * ux + uy * uy;
    float t = square > 0 ? tw_clamp((px * ux + py * uy) / square, 0.0f, 1.0f) : 0.0f;
    float dx = px - t * ux, dy = py - t * uy;
    return sqrtf(dx * dx + dy * dy);
}

static void extent(float a, float b, float reach, int32_t *begin, int32_t *end)
{
    int32_t first = tw_floor(tw_min(a, b) - reach), last = tw_floor(tw_max(a, b) + reach) + 1;
    *begin = first > *begin ? first : *begin;
    *end = last < *end ? last : *end;
}

void tw_stroke_draw(const struct tw_stroke *stroke, int32_t width, int32_t begin, int32_t end,
                    float *mask)
{
    float reach = stroke->half_width + 0.5f;
    int32_t left = 0, right = width;
    extent(stroke->from[0], stroke->to[0], reach, &left, &right);
    extent(stroke->from[1], stroke->to[1], reach, &begin, &end);
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = left; x < right; x++) {
            float away = distance(stroke, (float)x + 0.5f, (float)y + 0.5f);
            float *cell = &mask[(size_t)y * (size_t)width + (size_t)x];
            *cell = tw_max(*cell, tw_clamp(reach - away, 0.0f, 1.0f));
        }
}
