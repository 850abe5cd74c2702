/* SPDX-License-Identifier: MIT */
/* OpenEXR by the C library OpenEXRCore: a channel of floats or halves, written by scan lines with
 * ZIP compression. In a build without the library the row remains and reports what is missing. */
#include "format/notes.h"

#include <stdlib.h>
#include <string.h>

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

static exr_result_t write_notes(exr_context_t file, int part, const struct tw_notes *notes)
{
    exr_result_t code = EXR_ERR_SUCCESS;
    for (int i = 0; code == EXR_ERR_SUCCESS && i < notes->count; i++)
        code = exr_attr_set_string(file, part, notes->at[i].name, notes->at[i].text);
    return code;
}

static exr_result_t write_head(exr_context_t file, const struct tw_value *value, bool half,
                               const struct tw_notes *notes)
{
    int part = 0;
    exr_result_t code = exr_add_part(file, "height", EXR_STORAGE_SCANLINE, &part);
    if (code == EXR_ERR_SUCCESS)
        code = exr_initialize_required_attr_simple(file, part, value->width, value->height,
                                                   EXR_COMPRESSION_ZIP);
    if (code == EXR_ERR_SUCCESS)
        code = exr_add_channel(file, part, "Y", half ? EXR_PIXEL_HALF : EXR_PIXEL_FLOAT,
                               EXR_PERCEPTUALLY_LINEAR, 1, 1);
    if (code == EXR_ERR_SUCCESS)
        code = write_notes(file, part, notes);
    return code == EXR_ERR_SUCCESS ? exr_write_header(file) : code;
}

struct encoder {
    exr_encode_pipeline_t pipeline;
    exr_result_t (*compress)(exr_encode_pipeline_t *pipeline); /* the library's */
};

/* Readers treat a chunk as long as its cells as uncompressed. Up to 3.4.7 the library keeps a
 * compressed chunk of exactly that length, whose 16 rows then read as garbage (OpenEXR issue 2306);
 * store such a chunk uncompressed. */
static exr_result_t compress(exr_encode_pipeline_t *pipeline)
{
    const struct encoder *encoder = pipeline->encoding_user_data;
    exr_result_t code = encoder->compress(pipeline);
    if (code == EXR_ERR_SUCCESS && pipeline->compressed_bytes == pipeline->packed_bytes)
        memcpy(pipeline->compressed_buffer, pipeline->packed_buffer, pipeline->packed_bytes);
    return code;
}

static exr_result_t choose_routines(exr_context_t file, struct encoder *encoder)
{
    exr_encode_pipeline_t *pipeline = &encoder->pipeline;
    exr_result_t code = exr_encoding_choose_default_routines(file, 0, pipeline);
    pipeline->encoding_user_data = encoder;
    encoder->compress = pipeline->compress_fn;
    pipeline->compress_fn = compress;
    return code;
}

/* Writes a chunk of rows from `y` on, times `unit`. */
static exr_result_t write_chunk(exr_context_t file, const struct tw_value *value, int32_t y,
                                float unit, float *rows, struct encoder *encoder)
{
    exr_encode_pipeline_t *pipeline = &encoder->pipeline;
    exr_chunk_info_t chunk;
    exr_result_t code = exr_write_scanline_chunk_info(file, 0, y, &chunk);
    if (code != EXR_ERR_SUCCESS)
        return code;
    size_t count = (size_t)chunk.height * (size_t)value->width;
    const float *from = tw_floats(value) + (size_t)y * (size_t)value->width;
    for (size_t i = 0; i < count; i++)
        rows[i] = from[i] * unit;
    code = y == 0 ? exr_encoding_initialize(file, 0, &chunk, pipeline)
                  : exr_encoding_update(file, 0, &chunk, pipeline);
    if (code != EXR_ERR_SUCCESS)
        return code;
    pipeline->channels[0].encode_from_ptr = (const uint8_t *)rows;
    pipeline->channels[0].user_data_type = EXR_PIXEL_FLOAT;
    pipeline->channels[0].user_bytes_per_element = (int16_t)sizeof *rows;
    pipeline->channels[0].user_pixel_stride = (int32_t)sizeof *rows;
    pipeline->channels[0].user_line_stride = value->width * (int32_t)sizeof *rows;
    if (y == 0)
        code = choose_routines(file, encoder);
    return code == EXR_ERR_SUCCESS ? exr_encoding_run(file, 0, pipeline) : code;
}

static exr_result_t write_chunks(exr_context_t file, const struct tw_value *value, float unit)
{
    struct encoder encoder = {.pipeline = EXR_ENCODE_PIPELINE_INITIALIZER};
    int32_t lines = 0;
    exr_result_t code = exr_get_scanlines_per_chunk(file, 0, &lines);
    float *rows = code == EXR_ERR_SUCCESS
                      ? malloc((size_t)lines * (size_t)value->width * sizeof *rows)
                      : NULL;
    if (!rows)
        return code == EXR_ERR_SUCCESS ? EXR_ERR_OUT_OF_MEMORY : code;
    for (int32_t y = 0; code == EXR_ERR_SUCCESS && y < value->height; y += lines)
        code = write_chunk(file, value, y, unit, rows, &encoder);
    exr_encoding_destroy(file, &encoder.pipeline);
    free(rows);
    return code;
}

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

extern const struct tw_format tw_format_exr;
static enum tw_status encode(const struct tw_encoding *encoding, struct tw_bytes *out,
                             struct tw_error *err)
{
    const struct options *o = encoding->options;
    const struct tw_value *value = encoding->values[0];
    const float unit = tw_codec_unit(encoding, o->metres);
    struct tw_exr_stream stream = {.out = out, .err = err};
    struct tw_notes notes;
    exr_context_initializer_t set = tw_exr_set_up(&stream);
    exr_context_t file = NULL;
    enum tw_status status = o->half ? check_half(encoding, unit, err) : TW_OK;
    if (status == TW_OK)
        status = tw_codec_check_scaled(encoding, (double)unit, 0, err);
    if (status == TW_OK)
        status = tw_notes_make(&tw_format_exr, encoding, &notes, err);
    if (status != TW_OK)
        return status;
    exr_result_t code = exr_start_write(&file, "height.exr", EXR_WRITE_FILE_DIRECTLY, &set);
    if (code == EXR_ERR_SUCCESS)
        code = write_head(file, value, o->half, &notes);
    if (code == EXR_ERR_SUCCESS)
        code = write_chunks(file, value, unit);
    exr_result_t last = exr_finish(&file);
    return tw_exr_end(&stream, code == EXR_ERR_SUCCESS ? last : code, err);
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
