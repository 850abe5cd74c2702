/* SPDX-License-Identifier: MIT */
/* Reads grey and colour PNG by libpng's row interface; the only file that knows libpng. libpng
 * reports by longjmp, so one function sets the jump and owns nothing else. */
#include "field/png_private.h"

#include <png.h>
#include <stdlib.h>

struct stream {
    const struct tw_byte_source *source;
    const struct tw_row_sink *sink;
    uint64_t at, next_chunk; /* bytes read; where the next chunk begins */
    struct tw_error *err;
    enum tw_status status;
    unsigned char *row;
    float *cells; /* of a row */
    bool starved; /* libpng asked for memory that there was not */
};

/* libpng reports this as a damaged file: remember what it was. */
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

/* libpng asks for the 8 bytes before a chunk at once. It allocates as many bytes as they claim
 * before it reads them, and its own limit on that is only a warning. */
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

static void refuse(png_structp png, struct stream *stream, const char *what)
{
    stream->status = tw_error_set(stream->err, TW_INPUT,
                                  "the PNG %s; we read grey of up to 16 bits and colour", what);
    png_error(png, "refused");
}

static enum tw_status give_rows(png_structp png, struct stream *stream,
                                const struct tw_file_facts *facts, int bits)
{
    enum tw_status status = TW_OK;
    for (int32_t y = 0; status == TW_OK && y < facts->height; y++) {
        png_read_row(png, stream->row, NULL);
        if (facts->type == TW_IMAGE) {
            status = stream->sink->row(stream->sink->context, y, stream->row, stream->err);
            continue;
        }
        for (int32_t x = 0; x < facts->width; x++) {
            const unsigned char *at = stream->row + (size_t)x * (size_t)(bits / 8);
            stream->cells[x] =
                bits == 8 ? (float)at[0] / 255.0f : (float)(at[0] << 8 | at[1]) / 65535.0f;
        }
        status = stream->sink->row(stream->sink->context, y, stream->cells, stream->err);
    }
    return status;
}

/* Sets how libpng converts the rows, and returns the type that they have then: colour of any kind
 * becomes 8-bit RGB without transparency, grey has 8 or 16 bits. */
static enum tw_type choose_rows(png_structp png, png_infop info, struct stream *stream)
{
    int colour = png_get_color_type(png, info), bits = png_get_bit_depth(png, info);
    if (png_get_interlace_type(png, info) != PNG_INTERLACE_NONE)
        refuse(png, stream, "is interlaced");
    if (colour == PNG_COLOR_TYPE_GRAY_ALPHA)
        refuse(png, stream, "is grey with transparency");
    if (colour == PNG_COLOR_TYPE_GRAY) {
        if (bits < 8)
            png_set_expand_gray_1_2_4_to_8(png);
        return TW_HEIGHTMAP;
    }
    if (colour == PNG_COLOR_TYPE_PALETTE)
        png_set_palette_to_rgb(png);
    if (bits == 16)
        png_set_scale_16(png);
    png_set_strip_alpha(png);
    return TW_IMAGE;
}

/* Ends the decoding with the status of what was called, which set the error. */
static void check(png_structp png, struct stream *stream, enum tw_status status)
{
    stream->status = status;
    if (status != TW_OK)
        png_error(png, "refused");
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
    enum tw_type type = choose_rows(png, info, stream);
    const struct tw_file_facts facts = {
        .type = type, .width = (int32_t)width, .height = (int32_t)height};
    png_read_update_info(png, info);
    if (type == TW_IMAGE && png_get_rowbytes(png, info) != 3 * (size_t)width)
        refuse(png, stream, "has rows of another length than its width");
    check(png, stream, stream->sink->begin(stream->sink->context, &facts, stream->err));
    stream->row = on_alloc(png, png_get_rowbytes(png, info));
    stream->cells = on_alloc(png, (size_t)width * sizeof *stream->cells);
    if (!stream->row || !stream->cells)
        png_error(png, "out of memory");
    check(png, stream, give_rows(png, stream, &facts, png_get_bit_depth(png, info)));
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
    free(stream.row);
    free(stream.cells);
    return stream.status;
}
