/* SPDX-License-Identifier: MIT */
/* Things in order of their size. */
#ifndef TW_NODES_COMMON_RANKING_H
#define TW_NODES_COMMON_RANKING_H

#include <stdint.h>

struct tw_ranked {
    int64_t size;
    int32_t cell; /* of two as large, the one of the lower cell is first */
    int32_t item;
};

/* Sorts by falling size. No two may have the same size and cell. */
void tw_rank(struct tw_ranked *items, int32_t count);

#endif
