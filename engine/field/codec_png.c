/* SPDX-License-Identifier: MIT */
/* Grey and colour PNG by libpng's row interface; the only file that knows libpng. libpng reports
 * by longjmp, so each direction has one function that sets the jump and owns nothing else. */
#include "field/format.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

struct stream {
    const unsigned char *data; /* reading */
    size_t length, at;
    struct tw_bytes *out; /* writing */
    struct tw_error *err;
    enum tw_status status;
    struct tw_value *value;
    unsigned char *row;
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

static void on_read(png_structp png, png_bytep to, size_t length)
{
    struct stream *stream = png_get_io_ptr(png);
    if (length > stream->length - stream->at)
        png_error(png, "the file ends too early");
    memcpy(to, stream->data + stream->at, length);
    stream->at += length;
}

static void on_write(png_structp png, png_bytep from, size_t length)
{
    struct stream *stream = png_get_io_ptr(png);
    if (stream->out->stop && atomic_load(stream->out->stop)) {
        stream->status = tw_error_set(stream->err, TW_CANCELLED, "stopped");
        png_error(png, "stopped");
    }
    stream->status = tw_bytes_append(stream->out, from, length, stream->err);
    if (stream->status != TW_OK)
        png_error(png, "out of memory");
}

static void on_flush(png_structp png) { (void)png; }

static void refuse(png_structp png, struct stream *stream, const char *what)
{
    stream->status = tw_error_set(stream->err, TW_INPUT,
                                  "the PNG %s; we read grey of up to 16 bits and colour", what);
    png_error(png, "refused");
}

static void decode_grey(png_structp png, struct stream *stream, int bits)
{
    struct tw_value *value = stream->value;
    for (int32_t y = 0; y < value->height; y++) {
        float *cells = tw_floats(value) + (size_t)y * (size_t)value->width;
        png_read_row(png, stream->row, NULL);
        for (int32_t x = 0; x < value->width; x++) {
            const unsigned char *at = stream->row + (size_t)x * (size_t)(bits / 8);
            cells[x] = bits == 8 ? (float)at[0] / 255.0f : (float)(at[0] << 8 | at[1]) / 65535.0f;
        }
    }
}

static void decode_colour(png_structp png, struct stream *stream)
{
    struct tw_value *value = stream->value;
    for (int32_t y = 0; y < value->height; y++)
        png_read_row(png, tw_pixels(value) + 3 * (size_t)y * (size_t)value->width, NULL);
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

static void decode(png_structp png, png_infop info, struct stream *stream)
{
    png_set_read_fn(png, stream, on_read);
    png_set_user_limits(png, TW_SIDE_MAX, TW_SIDE_MAX);
    png_read_info(png, info);
    enum tw_type type = choose_rows(png, info, stream);
    png_read_update_info(png, info);
    stream->status = tw_field_alloc(stream->value, type, (int32_t)png_get_image_width(png, info),
                                    (int32_t)png_get_image_height(png, info), stream->err);
    if (stream->status != TW_OK)
        png_error(png, "refused");
    if (type == TW_IMAGE) {
        if (png_get_rowbytes(png, info) != 3 * (size_t)stream->value->width)
            refuse(png, stream, "has rows of another length than its width");
        decode_colour(png, stream);
    } else {
        stream->row = on_alloc(png, png_get_rowbytes(png, info));
        if (!stream->row)
            png_error(png, "out of memory");
        decode_grey(png, stream, png_get_bit_depth(png, info));
    }
    png_read_end(png, NULL);
}

/* Whether every chunk up to the end is within the file: libpng allocates as many bytes as a chunk
 * claims to have before it reads them, and its own limit on that is only a warning. */
static bool chunks_fit(const unsigned char *data, size_t length)
{
    for (size_t at = 8, chunk; at + 12 <= length; at += chunk + 12) {
        chunk = (size_t)data[at] << 24 | (size_t)data[at + 1] << 16 | (size_t)data[at + 2] << 8 |
                data[at + 3];
        if (chunk > length - at - 12)
            return false;
        if (memcmp(data + at + 4, "IEND", 4) == 0)
            return true;
    }
    return true;
}

enum tw_status tw_png_decode(const unsigned char *data, size_t length, struct tw_value *out,
                             struct tw_error *err)
{
    struct stream stream = {.data = data, .length = length, .err = err, .value = out};
    *out = (struct tw_value){.type = TW_HEIGHTMAP};
    if (!chunks_fit(data, length))
        return tw_error_set(err, TW_INPUT, "damaged PNG: the file ends too early");
    png_structp png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &stream, on_error, on_warning,
                                               &stream, on_alloc, on_free);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info)
        stream.status = tw_error_set(err, TW_MEMORY, "out of memory");
    else if (setjmp(png_jmpbuf(png)) == 0)
        decode(png, info, &stream);
    png_destroy_read_struct(&png, &info, NULL);
    free(stream.row);
    if (stream.status != TW_OK)
        tw_field_clear(out);
    return stream.status;
}

static int32_t read_side(const unsigned char *at)
{
    uint32_t side = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
    return side <= TW_SIDE_MAX ? (int32_t)side : 0;
}

static enum tw_status probe(const struct tw_codec_head *head, struct tw_file_facts *facts,
                            struct tw_error *err)
{
    enum { WIDTH = 16, HEIGHT = 20, COLOUR = 25, END = 33 }; /* the first chunk, IHDR */
    if (head->length < END || memcmp(head->at + 8, "\0\0\0\rIHDR", 8) != 0)
        return tw_error_set(err, TW_INPUT, "damaged PNG: the file ends too early");
    int32_t width = read_side(head->at + WIDTH), height = read_side(head->at + HEIGHT);
    bool is_grey = (head->at[COLOUR] & PNG_COLOR_MASK_COLOR) == 0;
    if (width == 0 || height == 0)
        return tw_error_set(err, TW_INPUT, "damaged PNG: sides that are not 1 to %d", TW_SIDE_MAX);
    *facts = (struct tw_file_facts){is_grey ? TW_HEIGHTMAP : TW_IMAGE, width, height};
    return TW_OK;
}

static void encode(png_structp png, png_infop info, struct stream *stream,
                   const struct tw_value *value, const struct tw_export_range *range)
{
    bool colour = value->type == TW_IMAGE;
    png_set_write_fn(png, stream, on_write, on_flush);
    png_set_compression_level(png, 1);
    png_set_filter(png, 0, PNG_FILTER_UP);
    png_set_IHDR(png, info, (png_uint_32)value->width, (png_uint_32)value->height,
                 colour ? 8 : range->bits, colour ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_GRAY,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    stream->row = on_alloc(png, (size_t)value->width * 3);
    if (!stream->row)
        png_error(png, "out of memory");
    for (int32_t y = 0; y < value->height; y++) {
        size_t row = (size_t)value->width * 3;
        if (colour)
            memcpy(stream->row, tw_pixels(value) + (size_t)y * row, row);
        else if (!tw_codec_levels(value, y, range, stream->row)) {
            stream->status = tw_codec_outside(value, range, stream->err);
            png_error(png, "refused");
        }
        png_write_row(png, stream->row);
    }
    png_write_end(png, NULL);
}

enum tw_status tw_png_encode(const struct tw_value *value, const struct tw_export_range *range,
                             struct tw_bytes *out, struct tw_error *err)
{
    struct stream stream = {.out = out, .err = err};
    png_structp png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &stream, on_error,
                                                on_warning, &stream, on_alloc, on_free);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info)
        stream.status = tw_error_set(err, TW_MEMORY, "out of memory");
    else if (setjmp(png_jmpbuf(png)) == 0)
        encode(png, info, &stream, value, range);
    png_destroy_write_struct(&png, &info);
    free(stream.row);
    return stream.status;
}

struct options {
    int32_t bits;
};
enum { BITS_8, BITS_16 };
static const struct tw_param options[] = {
    TW_PARAM_ENUM(struct options, bits, BITS_16, "8|16", "bits per grey level"),
    TW_PARAM_END,
};

static enum tw_status encode_file(const struct tw_encoding *encoding, struct tw_bytes *out,
                                  struct tw_error *err)
{
    const struct options *o = encoding->options;
    const struct tw_export_range range = {encoding->range.low, encoding->range.high,
                                          encoding->range.clip, o->bits == BITS_8 ? 8 : 16};
    return tw_png_encode(encoding->values[0], &range, out, err);
}

extern const struct tw_format tw_format_png;
const struct tw_format tw_format_png = {
    .ending = ".png",
    .help = "grey, 16 bit (`bits: 8` for 8); images are 8-bit colour",
    .types = TW_HEIGHTS | TW_TYPE_BIT(TW_IMAGE),
    .ranged = true,
    .options = options,
    .options_size = sizeof(struct options),
    .encode = encode_file,
    .magic = "\x89PNG\r\n\x1a\n",
    .magic_length = 8,
    .decode = tw_png_decode,
    .probe = probe,
};
