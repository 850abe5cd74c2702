/* SPDX-License-Identifier: MIT */
/* Box counting (Mandelbrot 1967): the number of boxes that a coast of dimension D meets grows as
 * size^-D. */
#include "water/kernels/coastline.h"

#include <thalweg/kernel.h>

#include <string.h>

enum { DOUBLINGS = 5 }; /* boxes of 2, 4 .. 32 cells */

bool tw_coastline_lay_out(struct tw_scratch *s, struct tw_coastline *coast)
{
    const uint64_t across = (uint64_t)(tw_scratch_width(s) / 2);
    coast->boxes = tw_scratch_take(s, across * (uint64_t)(tw_scratch_height(s) / 2) + 1, 1);
    return tw_scratch_is_laid(s);
}

/* Counts the edges and marks the boxes of 2 x 2 cells, whole ones only, with a cell that has one to
 * the east or south. */
static void mark_edges(struct tw_coastline *coast, const float *sea, int32_t width, int32_t height,
                       bool wrap)
{
    const int32_t across = width / 2, down = height / 2;
    memset(coast->boxes, 0, (size_t)across * (size_t)down);
    coast->edges = 0;
    for (int32_t y = 0; y < height; y++) {
        const float *row = sea + (size_t)y * (size_t)width;
        const float *south = y < height - 1 ? row + width : wrap ? sea : row;
        for (int32_t x = 0; x < width; x++) {
            int32_t east = x < width - 1 ? x + 1 : wrap ? 0 : x;
            int32_t edges = (row[x] != row[east]) + (row[x] != south[x]);
            coast->edges += edges;
            if (edges && x / 2 < across && y / 2 < down)
                coast->boxes[(size_t)(y / 2) * (size_t)across + (size_t)(x / 2)] = 1;
        }
    }
}

static int64_t count(const uint8_t *boxes, int32_t across, int32_t down)
{
    int64_t marked = 0;
    for (size_t i = 0; i < (size_t)across * (size_t)down; i++)
        marked += boxes[i];
    return marked;
}

/* Joins each four boxes in place; of an odd row or column the last are left out. */
static void join(uint8_t *boxes, int32_t across, int32_t down)
{
    for (int32_t y = 0; y < down / 2; y++)
        for (int32_t x = 0; x < across / 2; x++) {
            const uint8_t *upper = boxes + (size_t)(2 * y) * (size_t)across + (size_t)(2 * x);
            boxes[(size_t)y * (size_t)(across / 2) + (size_t)x] =
                upper[0] | upper[1] | upper[across] | upper[across + 1];
        }
}

/* The least-squares line of log2 N on log2 size falls by the dimension. */
static double dimension_of(uint8_t *boxes, int32_t across, int32_t down)
{
    double sizes = 0, sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
    for (int32_t doubling = 1; doubling <= DOUBLINGS && across > 0 && down > 0; doubling++) {
        const int64_t marked = count(boxes, across, down);
        if (marked > 0) {
            const double x = doubling, y = tw_log2((double)marked);
            sizes++;
            sum_x += x;
            sum_y += y;
            sum_xx += x * x;
            sum_xy += x * y;
        }
        join(boxes, across, down);
        across /= 2;
        down /= 2;
    }
    return sizes < 2 ? 0 : (sum_x * sum_y - sizes * sum_xy) / (sizes * sum_xx - sum_x * sum_x);
}

void tw_coastline_measure(struct tw_coastline *coast, const float *sea, int32_t width,
                          int32_t height, bool wrap)
{
    mark_edges(coast, sea, width, height, wrap);
    coast->dimension = dimension_of(coast->boxes, width / 2, height / 2);
}
