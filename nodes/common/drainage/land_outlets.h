/* SPDX-License-Identifier: MIT */
/* Where rivers leave land that rises while they cut it, as that of erosion.stream_power. */
#ifndef TW_NODES_COMMON_DRAINAGE_LAND_OUTLETS_H
#define TW_NODES_COMMON_DRAINAGE_LAND_OUTLETS_H

#include "common/drainage/exits.h"

enum tw_outlets {
    TW_OUTLETS_LOWEST, /* the lowest cell, the first on ties */
    TW_OUTLETS_GATES,  /* cells of open sides that are lowest for an eighth of a side both ways */
    TW_OUTLETS_BORDER  /* all cells of open sides */
};

/* Marks `outlet`, as many cells as heights; `closed` are bits of TW_SIDE_*. At least one is marked
 * unless all sides are closed. */
void tw_outlets_mark(enum tw_outlets which, const float *heights, int32_t width, int32_t height,
                     unsigned closed, uint8_t *outlet);

/* Sets all cells of open sides to one height. */
void tw_outlets_flood_border(float *heights, int32_t width, int32_t height, unsigned closed,
                             float level);

/* Marks the outlets of a smaller map: the cells that cover any outlet of `fine`. */
struct tw_outlets_map {
    int32_t width, height;
    const uint8_t *outlet;
};
void tw_outlets_cover(const struct tw_outlets_map *fine, int32_t width, int32_t height,
                      uint8_t *outlet);

/* ---- those of a node ---- */

enum tw_land_border { TW_LAND_RECIPE, TW_LAND_WRAP, TW_LAND_FREE, TW_LAND_FIXED, TW_LAND_LOW };

#define TW_PARAM_LAND_BORDER(S)                                                                    \
    TW_PARAM_ENUM(S, border, TW_LAND_RECIPE, "recipe|wrap|free|fixed|low",                         \
                  "what the border is: as the recipe says, the other side's neighbour, land like " \
                  "any other, ground that keeps its heights, or a sea at the lowest height"),      \
        TW_PARAM_CLOSED(S)

#define TW_LAND_OUTLETS_PORT                                                                       \
    {                                                                                              \
        "outlets", TW_MASK, TW_OPTIONAL,                                                           \
            "where water leaves, from 0.5: cells that keep their heights; see border if not given" \
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
/* Marks in `outlet` where water leaves a map of the task's size. `mask`: the input `outlets`, or
 * NULL; fails if it marks no cell, or if sides of a torus are closed. */
enum tw_status tw_land_find_outlets(struct tw_task *task, int32_t border,
                                    const struct tw_labels *closed, const float *in,
                                    const struct tw_value *mask, uint8_t *outlet);
/* Whether creep holds the whole border at its heights; where a side is closed, outlets are held
 * cell by cell. */
bool tw_land_is_held(int32_t border, const struct tw_labels *closed);
/* Lowest height, to which a border that is a sea is set. */
float tw_land_lowest(const float *in, size_t cells);

#endif
