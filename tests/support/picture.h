/* SPDX-License-Identifier: MIT */
/* Pictures as files beside a test's recipes: tests run in a folder of their own. */
#ifndef TW_TESTS_PICTURE_H
#define TW_TESTS_PICTURE_H

#include "support/harness.h"

#include "field/codec.h"

#include <stdio.h>
#include <stdlib.h>

/* Heightmaps in 0..1 become grey of `bits`, images colour of 8 bits. */
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

#endif
