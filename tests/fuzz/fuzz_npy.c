/* SPDX-License-Identifier: MIT */
/* Any bytes are a .npy of sound size or refused with a message, by rows as whole, and what was read
 * can be written. */
#include "fuzz.h"

#include "format/format.h"

#include <stdlib.h>
#include <string.h>

extern const struct tw_format tw_format_npy;

/* What the reader of rows makes of it is the same, but for files whose columns lie together. */
static void read_by_rows(const uint8_t *data, size_t size, const struct tw_value *whole)
{
    const struct tw_codec_head head = {.at = data, .length = size, .file_length = size};
    struct tw_value value = {0};
    struct tw_error error = {0};
    uint64_t held = 0;
    bool expected = whole->data && tw_format_has_rows(&tw_format_npy, &head, &held);
    if ((tw_codec_decode(tw_format_npy.read_rows, data, size, NULL, TW_NO_WISH, &value, &error) ==
         TW_OK) != expected)
        abort();
    if (expected ? value.width != whole->width || value.height != whole->height ||
                       memcmp(value.data, whole->data, tw_value_count(whole) * sizeof(float)) != 0
                 : value.data || !error.message[0])
        abort();
    tw_field_clear(&value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tw_value value = {0};
    struct tw_bytes bytes = {0};
    struct tw_error error = {0};
    enum tw_status status = tw_npy_decode(data, size, &value, &error);
    if (status == TW_OK ? !value.data || value.width < 1 || value.height < 1
                        : value.data || !error.message[0])
        abort();
    read_by_rows(data, size, &value);
    if (status == TW_OK && tw_field_first_nonfinite(&value) < 0 &&
        tw_npy_encode(&value, &bytes, &error) != TW_OK)
        abort();
    free(bytes.at);
    tw_field_clear(&value);
    return 0;
}
