/* SPDX-License-Identifier: MIT */
/* Reads and writes pictures: next to a test's recipes, or in docs/. */
#ifndef TW_TESTS_SUPPORT_PICTURE_H
#define TW_TESTS_SUPPORT_PICTURE_H

#include "support/harness.h"

#include "format/codec.h"
#include "value/field.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes heightmaps in 0..1 in grey of `bits`, images in colour of 8 bits. */
static inline void picture_write(const char *name, const struct tw_value *picture, int bits)
{
    struct tw_export_range range = {.low = 0, .high = 1, .bits = bits};
    struct tw_bytes bytes = {0};
    assert_int_equal(tw_png_encode(picture, &range, &bytes, NULL), TW_OK);
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes.at, 1, bytes.length, file), bytes.length);
    assert_int_equal(fclose(file), 0);
    free(bytes.at);
}

/* False if the file is missing or no picture. Release with tw_field_clear(). */
static inline bool picture_read(const char *path, struct tw_value *picture)
{
    static unsigned char data[1 << 23];
    FILE *file = fopen(path, "rb");
    size_t length = file ? fread(data, 1, sizeof data, file) : 0;
    if (file)
        fclose(file);
    return tw_png_decode(data, length, picture, NULL) == TW_OK;
}

/* A heightmap as .npy in Fortran order, which cannot be read by rows. */
static inline struct tw_bytes picture_columns(const struct tw_value *map)
{
    struct tw_bytes bytes = {0};
    assert_int_equal(tw_npy_encode(map, &bytes, NULL), TW_OK);
    char *order = strstr((char *)bytes.at + 10, "False, ");
    assert_non_null(order);
    memcpy(order, "True,  ", 7);
    float *cells = (float *)(void *)(bytes.at + 128);
    for (int32_t x = 0; x < map->width; x++)
        for (int32_t y = 0; y < map->height; y++)
            *cells++ = tw_floats(map)[(size_t)y * (size_t)map->width + (size_t)x];
    return bytes;
}

/* Compares pixels, since another zlib may pack them in other bytes. */
static inline bool picture_same(const struct tw_value *a, const struct tw_value *b)
{
    return a->type == b->type && a->width == b->width && a->height == b->height &&
           memcmp(a->data, b->data, tw_value_count(a) * tw_type_size(a->type)) == 0;
}

#endif
