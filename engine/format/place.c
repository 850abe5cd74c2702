/* SPDX-License-Identifier: MIT */
#include "format/place.h"

#include "format/epsg.h"

#include <math.h>
#include <string.h>

bool tw_place_looks_like_degrees(const struct tw_file_place *place, int32_t width, int32_t height)
{
    const double cell_max = 0.2; /* 12 arc minutes; no grid in metres near the origin is as fine */
    const double margin = place->cell_x;
    return place->cell_x <= cell_max && place->cell_y <= cell_max && place->west >= -180 - margin &&
           place->west + place->cell_x * width <= 360 + margin && place->north <= 90 + margin &&
           place->north - place->cell_y * height >= -90 - margin;
}

double tw_place_metres(const char *unit)
{
    if (!unit)
        return 1;
    return strcmp(unit, "US survey feet") == 0 ? 1200.0 / 3937.0
           : strcmp(unit, "feet") == 0         ? 0.3048
                                               : 0;
}

struct tw_file_place tw_place_of(const struct tw_georeference *at)
{
    const bool degrees = at->unit && strcmp(at->unit, TW_EPSG_UNPROJECTED) == 0;
    const double metres = tw_place_metres(at->unit);
    const bool on_globe =
        at->west >= -361 && at->west <= 361 && at->north >= -91 && at->north <= 91;
    if (at->turned || !(at->cell_x > 0) || !(at->cell_y > 0) || !isfinite(at->west) ||
        !isfinite(at->north) || (degrees ? !on_globe : metres == 0))
        return (struct tw_file_place){.known = false};
    return (struct tw_file_place){true,       at->west,   at->north,
                                  at->cell_x, at->cell_y, degrees ? 0 : metres};
}
