/* SPDX-License-Identifier: MIT */
/* Converts the bytes of files that tests build or read, on machines of either byte order. */
#ifndef TW_TESTS_SUPPORT_LITTLE_ENDIAN_H
#define TW_TESTS_SUPPORT_LITTLE_ENDIAN_H

#include "base/memory/byte_order.h"

/* Converts `count` numbers of `size` bytes between the machine's order and little-endian. */
static inline void to_little_endian(void *numbers, size_t count, size_t size)
{
    unsigned char number[8], *at = numbers;
    for (size_t i = 0; !TW_LITTLE_ENDIAN && i < count; i++, at += size) {
        memcpy(number, at, size);
        tw_reverse_bytes(at, number, size);
    }
}

#endif
