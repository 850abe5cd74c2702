/* SPDX-License-Identifier: MIT */
/* Finite doubles as integers of the same order, and back; 0 and -0 are one number. */
#ifndef TW_NODES_MEASURE_KERNELS_DOUBLE_KEY_H
#define TW_NODES_MEASURE_KERNELS_DOUBLE_KEY_H

#include <stdint.h>
#include <string.h>

static inline uint64_t tw_double_key(double v)
{
    const uint64_t sign = (uint64_t)1 << 63;
    uint64_t bits;
    v += 0.0; /* -0 becomes 0 */
    memcpy(&bits, &v, sizeof bits);
    return bits & sign ? ~bits : bits | sign;
}

static inline double tw_key_double(uint64_t key)
{
    const uint64_t sign = (uint64_t)1 << 63;
    uint64_t bits = key & sign ? key & ~sign : ~key;
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

#endif
