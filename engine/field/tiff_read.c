/* SPDX-License-Identifier: MIT */
/* TIFF of anybody: one channel of integers or floats, in strips or tiles. */
#include "field/tiff_stream.h"

#include "base/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_NO_DATA = 42113 }; /* GDAL's: a number as text */

struct layout {
    int32_t width, height;
    uint16_t bits, format, planes;
    bool tiled, has_no_data;
    double no_data;
};

/* What turns heights over or stands for colours, which a reader of heights must not pass over. */
static enum tw_status check_picture(TIFF *tiff, struct tw_error *err)
{
    uint16_t orientation = ORIENTATION_TOPLEFT, photometric = PHOTOMETRIC_MINISBLACK;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ORIENTATION, &orientation);
    TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &photometric);
    if (orientation != ORIENTATION_TOPLEFT)
        return tw_error_set(err, TW_INPUT,
                            "the .tif has orientation %d; expected 1, rows from north to south",
                            (int)orientation);
    if (photometric == PHOTOMETRIC_MINISWHITE || photometric == PHOTOMETRIC_PALETTE)
        return tw_error_set(err, TW_INPUT, "the .tif %s; expected 0 to be the lowest height",
                            photometric == PHOTOMETRIC_PALETTE ? "has a palette"
                                                               : "has 0 for white");
    return TW_OK;
}

/* A mask that says which cells count is a picture of its own, anywhere behind the heights. */
static enum tw_status check_mask(TIFF *tiff, const struct tw_tiff_stream *stream)
{
    const int pictures_max = 64; /* more than halve the sides of any map, each with a mask */
    uint32_t kind = 0;
    for (int i = 0; i < pictures_max && !(kind & FILETYPE_MASK) && TIFFReadDirectory(tiff); i++)
        TIFFGetFieldDefaulted(tiff, TIFFTAG_SUBFILETYPE, &kind);
    if (kind & FILETYPE_MASK)
        return tw_error_set(stream->err, TW_INPUT,
                            "the .tif has a mask of cells that count; expected heights everywhere: "
                            "gdal_fillnodata.py fills gaps, gdal_translate -mask none leaves the "
                            "mask out");
    return tw_tiff_end(stream, TIFFSetDirectory(tiff, 0), stream->err);
}

static enum tw_status check_layout(const struct layout *layout, struct tw_error *err)
{
    bool is_float = layout->format == SAMPLEFORMAT_IEEEFP;
    if (layout->planes != 1)
        return tw_error_set(err, TW_INPUT, "the .tif has %d channels; expected one",
                            (int)layout->planes);
    if (is_float ? layout->bits != 32 && layout->bits != 64
                 : layout->format > SAMPLEFORMAT_INT ||
                       (layout->bits != 8 && layout->bits != 16 && layout->bits != 32))
        return tw_error_set(err, TW_INPUT,
                            "a .tif of %d bits, sample format %d; expected floats of 32 or 64 "
                            "bits and integers of 8, 16 or 32",
                            (int)layout->bits, (int)layout->format);
    return TW_OK;
}

/* The least float takes 48 characters when it is written out. */
static bool read_no_data(TIFF *tiff, double *number)
{
    char text[64] = "";
    uint32_t count = 1;
    const char *at = tw_tiff_values(tiff, TAG_NO_DATA, TIFF_ASCII, &count);
    if (!at || count >= sizeof text)
        return false;
    memcpy(text, at, count);
    for (size_t length = strlen(text); length > 0 && text[length - 1] == ' ';)
        text[--length] = '\0'; /* some programs pad it */
    return tw_number_parse(text, number);
}

/* Bytes that a byte of the file can stand for, at most: runs of 128 by 2 bytes, strings of 4096 by
 * 12 bits, deflate as in PNG. Others have no such bound worth checking. */
static uint64_t ratio_of(uint16_t compression)
{
    switch (compression) {
    case COMPRESSION_NONE:
        return 1;
    case COMPRESSION_PACKBITS:
        return 64;
    case COMPRESSION_DEFLATE:
    case COMPRESSION_ADOBE_DEFLATE:
        return 1032;
    case COMPRESSION_LZW:
        return 2731;
    default:
        return UINT32_MAX;
    }
}

/* A small file that says it holds a large map is not read, and nothing is allocated for it. */
static enum tw_status check_length(TIFF *tiff, const struct layout *layout, uint64_t length,
                                   struct tw_error *err)
{
    uint16_t compression = COMPRESSION_NONE;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &compression);
    uint64_t bytes = (uint64_t)layout->width * (uint64_t)layout->height * (layout->bits / 8u);
    if (bytes / ratio_of(compression) <= length)
        return TW_OK;
    return tw_error_set(err, TW_INPUT, "damaged .tif: %" PRIu64 " bytes cannot hold %d x %d cells",
                        length, (int)layout->width, (int)layout->height);
}

static enum tw_status read_layout(TIFF *tiff, const struct tw_tiff_stream *stream, uint64_t length,
                                  struct layout *layout)
{
    struct tw_error *err = stream->err;
    uint32_t width = 0, height = 0;
    *layout = (struct layout){.planes = 1, .format = SAMPLEFORMAT_UINT};
    TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &layout->bits);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &layout->format);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &layout->planes);
    if (width < 1 || height < 1 || width > TW_SIDE_MAX || height > TW_SIDE_MAX)
        return tw_error_set(err, TW_INPUT, "the .tif has sides beyond 1 to %d", TW_SIDE_MAX);
    layout->width = (int32_t)width;
    layout->height = (int32_t)height;
    layout->tiled = TIFFIsTiled(tiff);
    layout->has_no_data = read_no_data(tiff, &layout->no_data);
    enum tw_status status = check_layout(layout, err);
    if (status == TW_OK)
        status = check_picture(tiff, err);
    if (status == TW_OK)
        status = tw_tiff_check_scale(tiff, err);
    if (status == TW_OK)
        status = tw_tiff_check_mirrored(tiff, err);
    if (status == TW_OK)
        status = check_length(tiff, layout, length, err);
    return status == TW_OK ? check_mask(tiff, stream) : status;
}

/* As the file has it. */
static double number_at(const struct layout *layout, const unsigned char *at)
{
    union {
        float f32;
        double f64;
        uint8_t u8;
        int8_t i8;
        uint16_t u16;
        int16_t i16;
        uint32_t u32;
        int32_t i32;
    } cell;
    bool is_signed = layout->format == SAMPLEFORMAT_INT;
    memcpy(&cell, at, layout->bits / 8u);
    if (layout->format == SAMPLEFORMAT_IEEEFP)
        return layout->bits == 32 ? (double)cell.f32 : cell.f64;
    if (layout->bits == 8)
        return is_signed ? cell.i8 : cell.u8;
    if (layout->bits == 16)
        return is_signed ? cell.i16 : cell.u16;
    return is_signed ? (double)cell.i32 : cell.u32;
}

/* The text of GDAL's number may have fewer digits than a float has. */
static bool is_no_data(const struct layout *layout, double number)
{
    if (layout->format == SAMPLEFORMAT_IEEEFP && layout->bits == 32)
        return layout->has_no_data && (float)number == (float)layout->no_data;
    return layout->has_no_data && number == layout->no_data;
}

/* Numbers without a sign are shares of the largest. */
static float height_of(const struct layout *layout, double number)
{
    double full = layout->bits == 8 ? 255 : layout->bits == 16 ? 65535 : 4294967295.0;
    return (float)(layout->format == SAMPLEFORMAT_UINT ? number / full : number);
}

/* A row of a block, of which the cells inside the map count, to cells x0 and on of row y. */
static enum tw_status take_cells(const struct layout *layout, const unsigned char *from, int32_t x0,
                                 int32_t y, uint32_t wide, float *cells, struct tw_error *err)
{
    const size_t size = layout->bits / 8u;
    for (int32_t x = x0; x < layout->width && (uint32_t)(x - x0) < wide; x++, from += size) {
        double number = number_at(layout, from);
        if (is_no_data(layout, number))
            return tw_error_set(err, TW_INPUT,
                                "the .tif has no data at x %d, y %d: fill its gaps first", (int)x,
                                (int)y);
        cells[x] = height_of(layout, number);
        if (!isfinite(cells[x]))
            return tw_error_set(err, TW_INPUT, "the .tif is not finite at x %d, y %d", (int)x,
                                (int)y);
    }
    return TW_OK;
}

/* A tile, or a strip as wide as the map. */
struct block {
    uint32_t wide, high;
    uint32_t across; /* of them beside each other */
    tmsize_t bytes;
    unsigned char *cells; /* of all that are beside each other */
    float *row;           /* of the map */
};

/* Not much more than the map: its size is checked against the file's length, that of tiles is not.
 */
static bool check_block(const struct layout *layout, const struct block *block)
{
    const uint64_t spare = (uint64_t)64 << 20, size = layout->bits / 8u;
    const uint64_t map = (uint64_t)layout->width * (uint64_t)layout->height * size;
    uint64_t all;
    return block->wide >= 1 && block->high >= 1 && block->wide <= INT32_MAX / 2 &&
           block->high <= INT32_MAX / 2 && block->bytes >= 1 &&
           (uint64_t)block->bytes >= (uint64_t)block->high * block->wide * size &&
           !__builtin_mul_overflow((uint64_t)block->bytes, (uint64_t)block->across, &all) &&
           all <= 2 * map + spare;
}

/* False for sizes that no sound file has. */
static bool find_block(TIFF *tiff, const struct layout *layout, struct block *block)
{
    block->wide = (uint32_t)layout->width;
    block->high = 0;
    if (layout->tiled) {
        if (!TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &block->wide) ||
            !TIFFGetField(tiff, TIFFTAG_TILELENGTH, &block->high))
            return false;
        block->bytes = TIFFTileSize(tiff);
    } else {
        TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &block->high);
        if (block->high > (uint32_t)layout->height)
            block->high = (uint32_t)layout->height;
        block->bytes = TIFFStripSize(tiff);
    }
    block->across = block->wide >= 1 ? ((uint32_t)layout->width - 1) / block->wide + 1 : 0;
    return check_block(layout, block);
}

/* Column `column` of the blocks from row y on; the last strip has fewer rows. */
static bool read_block(TIFF *tiff, const struct layout *layout, const struct block *block,
                       uint32_t column, int32_t y, int32_t rows)
{
    unsigned char *cells = block->cells + (size_t)column * (size_t)block->bytes;
    if (layout->tiled)
        return TIFFReadTile(tiff, cells, column * block->wide, (uint32_t)y, 0, 0) == block->bytes;
    uint32_t strip = TIFFComputeStrip(tiff, (uint32_t)y, 0);
    int64_t expected = (int64_t)rows * block->wide * (layout->bits / 8);
    return TIFFReadEncodedStrip(tiff, strip, cells, block->bytes) >= expected;
}

/* Of the blocks that begin at row y0. */
static enum tw_status give_row(const struct layout *layout, const struct block *block, int32_t y0,
                               int32_t y, const struct tw_row_sink *sink, struct tw_error *err)
{
    const size_t row = (size_t)block->wide * (layout->bits / 8u);
    enum tw_status status = TW_OK;
    for (uint32_t column = 0; status == TW_OK && column < block->across; column++)
        status = take_cells(
            layout, block->cells + (size_t)column * (size_t)block->bytes + (size_t)(y - y0) * row,
            (int32_t)(column * block->wide), y, block->wide, block->row, err);
    return status == TW_OK ? sink->row(sink->context, y, block->row, err) : status;
}

static enum tw_status give_rows(TIFF *tiff, const struct layout *layout, const struct block *block,
                                struct tw_tiff_stream *stream, const struct tw_row_sink *sink)
{
    enum tw_status status = TW_OK;
    for (int64_t y0 = 0; status == TW_OK && y0 < layout->height; y0 += block->high) {
        const int64_t left = layout->height - y0;
        const int32_t rows = (int32_t)(left < block->high ? left : block->high);
        for (uint32_t column = 0; status == TW_OK && column < block->across; column++)
            if (!read_block(tiff, layout, block, column, (int32_t)y0, rows))
                status = tw_tiff_end(stream, false, stream->err);
        for (int32_t y = (int32_t)y0; status == TW_OK && y < y0 + rows; y++)
            status = give_row(layout, block, (int32_t)y0, y, sink, stream->err);
    }
    return status;
}

static enum tw_status read_blocks(TIFF *tiff, const struct layout *layout,
                                  struct tw_tiff_stream *stream, const struct tw_row_sink *sink)
{
    struct block block = {0};
    if (!find_block(tiff, layout, &block))
        return tw_tiff_end(stream, false, stream->err);
    block.cells = calloc(block.across, (size_t)block.bytes);
    block.row = calloc((size_t)layout->width + 1, sizeof *block.row); /* never of 0 bytes */
    enum tw_status status = block.cells && block.row
                                ? give_rows(tiff, layout, &block, stream, sink)
                                : tw_error_set(stream->err, TW_MEMORY, "out of memory");
    free(block.cells);
    free(block.row);
    return status;
}

enum tw_status tw_tiff_read(const struct tw_byte_source *source, const struct tw_row_sink *sink,
                            struct tw_error *err)
{
    struct tw_tiff_stream stream = {.source = source, .err = err};
    struct layout layout = {0};
    TIFF *tiff = tw_tiff_open(&stream, "rm");
    enum tw_status status = tiff ? read_layout(tiff, &stream, source->length, &layout)
                                 : tw_tiff_end(&stream, false, err);
    const struct tw_file_facts facts = {
        .type = TW_HEIGHTMAP, .width = layout.width, .height = layout.height};
    if (status == TW_OK)
        status = sink->begin(sink->context, &facts, err);
    if (status == TW_OK)
        status = read_blocks(tiff, &layout, &stream, sink);
    if (tiff)
        TIFFClose(tiff);
    return status;
}

enum tw_status tw_tiff_decode(const unsigned char *data, size_t length, struct tw_value *out,
                              struct tw_error *err)
{
    return tw_codec_decode(tw_tiff_read, data, length, NULL, out, err);
}

/* Not one that is a single strip, as small files are. */
bool tw_tiff_has_rows(const struct tw_codec_head *head, uint64_t *held)
{
    const uint64_t blocks_max = (uint64_t)64 << 20; /* bytes beside each other */
    struct tw_error ignored;
    struct tw_tiff_stream stream = {.in = head, .err = &ignored};
    struct layout layout = {0};
    struct block block = {0};
    TIFF *tiff = tw_tiff_open(&stream, "rm");
    const bool has = tiff && read_layout(tiff, &stream, head->file_length, &layout) == TW_OK &&
                     find_block(tiff, &layout, &block) &&
                     (uint64_t)block.across * (uint64_t)block.bytes <= blocks_max;
    *held = has ? (uint64_t)block.across * (uint64_t)block.bytes : 0;
    if (tiff)
        TIFFClose(tiff);
    return has;
}

/* The directory of a TIFF may be anywhere in the file, often behind the cells. */
enum tw_status tw_tiff_probe(const struct tw_codec_head *head, struct tw_file_facts *facts,
                             struct tw_error *err)
{
    struct tw_tiff_stream stream = {.in = head, .err = err};
    struct layout layout = {0};
    TIFF *tiff = tw_tiff_open(&stream, "rm");
    enum tw_status status = tiff ? read_layout(tiff, &stream, head->file_length, &layout)
                                 : tw_tiff_end(&stream, false, err);
    if (tiff)
        TIFFClose(tiff);
    *facts = (struct tw_file_facts){
        .type = TW_HEIGHTMAP, .width = layout.width, .height = layout.height};
    return status;
}
