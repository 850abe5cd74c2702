/* SPDX-License-Identifier: MIT */
/* Outlets of drainage.h other than the cells of the map's border. */
#ifndef TW_NODES_COMMON_DRAINAGE_OUTLETS_H
#define TW_NODES_COMMON_DRAINAGE_OUTLETS_H

#include "common/drainage/drainage.h"
#include "common/drainage/exits.h"

/* For users' `.detail`: where water leaves. */
#define TW_WORLD_OUTLETS_DETAIL                                                                    \
    "\nOutlets: water leaves over the border, whose cells are outlets. A torus (border wrap) has " \
    "no border: water crosses from side to side, and the lowest cells are the outlets. Turned "    \
    "land drains along the turned ways, through lakes, too, except on ground of equal heights: "   \
    "flats are crossed in reading order."

/* Help on outlets for nodes that have `outlets` and `closed`. */
#define TW_CHOSEN_OUTLETS_DETAIL                                                                   \
    TW_WORLD_OUTLETS_DETAIL                                                                        \
    " Cells of `outlets` are outlets, too: mark the bottom of an inner basin, and it keeps its "   \
    "water. On a torus they replace the lowest cells." TW_CLOSED_DETAIL

/* tw_drainage_init() with the outlets of exits.h. All cells as low as the lowest are outlets of a
 * torus, so a shifted map drains the same way. */
enum tw_status tw_drainage_init_world(struct tw_task *task, struct tw_drainage *d,
                                      const float *heights, const struct tw_exits *exits);
/* `map`: whether the outlets may be others than the border's cells. */
void tw_drainage_world_forecast(struct tw_forecast *f, bool map);

/* On a torus that is open already: the lowest cells of other heights become its outlets. */
enum tw_status tw_drainage_open_lowest(struct tw_task *task, const float *heights,
                                       struct tw_drainage *d);
void tw_drainage_lowest_forecast(struct tw_forecast *f);

/* From now on water of `d` leaves through the cells marked in `outlet`, at least one, and nowhere
 * else; it stays borrowed. `wrap`: the map is a torus; else nothing crosses its border. */
enum tw_status tw_drainage_open(struct tw_task *task, const uint8_t *outlet, bool wrap,
                                struct tw_drainage *d);
void tw_drainage_open_forecast(struct tw_forecast *f);

#endif
