/* SPDX-License-Identifier: MIT */
/* Nodes that cost something: the cache goes by processor time, of which sleeping takes none. */
#ifndef TW_TESTS_SUPPORT_BUSY_H
#define TW_TESTS_SUPPORT_BUSY_H

#include "base/process.h"

static inline void busy_for(double seconds)
{
    double end = tw_process_thread_seconds() + seconds;
    while (tw_process_thread_seconds() < end)
        ;
}

#endif
