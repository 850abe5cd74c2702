/* SPDX-License-Identifier: MIT */
/* Metres of a file's cells. Degrees are those of WGS 84: on a parallel by its radius, on a meridian
 * by its curvature at the middle latitude of the map. */
#ifndef THALWEG_EARTH_H
#define THALWEG_EARTH_H

#include <thalweg/field.h>
#include <thalweg/kernel.h>
#include <thalweg/utm.h>

#include <math.h>

#define TW_EARTH_RADIUS 6378137.0            /* of the equator, in metres */
#define TW_EARTH_FLATNESS 0.0066943799901413 /* square of the ellipse's eccentricity */
#define TW_DEGREE 0.017453292519943295

/* Metres of a degree of longitude at a latitude; hardly above 0 at the poles. */
static inline double tw_earth_longitude(double latitude)
{
    const double s = tw_sin_degrees(latitude), c = tw_cos_degrees(latitude);
    const double shrunk = c > 1e-6 ? c : 1e-6;
    return TW_DEGREE * TW_EARTH_RADIUS * shrunk / sqrt(1 - TW_EARTH_FLATNESS * s * s);
}

/* Metres of a degree of latitude at a latitude. */
static inline double tw_earth_latitude(double latitude)
{
    const double s = tw_sin_degrees(latitude), w = 1 - TW_EARTH_FLATNESS * s * s;
    return TW_DEGREE * TW_EARTH_RADIUS * (1 - TW_EARTH_FLATNESS) / (w * sqrt(w));
}

/* The middle latitude of a file's map of so many rows, in degrees. */
static inline double tw_earth_middle(const struct tw_file_place *place, int32_t height)
{
    const double latitude = place->north - place->cell_y * height / 2;
    return latitude > 90 ? 90 : latitude < -90 ? -90 : latitude;
}

/* Metres of a cell of a file with a known place, at its middle. */
static inline void tw_earth_cell(const struct tw_file_place *place, int32_t height, double *cell_x,
                                 double *cell_y)
{
    const double middle = tw_earth_middle(place, height);
    const bool degrees = place->metres == 0;
    *cell_x = place->cell_x * (degrees ? tw_earth_longitude(middle) : place->metres);
    *cell_y = place->cell_y * (degrees ? tw_earth_latitude(middle) : place->metres);
}

/* Metres of the side, from west to east, of the largest map of width x height square cells that
 * lies inside a file's map. */
static inline double tw_earth_side(const struct tw_file_facts *file, int32_t width, int32_t height)
{
    double cell_x, cell_y;
    tw_earth_cell(&file->place, file->height, &cell_x, &cell_y);
    const double across = cell_x * file->width, down = cell_y * file->height;
    const double fits = down * ((double)width / height);
    return across < fits ? across : fits;
}

/* How far meridians turn from columns at a border of the sinusoidal map of a file in degrees, at
 * most, in degrees: by the half width times the sine of the latitude, whose tangent that is. */
static inline double tw_earth_lean(const struct tw_file_place *place, int32_t width, int32_t height)
{
    const double south = place->north - place->cell_y * height;
    const double farthest = fabs(south) > fabs(place->north) ? south : place->north;
    const double half = place->cell_x * width / 2 * TW_DEGREE;
    return tw_atan2(half * fabs(tw_sin_degrees(farthest)), 1) / TW_DEGREE;
}

/* A map of square cells in a zone of UTM, about the middle of a file whose cells are degrees. */
struct tw_utm_map {
    struct tw_utm utm;
    int32_t zone;
    bool south;
    double west, north; /* of its north-west corner, in metres of the zone */
    double cell;        /* side of a cell */
};

/* The map in that zone, 0 for the one in which the file's middle lies. */
static inline struct tw_utm_map tw_earth_utm(const struct tw_file_facts *file, int32_t zone,
                                             int32_t width, int32_t height)
{
    const struct tw_file_place *place = &file->place;
    const double longitude = tw_utm_turn(place->west + place->cell_x * file->width / 2);
    const double latitude = tw_earth_middle(place, file->height);
    struct tw_utm_map map = {.zone = zone > 0 ? zone : tw_utm_zone(longitude, latitude),
                             .south = latitude < 0,
                             .cell = tw_earth_side(file, width, height) / width};
    double east, north;
    map.utm = tw_utm_of(map.zone, map.south);
    tw_utm_forward(&map.utm, longitude, latitude, &east, &north);
    map.west = east - map.cell * width / 2;
    map.north = north + map.cell * height / 2;
    return map;
}

#endif
