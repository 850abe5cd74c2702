/* SPDX-License-Identifier: MIT */
/* An open hash table, which a natural map fills after few cells. */
#include "measure/kernels/distinct.h"

#include <string.h>

enum { SLOTS = 4096 };

int32_t tw_distinct_count(const float *heights, size_t count)
{
    uint32_t slots[SLOTS];
    uint8_t used[SLOTS] = {0};
    int32_t found = 0;
    for (size_t i = 0; i < count && found < TW_DISTINCT_MOST; i++) {
        uint32_t bits;
        const float height = heights[i] + 0.0f; /* -0 becomes 0 */
        memcpy(&bits, &height, sizeof bits);
        uint32_t at = bits * 0x9E3779B1u >> 20; /* 12 bits */
        while (used[at] && slots[at] != bits)
            at = (at + 1) % SLOTS;
        found += !used[at];
        used[at] = 1;
        slots[at] = bits;
    }
    return found;
}
