/* SPDX-License-Identifier: MIT */
/* Weiss 2015, IV-G, "User interaction": warm places, for other biomes. */
#include "common/island_example.h"
#include "island/kernels/polymap_edit.h"

TW_EDIT_PORTS("polygons with elevation");

static enum tw_status run(struct tw_task *task)
{
    return tw_polymap_edit(task, TW_EDIT_TEMPERATURE, 1.0f);
}

static void forecast(struct tw_forecast *f) { tw_polymap_edit_forecast(f, TW_EDIT_TEMPERATURE); }

extern const struct tw_node_type tw_node_island_edit_warm;
const struct tw_node_type tw_node_island_edit_warm = {
    .name = "island.edit_warm",
    .version = 1,
    .summary = "warm polygons with round brushes",
    .keywords = "brush, paint climate, temperature, desert",
    .elsewhere = "HeightField Paint (Houdini)",
    .detail =
        "Warms polygons with round brushes, to change their biomes. Use it between "
        "island.elevation and island.biomes.\n"
        "Each brush adds to the temperature of corners within its radius, which stays in 0..1:\n"
        "    by (1 - d^2 / radius^2)^2.",
    .cite = "weiss2015",
    .inputs = inputs,
    .outputs = outputs,
    .params = tw_edit_params,
    .params_size = sizeof(struct tw_edit_params),
    .example = TW_ISLAND_HEIGHT
    "edited: {type: island.edit_warm, in: height, at: [{x: 0.5, y: 0.5, by: 0.5}]}",
    .run = run,
    .forecast = forecast,
};
