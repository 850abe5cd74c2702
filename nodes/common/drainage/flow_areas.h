/* SPDX-License-Identifier: MIT */
/* Areas of flow_lines.h, and an order of all cells in which water runs on. Sums are of floats, so
 * each has the order of one walk over the map: from every cell in turn to which no other gives, the
 * water is followed for as long as it completes cells.
 * The map is cut into strips of rows. Cells that no water from another strip reaches are walked by
 * the workers, each strip by itself, and what leaves them for other cells is noted. Then one worker
 * walks the others, by the notes, and gives what that one walk would have given, in its order. */
#ifndef TW_NODES_COMMON_DRAINAGE_FLOW_AREAS_H
#define TW_NODES_COMMON_DRAINAGE_FLOW_AREAS_H

#include "common/drainage/flow_lines.h"

/* Cells of the order from begin to end - 1: those of strip k that only its own water reaches, or
 * the rest, which follows all strips. */
struct tw_flow_range {
    int32_t begin, end;
};
struct tw_flow_range tw_flow_areas_own(const struct tw_flow_lines *f, int32_t strip);
struct tw_flow_range tw_flow_areas_rest(const struct tw_flow_lines *f, int32_t strip);

/* Fills `area` with the cells upstream of each cell, itself included; facets, corners, `gives` and
 * `donors` are set. Donors come before receivers within the cells of a strip's own, which give to
 * each other and to the rest; and within the rest, strip after strip, which gives to itself. */
void tw_flow_areas_collect(struct tw_task *task, struct tw_flow_lines *f, float *area);

#endif
