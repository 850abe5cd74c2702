/* SPDX-License-Identifier: MIT */
/* Files of other programs, built byte by byte in `file`, and what the engine reads of them. */
#ifndef TW_TESTS_SUPPORT_FOREIGN_H
#define TW_TESTS_SUPPORT_FOREIGN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "format/format.h"

#include <stdio.h>
#include <string.h>

static struct tw_bytes file;

static inline void put(uint64_t number, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        unsigned char byte = (unsigned char)(number >> 8 * i);
        assert_int_equal(tw_bytes_append(&file, &byte, 1, NULL), TW_OK);
    }
}

static inline void put_text(const void *at, size_t length)
{
    assert_int_equal(tw_bytes_append(&file, at, length, NULL), TW_OK);
}

static inline void pad(size_t length)
{
    while (file.length < length)
        put(0, 1);
}

static inline bool has(const char *ending)
{
    return !tw_format_find(ending, TW_HEIGHTMAP, false)->lacks;
}

/* Describes the file's cells, as "3x2: 1 2 3 4 5 6" with three numbers per pixel in colour, or the
 * error. */
static inline void read_file(const char *name, char *text, size_t size)
{
    struct tw_value out = {0};
    struct tw_error err = {0};
    if (tw_format_decode(file.at, file.length, name, &out, &err) != TW_OK) {
        snprintf(text, size, "%s", err.message);
        return;
    }
    const bool image = out.type == TW_IMAGE;
    const size_t count = tw_value_count(&out) * (image ? 3 : 1);
    int used = snprintf(text, size, "%dx%d:", (int)out.width, (int)out.height);
    for (size_t i = 0; i < count && (size_t)used < size; i++)
        used += snprintf(text + used, size - (size_t)used, " %.9g",
                         image ? tw_pixels(&out)[i] : (double)tw_floats(&out)[i]);
    tw_field_clear(&out);
}

static inline void expect(const char *label, const char *name, const char *expected)
{
    char text[300];
    read_file(name, text, sizeof text);
    if (strcmp(text, expected) != 0)
        fail_msg("%s: \"%s\"; expected \"%s\"", label, text, expected);
}

#endif
