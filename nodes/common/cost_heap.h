/* SPDX-License-Identifier: MIT */
/* States by rising cost, for searches of the cheapest way. States of equal cost leave in the order
 * of their numbers, so results do not depend on the order in which they entered. */
#ifndef TW_NODES_COMMON_COST_HEAP_H
#define TW_NODES_COMMON_COST_HEAP_H

#include <thalweg/scratch.h>

struct tw_cost_heap {
    double *cost;   /* of each state; the caller writes it */
    int32_t *heap;  /* states, the cheapest first */
    int32_t *place; /* of each state in the heap; -1 where it is not there */
    int32_t states, count;
};

/* Takes or counts memory for so many states; false when there is none. */
bool tw_cost_heap_lay_out(struct tw_scratch *s, int32_t states, struct tw_cost_heap *heap);
/* Empties the heap and gives every state an infinite cost. */
void tw_cost_heap_clear(struct tw_cost_heap *heap);
/* Sets the cost of a state, which must not be more than before, and enters it. */
void tw_cost_heap_lower(struct tw_cost_heap *heap, int32_t state, double cost);
/* Returns the cheapest state and removes it; -1 if there is none. */
int32_t tw_cost_heap_pop(struct tw_cost_heap *heap);

#endif
