/* SPDX-License-Identifier: MIT */
/* Which instructions kernels may use. Results do not depend on it. */
#ifndef TW_ENGINE_CPU_H
#define TW_ENGINE_CPU_H

#include <thalweg/node.h>

/* The widest level of this processor; THALWEG_SIMD=base|avx2|avx512 in the environment lowers it,
 * for tests and measurements. */
enum tw_simd tw_cpu_simd(void);

#endif
