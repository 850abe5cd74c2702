/* SPDX-License-Identifier: MIT */
/* A binary heap of corners by (key, tie): the least comes first. The caller gives the memory; a
 * corner may be pushed again with another key. */
#ifndef TW_NODES_ISLAND_KERNELS_CORNER_HEAP_H
#define TW_NODES_ISLAND_KERNELS_CORNER_HEAP_H

#include <stdbool.h>
#include <stdint.h>

struct tw_heap_entry {
    float key;
    int32_t tie, corner;
};

struct tw_corner_heap {
    struct tw_heap_entry *at;
    int32_t count;
};

void tw_corner_heap_push(struct tw_corner_heap *heap, struct tw_heap_entry entry);
struct tw_heap_entry tw_corner_heap_pop(struct tw_corner_heap *heap);

#endif
