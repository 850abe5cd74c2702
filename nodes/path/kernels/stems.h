/* SPDX-License-Identifier: MIT */
/* The rivers that have found their course, for those that join them: how near the next one is. */
#ifndef TW_NODES_PATH_KERNELS_STEMS_H
#define TW_NODES_PATH_KERNELS_STEMS_H

#include "path/kernels/course.h"

struct tw_stems {
    struct tw_course_point *at; /* of all stems, one after the other */
    int32_t *line;              /* of each point; another than that of the stem before */
    int32_t *next, *heads;      /* points of one bin of the map; -1 ends */
    double *reach; /* of a bin: from its points to the far end and bank of their segments */
    int32_t count, capacity, stems;
    int32_t columns, rows; /* of bins */
    double width, height;  /* of the map in cells */
    double farthest;       /* reach of any bin */
    bool wrap;
};

/* Takes scratch as tw_course_lay_out() does. */
bool tw_stems_lay_out(struct tw_scratch *s, int64_t expected, struct tw_stems *stems);

void tw_stems_begin(struct tw_stems *stems, double width, double height, bool wrap);
/* Adds a course; false if there are too many points. */
bool tw_stems_add(struct tw_stems *stems, const struct tw_course *course, int32_t line);

/* The place on a stem whose bank is nearest; `gap` is the distance from that bank, below 0 in the
 * bed. */
struct tw_stem_place {
    double gap;
    double dx, dy, z; /* from where the search began to the stem's middle; height there */
};

/* Returns the nearest place if its gap is below `most`, else one with that gap. */
struct tw_stem_place tw_stems_nearest(const struct tw_stems *stems, double x, double y,
                                      double most);

/* Whether the straight way from a to b crosses a stem. */
bool tw_stems_cross(const struct tw_stems *stems, const struct tw_course_point *a,
                    const struct tw_course_point *b);

#endif
