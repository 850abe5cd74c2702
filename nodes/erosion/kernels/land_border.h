/* SPDX-License-Identifier: MIT */
/* Ports, border and ledger of the kinds that let land rise while rivers cut it:
 * erosion.stream_power and erosion.analytical. Their outputs on demand from `eroded` on are those
 * of mass_balance.h. */
#ifndef TW_NODES_EROSION_KERNELS_LAND_BORDER_H
#define TW_NODES_EROSION_KERNELS_LAND_BORDER_H

#include "common/drainage/land_outlets.h"
#include "common/ground_maps.h"
#include "erosion/kernels/masked.h"

#include <thalweg/node.h>

enum { TW_LAND_IN, TW_LAND_UPLIFT, TW_LAND_OUTLETS, TW_LAND_MASK, TW_LAND_HARDNESS };
enum { TW_LAND_OUT, TW_LAND_FLOW, TW_LAND_ERODED, TW_LAND_LEDGER = 4 };

/* Writes `inputs` and `outputs` of such a kind; `put` says what brought the deposited ground. */
#define TW_LAND_PORTS(put)                                                                         \
    static const struct tw_port inputs[] = {                                                       \
        {"in", TW_HEIGHTMAP, 0, "the terrain"},                                                    \
        {"uplift", TW_MASK, TW_OPTIONAL, "where the ground rises; everywhere if not given"},       \
        TW_LAND_OUTLETS_PORT,                                                                      \
        TW_STRENGTH_PORT,                                                                          \
        TW_HARDNESS_PORT,                                                                          \
        TW_PORT_END,                                                                               \
    };                                                                                             \
    static const struct tw_port outputs[] = {                                                      \
        {"out", TW_HEIGHTMAP, 0, "the eroded terrain"},                                            \
        {"flow", TW_HEIGHTMAP, TW_ON_DEMAND, "upstream area on out, share of the map"},            \
        {"eroded", TW_HEIGHTMAP, TW_ON_DEMAND,                                                     \
         "height taken away in all, in + uplift - out where that is lower"},                       \
        {"deposited", TW_HEIGHTMAP, TW_ON_DEMAND, put},                                            \
        {"ledger", TW_RECORD, TW_ON_DEMAND,                                                        \
         "raised, eroded, deposited, exported: sums over cells, in heights"},                      \
        TW_PORT_END,                                                                               \
    }

/* Writes eroded, deposited and ledger, from `raised`, in plus uplift, to the heights z. All that is
 * missing left with the rivers. `before`: sum of in. */
enum tw_status tw_land_store_ledger(struct tw_task *task, const float *raised, const float *z,
                                    double before);

#endif
