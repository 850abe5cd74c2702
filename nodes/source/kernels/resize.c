/* SPDX-License-Identifier: MIT */
/* A map from a file at the recipe's size. */
#include "source/kernels/resize.h"

#include "common/sample.h"

#include <stdio.h>

struct rows {
    const float *from;
    float *out;
    int32_t from_width, from_height, width, height, fit;
    float low, high;
};

bool tw_resize_takes(const char *name, const struct tw_file_facts *file, int32_t fit, int32_t width,
                     int32_t height, char *message, size_t size)
{
    bool same = file->width == width && file->height == height;
    bool larger = file->width >= width && file->height >= height;
    if (fit == TW_RESIZE_NONE && !same)
        snprintf(message, size,
                 "%s is %d x %d cells, the recipe %d x %d: set fit: bilinear or crop, or "
                 "size: [%d, %d]",
                 name, (int)file->width, (int)file->height, (int)width, (int)height,
                 (int)file->width, (int)file->height);
    else if (fit == TW_RESIZE_CROP && !larger)
        snprintf(message, size, "%s is %d x %d cells, too small to crop to %d x %d", name,
                 (int)file->width, (int)file->height, (int)width, (int)height);
    else
        return true;
    return false;
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
