/* SPDX-License-Identifier: MIT */
/* Runs stages on maps padded with columns beyond their borders. */
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
    double *base = tw_task_scratch(task, stride * ((size_t)height + 2), sizeof *base);
    if (!base)
        return tw_task_no_memory(task);
    *map = (struct tw_padded){base + stride + pad, stride, width, height, pad, wrap};
    return TW_OK;
}

static double beyond(const struct tw_padded *map, const double *row, int32_t x)
{
    if (map->wrap)
        return row[tw_wrap(x, map->width)];
    const struct tw_straight s = tw_straight_of(x, map->width);
    return tw_straight_height(&s, row[s.cell], row[s.near], row[s.far]);
}

void tw_padded_close_row(const struct tw_padded *map, int32_t y)
{
    double *row = map->cells + (size_t)y * map->stride;
    for (int32_t k = 1; k <= map->pad; k++) {
        row[-k] = beyond(map, row, -k);
        row[map->width - 1 + k] = beyond(map, row, map->width - 1 + k);
    }
}

void tw_padded_close(const struct tw_padded *map)
{
    const ptrdiff_t stride = (ptrdiff_t)map->stride, last = map->height - 1;
    for (int end = 0; !map->wrap && end < 2; end++) {
        const double *border = map->cells + (end ? last : 0) * stride;
        const double *inner = map->cells + (end ? last - (last > 0) : last > 0) * stride;
        double *row = map->cells + (end ? last + 1 : -1) * stride;
        for (int32_t x = -map->pad; x < map->width + map->pad; x++)
            row[x] = 2 * border[x] - inner[x];
    }
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
    tw_padded_close(map);
}
