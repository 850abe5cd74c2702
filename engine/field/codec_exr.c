/* SPDX-License-Identifier: MIT */
/* OpenEXR by the C library OpenEXRCore, the only file that knows it: a channel of floats or halves,
 * written by scan lines with ZIP compression; read by scan lines or tiles with any. Where the build
 * has no such library the row stays, and says what is missing. */
#include "field/notes.h"

#include <inttypes.h>
#include <limits.h>
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
#include <openexr.h>

/* The library's callbacks: where bytes come from or go to, and the first complaint. */
struct stream {
    const struct tw_codec_head *in;
    bool exact; /* a read beyond the end is damage; heads are read by blocks */
    struct tw_bytes *out;
    struct tw_error *err;
    enum tw_status status;
};

static struct stream *stream_of(exr_const_context_t file)
{
    void *stream = NULL;
    exr_get_user_data(file, &stream);
    return stream;
}

static void on_error(exr_const_context_t file, exr_result_t code, const char *message)
{
    struct stream *stream = file ? stream_of(file) : NULL;
    if (!stream || stream->status != TW_OK)
        return;
    if (code == EXR_ERR_OUT_OF_MEMORY)
        stream->status = tw_error_set(stream->err, TW_MEMORY, "out of memory");
    else
        stream->status = tw_error_set(stream->err, stream->in ? TW_INPUT : TW_IO, "%s .exr: %s",
                                      stream->in ? "damaged" : "cannot write an", message);
}

static int64_t on_read(exr_const_context_t file, void *stream_at, void *to, uint64_t size,
                       uint64_t offset, exr_stream_error_func_ptr_t report)
{
    const struct stream *stream = stream_at;
    (void)file;
    (void)report;
    size_t count = tw_codec_read_at(stream->in, offset, to, (size_t)size);
    return stream->exact && count < size ? -1 : (int64_t)count;
}

static int64_t on_size(exr_const_context_t file, void *stream_at)
{
    const struct stream *stream = stream_at;
    (void)file;
    return (int64_t)stream->in->file_length;
}

/* The table of chunks comes last, over the zeros that the library left for it. */
static int64_t on_write(exr_const_context_t file, void *stream_at, const void *from, uint64_t size,
                        uint64_t offset, exr_stream_error_func_ptr_t report)
{
    struct stream *stream = stream_at;
    (void)file;
    (void)report;
    if (stream->status == TW_OK)
        stream->status =
            tw_bytes_write_at(stream->out, (size_t)offset, from, (size_t)size, stream->err);
    return stream->status == TW_OK ? (int64_t)size : -1;
}

static exr_context_initializer_t set_up(struct stream *stream)
{
    exr_context_initializer_t set = EXR_DEFAULT_CONTEXT_INITIALIZER;
    set.error_handler_fn = on_error;
    set.user_data = stream;
    set.max_image_width = set.max_image_height = TW_SIDE_MAX;
    set.max_tile_width = set.max_tile_height = TW_SIDE_MAX;
    set.zip_level = 4;
    return set;
}

/* What stands when a call of the library did not succeed. */
static enum tw_status end(const struct stream *stream, exr_result_t code, struct tw_error *err)
{
    if (stream->status != TW_OK || code == EXR_ERR_SUCCESS)
        return stream->status;
    if (code == EXR_ERR_OUT_OF_MEMORY)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    return tw_error_set(err, stream->in ? TW_INPUT : TW_IO, "%s .exr: %s",
                        stream->in ? "damaged" : "cannot write an",
                        exr_get_default_error_message(code));
}

/* ---- writing ---- */

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

/* Rows from `y`, as many as a chunk holds, times `unit`. */
static exr_result_t write_chunk(exr_context_t file, const struct tw_value *value, int32_t y,
                                float unit, float *rows, exr_encode_pipeline_t *pipeline)
{
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
        code = exr_encoding_choose_default_routines(file, 0, pipeline);
    return code == EXR_ERR_SUCCESS ? exr_encoding_run(file, 0, pipeline) : code;
}

static exr_result_t write_chunks(exr_context_t file, const struct tw_value *value, float unit,
                                 struct stream *stream)
{
    exr_encode_pipeline_t pipeline = EXR_ENCODE_PIPELINE_INITIALIZER;
    int32_t lines = 0;
    exr_result_t code = exr_get_scanlines_per_chunk(file, 0, &lines);
    float *rows = code == EXR_ERR_SUCCESS
                      ? malloc((size_t)lines * (size_t)value->width * sizeof *rows)
                      : NULL;
    if (!rows)
        return code == EXR_ERR_SUCCESS ? EXR_ERR_OUT_OF_MEMORY : code;
    for (int32_t y = 0; code == EXR_ERR_SUCCESS && y < value->height; y += lines) {
        if (stream->out->stop && atomic_load(stream->out->stop)) {
            stream->status = tw_error_set(stream->err, TW_CANCELLED, "stopped");
            break;
        }
        code = write_chunk(file, value, y, unit, rows, &pipeline);
    }
    exr_encoding_destroy(file, &pipeline);
    free(rows);
    return code;
}

static enum tw_status check_half(const struct tw_value *value, float unit, struct tw_error *err)
{
    const float half_max = 65504;
    for (size_t i = 0; i < tw_value_count(value); i++) {
        float cell = tw_floats(value)[i] * unit;
        if (cell > half_max || cell < -half_max)
            return tw_error_set(err, TW_NODE, "%g does not fit into a half float (65504 at most)",
                                (double)cell);
    }
    return TW_OK;
}

/* To the nearest float of 11 significant bits, halves to the even one, as the library rounds.
 * Below 2^-14 the last bit of a half is 2^-24. */
static float round_to_half(float height)
{
    const float least_normal = 6.103515625e-5f, last_bit = 5.9604644775390625e-8f;
    uint32_t bits, sign;
    memcpy(&bits, &height, sizeof bits);
    sign = bits & UINT32_C(0x80000000); /* zero has one, too */
    float size = height < 0 ? -height : height;
    if (size < least_normal) {
        const float shift = 12582912.0f * last_bit; /* 1.5 x 2^23 of them: the sum is rounded */
        volatile float sum = size + shift;
        size = sum - shift;
        memcpy(&bits, &size, sizeof bits);
        bits |= sign;
    } else {
        bits += 0xfff + (bits >> 13 & 1);
        bits &= ~UINT32_C(0x1fff);
    }
    memcpy(&height, &bits, sizeof height);
    return height;
}

static bool reread(const struct tw_encoding *encoding, int32_t y, void *row)
{
    const struct options *o = encoding->options;
    float *cells = row;
    tw_codec_scale_row(encoding->values[0], y, tw_codec_unit(encoding, o->metres), cells);
    for (int32_t x = 0; o->half && x < encoding->values[0]->width; x++)
        cells[x] = round_to_half(cells[x]);
    return true;
}

extern const struct tw_format tw_format_exr;
static enum tw_status encode(const struct tw_encoding *encoding, struct tw_bytes *out,
                             struct tw_error *err)
{
    const struct options *o = encoding->options;
    const struct tw_value *value = encoding->values[0];
    const float unit = tw_codec_unit(encoding, o->metres);
    struct stream stream = {.out = out, .err = err};
    struct tw_notes notes;
    exr_context_initializer_t set = set_up(&stream);
    exr_context_t file = NULL;
    set.write_fn = on_write;
    if ((o->half && check_half(value, unit, err) != TW_OK) ||
        tw_codec_check_scaled(value, (double)unit, 0, err) != TW_OK)
        return TW_NODE;
    enum tw_status status = tw_notes_make(&tw_format_exr, encoding, &notes, err);
    if (status != TW_OK)
        return status;
    exr_result_t code = exr_start_write(&file, "height.exr", EXR_WRITE_FILE_DIRECTLY, &set);
    if (code == EXR_ERR_SUCCESS)
        code = write_head(file, value, o->half, &notes);
    if (code == EXR_ERR_SUCCESS)
        code = write_chunks(file, value, unit, &stream);
    exr_result_t last = exr_finish(&file);
    return end(&stream, code == EXR_ERR_SUCCESS ? last : code, err);
}

/* ---- reading ---- */

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
static enum tw_status check_length(const struct picture *picture, const struct stream *stream,
                                   struct tw_error *err)
{
    const uint64_t length = stream->in->file_length, cell = 2; /* bytes of a half, the smallest */
    exr_compression_t compression = EXR_COMPRESSION_NONE;
    exr_result_t code = exr_get_compression(picture->file, 0, &compression);
    if (code != EXR_ERR_SUCCESS)
        return end(stream, code, err);
    uint64_t bytes = (uint64_t)picture->width * (uint64_t)picture->height * cell;
    if (bytes / ratio_of(compression) <= length)
        return TW_OK;
    return tw_error_set(err, TW_INPUT, "damaged .exr: %" PRIu64 " bytes cannot hold %d x %d cells",
                        length, (int)picture->width, (int)picture->height);
}

static enum tw_status read_layout(struct picture *picture, const struct stream *stream,
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
        return end(stream, code, err);
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

static enum tw_status open_picture(struct picture *picture, struct stream *stream,
                                   struct tw_error *err)
{
    exr_context_initializer_t set = set_up(stream);
    set.read_fn = on_read;
    set.size_fn = on_size;
    set.flags = EXR_CONTEXT_FLAG_DISABLE_CHUNK_RECONSTRUCTION;
    exr_result_t code = exr_start_read(&picture->file, "input.exr", &set);
    enum tw_status status = end(stream, code, err);
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

static enum tw_status read_cells(const struct picture *picture, const struct stream *stream,
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
    status = end(stream, code, err);
    return status == TW_OK ? tw_codec_check_finite(out, ".exr", err) : status;
}

static enum tw_status decode(const unsigned char *data, size_t length, struct tw_value *out,
                             struct tw_error *err)
{
    const struct tw_codec_head head = {.at = data, .length = length, .file_length = length};
    struct stream stream = {.in = &head, .err = err};
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

static void read_notes(const unsigned char *data, size_t length, struct tw_notes *notes)
{
    const struct tw_codec_head head = {.at = data, .length = length, .file_length = length};
    struct tw_error ignored;
    struct stream stream = {.in = &head, .err = &ignored};
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

static enum tw_status probe(const struct tw_codec_head *head, struct tw_file_facts *facts,
                            struct tw_error *err)
{
    struct stream stream = {.in = head, .err = err};
    struct picture picture = {0};
    enum tw_status status = open_picture(&picture, &stream, err);
    if (picture.file)
        exr_finish(&picture.file);
    *facts = (struct tw_file_facts){
        .type = TW_HEIGHTMAP, .width = picture.width, .height = picture.height};
    return status;
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
    .read_notes = read_notes,
    .decode = decode,
    .probe = probe,
#else
    .lacks = "OpenEXRCore (libopenexr-dev in Debian)",
#endif
};
