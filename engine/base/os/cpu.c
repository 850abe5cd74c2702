/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* sched_getaffinity. NOLINT(bugprone-reserved-identifier) */
#include "base/os/cpu.h"

#include "base/os/posix.h"

#include <stdlib.h>
#include <string.h>

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

#if defined(__linux__)

_Static_assert(sizeof(cpu_set_t) == sizeof((struct tw_cpu_sleeper){0}.allowed), "1,024 processors");

void tw_cpu_send_away(struct tw_cpu_sleeper *sleeper)
{
    cpu_set_t set;
    const int here = sched_getcpu();
    if (sleeper->is_away || here < 0 ||
        pthread_getaffinity_np((pthread_t)sleeper->thread, sizeof set, &set) != 0 ||
        !CPU_ISSET((size_t)here, &set) || CPU_COUNT(&set) < 2)
        return;
    CPU_CLR((size_t)here, &set);
    sleeper->is_away = pthread_setaffinity_np((pthread_t)sleeper->thread, sizeof set, &set) == 0;
    sleeper->from = here;
    memcpy(sleeper->allowed, &set, sizeof set);
}

void tw_cpu_come_back(struct tw_cpu_sleeper *sleeper)
{
    cpu_set_t set;
    if (!sleeper->is_away)
        return;
    sleeper->is_away = false;
    if (pthread_getaffinity_np((pthread_t)sleeper->thread, sizeof set, &set) != 0 ||
        memcmp(&set, sleeper->allowed, sizeof set) != 0)
        return;
    CPU_SET((size_t)sleeper->from, &set);
    (void)pthread_setaffinity_np((pthread_t)sleeper->thread, sizeof set, &set);
}

/* Returns 0 if there are more than 1,024 processors. */
static int32_t allowed_count(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? (int32_t)CPU_COUNT(&set) : 0;
}

#else

void tw_cpu_send_away(struct tw_cpu_sleeper *sleeper) { (void)sleeper; }
void tw_cpu_come_back(struct tw_cpu_sleeper *sleeper) { (void)sleeper; }
static int32_t allowed_count(void) { return 0; }

#endif

int32_t tw_cpu_count(void)
{
    if (allowed_count() > 0)
        return allowed_count();
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
