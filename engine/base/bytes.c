/* SPDX-License-Identifier: MIT */
/* The capacity grows by half, so that appending byte by byte stays linear. A large buffer grows
 * eightfold where there is address space for that: memory that is not written is not taken, and a
 * buffer that moves is copied and has all its pages taken anew. */
#include "base/bytes.h"

#include "base/block.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE = 256 << 10 };

static bool grow(struct tw_bytes *bytes, size_t capacity)
{
    unsigned char *at = tw_block_grow(bytes->at, bytes->length, capacity);
    if (!at)
        return false;
    bytes->at = at;
    bytes->capacity = capacity;
    return true;
}

static enum tw_status reserve(struct tw_bytes *bytes, size_t length, struct tw_error *err)
{
    size_t needed, capacity, roomy;
    if (bytes->stop && atomic_load_explicit(bytes->stop, memory_order_relaxed))
        return tw_error_set(err, TW_CANCELLED, "stopped");
    if (__builtin_add_overflow(bytes->length, length, &needed) ||
        __builtin_add_overflow(needed, needed / 2 + 256, &capacity))
        return tw_error_set(err, TW_MEMORY, "a buffer grew beyond memory");
    if (needed <= bytes->capacity)
        return TW_OK;
    const bool large = needed >= LARGE && !__builtin_mul_overflow(needed, 8, &roomy);
    if ((large && grow(bytes, roomy)) || grow(bytes, capacity))
        return TW_OK;
    return tw_error_set(err, TW_MEMORY, "out of memory");
}

enum tw_status tw_bytes_append(struct tw_bytes *bytes, const void *data, size_t length,
                               struct tw_error *err)
{
    enum tw_status status = reserve(bytes, length, err);
    if (status != TW_OK || length == 0)
        return status;
    memcpy(bytes->at + bytes->length, data, length);
    bytes->length += length;
    return TW_OK;
}

enum tw_status tw_bytes_write_at(struct tw_bytes *bytes, size_t offset, const void *data,
                                 size_t length, struct tw_error *err)
{
    size_t end;
    if (__builtin_add_overflow(offset, length, &end))
        return tw_error_set(err, TW_MEMORY, "a buffer grew beyond memory");
    enum tw_status status = end > bytes->length ? reserve(bytes, end - bytes->length, err) : TW_OK;
    if (status != TW_OK || length == 0)
        return status;
    if (offset > bytes->length)
        memset(bytes->at + bytes->length, 0, offset - bytes->length);
    memcpy(bytes->at + offset, data, length);
    bytes->length = end > bytes->length ? end : bytes->length;
    return TW_OK;
}

enum tw_status tw_bytes_print(struct tw_bytes *bytes, struct tw_error *err, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0)
        return tw_error_set(err, TW_MEMORY, "a text cannot be printed");
    enum tw_status status = reserve(bytes, (size_t)length + 1, err);
    if (status != TW_OK)
        return status;
    va_start(arguments, format);
    vsnprintf((char *)bytes->at + bytes->length, (size_t)length + 1, format, arguments);
    va_end(arguments);
    bytes->length += (size_t)length;
    return TW_OK;
}
