/* SPDX-License-Identifier: MIT */
/* What masks lay over the ground: a table with a row for each, and its colours in linear light. */
#ifndef TW_NODES_RENDER_KERNELS_MATERIALS_H
#define TW_NODES_RENDER_KERNELS_MATERIALS_H

#include "render/kernels/moods.h"

struct tw_material {
    struct tw_rgb colour;
    float grain, bump, ragged; /* variation of colour, roughness, how frayed its border is */
};

/* Later ones cover earlier ones. */
struct tw_layers {
    int32_t count;
    const float *masks[TW_INPUTS_MAX]; /* of the map's size */
    struct tw_material materials[TW_INPUTS_MAX];
};

extern const struct tw_column tw_material_columns[];

#define TW_PARAM_MATERIALS(S, field, says) TW_PARAM_TABLE(S, field, tw_material_columns, says)

/* For a descriptor's `check`. */
struct tw_rule tw_materials_check(const struct tw_table *rows);

/* Takes the masks from input `first` on; fails unless each has a row. */
enum tw_status tw_layers_fill(struct tw_task *task, int first, const struct tw_table *rows,
                              enum tw_mood mood, struct tw_layers *layers);

#endif
