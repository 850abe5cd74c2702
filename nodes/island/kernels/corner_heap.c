/* SPDX-License-Identifier: MIT */
#include "island/kernels/corner_heap.h"

static bool before(const struct tw_heap_entry *a, const struct tw_heap_entry *b)
{
    return a->key < b->key || (a->key == b->key && a->tie < b->tie);
}

void tw_corner_heap_push(struct tw_corner_heap *heap, struct tw_heap_entry entry)
{
    int32_t i = heap->count++;
    for (; i > 0 && before(&entry, &heap->at[(i - 1) / 2]); i = (i - 1) / 2)
        heap->at[i] = heap->at[(i - 1) / 2];
    heap->at[i] = entry;
}

struct tw_heap_entry tw_corner_heap_pop(struct tw_corner_heap *heap)
{
    struct tw_heap_entry least = heap->at[0], last = heap->at[--heap->count];
    int32_t i = 0;
    for (int32_t child = 1; child < heap->count; child = 2 * i + 1) {
        if (child + 1 < heap->count && before(&heap->at[child + 1], &heap->at[child]))
            child++;
        if (!before(&heap->at[child], &last))
            break;
        heap->at[i] = heap->at[child];
        i = child;
    }
    heap->at[i] = last;
    return least;
}
