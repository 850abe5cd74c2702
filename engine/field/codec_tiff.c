/* SPDX-License-Identifier: MIT */
/* TIFF by libtiff: float32 heights in tiles, with the tags of GeoTIFF 1.1 (OGC 19-008r4) where the
 * world says where the map lies; tiff_read.c reads. Where the build has no such library the row
 * stays, and says what is missing. */
#include "field/format.h"

struct options {
    bool metres;
};
static const struct tw_param options[] = {
    TW_METRES_OPTION(struct options),
    TW_PARAM_END,
};

#ifdef TW_WITH_TIFF
#include "field/notes.h"
#include "field/tiff_stream.h"

#include <stdlib.h>
#include <string.h>

enum {
    TILE = 256, /* cells a side; TIFF asks for multiples of 16 */
    TAG_PIXEL_SCALE = 33550,
    TAG_TIEPOINT = 33922,
    TAG_GEO_KEYS = 34735
};

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

/* Where it comes from: a line "name: text" each, as far as there are any. */
static bool set_notes(TIFF *tiff, const struct tw_notes *notes)
{
    char text[TW_NOTES_MAX * sizeof notes->at[0]] = "";
    size_t used = 0;
    for (int i = 0; i < notes->count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s: %s\n", notes->at[i].name,
                                 notes->at[i].text);
    return used == 0 || TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, text);
}

static void read_notes(const unsigned char *data, size_t length, struct tw_notes *notes)
{
    const struct tw_codec_head head = {.at = data, .length = length, .file_length = length};
    struct tw_error ignored;
    struct tw_tiff_stream stream = {.in = &head, .err = &ignored};
    TIFF *tiff = tw_tiff_open(&stream, "rm");
    const char *text = NULL;
    if (tiff && TIFFGetField(tiff, TIFFTAG_IMAGEDESCRIPTION, &text) == 1 && text)
        while (*text) {
            size_t line = strcspn(text, "\n"), name = strcspn(text, ":");
            if (name + 2 <= line)
                tw_notes_keep(notes, text, name, text + name + 2, line - name - 2);
            text += line + (text[line] != 0);
        }
    if (tiff)
        TIFFClose(tiff);
}

static bool set_head(TIFF *tiff, const struct tw_encoding *encoding, const struct tw_notes *notes)
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
           TIFFSetField(tiff, TIFFTAG_TILELENGTH, TILE) && set_place(tiff, encoding) &&
           set_notes(tiff, notes);
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

static bool write_tiles(TIFF *tiff, const struct tw_value *value, float unit,
                        struct tw_tiff_stream *stream)
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

extern const struct tw_format tw_format_tiff;
static enum tw_status encode(const struct tw_encoding *encoding, struct tw_bytes *out,
                             struct tw_error *err)
{
    const uint64_t classic_max = (uint64_t)3900 << 20; /* offsets of classic TIFF have 32 bits */
    const struct options *o = encoding->options;
    const struct tw_value *value = encoding->values[0];
    const float unit = tw_codec_unit(encoding, o->metres);
    struct tw_tiff_stream stream = {.out = out, .err = err};
    struct tw_notes notes;
    if (tw_codec_check_scaled(value, (double)unit, 0, err) != TW_OK)
        return TW_NODE;
    enum tw_status status = tw_notes_make(&tw_format_tiff, encoding, &notes, err);
    if (status != TW_OK)
        return status;
    TIFF *tiff =
        tw_tiff_open(&stream, tw_value_count(value) * sizeof(float) > classic_max ? "w8l" : "wl");
    if (!tiff)
        return tw_tiff_end(&stream, false, err);
    bool done = set_head(tiff, encoding, &notes) && write_tiles(tiff, value, unit, &stream) &&
                TIFFWriteDirectory(tiff);
    TIFFCleanup(tiff); /* not TIFFClose(): it would write the directory again after a failure */
    return tw_tiff_end(&stream, done, err);
}

static bool reread(const struct tw_encoding *encoding, int32_t y, void *row)
{
    const struct options *o = encoding->options;
    tw_codec_scale_row(encoding->values[0], y, tw_codec_unit(encoding, o->metres), row);
    return true;
}
#else
extern const struct tw_format tw_format_tiff;
#endif

const struct tw_format tw_format_tiff = {
    .ending = ".tif",
    .help = "float32 TIFF in tiles; with `epsg` in `world:` a GeoTIFF",
    .types = TW_HEIGHTS,
    .physical = true,
    .noted = true,
    .options = options,
    .options_size = sizeof(struct options),
    .magic = "II*\0MM\0*II+\0MM\0+", /* either byte order, classic and BigTIFF */
    .magic_length = 4,
    .magic_count = 4,
#ifdef TW_WITH_TIFF
    .encode = encode,
    .reread = reread,
    .read_notes = read_notes,
    .decode = tw_tiff_decode,
    .probe = tw_tiff_probe,
    .read_place = tw_tiff_read_place,
#else
    .lacks = "libtiff (libtiff-dev in Debian)",
#endif
};
