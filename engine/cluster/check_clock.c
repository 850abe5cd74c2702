/* SPDX-License-Identifier: MIT */
/* Compares clocks of other machines, which report whole seconds, with this machine's. */
#include "cluster/check.h"

#include <time.h>

int64_t tw_check_now(void)
{
    struct timespec at = {0};
    (void)timespec_get(&at, TIME_UTC);
    return (int64_t)at.tv_sec;
}

int64_t tw_check_clock_off(int64_t time, int64_t from, int64_t to)
{
    if (time < from)
        return from - time;
    return time > to ? time - to : 0;
}
