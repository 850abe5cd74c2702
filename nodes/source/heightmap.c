/* SPDX-License-Identifier: MIT */
/* A real or painted map from a file, at the recipe's size. */
#include "source/kernels/file_fit.h"

#include <float.h>

enum { LITTLE, BIG };

struct params {
    struct tw_file file;
    struct tw_list range;
    int32_t width, height;
    int32_t endian;
    bool flip;
    int32_t fit;
};

static const struct tw_param params[] = {
    TW_PARAM_FILE(struct params, file, "grey or floats, relative to the recipe"),
    TW_PARAM_LIST(struct params, range, "", -1e9, 1e9, TW_UNIT_HEIGHT,
                  "what 0 and 1 of the file become; without, 0 and 1, or as a sidecar says",
                  TW_USUAL(0, 1)),
    TW_PARAM_I32_OR(struct params, width, "auto", 0, 0, 1, 65536, TW_UNIT_CELLS,
                    "of a file without a header; auto: as its sidecar says", TW_USUAL(64, 4096)),
    TW_PARAM_I32_OR(struct params, height, "auto", 0, 0, 1, 65536, TW_UNIT_CELLS, "the same",
                    TW_USUAL(64, 4096)),
    TW_PARAM_ENUM(struct params, endian, LITTLE, "little|big",
                  "which byte of a number comes first in a file without a header, the least or the "
                  "greatest"),
    TW_PARAM_BOOL(struct params, flip, false,
                  "rows from south to north, in a file without a header; else as its sidecar says"),
    TW_FILE_FIT_PARAM(struct params, TW_FILE_FITS),
    TW_PARAM_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the map"},
    TW_PORT_END,
};

static struct tw_rule check(const void *at)
{
    const struct params *p = at;
    return p->range.count == 0 || p->range.count == 2 ? TW_RULES_HOLD
                                                      : TW_RULE("range", "[low, high]");
}

static struct tw_file_layout file_layout(const void *at)
{
    const struct params *p = at;
    return (struct tw_file_layout){p->width, p->height, p->flip, p->endian == BIG};
}

static enum tw_status check_file(const void *at, const struct tw_file_facts *file, int32_t width,
                                 int32_t height, struct tw_error *err)
{
    const struct params *p = at;
    if (file->type == TW_IMAGE && !file->may_be_grey)
        return tw_error_set(err, TW_INPUT,
                            "%s is a colour picture; a height map is grey. source.image reads one "
                            "channel, at full depth",
                            p->file.name);
    if (file->scale == TW_SCALE_UNKNOWN && p->range.count == 0)
        return tw_error_set(err, TW_INPUT,
                            "%s holds levels without a header: their range is missing; expected a "
                            "sidecar that says it, or range: [low, high]",
                            p->file.name);
    return tw_file_fit_check(p->file.name, file, p->fit, width, height, err);
}

/* What was seen of a picture in colour: are its channels equal, or green and blue zero? */
struct seen {
    bool equal, red;
    float colour[3]; /* the first that is neither */
};
struct grey {
    bool bytes;
    struct seen *seen;
};

static void see(struct seen *seen, const float *rgb)
{
    if (!seen->equal && !seen->red)
        return;
    seen->equal = seen->equal && rgb[0] == rgb[1] && rgb[1] == rgb[2];
    seen->red = seen->red && rgb[1] == 0 && rgb[2] == 0;
    for (int i = 0; i < 3; i++)
        seen->colour[i] = rgb[i];
}

static void take_red(const void *context, const void *row, float *cells, int32_t width)
{
    const struct grey *grey = context;
    for (int32_t x = 0; x < width; x++) {
        float rgb[3];
        for (int i = 0; i < 3; i++)
            rgb[i] = grey->bytes ? (float)((const uint8_t *)row)[3 * x + i] / 255.0f
                                 : ((const float *)row)[3 * x + i];
        see(grey->seen, rgb);
        cells[x] = rgb[0];
    }
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    tw_file_fit_forecast(f, p->fit);
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_file_facts file = tw_task_file_facts(task);
    const bool known = file.scale == TW_SCALE_KNOWN, given = p->range.count == 2;
    struct seen seen = {.equal = true, .red = file.deep};
    const struct grey grey = {.bytes = !file.deep, .seen = &seen};
    const struct tw_file_fit fit = {.fit = p->fit,
                                    .low = given   ? p->range.at[0]
                                           : known ? file.low
                                                   : 0,
                                    .high = given   ? p->range.at[1]
                                            : known ? file.high
                                                    : 1,
                                    .least = -FLT_MAX,
                                    .most = FLT_MAX,
                                    .out = tw_floats(tw_task_output(task, OUT)),
                                    .convert = file.type == TW_IMAGE ? take_red : NULL,
                                    .context = &grey};
    enum tw_status status = tw_file_fit(task, &fit);
    if (status != TW_OK || seen.equal || seen.red)
        return status;
    return tw_task_fail_file(task,
                             "%s has colours, as red %.3g, green %.3g, blue %.3g; expected heights "
                             "in all three alike. source.image reads one channel, at full depth",
                             p->file.name, (double)seen.colour[0], (double)seen.colour[1],
                             (double)seen.colour[2]);
}

extern const struct tw_node_type tw_node_source_heightmap;
const struct tw_node_type tw_node_source_heightmap = {
    .name = "source.heightmap",
    .version = 2,
    .summary = "a height map from a file",
    .keywords = "import, load, DEM, real terrain, elevation model, file, open, GeoTIFF",
    .elsewhere =
        "File (Gaea), File Input (World Machine), HeightField File (Houdini), Import (Hesiod), "
        "Image Texture (Blender), r.import (GRASS)",
    .detail =
        "Reads a height map from a file. Choose source.image for a mask, and source.picture for "
        "colours.\n"
        "Heights: with range [low, high] a value v becomes low + v (high - low). Integers of b "
        "bits are read as v / (2^b - 1) where they have no sign; signed integers and floats are "
        "read as they are.\n"
        "Without range, a sidecar says what the values mean: the .json that an export writes "
        "next to a file of any format, with the range of its levels or the metres that a float "
        "of 1 measures. Without either, 0 and 1 are heights of 0 and 1.\n"
        "Channels: transparency is ignored. An .exr gives its channel Y, height or Z, the only "
        "one, or R. One in colours, and a .bmp, is read where red, green and blue are equal, an "
        ".exr also where green and blue are 0.\n"
        "Files without a header (.r16, .raw, .r32) do not give their size: width and height do, "
        "or the sidecar does, including rows from south to north, and levels need range or a "
        "sidecar. Parameters take precedence over a sidecar. endian: big is for files of other "
        "programs, since an export is little-endian. A file with a header holds all of this "
        "itself, so width, height, endian and flip are refused there.\n"
        "A .tif is refused if it has GDAL's scale and offset, a mask, cells of its nodata value, "
        "or is mirrored, as with rows from south to north. Cells of -32768 or below -1e30, and a "
        "place that contradicts world:, are reported.\n"
        "fit: a crop keeps the north-west corner; bilinear and lanczos clamp at the border. "
        "Bilinear mixes the four cells around, which suits files about as fine as the map. "
        "Lanczos takes three lobes of a windowed sinc, as wide as a cell of the map where the "
        "file is finer: slopes stay sharp and nothing is missed between cells, but heights near "
        "a cliff may pass those of the file by a tenth of it.",
    .cite = "turkowski1990 duchon1979",
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "dem: {type: source.heightmap, file: data/jacksboro.png, fit: bilinear}",
    .check = check,
    .run = run,
    .check_file = check_file,
    .file_layout = file_layout,
    .file_rows = true,
    .file_streams = true,
    .forecast = forecast,
    .wraps = tw_never_wraps,
};
