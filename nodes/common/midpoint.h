/* SPDX-License-Identifier: MIT */
/* Midpoint displacement on a torus (Fournier, Fussell and Carpenter 1982; Olsen 2004). */
#ifndef TW_NODES_COMMON_MIDPOINT_H
#define TW_NODES_COMMON_MIDPOINT_H

#include <thalweg/node.h>

struct tw_midpoint {
    float persistence;
    int32_t frequency; /* starting values per side, a power of two */
    bool gaussian;
    bool smoothed;
};

/* Side of the torus that covers a map: a power of two, at least the frequency. */
int32_t tw_midpoint_side(int32_t width, int32_t height, int32_t frequency);
/* The scratch that filling takes, and with it a torus that is not an output. */
void tw_midpoint_forecast(struct tw_forecast *f, int32_t side, bool own_torus);

/* Fills side x side cells with noise rescaled to 0..1. TW_CANCELLED when the task is. */
enum tw_status tw_midpoint_fill(struct tw_task *task, const struct tw_midpoint *noise, int32_t side,
                                float *cells);

#endif
