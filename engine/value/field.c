/* SPDX-License-Identifier: MIT */
/* Values: allocation with checked sizes, content digests, and the scan for non-finite cells. */
#include "value/field.h"

#include "base/memory/block.h"
#include "base/memory/byte_order.h"
#include "base/os/cpu.h"

#include <thalweg/simd.h>

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool tw_field_bytes(enum tw_type type, int32_t width, int32_t height, size_t *bytes)
{
    size_t count;
    if (width < 0 || height < 0 || __builtin_mul_overflow((size_t)width, (size_t)height, &count))
        return false;
    if (count > TW_CELLS_MAX)
        return false;
    if (tw_type_is_grid(type) &&
        (width < 1 || height < 1 || width > TW_SIDE_MAX || height > TW_SIDE_MAX))
        return false;
    return !__builtin_mul_overflow(count, tw_type_size(type), bytes);
}

enum tw_status tw_field_alloc(struct tw_value *value, enum tw_type type, int32_t width,
                              int32_t height, struct tw_error *err)
{
    size_t bytes;
    if (!tw_field_bytes(type, width, height, &bytes))
        return tw_error_set(err, TW_LIMIT, "a %s of %d x %d is beyond the limits",
                            tw_type_name(type), (int)width, (int)height);
    void *block = tw_block_alloc(bytes);
    if (!block)
        return tw_error_set(err, TW_MEMORY, "no memory for a %s of %d x %d", tw_type_name(type),
                            (int)width, (int)height);
    *value = (struct tw_value){type, width, height, block};
    return TW_OK;
}

void tw_field_clear(struct tw_value *value)
{
    tw_block_free(value->data);
    *value = (struct tw_value){.type = value->type};
}

enum tw_status tw_field_copy(struct tw_value *to, const struct tw_value *from, struct tw_error *err)
{
    enum tw_status status = tw_field_alloc(to, from->type, from->width, from->height, err);
    if (status == TW_OK)
        memcpy(to->data, from->data, tw_value_count(from) * tw_type_size(from->type));
    return status;
}

static bool add_to_digest(void *state, const void *at, size_t length)
{
    tw_digest_add(state, at, length);
    return true;
}

struct tw_digest tw_field_digest_end(struct tw_digest_state *state, enum tw_type type,
                                     int32_t width, int32_t height)
{
    unsigned char all[sizeof(struct tw_digest) + 12];
    unsigned char *head = all + sizeof(struct tw_digest);
    struct tw_digest body = tw_digest_end(state);
    memcpy(all, body.at, sizeof body);
    tw_put_u32(head, (uint32_t)type);
    tw_put_u32(head + 4, (uint32_t)width);
    tw_put_u32(head + 8, (uint32_t)height);
    return tw_digest_of(all, sizeof all);
}

void tw_field_digest_add(struct tw_digest_state *state, const struct tw_value *rows)
{
    (void)tw_field_give_bytes(rows, add_to_digest, state);
}

struct tw_digest tw_field_digest(const struct tw_value *value)
{
    struct tw_digest_state state;
    tw_digest_begin(&state);
    tw_field_digest_add(&state, value);
    return tw_field_digest_end(&state, value->type, value->width, value->height);
}

static bool add_to_sha256(void *state, const void *at, size_t length)
{
    tw_sha256_add(state, at, length);
    return true;
}

void tw_field_sha256_begin(struct tw_sha256_state *state, enum tw_type type, int32_t width,
                           int32_t height)
{
    char head[64];
    int length =
        snprintf(head, sizeof head, "%s %d %d\n", tw_type_name(type), (int)width, (int)height);
    tw_sha256_begin(state);
    tw_sha256_add(state, head, (size_t)length);
}

void tw_field_sha256_add(struct tw_sha256_state *state, const struct tw_value *rows)
{
    (void)tw_field_give_bytes(rows, add_to_sha256, state);
}

struct tw_sha256 tw_field_sha256(const struct tw_value *value)
{
    struct tw_sha256_state state;
    tw_field_sha256_begin(&state, value->type, value->width, value->height);
    tw_field_sha256_add(&state, value);
    return tw_sha256_end(&state);
}

static bool append(void *end_at, const void *at, size_t length)
{
    unsigned char **end = end_at;
    memcpy(*end, at, length);
    *end += length;
    return true;
}

bool tw_field_content(const struct tw_value *value, const struct tw_secret *secret,
                      struct tw_sha256 *content)
{
    const struct tw_tweak head = {
        {(uint64_t)value->type, (uint64_t)value->width << 32 | (uint64_t)value->height}};
    size_t length = tw_value_count(value) * tw_type_size(value->type);
    if (TW_LITTLE_ENDIAN)
        return tw_keyed_digest(secret, head, value->data, length, content);
    unsigned char *copy = malloc(length + 1), *end = copy; /* never of 0 bytes */
    bool ok = copy && tw_field_give_bytes(value, append, &end) &&
              tw_keyed_digest(secret, head, copy, length, content);
    free(copy);
    return ok;
}

#define READ(type)                                                                                 \
    for (size_t i = 0; i < count; i++) {                                                           \
        type number;                                                                               \
        memcpy(&number, from + i * sizeof number, sizeof number);                                  \
        to[i] = (double)number;                                                                    \
    }                                                                                              \
    break

void tw_field_numbers(const struct tw_value *value, size_t first, size_t count, double *to)
{
    const struct tw_element_member *member = &tw_type(value->type)->members[0];
    const unsigned char *from = (const unsigned char *)value->data + first * member->size;
    assert(tw_type_numbers(value->type) > 0);
    switch (member->kind) {
    case TW_MEMBER_F32:
        READ(float);
    case TW_MEMBER_F64:
        READ(double);
    case TW_MEMBER_I32:
        READ(int32_t);
    case TW_MEMBER_U32:
        READ(uint32_t);
    case TW_MEMBER_U16:
        READ(uint16_t);
    case TW_MEMBER_U8:
        READ(uint8_t);
    case TW_MEMBER_TEXT:
        break;
    }
}

double tw_field_number(const struct tw_value *value, size_t i)
{
    double number = 0;
    tw_field_numbers(value, i, 1, &number);
    return number;
}

/* True for infinities and NaN: all exponent bits are set. */
static bool is_nonfinite(uint32_t bits) { return (bits & 0x7F800000u) == 0x7F800000u; }

/* Finds the greatest of `count` floats' bits, signs removed: only infinities and NaN reach the bits
 * of infinity. */
static TW_INLINE void greatest_bits_body(const uint32_t *bits, size_t count, int32_t *greatest)
{
    int32_t most = 0;
    for (size_t i = 0; i < count; i++) {
        int32_t magnitude = (int32_t)(bits[i] & 0x7FFFFFFFu);
        most = magnitude > most ? magnitude : most;
    }
    *greatest = most;
}
TW_SIMD_KERNEL(greatest_bits, (const uint32_t *bits, size_t count, int32_t *greatest),
               (bits, count, greatest))

/* Returns the index of the first non-finite float of `count`, or -1. */
static int64_t scan_floats(enum tw_simd simd, const uint32_t *bits, size_t count)
{
    enum { BLOCK = 4096 };
    for (size_t begin = 0; begin < count; begin += BLOCK) {
        size_t end = begin + BLOCK < count ? begin + BLOCK : count;
        int32_t greatest = 0;
        greatest_bits(simd)(bits + begin, end - begin, &greatest);
        for (size_t i = begin; is_nonfinite((uint32_t)greatest) && i < end; i++)
            if (is_nonfinite(bits[i]))
                return (int64_t)i;
    }
    return -1;
}

static bool member_is_finite(const struct tw_element_member *member, const unsigned char *element)
{
    uint32_t bits;
    double number;
    switch (member->kind) {
    case TW_MEMBER_F32:
        memcpy(&bits, element + member->offset, sizeof bits);
        return !is_nonfinite(bits);
    case TW_MEMBER_F64:
        memcpy(&number, element + member->offset, sizeof number);
        return isfinite(number);
    case TW_MEMBER_I32:
    case TW_MEMBER_U32:
    case TW_MEMBER_U16:
    case TW_MEMBER_U8:
    case TW_MEMBER_TEXT:
        return true;
    }
    return false; /* a kind without a case: the compiler warns, and no value is valid */
}

static int64_t scan_elements(const struct tw_type_row *row, const unsigned char *at, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (const struct tw_element_member *m = row->members; m->name; m++)
            if (!member_is_finite(m, at + i * row->size))
                return (int64_t)i;
    return -1;
}

int64_t tw_field_first_nonfinite(const struct tw_value *value)
{
    return tw_field_scan(value, tw_cpu_simd());
}

int64_t tw_field_scan(const struct tw_value *value, enum tw_simd simd)
{
    const struct tw_type_row *row = tw_type(value->type);
    size_t count = tw_value_count(value), members = 0, floats = 0, inexact = 0;
    if (!value->data)
        return -1;
    for (const struct tw_element_member *m = row->members; m->name; m++) {
        members++;
        floats += m->kind == TW_MEMBER_F32;
        inexact += m->kind == TW_MEMBER_F32 || m->kind == TW_MEMBER_F64;
    }
    if (inexact == 0)
        return -1;
    if (floats < members)
        return scan_elements(row, value->data, count);
    int64_t at = scan_floats(simd, value->data, members * count);
    return at < 0 ? at : at / (int64_t)members;
}

bool tw_field_is_valid(const struct tw_value *value)
{
    const struct tw_type_row *row = tw_type(value->type);
    for (const struct tw_element_member *m = row->members; m->name; m++) {
        const unsigned char *at = (const unsigned char *)value->data + m->offset;
        for (size_t i = 0; m->kind == TW_MEMBER_TEXT && i < tw_value_count(value); i++)
            if (!memchr(at + i * row->size, 0, m->size))
                return false;
    }
    return tw_field_first_nonfinite(value) < 0;
}
