/* SPDX-License-Identifier: MIT */
/* Sea, lakes and coasts of a polygon map (Weiss 2015, IV-C), from which cells are water. */
#ifndef TW_NODES_ISLAND_KERNELS_POLYMAP_WATER_H
#define TW_NODES_ISLAND_KERNELS_POLYMAP_WATER_H

#include "common/polymap/polymap.h"

/* Of a cell, or -1 beyond the border: whether it is water and not ocean. */
static inline bool tw_polymap_is_lake(const struct tw_polymap *map, int32_t cell)
{
    return cell >= 0 && (map->cell_flags[cell] & (TW_WATER | TW_OCEAN)) == TW_WATER;
}

/* Water cells that touch others, corner to corner, from the border on become ocean; all border
 * cells are water. `stack` holds `cells` numbers. */
void tw_polymap_flood(const struct tw_polymap *map, int32_t *stack);
/* Ocean, coast and shore flags of corners and the coast flag of cells, from the cells' flags. */
void tw_polymap_mark_shores(const struct tw_polymap *map);

#endif
