/* SPDX-License-Identifier: MIT */
/* OpenEXR by the C library OpenEXRCore: heights as a channel of floats or halves. In a build
 * without the library the row remains and reports what is missing. */
#include "format/notes.h"

struct options {
    bool half;
    bool metres;
};
static const struct tw_param options[] = {
    TW_PARAM_BOOL(struct options, half, false, "16-bit floats, of 11 significant bits"),
    TW_METRES_OPTION(struct options),
    TW_PARAM_END,
};

#ifdef TW_WITH_EXR
#include "format/exr/exr_stream.h"
#include "format/half.h"

static enum tw_status check_half(const struct tw_encoding *encoding, float unit,
                                 struct tw_error *err)
{
    const float half_max = 65504;
    const struct tw_value *value = encoding->values[0];
    const float *cells = tw_floats(value);
    enum tw_status status = TW_OK;
    for (int32_t y = 0; y < value->height && (status = tw_codec_poll(encoding, err)) == TW_OK; y++)
        for (int32_t x = 0; x < value->width; x++) {
            const float cell = *cells++ * unit;
            if (cell > half_max || cell < -half_max)
                return tw_error_set(err, TW_NODE,
                                    "%g does not fit into a half float (65504 at most)",
                                    (double)cell);
        }
    return status;
}

static bool reread(const struct tw_encoding *encoding, int32_t y, void *row)
{
    const struct options *o = encoding->options;
    float *cells = row;
    tw_codec_scale_row(encoding->values[0], y, tw_codec_unit(encoding, o->metres), cells);
    for (int32_t x = 0; o->half && x < encoding->values[0]->width; x++)
        cells[x] = tw_round_to_half(cells[x]);
    return true;
}

static void fill(const struct tw_encoding *encoding, int32_t y, void *row)
{
    const struct options *o = encoding->options;
    tw_codec_scale_row(encoding->values[0], y, tw_codec_unit(encoding, o->metres), row);
}

extern const struct tw_format tw_format_exr;
static enum tw_status encode(const struct tw_encoding *encoding, struct tw_bytes *out,
                             struct tw_error *err)
{
    const struct options *o = encoding->options;
    const struct tw_value *value = encoding->values[0];
    const float unit = tw_codec_unit(encoding, o->metres);
    const struct tw_exr_rows rows = {.part = "height",
                                     .channel = "Y",
                                     .half = o->half,
                                     .width = value->width,
                                     .height = value->height,
                                     .fill = fill,
                                     .encoding = encoding};
    struct tw_notes notes;
    enum tw_status status = o->half ? check_half(encoding, unit, err) : TW_OK;
    if (status == TW_OK)
        status = tw_codec_check_scaled(encoding, (double)unit, 0, err);
    if (status == TW_OK)
        status = tw_notes_make(&tw_format_exr, encoding, &notes, err);
    return status == TW_OK ? tw_exr_write(&rows, &notes, out, err) : status;
}
#else
extern const struct tw_format tw_format_exr;
#endif

const struct tw_format tw_format_exr = {
    .ending = ".exr",
    .help = "OpenEXR with one channel, Y, of float32 or half",
    .types = TW_HEIGHTS,
    .physical = true,
    .options = options,
    .options_size = sizeof(struct options),
    .magic = "\x76\x2f\x31\x01",
    .magic_length = 4,
    .noted = true,
#ifdef TW_WITH_EXR
    .encode = encode,
    .reread = reread,
    .read_notes = tw_exr_read_notes,
    .decode = tw_exr_decode,
    .read_rows = tw_exr_read,
    .has_rows = tw_exr_has_rows,
    .probe = tw_exr_probe,
#else
    .lacks = "OpenEXRCore (libopenexr-dev in Debian)",
#endif
};
