/* SPDX-License-Identifier: MIT */
/* Numbers by which elevation models mark missing measurements, for files that do not declare
 * theirs: the least signed number of 16 bits, and floats that no height approaches. */
#ifndef TW_ENGINE_FORMAT_VOIDS_H
#define TW_ENGINE_FORMAT_VOIDS_H

#include <stddef.h>
#include <stdint.h>

struct tw_voids {
    int64_t count; /* number of void cells */
    float value;   /* value of the last one */
};

static inline void tw_voids_count(struct tw_voids *voids, const float *cells, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (cells[i] == -32768.0f || cells[i] < -1e30f) {
            voids->count++;
            voids->value = cells[i];
        }
}

/* A warning for printf: name, count, "s" or "", value. */
#define TW_VOIDS_WARNING                                                                           \
    "%s has %lld cell%s of %.9g and names no value for cells without a height; they become pits: " \
    "no_data: gives it"

#endif
