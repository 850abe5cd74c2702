/* SPDX-License-Identifier: MIT */
/* Where a terrain's slope lies in a band. */
#include "mask/kernels/band.h"

#include <thalweg/node.h>

struct params {
    float low, high;
    float softness;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, low, 2, 0, 1e9, TW_UNIT_RISE_PER_SIDE, "lower end of the band"),
    TW_PARAM_F32(struct params, high, 1e9, 0, 1e9, TW_UNIT_RISE_PER_SIDE, "upper end of the band"),
    TW_PARAM_F32(struct params, softness, 0.5, 0, 1e9, TW_UNIT_RISE_PER_SIDE,
                 "how far beyond either end the mask falls to 0"),
    TW_PARAM_END,
};

enum { IN };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    TW_PORT_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_MASK, 0, "1 where the slope is within the band, 0 outside"},
    TW_PORT_END,
};

struct map {
    const struct params *params;
    const float *in;
    float *out;
    int32_t width, height;
    enum tw_simd simd;
};

/* Length of the gradient, by differences `dx` and `dy` over one or two cells. */
static TW_INLINE float belong(const struct params *p, float dx, float dy)
{
    return tw_mask_band(sqrtf(dx * dx + dy * dy), p->low, p->high, p->softness);
}

/* `across` and `along` turn height differences of two cells into rise per side. */
static TW_INLINE void mask_row_body(const struct map *map, const float *up, const float *row,
                                    const float *down, float along, float *out)
{
    const struct params p = *map->params;
    int32_t last = map->width - 1;
    float per_side = (float)map->width, across = 0.5f * per_side;
    for (int32_t x = 1; x < last; x++)
        out[x] = belong(&p, (row[x + 1] - row[x - 1]) * across, (down[x] - up[x]) * along);
    out[0] = belong(&p, last ? (row[1] - row[0]) * per_side : 0, (down[0] - up[0]) * along);
    out[last] = belong(&p, last ? (row[last] - row[last - 1]) * per_side : 0,
                       (down[last] - up[last]) * along);
}
TW_SIMD_KERNEL(mask_row,
               (const struct map *map, const float *up, const float *row, const float *down,
                float along, float *out),
               (map, up, row, down, along, out))

static void mask_rows(void *context, int32_t begin, int32_t end)
{
    const struct map *map = context;
    size_t width = (size_t)map->width;
    for (int32_t y = begin; y < end; y++) {
        int32_t above = tw_clamp_index(y - 1, map->height);
        int32_t below = tw_clamp_index(y + 1, map->height);
        float along = (float)map->width / (float)(below > above ? below - above : 1);
        mask_row(map->simd)(map, map->in + (size_t)above * width, map->in + (size_t)y * width,
                            map->in + (size_t)below * width, along, map->out + (size_t)y * width);
    }
}

static const char *check(const void *at)
{
    const struct params *p = at;
    return p->low > p->high ? "low must not be above high" : NULL;
}

static enum tw_status run(struct tw_task *task)
{
    struct map map = {tw_task_params(task),
                      tw_floats(tw_task_input(task, IN)),
                      tw_floats(tw_task_output(task, OUT)),
                      tw_task_width(task),
                      tw_task_height(task),
                      tw_task_simd(task)};
    tw_rows(task, map.height, 32, mask_rows, &map);
    return TW_OK;
}

extern const struct tw_node_type tw_node_mask_slope;
const struct tw_node_type tw_node_mask_slope = {
    .name = "mask.slope",
    .version = 1,
    .summary = "select a band of slopes",
    .detail = "The slope is the length of the gradient, from the differences between the cells to "
              "both sides; at the border between the cell and its one neighbour. Within the band "
              "out = 1; at a distance d beyond, 3 t^2 - 2 t^3 with t = 1 - d / softness.",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.perlin}\n"
               "cliffs: {type: mask.slope, in: noise, low: 4, softness: 2}",
    .reach = 1,
    .check = check,
    .run = run,
};
