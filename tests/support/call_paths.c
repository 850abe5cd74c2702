/* SPDX-License-Identifier: MIT */
#include "support/call_paths.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

enum { SLOTS = 1 << 14, PATHS_MAX = SLOTS / 2 };

/* Identifies a path by a hash of its return addresses. */
static struct path {
    uint64_t hash; /* 0: an empty slot */
    long first, last;
} paths[SLOTS];
static long count, numbers[2 * PATHS_MAX];
static atomic_flag lock = ATOMIC_FLAG_INIT;

void call_paths_begin(void)
{
    memset(paths, 0, sizeof paths);
    count = 0;
}

static _Unwind_Reason_Code add_call(struct _Unwind_Context *call, void *hash)
{
    uint64_t *sum = hash;
    *sum = (*sum ^ (uint64_t)_Unwind_GetIP(call)) * 0x9E3779B97F4A7C15;
    *sum ^= *sum >> 29;
    return _URC_NO_REASON;
}

void call_paths_note(long number)
{
    uint64_t hash = 1;
    (void)_Unwind_Backtrace(add_call, &hash);
    hash += hash == 0;
    while (atomic_flag_test_and_set(&lock))
        ;
    struct path *path = &paths[hash % SLOTS];
    while (path->hash != 0 && path->hash != hash)
        path = path == paths + SLOTS - 1 ? paths : path + 1;
    if (path->hash == 0) {
        if (++count > PATHS_MAX)
            abort();
        *path = (struct path){.hash = hash, .first = number};
    }
    path->last = number;
    atomic_flag_clear(&lock);
}

static int compare(const void *a, const void *b)
{
    long x = *(const long *)a, y = *(const long *)b;
    return x < y ? -1 : x > y;
}

long call_paths_list(const long **list)
{
    long found = 0;
    for (int i = 0; i < SLOTS; i++) {
        if (paths[i].hash == 0)
            continue;
        numbers[found++] = paths[i].first;
        if (paths[i].last > paths[i].first)
            numbers[found++] = paths[i].last;
    }
    qsort(numbers, (size_t)found, sizeof *numbers, compare);
    *list = numbers;
    return found;
}

long call_paths_count(void) { return count; }
