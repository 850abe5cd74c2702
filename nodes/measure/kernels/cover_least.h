/* SPDX-License-Identifier: MIT */
/* From numbers of places of k x k units to numbers of the cells that these cover. */
#ifndef TW_NODES_MEASURE_KERNELS_COVER_LEAST_H
#define TW_NODES_MEASURE_KERNELS_COVER_LEAST_H

#include <thalweg/node.h>

/* Where there is no place. */
#define TW_COVER_NONE INT32_MAX

/* Gives each cell the least number of the places whose square covers it. A place is at the first
 * cell of its square, which lies within the map. */
void tw_cover_least(int32_t *map, int32_t width, int32_t height, int32_t size);

#endif
