/* SPDX-License-Identifier: MIT */
/* Any other elevation model, through GDAL where it is installed. GDAL gets the bytes, never a path,
 * so the file's digest is that of all it reads; and only drivers that read nothing else. */
#include "base/os/file.h"
#include "format/epsg.h"
#include "format/gdal/gdal_library.h"
#include "format/place.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { READ = 0, FLOAT64 = 7, RASTER = 2 }; /* of GDAL: GF_Read, GDT_Float64, GDAL_OF_RASTER */

/* Formats of one file each that hold grids; none refers to another file or to the network. */
static const char *const drivers[] = {
    "HFA", "netCDF", "DTED",    "USGSDEM",  "GSAG", "GSBG",    "GS7BG",
    "BT",  "GRIB",   "SRTMHGT", "Terragen", "LCP",  "NWT_GRD", "JP2OpenJPEG",
    "GXF", "ISG",    "SIGDEM",  "NGSGEOID", "GTX",  "ZMap",    NULL};

struct picture {
    const struct tw_gdal_library *gdal;
    unsigned char *bytes; /* of the file; NULL: those of the caller */
    char name[40];
    void *data, *band;
    int32_t width, height;
    double no_data, scale, offset;
    bool has_no_data;
};

static void be_quiet(int severity, int number, const char *text)
{
    (void)severity, (void)number, (void)text;
}

static void close_picture(struct picture *p)
{
    if (p->data)
        p->gdal->GDALClose(p->data);
    if (p->name[0])
        p->gdal->VSIUnlink(p->name);
    if (p->gdal)
        p->gdal->CPLPopErrorHandler();
    free(p->bytes);
    *p = (struct picture){.gdal = NULL};
}

static enum tw_status take_band(struct picture *p, int32_t wanted, struct tw_error *err)
{
    const int count = p->gdal->GDALGetRasterCount(p->data);
    const int width = p->gdal->GDALGetRasterXSize(p->data);
    const int height = p->gdal->GDALGetRasterYSize(p->data);
    int has_scale = 0, has_offset = 0, has_no_data = 0;
    if (width < 1 || height < 1 || width > TW_SIDE_MAX || height > TW_SIDE_MAX)
        return tw_error_set(err, TW_INPUT, "the file has sides beyond 1 to %d", TW_SIDE_MAX);
    if (wanted > count || (wanted == 0 && count != 1))
        return tw_error_set(err, TW_INPUT, "the file has %d maps; band: chooses one", count);
    p->width = width;
    p->height = height;
    p->band = p->gdal->GDALGetRasterBand(p->data, wanted > 0 ? wanted : 1);
    if (!p->band)
        return tw_error_set(err, TW_INPUT, "damaged file: GDAL finds no map in it");
    p->no_data = p->gdal->GDALGetRasterNoDataValue(p->band, &has_no_data);
    p->scale = p->gdal->GDALGetRasterScale(p->band, &has_scale);
    p->offset = p->gdal->GDALGetRasterOffset(p->band, &has_offset);
    p->scale = has_scale && isfinite(p->scale) ? p->scale : 1;
    p->offset = has_offset && isfinite(p->offset) ? p->offset : 0;
    p->has_no_data = has_no_data != 0;
    return TW_OK;
}

/* Opens the bytes, which must stay until close_picture(), to be called in any case. */
static enum tw_status open_bytes(struct picture *p, const unsigned char *bytes, size_t length,
                                 int32_t band, struct tw_error *err)
{
    static atomic_uint count;
    p->gdal = tw_gdal_load();
    if (!p->gdal)
        return tw_error_set(err, TW_LIMIT, "the file needs GDAL, which is not installed or is off");
    p->gdal->CPLPushErrorHandler(be_quiet);
    snprintf(p->name, sizeof p->name, "/vsimem/thalweg-%u", atomic_fetch_add(&count, 1));
    void *file = p->gdal->VSIFileFromMemBuffer(p->name, (unsigned char *)bytes, length, 0);
    if (!file)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    p->gdal->VSIFCloseL(file);
    p->data = p->gdal->GDALOpenEx(p->name, RASTER, drivers, NULL, NULL);
    if (!p->data)
        return tw_error_set(err, TW_INPUT, "the file is of an unknown format, to GDAL as well");
    return take_band(p, band, err);
}

static enum tw_status open_head(struct picture *p, const struct tw_codec_head *head,
                                struct tw_error *err)
{
    const size_t bytes_max = (size_t)1 << 31;
    size_t length = head->file_length;
    enum tw_status status = TW_OK;
    if (head->length == head->file_length)
        return open_bytes(p, head->at, length, head->wish.band, err);
    if (!head->path)
        return tw_error_set(err, TW_INPUT, "the file has no path");
    status = tw_file_read(head->path, bytes_max, &p->bytes, &length, err);
    return status == TW_OK ? open_bytes(p, p->bytes, length, head->wish.band, err) : status;
}

static struct tw_file_facts facts_of(const struct picture *p)
{
    const char *unit = p->band ? p->gdal->GDALGetRasterUnitType(p->band) : NULL;
    const bool feet = unit && (strcasecmp(unit, "ft") == 0 || strcasecmp(unit, "feet") == 0);
    return (struct tw_file_facts){.type = TW_HEIGHTMAP,
                                  .width = p->width,
                                  .height = p->height,
                                  .may_have_gaps = p->has_no_data,
                                  .metres = feet ? 0.3048 : 0};
}

static enum tw_status probe(const struct tw_codec_head *head, struct tw_file_facts *facts,
                            struct tw_error *err)
{
    struct picture p = {.gdal = NULL};
    enum tw_status status = open_head(&p, head, err);
    *facts = status == TW_OK ? facts_of(&p) : (struct tw_file_facts){.type = TW_HEIGHTMAP};
    close_picture(&p);
    return status;
}

static bool read_place(const struct tw_codec_head *head, struct tw_georeference *place)
{
    struct picture p = {.gdal = NULL};
    double m[6];
    bool known = open_head(&p, head, NULL) == TW_OK && p.gdal->GDALGetGeoTransform(p.data, m) == 0;
    const char *system = known ? p.gdal->GDALGetProjectionRef(p.data) : NULL;
    *place = (struct tw_georeference){.west = 0};
    if (known) {
        place->west = m[0];
        place->north = m[3];
        place->cell_x = m[1];
        place->cell_y = -m[5];
        place->turned = m[2] != 0 || m[4] != 0 || !(m[1] > 0) || !(m[5] < 0);
        struct tw_file_place at = tw_place_of(place);
        const bool geographic = system && strncmp(system, "GEOG", 4) == 0;
        const bool global =
            m[0] >= -361 && m[0] + m[1] * p.width <= 721 && m[3] <= 91 && m[1] <= 10;
        if (geographic || (at.known && (!system || !system[0]) && global))
            place->unit = TW_EPSG_UNPROJECTED;
    }
    close_picture(&p);
    return known;
}

static enum tw_status give_row(const struct picture *p, const struct tw_byte_source *source,
                               int32_t y, double *numbers, float *cells,
                               const struct tw_row_sink *sink, struct tw_error *err)
{
    if (p->gdal->GDALRasterIO(p->band, READ, 0, y, p->width, 1, numbers, p->width, 1, FLOAT64, 0,
                              0) != 0)
        return tw_error_set(err, TW_INPUT, "damaged file: GDAL cannot read its row %d", (int)y);
    for (int32_t x = 0; x < p->width; x++) {
        const double number = numbers[x];
        const bool same = number == p->no_data || (float)number == (float)p->no_data;
        const bool gap = isnan(number) || (p->has_no_data && same);
        if (gap && !source->wish.gaps)
            return tw_codec_gap("file", x, y, err);
        cells[x] = gap ? NAN : (float)(p->offset + p->scale * number);
        if (!gap && !isfinite(cells[x]))
            return tw_error_set(err, TW_INPUT, "the file is not finite at x %d, y %d", (int)x,
                                (int)y);
    }
    return sink->row(sink->context, y, cells, err);
}

static enum tw_status give_rows(const struct picture *p, const struct tw_byte_source *source,
                                const struct tw_row_sink *sink, struct tw_error *err)
{
    const struct tw_file_facts facts = facts_of(p);
    double *numbers = malloc((size_t)p->width * sizeof *numbers);
    float *cells = malloc((size_t)p->width * sizeof *cells);
    enum tw_status status = numbers && cells ? sink->begin(sink->context, &facts, err)
                                             : tw_error_set(err, TW_MEMORY, "out of memory");
    for (int32_t y = 0; status == TW_OK && y < p->height; y++)
        status = give_row(p, source, y, numbers, cells, sink, err);
    free(numbers);
    free(cells);
    return status;
}

static enum tw_status read_rows(const struct tw_byte_source *source, const struct tw_row_sink *sink,
                                struct tw_error *err)
{
    struct picture p = {.gdal = NULL};
    const size_t length = (size_t)source->length;
    enum tw_status status = TW_OK;
    p.bytes = malloc(length + 1);
    if (!p.bytes)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    if (!source->read(source->context, p.bytes, length))
        status = tw_error_set(err, TW_INPUT, "the file ends too early");
    if (status == TW_OK)
        status = open_bytes(&p, p.bytes, length, source->wish.band, err);
    if (status == TW_OK)
        status = give_rows(&p, source, sink, err);
    close_picture(&p);
    return status;
}

static bool has_rows(const struct tw_codec_head *head, uint64_t *held)
{
    *held = head->file_length;
    return true;
}

static enum tw_status decode(const unsigned char *data, size_t length, struct tw_value *out,
                             struct tw_error *err)
{
    return tw_codec_decode(read_rows, data, length, NULL, TW_NO_WISH, out, err);
}

/* tw_format_recognise() returns it for what no other format recognises. */
extern const struct tw_format tw_format_gdal;
const struct tw_format tw_format_gdal = {
    .ending = ".gdal",
    .help = "what GDAL reads, where it is installed",
    .decode = decode,
    .read_rows = read_rows,
    .has_rows = has_rows,
    .probe = probe,
    .read_place = read_place,
};
