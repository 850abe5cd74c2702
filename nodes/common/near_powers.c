/* SPDX-License-Identifier: MIT */
/* With AVX-512 logarithms and powers of two are looked up for the middle of a sixteenth, in
 * registers, so that short series do for the rest; and products are not rounded before they are
 * added, which alone would give other bits than elsewhere. */
#include "common/near_powers.h"

#include <math.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { INTERVALS = TW_NEAR_POWERS_INTERVALS, GROUP = TW_NEAR_POWERS_GROUP };

/* What is in doubt comes from a series that errs by 2^-42, too. */
#define PORTABLE_ERROR (0x1p-39 + 0x1p-42)

/* The powers of two err by 2^-38.5, logarithms by 2^-43.5. */
static double vector_error(double exponent) { return 0x1p-38 * (1 + exponent / 32); }

void tw_near_powers_init(struct tw_near_powers *n, enum tw_simd simd, double exponent)
{
    /* Interpolates log2(1 + f) at Chebyshev nodes of -1/33..1/33. */
    static const double series[6] = {0x1.71547652cb671p+0, -0x1.71547652d9d0cp-1,
                                     0x1.ec70938c2322fp-2, -0x1.71546d6217476p-2,
                                     0x1.27cdab2faade3p-2, -0x1.ed08b17b2cefap-3};
    const double error = simd == TW_SIMD_AVX512 ? vector_error(exponent) : PORTABLE_ERROR;
    n->exponent = exponent;
    n->spread = 2 * error;
    n->simd = simd;
    for (int i = 0; i < 6; i++)
        n->series[i] = exponent * series[i];
    for (uint64_t i = 0; i < INTERVALS; i++) {
        double middle = 1 + (0.5 + (double)i) / INTERVALS;
        double root = tw_vector_exp2((double)i / INTERVALS) * (1 + error);
        n->inverse[i] = 1 / middle;
        n->logarithm[i] = exponent * tw_vector_log2(middle);
        n->root[i] = tw_bits_double(tw_double_bits(root) - (i << 48));
    }
}

static TW_INLINE void near_body(const struct tw_near_powers *n, const float *restrict in,
                                int32_t count, double *restrict out)
{
    for (int32_t i = 0; i < count; i++) {
        double size = (double)fabsf(in[i]);
        double power = tw_near_pow(size > 0 ? size : 1, n->exponent);
        out[i] = size > 0 ? power * (1 + PORTABLE_ERROR) : 0;
    }
}
TW_SIMD_KERNEL(near,
               (const struct tw_near_powers *n, const float *restrict in, int32_t count,
                double *restrict out),
               (n, in, count, out))

#if defined(__x86_64__)

/* Sixteen doubles that an instruction chooses from. */
struct table {
    __m512d low, high;
};

TW_TARGET_AVX512 static inline struct table load_table(const double *from)
{
    return (struct table){_mm512_load_pd(from), _mm512_load_pd(from + INTERVALS / 2)};
}

/* The last four bits choose. */
TW_TARGET_AVX512 static inline __m512d look_up(const struct table *t, __m512i bits)
{
    return _mm512_permutex2var_pd(t->low, bits, t->high);
}

/* A series' next term, from the last to the first. */
TW_TARGET_AVX512 static inline __m512d next_term(__m512d sum, __m512d x, double term)
{
    return _mm512_fmadd_pd(sum, x, _mm512_set1_pd(term));
}

/* Without optimisation both are macros of gcc that turn a mask of 255 into a char. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
TW_TARGET_AVX512 static inline __m512d exponent_of(__m512d x) { return _mm512_getexp_pd(x); }
TW_TARGET_AVX512 static inline __m512d mantissa_of(__m512d x)
{
    return _mm512_getmant_pd(x, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_zero);
}
#pragma GCC diagnostic pop

/* exponent log2(x) for x > 0: x = m 2^n with m = middle (1 + f). */
TW_TARGET_AVX512 static inline __m512d near_logarithm(const struct tw_near_powers *n, __m512d x)
{
    const struct table inverse = load_table(n->inverse), logarithm = load_table(n->logarithm);
    __m512d m = mantissa_of(x);
    __m512i interval = _mm512_srli_epi64(_mm512_castpd_si512(m), 48);
    __m512d f = _mm512_fmsub_pd(m, look_up(&inverse, interval), _mm512_set1_pd(1));
    __m512d sum = _mm512_set1_pd(n->series[5]);
    for (int i = 4; i >= 0; i--)
        sum = next_term(sum, f, n->series[i]);
    __m512d whole =
        _mm512_fmadd_pd(exponent_of(x), _mm512_set1_pd(n->exponent), look_up(&logarithm, interval));
    return _mm512_fmadd_pd(sum, f, whole);
}

/* 2^x for -200 < x <= 1000, 0 below: x = n/16 + r, where the sum with 1.5 x 2^48 ends in n. The
 * series interpolates at Chebyshev nodes of -1/32..1/32. */
TW_TARGET_AVX512 static inline __m512d near_power(const struct tw_near_powers *n, __m512d x)
{
    const struct table roots = load_table(n->root);
    const __m512d magic = _mm512_set1_pd(0x1.8p48);
    __mmask8 some = _mm512_cmp_pd_mask(x, _mm512_set1_pd(-200), _CMP_GT_OQ);
    __m512d shifted = _mm512_add_pd(x, magic);
    __m512d r = _mm512_sub_pd(x, _mm512_sub_pd(shifted, magic));
    __m512i bits = _mm512_castpd_si512(shifted);
    __m512i root = _mm512_castpd_si512(look_up(&roots, bits));
    __m512d start = _mm512_castsi512_pd(_mm512_add_epi64(root, _mm512_slli_epi64(bits, 48)));
    __m512d sum = _mm512_set1_pd(0x1.3b2c4ac7da565p-7);
    sum = next_term(sum, r, 0x1.c6b3f746c5f99p-5);
    sum = next_term(sum, r, 0x1.ebfbdff6988c8p-3);
    sum = next_term(sum, r, 0x1.62e42fec39c7dp-1);
    return _mm512_maskz_fmadd_pd(some, _mm512_mul_pd(start, r), sum, start);
}

TW_TARGET_AVX512 static void near_in_registers(const struct tw_near_powers *n, const float *in,
                                               int32_t count, double *out)
{
    for (int32_t i = 0; i < count; i += GROUP) {
        const unsigned there = count - i < GROUP ? (1u << (count - i)) - 1 : 0xFF;
        __m512d x = _mm512_cvtps_pd(_mm256_maskz_loadu_ps((__mmask8)there, in + i));
        _mm512_storeu_pd(out + i, near_power(n, near_logarithm(n, x)));
    }
}
#endif

void tw_near_powers(const struct tw_near_powers *n, const float *in, int32_t count, double *out)
{
#if defined(__x86_64__)
    if (n->simd == TW_SIMD_AVX512) {
        near_in_registers(n, in, count, out);
        return;
    }
#endif
    near(n->simd)(n, in, count, out);
}
