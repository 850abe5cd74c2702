/* SPDX-License-Identifier: MIT */
/* Huffman codes of limited length, canonical as deflate numbers them (RFC 1951, 3.2.2). */
#ifndef TW_ENGINE_BASE_HUFFMAN_H
#define TW_ENGINE_BASE_HUFFMAN_H

#include <stdint.h>

#define TW_HUFFMAN_SYMBOLS_MAX 288

/* Lengths of a prefix code for `count` symbols that occur `counts[]` times each, none longer than
 * `limit`, which is 15 at most and leaves room for all; 0 for one that does not occur. A single
 * symbol gets length 1. Equal counts give equal lengths on every machine. */
void tw_huffman_lengths(const uint32_t *counts, int count, int limit, unsigned char *lengths);

/* The codes of these lengths, their first bit lowest, as deflate writes them. */
void tw_huffman_codes(const unsigned char *lengths, int count, uint16_t *codes);

#endif
