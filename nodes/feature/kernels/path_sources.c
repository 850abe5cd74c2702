/* SPDX-License-Identifier: MIT */
/* A merge sort from runs of one source up, in memory of the caller's. */
#include "feature/kernels/least_cost.h"

#include <string.h>

static bool comes_before(const struct tw_path_source *a, const struct tw_path_source *b,
                         enum tw_source_order order)
{
    if (order == TW_BY_FEATURE && a->feature != b->feature)
        return a->feature < b->feature;
    if (a->cost != b->cost)
        return a->cost < b->cost;
    return a->feature != b->feature ? a->feature < b->feature : a->cell < b->cell;
}

static void merge(const struct tw_path_source *from, struct tw_path_source *to, int32_t begin,
                  int32_t middle, int32_t end, enum tw_source_order order)
{
    int32_t left = begin, right = middle;
    for (int32_t i = begin; i < end; i++) {
        bool take_right =
            left == middle || (right < end && comes_before(&from[right], &from[left], order));
        to[i] = from[take_right ? right++ : left++];
    }
}

void tw_sources_sort(struct tw_path_source *sources, struct tw_path_source *scratch, int32_t count,
                     enum tw_source_order order)
{
    struct tw_path_source *from = sources, *to = scratch;
    for (int64_t run = 1; run < count; run *= 2) {
        for (int64_t begin = 0; begin < count; begin += 2 * run) {
            int64_t middle = begin + run < count ? begin + run : count;
            int64_t end = begin + 2 * run < count ? begin + 2 * run : count;
            merge(from, to, (int32_t)begin, (int32_t)middle, (int32_t)end, order);
        }
        struct tw_path_source *swap = from;
        from = to;
        to = swap;
    }
    if (from != sources)
        memcpy(sources, from, (size_t)count * sizeof *sources);
}
