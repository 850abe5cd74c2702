/* SPDX-License-Identifier: MIT */
/* Heights on a grid of smaller cells, so that a small map makes no facets in a large picture. */
#ifndef TW_NODES_RENDER_KERNELS_ENLARGE_H
#define TW_NODES_RENDER_KERNELS_ENLARGE_H

#include <thalweg/node.h>

enum { TW_ENLARGE_MAX = 4 };

/* How many times a map of this size is enlarged for a picture `picture` pixels wide. */
int32_t tw_enlarge_factor(int32_t width, int32_t height, int32_t picture);

/* The height that a picture counts others from, 0 for most maps: the first cell's where that lies
 * further from 0 than the map is wide, since floats so large have no room for slopes. */
float tw_enlarge_datum(const float *from, float exaggeration);

/* `from` less `datum`, times `scale`, at `factor` times the size, by Mitchell and Netravali's cubic
 * with B = C = 1/3 (1988), which neither rings nor shows the old cells; factor 1 only scales. Level
 * ground stays level to the bit. */
void tw_enlarge(struct tw_task *task, const float *from, int32_t width, int32_t height,
                int32_t factor, float datum, float scale, float *to);

/* Cells x .. x + count - 1 of row y of an enlarged map, bilinear, at most 256 of them. */
void tw_enlarge_read(const float *from, int32_t width, int32_t height, int32_t factor, int32_t y,
                     int32_t x, int32_t count, float *to);

#endif
