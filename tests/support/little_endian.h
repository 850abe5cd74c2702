/* SPDX-License-Identifier: MIT */
/* For tests that build or read the bytes of files, on machines of either order. */
#ifndef TW_TESTS_SUPPORT_LITTLE_ENDIAN_H
#define TW_TESTS_SUPPORT_LITTLE_ENDIAN_H

#include "base/memory/byte_order.h"

/* Turns `count` numbers of `size` bytes from the machine's order into that of files, or back. */
static inline void to_little_endian(void *numbers, size_t count, size_t size)
{
    unsigned char number[8], *at = numbers;
    for (size_t i = 0; !TW_LITTLE_ENDIAN && i < count; i++, at += size) {
        memcpy(number, at, size);
        tw_reverse_bytes(at, number, size);
    }
}

#endif
