/* SPDX-License-Identifier: MIT */
/* Powers of floats that are nearly right, in a fraction of a whole series' time, and the floats
 * that follow from them for certain. The last bits of a near power differ between processors: use
 * nothing of it but those floats. */
#ifndef TW_NODES_COMMON_NEAR_POWERS_H
#define TW_NODES_COMMON_NEAR_POWERS_H

#include <thalweg/power.h>

enum { TW_NEAR_POWERS_GROUP = 8, TW_NEAR_POWERS_INTERVALS = 16 };

/* What follows from the exponent. An interval is a sixteenth of 1..2, or of 0..1 in an exponent
 * of 2. */
struct tw_near_powers {
    double inverse[TW_NEAR_POWERS_INTERVALS];   /* 1 / the middle of an interval */
    double logarithm[TW_NEAR_POWERS_INTERVALS]; /* exponent log2(the middle) */
    double root[TW_NEAR_POWERS_INTERVALS];      /* the bits of 2^(i/16) less those of i/16 */
    double series[6];                           /* exponent log2(1 + f) / f */
    double exponent;
    double spread; /* relative error of near powers, which are at most this much too large */
    enum tw_simd simd;
} __attribute__((aligned(64)));

/* 0 < exponent <= 100 */
void tw_near_powers_init(struct tw_near_powers *n, enum tw_simd simd, double exponent);

/* out[i] near |in[i]|^exponent, which is at most 2^1000; less than 2^-200 may become 0, as 0 does.
 * Writes whole groups of TW_NEAR_POWERS_GROUP. */
void tw_near_powers(const struct tw_near_powers *n, const float *in, int32_t count, double *out);

/* out[i] = the float of what powers[i] is near to, with the sign of in[i]. False where the spread
 * reaches over a place where floats are rounded up or down, so that one of them is in doubt. */
static TW_INLINE bool tw_near_powers_round(const double *restrict powers, double spread,
                                           const float *restrict in, int32_t count,
                                           float *restrict out)
{
    int32_t doubts = 0;
    for (int32_t i = 0; i < count; i++) {
        float most = (float)powers[i], least = (float)(powers[i] * (1 - spread));
        doubts |= most != least;
        out[i] = in[i] < 0 ? -most : most;
    }
    return doubts == 0;
}

#endif
