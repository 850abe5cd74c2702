/* SPDX-License-Identifier: MIT */
/* Writes TIFF by libtiff, a strip or a row of tiles at a time, from a map or from rows as they
 * arrive. The directory follows them, so that it can contain the digest of what a reader gets. */
#include "format/notes.h"
#include "format/row_file.h"
#include "format/tiff/tiff_stream.h"

#include <stdlib.h>
#include <string.h>

enum {
    TILE = 256,            /* cells per side; TIFF requires multiples of 16 */
    STRIP_CELLS = 1 << 16, /* of a strip, unless a row is longer */
    TAG_PIXEL_SCALE = 33550,
    TAG_TIEPOINT = 33922,
    TAG_GEO_KEYS = 34735
};

extern const struct tw_format tw_format_tiff;

/* Registers the foreign tags with libtiff, for this file. */
static bool add_tags(TIFF *tiff)
{
    static char scale[] = "ModelPixelScaleTag", tiepoint[] = "ModelTiepointTag",
                keys[] = "GeoKeyDirectoryTag";
    static const TIFFFieldInfo tags[] = {
        {TAG_PIXEL_SCALE, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, scale},
        {TAG_TIEPOINT, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, tiepoint},
        {TAG_GEO_KEYS, -1, -1, TIFF_SHORT, FIELD_CUSTOM, 1, 1, keys},
    };
    return TIFFMergeFieldInfo(tiff, tags, sizeof tags / sizeof *tags) == 0;
}

/* Writes the place of the map: its north-west corner, a cell's size, and the projection by its EPSG
 * code. A cell is an area, not a point. */
static bool set_place(TIFF *tiff, const struct tw_encoding *encoding)
{
    const struct tw_world *world = encoding->world;
    if (!world || world->epsg == 0)
        return true;
    double cell = world->side_m / encoding->values[0]->width;
    const double scale[] = {cell, cell, 0}, tiepoint[] = {0, 0, 0, world->west, world->north, 0};
    enum { MODEL_TYPE = 1024, RASTER_TYPE = 1025, PROJECTED = 3072 };
    const uint16_t keys[] = {1,          1, 0,         3, /* version 1.1.0, three keys */
                             MODEL_TYPE, 0, 1,         1, RASTER_TYPE, 0,
                             1,          1, PROJECTED, 0, 1,           (uint16_t)world->epsg};
    return TIFFSetField(tiff, TAG_PIXEL_SCALE, 3, scale) &&
           TIFFSetField(tiff, TAG_TIEPOINT, 6, tiepoint) &&
           TIFFSetField(tiff, TAG_GEO_KEYS, (int)(sizeof keys / sizeof *keys), keys);
}

/* Writes the provenance: one line "name: text" for each note. */
static bool set_notes(TIFF *tiff, const struct tw_encoding *encoding,
                      const struct tw_sha256 *digest)
{
    struct tw_notes at, *notes = &at;
    tw_notes_fill(&tw_format_tiff, encoding, digest, notes);
    char text[TW_NOTES_MAX * sizeof notes->at[0]] = "";
    size_t used = 0;
    for (int i = 0; i < notes->count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s: %s\n", notes->at[i].name,
                                 notes->at[i].text);
    return used == 0 || TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, text);
}

/* The part of a map that is compressed together: a strip as wide as the map, or a tile. */
struct block {
    bool tiled;
    int32_t width, height;
};

static struct block block_of(const struct tw_encoding *encoding)
{
    const int32_t width = encoding->values[0]->width;
    if (tw_tiff_is_tiled(encoding))
        return (struct block){true, TILE, TILE};
    return (struct block){false, width, width < STRIP_CELLS ? STRIP_CELLS / width : 1};
}

static bool set_block(TIFF *tiff, const struct block *block)
{
    if (!block->tiled)
        return TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, (uint32_t)block->height);
    return TIFFSetField(tiff, TIFFTAG_TILEWIDTH, (uint32_t)block->width) &&
           TIFFSetField(tiff, TIFFTAG_TILELENGTH, (uint32_t)block->height);
}

static bool set_head(TIFF *tiff, const struct tw_encoding *encoding, const struct block *block)
{
    const struct tw_value *value = encoding->values[0];
    return add_tags(tiff) && TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, (uint32_t)value->width) &&
           TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, (uint32_t)value->height) &&
           TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 32) &&
           TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1) &&
           TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP) &&
           TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK) &&
           TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) &&
           TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE) &&
           TIFFSetField(tiff, TIFFTAG_PREDICTOR, PREDICTOR_FLOATINGPOINT) &&
           TIFFSetField(tiff, TIFFTAG_SOFTWARE, "thalweg") && set_block(tiff, block) &&
           set_place(tiff, encoding);
}

struct writer {
    struct tw_tiff_stream stream;
    TIFF *tiff;
    struct block block;
    float unit;
    float *cells;         /* of a block */
    struct tw_value rows; /* rows waiting to fill a block: `height` of them */
};

static struct writer *new_writer(const struct tw_encoding *encoding)
{
    struct writer *writer = calloc(1, sizeof *writer);
    if (!writer)
        return NULL;
    writer->block = block_of(encoding);
    writer->cells =
        malloc((size_t)writer->block.width * (size_t)writer->block.height * sizeof(float));
    if (writer->cells)
        return writer;
    free(writer);
    return NULL;
}

static void free_writer(struct writer *writer)
{
    free(writer->rows.data);
    free(writer->cells);
    free(writer);
}

/* Fills the tile at column x0 from up to a tile's rows, repeating the border's cells outside the
 * map. */
static void fill_tile(const struct writer *writer, const struct tw_value *rows, int32_t x0)
{
    float *cell = writer->cells;
    for (int32_t j = 0; j < TILE; j++)
        for (int32_t i = 0; i < TILE; i++) {
            int32_t x = x0 + i < rows->width ? x0 + i : rows->width - 1;
            int32_t y = j < rows->height ? j : rows->height - 1;
            *cell++ = tw_floats(rows)[(size_t)y * (size_t)rows->width + (size_t)x] * writer->unit;
        }
}

static bool open_writer(struct writer *writer, const struct tw_encoding *encoding)
{
    const uint64_t classic_max = (uint64_t)3900 << 20; /* offsets of classic TIFF have 32 bits */
    const struct tw_value *map = encoding->values[0];
    const uint64_t bytes = (uint64_t)map->width * (uint64_t)map->height * sizeof(float);
    writer->unit = tw_tiff_unit(encoding);
    writer->tiff = tw_tiff_open(&writer->stream, bytes > classic_max ? "w8l" : "wl");
    return writer->tiff && set_head(writer->tiff, encoding, &writer->block);
}

static bool write_strip(const struct writer *writer, const struct tw_value *rows, int32_t y)
{
    const size_t row = (size_t)rows->width;
    for (int32_t j = 0; j < rows->height; j++)
        tw_codec_scale_row(rows, j, writer->unit, writer->cells + (size_t)j * row);
    return TIFFWriteEncodedStrip(writer->tiff, (uint32_t)(y / writer->block.height), writer->cells,
                                 (tmsize_t)((size_t)rows->height * row * sizeof(float))) >= 0;
}

/* Writes a strip or a row of tiles, from row y of the map on. */
static bool write_blocks(const struct writer *writer, const struct tw_value *rows, int32_t y)
{
    if (!writer->block.tiled)
        return write_strip(writer, rows, y);
    for (int32_t x = 0; x < rows->width; x += TILE) {
        fill_tile(writer, rows, x);
        if (TIFFWriteTile(writer->tiff, writer->cells, (uint32_t)x, (uint32_t)y, 0, 0) < 0)
            return false;
    }
    return true;
}

static bool write_directory(struct writer *writer, const struct tw_encoding *encoding,
                            const struct tw_sha256 *digest)
{
    return set_notes(writer->tiff, encoding, digest) && TIFFWriteDirectory(writer->tiff);
}

/* Replaces TIFFClose(), which would write the directory again after a failure. */
static void close_writer(struct writer *writer)
{
    if (writer->tiff)
        TIFFCleanup(writer->tiff);
    writer->tiff = NULL;
}

/* ---- a map ---- */

static bool write_map(struct writer *writer, const struct tw_encoding *encoding,
                      const struct tw_sha256 *digest)
{
    const struct tw_value *map = encoding->values[0];
    bool done = open_writer(writer, encoding);
    const int32_t high = writer->block.height;
    for (int32_t y = 0; done && y < map->height; y += high) {
        struct tw_value rows = *map;
        rows.data = tw_floats(map) + (size_t)y * (size_t)map->width;
        rows.height = map->height - y < high ? map->height - y : high;
        done = write_blocks(writer, &rows, y);
    }
    return done && write_directory(writer, encoding, digest);
}

enum tw_status tw_tiff_encode(const struct tw_encoding *encoding, struct tw_bytes *out,
                              struct tw_error *err)
{
    struct tw_sha256 digest = {{0}};
    enum tw_status status = tw_codec_check_scaled(encoding, (double)tw_tiff_unit(encoding), 0, err);
    if (status == TW_OK && encoding->provenance)
        status = tw_format_sha256(&tw_format_tiff, encoding, &digest, err);
    if (status != TW_OK)
        return status;
    struct writer *writer = new_writer(encoding);
    if (!writer)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    writer->stream = (struct tw_tiff_stream){.out = out, .err = err};
    bool done = write_map(writer, encoding, &digest);
    close_writer(writer);
    status = tw_tiff_end(&writer->stream, done, err);
    free_writer(writer);
    return status;
}

/* ---- rows ---- */

static enum tw_status end_call(struct writer *writer, bool done, struct tw_error *err)
{
    return tw_tiff_end(&writer->stream, done, err);
}

static enum tw_status begin(struct tw_row_file *file, struct tw_error *err)
{
    struct writer *writer = file->own = new_writer(&file->encoding);
    if (!writer)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    writer->stream = (struct tw_tiff_stream){.file = file, .err = err};
    writer->rows = *file->encoding.values[0];
    writer->rows.height = 0;
    writer->rows.data =
        malloc((size_t)writer->rows.width * (size_t)writer->block.height * sizeof(float));
    if (!writer->rows.data)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    return end_call(writer, open_writer(writer, &file->encoding), err);
}

static bool flush(struct writer *writer, int32_t end)
{
    const int32_t count = writer->rows.height;
    const bool done = count == 0 || write_blocks(writer, &writer->rows, end - count);
    writer->rows.height = 0;
    return done;
}

static enum tw_status add(struct tw_row_file *file, const struct tw_encoding *encoding,
                          struct tw_error *err)
{
    struct writer *writer = file->own;
    const struct tw_value *rows = encoding->values[0];
    const size_t width = (size_t)rows->width;
    bool done = true;
    writer->stream.err = err;
    enum tw_status status = tw_codec_check_scaled(encoding, (double)writer->unit, 0, err);
    if (status != TW_OK)
        return status;
    for (int32_t y = 0; done && y < rows->height; y++) {
        memcpy(tw_floats(&writer->rows) + (size_t)writer->rows.height * width,
               tw_floats(rows) + (size_t)y * width, width * sizeof(float));
        if (++writer->rows.height == writer->block.height)
            done = flush(writer, file->next - rows->height + y + 1);
    }
    return end_call(writer, done, err);
}

static enum tw_status end(struct tw_row_file *file, const struct tw_sha256 *content,
                          struct tw_error *err)
{
    struct writer *writer = file->own;
    const struct tw_sha256 none = {{0}};
    writer->stream.err = err;
    bool done = flush(writer, file->next) &&
                write_directory(writer, &file->encoding, content ? content : &none);
    close_writer(writer);
    return end_call(writer, done, err);
}

static void release(struct tw_row_file *file)
{
    struct writer *writer = file->own;
    if (!writer)
        return;
    close_writer(writer);
    free_writer(writer);
}

static uint64_t bytes(const struct tw_encoding *encoding)
{
    const struct block block = block_of(encoding);
    const uint64_t cells = (uint64_t)block.width + (uint64_t)encoding->values[0]->width;
    return sizeof(struct writer) + cells * (uint64_t)block.height * sizeof(float);
}

const struct tw_row_writer tw_tiff_row_writer = {.types = TW_HEIGHTS,
                                                 .bytes = bytes,
                                                 .begin = begin,
                                                 .add = add,
                                                 .end = end,
                                                 .release = release};
