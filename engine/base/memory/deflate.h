/* SPDX-License-Identifier: MIT */
/* Raw deflate (RFC 1951) in parts that can be joined: each ends on a byte boundary and refers to
 * nothing before it, so parts may be packed in any order and in parallel. Concatenated and followed
 * by TW_DEFLATE_END they form a stream. The bytes depend on the data, the level and the
 * libraries. */
#ifndef TW_ENGINE_BASE_MEMORY_DEFLATE_H
#define TW_ENGINE_BASE_MEMORY_DEFLATE_H

#include <stddef.h>
#include <stdint.h>

/* The empty last block of a stream. */
#define TW_DEFLATE_END "\x03\x00"
enum { TW_DEFLATE_END_BYTES = 2, TW_DEFLATE_FASTEST = 1 };

/* State of one packing thread; NULL when out of memory. Levels are zlib's, 1 to 9; ISA-L does level
 * 1 if the build has it. */
struct tw_deflate;
struct tw_deflate *tw_deflate_create(int level);
void tw_deflate_release(struct tw_deflate *deflate);

/* Returns the maximum length of a packed part of so many bytes. */
size_t tw_deflate_bound(size_t length);
/* Writes a packed part of less than 2^31 bytes to `to` and returns its length. Stores a part that
 * would not fit the bound, and every part if `deflate` is NULL. */
size_t tw_deflate_part(struct tw_deflate *deflate, const unsigned char *from, size_t length,
                       unsigned char *to);

/* Checksums of the unpacked bytes of a zlib stream (RFC 1950), and of a PNG chunk. */
uint32_t tw_adler32(const void *data, size_t length);
uint32_t tw_crc32(const void *data, size_t length);

#endif
