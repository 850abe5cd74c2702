/* SPDX-License-Identifier: MIT */
/* OpenEXR by scan lines or tiles with any compression: the heights of its only channel, or of the
 * one whose name says so. */
#include "field/exr_stream.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct picture {
    exr_context_t file;
    exr_attr_box2i_t window;
    exr_storage_t storage;
    int channel;
    int32_t width, height;
};

static enum tw_status refuse(struct tw_error *err, const char *found)
{
    return tw_error_set(err, TW_INPUT,
                        "%s; expected one part of scan lines or tiles with one channel, or one "
                        "named Y, height or Z",
                        found);
}

/* The only channel, or the one whose name says that it is a height. */
static int find_channel(const exr_attr_chlist_t *list)
{
    static const char *const names[] = {"Y", "height", "Z"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        for (int i = 0; i < list->num_channels; i++)
            if (strcmp(list->entries[i].name.str, names[n]) == 0)
                return i;
    return list->num_channels == 1 ? 0 : -1;
}

/* Bytes that a byte of the file can stand for, at most: runs of 128 by 2 bytes; deflate as in PNG,
 * of 3 bytes a float with PXR24; runs of Huffman codes. DWA has no such bound worth checking. */
static uint64_t ratio_of(exr_compression_t compression)
{
    switch (compression) {
    case EXR_COMPRESSION_NONE:
        return 1;
    case EXR_COMPRESSION_RLE:
        return 64;
    case EXR_COMPRESSION_B44:
    case EXR_COMPRESSION_B44A:
        return 16;
    case EXR_COMPRESSION_ZIP:
    case EXR_COMPRESSION_ZIPS:
    case EXR_COMPRESSION_PXR24:
    case EXR_COMPRESSION_PIZ:
        return 2064;
    default:
        return UINT32_MAX;
    }
}

/* A small file that says it holds a large map is not read, and nothing is allocated for it. */
static enum tw_status check_length(const struct picture *picture,
                                   const struct tw_exr_stream *stream, struct tw_error *err)
{
    const uint64_t length = stream->in->file_length, cell = 2; /* bytes of a half, the smallest */
    exr_compression_t compression = EXR_COMPRESSION_NONE;
    exr_result_t code = exr_get_compression(picture->file, 0, &compression);
    if (code != EXR_ERR_SUCCESS)
        return tw_exr_end(stream, code, err);
    uint64_t bytes = (uint64_t)picture->width * (uint64_t)picture->height * cell;
    if (bytes / ratio_of(compression) <= length)
        return TW_OK;
    return tw_error_set(err, TW_INPUT, "damaged .exr: %" PRIu64 " bytes cannot hold %d x %d cells",
                        length, (int)picture->width, (int)picture->height);
}

static enum tw_status read_layout(struct picture *picture, const struct tw_exr_stream *stream,
                                  struct tw_error *err)
{
    const exr_attr_chlist_t *list = NULL;
    int parts = 0;
    exr_result_t code = exr_get_count(picture->file, &parts);
    if (code == EXR_ERR_SUCCESS)
        code = exr_get_storage(picture->file, 0, &picture->storage);
    if (code == EXR_ERR_SUCCESS)
        code = exr_get_data_window(picture->file, 0, &picture->window);
    if (code == EXR_ERR_SUCCESS)
        code = exr_get_channels(picture->file, 0, &list);
    if (code != EXR_ERR_SUCCESS)
        return tw_exr_end(stream, code, err);
    if (parts != 1)
        return refuse(err, "an .exr of several parts");
    if (picture->storage != EXR_STORAGE_SCANLINE && picture->storage != EXR_STORAGE_TILED)
        return refuse(err, "a deep .exr");
    picture->channel = find_channel(list);
    if (picture->channel < 0)
        return refuse(err, "an .exr of several channels, as of a colour picture");
    const exr_attr_chlist_entry_t *entry = &list->entries[picture->channel];
    if (entry->x_sampling != 1 || entry->y_sampling != 1)
        return refuse(err, "an .exr with a subsampled channel");
    int64_t width = (int64_t)picture->window.max.x - picture->window.min.x + 1;
    int64_t height = (int64_t)picture->window.max.y - picture->window.min.y + 1;
    if (width < 1 || height < 1 || width > TW_SIDE_MAX || height > TW_SIDE_MAX)
        return tw_error_set(err, TW_INPUT, "the .exr has sides beyond 1 to %d", TW_SIDE_MAX);
    picture->width = (int32_t)width;
    picture->height = (int32_t)height;
    return check_length(picture, stream, err);
}

static enum tw_status open_picture(struct picture *picture, struct tw_exr_stream *stream,
                                   struct tw_error *err)
{
    exr_context_initializer_t set = tw_exr_set_up(stream);
    set.flags = EXR_CONTEXT_FLAG_DISABLE_CHUNK_RECONSTRUCTION;
    exr_result_t code = exr_start_read(&picture->file, "input.exr", &set);
    enum tw_status status = tw_exr_end(stream, code, err);
    stream->exact = true;
    return status == TW_OK ? read_layout(picture, stream, err) : status;
}

static exr_result_t read_chunk(const struct picture *picture, const exr_chunk_info_t *chunk,
                               exr_decode_pipeline_t *pipeline, float *to)
{
    exr_result_t code = pipeline->channels
                            ? exr_decoding_update(picture->file, 0, chunk, pipeline)
                            : exr_decoding_initialize(picture->file, 0, chunk, pipeline);
    if (code != EXR_ERR_SUCCESS)
        return code;
    for (int c = 0; c < pipeline->channel_count; c++) {
        exr_coding_channel_info_t *channel = &pipeline->channels[c];
        channel->decode_to_ptr = c == picture->channel ? (uint8_t *)to : NULL;
        channel->user_data_type = EXR_PIXEL_FLOAT;
        channel->user_bytes_per_element = (int16_t)sizeof *to;
        channel->user_pixel_stride = (int32_t)sizeof *to;
        channel->user_line_stride = picture->width * (int32_t)sizeof *to;
    }
    code = exr_decoding_choose_default_routines(picture->file, 0, pipeline);
    return code == EXR_ERR_SUCCESS ? exr_decoding_run(picture->file, 0, pipeline) : code;
}

static exr_result_t read_lines(const struct picture *picture, exr_decode_pipeline_t *pipeline,
                               float *cells)
{
    exr_chunk_info_t chunk;
    int32_t lines = 0;
    exr_result_t code = exr_get_scanlines_per_chunk(picture->file, 0, &lines);
    for (int32_t y = 0; code == EXR_ERR_SUCCESS && y < picture->height; y += lines) {
        code = exr_read_scanline_chunk_info(picture->file, 0, picture->window.min.y + y, &chunk);
        if (code == EXR_ERR_SUCCESS)
            code =
                read_chunk(picture, &chunk, pipeline, cells + (size_t)y * (size_t)picture->width);
    }
    return code;
}

/* Of the finest level. */
static exr_result_t read_tiles(const struct picture *picture, exr_decode_pipeline_t *pipeline,
                               float *cells)
{
    exr_chunk_info_t chunk;
    exr_tile_level_mode_t levels;
    exr_tile_round_mode_t rounding;
    uint32_t wide = 0, high = 0;
    exr_result_t code = exr_get_tile_descriptor(picture->file, 0, &wide, &high, &levels, &rounding);
    if (code == EXR_ERR_SUCCESS && (wide < 1 || high < 1 || wide > INT_MAX || high > INT_MAX))
        return EXR_ERR_INVALID_ATTR;
    for (int64_t y = 0; code == EXR_ERR_SUCCESS && y < picture->height; y += high)
        for (int64_t x = 0; code == EXR_ERR_SUCCESS && x < picture->width; x += wide) {
            code = exr_read_tile_chunk_info(picture->file, 0, (int)(x / wide), (int)(y / high), 0,
                                            0, &chunk);
            if (code == EXR_ERR_SUCCESS)
                code = read_chunk(picture, &chunk, pipeline, cells + y * picture->width + x);
        }
    return code;
}

static enum tw_status read_cells(const struct picture *picture, const struct tw_exr_stream *stream,
                                 struct tw_value *out, struct tw_error *err)
{
    exr_decode_pipeline_t pipeline = EXR_DECODE_PIPELINE_INITIALIZER;
    enum tw_status status = tw_field_alloc(out, TW_HEIGHTMAP, picture->width, picture->height, err);
    if (status != TW_OK)
        return status;
    exr_result_t code = picture->storage == EXR_STORAGE_TILED
                            ? read_tiles(picture, &pipeline, tw_floats(out))
                            : read_lines(picture, &pipeline, tw_floats(out));
    exr_decoding_destroy(picture->file, &pipeline);
    status = tw_exr_end(stream, code, err);
    return status == TW_OK ? tw_codec_check_finite(out, ".exr", err) : status;
}

enum tw_status tw_exr_decode(const unsigned char *data, size_t length, struct tw_value *out,
                             struct tw_error *err)
{
    const struct tw_codec_head head = {.at = data, .length = length, .file_length = length};
    struct tw_exr_stream stream = {.in = &head, .err = err};
    struct picture picture = {0};
    enum tw_status status = open_picture(&picture, &stream, err);
    if (status == TW_OK)
        status = read_cells(&picture, &stream, out, err);
    if (picture.file)
        exr_finish(&picture.file);
    if (status != TW_OK)
        tw_field_clear(out);
    return status;
}

void tw_exr_read_notes(const unsigned char *data, size_t length, struct tw_notes *notes)
{
    const struct tw_codec_head head = {.at = data, .length = length, .file_length = length};
    struct tw_error ignored;
    struct tw_exr_stream stream = {.in = &head, .err = &ignored};
    struct picture picture = {0};
    int count = 0;
    if (open_picture(&picture, &stream, &ignored) == TW_OK &&
        exr_get_attribute_count(picture.file, 0, &count) == EXR_ERR_SUCCESS)
        for (int i = 0; i < count; i++) {
            const exr_attribute_t *attribute = NULL;
            if (exr_get_attribute_by_index(picture.file, 0, EXR_ATTR_LIST_FILE_ORDER, i,
                                           &attribute) == EXR_ERR_SUCCESS &&
                attribute->type == EXR_ATTR_STRING && attribute->string->length >= 0)
                tw_notes_keep(notes, attribute->name, strlen(attribute->name),
                              attribute->string->str, (size_t)attribute->string->length);
        }
    if (picture.file)
        exr_finish(&picture.file);
}

enum tw_status tw_exr_probe(const struct tw_codec_head *head, struct tw_file_facts *facts,
                            struct tw_error *err)
{
    struct tw_exr_stream stream = {.in = head, .err = err};
    struct picture picture = {0};
    enum tw_status status = open_picture(&picture, &stream, err);
    if (picture.file)
        exr_finish(&picture.file);
    *facts = (struct tw_file_facts){
        .type = TW_HEIGHTMAP, .width = picture.width, .height = picture.height};
    return status;
}
