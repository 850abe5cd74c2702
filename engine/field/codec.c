/* SPDX-License-Identifier: MIT */
/* Which codec reads a file: its first bytes decide, never its name. */
#include "field/codec.h"

#include <stdlib.h>
#include <string.h>

enum tw_status tw_bytes_append(struct tw_bytes *bytes, const void *data, size_t length,
                               struct tw_error *err)
{
    size_t wanted;
    if (__builtin_add_overflow(bytes->length, length, &wanted))
        return tw_error_set(err, TW_MEMORY, "a buffer grew beyond memory");
    if (wanted > bytes->capacity) {
        size_t capacity = wanted + wanted / 2 + 256;
        unsigned char *at = realloc(bytes->at, capacity);
        if (!at)
            return tw_error_set(err, TW_MEMORY, "out of memory");
        bytes->at = at;
        bytes->capacity = capacity;
    }
    if (length)
        memcpy(bytes->at + bytes->length, data, length);
    bytes->length = wanted;
    return TW_OK;
}

enum tw_status tw_codec_decode(const unsigned char *data, size_t length, const char *name,
                               struct tw_value *out, struct tw_error *err)
{
    if (length >= 8 && memcmp(data, "\x89PNG\r\n\x1a\n", 8) == 0)
        return tw_png_decode(data, length, out, err);
    if (length >= 6 && memcmp(data, "\x93NUMPY", 6) == 0)
        return tw_npy_decode(data, length, out, err);
    return tw_error_set(err, TW_INPUT, "%s is no height map that we read: .png and .npy", name);
}
