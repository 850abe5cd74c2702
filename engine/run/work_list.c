/* SPDX-License-Identifier: MIT */
#include "run/work_list.h"

void tw_work_heap_push(struct tw_work_list *heap, int32_t i)
{
    int32_t at = heap->count++;
    for (; at > 0 && heap->at[(at - 1) / 2] > i; at = (at - 1) / 2)
        heap->at[at] = heap->at[(at - 1) / 2];
    heap->at[at] = i;
}

int32_t tw_work_heap_take(struct tw_work_list *heap)
{
    int32_t first = heap->at[0], last = heap->at[--heap->count], at = 0, child;
    while ((child = 2 * at + 1) < heap->count) {
        child += child + 1 < heap->count && heap->at[child + 1] < heap->at[child];
        if (heap->at[child] >= last)
            break;
        heap->at[at] = heap->at[child];
        at = child;
    }
    heap->at[at] = last;
    return first;
}

/* Pushes all others once more: writes no index beyond those already read. */
void tw_work_heap_remove(struct tw_work_list *heap, int32_t i)
{
    const int32_t count = heap->count;
    heap->count = 0;
    for (int32_t k = 0; k < count; k++)
        if (heap->at[k] != i)
            tw_work_heap_push(heap, heap->at[k]);
}
