/* SPDX-License-Identifier: MIT */
/* Where a raw deflate stream (RFC 1951) ends, which its length in bytes does not say. */
#ifndef TW_ENGINE_BASE_DEFLATE_END_H
#define TW_ENGINE_BASE_DEFLATE_END_H

#include <stddef.h>

/* Bits of a stream that is one block with codes of its own, followed by zeros to the end of its
 * last byte. 0 where that cannot be told without reading all of it: other streams, and the few
 * whose code for the end has no bit set. */
size_t tw_deflate_find_end(const unsigned char *packed, size_t length);

#endif
