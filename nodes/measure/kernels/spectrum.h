/* SPDX-License-Identifier: MIT */
/* The power spectrum of a map in bands of wave number: Perron, Kirchner and Dietrich 2008. */
#ifndef TW_NODES_MEASURE_KERNELS_SPECTRUM_H
#define TW_NODES_MEASURE_KERNELS_SPECTRUM_H

#include "measure/kernels/fourier.h"

enum { TW_SPECTRUM_BANDS = 8, TW_SPECTRUM_SLOTS = 16 };

/* Work memory for maps of the task's size. */
struct tw_spectrum {
    struct tw_fourier rows, columns;
    double *re, *im;                      /* columns 0 to width / 2 of every row's transform */
    double *window;                       /* of the width, then of the height */
    double *buffers;                      /* of each slot */
    double (*sums)[3][TW_SPECTRUM_BANDS]; /* of each column: power, ln wave number, count */
    double *row_sums;                     /* of each row: heights, and those times x */
    double edges[TW_SPECTRUM_BANDS + 1];  /* squares of wave numbers, waves per map side */
};

struct tw_spectrum_bands {
    bool found;                      /* false where there is nothing but a plane, or no band */
    bool has[TW_SPECTRUM_BANDS];     /* wave numbers in the band */
    double power[TW_SPECTRUM_BANDS]; /* natural logarithm of the mean, less the mean of all bands */
    double slope;                    /* beta: power falls as wave number to -beta */
};

enum tw_status tw_spectrum_init(struct tw_task *task, struct tw_spectrum *s);
/* The map less its plane, under a Hann window; bands even in the logarithm from 4 waves per map
 * side to a quarter of the width in cells. May be called many times. */
void tw_spectrum_find(struct tw_task *task, const struct tw_spectrum *s, const float *heights,
                      struct tw_spectrum_bands *bands);
/* The scratch that they take. */
void tw_spectrum_forecast(struct tw_forecast *f);

#endif
