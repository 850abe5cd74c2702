/* SPDX-License-Identifier: MIT */
/* Reads any TIFF in strips or tiles: heights or colours of integers or floats. */
#include "format/tiff/tiff_layout.h"

#include "format/half.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns the number stored in the file. */
static double number_at(const struct tw_tiff_layout *layout, const unsigned char *at)
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
    if (layout->format == SAMPLEFORMAT_IEEEFP && layout->bits == 16)
        return tw_half_to_float(cell.u16);
    if (layout->format == SAMPLEFORMAT_IEEEFP)
        return layout->bits == 32 ? (double)cell.f32 : cell.f64;
    if (layout->bits == 8)
        return is_signed ? cell.i8 : cell.u8;
    if (layout->bits == 16)
        return is_signed ? cell.i16 : cell.u16;
    return is_signed ? (double)cell.i32 : cell.u32;
}

/* GDAL's text may have fewer digits than a float. */
static bool is_no_data(const struct tw_tiff_layout *layout, double number)
{
    const bool is_float = layout->format == SAMPLEFORMAT_IEEEFP;
    if (is_float && layout->bits == 16)
        return layout->has_no_data && (float)number == tw_round_to_half((float)layout->no_data);
    if (is_float && layout->bits == 32)
        return layout->has_no_data && (float)number == (float)layout->no_data;
    return layout->has_no_data && number == layout->no_data;
}

/* Unsigned numbers become shares of the largest, unless they are heights. */
static float height_of(const struct tw_tiff_layout *layout, double number)
{
    if (layout->scale != 1 || layout->offset != 0)
        return (float)(layout->offset + layout->scale * number);
    if (layout->counts)
        return (float)number;
    double full = layout->bits == 8 ? 255 : layout->bits == 16 ? 65535 : 4294967295.0;
    return (float)(layout->format == SAMPLEFORMAT_UINT ? number / full : number);
}

/* A tile, or a strip as wide as the map. */
struct block {
    uint32_t wide, high;
    uint32_t across; /* blocks side by side */
    uint32_t planes; /* planes, read one after the other */
    size_t pixel;    /* bytes */
    tmsize_t bytes;
    unsigned char *cells; /* cells of all blocks side by side, plane after plane */
    float *row;           /* a row of the map */
};

/* Copies the samples of a pixel, from number `first` at `from` on, to the row of the map. */
static enum tw_status take_pixel(const struct tw_tiff_layout *layout, const unsigned char *from,
                                 int first, int32_t x, int32_t y, float *row, struct tw_error *err)
{
    const int count = layout->separate ? 1 : layout->wanted;
    for (int i = 0; i < count; i++, from += layout->bits / 8u) {
        const double number = number_at(layout, from);
        float *cell = row + (size_t)x * (size_t)layout->wanted + first + i;
        const bool gap = is_no_data(layout, number) || (layout->gaps && isnan(number));
        if (gap && !layout->gaps)
            return tw_codec_gap(".tif", x, y, err);
        *cell = gap ? NAN : height_of(layout, number);
        if (!gap && !isfinite(*cell))
            return tw_error_set(err, TW_INPUT, "the .tif is not finite at x %d, y %d", (int)x,
                                (int)y);
    }
    return TW_OK;
}

/* Takes the high bytes of a palette's numbers: some programs leave the low ones 0. */
static void take_colour(const struct tw_tiff_layout *layout, const unsigned char *from, float *rgb)
{
    const size_t index = (size_t)number_at(layout, from);
    for (int i = 0; i < 3; i++)
        rgb[i] = (float)(layout->palette[i][index] >> 8) / 255.0f;
}

/* Copies a row of a block, as far as it lies inside the map, to cells x0 and on of row y. */
static enum tw_status take_cells(const struct tw_tiff_layout *layout, const struct block *block,
                                 const unsigned char *from, int plane, int32_t x0, int32_t y,
                                 struct tw_error *err)
{
    enum tw_status status = TW_OK;
    if (!layout->separate)
        from += (size_t)layout->first * (layout->bits / 8u);
    for (int32_t x = x0; status == TW_OK && x < layout->width && (uint32_t)(x - x0) < block->wide;
         x++, from += block->pixel)
        if (layout->palette[0])
            take_colour(layout, from, block->row + 3 * (size_t)x);
        else
            status = take_pixel(layout, from, plane, x, y, block->row, err);
    return status;
}

/* Bounds a block by the map, whose size is checked against the file's length; the size of tiles is
 * not. */
static bool check_block(const struct tw_tiff_layout *layout, const struct block *block)
{
    const uint64_t spare = (uint64_t)64 << 20;
    const uint64_t map =
        (uint64_t)layout->width * (uint64_t)layout->height * (layout->bits / 8u) * layout->samples;
    uint64_t all, least;
    return block->wide >= 1 && block->high >= 1 && block->wide <= INT32_MAX / 2 &&
           block->high <= INT32_MAX / 2 && block->bytes >= 1 &&
           !__builtin_mul_overflow((uint64_t)block->high * block->wide, (uint64_t)block->pixel,
                                   &least) &&
           (uint64_t)block->bytes >= least &&
           !__builtin_mul_overflow((uint64_t)block->bytes, (uint64_t)block->across * block->planes,
                                   &all) &&
           all <= 2 * map + spare;
}

/* False for sizes that no valid file has. */
static bool find_block(TIFF *tiff, const struct tw_tiff_layout *layout, struct block *block)
{
    block->planes = layout->separate ? (uint32_t)layout->wanted : 1;
    block->pixel = (size_t)(layout->bits / 8u) * (layout->separate ? 1 : layout->samples);
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

static unsigned char *block_at(const struct block *block, uint32_t plane, uint32_t column)
{
    return block->cells + ((size_t)plane * block->across + column) * (size_t)block->bytes;
}

/* Reads column `column` of the blocks from row y on; the last strip has fewer rows. */
static bool read_block(TIFF *tiff, const struct tw_tiff_layout *layout, const struct block *block,
                       uint32_t plane, uint32_t column, int32_t y, int32_t rows)
{
    unsigned char *cells = block_at(block, plane, column);
    const uint16_t sample = (uint16_t)(layout->first + (int)plane);
    if (layout->tiled)
        return TIFFReadTile(tiff, cells, column * block->wide, (uint32_t)y, 0, sample) ==
               block->bytes;
    uint32_t strip = TIFFComputeStrip(tiff, (uint32_t)y, sample);
    int64_t expected = (int64_t)rows * block->wide * (int64_t)block->pixel;
    return TIFFReadEncodedStrip(tiff, strip, cells, block->bytes) >= expected;
}

static enum tw_status read_blocks(TIFF *tiff, const struct tw_tiff_layout *layout,
                                  const struct block *block, int32_t y, int32_t rows,
                                  struct tw_tiff_stream *stream)
{
    for (uint32_t plane = 0; plane < block->planes; plane++)
        for (uint32_t column = 0; column < block->across; column++)
            if (!read_block(tiff, layout, block, plane, column, y, rows))
                return tw_tiff_end(stream, false, stream->err);
    return TW_OK;
}

/* Passes on row y of the blocks that begin at row y0. */
static enum tw_status give_row(const struct tw_tiff_layout *layout, const struct block *block,
                               int32_t y0, int32_t y, const struct tw_row_sink *sink,
                               struct tw_error *err)
{
    const struct tw_file_facts facts = tw_tiff_facts(layout);
    const size_t at = (size_t)(y - y0) * block->wide * block->pixel;
    for (uint32_t plane = 0; plane < block->planes; plane++)
        for (uint32_t column = 0; column < block->across; column++) {
            enum tw_status status = take_cells(layout, block, block_at(block, plane, column) + at,
                                               (int)plane, (int32_t)(column * block->wide), y, err);
            if (status != TW_OK)
                return status;
        }
    return tw_codec_give_row(sink, &facts, y, block->row, err);
}

static enum tw_status give_rows(TIFF *tiff, const struct tw_tiff_layout *layout,
                                const struct block *block, struct tw_tiff_stream *stream,
                                const struct tw_row_sink *sink)
{
    enum tw_status status = TW_OK;
    for (int64_t y0 = 0; status == TW_OK && y0 < layout->height; y0 += block->high) {
        const int64_t left = layout->height - y0;
        const int32_t rows = (int32_t)(left < block->high ? left : block->high);
        status = read_blocks(tiff, layout, block, (int32_t)y0, rows, stream);
        for (int32_t y = (int32_t)y0; status == TW_OK && y < y0 + rows; y++)
            status = give_row(layout, block, (int32_t)y0, y, sink, stream->err);
    }
    return status;
}

static enum tw_status read_cells(TIFF *tiff, const struct tw_tiff_layout *layout,
                                 struct tw_tiff_stream *stream, const struct tw_row_sink *sink)
{
    struct block block = {0};
    if (!find_block(tiff, layout, &block))
        return tw_tiff_end(stream, false, stream->err);
    block.cells = calloc((size_t)block.across * block.planes, (size_t)block.bytes);
    block.row = calloc(3 * (size_t)layout->width, sizeof *block.row);
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
    struct tw_tiff_layout layout = {0};
    TIFF *tiff = tw_tiff_open(&stream, "rm");
    enum tw_status status = tiff ? tw_tiff_read_layout(tiff, &stream, source->length, &layout)
                                 : tw_tiff_end(&stream, false, err);
    const struct tw_file_facts facts = tw_tiff_facts(&layout);
    if (status == TW_OK)
        status = sink->begin(sink->context, &facts, err);
    if (status == TW_OK)
        status = read_cells(tiff, &layout, &stream, sink);
    if (tiff)
        TIFFClose(tiff);
    return status;
}

enum tw_status tw_tiff_decode(const unsigned char *data, size_t length, struct tw_value *out,
                              struct tw_error *err)
{
    return tw_codec_decode(tw_tiff_read, data, length, NULL, TW_NO_WISH, out, err);
}

bool tw_tiff_has_rows(const struct tw_codec_head *head, uint64_t *held)
{
    struct tw_error ignored;
    struct tw_tiff_stream stream = {.in = head, .err = &ignored};
    struct tw_tiff_layout layout = {0};
    struct block block = {0};
    TIFF *tiff = tw_tiff_open(&stream, "rm");
    bool has = tiff && tw_tiff_read_layout(tiff, &stream, head->file_length, &layout) == TW_OK &&
               find_block(tiff, &layout, &block);
    const uint64_t bytes = has ? (uint64_t)block.across * block.planes * (uint64_t)block.bytes : 0;
    *held = has ? bytes : 0;
    if (tiff)
        TIFFClose(tiff);
    return has;
}

/* The directory may be anywhere in the file, often behind the cells. */
enum tw_status tw_tiff_probe(const struct tw_codec_head *head, struct tw_file_facts *facts,
                             struct tw_error *err)
{
    struct tw_tiff_stream stream = {.in = head, .err = err};
    struct tw_tiff_layout layout = {0};
    TIFF *tiff = tw_tiff_open(&stream, "rm");
    enum tw_status status = tiff ? tw_tiff_read_layout(tiff, &stream, head->file_length, &layout)
                                 : tw_tiff_end(&stream, false, err);
    if (tiff)
        TIFFClose(tiff);
    *facts = tw_tiff_facts(&layout);
    return status;
}
