/* SPDX-License-Identifier: MIT */
/* Values as pictures for people: a relief of heights, greys of a mask, a colour a label. */
#ifndef TW_ENGINE_REPORT_VALUE_PICTURE_H
#define TW_ENGINE_REPORT_VALUE_PICTURE_H

#include "base/memory/bytes.h"
#include "value/field.h"

#include <thalweg/thalweg.h>

/* Whether values of the type can be drawn: heightmaps, masks, labels and images. */
bool tw_value_is_drawable(enum tw_type type);
/* An image of the value's size; tw_field_clear() it. Of heights from the lowest to the highest,
 * whatever they are, with the threads of `run`. */
enum tw_status tw_value_draw(const struct tw_value *value, const struct tw_run_options *run,
                             struct tw_value *image, struct tw_error *err);
/* Of a heightmap or mask. */
void tw_value_range(const struct tw_value *map, float *low, float *high);
/* Means of blocks of cells, so that no side is longer than `side`: of heights, or of an image. */
enum tw_status tw_value_reduce(const struct tw_value *map, int32_t side, struct tw_value *reduced,
                               struct tw_error *err);

#endif
