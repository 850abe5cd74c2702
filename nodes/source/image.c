/* SPDX-License-Identifier: MIT */
/* One channel of a picture as a mask: painted strokes, weights, shadow images. */
#include "source/kernels/resize.h"

enum { LUMINANCE, RED, GREEN, BLUE };

struct params {
    struct tw_file file;
    int32_t channel;
    int32_t fit;
};

static const struct tw_param params[] = {
    TW_PARAM_FILE(struct params, file, "colour, grey or floats, relative to the recipe"),
    TW_PARAM_ENUM(struct params, channel, LUMINANCE, "luminance|red|green|blue",
                  "of a colour picture; a grey one has only one"),
    TW_RESIZE_PARAM(struct params),
    TW_PARAM_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_MASK, 0, "the channel, 0..1"},
    TW_PORT_END,
};

struct rows {
    const uint8_t *pixels;
    float *out;
    int32_t width, channel;
};

/* Luminance by the weights of ITU-R BT.709 on the stored values; sums of integers, so that white
 * is 1 exactly. */
static void read_rows(void *context, int32_t begin, int32_t end)
{
    const struct rows *r = context;
    size_t from = (size_t)begin * (size_t)r->width, to = (size_t)end * (size_t)r->width;
    for (size_t i = from; i < to; i++) {
        const uint8_t *pixel = r->pixels + 3 * i;
        int32_t luminance = 2126 * pixel[0] + 7152 * pixel[1] + 722 * pixel[2];
        r->out[i] = r->channel == LUMINANCE ? (float)luminance / 2550000.0f
                                            : (float)pixel[r->channel - 1] / 255.0f;
    }
}

static bool takes_file(const void *at, const struct tw_file_facts *file, int32_t width,
                       int32_t height, char *message, size_t size)
{
    const struct params *p = at;
    return tw_resize_takes(p->file.name, file, p->fit, width, height, message, size);
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_value *file = tw_task_file(task);
    float *cells = tw_floats(file);
    if (file->type == TW_IMAGE) {
        cells = tw_task_scratch(task, tw_value_count(file), sizeof *cells);
        if (!cells)
            return tw_task_no_memory(task);
        struct rows rows = {tw_pixels(file), cells, file->width, p->channel};
        tw_rows(task, file->height, 64, read_rows, &rows);
    }
    tw_resize(task, cells, file->width, file->height, p->fit, 0, 1,
              tw_floats(tw_task_output(task, OUT)));
    return TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    if (f->file.type == TW_IMAGE)
        tw_forecast_scratch(f, (uint64_t)f->file.width * (uint64_t)f->file.height, sizeof(float));
}

extern const struct tw_node_type tw_node_source_image;
const struct tw_node_type tw_node_source_image = {
    .name = "source.image",
    .version = 1,
    .summary = "one channel of a picture as a mask",
    .detail = "A channel of 8 bits is read as v / 255; luminance is 0.2126 red + 0.7152 green + "
              "0.0722 blue of the stored values. Transparency is ignored. A grey picture or a "
              ".npy map gives its values.\nA crop keeps the north-west corner; bilinear clamps at "
              "the border.",
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "strokes: {type: source.image, file: data/jacksboro.png, fit: bilinear}",
    .run = run,
    .takes_file = takes_file,
    .forecast = forecast,
    .wraps = tw_never_wraps,
};
