/* SPDX-License-Identifier: MIT */
/* Connected components on a torus, on maps of bytes 0 or 1 of the task's size. */
#ifndef TW_NODES_MEASURE_KERNELS_COMPONENTS_H
#define TW_NODES_MEASURE_KERNELS_COMPONENTS_H

#include <thalweg/node.h>

/* The ones joined by 4-neighbour steps: label = index of the group's first cell in raster order,
 * -1 at zeros. TW_CANCELLED when the task is. */
enum tw_status tw_components_label(struct tw_task *task, const uint8_t *in, int32_t *label);

/* Leaves, of the ones, only the group whose size x size squares, each with its upper left cell at a
 * one, cover most cells; the first in raster order on ties. The squares must be those that
 * tw_opening_erode() finds. Linear in cells, independent of size. */
enum tw_status tw_components_keep_widest(struct tw_task *task, int32_t size, uint8_t *places);

/* The scratch that it takes. */
void tw_components_forecast(struct tw_forecast *f, int32_t size);

#endif
