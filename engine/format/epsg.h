/* SPDX-License-Identifier: MIT */
/* Which coordinate systems, by EPSG code, measure a map in metres. */
#ifndef TW_ENGINE_FORMAT_EPSG_H
#define TW_ENGINE_FORMAT_EPSG_H

#include <stdint.h>

#define TW_EPSG_UNPROJECTED "degrees or heights"
/* Returns the unit of the system's coordinates, as in "US survey feet" or TW_EPSG_UNPROJECTED.
 * NULL: metres, or an unknown code. */
const char *tw_epsg_unit(int32_t code);

/* Returns the code of the zone of Universal Transverse Mercator on WGS 84 that contains a place,
 * respecting the wider zones of Norway and Svalbard; near the poles that of Universal Polar
 * Stereographic. Degrees from -180 to 180 and -90 to 90. */
int32_t tw_epsg_utm(double longitude, double latitude);

#endif
