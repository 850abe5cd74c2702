/* SPDX-License-Identifier: MIT */
/* Bytes as text, RFC 4648. */
#ifndef TW_ENGINE_BASE_TEXT_BASE64_H
#define TW_ENGINE_BASE_TEXT_BASE64_H

#include <stddef.h>

/* Writes the four digits of the first three bytes, or of the `left` that are left. */
void tw_base64_group(const unsigned char *at, size_t left, char digits[4]);
/* Returns the text of all bytes, for free(); NULL when out of memory. */
char *tw_base64(const unsigned char *at, size_t length);

#endif
