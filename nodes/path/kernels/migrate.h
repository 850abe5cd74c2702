/* SPDX-License-Identifier: MIT */
/* Moves a river's bends outward and downstream by one round: Howard and Knutson 1984, equations 2
 * to 5, with their weights Omega = -1 and Gamma = 2.5. */
#ifndef TW_NODES_PATH_KERNELS_MIGRATE_H
#define TW_NODES_PATH_KERNELS_MIGRATE_H

#include "path/kernels/stems.h"

struct tw_migration {
    double rate, confine;                 /* widths per round; depths */
    double steep[2];                      /* true slopes: from where on bends slow down, and stop */
    double per_slope;                     /* true slope of a fall of 1 per cell */
    const struct tw_value *ground, *hold; /* may be NULL */
    const struct tw_stems *stems;         /* to keep away from */
};

/* The share of a place that the mask `hold` leaves free. */
double tw_migration_free(const struct tw_migration *m, const struct tw_course_point *at);

/* Returns whether any point moved. */
bool tw_migrate(const struct tw_migration *m, struct tw_course *course);

/* Draws each inner point a little towards its neighbours, where it is free. */
void tw_migration_smooth(const struct tw_migration *m, struct tw_course *course);

#endif
