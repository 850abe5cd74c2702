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

struct march {
    const double *heights;
    float *lit;
    int32_t width, height;
    double x, y;    /* unit vector towards the light */
    double rise;    /* of the ray per cell */
    double highest; /* of all heights */
};

/* Height on column x between two rows, or on row x between two columns; -1e300 outside. */
static double between(const struct march *m, bool column, int32_t at, double along)
{
    int32_t size = column ? m->height : m->width, other = column ? m->width : m->height;
    if (at < 0 || at >= other || along < 0 || along > (double)(size - 1))
        return -1e300;
    int32_t low = (int32_t)along, high = low + 1 < size ? low + 1 : low;
    double share = along - (double)low;
    size_t w = (size_t)m->width, p = (size_t)at;
    double a = m->heights[column ? (size_t)low * w + p : p * w + (size_t)low];
    double b = m->heights[column ? (size_t)high * w + p : p * w + (size_t)high];
    return a + (b - a) * share;
}

/* Whether the terrain rises above the ray where it crosses columns (or rows). */
static bool is_blocked(const struct march *m, int32_t x, int32_t y, bool columns)
{
    double along = columns ? m->x : m->y, across = columns ? m->y : m->x;
    if (fabs(along) < 1e-9)
        return false;
    double length = 1 / fabs(along), start = m->heights[(size_t)y * (size_t)m->width + (size_t)x];
    int32_t sign = along > 0 ? 1 : -1, from = columns ? x : y,
            size = columns ? m->width : m->height;
    for (int32_t k = 1; from + sign * k >= 0 && from + sign * k < size; k++) {
        double far = length * (double)k, ray = start + far * m->rise;
        if (ray > m->highest)
            return false;
        if (between(m, columns, from + sign * k, (double)(columns ? y : x) + across * far) >
            ray + 1e-6)
            return true;
    }
    return false;
}

static void march_rows(void *context, int32_t begin, int32_t end)
{
    const struct march *m = context;
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < m->width; x++)
            m->lit[(size_t)y * (size_t)m->width + (size_t)x] =
                is_blocked(m, x, y, true) || is_blocked(m, x, y, false) ? 0.0f : 1.0f;
}

void tw_cast_shadows(struct tw_task *task, const double *heights, int32_t width, int32_t height,
                     double azimuth, double tilt, float *lit)
{
    struct march march = {.heights = heights,
                          .lit = lit,
                          .width = width,
                          .height = height,
                          .x = tw_sin_degrees(azimuth),
                          .y = -tw_cos_degrees(azimuth),
                          .rise = tw_cos_degrees(tilt) / tw_sin_degrees(tilt),
                          .highest = heights[0]};
    for (size_t i = 1; i < (size_t)width * (size_t)height; i++)
        march.highest = heights[i] > march.highest ? heights[i] : march.highest;
    tw_rows(task, height, 4, march_rows, &march);
}
