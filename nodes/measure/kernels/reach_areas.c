/* SPDX-License-Identifier: MIT */
#include "measure/kernels/reach_areas.h"

#include "common/opening.h"
#include "measure/kernels/cover_least.h"

#include <string.h>

bool tw_areas_lay_out(struct tw_scratch *s, struct tw_areas *areas)
{
    areas->own = tw_scratch_maps(s, 1, sizeof *areas->own);
    areas->work = tw_scratch_maps(s, 1, sizeof *areas->work);
    return tw_scratch_is_laid(s);
}

/* A place is of its nearest start, on ties of none. */
static void find_own(const struct tw_unit_ground *g, const struct tw_nearest *n,
                     struct tw_areas *areas)
{
    const int32_t cells = g->width * g->height;
    int32_t *own = areas->own, *greatest = areas->work; /* minus the least of minus the numbers */
    for (int32_t i = 0; i < cells; i++) {
        bool alone = n->best[i] < n->second[i];
        own[i] = alone ? n->who[i] : TW_COVER_NONE;
        greatest[i] = alone ? -n->who[i] : TW_COVER_NONE;
    }
    tw_cover_least(own, g->width, g->height, g->size);
    tw_cover_least(greatest, g->width, g->height, g->size);
    for (int32_t i = 0; i < cells; i++)
        own[i] = own[i] != TW_COVER_NONE && own[i] == -greatest[i] ? own[i] : 0;
}

static double count_built(struct tw_task *task, struct tw_unit_ground *g, const int32_t *own,
                          int32_t start, int32_t size)
{
    struct tw_bitmap *site = &g->places;
    memset(site->words, 0, (size_t)site->stride * (size_t)site->height * sizeof *site->words);
    for (int32_t y = 0; y < site->height; y++) {
        uint64_t *row = tw_bitmap_row(site, y);
        for (int32_t x = 0; x < site->width; x++, own++)
            row[x / 64] |= (uint64_t)(*own == start + 1) << x % 64;
    }
    tw_bitmap_intersect(&g->flat, site);
    tw_opening_erode(task, size, site, &g->spare);
    tw_opening_dilate(task, size, site, &g->spare);
    return (double)tw_bitmap_count(site);
}

void tw_areas_find(struct tw_task *task, struct tw_unit_ground *g, const struct tw_nearest *n,
                   int32_t building_size, int32_t count, struct tw_areas *areas)
{
    find_own(g, n, areas);
    for (int32_t i = 0; i < g->width * g->height; i++) {
        if (areas->own[i])
            areas->area[areas->own[i] - 1]++;
        if (n->who[i] && tw_safety(n, i) > 0.35)
            areas->safe[n->who[i] - 1]++;
    }
    for (int32_t i = 0; i < count; i++)
        areas->built[i] = count_built(task, g, areas->own, i, building_size);
}
