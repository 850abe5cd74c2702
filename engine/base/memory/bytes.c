/* SPDX-License-Identifier: MIT */
/* The capacity grows by half, so that appending byte by byte stays linear. A large buffer grows
 * eightfold if there is address space: unwritten memory is not taken, while moving a buffer copies
 * it and takes all its pages again. */
#include "base/memory/bytes.h"

#include "base/memory/block.h"

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
    const bool large =
        !bytes->target && needed >= LARGE && !__builtin_mul_overflow(needed, 8, &roomy);
    if ((large && grow(bytes, roomy)) || grow(bytes, capacity))
        return TW_OK;
    return tw_error_set(err, TW_MEMORY, "out of memory");
}

uint64_t tw_bytes_end(const struct tw_bytes *bytes) { return bytes->handed_on + bytes->length; }

enum tw_status tw_bytes_hand_on(struct tw_bytes *bytes, struct tw_error *err)
{
    const struct tw_byte_target *target = bytes->target;
    enum tw_status status = target->write(target->context, bytes->at, bytes->length, err);
    if (status == TW_OK) {
        bytes->handed_on += bytes->length;
        bytes->length = 0;
    }
    return status;
}

static enum tw_status hand_on_piece(struct tw_bytes *bytes, struct tw_error *err)
{
    const bool full = bytes->target && bytes->length >= TW_BYTES_PIECE;
    return full ? tw_bytes_hand_on(bytes, err) : TW_OK;
}

static enum tw_status append(struct tw_bytes *bytes, const void *data, size_t length,
                             struct tw_error *err)
{
    enum tw_status status = reserve(bytes, length, err);
    if (status != TW_OK || length == 0)
        return status;
    memcpy(bytes->at + bytes->length, data, length);
    bytes->length += length;
    return hand_on_piece(bytes, err);
}

enum tw_status tw_bytes_append(struct tw_bytes *bytes, const void *data, size_t length,
                               struct tw_error *err)
{
    const unsigned char *at = data;
    enum tw_status status = TW_OK;
    for (; status == TW_OK && bytes->target && length > TW_BYTES_PIECE; at += TW_BYTES_PIECE) {
        status = append(bytes, at, TW_BYTES_PIECE, err);
        length -= TW_BYTES_PIECE;
    }
    return status == TW_OK ? append(bytes, at, length, err) : status;
}

/* Overwrites bytes that the target has already taken; *part is how many. */
static enum tw_status patch(const struct tw_bytes *bytes, uint64_t offset, const void *data,
                            size_t length, size_t *part, struct tw_error *err)
{
    const struct tw_byte_target *target = bytes->target;
    const uint64_t before = offset < bytes->handed_on ? bytes->handed_on - offset : 0;
    *part = before < length ? (size_t)before : length;
    return *part > 0 ? target->patch(target->context, offset, data, *part, err) : TW_OK;
}

/* Writes into the buffer. */
static enum tw_status write_at(struct tw_bytes *bytes, size_t offset, const void *data,
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
    return hand_on_piece(bytes, err);
}

enum tw_status tw_bytes_write_at(struct tw_bytes *bytes, uint64_t offset, const void *data,
                                 size_t length, struct tw_error *err)
{
    size_t part;
    enum tw_status status = patch(bytes, offset, data, length, &part, err);
    if (status != TW_OK || part == length)
        return status;
    return write_at(bytes, (size_t)(offset + part - bytes->handed_on),
                    (const unsigned char *)data + part, length - part, err);
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
    return hand_on_piece(bytes, err);
}
