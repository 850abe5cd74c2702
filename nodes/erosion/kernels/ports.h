/* SPDX-License-Identifier: MIT */
/* Rows of ports that kinds of erosion share. */
#ifndef TW_NODES_EROSION_KERNELS_PORTS_H
#define TW_NODES_EROSION_KERNELS_PORTS_H

#include <thalweg/node.h>

#define TW_EROSION_IN                                                                              \
    {                                                                                              \
        "in", TW_HEIGHTMAP, 0, "the terrain"                                                       \
    }
#define TW_EROSION_OUT                                                                             \
    {                                                                                              \
        "out", TW_HEIGHTMAP, 0, "the eroded terrain"                                               \
    }
/* The net change of every cell, two outputs: tw_mass_balance_store() writes them. */
#define TW_EROSION_CHANGES                                                                         \
    {"eroded", TW_HEIGHTMAP, TW_ON_DEMAND,                                                         \
     "what cells lost in all, in - out where that is lower"},                                      \
    {                                                                                              \
        "deposited", TW_HEIGHTMAP, TW_ON_DEMAND, "what cells gained in all, where out is higher"   \
    }
/* Of tw_mass_balance_finish(). */
#define TW_EROSION_LEDGER                                                                          \
    {                                                                                              \
        "ledger", TW_RECORD, TW_ON_DEMAND, "eroded, deposited: sums over cells, in heights"        \
    }
/* Writes `outputs` of a node that has these and no other. */
#define TW_EROSION_OUTPUTS                                                                         \
    static const struct tw_port outputs[] = {TW_EROSION_OUT, TW_EROSION_CHANGES,                   \
                                             TW_EROSION_LEDGER, TW_PORT_END}

#endif
