/* SPDX-License-Identifier: MIT */
/* Measures how much two maps of one size differ, and draws it. */
#ifndef TW_ENGINE_GATE_MAP_DIFFERENCE_H
#define TW_ENGINE_GATE_MAP_DIFFERENCE_H

#include "value/field.h"

struct tw_map_difference {
    int64_t cells, differing;
    double mean; /* of |b - a|, over all channels of an image */
    double greatest, rms;
    double percent; /* 100 mean: 100 is zeros against ones (Olsen 2004, "Thermal erosion") */
    int32_t x, y;   /* of the greatest difference; the first in reading order */
};

/* Whether two values can be compared cell by cell: grids of one type and size. */
bool tw_map_is_comparable(const struct tw_value *a, const struct tw_value *b);
struct tw_map_difference tw_map_difference_find(const struct tw_value *a, const struct tw_value *b);
/* Draws b - a: white where equal, red where b is higher, blue where it is lower, darkest at `scale`
 * (the greatest difference, or a scale shared with other pictures). */
enum tw_status tw_map_difference_draw(const struct tw_value *a, const struct tw_value *b,
                                      double scale, struct tw_value *image, struct tw_error *err);

#endif
