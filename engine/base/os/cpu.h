/* SPDX-License-Identifier: MIT */
/* Which instructions kernels may use. Results do not depend on it. */
#ifndef TW_ENGINE_BASE_OS_CPU_H
#define TW_ENGINE_BASE_OS_CPU_H

#include <thalweg/node.h>

#include <fenv.h>
#include <pthread.h>

/* The widest level of this processor; THALWEG_SIMD=base|avx2|avx512 in the environment lowers it,
 * for tests and measurements. */
enum tw_simd tw_cpu_simd(void);

/* Processors that the calling thread may use, 1 at least. */
int32_t tw_cpu_count(void);

/* Between looks at what another thread is about to change: some 50 ns a pause on x86. */
void tw_cpu_relax(int pauses);
/* The same before look `turn`, counted from 1: a pause as a rule; every ten microseconds or so
 * another thread may have this processor, and after a millisecond nobody needs it for a while. */
void tw_cpu_wait(int64_t turn);

/* A thread that sleeps and is woken. In a virtual machine the kernel may take a processor that is
 * idle for one that is not, and leaves the woken thread on that of whoever woke it; if that
 * computes on, it waits there for its turn, one to five milliseconds. */
struct tw_cpu_sleeper {
    pthread_t thread;
    bool is_away;
    int from;             /* where it is not to wake */
    uint64_t allowed[16]; /* a bit for each processor where it may meanwhile */
};
/* From a thread that wakes it and computes on: it wakes on another processor than this, if there is
 * one that it may use. */
void tw_cpu_send_away(struct tw_cpu_sleeper *sleeper);
/* From itself, once it is awake: that processor again, too, unless others have changed meanwhile
 * where it may run. */
void tw_cpu_come_back(struct tw_cpu_sleeper *sleeper);

/* A host built with -Ofast, or one that rounds upwards, hands its floating-point mode to every
 * thread it starts. Enter sets the default mode (to nearest, denormals kept), leave restores. */
void tw_cpu_enter(fenv_t *saved);
void tw_cpu_leave(const fenv_t *saved);

#endif
