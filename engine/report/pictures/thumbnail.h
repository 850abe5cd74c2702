/* SPDX-License-Identifier: MIT */
/* A small picture of a large one, for pages of many. */
#ifndef TW_ENGINE_REPORT_PICTURES_THUMBNAIL_H
#define TW_ENGINE_REPORT_PICTURES_THUMBNAIL_H

#include "value/field.h"

enum { TW_THUMBNAIL_SIDE = 96 };

/* Shrinks an image, mask or heightmap to at most TW_THUMBNAIL_SIDE cells a side, each the mean of
 * the cells that it covers; copies one that is small enough. */
enum tw_status tw_thumbnail(const struct tw_value *from, struct tw_value *small,
                            struct tw_error *err);

#endif
