/* SPDX-License-Identifier: MIT */
#include "common/light.h"

#include <thalweg/kernel.h>

static int32_t round_off(double v)
{
    int32_t i = (int32_t)(v + 0.5);
    return (double)i > v + 0.5 ? i - 1 : i;
}

void tw_lines_make(struct tw_lines *lines, int32_t width, int32_t height, double azimuth)
{
    double dx = -tw_sin_degrees(azimuth), dy = tw_cos_degrees(azimuth);
    bool along_x = fabs(dx) >= fabs(dy);
    double along = along_x ? dx : dy, across = along_x ? dy : dx;
    int32_t steps = along_x ? width : height, breadth = along_x ? height : width;
    *lines = (struct tw_lines){.width = width,
                               .height = height,
                               .along_x = along_x,
                               .backwards = along < 0,
                               .slope = across / along};
    lines->step = sqrt(1 + lines->slope * lines->slope);
    int32_t end = round_off(lines->slope * (double)(steps - 1));
    lines->first = end > 0 ? -end : 0;
    lines->count = breadth + (end < 0 ? -end : end);
}

int32_t tw_lines_walk(const struct tw_lines *lines, int32_t i, int32_t *cells)
{
    int32_t steps = lines->along_x ? lines->width : lines->height, count = 0;
    int32_t breadth = lines->along_x ? lines->height : lines->width;
    for (int32_t k = 0; k < steps; k++) {
        int32_t p = lines->backwards ? steps - 1 - k : k;
        int32_t q = lines->first + i + round_off(lines->slope * (double)p);
        if (q >= 0 && q < breadth)
            cells[count++] = lines->along_x ? q * lines->width + p : p * lines->width + q;
    }
    return count;
}

double tw_lines_longest(const struct tw_lines *lines, const float *mask, int32_t *room)
{
    int32_t longest = 0;
    for (int32_t i = 0; i < lines->count; i++) {
        int32_t count = tw_lines_walk(lines, i, room), run = 0;
        for (int32_t k = 0; k < count; k++) {
            run = mask[room[k]] < 0.5f ? run + 1 : 0;
            longest = run > longest ? run : longest;
        }
    }
    return (double)longest * lines->step;
}
