/* SPDX-License-Identifier: MIT */
/* Threads that a caller lends to lower layers, as tw_rows() of node.h lends them to nodes. */
#ifndef TW_ENGINE_BASE_OS_WORKERS_H
#define TW_ENGINE_BASE_OS_WORKERS_H

#include <thalweg/node.h>

struct tw_workers {
    /* Calls fn(fn_context, begin, end) for ranges that cover 0 to count, none shorter than `grain`
     * but the last, and returns when all are done. */
    void (*rows)(void *context, int32_t count, int32_t grain, tw_rows_fn *fn, void *fn_context);
    void *context;
};

/* Without workers the caller does all the work. */
static inline void tw_workers_rows(const struct tw_workers *workers, int32_t count, int32_t grain,
                                   tw_rows_fn *fn, void *context)
{
    if (workers)
        workers->rows(workers->context, count, grain, fn, context);
    else if (count > 0)
        fn(context, 0, count);
}

#endif
