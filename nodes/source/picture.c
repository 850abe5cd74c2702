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

enum { KEPT = 2 }; /* rows of the file */

struct job {
    struct tw_task *task;
    struct tw_file_facts file;
    bool crops;
    int32_t width;
    float step_x, step_y; /* pixels of the file per cell of the map */
    float *kept[KEPT];    /* the file's row y in place y % KEPT: channels, 0..255 */
    uint8_t *to;
    int32_t begin, end; /* rows of the map that are not filled yet */
    int32_t first;      /* of those that are being filled */
    bool started, northward;
};

static enum tw_status check_file(const void *at, const struct tw_file_facts *file, int32_t width,
                                 int32_t height, struct tw_error *err)
{
    const struct params *p = at;
    return tw_file_fit_check(p->file.name, file, p->fit, width, height, err);
}

/* Grey 0..1 is the same in all channels. */
static void keep_row(const struct job *job, const void *row, float *levels)
{
    const bool image = job->file.type == TW_IMAGE, bytes = image && !job->file.deep;
    const int32_t count = 3 * job->file.width;
    for (int32_t i = 0; i < count; i++)
        levels[i] = bytes ? (float)((const uint8_t *)row)[i]
                          : 255.0f * tw_clamp(((const float *)row)[image ? i : i / 3], 0.0f, 1.0f);
}

/* Where row y of the map lies in the file. */
static float place_of(const struct job *job, int32_t y)
{
    return job->crops ? (float)y : ((float)y + 0.5f) * job->step_y - 0.5f;
}

/* The upper (0) or lower (1) row of the file that row y of the map lies between. */
static int32_t row_of(const struct job *job, int32_t y, int32_t which)
{
    return tw_clamp_index(tw_floor(place_of(job, y)) + which, job->file.height);
}

static void fill_row(const struct job *job, int32_t y)
{
    const float *upper = job->kept[row_of(job, y, 0) % KEPT];
    const float *lower = job->kept[row_of(job, y, 1) % KEPT];
    const float place = place_of(job, y), fy = place - (float)tw_floor(place);
    uint8_t *to = job->to + 3 * (size_t)y * (size_t)job->width;
    for (int32_t x = 0; x < job->width; x++) {
        const float at = job->crops ? (float)x : ((float)x + 0.5f) * job->step_x - 0.5f;
        const float fx = at - (float)tw_floor(at);
        const int32_t x0 = 3 * tw_clamp_index(tw_floor(at), job->file.width);
        const int32_t x1 = 3 * tw_clamp_index(tw_floor(at) + 1, job->file.width);
        for (int32_t channel = 0; channel < 3; channel++) {
            const float above = upper[x0 + channel] * (1.0f - fx) + upper[x1 + channel] * fx;
            const float below = lower[x0 + channel] * (1.0f - fx) + lower[x1 + channel] * fx;
            *to++ = (uint8_t)(above * (1.0f - fy) + below * fy + 0.5f);
        }
    }
}

/* Counted from `first`. */
static void fill_rows(void *context, int32_t begin, int32_t end)
{
    const struct job *job = context;
    for (int32_t y = begin; y < end; y++)
        fill_row(job, job->first + y);
}

/* Rows come from north to south or from south to north: what can be filled with row y is next to
 * what was filled, at that end. */
static int32_t take_row(void *context, int32_t y, const void *row)
{
    struct job *job = context;
    keep_row(job, row, job->kept[y % KEPT]);
    if (!job->started)
        job->northward = y > 0;
    job->started = true;
    const int32_t begin = job->begin, end = job->end;
    if (job->northward)
        while (job->end > job->begin && row_of(job, job->end - 1, 0) >= y)
            job->end--;
    else
        while (job->begin < job->end && row_of(job, job->begin, 1) <= y)
            job->begin++;
    job->first = job->northward ? job->end : begin;
    const int32_t count = job->northward ? end - job->end : job->begin - begin;
    if (count > 0)
        tw_rows(job->task, count, 16, fill_rows, job);
    if (!job->northward)
        return job->begin;
    return job->end > 0 ? 0 : tw_task_height(job->task);
}

static void forecast(struct tw_forecast *f)
{
    tw_forecast_scratch(f, KEPT * 3 * (uint64_t)f->file.width, sizeof(float));
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_file_facts file = tw_task_file_facts(task);
    struct job job = {.task = task,
                      .file = file,
                      .crops = p->fit != TW_FIT_BILINEAR,
                      .width = tw_task_width(task),
                      .step_x = (float)file.width / (float)tw_task_width(task),
                      .step_y = (float)file.height / (float)tw_task_height(task),
                      .to = tw_pixels(tw_task_output(task, OUT)),
                      .end = tw_task_height(task)};
    for (int i = 0; i < KEPT; i++) {
        job.kept[i] = tw_task_scratch(task, 3 * (size_t)file.width, sizeof(float));
        if (!job.kept[i])
            return tw_task_no_memory(task);
    }
    return tw_task_file_rows(task, take_row, &job);
}

extern const struct tw_node_type tw_node_source_picture;
const struct tw_node_type tw_node_source_picture = {
    .name = "source.picture",
    .version = 2,
    .summary = "a picture from a file, in its colours",
    .keywords = "import, load, colour image, texture, satellite photo, orthophoto, file",
    .elsewhere = "File (Gaea), File Input (World Machine), Image Texture (Blender)",
    .detail =
        "Reads a picture in its colours, for the input `image` of a view, whose ground it "
        "becomes, and for exports. Choose source.image for a mask, and source.heightmap for "
        "heights.\n"
        "A grey file has its grey in all three channels. Channels are mixed as the file has "
        "them, in sRGB, at full depth, and rounded to 8 bits once; floats are cut to 0..1, which "
        "become 0 and 255. Transparency is ignored. Colours are read from .png, .bmp, .tif and "
        ".exr.\n"
        "fit: a crop keeps the north-west corner; bilinear clamps at the border.",
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "ground: {type: source.picture, file: data/jacksboro.png, fit: bilinear}",
    .run = run,
    .check_file = check_file,
    .file_rows = true,
    .file_colours = true,
    .forecast = forecast,
    .wraps = tw_never_wraps,
};
