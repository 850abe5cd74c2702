/* SPDX-License-Identifier: MIT */
/* The automaton behind erosion.olsen and erosion.thermal_fast (Olsen 2004): a cell moves half of
 * its steepest drop d to that neighbour, the first on ties, when min_drop < d <= max_drop. */
#ifndef TW_NODES_EROSION_KERNELS_ROW_BANDS_TALUS_LEVELLING_H
#define TW_NODES_EROSION_KERNELS_ROW_BANDS_TALUS_LEVELLING_H

#include "erosion/kernels/row_bands/row_bands.h"

struct tw_levelling {
    float min_drop, max_drop; /* 0 <= min_drop, max_drop <= TW_ROW_BANDS_DROP_MAX */
};

struct tw_levelling_passes {
    int32_t count;
    enum tw_visiting_order order;
    enum tw_neighbourhood around;
    /* Odd passes look at the other neighbourhood, and the map is mirrored every two passes. Corners
     * are 2^(1/2) times as far away, so the limits on drops to them are that much larger. */
    bool alternating;
    bool closed, kept; /* borders */
    int32_t apron;     /* of closed borders; see struct tw_row_bands_rule */
};

/* How passes are visited, for TW_PARAM_ENUM. */
#define TW_LEVELLING_VISITS_LABELS "fixed|alternating"
#define TW_LEVELLING_VISITS_HELP                                                                   \
    "alternating: four sides and four corners in turn, from changing directions, so that slopes "  \
    "do not follow the grid"

/* Levels the task's first input into its first output. Returns TW_CANCELLED if the task is
 * cancelled. */
enum tw_status tw_levelling_run(struct tw_task *task, const struct tw_levelling *level,
                                const struct tw_levelling_passes *passes);

#endif
