/* SPDX-License-Identifier: MIT */
/* Draws values for people: heights as relief, masks in greys, one colour per label. */
#ifndef TW_ENGINE_REPORT_PICTURES_VALUE_PICTURE_H
#define TW_ENGINE_REPORT_PICTURES_VALUE_PICTURE_H

#include "base/memory/bytes.h"
#include "value/field.h"

#include <thalweg/thalweg.h>

/* Whether values of the type can be drawn: heightmaps, masks, labels and images. */
bool tw_value_is_drawable(enum tw_type type);
/* Draws an image of the value's size; tw_field_clear() it. Heights scale from the lowest to the
 * highest. Uses the threads of `run`. */
enum tw_status tw_value_draw(const struct tw_value *value, const struct tw_run_options *run,
                             struct tw_value *image, struct tw_error *err);
/* Lowest and highest value of a heightmap or mask. */
void tw_value_range(const struct tw_value *map, float *low, float *high);
/* Averages blocks of cells of a height map or image, so that no side is longer than `side`. */
enum tw_status tw_value_reduce(const struct tw_value *map, int32_t side, struct tw_value *reduced,
                               struct tw_error *err);

#endif
