/* SPDX-License-Identifier: MIT */
/* Heap sort, Williams 1964: needs no memory, and no input is slow. */
#include "common/ranking.h"

#include <stdbool.h>

static bool is_before(const struct tw_ranked *a, const struct tw_ranked *b)
{
    return a->size > b->size || (a->size == b->size && a->cell < b->cell);
}

/* Lets the item at the root sink below those that come after it in the end. */
static void sink(struct tw_ranked *heap, int32_t root, int32_t count)
{
    const struct tw_ranked sinking = heap[root];
    for (int64_t child; (child = 2 * (int64_t)root + 1) < count; root = (int32_t)child) {
        if (child + 1 < count && is_before(&heap[child], &heap[child + 1]))
            child++;
        if (!is_before(&sinking, &heap[child]))
            break;
        heap[root] = heap[child];
    }
    heap[root] = sinking;
}

void tw_rank(struct tw_ranked *items, int32_t count)
{
    for (int32_t root = count / 2; root-- > 0;)
        sink(items, root, count);
    for (int32_t end = count - 1; end > 0; end--) {
        struct tw_ranked last = items[end];
        items[end] = items[0];
        items[0] = last;
        sink(items, 0, end);
    }
}
