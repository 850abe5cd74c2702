/* SPDX-License-Identifier: MIT */
/* The place of a file's map as nodes see it, from what its format says. */
#ifndef TW_ENGINE_FORMAT_PLACE_H
#define TW_ENGINE_FORMAT_PLACE_H

#include "format/format.h"

/* Returns whether a place without a system, of so many cells, is most likely in degrees: on the
 * globe, with small cells. */
bool tw_place_looks_like_degrees(const struct tw_file_place *place, int32_t width, int32_t height);
/* Converts a place; unknown if it is turned or in an unknown unit. */
struct tw_file_place tw_place_of(const struct tw_georeference *at);
/* Returns the metres of a unit of lengths: 1 for NULL, 0 if it is unknown. */
double tw_place_metres(const char *unit);

#endif
