/* SPDX-License-Identifier: MIT */
/* Any bytes are a .png of sound size or refused with a message, and what was read can be written.
 */
#include "fuzz.h"

#include "format/codec.h"

#include <stdlib.h>
#include <string.h>

static uint32_t crc_of(const uint8_t *at, size_t length)
{
    uint32_t crc = 0xFFFFFFFFu;
    for (size_t i = 0; i < length; i++) {
        crc ^= at[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    return ~crc;
}

/* Puts the right check sum on every chunk, as nearly all mutations would stop at a wrong one. */
static void repair(uint8_t *data, size_t size)
{
    for (size_t at = 8, length; at + 12 <= size; at += length + 12) {
        length = (size_t)data[at] << 24 | (size_t)data[at + 1] << 16 | (size_t)data[at + 2] << 8 |
                 data[at + 3];
        if (length > size - at - 12)
            return;
        uint32_t crc = crc_of(data + at + 4, length + 4);
        for (size_t i = 0; i < 4; i++)
            data[at + 8 + length + i] = (uint8_t)(crc >> (24 - 8 * i));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tw_value value = {0};
    struct tw_bytes bytes = {0};
    struct tw_error error = {0};
    uint8_t *copy = malloc(size + 1);
    if (!copy)
        return 0;
    if (size > 0)
        memcpy(copy, data, size);
    repair(copy, size);
    enum tw_status status = tw_png_decode(copy, size, &value, &error);
    if (status == TW_OK ? !value.data || value.width < 1 || value.height < 1
                        : value.data || !error.message[0])
        abort();
    const struct tw_export_range range = {.high = 1, .clip = true, .bits = 16};
    if (status == TW_OK && tw_png_encode(&value, &range, &bytes, &error) != TW_OK)
        abort();
    free(copy);
    free(bytes.at);
    tw_field_clear(&value);
    return 0;
}
