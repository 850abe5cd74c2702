/* SPDX-License-Identifier: MIT */
/* Reads the place of a GeoTIFF: the tags of OGC 19-008r4 that codec_tiff.c writes, or
 * ModelTransformation instead. A map rotated against north is reported as such, without a place. */
#include "format/epsg.h"
#include "format/tiff/tiff_stream.h"

#include <math.h>
#include <stdio.h>

enum {
    TAG_PIXEL_SCALE = 33550,
    TAG_TIEPOINT = 33922,
    TAG_TRANSFORMATION = 34264,
    TAG_GEO_KEYS = 34735
};
enum {
    KEY_MODEL_TYPE = 1024,
    KEY_RASTER_TYPE = 1025,
    KEY_GEOGRAPHIC = 2048,
    KEY_PROJECTED = 3072,
    KEY_LINEAR_UNITS = 3076,
    KEY_VERTICAL_UNITS = 4099
};
enum { MODEL_GEOGRAPHIC = 2, UNIT_METRE = 9001, UNIT_FOOT = 9002, UNIT_US_SURVEY_FOOT = 9003 };
enum { PIXEL_IS_POINT = 2, USER_DEFINED = 32767 };

/* Returns the value of a key that holds one number itself; 0 if it is missing. */
static uint16_t key_of(const uint16_t *keys, uint32_t count, uint16_t id)
{
    for (uint32_t i = 4; i + 3 < count; i += 4)
        if (keys[i] == id && keys[i + 1] == 0)
            return keys[i + 3];
    return 0;
}

/* For a system without a code, the keys give the unit. */
static const char *unit_of(const uint16_t *keys, uint32_t count, int32_t epsg)
{
    const uint16_t linear = key_of(keys, count, KEY_LINEAR_UNITS);
    if (epsg != 0)
        return tw_epsg_unit(epsg);
    if (key_of(keys, count, KEY_MODEL_TYPE) == MODEL_GEOGRAPHIC)
        return TW_EPSG_UNPROJECTED;
    return linear == UNIT_FOOT ? "feet" : linear == UNIT_US_SURVEY_FOOT ? "US survey feet" : NULL;
}

static void read_system(TIFF *tiff, struct tw_georeference *place)
{
    uint32_t count = 4;
    const uint16_t *keys = tw_tiff_values(tiff, TAG_GEO_KEYS, TIFF_SHORT, &count);
    place->system[0] = 0;
    if (!keys)
        return;
    uint16_t code = key_of(keys, count, KEY_PROJECTED);
    if (code == 0 || code == USER_DEFINED)
        code = key_of(keys, count, KEY_GEOGRAPHIC);
    if (code != 0 && code != USER_DEFINED) {
        snprintf(place->system, sizeof place->system, "EPSG:%u", (unsigned)code);
        place->epsg = code;
    }
    place->unit = unit_of(keys, count, place->epsg);
    if (key_of(keys, count, KEY_RASTER_TYPE) != PIXEL_IS_POINT)
        return;
    place->west -= place->cell_x / 2; /* the tag gives the centre of a cell */
    place->north += place->cell_y / 2;
}

/* Reads one tie point and the size of a cell. */
static bool read_scale(TIFF *tiff, struct tw_georeference *place)
{
    uint32_t scales = 2, points = 6;
    const double *scale = tw_tiff_values(tiff, TAG_PIXEL_SCALE, TIFF_DOUBLE, &scales);
    const double *point = tw_tiff_values(tiff, TAG_TIEPOINT, TIFF_DOUBLE, &points);
    if (!scale || !point || !(scale[0] > 0) || !(scale[1] > 0))
        return false;
    place->cell_x = scale[0];
    place->cell_y = scale[1];
    place->west = point[3] - point[0] * scale[0];
    place->north = point[4] + point[1] * scale[1];
    return true;
}

/* x = m[0] column + m[1] row + m[3], y = m[4] column + m[5] row + m[7]; NULL if missing. */
static const double *transformation_of(TIFF *tiff)
{
    uint32_t count = 16;
    return tw_tiff_values(tiff, TAG_TRANSFORMATION, TIFF_DOUBLE, &count);
}

static bool read_transformation(TIFF *tiff, struct tw_georeference *place)
{
    const double *m = transformation_of(tiff);
    if (!m)
        return false;
    place->turned = m[1] != 0 || m[4] != 0 || !(m[0] > 0) || !(m[5] < 0);
    if (place->turned)
        return true;
    place->cell_x = m[0];
    place->cell_y = -m[5];
    place->west = m[3];
    place->north = m[7];
    return true;
}

/* A rotated map still shows the same land, a mirrored one does not. */
enum tw_status tw_tiff_check_mirrored(TIFF *tiff, struct tw_error *err)
{
    const double *m = transformation_of(tiff);
    if (!m || !(m[0] * m[5] - m[1] * m[4] > 0))
        return TW_OK;
    return tw_error_set(err, TW_INPUT,
                        "the .tif is mirrored, as with rows from south to north; expected rows "
                        "from north to south and columns from west to east: gdalwarp writes them");
}

bool tw_tiff_read_place(const struct tw_codec_head *head, struct tw_georeference *place)
{
    struct tw_error ignored;
    struct tw_tiff_stream stream = {.in = head, .err = &ignored};
    TIFF *tiff = tw_tiff_open(&stream, "rm");
    if (!tiff)
        return false;
    *place = (struct tw_georeference){.west = 0};
    bool known = read_scale(tiff, place) || read_transformation(tiff, place);
    if (known)
        read_system(tiff, place);
    TIFFClose(tiff);
    return known && isfinite(place->west) && isfinite(place->north) && isfinite(place->cell_x) &&
           isfinite(place->cell_y);
}

double tw_tiff_vertical_unit(TIFF *tiff)
{
    uint32_t count = 4;
    const uint16_t *keys = tw_tiff_values(tiff, TAG_GEO_KEYS, TIFF_SHORT, &count);
    switch (keys ? key_of(keys, count, KEY_VERTICAL_UNITS) : 0) {
    case UNIT_METRE:
        return 1;
    case UNIT_FOOT:
        return 0.3048;
    case UNIT_US_SURVEY_FOOT:
        return 1200.0 / 3937.0;
    default:
        return 0;
    }
}
