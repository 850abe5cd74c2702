/* SPDX-License-Identifier: MIT */
/* Work to do next, as indices of nodes or goals: a stack, or a heap with the lowest first. An index
 * is in a list at most once, so `count + 1` entries suffice; the owner allocates them. */
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

/* Returns the index pushed last; the list must not be empty. */
static inline int32_t tw_work_pop(struct tw_work_list *list) { return list->at[--list->count]; }

void tw_work_heap_push(struct tw_work_list *heap, int32_t i);
/* Returns the lowest index; the heap must not be empty. */
int32_t tw_work_heap_take(struct tw_work_list *heap);
/* Removes index i if it is in the heap. */
void tw_work_heap_remove(struct tw_work_list *heap, int32_t i);

#endif
