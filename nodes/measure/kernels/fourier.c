/* SPDX-License-Identifier: MIT */
/* Cooley and Tukey 1965, decimation in time, real and imaginary parts apart. */
#include "measure/kernels/fourier.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

#include <string.h>

static int32_t padded_of(int32_t length)
{
    int32_t padded = 1;
    if ((length & (length - 1)) == 0)
        return length;
    while (padded < 2 * length - 1)
        padded *= 2;
    return padded;
}

static size_t doubles_of(int32_t length)
{
    size_t padded = (size_t)padded_of(length);
    bool chirp = padded != (size_t)length;
    return 2 * padded + (chirp ? 2 * (size_t)length + 2 * padded : 0);
}

size_t tw_fourier_work_of(int32_t length)
{
    int32_t padded = padded_of(length);
    return padded == length ? 0 : 2 * (size_t)padded;
}

/* Cells to the places that the stages expect them in: indices with their bits reversed. */
static void reverse_bits(double *re, double *im, int32_t n)
{
    for (int32_t i = 1, j = 0; i < n; i++) {
        int32_t bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j |= bit;
        if (i < j) {
            double keep_re = re[i], keep_im = im[i];
            re[i] = re[j];
            im[i] = im[j];
            re[j] = keep_re;
            im[j] = keep_im;
        }
    }
}

/* One stage: pairs of numbers `half` apart. */
static TW_INLINE void join_body(double *restrict re, double *restrict im, int32_t n, int32_t half,
                                const double *restrict cosines, const double *restrict sines)
{
    for (int32_t first = 0; first < n; first += 2 * half) {
        double *a_re = re + first, *a_im = im + first;
        double *b_re = a_re + half, *b_im = a_im + half;
        TW_INDEPENDENT
        for (int32_t k = 0; k < half; k++) {
            double v_re = b_re[k] * cosines[k] - b_im[k] * sines[k];
            double v_im = b_re[k] * sines[k] + b_im[k] * cosines[k];
            b_re[k] = a_re[k] - v_re;
            b_im[k] = a_im[k] - v_im;
            a_re[k] += v_re;
            a_im[k] += v_im;
        }
    }
}
TW_SIMD_KERNEL(join,
               (double *re, double *im, int32_t n, int32_t half, const double *cosines,
                const double *sines),
               (re, im, n, half, cosines, sines))

static void transform(const struct tw_fourier *f, enum tw_simd simd, double *re, double *im)
{
    reverse_bits(re, im, f->padded);
    for (int32_t half = 1; half < f->padded; half *= 2)
        join(simd)(re, im, f->padded, half, f->twiddle_re + half - 1, f->twiddle_im + half - 1);
}

static void multiply(double *re, double *im, const double *by_re, const double *by_im, int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        double product = re[i] * by_re[i] - im[i] * by_im[i];
        im[i] = re[i] * by_im[i] + im[i] * by_re[i];
        re[i] = product;
    }
}

/* The inverse transform is the forward one with both parts exchanged. */
void tw_fourier_apply(const struct tw_fourier *f, enum tw_simd simd, double *re, double *im,
                      double *work)
{
    if (!f->chirp_re) {
        transform(f, simd, re, im);
        return;
    }
    size_t length = (size_t)f->length, padded = (size_t)f->padded;
    double *work_re = work, *work_im = work + padded, scale = 1 / (double)padded;
    multiply(re, im, f->chirp_re, f->chirp_im, f->length);
    memset(work, 0, 2 * padded * sizeof *work);
    memcpy(work_re, re, length * sizeof *re);
    memcpy(work_im, im, length * sizeof *im);
    transform(f, simd, work_re, work_im);
    multiply(work_re, work_im, f->filter_re, f->filter_im, f->padded);
    transform(f, simd, work_im, work_re);
    for (size_t i = 0; i < length; i++) {
        re[i] = work_re[i] * scale;
        im[i] = work_im[i] * scale;
    }
    multiply(re, im, f->chirp_re, f->chirp_im, f->length);
}

static void fill_twiddles(const struct tw_fourier *f)
{
    for (int32_t half = 1; half < f->padded; half *= 2)
        for (int32_t k = 0; k < half; k++) {
            double degrees = -180.0 * k / half;
            f->twiddle_re[half - 1 + k] = tw_cos_degrees(degrees);
            f->twiddle_im[half - 1 + k] = tw_sin_degrees(degrees);
        }
}

static void fill_chirp(const struct tw_fourier *f, enum tw_simd simd)
{
    int64_t twice = 2 * (int64_t)f->length;
    size_t padded = (size_t)f->padded;
    memset(f->filter_re, 0, padded * sizeof(double));
    memset(f->filter_im, 0, padded * sizeof(double));
    for (int32_t k = 0; k < f->length; k++) {
        double degrees = -180.0 * (double)((int64_t)k * k % twice) / f->length;
        f->chirp_re[k] = tw_cos_degrees(degrees);
        f->chirp_im[k] = tw_sin_degrees(degrees);
        size_t mirrored = k ? padded - (size_t)k : 0;
        f->filter_re[k] = f->filter_re[mirrored] = f->chirp_re[k];
        f->filter_im[k] = f->filter_im[mirrored] = -f->chirp_im[k];
    }
    transform(f, simd, f->filter_re, f->filter_im);
}

void tw_fourier_lay_out(struct tw_scratch *s, struct tw_fourier *f, int32_t length)
{
    *f = (struct tw_fourier){.length = length, .padded = padded_of(length)};
    size_t padded = (size_t)f->padded;
    double *at = tw_scratch_take(s, doubles_of(length), sizeof *at);
    if (!at)
        return;
    f->twiddle_re = at;
    f->twiddle_im = at + padded;
    fill_twiddles(f);
    if (f->padded == length)
        return;
    f->filter_re = at + 2 * padded;
    f->filter_im = at + 3 * padded;
    f->chirp_re = at + 4 * padded;
    f->chirp_im = f->chirp_re + length;
    fill_chirp(f, tw_task_simd(s->task));
}
