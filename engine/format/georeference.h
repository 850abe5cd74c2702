/* SPDX-License-Identifier: MIT */
/* Where a map of others lies, as its file says. */
#ifndef TW_ENGINE_FORMAT_GEOREFERENCE_H
#define TW_ENGINE_FORMAT_GEOREFERENCE_H

#include <stdbool.h>
#include <stdint.h>

/* Of the north-west corner of the north-west cell, in the units of the system, as metres. */
struct tw_georeference {
    double west, north;
    double cell_x, cell_y; /* sizes of a cell, above 0 */
    char system[40];       /* "EPSG:32632"; "" where the file does not say */
    int32_t epsg;          /* its code; 0 where the file does not say */
    const char *unit;      /* "US survey feet"; NULL: metres, or the file does not say */
    bool turned;           /* against north, or mirrored: sizes and corner are 0 */
};

#endif
