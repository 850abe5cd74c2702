/* SPDX-License-Identifier: MIT */
/* A flat map. */
#include <thalweg/node.h>

struct params {
    float value;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, value, 0, -1e9, 1e9, TW_UNIT_HEIGHT, "height of every cell",
                 TW_USUAL(-1, 1)),
    TW_PARAM_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the flat map"},
    TW_PORT_END,
};

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    struct tw_value *out = tw_task_output(task, OUT);
    for (size_t i = 0; i < tw_value_count(out); i++)
        tw_floats(out)[i] = p->value;
    return TW_OK;
}

extern const struct tw_node_type tw_node_source_constant;
const struct tw_node_type tw_node_source_constant = {
    .name = "source.constant",
    .version = 1,
    .summary = "a flat map",
    .keywords = "flat, plane, empty, level ground, value",
    .elsewhere =
        "Constant (Gaea), Constant (World Machine), HeightField (Houdini), Value (Blender)",
    .detail =
        "Makes a flat map, such as a sea level for combine.maximum or a base to build on. Choose "
        "mask.shape for a value in one place.",
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "sea: {type: source.constant, value: 0.2}",
    .reach = TW_REACH_CELL,
    .run = run,
};
