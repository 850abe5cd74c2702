/* SPDX-License-Identifier: MIT */
/* Rows of ports and parameters that families share. */
#ifndef TW_NODES_COMMON_ROWS_H
#define TW_NODES_COMMON_ROWS_H

#include <thalweg/node.h>

/* Each writes `inputs` of a node that reads one map, and its index IN. */
#define TW_TERRAIN_INPUT TW_ONLY_INPUT("the terrain")
#define TW_MAP_INPUT TW_ONLY_INPUT("the map")
#define TW_ONLY_INPUT(help)                                                                        \
    enum { IN };                                                                                   \
    static const struct tw_port inputs[] = {{"in", TW_HEIGHTMAP, 0, help}, TW_PORT_END}

/* The field is `float exaggeration`. */
#define TW_PARAM_HEIGHT_IN_SIDES(S)                                                                \
    TW_PARAM_F32(S, exaggeration, 0.15, 0, 1000, TW_UNIT_SIDE,                                     \
                 "what height 1 measures in map sides", TW_USUAL(0.02, 1))

#endif
