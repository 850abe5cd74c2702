/* SPDX-License-Identifier: MIT */
/* Colours by value: rows of a table, linear in between. */
#ifndef TW_NODES_RENDER_KERNELS_RAMP_H
#define TW_NODES_RENDER_KERNELS_RAMP_H

#include "render/kernels/surface_light.h"

extern const struct tw_column tw_ramp_columns[];

#define TW_RAMP_BY_PARAM(S, field)                                                                 \
    TW_PARAM_ENUM(S, field, TW_RAMP_HEIGHT, "height|slope|mask",                                   \
                  "what the ramp's values are: height, rise per longer side of the map, or the "   \
                  "input mask")
#define TW_RAMP_FIT_PARAM(S, field)                                                                \
    TW_PARAM_BOOL(S, field, true,                                                                  \
                  "stretch the ramp over what the map has; a ramp with values on both sides of 0 " \
                  "keeps 0 at the sea")

struct tw_ramp_choice {
    const struct tw_table *rows;
    enum tw_ramp_by by;
    bool fit;
    float sea;
};

/* For a descriptor's `check`; an empty table is right. */
struct tw_rule tw_ramp_check(const struct tw_table *rows);

/* The ramp as the surface of the job reads it. TW_MEMORY, TW_NODE for a missing mask, or TW_OK. */
enum tw_status tw_ramp_fill(struct tw_task *task, const struct tw_surface_job *job,
                            const struct tw_ramp_choice *choice, struct tw_surface_ramp *ramp);

/* The value of the rows at a share of low..high; 0 of a ramp around 0 stays at the hinge. */
float tw_ramp_stretch(const struct tw_table *rows, float v, float low, float high, float hinge);

/* The colour at a value of the rows, as sRGB bytes in floats. Two rows of one value make a step; at
 * the ends of the rows, the outer one is the colour beyond. */
void tw_ramp_colour(const struct tw_table *rows, float value, float *colour);

#endif
