/* SPDX-License-Identifier: MIT */
/* Which instructions and processors the process may use. Results do not depend on them. */
#ifndef TW_ENGINE_BASE_OS_CPU_H
#define TW_ENGINE_BASE_OS_CPU_H

#include <thalweg/node.h>

#include <fenv.h>

/* Returns the widest level of this processor; THALWEG_SIMD=base|avx2|avx512 in the environment
 * lowers it, for tests and measurements. */
enum tw_simd tw_cpu_simd(void);

/* Returns how many processors the calling thread may use, at least 1. */
int32_t tw_cpu_count(void);

/* Pauses between polls of a variable that another thread is about to change: some 50 ns a pause on
 * x86. */
void tw_cpu_relax(int pauses);
/* Waits before poll number `turn`, counted from 1: usually a pause; every ten microseconds or so it
 * yields the processor to another thread, and after a millisecond it sleeps briefly. */
void tw_cpu_wait(int64_t turn);

/* A thread that sleeps and is woken. In a virtual machine the kernel may mistake an idle processor
 * for a busy one and leave the woken thread on its waker's processor; if the waker computes on, the
 * woken thread waits there for one to five milliseconds. */
struct tw_cpu_sleeper {
    uintptr_t thread; /* the system's: a pthread_t, or a handle */
    bool is_away;
    int from;             /* processor that it must not wake on */
    uint64_t allowed[16]; /* one bit per processor that it may wake on meanwhile */
};
/* Called by the waking thread, which computes on: makes the sleeper wake on another processor than
 * the caller's, if it may use one. */
void tw_cpu_send_away(struct tw_cpu_sleeper *sleeper);
/* Called by the sleeper once awake: allows that processor again, unless other code has changed its
 * affinity meanwhile. */
void tw_cpu_come_back(struct tw_cpu_sleeper *sleeper);

/* tw_cpu_enter() sets the default floating-point mode (to nearest, denormals kept); tw_cpu_leave()
 * restores the host's. A host built with -Ofast, or one that rounds upwards, passes its mode on to
 * every thread it starts. */
void tw_cpu_enter(fenv_t *saved);
void tw_cpu_leave(const fenv_t *saved);

#endif
