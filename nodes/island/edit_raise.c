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
    .detail = "Each brush adds by (1 - d^2 / radius^2)^2 within its radius, to the elevation of "
              "corners. Sea, lakes and rivers' ways follow: polygons whose mean sinks below 0 "
              "where the sea reaches them become ocean, ocean that rises above 0 becomes land, "
              "lakes lie as high as their lowest corner, and temperature falls by as much as land "
              "rises. Use it between island.elevation and island.rivers.",
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
