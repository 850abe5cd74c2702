/* SPDX-License-Identifier: MIT */
/* Reads grey and colour PNG by libpng's row interface; the only file that uses libpng. libpng
 * reports errors by longjmp, so the one function that sets the jump owns nothing else. */
#include "format/png/png_private.h"

#include <png.h>
#include <stdlib.h>

struct stream {
    const struct tw_byte_source *source;
    const struct tw_row_sink *sink;
    uint64_t at, next_chunk; /* bytes read; start of the next chunk */
    struct tw_error *err;
    enum tw_status status;
    unsigned char *bytes; /* a row; for an interlaced picture all rows */
    unsigned char **rows; /* for an interlaced picture */
    float *cells;         /* one converted row */
    bool starved;         /* an allocation of libpng failed */
};

/* Records a failed allocation, which libpng reports as a damaged file. */
static png_voidp on_alloc(png_structp png, png_alloc_size_t size)
{
    struct stream *stream = png_get_mem_ptr(png);
    void *block = malloc(size);
    stream->starved |= !block;
    return block;
}

static void on_free(png_structp png, png_voidp block)
{
    (void)png;
    free(block);
}

static void on_error(png_structp png, png_const_charp message)
{
    struct stream *stream = png_get_error_ptr(png);
    if (stream->status == TW_OK && stream->starved)
        stream->status = tw_error_set(stream->err, TW_MEMORY, "out of memory");
    if (stream->status == TW_OK)
        stream->status = tw_error_set(stream->err, TW_INPUT, "damaged PNG: %s", message);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

/* libpng reads the 8 bytes before a chunk in one call, then allocates as many bytes as they claim
 * before reading them; its own limit only warns. So the claim is checked here. */
static void on_read(png_structp png, png_bytep to, size_t length)
{
    struct stream *stream = png_get_io_ptr(png);
    if (length > stream->source->length - stream->at ||
        !stream->source->read(stream->source->context, to, length))
        png_error(png, "the file ends too early");
    stream->at += length;
    if (stream->at != stream->next_chunk + TW_PNG_CHUNK_HEAD || length != TW_PNG_CHUNK_HEAD)
        return;
    uint64_t claimed = (uint64_t)to[0] << 24 | (uint64_t)to[1] << 16 | (uint64_t)to[2] << 8 | to[3];
    if (claimed + TW_PNG_CHUNK_SUM > stream->source->length - stream->at)
        png_error(png, "the file ends too early");
    stream->next_chunk = stream->at + claimed + TW_PNG_CHUNK_SUM;
}

/* Ends the decoding with a status whose error is already set. */
static void check(png_structp png, struct stream *stream, enum tw_status status)
{
    stream->status = status;
    if (status != TW_OK)
        png_error(png, "refused");
}

static enum tw_status give_row(const struct stream *stream, const struct tw_file_facts *facts,
                               int bits, int32_t y, const unsigned char *row)
{
    if (facts->type == TW_IMAGE && bits == 8)
        return stream->sink->row(stream->sink->context, y, row, stream->err);
    const size_t count = (size_t)facts->width * (facts->type == TW_IMAGE ? 3 : 1);
    for (size_t i = 0; i < count; i++)
        stream->cells[i] = bits == 8 ? (float)row[i] / 255.0f
                                     : (float)(row[2 * i] << 8 | row[2 * i + 1]) / 65535.0f;
    return tw_codec_give_row(stream->sink, facts, y, stream->cells, stream->err);
}

static void give_rows(png_structp png, struct stream *stream, const struct tw_file_facts *facts,
                      int bits)
{
    for (int32_t y = 0; y < facts->height; y++) {
        unsigned char *row = stream->rows ? stream->rows[y] : stream->bytes;
        if (!stream->rows)
            png_read_row(png, row, NULL);
        check(png, stream, give_row(stream, facts, bits, y, row));
    }
}

/* Sets libpng's conversion of rows, and returns their resulting type: RGB or grey without
 * transparency, of 8 or 16 bits. */
static enum tw_type choose_rows(png_structp png, png_infop info)
{
    const int colour = png_get_color_type(png, info);
    if (colour == PNG_COLOR_TYPE_PALETTE)
        png_set_palette_to_rgb(png);
    else if (colour == PNG_COLOR_TYPE_GRAY && png_get_bit_depth(png, info) < 8)
        png_set_expand_gray_1_2_4_to_8(png);
    png_set_strip_alpha(png);
    png_set_interlace_handling(png);
    return colour & PNG_COLOR_MASK_COLOR ? TW_IMAGE : TW_HEIGHTMAP;
}

/* The passes of an interlaced picture fill in all its rows gradually. */
static void read_interlaced(png_structp png, struct stream *stream, size_t row_bytes,
                            int32_t height)
{
    stream->rows = calloc((size_t)height, sizeof *stream->rows);
    if (!stream->rows) {
        check(png, stream, tw_error_set(stream->err, TW_MEMORY, "out of memory"));
        return;
    }
    for (int32_t y = 0; y < height; y++)
        stream->rows[y] = stream->bytes + (size_t)y * row_bytes;
    png_read_image(png, stream->rows);
}

static void decode(png_structp png, png_infop info, struct stream *stream)
{
    png_set_read_fn(png, stream, on_read);
    png_set_user_limits(png, TW_SIDE_MAX, TW_SIDE_MAX);
    png_read_info(png, info);
    png_uint_32 width = png_get_image_width(png, info), height = png_get_image_height(png, info);
    unsigned bits = (unsigned)png_get_bit_depth(png, info) * png_get_channels(png, info);
    check(png, stream,
          tw_png_check_ratio(width, height, bits, stream->source->length, stream->err));
    const bool interlaced = png_get_interlace_type(png, info) != PNG_INTERLACE_NONE;
    const enum tw_type type = choose_rows(png, info);
    png_read_update_info(png, info);
    const int depth = png_get_bit_depth(png, info);
    const struct tw_file_facts facts = {.type = type,
                                        .width = (int32_t)width,
                                        .height = (int32_t)height,
                                        .deep = type == TW_IMAGE && depth == 16};
    const size_t samples = (size_t)width * (type == TW_IMAGE ? 3 : 1);
    const size_t row_bytes = png_get_rowbytes(png, info);
    if (row_bytes != samples * (size_t)(depth / 8))
        png_error(png, "rows of another length than the width");
    check(png, stream, stream->sink->begin(stream->sink->context, &facts, stream->err));
    stream->bytes = calloc(interlaced ? (size_t)height : 1, row_bytes);
    stream->cells = calloc(samples, sizeof *stream->cells);
    if (!stream->bytes || !stream->cells)
        check(png, stream, tw_error_set(stream->err, TW_MEMORY, "out of memory"));
    if (interlaced)
        read_interlaced(png, stream, row_bytes, facts.height);
    give_rows(png, stream, &facts, depth);
    png_read_end(png, NULL);
}

enum tw_status tw_png_read(const struct tw_byte_source *source, const struct tw_row_sink *sink,
                           struct tw_error *err)
{
    struct stream stream = {
        .source = source, .sink = sink, .err = err, .next_chunk = TW_PNG_SIGNATURE};
    png_structp png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &stream, on_error, on_warning,
                                               &stream, on_alloc, on_free);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info)
        stream.status = tw_error_set(err, TW_MEMORY, "out of memory");
    else if (setjmp(png_jmpbuf(png)) == 0)
        decode(png, info, &stream);
    png_destroy_read_struct(&png, &info, NULL);
    free(stream.bytes);
    free(stream.rows);
    free(stream.cells);
    return stream.status;
}
