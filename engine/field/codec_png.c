/* SPDX-License-Identifier: MIT */
/* Grey and colour PNG by libpng's row interface; the only file that knows libpng. libpng reports
 * by longjmp, so each direction has one function that sets the jump and owns nothing else. */
#include "field/notes.h"

#include <inttypes.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

enum { SIGNATURE = 8, CHUNK_HEAD = 8, CHUNK_SUM = 4 }; /* bytes */

struct stream {
    const struct tw_byte_source *source; /* reading */
    const struct tw_row_sink *sink;
    uint64_t at, next_chunk; /* bytes read; where the next chunk begins */
    struct tw_bytes *out;    /* writing */
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
    if (stream->at != stream->next_chunk + CHUNK_HEAD || length != CHUNK_HEAD)
        return;
    uint64_t claimed = (uint64_t)to[0] << 24 | (uint64_t)to[1] << 16 | (uint64_t)to[2] << 8 | to[3];
    if (claimed + CHUNK_SUM > stream->source->length - stream->at)
        png_error(png, "the file ends too early");
    stream->next_chunk = stream->at + claimed + CHUNK_SUM;
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

/* Deflate makes at most 258 bytes of 2 bits (RFC 1951): a file that says it holds more than its
 * length allows is not read, and nothing is allocated for it. */
static bool is_plausible(uint64_t width, uint64_t height, uint64_t bits, uint64_t length)
{
    const uint64_t ratio_max = 1032;
    uint64_t bytes = height * ((width * bits + 7) / 8 + 1);
    return bytes / ratio_max <= length;
}

static enum tw_status refuse_ratio(uint64_t width, uint64_t height, uint64_t length,
                                   struct tw_error *err)
{
    return tw_error_set(err, TW_INPUT,
                        "damaged PNG: %" PRIu64 " bytes cannot hold %" PRIu64 " x %" PRIu64
                        " pixels",
                        length, width, height);
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
    if (!is_plausible(width, height, bits, stream->source->length))
        check(png, stream, refuse_ratio(width, height, stream->source->length, stream->err));
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
    struct stream stream = {.source = source, .sink = sink, .err = err, .next_chunk = SIGNATURE};
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

enum tw_status tw_png_decode(const unsigned char *data, size_t length, struct tw_value *out,
                             struct tw_error *err)
{
    return tw_codec_decode(tw_png_read, data, length, NULL, out, err);
}

static int32_t read_side(const unsigned char *at)
{
    uint32_t side = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
    return side <= TW_SIDE_MAX ? (int32_t)side : 0;
}

/* Samples a pixel. */
static uint64_t channels_of(unsigned colour)
{
    if (colour == PNG_COLOR_TYPE_PALETTE || !(colour & PNG_COLOR_MASK_COLOR))
        return colour & PNG_COLOR_MASK_ALPHA ? 2 : 1;
    return colour & PNG_COLOR_MASK_ALPHA ? 4 : 3;
}

static enum tw_status probe(const struct tw_codec_head *head, struct tw_file_facts *facts,
                            struct tw_error *err)
{
    enum { WIDTH = 16, HEIGHT = 20, BITS = 24, COLOUR = 25, END = 33 }; /* the first chunk, IHDR */
    if (head->length < END || memcmp(head->at + 8, "\0\0\0\rIHDR", 8) != 0)
        return tw_error_set(err, TW_INPUT, "damaged PNG: the file ends too early");
    int32_t width = read_side(head->at + WIDTH), height = read_side(head->at + HEIGHT);
    bool is_grey = (head->at[COLOUR] & PNG_COLOR_MASK_COLOR) == 0;
    if (width == 0 || height == 0)
        return tw_error_set(err, TW_INPUT, "damaged PNG: sides that are not 1 to %d", TW_SIDE_MAX);
    uint64_t bits = (uint64_t)head->at[BITS] * channels_of(head->at[COLOUR]);
    if (!is_plausible((uint64_t)width, (uint64_t)height, bits, head->file_length))
        return refuse_ratio((uint64_t)width, (uint64_t)height, head->file_length, err);
    *facts = (struct tw_file_facts){
        .type = is_grey ? TW_HEIGHTMAP : TW_IMAGE, .width = width, .height = height};
    return TW_OK;
}

static size_t chunk_length(const unsigned char *at)
{
    return (size_t)at[0] << 24 | (size_t)at[1] << 16 | (size_t)at[2] << 8 | at[3];
}

/* Chunk by chunk: length, type, data, sum. A text is its name, a zero, and the rest. */
static void read_notes(const unsigned char *data, size_t length, struct tw_notes *notes)
{
    size_t at = SIGNATURE;
    while (at < length && length - at >= CHUNK_HEAD + CHUNK_SUM) {
        size_t size = chunk_length(data + at);
        if (size > length - at - CHUNK_HEAD - CHUNK_SUM)
            return;
        const char *text = (const char *)data + at + CHUNK_HEAD;
        const char *end = memchr(text, 0, size);
        if (memcmp(data + at + 4, "tEXt", 4) == 0 && end)
            tw_notes_keep(notes, text, (size_t)(end - text), end + 1,
                          size - (size_t)(end - text) - 1);
        at += CHUNK_HEAD + size + CHUNK_SUM;
    }
}

static int colour_type(int channels)
{
    return channels == 1   ? PNG_COLOR_TYPE_GRAY
           : channels == 3 ? PNG_COLOR_TYPE_RGB
                           : PNG_COLOR_TYPE_RGB_ALPHA;
}

/* libpng copies them, and asks for them unguarded. */
static void set_texts(png_structp png, png_infop info, const struct tw_png_rows *rows)
{
    png_text texts[TW_PNG_TEXTS_MAX] = {0};
    struct tw_png_text copies[TW_PNG_TEXTS_MAX];
    memcpy(copies, rows->texts, sizeof copies);
    for (int i = 0; i < rows->text_count; i++) {
        texts[i].compression = PNG_TEXT_COMPRESSION_NONE;
        texts[i].key = copies[i].name;
        texts[i].text = copies[i].text;
        texts[i].text_length = strlen(copies[i].text);
    }
    if (rows->text_count > 0)
        png_set_text(png, info, texts, rows->text_count);
}

static void encode(png_structp png, png_infop info, struct stream *stream,
                   const struct tw_png_rows *rows)
{
    png_set_write_fn(png, stream, on_write, on_flush);
    png_set_compression_level(png, rows->level > 0 ? rows->level : 1);
    png_set_filter(png, 0, PNG_FILTER_UP);
    png_set_IHDR(png, info, (png_uint_32)rows->width, (png_uint_32)rows->height, rows->bits,
                 colour_type(rows->channels), PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    set_texts(png, info, rows);
    png_write_info(png, info);
    stream->row = on_alloc(png, (size_t)rows->width * 4);
    if (!stream->row)
        png_error(png, "out of memory");
    for (int32_t y = 0; y < rows->height; y++) {
        if (!rows->fill(rows->context, y, stream->row)) {
            stream->status = TW_NODE;
            png_error(png, "refused");
        }
        png_write_row(png, stream->row);
    }
    png_write_end(png, NULL);
}

enum tw_status tw_png_encode_rows(const struct tw_png_rows *rows, struct tw_bytes *out,
                                  struct tw_error *err)
{
    struct stream stream = {.out = out, .err = err};
    png_structp png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &stream, on_error,
                                                on_warning, &stream, on_alloc, on_free);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info)
        stream.status = tw_error_set(err, TW_MEMORY, "out of memory");
    else if (setjmp(png_jmpbuf(png)) == 0)
        encode(png, info, &stream, rows);
    png_destroy_write_struct(&png, &info);
    free(stream.row);
    return stream.status;
}

/* What a value's rows are written from. */
struct source {
    const struct tw_value *value;
    const struct tw_export_range *range;
};

static bool fill_colours(void *context, int32_t y, unsigned char *row)
{
    const struct tw_value *value = ((const struct source *)context)->value;
    size_t length = (size_t)value->width * 3;
    memcpy(row, tw_pixels(value) + (size_t)y * length, length);
    return true;
}

static bool fill_levels(void *context, int32_t y, unsigned char *row)
{
    const struct source *source = context;
    return tw_codec_levels(source->value, y, source->range, row);
}

static enum tw_status encode_value(const struct tw_value *value,
                                   const struct tw_export_range *range,
                                   const struct tw_notes *notes, struct tw_bytes *out,
                                   struct tw_error *err)
{
    bool colour = value->type == TW_IMAGE;
    struct source source = {value, range};
    struct tw_png_rows rows = {.width = value->width,
                               .height = value->height,
                               .channels = colour ? 3 : 1,
                               .bits = colour ? 8 : range->bits,
                               .fill = colour ? fill_colours : fill_levels,
                               .context = &source};
    tw_notes_to_png(notes, &rows);
    enum tw_status status = tw_png_encode_rows(&rows, out, err);
    return status == TW_NODE ? tw_codec_outside(value, range, err) : status;
}

enum tw_status tw_png_encode(const struct tw_value *value, const struct tw_export_range *range,
                             struct tw_bytes *out, struct tw_error *err)
{
    const struct tw_notes none = {.count = 0};
    return encode_value(value, range, &none, out, err);
}

struct options {
    int32_t bits;
};
enum { BITS_8, BITS_16 };
static const struct tw_param options[] = {
    TW_PARAM_ENUM(struct options, bits, BITS_16, "8|16", "bits per grey level"),
    TW_PARAM_END,
};

static struct tw_export_range range_of(const struct tw_encoding *encoding)
{
    const struct options *o = encoding->options;
    return (struct tw_export_range){encoding->range.low, encoding->range.high, encoding->range.clip,
                                    o->bits == BITS_8 ? 8 : 16};
}

static bool reread(const struct tw_encoding *encoding, int32_t y, void *row)
{
    const struct tw_value *value = encoding->values[0];
    const struct tw_export_range range = range_of(encoding);
    return value->type == TW_IMAGE ? fill_colours(&(struct source){value, NULL}, y, row)
                                   : tw_codec_reread_levels(value, y, &range, row);
}

extern const struct tw_format tw_format_png;
static enum tw_status encode_file(const struct tw_encoding *encoding, struct tw_bytes *out,
                                  struct tw_error *err)
{
    const struct tw_export_range range = range_of(encoding);
    struct tw_notes notes;
    enum tw_status status = tw_notes_make(&tw_format_png, encoding, &notes, err);
    return status == TW_OK ? encode_value(encoding->values[0], &range, &notes, out, err) : status;
}

const struct tw_format tw_format_png = {
    .ending = ".png",
    .help = "grey, 16 bit (`bits: 8` for 8); images are 8-bit colour",
    .types = TW_HEIGHTS | TW_TYPE_BIT(TW_IMAGE),
    .ranged = true,
    .options = options,
    .options_size = sizeof(struct options),
    .noted = true,
    .encode = encode_file,
    .reread = reread,
    .read_notes = read_notes,
    .magic = "\x89PNG\r\n\x1a\n",
    .magic_length = 8,
    .decode = tw_png_decode,
    .read_rows = tw_png_read,
    .probe = probe,
};
