/* SPDX-License-Identifier: MIT */
/* Any bytes are a .bmp of sound size or refused with a message, and what was read can be written.
 */
#include "fuzz.h"

#include "format/codec.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tw_value value = {0};
    struct tw_bytes bytes = {0};
    struct tw_error error = {0};
    enum tw_status status = tw_bmp_decode(data, size, &value, &error);
    if (status == TW_OK ? !value.data || value.width < 1 || value.height < 1
                        : value.data || !error.message[0])
        abort();
    const struct tw_export_range range = {.high = 1, .bits = 8};
    if (status == TW_OK && value.type != TW_IMAGE && /* a .bmp is written in grey alone */
        tw_bmp_encode(&value, &range, &bytes, &error) != TW_OK)
        abort();
    free(bytes.at);
    tw_field_clear(&value);
    return 0;
}
