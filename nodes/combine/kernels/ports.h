/* SPDX-License-Identifier: MIT */
/* The ports of most kinds of combine. */
#ifndef TW_NODES_COMBINE_KERNELS_PORTS_H
#define TW_NODES_COMBINE_KERNELS_PORTS_H

#include <thalweg/node.h>

/* Writes `inputs` and `outputs` of a node from maps `a` and `b` to map `out`; `help` describes
 * `out`. */
#define TW_COMBINE_PORTS(help)                                                                     \
    static const struct tw_port inputs[] = {                                                       \
        {"a", TW_HEIGHTMAP, 0, "one map"}, {"b", TW_HEIGHTMAP, 0, "the other map"}, TW_PORT_END};  \
    static const struct tw_port outputs[] = {{"out", TW_HEIGHTMAP, 0, help}, TW_PORT_END}

#endif
