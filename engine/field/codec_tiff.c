/* SPDX-License-Identifier: MIT */
/* TIFF by libtiff, the only file that knows it: float32 heights in tiles, with the tags of GeoTIFF
 * 1.1 (OGC 19-008r4) where the world says where it lies; one channel of integers or floats is read.
 * Where the build has no such library the row stays, and says what is missing. */
#include "base/number.h"
#include "field/format.h"

#include <stdlib.h>
#include <string.h>

struct options {
    bool metres;
};
static const struct tw_param options[] = {
    TW_METRES_OPTION(struct options),
    TW_PARAM_END,
};

#ifdef TW_WITH_TIFF
#include <stdio.h>
#include <tiffio.h>

enum {
    TILE = 256, /* cells a side; TIFF asks for multiples of 16 */
    TAG_PIXEL_SCALE = 33550,
    TAG_TIEPOINT = 33922,
    TAG_GEO_KEYS = 34735,
    TAG_NO_DATA = 42113 /* GDAL's: a number as text */
};

/* The file in memory, read or written, and the first complaint. */
struct stream {
    const struct tw_codec_head *in;
    struct tw_bytes *out;
    uint64_t at;
    struct tw_error *err;
    enum tw_status status;
};

static tmsize_t on_read(thandle_t handle, void *to, tmsize_t size)
{
    struct stream *stream = handle;
    const struct tw_codec_head *in = stream->in;
    struct tw_codec_head written = {.at = NULL};
    if (!in) {
        written.at = stream->out->at;
        written.length = written.file_length = stream->out->length;
        in = &written;
    }
    size_t count = tw_codec_read_at(in, stream->at, to, size > 0 ? (size_t)size : 0);
    stream->at += count;
    return (tmsize_t)count;
}

static tmsize_t on_write(thandle_t handle, void *from, tmsize_t size)
{
    struct stream *stream = handle;
    if (!stream->out || size < 0 || stream->status != TW_OK)
        return -1;
    stream->status =
        tw_bytes_write_at(stream->out, (size_t)stream->at, from, (size_t)size, stream->err);
    stream->at += (uint64_t)size;
    return stream->status == TW_OK ? size : -1;
}

static toff_t on_seek(thandle_t handle, toff_t offset, int whence)
{
    struct stream *stream = handle;
    uint64_t length = stream->in ? stream->in->file_length : stream->out->length;
    stream->at = whence == SEEK_SET   ? offset
                 : whence == SEEK_CUR ? stream->at + offset
                                      : length + offset;
    return stream->at;
}

static int on_close(thandle_t handle)
{
    (void)handle;
    return 0;
}

static toff_t on_size(thandle_t handle)
{
    const struct stream *stream = handle;
    return stream->in ? stream->in->file_length : stream->out->length;
}

static int on_error(TIFF *tiff, void *stream_at, const char *module, const char *format,
                    va_list arguments)
{
    struct stream *stream = stream_at;
    char text[200];
    (void)tiff;
    (void)module;
    vsnprintf(text, sizeof text, format, arguments);
    if (stream->status == TW_OK)
        stream->status = tw_error_set(stream->err, stream->in ? TW_INPUT : TW_IO, "%s .tif: %s",
                                      stream->in ? "damaged" : "cannot write a", text);
    return 1;
}

static int on_warning(TIFF *tiff, void *stream, const char *module, const char *format,
                      va_list arguments)
{
    (void)tiff;
    (void)stream;
    (void)module;
    (void)format;
    (void)arguments;
    return 1;
}

static TIFF *open_stream(struct stream *stream, const char *mode)
{
    const tmsize_t block_max = (tmsize_t)1 << 28; /* no honest tile or strip is larger */
    TIFFOpenOptions *set = TIFFOpenOptionsAlloc();
    if (!set)
        return NULL;
    TIFFOpenOptionsSetMaxSingleMemAlloc(set, block_max);
    TIFFOpenOptionsSetErrorHandlerExtR(set, on_error, stream);
    TIFFOpenOptionsSetWarningHandlerExtR(set, on_warning, NULL);
    TIFF *tiff = TIFFClientOpenExt("map.tif", mode, stream, on_read, on_write, on_seek, on_close,
                                   on_size, NULL, NULL, set);
    TIFFOpenOptionsFree(set);
    return tiff;
}

static enum tw_status end(const struct stream *stream, bool done, struct tw_error *err)
{
    if (stream->status != TW_OK || done)
        return stream->status;
    return tw_error_set(err, stream->in ? TW_INPUT : TW_IO, "%s .tif",
                        stream->in ? "damaged" : "cannot write a");
}

/* libtiff knows the tags of others by what it is given here, a file at a time. */
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

/* ---- writing ---- */

/* Where the map lies: its north-west corner, a cell's size, and the projection by its EPSG code.
 * A cell is an area, not a point. */
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

static bool set_head(TIFF *tiff, const struct tw_encoding *encoding)
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
           TIFFSetField(tiff, TIFFTAG_SOFTWARE, "thalweg") &&
           TIFFSetField(tiff, TIFFTAG_TILEWIDTH, TILE) &&
           TIFFSetField(tiff, TIFFTAG_TILELENGTH, TILE) && set_place(tiff, encoding);
}

/* The tile whose first cell is (x0, y0); outside the map the border's cells go on. */
static void fill_tile(const struct tw_value *value, int32_t x0, int32_t y0, float unit, float *tile)
{
    for (int32_t j = 0; j < TILE; j++)
        for (int32_t i = 0; i < TILE; i++) {
            int32_t x = x0 + i < value->width ? x0 + i : value->width - 1;
            int32_t y = y0 + j < value->height ? y0 + j : value->height - 1;
            tile[j * TILE + i] =
                tw_floats(value)[(size_t)y * (size_t)value->width + (size_t)x] * unit;
        }
}

static bool write_tiles(TIFF *tiff, const struct tw_value *value, float unit, struct stream *stream)
{
    float *tile = malloc(TILE * TILE * sizeof *tile);
    bool done = tile != NULL;
    if (!tile)
        stream->status = tw_error_set(stream->err, TW_MEMORY, "out of memory");
    for (int32_t y = 0; done && y < value->height; y += TILE)
        for (int32_t x = 0; done && x < value->width; x += TILE) {
            fill_tile(value, x, y, unit, tile);
            done = TIFFWriteTile(tiff, tile, (uint32_t)x, (uint32_t)y, 0, 0) >= 0;
            if (stream->out->stop && atomic_load(stream->out->stop)) {
                stream->status = tw_error_set(stream->err, TW_CANCELLED, "stopped");
                done = false;
            }
        }
    free(tile);
    return done;
}

static enum tw_status encode(const struct tw_encoding *encoding, struct tw_bytes *out,
                             struct tw_error *err)
{
    const uint64_t classic_max = (uint64_t)3900 << 20; /* offsets of classic TIFF have 32 bits */
    const struct options *o = encoding->options;
    const struct tw_value *value = encoding->values[0];
    struct stream stream = {.out = out, .err = err};
    TIFF *tiff =
        open_stream(&stream, tw_value_count(value) * sizeof(float) > classic_max ? "w8l" : "wl");
    if (!tiff)
        return end(&stream, false, err);
    bool done = set_head(tiff, encoding) &&
                write_tiles(tiff, value, tw_codec_unit(encoding, o->metres), &stream) &&
                TIFFWriteDirectory(tiff);
    TIFFCleanup(tiff); /* not TIFFClose(): it would write the directory again after a failure */
    return end(&stream, done, err);
}

/* ---- reading ---- */

struct layout {
    int32_t width, height;
    uint16_t bits, format, planes;
    bool tiled, has_no_data;
    double no_data;
};

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
                            "a .tif of %d bits, sample format %d; allowed are floats of 32 or 64 "
                            "bits and integers of 8, 16 or 32",
                            (int)layout->bits, (int)layout->format);
    return TW_OK;
}

/* A tag that libtiff does not know is given with its count, and need not end with a zero. */
static bool read_no_data(TIFF *tiff, double *number)
{
    const TIFFField *field = TIFFFindField(tiff, TAG_NO_DATA, TIFF_ANY);
    char text[40] = "";
    const char *at = NULL;
    uint32_t count = 0;
    if (!field || !TIFFFieldPassCount(field) || TIFFFieldReadCount(field) != TIFF_VARIABLE2 ||
        TIFFFieldDataType(field) != TIFF_ASCII ||
        TIFFGetField(tiff, TAG_NO_DATA, &count, &at) != 1 || !at || count >= sizeof text)
        return false;
    memcpy(text, at, count);
    return tw_number_parse(text, number);
}

static enum tw_status read_layout(TIFF *tiff, struct layout *layout, struct tw_error *err)
{
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
    return check_layout(layout, err);
}

static double cell_at(const struct layout *layout, const unsigned char *at)
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
        return is_signed ? cell.i8 : cell.u8 / 255.0;
    if (layout->bits == 16)
        return is_signed ? cell.i16 : cell.u16 / 65535.0;
    return is_signed ? (double)cell.i32 : cell.u32 / 4294967295.0;
}

static double raw_of(const struct layout *layout, double cell)
{
    double full = layout->bits == 8 ? 255 : layout->bits == 16 ? 65535 : 4294967295.0;
    return layout->format == SAMPLEFORMAT_UINT ? cell * full : cell;
}

/* A block of `wide` cells a row, of which those inside the map count. */
static enum tw_status take_block(const struct layout *layout, const unsigned char *block,
                                 int32_t x0, int32_t y0, int32_t wide, int32_t high,
                                 struct tw_value *out, struct tw_error *err)
{
    size_t size = layout->bits / 8u;
    for (int32_t y = y0; y < y0 + high && y < layout->height; y++)
        for (int32_t x = x0; x < x0 + wide && x < layout->width; x++) {
            size_t from = (size_t)(y - y0) * (size_t)wide + (size_t)(x - x0);
            double cell = cell_at(layout, block + from * size);
            if (layout->has_no_data && raw_of(layout, cell) == layout->no_data)
                return tw_error_set(err, TW_INPUT,
                                    "the .tif has no data at x %d, y %d: fill its gaps first",
                                    (int)x, (int)y);
            tw_floats(out)[(size_t)y * (size_t)layout->width + (size_t)x] = (float)cell;
        }
    return TW_OK;
}

static enum tw_status read_blocks(TIFF *tiff, const struct layout *layout, struct stream *stream,
                                  struct tw_value *out)
{
    uint32_t wide = (uint32_t)layout->width, high = 0;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &high);
    if (layout->tiled && (!TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &wide) ||
                          !TIFFGetField(tiff, TIFFTAG_TILELENGTH, &high)))
        return end(stream, false, stream->err);
    if (high > (uint32_t)layout->height && !layout->tiled)
        high = (uint32_t)layout->height;
    tmsize_t size = layout->tiled ? TIFFTileSize(tiff) : TIFFStripSize(tiff);
    if (high < 1 || wide < 1 || high > INT32_MAX / 2 || wide > INT32_MAX / 2 || size < 1 ||
        (uint64_t)size < (uint64_t)high * wide * (layout->bits / 8u))
        return end(stream, false, stream->err);
    unsigned char *block = calloc((size_t)size, 1);
    if (!block)
        return tw_error_set(stream->err, TW_MEMORY, "out of memory");
    enum tw_status status = TW_OK;
    for (int64_t y = 0; status == TW_OK && y < layout->height; y += high)
        for (int64_t x = 0; status == TW_OK && x < layout->width; x += wide) {
            int64_t rows = layout->height - y < high ? layout->height - y : high;
            tmsize_t got = layout->tiled
                               ? TIFFReadTile(tiff, block, (uint32_t)x, (uint32_t)y, 0, 0)
                               : TIFFReadEncodedStrip(tiff, TIFFComputeStrip(tiff, (uint32_t)y, 0),
                                                      block, size);
            bool whole =
                layout->tiled ? got == size : got >= rows * (int64_t)wide * layout->bits / 8;
            status = whole ? take_block(layout, block, (int32_t)x, (int32_t)y, (int32_t)wide,
                                        (int32_t)rows, out, stream->err)
                           : end(stream, false, stream->err);
        }
    free(block);
    return status;
}

static enum tw_status decode(const unsigned char *data, size_t length, struct tw_value *out,
                             struct tw_error *err)
{
    const struct tw_codec_head head = {.at = data, .length = length, .file_length = length};
    struct stream stream = {.in = &head, .err = err};
    struct layout layout = {0};
    TIFF *tiff = open_stream(&stream, "rm");
    enum tw_status status = tiff ? read_layout(tiff, &layout, err) : end(&stream, false, err);
    if (status == TW_OK)
        status = tw_field_alloc(out, TW_HEIGHTMAP, layout.width, layout.height, err);
    if (status == TW_OK)
        status = read_blocks(tiff, &layout, &stream, out);
    if (status == TW_OK)
        status = tw_codec_check_finite(out, ".tif", err);
    if (tiff)
        TIFFClose(tiff);
    if (status != TW_OK)
        tw_field_clear(out);
    return status;
}

/* The directory of a TIFF may be anywhere in the file, often behind the cells. */
static enum tw_status probe(const struct tw_codec_head *head, struct tw_file_facts *facts,
                            struct tw_error *err)
{
    struct stream stream = {.in = head, .err = err};
    struct layout layout = {0};
    TIFF *tiff = open_stream(&stream, "rm");
    enum tw_status status = tiff ? read_layout(tiff, &layout, err) : end(&stream, false, err);
    if (tiff)
        TIFFClose(tiff);
    *facts = (struct tw_file_facts){TW_HEIGHTMAP, layout.width, layout.height};
    return status;
}
#endif

extern const struct tw_format tw_format_tiff;
const struct tw_format tw_format_tiff = {
    .ending = ".tif",
    .help = "float32 TIFF in tiles; with `epsg` in `world:` a GeoTIFF",
    .types = TW_HEIGHTS,
    .physical = true,
    .options = options,
    .options_size = sizeof(struct options),
    .magic = "II*\0MM\0*II+\0MM\0+", /* either byte order, classic and BigTIFF */
    .magic_length = 4,
    .magic_count = 4,
#ifdef TW_WITH_TIFF
    .encode = encode,
    .decode = decode,
    .probe = probe,
#else
    .lacks = "libtiff (libtiff-dev in Debian)",
#endif
};
