/* SPDX-License-Identifier: MIT */
/* Discrete Fourier transforms of any length, in double, with the same bits everywhere. */
#ifndef TW_NODES_MEASURE_KERNELS_FOURIER_H
#define TW_NODES_MEASURE_KERNELS_FOURIER_H

#include <thalweg/scratch.h>

/* Lengths that are not a power of two become convolutions of one that is: Bluestein 1970. */
struct tw_fourier {
    int32_t length, padded;          /* padded: the power of two that is transformed */
    double *twiddle_re, *twiddle_im; /* of each stage, one after the other */
    double *chirp_re, *chirp_im;     /* exp(-i pi k^2 / length); NULL for powers of two */
    double *filter_re, *filter_im;   /* transform of their conjugates, over the padded length */
};

/* Takes or counts its block. */
void tw_fourier_lay_out(struct tw_scratch *s, struct tw_fourier *f, int32_t length);
/* In place over `length` numbers: X_k = sum x_j exp(-2 pi i j k / length). */
void tw_fourier_apply(const struct tw_fourier *f, enum tw_simd simd, double *re, double *im,
                      double *work);
/* Doubles that tw_fourier_apply() works in. */
size_t tw_fourier_work_of(int32_t length);

#endif
