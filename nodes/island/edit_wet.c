/* SPDX-License-Identifier: MIT */
/* Weiss 2015, IV-G, "User interaction": moisten places, for other biomes. */
#include "common/island_example.h"
#include "island/kernels/polymap_edit.h"

TW_EDIT_PORTS("polygons with moisture");

static enum tw_status run(struct tw_task *task)
{
    return tw_polymap_edit(task, TW_EDIT_MOISTURE, 1.0f);
}

static void forecast(struct tw_forecast *f) { tw_polymap_edit_forecast(f, TW_EDIT_MOISTURE); }

extern const struct tw_node_type tw_node_island_edit_wet;
const struct tw_node_type tw_node_island_edit_wet = {
    .name = "island.edit_wet",
    .version = 1,
    .summary = "moisten polygons with round brushes",
    .keywords = "brush, paint climate, moisture, rain, swamp",
    .elsewhere = "HeightField Paint (Houdini)",
    .detail = "Moistens polygons with round brushes, to change their biomes. Use it between "
              "island.moisture and island.biomes.\n"
              "Each brush adds to the moisture of corners within its radius, which stays in 0..1:\n"
              "    by (1 - d^2 / radius^2)^2.",
    .cite = "weiss2015",
    .inputs = inputs,
    .outputs = outputs,
    .params = tw_edit_params,
    .params_size = sizeof(struct tw_edit_params),
    .example =
        TW_ISLAND_MOIST "edited: {type: island.edit_wet, in: moist, at: [{x: 0.4, y: 0.6, by: 1}]}",
    .run = run,
    .forecast = forecast,
};
