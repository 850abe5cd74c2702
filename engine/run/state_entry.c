/* SPDX-License-Identifier: MIT */
/* Makes the key of a node, and checks that an entry under it fits the node. */
#include "run/state.h"

#include <string.h>

bool tw_state_make_key(struct tw_run *run, int32_t i)
{
    const struct tw_node *node = &run->recipe->nodes[i];
    const struct tw_stamp *stamps[TW_INPUTS_MAX];
    struct tw_slot *slot = &run->slots[i];
    struct tw_error error = {.status = TW_OK};
    bool has_file = false;
    enum tw_status status = tw_task_file_state(run->recipe, node, &has_file, &slot->file, &error);
    for (int32_t edge = 0; edge < node->input_count; edge++)
        if (node->inputs[edge].node >= 0)
            stamps[edge] = &run->slots[node->inputs[edge].node].stamps[node->inputs[edge].port];
    if (status == TW_OK) {
        slot->key_text = tw_key_text(run->recipe, node, stamps, has_file ? &slot->file : NULL);
        if (slot->key_text) {
            slot->key = tw_sha256_of(slot->key_text, strlen(slot->key_text));
            return true;
        }
        status = tw_error_set(&error, TW_MEMORY, "out of memory");
    }
    tw_state_fail_node(run, i, node, status, &error);
    return false;
}

/* False for an entry under the right key whose outputs do not match: the node's outputs changed
 * without a new version. Users would read past the end. */
static bool fits(const struct tw_run *run, int32_t i, const struct tw_action *action)
{
    const struct tw_port *ports = run->recipe->nodes[i].type->outputs;
    int32_t width, height;
    tw_node_output_size(run->recipe, &run->recipe->nodes[i], &width, &height);
    if (action->count != tw_node_count_ports(ports))
        return false;
    for (int port = 0; ports[port].name; port++) {
        if (!(action->held >> port & 1))
            continue;
        const struct tw_stamp *stamp = &action->outputs[port];
        enum tw_type type = tw_output_type(&run->recipe->nodes[i], port);
        bool grid = tw_type_is_grid(type);
        if (stamp->type != type || (grid && (stamp->width != width || stamp->height != height)))
            return false;
    }
    return true;
}

bool tw_state_take_entry(struct tw_run *run, int32_t i, const struct tw_action *action)
{
    struct tw_slot *slot = &run->slots[i];
    if (!fits(run, i, action))
        return false;
    memcpy(slot->stamps, action->outputs, (size_t)slot->outputs * sizeof *slot->stamps);
    slot->stamped = action->held;
    slot->lacking = run->plan.outputs[i] & ~action->held;
    slot->seconds = action->seconds;
    return slot->stamped && !slot->lacking;
}

void tw_state_warn_damaged(const struct tw_run *run, const char *name, const char *done)
{
    struct tw_error warning;
    if (!run->options->warning)
        return;
    tw_error_set(&warning, TW_OK, "a cache entry of %s was damaged; it is %s again", name, done);
    run->options->warning(run->options->context, &warning);
}
