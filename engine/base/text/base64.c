/* SPDX-License-Identifier: MIT */
#include "base/text/base64.h"

#include <stdint.h>
#include <stdlib.h>

void tw_base64_group(const unsigned char *at, size_t left, char digits[4])
{
    static const char all[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned word =
        (unsigned)at[0] << 16 | (left > 1 ? (unsigned)at[1] << 8 : 0) | (left > 2 ? at[2] : 0);
    digits[0] = all[word >> 18];
    digits[1] = all[word >> 12 & 63];
    digits[2] = digits[3] = '=';
    if (left > 1)
        digits[2] = all[word >> 6 & 63];
    if (left > 2)
        digits[3] = all[word & 63];
}

char *tw_base64(const unsigned char *at, size_t length)
{
    char *text = length < SIZE_MAX / 2 ? malloc((length + 2) / 3 * 4 + 1) : NULL;
    char *to = text;
    for (size_t i = 0; text && i < length; i += 3, to += 4)
        tw_base64_group(at + i, length - i, to);
    if (text)
        *to = 0;
    return text;
}
