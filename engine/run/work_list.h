/* SPDX-License-Identifier: MIT */
/* What is to be done next, as indices of nodes or goals: a stack, or a heap that gives the lowest
 * first. An index is in a list at most once, so `count + 1` entries suffice; the owner makes them.
 */
#ifndef TW_ENGINE_RUN_WORK_LIST_H
#define TW_ENGINE_RUN_WORK_LIST_H

#include <stdint.h>

struct tw_work_list {
    int32_t *at;
    int32_t count;
};

static inline void tw_work_push(struct tw_work_list *list, int32_t i)
{
    list->at[list->count++] = i;
}

/* The last one pushed; the list is not empty. */
static inline int32_t tw_work_pop(struct tw_work_list *list) { return list->at[--list->count]; }

void tw_work_heap_push(struct tw_work_list *heap, int32_t i);
/* The lowest; the heap is not empty. */
int32_t tw_work_heap_take(struct tw_work_list *heap);
/* Wherever it is; nothing where it is not. */
void tw_work_heap_remove(struct tw_work_list *heap, int32_t i);

#endif
