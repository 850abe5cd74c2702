/* SPDX-License-Identifier: MIT */
/* A real or painted map from a file, at the recipe's size. */
#include <thalweg/kernel.h>
#include <thalweg/node.h>

struct params {
    struct tw_file file;
    struct tw_list range;
    int32_t fit;
};

static const struct tw_param params[] = {
    TW_PARAM_FILE(struct params, file, ".npy or grey .png, relative to the recipe"),
    TW_PARAM_LIST(struct params, range, "0 1", -1e9, 1e9, TW_UNIT_HEIGHT,
                  "what 0 and 1 of the file become; integers are read as 0..1"),
    TW_PARAM_ENUM(struct params, fit, 0, "none|bilinear|crop",
                  "how a map of another size becomes the recipe's"),
    TW_PARAM_END,
};

enum { NONE, BILINEAR, CROP };

static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the map"},
    TW_PORT_END,
};

static const char *check(const void *at)
{
    return ((const struct params *)at)->range.count == 2 ? NULL : "range must be [low, high]";
}

struct rows {
    const struct tw_value *from;
    const struct params *params;
    float *out;
    int32_t width, height;
};

/* Bilinear between cell centres, clamped at the border. */
static float sample(const struct tw_value *map, float x, float y)
{
    int32_t x0 = tw_floor(x), y0 = tw_floor(y);
    float fx = x - (float)x0, fy = y - (float)y0;
    int32_t left = tw_clamp_index(x0, map->width), right = tw_clamp_index(x0 + 1, map->width);
    const float *upper =
        tw_floats(map) + (size_t)tw_clamp_index(y0, map->height) * (size_t)map->width;
    const float *lower =
        tw_floats(map) + (size_t)tw_clamp_index(y0 + 1, map->height) * (size_t)map->width;
    float above = upper[left] * (1.0f - fx) + upper[right] * fx;
    float below = lower[left] * (1.0f - fx) + lower[right] * fx;
    return above * (1.0f - fy) + below * fy;
}

static void read_rows(void *context, int32_t begin, int32_t end)
{
    const struct rows *rows = context;
    const struct tw_value *from = rows->from;
    float low = rows->params->range.at[0], high = rows->params->range.at[1];
    float step_x = (float)from->width / (float)rows->width;
    float step_y = (float)from->height / (float)rows->height;
    bool bilinear = rows->params->fit == BILINEAR;
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < rows->width; x++) {
            float value = bilinear ? sample(from, ((float)x + 0.5f) * step_x - 0.5f,
                                            ((float)y + 0.5f) * step_y - 0.5f)
                                   : tw_floats(from)[(size_t)y * (size_t)from->width + (size_t)x];
            rows->out[(size_t)y * (size_t)rows->width + (size_t)x] = low + value * (high - low);
        }
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_value *file = tw_task_file(task);
    int32_t width = tw_task_width(task), height = tw_task_height(task);
    bool same = file->width == width && file->height == height;
    bool larger = file->width >= width && file->height >= height;
    if (p->fit == NONE && !same)
        return tw_task_fail(
            task,
            "%s is %d x %d cells, the recipe %d x %d: set fit: bilinear or crop, or "
            "size: [%d, %d]",
            p->file.name, (int)file->width, (int)file->height, (int)width, (int)height,
            (int)file->width, (int)file->height);
    if (p->fit == CROP && !larger)
        return tw_task_fail(task, "%s is %d x %d cells, too small to crop to %d x %d", p->file.name,
                            (int)file->width, (int)file->height, (int)width, (int)height);
    struct rows rows = {file, p, tw_floats(tw_task_output(task, 0)), width, height};
    tw_rows(task, height, 16, read_rows, &rows);
    return TW_OK;
}

extern const struct tw_node_type tw_node_source_heightmap;
const struct tw_node_type tw_node_source_heightmap = {
    .name = "source.heightmap",
    .version = 1,
    .summary = "a height map from a .npy or .png file",
    .detail = "Heights become low + v (high - low) with range [low, high]. Integers of b bits are "
              "read as v / (2^b - 1).\nA crop keeps the north-west corner; bilinear clamps at the "
              "border.",
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "dem: {type: source.heightmap, file: data/jacksboro.png, fit: bilinear}",
    .check = check,
    .run = run,
};
