/* SPDX-License-Identifier: MIT */
/* What codec_png.c (the format) and png_read.c (libpng) share. */
#ifndef TW_ENGINE_FIELD_PNG_PRIVATE_H
#define TW_ENGINE_FIELD_PNG_PRIVATE_H

#include "field/codec.h"

enum { TW_PNG_SIGNATURE = 8, TW_PNG_CHUNK_HEAD = 8, TW_PNG_CHUNK_SUM = 4 }; /* bytes */

/* TW_INPUT when a file of `length` bytes cannot hold what its head says, `bits` a pixel: it is not
 * read, and nothing is allocated for it. */
enum tw_status tw_png_check_ratio(uint64_t width, uint64_t height, uint64_t bits, uint64_t length,
                                  struct tw_error *err);

#endif
