/* SPDX-License-Identifier: MIT */
/* One channel of a picture as a mask: painted strokes, weights, shadow images. */
#include "source/kernels/file_fit.h"

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
    TW_FILE_FIT_PARAM(struct params, TW_FILE_FITS),
    TW_PARAM_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_MASK, 0, "the channel, 0..1"},
    TW_PORT_END,
};

/* Luminance by the weights of ITU-R BT.709 on the stored values; sums of integers, so that white
 * is 1 exactly. */
static void convert_bytes(const void *context, const void *row, float *cells, int32_t width)
{
    const struct params *p = context;
    const uint8_t *pixel = row;
    for (int32_t x = 0; x < width; x++, pixel += 3) {
        int32_t luminance = 2126 * pixel[0] + 7152 * pixel[1] + 722 * pixel[2];
        cells[x] = p->channel == LUMINANCE ? (float)luminance / 2550000.0f
                                           : (float)pixel[p->channel - 1] / 255.0f;
    }
}

/* More than 8 bits a channel. */
static void convert_floats(const void *context, const void *row, float *cells, int32_t width)
{
    const struct params *p = context;
    const float *pixel = row;
    for (int32_t x = 0; x < width; x++, pixel += 3) {
        double luminance =
            2126.0 * (double)pixel[0] + 7152.0 * (double)pixel[1] + 722.0 * (double)pixel[2];
        cells[x] = p->channel == LUMINANCE ? (float)(luminance / 10000.0) : pixel[p->channel - 1];
    }
}

static enum tw_status check_file(const void *at, const struct tw_file_facts *file, int32_t width,
                                 int32_t height, struct tw_error *err)
{
    const struct params *p = at;
    return tw_file_fit_check(p->file.name, file, p->fit, width, height, err);
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    tw_file_fit_forecast(f, p->fit, false);
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_file_facts file = tw_task_file_facts(task);
    const struct tw_file_fit fit = {.fit = p->fit,
                                    .low = 0,
                                    .high = 1,
                                    .least = 0,
                                    .most = 1,
                                    .out = tw_floats(tw_task_output(task, OUT)),
                                    .convert = file.type != TW_IMAGE ? NULL
                                               : file.deep           ? convert_floats
                                                                     : convert_bytes,
                                    .context = p};
    return tw_file_fit(task, &fit);
}

extern const struct tw_node_type tw_node_source_image;
const struct tw_node_type tw_node_source_image = {
    .name = "source.image",
    .version = 2,
    .summary = "one channel of a picture as a mask",
    .keywords = "import, load, picture, painted mask, photo, file",
    .elsewhere =
        "File (Gaea), File Input (World Machine), HeightField File (Houdini), Image Texture "
        "(Blender)",
    .detail =
        "Reads one channel of a picture as a mask, such as one painted elsewhere. Choose "
        "source.heightmap for heights, and source.picture for colours.\n"
        "A channel of b bits is read as v / (2^b - 1), floats as they are. Transparency is "
        "ignored. Luminance is taken from the stored values:\n"
        "    0.2126 red + 0.7152 green + 0.0722 blue.\n"
        "A grey picture or a .npy map gives its values. Colours are read from .png, .bmp, .tif "
        "and .exr.\n"
        "fit: a crop keeps the north-west corner; bilinear and lanczos clamp at the border. "
        "Lanczos takes three lobes of a windowed sinc, as wide as a cell of the map where the "
        "file is finer, cut to 0..1.",
    .cite = "turkowski1990 duchon1979",
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "strokes: {type: source.image, file: data/jacksboro.png, fit: bilinear}",
    .run = run,
    .check_file = check_file,
    .file_rows = true,
    .file_colours = true,
    .file_streams = true,
    .forecast = forecast,
    .wraps = tw_never_wraps,
};
