/* SPDX-License-Identifier: MIT */
/* Reads OpenEXR by scan lines or tiles, in bands of these: the heights of one channel, or colours.
 * Every channel gets a buffer, since some versions of the library write a channel without one to
 * address 0; the unused channels of a band share a buffer. */
#include "format/exr/exr_picture.h"

#include <limits.h>
#include <stdlib.h>

/* Rows decoded together. */
struct band {
    exr_decode_pipeline_t pipeline;
    float *cells;  /* chosen channels, interleaved by pixel */
    float *unused; /* buffer of unused channels, of that size */
};

static exr_result_t read_chunk(const struct tw_exr_picture *picture, const exr_chunk_info_t *chunk,
                               struct band *band, int64_t x)
{
    exr_decode_pipeline_t *pipeline = &band->pipeline;
    if (chunk->width < 1 || chunk->height < 1 || chunk->width > picture->width - x ||
        chunk->height > picture->high)
        return EXR_ERR_BAD_CHUNK_LEADER;
    exr_result_t code = pipeline->channels
                            ? exr_decoding_update(picture->file, 0, chunk, pipeline)
                            : exr_decoding_initialize(picture->file, 0, chunk, pipeline);
    if (code != EXR_ERR_SUCCESS)
        return code;
    const int32_t pixel = picture->wanted * (int32_t)sizeof(float);
    for (int c = 0; c < pipeline->channel_count; c++) {
        exr_coding_channel_info_t *channel = &pipeline->channels[c];
        float *to = band->unused;
        for (int i = 0; i < picture->wanted; i++)
            if (picture->channels[i] == c)
                to = band->cells + i;
        channel->decode_to_ptr = (uint8_t *)(to + x * picture->wanted);
        channel->user_data_type = EXR_PIXEL_FLOAT;
        channel->user_bytes_per_element = (int16_t)sizeof(float);
        channel->user_pixel_stride = pixel;
        channel->user_line_stride = picture->width * pixel;
    }
    code = exr_decoding_choose_default_routines(picture->file, 0, pipeline);
    return code == EXR_ERR_SUCCESS ? exr_decoding_run(picture->file, 0, pipeline) : code;
}

/* Reads the band that begins at row y: a chunk of lines, or tiles of the finest level. */
static exr_result_t read_band(const struct tw_exr_picture *picture, int32_t y, struct band *band)
{
    exr_chunk_info_t chunk;
    exr_result_t code = EXR_ERR_SUCCESS;
    if (picture->storage == EXR_STORAGE_SCANLINE) {
        code = exr_read_scanline_chunk_info(picture->file, 0, picture->window.min.y + y, &chunk);
        return code == EXR_ERR_SUCCESS ? read_chunk(picture, &chunk, band, 0) : code;
    }
    for (int64_t x = 0; code == EXR_ERR_SUCCESS && x < picture->width; x += picture->wide) {
        code = exr_read_tile_chunk_info(picture->file, 0, (int)(x / picture->wide),
                                        y / picture->high, 0, 0, &chunk);
        if (code == EXR_ERR_SUCCESS)
            code = read_chunk(picture, &chunk, band, x);
    }
    return code;
}

static enum tw_status check_row(const struct tw_exr_picture *picture, float *cells, int32_t y,
                                struct tw_error *err)
{
    const struct tw_value row = {TW_HEIGHTMAP, picture->width * picture->wanted, 1, cells};
    const int64_t cell = tw_field_first_nonfinite(&row);
    if (cell < 0)
        return TW_OK;
    return tw_error_set(err, TW_INPUT, "the .exr is not finite at x %d, y %d",
                        (int)(cell / picture->wanted), (int)y);
}

static enum tw_status give_bands(const struct tw_exr_picture *picture,
                                 const struct tw_exr_stream *stream, struct band *band,
                                 const struct tw_row_sink *sink)
{
    const struct tw_file_facts facts = tw_exr_facts(picture);
    const size_t row = (size_t)picture->width * (size_t)picture->wanted;
    enum tw_status status = TW_OK;
    for (int32_t y = 0; status == TW_OK && y < picture->height; y++) {
        float *cells = band->cells + (size_t)(y % picture->high) * row;
        if (y % picture->high == 0)
            status = tw_exr_end(stream, read_band(picture, y, band), stream->err);
        if (status == TW_OK && !picture->control)
            status = check_row(picture, cells, y, stream->err);
        if (status == TW_OK)
            status = tw_codec_give_row(sink, &facts, y, cells, stream->err);
    }
    return status;
}

static enum tw_status read_bands(const struct tw_exr_picture *picture,
                                 const struct tw_exr_stream *stream, const struct tw_row_sink *sink)
{
    struct band band = {.pipeline = EXR_DECODE_PIPELINE_INITIALIZER};
    const size_t cells = (size_t)picture->width * (size_t)picture->wanted * (size_t)picture->high;
    band.cells = calloc(cells, sizeof *band.cells);
    band.unused = calloc(cells, sizeof *band.unused);
    enum tw_status status = band.cells && band.unused
                                ? give_bands(picture, stream, &band, sink)
                                : tw_error_set(stream->err, TW_MEMORY, "out of memory");
    exr_decoding_destroy(picture->file, &band.pipeline);
    free(band.cells);
    free(band.unused);
    return status;
}

enum tw_status tw_exr_read(const struct tw_byte_source *source, const struct tw_row_sink *sink,
                           struct tw_error *err)
{
    struct tw_exr_stream stream = {.source = source, .err = err};
    struct tw_exr_picture picture = {0};
    enum tw_status status = tw_exr_open(&picture, &stream, source->wish.colours);
    if (status == TW_OK) {
        const struct tw_file_facts facts = tw_exr_facts(&picture);
        status = sink->begin(sink->context, &facts, err);
    }
    if (status == TW_OK)
        status = read_bands(&picture, &stream, sink);
    if (picture.file)
        exr_finish(&picture.file);
    return status;
}

enum tw_status tw_exr_decode(const unsigned char *data, size_t length, struct tw_value *out,
                             struct tw_error *err)
{
    return tw_codec_decode(tw_exr_read, data, length, NULL, TW_NO_WISH, out, err);
}

/* Counts both buffers of a band, and the library's three for a chunk: packed, unpacked and
 * between. */
bool tw_exr_has_rows(const struct tw_codec_head *head, uint64_t *held)
{
    struct tw_error ignored;
    struct tw_exr_stream stream = {.in = head, .err = &ignored};
    struct tw_exr_picture picture = {0};
    const bool has = tw_exr_open(&picture, &stream, head->wish.colours) == TW_OK;
    const uint64_t high = (uint64_t)picture.high, wide = (uint64_t)picture.wide;
    if (has)
        *held = 2 * sizeof(float) * high * (uint64_t)picture.width * (uint64_t)picture.wanted +
                3 * high * wide * picture.pixel_bytes;
    if (picture.file)
        exr_finish(&picture.file);
    return has;
}

enum tw_status tw_exr_probe(const struct tw_codec_head *head, struct tw_file_facts *facts,
                            struct tw_error *err)
{
    struct tw_exr_stream stream = {.in = head, .err = err};
    struct tw_exr_picture picture = {0};
    enum tw_status status = tw_exr_open(&picture, &stream, head->wish.colours);
    if (picture.file)
        exr_finish(&picture.file);
    *facts = tw_exr_facts(&picture);
    return status;
}
