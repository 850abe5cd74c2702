/* SPDX-License-Identifier: MIT */
/* One of several inputs, by its place in the list. Loading connects each user of this node to that
 * input, so the node never runs and copies nothing, and the other inputs are not computed. */
#include <thalweg/node.h>

struct params {
    int32_t index;
};

static const struct tw_param params[] = {
    TW_PARAM_I32(struct params, index, 0, 0, TW_INPUTS_MAX - 1, TW_UNIT_NONE,
                 "which input, counted from 0"),
    TW_PARAM_END,
};

static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, TW_VARIADIC | TW_ANY_TYPE, "what to choose from"},
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, TW_ANY_TYPE, "the chosen input, of its type"},
    TW_PORT_END,
};

static int32_t choose(const void *at) { return ((const struct params *)at)->index; }

extern const struct tw_node_type tw_node_combine_switch;
const struct tw_node_type tw_node_combine_switch = {
    .name = "combine.switch",
    .version = 1,
    .summary = "one of several inputs, chosen by a parameter",
    .keywords = "branch, choice, variant, selector, toggle",
    .elsewhere = "Switch (Gaea), Switch (World Machine), Switch (Houdini), Switch (Blender)",
    .detail =
        "Passes on one of several inputs, chosen by a parameter, whatever its type. Choose "
        "combine.mix or combine.blend to use parts of several.\n"
        "`index` counts the list from 0. With `index: \"${kind}\"` a parameter of the recipe "
        "chooses between branches, from the command line or by an experiment.\n"
        "The other inputs must be right but are not computed, and the cache sees only the chosen "
        "one.",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.perlin}\n"
               "ridges: {type: noise.ridged}\n"
               "land: {type: combine.switch, in: [noise, ridges], index: 1}",
    .reach = TW_REACH_CELL,
    .choose = choose,
};
