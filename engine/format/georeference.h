/* SPDX-License-Identifier: MIT */
/* The place of a foreign map, as its file gives it. */
#ifndef TW_ENGINE_FORMAT_GEOREFERENCE_H
#define TW_ENGINE_FORMAT_GEOREFERENCE_H

#include <stdbool.h>
#include <stdint.h>

/* The north-west corner of the north-west cell, in the units of the system, such as metres. */
struct tw_georeference {
    double west, north;
    double cell_x, cell_y; /* sizes of a cell, positive */
    char system[40];       /* "EPSG:32632"; "" if unknown */
    int32_t epsg;          /* code of the system; 0 if unknown */
    const char *unit;      /* "US survey feet"; NULL: metres, or unknown */
    bool turned;           /* rotated against north, or mirrored: sizes and corner are 0 */
};

#endif
