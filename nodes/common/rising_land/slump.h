/* SPDX-License-Identifier: MIT */
/* Slopes steeper than the talus angle slump until they rest: the passes of erosion.thermal. Every
 * cell first notes what it gives, then adds up what its neighbours give it. */
#ifndef TW_NODES_COMMON_RISING_LAND_SLUMP_H
#define TW_NODES_COMMON_RISING_LAND_SLUMP_H

#include "common/framed_map.h"

/* The rise to a neighbour, or that over its true distance. */
enum tw_slump_slope { TW_SLUMP_CELLS, TW_SLUMP_DISTANCE };

struct tw_slump {
    struct tw_framed_map h, next, loss, total; /* total: sum of the weights */
    float rate;                                /* c */
    float threshold[8];                        /* T, by neighbours in reading order */
    float less[8];                             /* a drop above T weighs that much less */
    bool kept;                                 /* cells of the border give nothing */
    const float *hardness;                     /* may be NULL */
    enum tw_simd simd;
};

/* Takes the blocks of a map of the task's size. The user sets the rate, hardness, kept and simd,
 * and reads the ground into `h` and, at the end, out of it. */
bool tw_slump_lay_out(struct tw_scratch *scratch, struct tw_slump *s, bool wraps);
/* `threshold`: T of the neighbours in rows and columns. */
void tw_slump_set_talus(struct tw_slump *s, float threshold, enum tw_slump_slope slope);
enum tw_status tw_slump_settle(struct tw_task *task, struct tw_slump *s, int32_t passes);

#endif
