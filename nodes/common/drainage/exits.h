/* SPDX-License-Identifier: MIT */
/* Where water leaves a map: over its border, but not over sides that a recipe closes, and at cells
 * that a recipe marks. */
#ifndef TW_NODES_COMMON_DRAINAGE_EXITS_H
#define TW_NODES_COMMON_DRAINAGE_EXITS_H

#include <thalweg/node.h>

enum { TW_SIDE_NORTH, TW_SIDE_EAST, TW_SIDE_SOUTH, TW_SIDE_WEST, TW_SIDES_ALL = 0xF };

/* Sides of the map over which no water leaves. The field is a struct tw_labels. */
#define TW_PARAM_CLOSED(S)                                                                         \
    TW_PARAM_LABELS(S, closed, "", "north|east|south|west",                                        \
                    "sides of the map over which no water leaves, as in [north, east]")

#define TW_OUTLETS_PORT                                                                            \
    {                                                                                              \
        "outlets", TW_MASK, TW_OPTIONAL, "where water leaves, too: 1/2 or more"                    \
    }

/* For users' `.detail`, after what outlets there are. */
#define TW_CLOSED_DETAIL                                                                           \
    " Sides of the map in `closed` are walls: water runs along them and leaves elsewhere; a "      \
    "corner is closed if both its sides are. Where all four are closed and nothing is marked, "    \
    "it leaves at the lowest cells. A torus has no sides to close."

/* A paragraph for help: which outlets there are, and what `outlets` and `closed` change. */
#define TW_EXITS_DETAIL                                                                            \
    "\nOutlets: water leaves over the border; on a torus (border wrap) through the lowest cells. " \
    "Cells of `outlets` are outlets, too, and replace these lowest cells: mark the bottom of an "  \
    "inner basin, and it keeps its water." TW_CLOSED_DETAIL

struct tw_exits {
    const float *marked; /* a cell is an outlet from 1/2 on; NULL: none is */
    unsigned closed;     /* bits of TW_SIDE_* */
    bool wrap;           /* a torus, which has no sides */
};

/* Returns the bits of a TW_PARAM_CLOSED field. */
unsigned tw_closed_sides(const struct tw_labels *closed);
/* Fails if the map is a torus and sides are closed. */
enum tw_status tw_closed_check(struct tw_task *task, const struct tw_labels *closed, bool wrap);

/* Reads what a node with TW_PARAM_CLOSED is given; `marked`, an input that is a mask, may be NULL.
 * Fails as tw_closed_check() does. */
enum tw_status tw_exits_read(struct tw_task *task, const struct tw_labels *closed,
                             const struct tw_value *marked, bool wrap, struct tw_exits *exits);
/* Whether the outlets are the cells of the border and no others. */
static inline bool tw_exits_are_border(const struct tw_exits *exits)
{
    return !exits->wrap && !exits->marked && !exits->closed;
}

/* Whether they may be others, in a forecast; `port` is the index of the input that marks. */
bool tw_exits_need_map(const struct tw_forecast *f, const struct tw_labels *closed, bool wrap,
                       int port);

/* Marks in `outlet`, of the task's size, the cells on sides that are open, those that are marked
 * and, if these are none, the lowest of all. TW_OK or TW_MEMORY. */
enum tw_status tw_exits_mark(struct tw_task *task, const struct tw_exits *exits,
                             const float *heights, uint8_t *outlet);
/* The scratch that this takes. */
void tw_exits_forecast(struct tw_forecast *f);

/* Whether a cell of the border lies on a side that is open. */
static inline bool tw_exits_open(unsigned closed, int32_t x, int32_t y, int32_t width,
                                 int32_t height)
{
    unsigned on = (unsigned)(y == 0) << TW_SIDE_NORTH | (unsigned)(x == width - 1) << TW_SIDE_EAST |
                  (unsigned)(y == height - 1) << TW_SIDE_SOUTH | (unsigned)(x == 0) << TW_SIDE_WEST;
    return (on & ~closed) != 0;
}

#endif
