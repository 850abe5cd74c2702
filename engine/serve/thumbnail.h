/* SPDX-License-Identifier: MIT */
#ifndef TW_ENGINE_SERVE_THUMBNAIL_H
#define TW_ENGINE_SERVE_THUMBNAIL_H

#include "base/memory/bytes.h"
#include "value/field.h"

/* Draws a heightmap, mask, labels or image as a PNG of at most 112 pixels a side. It takes about a
 * millisecond and no other thread, since a run waits for it. */
enum tw_status tw_thumbnail_encode(const struct tw_value *value, struct tw_bytes *png,
                                   struct tw_error *err);

#endif
