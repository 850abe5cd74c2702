/* SPDX-License-Identifier: MIT */
/* Weiss 2015, IV-G, "User interaction": raise mountains, make land. */
#include "common/island_example.h"
#include "island/kernels/polymap_edit.h"

TW_EDIT_PORTS("polygons with elevation");

static enum tw_status run(struct tw_task *task)
{
    return tw_polymap_edit(task, TW_EDIT_ELEVATION, 1.0f);
}

static void forecast(struct tw_forecast *f) { tw_polymap_edit_forecast(f, TW_EDIT_ELEVATION); }

extern const struct tw_node_type tw_node_island_edit_raise;
const struct tw_node_type tw_node_island_edit_raise = {
    .name = "island.edit_raise",
    .version = 2,
    .summary = "raise polygons with round brushes",
    .keywords = "brush, sculpt, paint heights, hill",
    .elsewhere = "HeightField Paint (Houdini)",
    .detail =
        "Raises polygons with round brushes: hills, capes, new islands. Use it between "
        "island.elevation and island.rivers; choose island.edit_lower for the reverse.\n"
        "Each brush adds to the elevation of corners within its radius:\n"
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
    "edited: {type: island.edit_raise, in: height, at: [{x: 0.4, y: 0.5, by: 0.5}]}",
    .run = run,
    .forecast = forecast,
};
