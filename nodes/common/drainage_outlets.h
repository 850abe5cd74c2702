/* SPDX-License-Identifier: MIT */
/* Outlets of drainage.h other than the cells of the map's border. */
#ifndef TW_NODES_COMMON_DRAINAGE_OUTLETS_H
#define TW_NODES_COMMON_DRAINAGE_OUTLETS_H

#include "common/drainage.h"

/* For users' `.detail`: where water leaves. */
#define TW_WORLD_OUTLETS_DETAIL                                                                    \
    "\nOutlets: water leaves over the border, whose cells are outlets. A torus (border wrap) has " \
    "no border: water crosses from side to side, and the lowest cells are the outlets. Turned "    \
    "land drains along the turned ways, through lakes, too, except on ground of equal heights: "   \
    "flats are crossed in reading order."

/* tw_drainage_init() with the outlets that measures take: border cells or, on a torus, which has no
 * border to leave over, all cells as low as the lowest. So a shifted map drains the same way. */
enum tw_status tw_drainage_init_world(struct tw_task *task, struct tw_drainage *d,
                                      const float *heights, bool wrap);
void tw_drainage_world_forecast(struct tw_forecast *f, bool wrap);

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
