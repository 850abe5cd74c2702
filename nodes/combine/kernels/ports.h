/* SPDX-License-Identifier: MIT */
/* The ports of most kinds of combine. */
#ifndef TW_NODES_COMBINE_KERNELS_PORTS_H
#define TW_NODES_COMBINE_KERNELS_PORTS_H

#include <thalweg/node.h>

/* Writes `inputs` and `outputs` of a node from maps `a` and `b` to map `out`; `help` describes
 * `out`, which is a mask where both are. */
#define TW_COMBINE_PORTS(help)                                                                     \
    static const struct tw_port inputs[] = {{"a", TW_HEIGHTMAP, TW_KEEPS_TYPE, "one map"},         \
                                            {"b", TW_HEIGHTMAP, TW_KEEPS_TYPE, "the other map"},   \
                                            TW_PORT_END};                                          \
    static const struct tw_port outputs[] = {{"out", TW_HEIGHTMAP, TW_KEEPS_TYPE, help},           \
                                             TW_PORT_END}

#endif
