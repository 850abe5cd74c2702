/* SPDX-License-Identifier: MIT */
/* Raw deflate (RFC 1951) in parts that join: each ends on a byte boundary and refers to nothing
 * before it, so parts may be made in any order and at the same time; one after the other, with
 * TW_DEFLATE_END, they are a stream. The bytes depend on the data, the level and the libraries. */
#ifndef TW_ENGINE_BASE_MEMORY_DEFLATE_H
#define TW_ENGINE_BASE_MEMORY_DEFLATE_H

#include <stddef.h>
#include <stdint.h>

/* The empty last block. */
#define TW_DEFLATE_END "\x03\x00"
enum { TW_DEFLATE_END_BYTES = 2, TW_DEFLATE_FASTEST = 1 };

/* What one thread needs at a time; NULL without memory. Levels are zlib's, 1 to 9; 1 is ISA-L's
 * where the build has it. */
struct tw_deflate;
struct tw_deflate *tw_deflate_create(int level);
void tw_deflate_release(struct tw_deflate *deflate);

/* What a part of so many bytes takes at most. */
size_t tw_deflate_bound(size_t length);
/* Writes a part of less than 2^31 bytes to `to` and returns how long it became; what does not
 * fit the bound is stored, as all is with NULL. */
size_t tw_deflate_part(struct tw_deflate *deflate, const unsigned char *from, size_t length,
                       unsigned char *to);

/* The sum of what a zlib stream unpacks to (RFC 1950), and of a chunk of a PNG. */
uint32_t tw_adler32(const void *data, size_t length);
uint32_t tw_crc32(const void *data, size_t length);

#endif
