/* SPDX-License-Identifier: MIT */
/* Exact Euclidean distances in linear time: Meijster, Roerdink and Hesselink 2000, "A general
 * algorithm for computing distance transforms in linear time". */
#ifndef TW_NODES_COMMON_DISTANCE_TRANSFORM_H
#define TW_NODES_COMMON_DISTANCE_TRANSFORM_H

#include <thalweg/scratch.h>

/* Distances between cell centres, to cells of one kind. */
struct tw_distance {
    const float *in; /* of the task's size; a cell is set from 1/2 on */
    bool of_set;     /* to set cells; else to the others */
    bool wrap;
    float scale; /* from cells to the result */
    float limit; /* the greatest result; also where there is no cell of the kind */
};

/* A parabola of an envelope: its column, and the first x at which it is the lowest. */
struct tw_parabola {
    int32_t column, from;
};

/* Scratch for one transform at a time. */
struct tw_distance_space {
    int32_t *gaps;                 /* to the nearest cell of the kind in the column */
    int32_t *lines;                /* of a torus: a row of gaps laid out, for each slot */
    struct tw_parabola *envelopes; /* a row of them for each slot */
};

/* False without memory. */
bool tw_distance_lay_out(struct tw_scratch *s, struct tw_distance_space *space, bool wrap);
/* TW_CANCELLED when the task is. */
enum tw_status tw_distance_transform(struct tw_task *task, const struct tw_distance *distance,
                                     const struct tw_distance_space *space, float *out);

#endif
