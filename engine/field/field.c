/* SPDX-License-Identifier: MIT */
/* Values: allocation with checked sizes, content digests, and the scan for non-finite cells. */
#include "field/field.h"

#include "base/block.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    size_t size;
    bool grid;
} types[] = {
#define TYPE_ROW(name, text, size, grid) {text, size, grid},
    TW_TYPE_LIST(TYPE_ROW)
#undef TYPE_ROW
};

const char *tw_type_name(enum tw_type type) { return types[type].name; }
size_t tw_type_size(enum tw_type type) { return types[type].size; }
bool tw_type_is_grid(enum tw_type type) { return types[type].grid; }

bool tw_field_bytes(enum tw_type type, int32_t width, int32_t height, size_t *bytes)
{
    size_t count;
    if (width < 0 || height < 0 || __builtin_mul_overflow((size_t)width, (size_t)height, &count))
        return false;
    if (count > TW_CELLS_MAX)
        return false;
    if (types[type].grid &&
        (width < 1 || height < 1 || width > TW_SIDE_MAX || height > TW_SIDE_MAX))
        return false;
    return !__builtin_mul_overflow(count, types[type].size, bytes);
}

enum tw_status tw_field_alloc(struct tw_value *value, enum tw_type type, int32_t width,
                              int32_t height, struct tw_error *err)
{
    size_t bytes;
    if (!tw_field_bytes(type, width, height, &bytes))
        return tw_error_set(err, TW_LIMIT, "a %s of %d x %d is beyond the limits", types[type].name,
                            (int)width, (int)height);
    void *block = tw_block_alloc(bytes);
    if (!block)
        return tw_error_set(err, TW_MEMORY, "no memory for a %s of %d x %d", types[type].name,
                            (int)width, (int)height);
    *value = (struct tw_value){type, width, height, block};
    return TW_OK;
}

void tw_field_clear(struct tw_value *value)
{
    free(value->data);
    *value = (struct tw_value){.type = value->type};
}

enum tw_status tw_field_copy(struct tw_value *to, const struct tw_value *from, struct tw_error *err)
{
    enum tw_status status = tw_field_alloc(to, from->type, from->width, from->height, err);
    if (status == TW_OK)
        memcpy(to->data, from->data, tw_value_count(from) * types[from->type].size);
    return status;
}

struct tw_digest tw_field_digest(const struct tw_value *value)
{
    const size_t bytes = tw_value_count(value) * types[value->type].size;
    const uint32_t head[3] = {(uint32_t)value->type, (uint32_t)value->width,
                              (uint32_t)value->height};
    struct tw_digest body = tw_digest_of(value->data, bytes);
    unsigned char all[sizeof body + sizeof head];
    memcpy(all, body.at, sizeof body);
    for (size_t i = 0; i < sizeof head; i++)
        all[sizeof body + i] = (unsigned char)(head[i / 4] >> (8 * (i % 4)));
    return tw_digest_of(all, sizeof all);
}

/* All exponent bits set: infinite or not a number. */
static bool is_nonfinite(uint32_t bits) { return (bits & 0x7F800000u) == 0x7F800000u; }

/* Index of the first of `count` floats, or -1. In blocks, which compilers make vectors of. */
static int64_t scan(const uint32_t *bits, size_t count)
{
    for (size_t begin = 0; begin < count; begin += 4096) {
        size_t end = begin + 4096 < count ? begin + 4096 : count;
        uint32_t bad = 0;
        for (size_t i = begin; i < end; i++)
            bad |= is_nonfinite(bits[i]);
        for (size_t i = begin; bad && i < end; i++)
            if (is_nonfinite(bits[i]))
                return (int64_t)i;
    }
    return -1;
}

/* Elements of `size` bytes that begin with `floats` floats; integers follow. */
static int64_t scan_structs(const unsigned char *at, size_t count, size_t size, size_t floats)
{
    uint32_t bits[16];
    for (size_t i = 0; i < count; i++) {
        memcpy(bits, at + i * size, floats * sizeof *bits);
        if (scan(bits, floats) >= 0)
            return (int64_t)i;
    }
    return -1;
}

static int64_t scan_records(const struct tw_entry *entries, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(entries[i].number))
            return (int64_t)i;
    return -1;
}

int64_t tw_field_first_nonfinite(const struct tw_value *value)
{
    size_t count = tw_value_count(value), size = types[value->type].size;
    int64_t at;
    if (!value->data)
        return -1;
    switch (value->type) {
    case TW_HEIGHTMAP:
    case TW_MASK:
        return scan(value->data, count);
    case TW_VECTORS:
    case TW_PROFILE:
        at = scan(value->data, 2 * count);
        return at < 0 ? at : at / 2;
    case TW_POINTS:
        return scan_structs(value->data, count, size, offsetof(struct tw_point, feature) / 4);
    case TW_CURVES:
        return scan_structs(value->data, count, size, offsetof(struct tw_control, curve) / 4);
    case TW_RECORD:
        return scan_records(value->data, count);
    default:
        return -1;
    }
}
