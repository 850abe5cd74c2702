/* SPDX-License-Identifier: MIT */
#include "graph/spill_forecast.h"

static bool takes_output(const struct tw_output *sources, struct tw_source source)
{
    for (const struct tw_output *o = sources; o; o = o->next)
        if (o->source.node == source.node && o->source.port == source.port)
            return true;
    return false;
}

bool tw_spill_takes(const struct tw_spill_view *view, int32_t consumer, struct tw_source source)
{
    if (consumer >= view->recipe->count) {
        int32_t g = consumer - view->recipe->count;
        return g < view->goal_count && takes_output(view->goals[g].sources, source);
    }
    const struct tw_node *node = &view->recipe->nodes[consumer];
    for (int32_t edge = 0; edge < node->input_count; edge++)
        if (node->inputs[edge].node == source.node && node->inputs[edge].port == source.port)
            return true;
    return false;
}

bool tw_spill_keeps(const struct tw_spill_view *view, struct tw_source source)
{
    for (int32_t g = 0; g < view->goal_count; g++)
        if (view->goals[g].keeps && takes_output(view->goals[g].sources, source))
            return true;
    return false;
}

int32_t tw_spill_next_use(const struct tw_spill_view *view, struct tw_source source)
{
    const struct tw_plan *plan = view->plan;
    const int32_t nodes = view->recipe->count;
    for (int32_t u = plan->first_user[source.node]; u < plan->first_user[source.node + 1]; u++)
        if (view->due(view->context, plan->users[u]) &&
            tw_spill_takes(view, plan->users[u], source))
            return plan->users[u];
    for (int32_t g = 0; g < view->goal_count; g++)
        if (view->due(view->context, nodes + g) && tw_spill_takes(view, nodes + g, source))
            return nodes + g;
    return INT32_MAX;
}

bool tw_spill_choose(const struct tw_spill_view *view, int32_t consumer, struct tw_source *victim)
{
    int32_t furthest = -1;
    uint64_t largest = 0;
    for (int32_t i = 0; i < view->recipe->count; i++) {
        const struct tw_port *ports = view->recipe->nodes[i].type->outputs;
        for (int port = 0; view->plan->needed[i] && ports[port].name; port++) {
            const struct tw_source source = {i, port};
            const uint64_t bytes = view->resident(view->context, source);
            if (bytes == 0 || tw_spill_takes(view, consumer, source) ||
                tw_spill_keeps(view, source))
                continue;
            const int32_t next = tw_spill_next_use(view, source);
            if (next < furthest || (next == furthest && bytes < largest))
                continue;
            furthest = next;
            largest = bytes;
            *victim = source;
        }
    }
    return furthest >= 0;
}
