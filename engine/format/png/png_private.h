/* SPDX-License-Identifier: MIT */
/* Shared by codec_png.c (the format), png_rows.c (its row writer), png_write.c (strips) and
 * png_read.c (libpng). */
#ifndef TW_ENGINE_FORMAT_PNG_PNG_PRIVATE_H
#define TW_ENGINE_FORMAT_PNG_PNG_PRIVATE_H

#include "format/format.h"

#include <stdatomic.h>

enum { TW_PNG_SIGNATURE = 8, TW_PNG_CHUNK_HEAD = 8, TW_PNG_CHUNK_SUM = 4 }; /* bytes */

/* TW_INPUT if a file of `length` bytes cannot hold what its header claims, at `bits` per pixel.
 * Checked before anything is read or allocated. */
enum tw_status tw_png_check_ratio(uint64_t width, uint64_t height, uint64_t bits, uint64_t length,
                                  struct tw_error *err);

/* ---- png_write.c: a file in pieces ---- */

struct tw_png_image;
/* NULL when out of memory. `stop` may be NULL. */
struct tw_png_image *tw_png_create(const struct tw_png_rows *rows, const atomic_bool *stop);
void tw_png_release(struct tw_png_image *image); /* ignores NULL */
/* Returns the memory that packing takes with one thread, including the rows of a wave. */
uint64_t tw_png_bytes(const struct tw_png_rows *rows);

/* Returns the memory that tw_png_encode_rows() takes with so many threads, excluding a
 * compressor. */
uint64_t tw_png_encode_bytes(const struct tw_png_rows *rows, int32_t threads);

/* Writes everything before the rows; its length depends on the lengths of the texts. */
enum tw_status tw_png_head(const struct tw_png_rows *rows, struct tw_bytes *out,
                           struct tw_error *err);
/* Packs as many strips as the rows before `ready` fill; requests rows from tw_png_next() - 1 on. */
enum tw_status tw_png_pack(struct tw_png_image *image, int32_t ready, struct tw_bytes *out,
                           struct tw_error *err);
int32_t tw_png_next(const struct tw_png_image *image);
/* Returns how many rows are packed at a time, at most. */
int32_t tw_png_wave(const struct tw_png_image *image);
/* Writes the end, after the last row. */
enum tw_status tw_png_end(const struct tw_png_image *image, struct tw_bytes *out,
                          struct tw_error *err);

/* ---- codec_png.c, for the row writer ---- */

/* Fills in `rows` except its fill(), with notes that name `content`. */
void tw_png_describe(const struct tw_encoding *encoding, const struct tw_sha256 *content,
                     struct tw_png_rows *rows);
/* Converts row y of a value to the file's form; false if a height is outside the range. */
bool tw_png_fill(const struct tw_encoding *encoding, int32_t y, unsigned char *row);
enum tw_status tw_png_outside(const struct tw_encoding *encoding, struct tw_error *err);
extern const struct tw_row_writer tw_png_row_writer;

#endif
