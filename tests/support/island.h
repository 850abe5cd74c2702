/* SPDX-License-Identifier: MIT */
/* Polygon maps for tests: builds one up to some stage, on a small map of a seed. */
#ifndef TW_TESTS_SUPPORT_ISLAND_H
#define TW_TESTS_SUPPORT_ISLAND_H

#include "island/kernels/polymap_build.h"
#include "support/harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Runs nodes p, s, e, r, m, b up to `stage` (one of those letters), then `more`. Gives 100 cells or
 * more, with an island as large as the map. */
static inline struct tw_result *island_run(uint64_t seed, char stage, const char *more,
                                           struct tw_polymap *map)
{
    static const char *const lines[] = {
        "s: {type: island.shape, in: p, base_octave: 3, scale: 1.0, offset: -0.4}\n",
        "e: {type: island.elevation, in: s}\n", "r: {type: island.rivers, in: e, count: 8}\n",
        "m: {type: island.moisture, in: r}\n", "b: {type: island.biomes, in: m}\n"};
    char nodes[3000], id[2] = {stage, 0};
    snprintf(nodes, sizeof nodes, "p: {type: island.polygons, cells: %d}\n",
             100 + (int)(seed % 200) * 3);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (strcmp(id, "p") == 0)
            break;
        strcat(nodes, lines[i]);
        if (lines[i][0] == stage)
            break;
    }
    strcat(nodes, more ? more : "");
    struct tw_result *result = harness_run(&(struct harness){.seed = seed, .nodes = nodes});
    if (map)
        assert_true(tw_polymap_view(tw_result_output(result, id), map));
    return result;
}

static inline bool is_lake_cell(const struct tw_polymap *m, int32_t cell)
{
    return cell >= 0 && (m->cell_flags[cell] & (TW_WATER | TW_OCEAN)) == TW_WATER;
}

static inline int32_t cell_corners(const struct tw_polymap *m, int32_t cell)
{
    return m->cell_start[cell + 1] - m->cell_start[cell];
}

/* Checks that each cell's value is the mean of its corners'. */
static inline void check_means(const struct tw_polymap *m, const float *corners, const float *cells)
{
    for (int32_t i = 0; i < m->cells; i++) {
        double sum = 0;
        for (int32_t side = m->cell_start[i]; side < m->cell_start[i + 1]; side++)
            sum += (double)corners[m->side_corner[side]];
        assert_true(fabs(sum / cell_corners(m, i) - (double)cells[i]) < 1e-6);
    }
}

#endif
