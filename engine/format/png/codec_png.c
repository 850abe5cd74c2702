/* SPDX-License-Identifier: MIT */
/* Grey and colour PNG as a format: interprets headers, and converts values to rows. */
#include "format/png/png_private.h"

#include "format/notes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Offsets in a file, whose first chunk is IHDR. */
enum { WIDTH = 16, HEIGHT = 20, BITS = 24, COLOUR = 25, INTERLACE = 28, END = 33 };

/* Bits of the byte that gives the colour type. */
enum { COLOUR_BIT = 2, PALETTE = 3, ALPHA_BIT = 4 };

/* Deflate expands 2 bits to at most 258 bytes (RFC 1951). */
enum tw_status tw_png_check_ratio(uint64_t width, uint64_t height, uint64_t bits, uint64_t length,
                                  struct tw_error *err)
{
    const uint64_t ratio_max = 1032;
    uint64_t bytes = height * ((width * bits + 7) / 8 + 1);
    if (bytes / ratio_max <= length)
        return TW_OK;
    return tw_error_set(err, TW_INPUT,
                        "damaged PNG: %" PRIu64 " bytes cannot hold %" PRIu64 " x %" PRIu64
                        " pixels",
                        length, width, height);
}

enum tw_status tw_png_decode(const unsigned char *data, size_t length, struct tw_value *out,
                             struct tw_error *err)
{
    return tw_codec_decode(tw_png_read, data, length, NULL, TW_NO_WISH, out, err);
}

static int32_t read_side(const unsigned char *at)
{
    uint32_t side = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
    return side <= TW_SIDE_MAX ? (int32_t)side : 0;
}

/* Returns the samples per pixel. */
static uint64_t channels_of(unsigned colour)
{
    if (colour == PALETTE || !(colour & COLOUR_BIT))
        return colour & ALPHA_BIT ? 2 : 1;
    return colour & ALPHA_BIT ? 4 : 3;
}

static enum tw_status probe(const struct tw_codec_head *head, struct tw_file_facts *facts,
                            struct tw_error *err)
{
    if (head->length < END || memcmp(head->at + 8, "\0\0\0\rIHDR", 8) != 0)
        return tw_error_set(err, TW_INPUT, "damaged PNG: the file ends too early");
    int32_t width = read_side(head->at + WIDTH), height = read_side(head->at + HEIGHT);
    bool is_grey = (head->at[COLOUR] & COLOUR_BIT) == 0;
    if (width == 0 || height == 0)
        return tw_error_set(err, TW_INPUT, "damaged PNG: sides that are not 1 to %d", TW_SIDE_MAX);
    uint64_t bits = (uint64_t)head->at[BITS] * channels_of(head->at[COLOUR]);
    enum tw_status status =
        tw_png_check_ratio((uint64_t)width, (uint64_t)height, bits, head->file_length, err);
    if (status != TW_OK)
        return status;
    *facts = (struct tw_file_facts){.type = is_grey ? TW_HEIGHTMAP : TW_IMAGE,
                                    .width = width,
                                    .height = height,
                                    .deep = !is_grey && head->at[BITS] == 16};
    return TW_OK;
}

/* An interlaced picture keeps all rows in memory until the first is complete. */
static bool has_rows(const struct tw_codec_head *head, uint64_t *held)
{
    struct tw_file_facts facts = {0};
    struct tw_error ignored;
    if (probe(head, &facts, &ignored) != TW_OK)
        return false;
    const uint64_t samples = facts.type == TW_IMAGE ? 3 : 1, bytes = head->at[BITS] == 16 ? 2 : 1;
    if (head->at[INTERLACE])
        *held = (uint64_t)facts.height * ((uint64_t)facts.width * samples * bytes + sizeof(void *));
    return true;
}

static size_t chunk_length(const unsigned char *at)
{
    return (size_t)at[0] << 24 | (size_t)at[1] << 16 | (size_t)at[2] << 8 | at[3];
}

/* Walks the chunks: length, type, data, sum. A text is its name, a zero, and the rest. */
static void read_notes(const unsigned char *data, size_t length, struct tw_notes *notes)
{
    size_t at = TW_PNG_SIGNATURE;
    while (at < length && length - at >= TW_PNG_CHUNK_HEAD + TW_PNG_CHUNK_SUM) {
        size_t size = chunk_length(data + at);
        if (size > length - at - TW_PNG_CHUNK_HEAD - TW_PNG_CHUNK_SUM)
            return;
        const char *text = (const char *)data + at + TW_PNG_CHUNK_HEAD;
        const char *end = memchr(text, 0, size);
        if (memcmp(data + at + 4, "tEXt", 4) == 0 && end)
            tw_notes_keep(notes, text, (size_t)(end - text), end + 1,
                          size - (size_t)(end - text) - 1);
        at += TW_PNG_CHUNK_HEAD + size + TW_PNG_CHUNK_SUM;
    }
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

static bool fill_colours(const struct tw_value *value, int32_t y, unsigned char *row)
{
    size_t length = (size_t)value->width * 3;
    memcpy(row, tw_pixels(value) + (size_t)y * length, length);
    return true;
}

bool tw_png_fill(const struct tw_encoding *encoding, int32_t y, unsigned char *row)
{
    const struct tw_value *value = encoding->values[0];
    const struct tw_export_range range = range_of(encoding);
    return value->type == TW_IMAGE ? fill_colours(value, y, row)
                                   : tw_codec_quantise(value, y, &range, row);
}

enum tw_status tw_png_outside(const struct tw_encoding *encoding, struct tw_error *err)
{
    const struct tw_export_range range = range_of(encoding);
    return tw_codec_outside(encoding->values[0], &range, err);
}

static bool reread(const struct tw_encoding *encoding, int32_t y, void *row)
{
    const struct tw_value *value = encoding->values[0];
    const struct tw_export_range range = range_of(encoding);
    return value->type == TW_IMAGE ? fill_colours(value, y, row)
                                   : tw_codec_requantise(value, y, &range, row);
}

extern const struct tw_format tw_format_png;
void tw_png_describe(const struct tw_encoding *encoding, const struct tw_sha256 *content,
                     struct tw_png_rows *rows)
{
    const struct tw_value *value = encoding->values[0];
    const bool colour = value->type == TW_IMAGE;
    struct tw_notes notes;
    tw_notes_fill(&tw_format_png, encoding, content, &notes);
    *rows = (struct tw_png_rows){.width = value->width,
                                 .height = value->height,
                                 .channels = colour ? 3 : 1,
                                 .bits = colour ? 8 : range_of(encoding).bits,
                                 .workers = encoding->workers};
    tw_notes_to_png(&notes, rows);
}

/* One note in the header is the digest of all rows as a reader gets them. It is computed while the
 * rows are packed, and the header is then written again. */
struct encoder {
    const struct tw_encoding *encoding;
    struct tw_sha256_state state;
    void *row; /* NULL: no digest */
};

static bool fill_row(void *context, int32_t y, unsigned char *row)
{
    return tw_png_fill(((const struct encoder *)context)->encoding, y, row);
}

/* If stopped, packing stops too, and the file is discarded. */
static bool digest_rows(void *context, int32_t begin, int32_t end)
{
    struct encoder *encoder = context;
    const struct tw_value *value = encoder->encoding->values[0];
    const struct tw_value row = {value->type == TW_IMAGE ? TW_IMAGE : TW_HEIGHTMAP, value->width, 1,
                                 encoder->row};
    for (int32_t y = begin; y < end && tw_codec_poll(encoder->encoding, NULL) == TW_OK; y++) {
        if (!reread(encoder->encoding, y, encoder->row))
            return false;
        tw_field_sha256_add(&encoder->state, &row);
    }
    return true;
}

static enum tw_status rewrite_head(const struct tw_encoding *encoding,
                                   const struct tw_sha256 *digest, uint64_t at,
                                   struct tw_bytes *out, struct tw_error *err)
{
    struct tw_png_rows rows;
    struct tw_bytes head = {0};
    tw_png_describe(encoding, digest, &rows);
    enum tw_status status = tw_png_head(&rows, &head, err);
    if (status == TW_OK)
        status = tw_bytes_write_at(out, at, head.at, head.length, err);
    free(head.at);
    return status;
}

static enum tw_status encode(struct tw_encoding encoding, struct tw_bytes *out,
                             struct tw_error *err)
{
    const struct tw_value *value = encoding.values[0];
    const enum tw_type type = value->type == TW_IMAGE ? TW_IMAGE : TW_HEIGHTMAP;
    const uint64_t at = tw_bytes_end(out);
    struct encoder encoder = {.encoding = &encoding};
    struct tw_sha256 digest = {{0}};
    struct tw_png_rows rows;
    tw_png_describe(&encoding, &digest, &rows);
    rows.fill = fill_row;
    rows.context = &encoder;
    if (encoding.provenance) {
        encoder.row = malloc((size_t)value->width * tw_type_size(type));
        if (!encoder.row)
            return tw_error_set(err, TW_MEMORY, "out of memory");
        tw_field_sha256_begin(&encoder.state, type, value->width, value->height);
        rows.pass = digest_rows;
    }
    enum tw_status status = tw_png_encode_rows(&rows, out, err);
    if (status == TW_OK && encoder.row) {
        digest = tw_sha256_end(&encoder.state);
        status = rewrite_head(&encoding, &digest, at, out, err);
    }
    free(encoder.row);
    return status == TW_NODE ? tw_png_outside(&encoding, err) : status;
}

static enum tw_status encode_file(const struct tw_encoding *encoding, struct tw_bytes *out,
                                  struct tw_error *err)
{
    return encode(*encoding, out, err);
}

static uint64_t bytes(const struct tw_encoding *encoding, int32_t threads)
{
    const struct tw_sha256 none = {{0}};
    struct tw_png_rows rows;
    tw_png_describe(encoding, &none, &rows);
    return tw_png_encode_bytes(&rows, threads);
}

enum tw_status tw_png_encode(const struct tw_value *value, const struct tw_export_range *range,
                             struct tw_bytes *out, struct tw_error *err)
{
    const struct options o = {range && range->bits == 8 ? BITS_8 : BITS_16};
    struct tw_encoding encoding = {.values = &value, .count = 1, .options = &o};
    if (range)
        encoding.range = (struct tw_range){range->low, range->high, .clip = range->clip};
    return encode(encoding, out, err);
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
    .bytes = bytes,
    .row_writer = &tw_png_row_writer,
    .reread = reread,
    .read_notes = read_notes,
    .magic = "\x89PNG\r\n\x1a\n",
    .magic_length = 8,
    .decode = tw_png_decode,
    .read_rows = tw_png_read,
    .has_rows = has_rows,
    .probe = probe,
};
