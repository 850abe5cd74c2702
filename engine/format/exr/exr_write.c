/* SPDX-License-Identifier: MIT */
/* Writes OpenEXR by OpenEXRCore: one channel in scan lines, compressed by ZIP, which loses nothing.
 * The cells come from a function, as 32 bits that are passed on without arithmetic unless the
 * channel is of halves. */
#include "format/exr/exr_stream.h"

#include <stdlib.h>
#include <string.h>

static exr_result_t write_notes(exr_context_t file, int part, const struct tw_notes *notes)
{
    exr_result_t code = EXR_ERR_SUCCESS;
    for (int i = 0; code == EXR_ERR_SUCCESS && i < notes->count; i++)
        code = exr_attr_set_string(file, part, notes->at[i].name, notes->at[i].text);
    return code;
}

static exr_result_t write_head(exr_context_t file, const struct tw_exr_rows *rows,
                               const struct tw_notes *notes)
{
    int part = 0;
    exr_result_t code = exr_add_part(file, rows->part, EXR_STORAGE_SCANLINE, &part);
    if (code == EXR_ERR_SUCCESS)
        code = exr_initialize_required_attr_simple(file, part, rows->width, rows->height,
                                                   EXR_COMPRESSION_ZIP);
    if (code == EXR_ERR_SUCCESS)
        code = exr_add_channel(file, part, rows->channel,
                               rows->half ? EXR_PIXEL_HALF : EXR_PIXEL_FLOAT,
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

/* Writes a chunk of rows from `y` on. */
static exr_result_t write_chunk(exr_context_t file, const struct tw_exr_rows *rows, int32_t y,
                                float *cells, struct encoder *encoder)
{
    exr_encode_pipeline_t *pipeline = &encoder->pipeline;
    exr_chunk_info_t chunk;
    exr_result_t code = exr_write_scanline_chunk_info(file, 0, y, &chunk);
    if (code != EXR_ERR_SUCCESS)
        return code;
    for (int32_t i = 0; i < chunk.height; i++)
        rows->fill(rows->encoding, y + i, cells + (size_t)i * (size_t)rows->width);
    code = y == 0 ? exr_encoding_initialize(file, 0, &chunk, pipeline)
                  : exr_encoding_update(file, 0, &chunk, pipeline);
    if (code != EXR_ERR_SUCCESS)
        return code;
    pipeline->channels[0].encode_from_ptr = (const uint8_t *)cells;
    pipeline->channels[0].user_data_type = EXR_PIXEL_FLOAT;
    pipeline->channels[0].user_bytes_per_element = (int16_t)sizeof *cells;
    pipeline->channels[0].user_pixel_stride = (int32_t)sizeof *cells;
    pipeline->channels[0].user_line_stride = rows->width * (int32_t)sizeof *cells;
    if (y == 0)
        code = choose_routines(file, encoder);
    return code == EXR_ERR_SUCCESS ? exr_encoding_run(file, 0, pipeline) : code;
}

static exr_result_t write_chunks(exr_context_t file, const struct tw_exr_rows *rows)
{
    struct encoder encoder = {.pipeline = EXR_ENCODE_PIPELINE_INITIALIZER};
    int32_t lines = 0;
    exr_result_t code = exr_get_scanlines_per_chunk(file, 0, &lines);
    float *cells = code == EXR_ERR_SUCCESS
                       ? malloc((size_t)lines * (size_t)rows->width * sizeof *cells)
                       : NULL;
    if (!cells)
        return code == EXR_ERR_SUCCESS ? EXR_ERR_OUT_OF_MEMORY : code;
    for (int32_t y = 0; code == EXR_ERR_SUCCESS && y < rows->height; y += lines)
        code = write_chunk(file, rows, y, cells, &encoder);
    exr_encoding_destroy(file, &encoder.pipeline);
    free(cells);
    return code;
}

enum tw_status tw_exr_write(const struct tw_exr_rows *rows, const struct tw_notes *notes,
                            struct tw_bytes *out, struct tw_error *err)
{
    struct tw_exr_stream stream = {.out = out, .err = err};
    exr_context_initializer_t set = tw_exr_set_up(&stream);
    exr_context_t file = NULL;
    exr_result_t code = exr_start_write(&file, "height.exr", EXR_WRITE_FILE_DIRECTLY, &set);
    if (code == EXR_ERR_SUCCESS)
        code = write_head(file, rows, notes);
    if (code == EXR_ERR_SUCCESS)
        code = write_chunks(file, rows);
    exr_result_t last = exr_finish(&file);
    return tw_exr_end(&stream, code == EXR_ERR_SUCCESS ? last : code, err);
}
