/* SPDX-License-Identifier: MIT */
/* The ports of most kinds of shape. */
#ifndef TW_NODES_SHAPE_KERNELS_PORTS_H
#define TW_NODES_SHAPE_KERNELS_PORTS_H

#include <thalweg/node.h>

/* Writes `inputs` and `outputs` of a node from map `in` to map `out`; `help` describes `out`. */
#define TW_SHAPE_PORTS(help)                                                                       \
    static const struct tw_port inputs[] = {{"in", TW_HEIGHTMAP, 0, "the map"}, TW_PORT_END};      \
    static const struct tw_port outputs[] = {{"out", TW_HEIGHTMAP, 0, help}, TW_PORT_END}

#endif
