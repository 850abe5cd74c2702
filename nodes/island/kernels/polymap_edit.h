/* SPDX-License-Identifier: MIT */
/* What the nodes island.edit_* share: round brushes on the corners of a polygon map (Weiss 2015,
 * IV-G), and the sea, lakes and ways down of a map whose elevation has changed. */
#ifndef TW_NODES_ISLAND_KERNELS_POLYMAP_EDIT_H
#define TW_NODES_ISLAND_KERNELS_POLYMAP_EDIT_H

#include "common/polymap/polymap.h"

struct tw_edit_params {
    struct tw_table at;
};

extern const struct tw_param tw_edit_params[];

/* Writes `inputs` and `outputs`; `help` describes the input. */
#define TW_EDIT_PORTS(help)                                                                        \
    static const struct tw_port inputs[] = {{"in", TW_POLYMAP, 0, help}, TW_PORT_END};             \
    static const struct tw_port outputs[] = {{"out", TW_POLYMAP, 0, "the edited polygons"},        \
                                             TW_PORT_END}

enum tw_edit_target { TW_EDIT_ELEVATION, TW_EDIT_TEMPERATURE, TW_EDIT_MOISTURE };

/* Runs an edit node: adds sign times each brush to the target. */
enum tw_status tw_polymap_edit(struct tw_task *task, enum tw_edit_target target, float sign);

/* The scratch and the list of such a node. */
void tw_polymap_edit_forecast(struct tw_forecast *f, enum tw_edit_target target);

#endif
