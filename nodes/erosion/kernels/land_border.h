/* SPDX-License-Identifier: MIT */
/* Ports, border and ledger of the kinds that let land rise while rivers cut it:
 * erosion.stream_power and erosion.analytical. Their outputs on demand from `eroded` on are those
 * of mass_balance.h. */
#ifndef TW_NODES_EROSION_KERNELS_LAND_BORDER_H
#define TW_NODES_EROSION_KERNELS_LAND_BORDER_H

#include "erosion/kernels/ground_maps.h"
#include "erosion/kernels/masked.h"

#include "common/exits.h"

enum tw_land_border { TW_LAND_RECIPE, TW_LAND_WRAP, TW_LAND_FREE, TW_LAND_FIXED, TW_LAND_LOW };

#define TW_PARAM_LAND_BORDER(S)                                                                    \
    TW_PARAM_ENUM(S, border, TW_LAND_RECIPE, "recipe|wrap|free|fixed|low",                         \
                  "what the border is: as the recipe says, the other side's neighbour, land like " \
                  "any other, ground that keeps its heights, or a sea at the lowest height"),      \
        TW_PARAM_CLOSED(S)

enum { TW_LAND_IN, TW_LAND_UPLIFT, TW_LAND_OUTLETS, TW_LAND_MASK, TW_LAND_HARDNESS };
enum { TW_LAND_OUT, TW_LAND_FLOW, TW_LAND_ERODED, TW_LAND_LEDGER = 4 };

/* Writes `inputs` and `outputs` of such a kind; `put` says what brought the deposited ground. */
#define TW_LAND_PORTS(put)                                                                         \
    static const struct tw_port inputs[] = {                                                       \
        {"in", TW_HEIGHTMAP, 0, "the terrain"},                                                    \
        {"uplift", TW_MASK, TW_OPTIONAL, "where the ground rises; everywhere if not given"},       \
        {"outlets", TW_MASK, TW_OPTIONAL,                                                          \
         "where water leaves, from 0.5: cells that keep their heights; see border if not given"},  \
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

/* Where water leaves, for a kind's `.detail`. */
#define TW_LAND_OUTLETS_DETAIL                                                                     \
    "Outlets keep their heights: the cells of `outlets` or, where it is not given, on a "          \
    "torus (border wrap) the lowest cell; with border free those border cells that are the "       \
    "lowest for an eighth of a side to both sides, while the rest of the border is land like "     \
    "any other. With fixed and low the whole border is an outlet, besides `outlets`. Sides in "    \
    "`closed` are land without outlets.\n"

/* Whether opposite borders meet, for a `border` of TW_PARAM_LAND_BORDER. */
bool tw_land_wraps(const struct tw_task *task, int32_t border);
bool tw_land_forecast_wraps(const struct tw_forecast *f, int32_t border);
/* Marks in `outlet` where water leaves a map of the task's size; fails if the input `outlets` marks
 * no cell, or if sides of a torus are closed. */
enum tw_status tw_land_find_outlets(struct tw_task *task, int32_t border,
                                    const struct tw_labels *closed, const float *in,
                                    uint8_t *outlet);
/* Lowest height, to which a border that is a sea is set. */
float tw_land_lowest(const float *in, size_t cells);

/* Writes eroded, deposited and ledger, from `raised`, in plus uplift, to the heights z. All that is
 * missing left with the rivers. `before`: sum of in. */
enum tw_status tw_land_store_ledger(struct tw_task *task, const float *raised, const float *z,
                                    double before);

#endif
