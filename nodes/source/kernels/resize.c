/* SPDX-License-Identifier: MIT */
/* A map from a file at the recipe's size. */
#include "source/kernels/resize.h"

#include "common/sample.h"

struct rows {
    const float *from;
    float *out;
    int32_t from_width, from_height, width, height, fit;
    float low, high;
};

enum tw_status tw_resize_check(struct tw_task *task, const char *file, int32_t width,
                               int32_t height, int32_t fit)
{
    int32_t wanted_width = tw_task_width(task), wanted_height = tw_task_height(task);
    bool same = width == wanted_width && height == wanted_height;
    bool larger = width >= wanted_width && height >= wanted_height;
    if (fit == TW_RESIZE_NONE && !same)
        return tw_task_fail_file(
            task,
            "%s is %d x %d cells, the recipe %d x %d: set fit: bilinear or crop, or "
            "size: [%d, %d]",
            file, (int)width, (int)height, (int)wanted_width, (int)wanted_height, (int)width,
            (int)height);
    if (fit == TW_RESIZE_CROP && !larger)
        return tw_task_fail_file(task, "%s is %d x %d cells, too small to crop to %d x %d", file,
                                 (int)width, (int)height, (int)wanted_width, (int)wanted_height);
    return TW_OK;
}

static void fit_rows(void *context, int32_t begin, int32_t end)
{
    const struct rows *r = context;
    float step_x = (float)r->from_width / (float)r->width;
    float step_y = (float)r->from_height / (float)r->height;
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < r->width; x++) {
            float v = r->fit == TW_RESIZE_BILINEAR
                          ? tw_sample(r->from, r->from_width, r->from_height,
                                      ((float)x + 0.5f) * step_x - 0.5f,
                                      ((float)y + 0.5f) * step_y - 0.5f, false)
                          : r->from[(size_t)y * (size_t)r->from_width + (size_t)x];
            r->out[(size_t)y * (size_t)r->width + (size_t)x] = r->low + v * (r->high - r->low);
        }
}

void tw_resize(struct tw_task *task, const float *from, int32_t width, int32_t height, int32_t fit,
               float low, float high, float *out)
{
    struct rows rows = {from, out, width, height, tw_task_width(task), tw_task_height(task),
                        fit,  low, high};
    tw_rows(task, rows.height, 16, fit_rows, &rows);
}
