/* SPDX-License-Identifier: MIT */
/* One kernel body, compiled once for each instruction set. Write the body as a plain C function
 *
 *     static TW_INLINE void relax_body(const struct map *map, int32_t begin, int32_t end) {...}
 *     TW_SIMD_KERNEL(relax, (const struct map *map, int32_t begin, int32_t end), (map, begin, end))
 *
 * and call relax(tw_task_simd(task))(map, begin, end). All variants give the same bytes, since
 * contraction is off and lanes are independent. */
#ifndef THALWEG_SIMD_H
#define THALWEG_SIMD_H

#include <thalweg/node.h>

#define TW_INLINE inline __attribute__((always_inline))

/* Goes before a loop whose iterations do not depend on each other through memory. */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed" /* clang vectorises no loop at -O1 */
#define TW_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define TW_INDEPENDENT _Pragma("GCC ivdep")
#endif

#if defined(__clang__)
#define TW_TARGET_AVX512 __attribute__((target("arch=x86-64-v4"), min_vector_width(512)))
#else
#define TW_TARGET_AVX512 __attribute__((target("arch=x86-64-v4,prefer-vector-width=512")))
#endif

/* With gcc's sanitizers, which check the body, only the base variant is compiled: this halves
 * compile time. */
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define TW_SIMD_KERNEL(name, declared, passed)                                                     \
    static void name##_base declared { name##_body passed; }                                       \
    __attribute__((target("avx2,bmi2"))) static void name##_avx2 declared { name##_body passed; }  \
    TW_TARGET_AVX512 static void name##_avx512 declared { name##_body passed; }                    \
    static void(*name(enum tw_simd level)) declared                                                \
    {                                                                                              \
        return level == TW_SIMD_AVX512 ? name##_avx512                                             \
               : level == TW_SIMD_AVX2 ? name##_avx2                                               \
                                       : name##_base;                                              \
    }
#else
#define TW_SIMD_KERNEL(name, declared, passed)                                                     \
    static void name##_base declared { name##_body passed; }                                       \
    static void(*name(enum tw_simd level)) declared                                                \
    {                                                                                              \
        (void)level;                                                                               \
        return name##_base;                                                                        \
    }
#endif

#endif
