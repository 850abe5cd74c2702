/* SPDX-License-Identifier: MIT */
/* Maps with columns beyond their borders. */
#include <thalweg/padded.h>

struct load {
    const struct tw_padded *map;
    const float *heights;
    double scale;
};

enum tw_status tw_padded_init(struct tw_task *task, struct tw_padded *map, int32_t pad, bool wrap)
{
    int32_t width = tw_task_width(task), height = tw_task_height(task);
    size_t stride = (size_t)width + 2 * (size_t)pad;
    double *base = tw_task_scratch(task, stride * (size_t)height, sizeof *base);
    if (!base)
        return tw_task_no_memory(task);
    *map = (struct tw_padded){base + pad, stride, width, height, pad, wrap};
    return TW_OK;
}

void tw_padded_close_row(const struct tw_padded *map, int32_t y)
{
    double *row = map->cells + (size_t)y * map->stride;
    int32_t width = map->width;
    for (int32_t x = -map->pad; x < 0; x++)
        row[x] = row[map->wrap ? tw_wrap(x, width) : 0];
    for (int32_t x = width; x < width + map->pad; x++)
        row[x] = row[map->wrap ? tw_wrap(x, width) : width - 1];
}

static void load_rows(void *context, int32_t begin, int32_t end)
{
    const struct load *load = context;
    const struct tw_padded *map = load->map;
    for (int32_t y = begin; y < end; y++) {
        const float *from = load->heights + (size_t)y * (size_t)map->width;
        double *row = map->cells + (size_t)y * map->stride;
        for (int32_t x = 0; x < map->width; x++)
            row[x] = (double)from[x] * load->scale;
        tw_padded_close_row(map, y);
    }
}

void tw_padded_load(struct tw_task *task, const struct tw_padded *map, const float *heights,
                    double scale)
{
    struct load load = {map, heights, scale};
    tw_rows(task, map->height, 32, load_rows, &load);
}
