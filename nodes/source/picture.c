/* SPDX-License-Identifier: MIT */
/* A picture from a file, in its colours: a painted ground, an aerial photograph. */
#include "source/kernels/file_fit.h"

#include <thalweg/kernel.h>

struct params {
    struct tw_file file;
    int32_t fit;
};

static const struct tw_param params[] = {
    TW_PARAM_FILE(struct params, file, "colour or grey, relative to the recipe"),
    TW_FILE_FIT_PARAM(struct params, TW_FILE_FITS_OF_PICTURES),
    TW_PARAM_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_IMAGE, 0, "the picture at the recipe's size"},
    TW_PORT_END,
};

struct job {
    const struct tw_value *from;
    bool crops;
    int32_t width;
    float step_x, step_y; /* pixels of the file per cell of the map */
    uint8_t *to;
};

static enum tw_status check_file(const void *at, const struct tw_file_facts *file, int32_t width,
                                 int32_t height, struct tw_error *err)
{
    const struct params *p = at;
    return tw_file_fit_check(p->file.name, file, p->fit, width, height, err);
}

/* 0..255 of a channel; grey 0..1 is the same in all. */
static float level(const struct tw_value *from, int32_t x, int32_t y, int32_t channel)
{
    size_t at = (size_t)tw_clamp_index(y, from->height) * (size_t)from->width +
                (size_t)tw_clamp_index(x, from->width);
    if (from->type == TW_IMAGE)
        return tw_pixels(from)[3 * at + (size_t)channel];
    return 255.0f * tw_clamp(tw_floats(from)[at], 0.0f, 1.0f);
}

static uint8_t mix(const struct tw_value *from, float x, float y, int32_t channel)
{
    int32_t x0 = tw_floor(x), y0 = tw_floor(y);
    float fx = x - (float)x0, fy = y - (float)y0;
    float above =
        level(from, x0, y0, channel) * (1.0f - fx) + level(from, x0 + 1, y0, channel) * fx;
    float below =
        level(from, x0, y0 + 1, channel) * (1.0f - fx) + level(from, x0 + 1, y0 + 1, channel) * fx;
    return (uint8_t)(above * (1.0f - fy) + below * fy + 0.5f);
}

static void work_rows(void *context, int32_t begin, int32_t end)
{
    const struct job *job = context;
    uint8_t *to = job->to + 3 * (size_t)begin * (size_t)job->width;
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < job->width; x++) {
            float u = job->crops ? (float)x : ((float)x + 0.5f) * job->step_x - 0.5f;
            float v = job->crops ? (float)y : ((float)y + 0.5f) * job->step_y - 0.5f;
            for (int32_t channel = 0; channel < 3; channel++)
                *to++ = mix(job->from, u, v, channel);
        }
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_value *from = tw_task_file(task);
    struct job job = {.from = from,
                      .crops = p->fit != TW_FIT_BILINEAR,
                      .width = tw_task_width(task),
                      .step_x = (float)from->width / (float)tw_task_width(task),
                      .step_y = (float)from->height / (float)tw_task_height(task),
                      .to = tw_pixels(tw_task_output(task, OUT))};
    tw_rows(task, tw_task_height(task), 16, work_rows, &job);
    return TW_OK;
}

extern const struct tw_node_type tw_node_source_picture;
const struct tw_node_type tw_node_source_picture = {
    .name = "source.picture",
    .version = 1,
    .summary = "a picture from a file, in its colours",
    .keywords = "import, load, colour image, texture, satellite photo, orthophoto, file",
    .elsewhere = "File (Gaea), File Input (World Machine), Image Texture (Blender)",
    .detail = "For the input `image` of a view, whose ground it becomes, and for exports. A grey "
              "file has its grey in all three channels. Channels are mixed as the file has them, "
              "in sRGB; transparency is ignored.\nA crop keeps the north-west corner; bilinear "
              "clamps at the border.",
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "ground: {type: source.picture, file: data/jacksboro.png, fit: bilinear}",
    .run = run,
    .check_file = check_file,
    .wraps = tw_never_wraps,
};
