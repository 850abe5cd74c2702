/* SPDX-License-Identifier: MIT */
/* Ground on which a unit of k x k cells can be, as measure.score has it (Olsen 2004), on a map that
 * ends at its borders. A place is where the whole square lies on gentle cells; it has the number of
 * the square's upper left cell. Places are joined by steps to their four neighbours. */
#ifndef TW_NODES_COMMON_UNIT_GROUND_H
#define TW_NODES_COMMON_UNIT_GROUND_H

#include "common/components.h"
#include "common/cost_heap.h"

struct tw_unit_rules {
    float unit_talus, building_talus; /* rise per map side */
    int32_t unit_size;                /* k, in cells */
    const float *block;               /* cells from 1/2 on are not walkable; NULL for none */
};

struct tw_unit_ground {
    int32_t width, height, size;
    struct tw_bitmap walkable, flat; /* cells below either slope */
    struct tw_bitmap places, spare;
    struct tw_cell_runs runs;
    int32_t *rank;            /* of a run's group */
    int32_t *members;         /* places of the group of a label, from 1 on */
    int32_t *label;           /* of a place's group, the largest is 1; 0 where there is no place */
    int32_t groups, count;    /* groups and places */
    struct tw_cost_heap heap; /* of a state for each cell, for the caller too */
};

/* Takes or counts memory; false when there is none. The caller gives `label` a map. */
bool tw_unit_ground_lay_out(struct tw_scratch *s, struct tw_unit_ground *ground);
/* Finds all of it for these heights; groups of equal size are in reading order. */
enum tw_status tw_unit_ground_find(struct tw_task *task, const struct tw_unit_rules *rules,
                                   const float *heights, struct tw_unit_ground *ground);
/* The scratch that it takes besides. */
void tw_unit_ground_forecast(struct tw_forecast *f);

/* Finds the place of a unit whose centre is at x, y in map sides: in the cell there where its size
 * is odd, at the nearest corner of cells where it is even. TW_INPUT with a message that names the
 * point and the nearest place if there is none. */
enum tw_status tw_unit_ground_place(struct tw_task *task, const struct tw_unit_ground *ground,
                                    const char *port, int32_t number, const struct tw_point *point,
                                    int32_t *place);
/* Returns that place, or -1 where a unit cannot be. */
int32_t tw_unit_ground_try(const struct tw_unit_ground *ground, const struct tw_point *point);

/* Returns the place next to this one; -1 beyond the border and where no unit can be. Neighbours 0
 * to 3 are north, west, east and south; 4 to 7 the diagonal ones, to which a unit steps only where
 * it could go around the corner on either side. */
int32_t tw_unit_ground_step(const struct tw_unit_ground *ground, int32_t place, int k);

struct tw_flood {
    int32_t *steps; /* to each place by four neighbours; -1 where not reached */
    int32_t *queue; /* the reached places by rising steps */
    int32_t count;
};
/* Floods from `start` over places at most `range` columns and rows away; the memory is given. */
void tw_unit_flood(const struct tw_unit_ground *ground, int32_t start, int32_t range,
                   struct tw_flood *flood);

#endif
