/* SPDX-License-Identifier: MIT */
/* Which values are in memory, which users hold them, and which consumers wait for them. */
#include "run/spill.h"
#include "run/state.h"

#include <assert.h>

/* ---- claims ---- */

bool tw_state_has_value(const struct tw_run *run, struct tw_source source)
{
    return run->slots[source.node].values[source.port].data != NULL;
}

bool tw_state_is_complete(const struct tw_run *run, int32_t i)
{
    for (int port = 0; run->recipe->nodes[i].type->outputs[port].name; port++)
        if (run->slots[i].uses[port] > 0 && !tw_state_has_value(run, (struct tw_source){i, port}))
            return false;
    return true;
}

void tw_state_release(struct tw_run *run, struct tw_source source)
{
    struct tw_slot *slot = &run->slots[source.node];
    assert(slot->uses[source.port] > 0);
    if (--slot->uses[source.port] > 0)
        return;
    tw_memory_clear(&run->memory, &slot->values[source.port]);
    tw_spilling_forget(run, source);
}

void tw_state_hold_claims(struct tw_run *run, int32_t i)
{
    const struct tw_node *node = &run->recipe->nodes[i];
    for (int32_t edge = 0; edge < node->input_count && !run->slots[i].claims; edge++)
        if (node->inputs[edge].node >= 0)
            run->slots[node->inputs[edge].node].uses[node->inputs[edge].port]++;
    run->slots[i].claims = true;
}

void tw_state_drop_claims(struct tw_run *run, int32_t i)
{
    const struct tw_node *node = &run->recipe->nodes[i];
    for (int32_t edge = 0; edge < node->input_count && run->slots[i].claims; edge++)
        if (node->inputs[edge].node >= 0)
            tw_state_release(run, node->inputs[edge]);
    run->slots[i].claims = false;
}

/* ---- waiting ---- */

bool tw_state_is_input(const struct tw_run *run, int32_t i, int32_t edge)
{
    const int32_t *root = run->plan.fusion.root;
    int32_t source = run->recipe->nodes[i].inputs[edge].node;
    return source >= 0 && root[source] != root[i];
}

static bool member_has_inputs(const struct tw_run *run, int32_t m)
{
    const struct tw_node *node = &run->recipe->nodes[m];
    for (int32_t edge = 0; edge < node->input_count; edge++)
        if (tw_state_is_input(run, m, edge) && !tw_state_has_value(run, node->inputs[edge]))
            return false;
    return true;
}

bool tw_state_has_inputs(const struct tw_run *run, int32_t i)
{
    const struct tw_fusion *fusion = &run->plan.fusion;
    int32_t m = fusion->first[i];
    while (m != i && member_has_inputs(run, m))
        m = fusion->next[m];
    return m == i && member_has_inputs(run, i);
}

/* Whether a value of node i is what the goal waits for. */
static bool goal_waits(const struct tw_run *run, const struct tw_goal *goal, int32_t i)
{
    bool lacks = false;
    if (goal->done || goal->busy || goal->kind == TW_GOAL_STAMP)
        return false;
    for (const struct tw_output *o = goal->sources; o; o = o->next) {
        if (!run->slots[o->source.node].known)
            return false;
        lacks |= o->source.node == i && !tw_state_has_value(run, o->source);
    }
    return lacks;
}

static bool node_waits(const struct tw_run *run, int32_t user, int32_t i)
{
    const struct tw_node *node = &run->recipe->nodes[user];
    for (int32_t edge = 0; run->slots[user].phase == TW_WAITING && edge < node->input_count; edge++)
        if (node->inputs[edge].node == i && !tw_state_has_value(run, node->inputs[edge]))
            return true;
    return false;
}

int32_t tw_state_first_waiting(const struct tw_run *run, int32_t i)
{
    for (int32_t u = run->plan.first_user[i]; u < run->plan.first_user[i + 1]; u++)
        if (node_waits(run, run->plan.users[u], i))
            return run->plan.users[u];
    for (int32_t g = run->slots[i].first_goal; g < run->slots[i].end_goal; g++)
        if (goal_waits(run, &run->goals[g], i))
            return run->recipe->count + g;
    return INT32_MAX;
}
