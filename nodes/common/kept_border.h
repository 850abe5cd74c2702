/* SPDX-License-Identifier: MIT */
/* One more choice for the border of Olsen's erosions: the game that he released with the paper
 * visits cells 1 to N - 2 only, so those of the border take from others but never give. */
#ifndef TW_NODES_COMMON_KEPT_BORDER_H
#define TW_NODES_COMMON_KEPT_BORDER_H

#include "common/framed_map.h"

enum { TW_KEPT_BORDER = TW_BORDER_CLOSED + 1 }; /* follows the values of TW_PARAM_BORDER */

#define TW_PARAM_KEPT_BORDER(S, field)                                                             \
    TW_PARAM_ENUM(S, field, TW_BORDER_RECIPE, "recipe|wrap|closed|kept",                           \
                  "what lies beyond the border: as the recipe says, the other side, or nothing; "  \
                  "kept: nothing, and cells of the border give nothing")

/* Sets what the border's cells of row y give to 0. */
static inline void tw_kept_border_clear(const struct tw_framed_map *given, int32_t y)
{
    float *row = tw_framed_map_row(given, y);
    row[0] = row[given->width - 1] = 0;
    if (y == 0 || y == given->height - 1)
        memset(row, 0, (size_t)given->width * sizeof *row);
}

#endif
