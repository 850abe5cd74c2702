/* SPDX-License-Identifier: MIT */
#include "common/stroke.h"

#include <thalweg/kernel.h>

static void extent(float a, float b, float reach, int32_t *begin, int32_t *end)
{
    int32_t first = tw_floor(tw_min(a, b) - reach), last = tw_floor(tw_max(a, b) + reach) + 1;
    *begin = first > *begin ? first : *begin;
    *end = last < *end ? last : *end;
}

/* Covers cells left..right-1 of a row whose centres are at y. No branch but the loop's, so that it
 * becomes vectors. */
static void draw_row(const struct tw_stroke *s, float y, int32_t left, int32_t right, float *row)
{
    const float reach = s->half_width + 0.5f, from = s->from[0], py = y - s->from[1];
    const float ux = s->to[0] - s->from[0], uy = s->to[1] - s->from[1];
    const float square = ux * ux + uy * uy, divisor = square > 0 ? square : 1;
    for (int32_t x = left; x < right; x++) {
        float px = (float)x + 0.5f - from;
        float t = tw_clamp((px * ux + py * uy) / divisor, 0.0f, 1.0f);
        float dx = px - t * ux, dy = py - t * uy;
        row[x] = tw_max(row[x], tw_clamp(reach - sqrtf(dx * dx + dy * dy), 0.0f, 1.0f));
    }
}

void tw_stroke_draw(const struct tw_stroke *stroke, int32_t width, int32_t begin, int32_t end,
                    float *mask)
{
    float reach = stroke->half_width + 0.5f;
    int32_t left = 0, right = width;
    extent(stroke->from[0], stroke->to[0], reach, &left, &right);
    extent(stroke->from[1], stroke->to[1], reach, &begin, &end);
    for (int32_t y = begin; y < end; y++)
        draw_row(stroke, (float)y + 0.5f, left, right, mask + (size_t)y * (size_t)width);
}
