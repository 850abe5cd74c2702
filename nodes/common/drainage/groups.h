/* SPDX-License-Identifier: MIT */
/* Levels of basins by joining every group of them to another over its lowest pass until all drain
 * (Boruvka 1926). Water that enters a group over a pass finds no higher one on its way through it:
 * the group's parts were joined over their lowest passes, and this is one out of each that it
 * enters. So a basin's level is the greatest of the passes over which its group, then the group
 * that this joined, and so on, were joined. Ties do not matter. */
#ifndef TW_NODES_COMMON_DRAINAGE_GROUPS_H
#define TW_NODES_COMMON_DRAINAGE_GROUPS_H

#include <thalweg/node.h>

/* A pass between two basins; its height as tw_float_key(). */
struct tw_basin_pass {
    uint32_t height;
    int32_t basin[2];
};

/* The passes so far, mostly one for each pair of basins: `recent` holds, by a hash of both, where a
 * pair was listed last. The caller provides room at `passes`. */
enum { TW_RECENT_BITS = 8 };
struct tw_pass_list {
    struct tw_basin_pass *passes;
    int32_t count;
    int32_t recent[1 << TW_RECENT_BITS];
};

static inline void tw_pass_list_add(struct tw_pass_list *list, int32_t a, int32_t b,
                                    uint32_t height)
{
    int32_t low = a < b ? a : b, high = a < b ? b : a;
    uint32_t hash = ((uint32_t)low * 31 + (uint32_t)high) * 0x9E3779B9u;
    int32_t *recent = &list->recent[hash >> (32 - TW_RECENT_BITS)];
    struct tw_basin_pass *found = &list->passes[*recent];
    if (*recent < list->count && found->basin[0] == low && found->basin[1] == high) {
        found->height = height < found->height ? height : found->height;
        return;
    }
    *recent = list->count;
    list->passes[list->count++] = (struct tw_basin_pass){height, {low, high}};
}

/* Passes are in parts, each of its own memory, so that threads can list and sift them. */
enum { TW_PASS_PARTS = 16 };

/* Basins in groups, that of the outlets, 0, included. */
struct tw_basin_groups {
    struct tw_basin_pass *passes; /* between different groups */
    int32_t first[TW_PASS_PARTS], count[TW_PASS_PARTS];
    int32_t parts;
    int32_t basins;   /* of the land */
    int32_t *group;   /* the basin that represents its group */
    uint64_t *lowest; /* of those: height and index of the group's lowest pass */
    int32_t *onto;    /* the group that it hangs on; 0 at first */
    int32_t *way;     /* basins between one and those whose level is known */
    uint32_t *height; /* of the pass to `onto`, then of the level */
    uint8_t *known;   /* `height` is the level */
};

/* Finds `height` of every basin from `passes`, which it uses up; all arrays are of `basins`. */
enum tw_status tw_basin_groups_join(struct tw_task *task, struct tw_basin_groups *groups);

#endif
