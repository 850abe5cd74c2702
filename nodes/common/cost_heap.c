/* SPDX-License-Identifier: MIT */
/* A heap of four children a node: fewer levels, and siblings share a line of the cache. */
#include "common/cost_heap.h"

#include <math.h>
#include <string.h>

enum { CHILDREN = 4 };

/* A search has few states in the heap at a time. */
bool tw_cost_heap_lay_out(struct tw_scratch *s, int32_t states, struct tw_cost_heap *heap)
{
    const uint64_t count = (uint64_t)states;
    heap->states = states;
    heap->cost = tw_scratch_take(s, count, sizeof *heap->cost);
    heap->heap = tw_scratch_reserve(s, count, sizeof *heap->heap, count / 8 + 1);
    heap->place = tw_scratch_take(s, count, sizeof *heap->place);
    return tw_scratch_is_laid(s);
}

void tw_cost_heap_clear(struct tw_cost_heap *heap)
{
    heap->count = 0;
    memset(heap->place, 0xff, (size_t)heap->states * sizeof *heap->place);
    for (int32_t i = 0; i < heap->states; i++)
        heap->cost[i] = (double)INFINITY;
}

static bool is_before(const struct tw_cost_heap *heap, int32_t a, int32_t b)
{
    return heap->cost[a] < heap->cost[b] || (heap->cost[a] == heap->cost[b] && a < b);
}

static void put(struct tw_cost_heap *heap, int32_t at, int32_t state)
{
    heap->heap[at] = state;
    heap->place[state] = at;
}

static void rise(struct tw_cost_heap *heap, int32_t at, int32_t state)
{
    for (; at > 0; at = (at - 1) / CHILDREN) {
        int32_t above = heap->heap[(at - 1) / CHILDREN];
        if (!is_before(heap, state, above))
            break;
        put(heap, at, above);
    }
    put(heap, at, state);
}

/* Returns the place of the first of the children of `at`; -1 if it has none. */
static int32_t find_least_child(const struct tw_cost_heap *heap, int32_t at)
{
    if (at > (heap->count - 2) / CHILDREN)
        return -1;
    int32_t best = CHILDREN * at + 1;
    int32_t end = heap->count - best > CHILDREN ? best + CHILDREN : heap->count;
    for (int32_t child = best + 1; child < end; child++)
        if (is_before(heap, heap->heap[child], heap->heap[best]))
            best = child;
    return best;
}

static void sink(struct tw_cost_heap *heap, int32_t at, int32_t state)
{
    int32_t child;
    while ((child = find_least_child(heap, at)) > 0 && is_before(heap, heap->heap[child], state)) {
        put(heap, at, heap->heap[child]);
        at = child;
    }
    put(heap, at, state);
}

void tw_cost_heap_lower(struct tw_cost_heap *heap, int32_t state, double cost)
{
    heap->cost[state] = cost;
    rise(heap, heap->place[state] < 0 ? heap->count++ : heap->place[state], state);
}

int32_t tw_cost_heap_pop(struct tw_cost_heap *heap)
{
    if (heap->count == 0)
        return -1;
    int32_t first = heap->heap[0], last = heap->heap[--heap->count];
    heap->place[first] = -1;
    if (heap->count > 0)
        sink(heap, 0, last);
    return first;
}
