/* SPDX-License-Identifier: MIT */
#include "feature/kernels/light_direction.h"
#include "feature/kernels/light_lines.h"

enum { DIRECTIONS = 180 };

struct trial {
    int32_t width, height;
    enum tw_simd simd;
    struct tw_light_lines_dark dark;
    double longest[DIRECTIONS];
    int32_t *runs; /* width + height for each direction */
};

static void try_directions(void *context, int32_t begin, int32_t end)
{
    struct trial *trial = context;
    size_t lines = (size_t)trial->width + (size_t)trial->height;
    for (int32_t i = begin; i < end; i++) {
        struct tw_light_lines along;
        tw_light_lines_set(&along, trial->width, trial->height, i);
        trial->longest[i] = tw_light_lines_longest(&along, &trial->dark, trial->simd,
                                                   trial->runs + (size_t)i * lines);
    }
}

enum tw_status tw_light_direction_find(struct tw_task *task, const float *mask, double *azimuth)
{
    struct trial trial = {
        .width = tw_task_width(task), .height = tw_task_height(task), .simd = tw_task_simd(task)};
    int32_t best = 0;
    trial.runs = tw_task_scratch(task, (size_t)trial.width + (size_t)trial.height,
                                 sizeof(int32_t) * DIRECTIONS);
    if (!trial.runs)
        return tw_task_no_memory(task);
    enum tw_status status = tw_light_lines_find_dark(task, mask, &trial.dark);
    if (status != TW_OK)
        return status;
    tw_rows(task, DIRECTIONS, 1, try_directions, &trial);
    for (int32_t i = 1; i < DIRECTIONS; i++)
        best = trial.longest[i] < trial.longest[best] ? i : best;
    *azimuth = best;
    return TW_OK;
}

void tw_light_direction_forecast(struct tw_forecast *f)
{
    uint64_t lines = (uint64_t)f->width + (uint64_t)f->height;
    tw_forecast_scratch(f, lines, sizeof(int32_t) * DIRECTIONS);
    tw_light_lines_forecast(f);
}
