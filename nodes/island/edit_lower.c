/* SPDX-License-Identifier: MIT */
/* Weiss 2015, IV-G, "User interaction": build valleys, let the sea in. */
#include "common/island_example.h"
#include "island/kernels/polymap_edit.h"

TW_EDIT_PORTS("polygons with elevation");

static enum tw_status run(struct tw_task *task)
{
    return tw_polymap_edit(task, TW_EDIT_ELEVATION, -1.0f);
}

static void forecast(struct tw_forecast *f) { tw_polymap_edit_forecast(f, TW_EDIT_ELEVATION); }

extern const struct tw_node_type tw_node_island_edit_lower;
const struct tw_node_type tw_node_island_edit_lower = {
    .name = "island.edit_lower",
    .version = 2,
    .summary = "lower polygons with round brushes",
    .keywords = "brush, dig, sculpt, paint heights, valley",
    .elsewhere = "HeightField Paint (Houdini)",
    .detail =
        "Lowers polygons with round brushes: bays, valleys, lakes. Use it between "
        "island.elevation and island.rivers; choose island.edit_raise for the reverse.\n"
        "Each brush takes from the elevation of corners within its radius:\n"
        "    by (1 - d^2 / radius^2)^2.\n"
        "Sea, lakes and the ways of rivers follow. Polygons whose mean sinks below 0 where the "
        "sea reaches them become ocean, and ocean that rises above 0 becomes land. Lakes lie as "
        "high as their lowest corner, and temperature falls by as much as land rises.",
    .cite = "weiss2015",
    .inputs = inputs,
    .outputs = outputs,
    .params = tw_edit_params,
    .params_size = sizeof(struct tw_edit_params),
    .example = TW_ISLAND_HEIGHT
    "edited: {type: island.edit_lower, in: height, at: [{x: 0.6, y: 0.5, by: 0.3}]}",
    .run = run,
    .forecast = forecast,
};
