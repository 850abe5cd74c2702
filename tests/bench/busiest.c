/* SPDX-License-Identifier: MIT */
#include "bench/busiest.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { THREADS_MAX = 256 };

/* Threads as the kernel numbers them, in the order of /proc/self/task. */
struct clocks {
    int count;
    long thread[THREADS_MAX];
    double ms[THREADS_MAX];
};

static struct clocks start;

/* Linux's number of the clock pthread_getcpuclockid() gives of a thread of this process, from the
 * thread's number: libuv keeps its pthread_t to itself. */
static clockid_t clock_of(long thread) { return (clockid_t)(~(uint32_t)thread << 3 | 6); }

static struct clocks read_clocks(void)
{
    struct clocks clocks = {0};
    DIR *folder = opendir("/proc/self/task");
    if (!folder) {
        perror("bench: /proc/self/task");
        exit(1);
    }
    for (const struct dirent *entry; (entry = readdir(folder)) && clocks.count < THREADS_MAX;) {
        struct timespec time;
        long thread = strtol(entry->d_name, NULL, 10);
        if (thread < 1 || clock_gettime(clock_of(thread), &time) != 0)
            continue;
        clocks.thread[clocks.count] = thread;
        clocks.ms[clocks.count++] = (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
    }
    closedir(folder);
    return clocks;
}

static double used_before(long thread)
{
    for (int i = 0; i < start.count; i++)
        if (start.thread[i] == thread)
            return start.ms[i];
    return 0;
}

void busiest_start(void) { start = read_clocks(); }

double busiest_read(void)
{
    struct clocks now = read_clocks();
    double most = 0;
    for (int i = 0; i < now.count; i++) {
        double used = now.ms[i] - used_before(now.thread[i]);
        most = used > most ? used : most;
    }
    return most;
}
