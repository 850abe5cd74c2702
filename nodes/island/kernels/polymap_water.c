/* SPDX-License-Identifier: MIT */
#include "island/kernels/polymap_water.h"

/* Makes the water cells around a corner that are not yet ocean so, and stacks them. */
static int32_t flood_around(const struct tw_polymap *map, int32_t corner, int32_t *stack,
                            int32_t top)
{
    for (int32_t s = map->corner_start[corner]; s < map->corner_start[corner + 1]; s++) {
        const struct tw_polymap_edge *edge = &map->edge[map->spoke[s]];
        const int32_t cells[2] = {edge->d0, edge->d1};
        for (int k = 0; k < 2; k++) {
            if (!tw_polymap_is_lake(map, cells[k]))
                continue;
            map->cell_flags[cells[k]] |= TW_OCEAN;
            stack[top++] = cells[k];
        }
    }
    return top;
}

void tw_polymap_flood(const struct tw_polymap *map, int32_t *stack)
{
    int32_t top = 0;
    for (int32_t i = 0; i < map->cells; i++) {
        map->cell_flags[i] &= ~(uint32_t)TW_OCEAN;
        if (map->cell_flags[i] & TW_BORDER) {
            map->cell_flags[i] |= TW_WATER | TW_OCEAN;
            stack[top++] = i;
        }
    }
    while (top > 0) {
        int32_t cell = stack[--top];
        for (int32_t side = map->cell_start[cell]; side < map->cell_start[cell + 1]; side++)
            top = flood_around(map, map->side_corner[side], stack, top);
    }
}

/* Flags of a corner by the cells around it. */
static uint32_t shore_flags(const struct tw_polymap *map, int32_t corner)
{
    bool ocean = false, land = false, lake = false;
    for (int32_t s = map->corner_start[corner]; s < map->corner_start[corner + 1]; s++) {
        const struct tw_polymap_edge *edge = &map->edge[map->spoke[s]];
        const int32_t cells[2] = {edge->d0, edge->d1};
        for (int k = 0; k < 2; k++) {
            uint32_t flags = cells[k] < 0 ? 0 : map->cell_flags[cells[k]];
            ocean = ocean || (flags & TW_OCEAN);
            lake = lake || tw_polymap_is_lake(map, cells[k]);
            land = land || (cells[k] >= 0 && !(flags & TW_WATER));
        }
    }
    return (ocean && !land ? TW_OCEAN : 0u) | (ocean && land ? TW_COAST : 0u) |
           (lake ? TW_SHORE : 0u);
}

void tw_polymap_mark_shores(const struct tw_polymap *map)
{
    for (int32_t c = 0; c < map->corners; c++)
        map->corner_flags[c] =
            (map->corner_flags[c] & (TW_WATER | TW_BORDER)) | shore_flags(map, c);
    for (int32_t i = 0; i < map->cells; i++) {
        bool coast = false;
        for (int32_t side = map->cell_start[i]; side < map->cell_start[i + 1]; side++)
            coast = coast || (map->corner_flags[map->side_corner[side]] & TW_COAST);
        map->cell_flags[i] &= ~(uint32_t)TW_COAST;
        if (coast && !(map->cell_flags[i] & TW_WATER))
            map->cell_flags[i] |= TW_COAST;
    }
}
