/* SPDX-License-Identifier: MIT */
#include "base/cpu.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static enum tw_simd widest(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("bmi2"))
        return TW_SIMD_AVX512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
        return TW_SIMD_AVX2;
#endif
    return TW_SIMD_BASE;
}

enum tw_simd tw_cpu_simd(void)
{
    static const char *const names[] = {"base", "avx2", "avx512"};
    const char *limit = getenv("THALWEG_SIMD");
    enum tw_simd level = widest();
    for (int i = 0; limit && i < TW_SIMD_COUNT; i++)
        if (strcmp(limit, names[i]) == 0 && i < (int)level)
            level = (enum tw_simd)i;
    return level;
}

int32_t tw_cpu_count(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > INT32_MAX ? INT32_MAX : (int32_t)count;
}

void tw_cpu_relax(int pauses)
{
#if defined(__x86_64__)
    for (int i = 0; i < pauses; i++)
        __builtin_ia32_pause();
#else
    (void)pauses;
#endif
}

void tw_cpu_wait(int64_t turn)
{
    enum { PAUSES = 256, YIELDS = 64, NANOSECONDS = 100000 };
    const struct timespec nap = {0, NANOSECONDS};
    if (turn % PAUSES > 0)
        tw_cpu_relax(1);
    else if (turn / PAUSES <= YIELDS)
        sched_yield();
    else
        nanosleep(&nap, NULL);
}

void tw_cpu_enter(fenv_t *saved)
{
    fegetenv(saved);
    fesetenv(FE_DFL_ENV);
}

void tw_cpu_leave(const fenv_t *saved) { fesetenv(saved); }
