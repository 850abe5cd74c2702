/* SPDX-License-Identifier: MIT */
/* A row is summed in eight lanes (lane k takes every eighth cell from k), the lanes one after the
 * other, then the rows: an order of its own, which vector units of any width can follow. The
 * deviation takes a second pass over differences from the mean, so it does not cancel out. */
#include "measure/kernels/moments.h"

#include <thalweg/simd.h>

#include <math.h>

enum { LANES = 8 };

struct map {
    const float *cells;
    int32_t width;
    double mean;
    double *sums, *squares; /* of each row: heights, squared differences from the mean */
    enum tw_simd simd;
};

static double add_lanes(const double *lanes)
{
    double sum = 0;
    for (int k = 0; k < LANES; k++)
        sum += lanes[k];
    return sum;
}

static TW_INLINE void sum_body(const float *row, int32_t width, double *sum)
{
    double lanes[LANES] = {0};
    int32_t x = 0;
    for (; x + LANES <= width; x += LANES)
        for (int k = 0; k < LANES; k++)
            lanes[k] += (double)row[x + k];
    for (int k = 0; x + k < width; k++)
        lanes[k] += (double)row[x + k];
    *sum = add_lanes(lanes);
}
TW_SIMD_KERNEL(sum, (const float *row, int32_t width, double *sum), (row, width, sum))

static TW_INLINE void square_body(const float *row, int32_t width, double mean, double *sum)
{
    double lanes[LANES] = {0};
    int32_t x = 0;
    for (; x + LANES <= width; x += LANES)
        for (int k = 0; k < LANES; k++) {
            double deviation = (double)row[x + k] - mean;
            lanes[k] += deviation * deviation;
        }
    for (int k = 0; x + k < width; k++) {
        double deviation = (double)row[x + k] - mean;
        lanes[k] += deviation * deviation;
    }
    *sum = add_lanes(lanes);
}
TW_SIMD_KERNEL(square, (const float *row, int32_t width, double mean, double *sum),
               (row, width, mean, sum))

static void sum_rows(void *context, int32_t begin, int32_t end)
{
    const struct map *map = context;
    for (int32_t y = begin; y < end; y++)
        sum(map->simd)(map->cells + (size_t)y * (size_t)map->width, map->width, map->sums + y);
}

static void square_rows(void *context, int32_t begin, int32_t end)
{
    const struct map *map = context;
    for (int32_t y = begin; y < end; y++)
        square(map->simd)(map->cells + (size_t)y * (size_t)map->width, map->width, map->mean,
                          map->squares + y);
}

enum tw_status tw_moments_find(struct tw_task *task, const float *cells, int32_t width,
                               int32_t height, struct tw_moments *moments)
{
    struct map map = {.cells = cells, .width = width, .simd = tw_task_simd(task)};
    double count = (double)width * (double)height, variance = 0;
    map.sums = tw_task_scratch(task, 2 * (size_t)height, sizeof *map.sums);
    if (!map.sums)
        return tw_task_no_memory(task);
    map.squares = map.sums + height;
    *moments = (struct tw_moments){0};
    tw_rows(task, height, 64, sum_rows, &map);
    for (int32_t y = 0; y < height; y++)
        moments->sum += map.sums[y];
    moments->mean = map.mean = moments->sum / count;
    tw_rows(task, height, 64, square_rows, &map);
    for (int32_t y = 0; y < height; y++)
        variance += map.squares[y];
    moments->deviation = sqrt(variance / count);
    return TW_OK;
}

void tw_moments_forecast(struct tw_forecast *f)
{
    tw_forecast_scratch(f, 2 * (uint64_t)f->height, sizeof(double));
}
