/* SPDX-License-Identifier: MIT */
/* Sources precede their users in a recipe, so every question takes one pass over the nodes. */
#include "graph/plan.h"

#include "graph/fusion.h"
#include "value/field.h"

#include <stdlib.h>
#include <string.h>

static void mark_source(struct tw_plan *plan, struct tw_source source)
{
    plan->needed[source.node] = true;
    plan->outputs[source.node] |= (uint32_t)1 << source.port;
}

static void mark_needed(const struct tw_recipe *recipe, const struct tw_source *goals,
                        int32_t goal_count, struct tw_plan *plan)
{
    for (int32_t i = 0; i < goal_count; i++)
        mark_source(plan, goals[i]);
    for (int32_t i = recipe->count - 1; i >= 0; i--) {
        if (!plan->needed[i])
            continue;
        plan->needed_count++;
        for (int32_t port = 0; port < recipe->nodes[i].input_count; port++)
            if (recipe->nodes[i].inputs[port].node >= 0)
                mark_source(plan, recipe->nodes[i].inputs[port]);
    }
}

/* Returns true if an earlier port of the node has the same source node. */
static bool is_repeated(const struct tw_node *node, int32_t port)
{
    for (int32_t i = 0; i < port; i++)
        if (node->inputs[i].node == node->inputs[port].node)
            return true;
    return false;
}

/* Visits each distinct (source node, user) pair, first to count, then to fill. */
static void walk_uses(const struct tw_recipe *recipe, struct tw_plan *plan, int32_t *next)
{
    for (int32_t i = 0; i < recipe->count; i++) {
        const struct tw_node *node = &recipe->nodes[i];
        for (int32_t port = 0; plan->needed[i] && port < recipe->nodes[i].input_count; port++) {
            int32_t from = node->inputs[port].node;
            if (from < 0 || is_repeated(node, port))
                continue;
            if (next)
                plan->users[next[from]++] = i;
            else
                plan->first_user[from + 1]++;
        }
    }
}

static bool list_users(const struct tw_recipe *recipe, struct tw_plan *plan)
{
    size_t count = (size_t)recipe->count + 1;
    walk_uses(recipe, plan, NULL);
    for (size_t i = 1; i < count; i++)
        plan->first_user[i] += plan->first_user[i - 1];
    plan->users = calloc((size_t)plan->first_user[count - 1] + 1, sizeof *plan->users);
    int32_t *next = malloc(count * sizeof *next);
    if (plan->users && next) {
        memcpy(next, plan->first_user, count * sizeof *next);
        walk_uses(recipe, plan, next);
    }
    bool ok = plan->users && next;
    free(next);
    return ok;
}

bool tw_plan_has_block(const struct tw_recipe *recipe, const struct tw_plan *plan, int32_t node,
                       int i)
{
    bool on_demand = recipe->nodes[node].type->outputs[i].flags & TW_ON_DEMAND;
    return !on_demand || (plan->outputs[node] >> i & 1);
}

uint64_t tw_plan_output_bytes(const struct tw_recipe *recipe, const struct tw_plan *plan,
                              int32_t node)
{
    uint64_t sum = 0;
    const struct tw_port *ports = recipe->nodes[node].type->outputs;
    int32_t width, height;
    tw_node_output_size(recipe, &recipe->nodes[node], &width, &height);
    for (int port = 0; ports[port].name; port++) {
        size_t bytes = 0;
        enum tw_type type = tw_output_type(&recipe->nodes[node], port);
        if ((plan->outputs[node] >> port & 1) && tw_type_is_grid(type) &&
            tw_field_bytes(type, width, height, &bytes))
            sum += bytes;
    }
    return sum;
}

/* Maximum entries of a record that the node does not forecast. */
enum { RECORD_ENTRIES = 16 };

/* Sums saturate instead of overflowing. */
static struct tw_forecast forecast_of(const struct tw_recipe *recipe, const struct tw_node *node,
                                      uint32_t used, int64_t (*elements)[TW_PORTS_MAX])
{
    struct tw_forecast forecast = {.params = node->params,
                                   .width = recipe->width,
                                   .height = recipe->height,
                                   .borders = node->borders,
                                   .used = used,
                                   .input_count = node->input_count,
                                   .file = node->file.facts};
    for (int32_t edge = 0; edge < node->input_count; edge++)
        if (node->inputs[edge].node >= 0)
            forecast.inputs[edge] = elements[node->inputs[edge].node][node->inputs[edge].port];
    if (node->type->forecast)
        node->type->forecast(&forecast);
    return forecast;
}

/* A file that is decoded whole stays until the node is done; its undecoded bytes are freed before
 * the node starts (task/task_file.c). */
static uint64_t scratch_with_file(const struct tw_node *node, uint64_t scratch)
{
    const struct tw_node_file *file = &node->file;
    size_t decoded = 0;
    if (file->by_rows && node->type->file_rows)
        return tw_add_saturating(scratch, file->held);
    if (!tw_field_bytes(file->facts.type, file->facts.width, file->facts.height, &decoded))
        return scratch; /* no file */
    uint64_t bytes = file->by_rows ? file->held : file->bytes;
    return tw_add_saturating(decoded, scratch > bytes ? scratch : bytes);
}

/* Returns the maximum number of elements of output `port`. */
static int64_t count_elements(const struct tw_recipe *recipe, const struct tw_node *node,
                              enum tw_type type, int64_t list)
{
    int32_t width, height;
    tw_node_output_size(recipe, node, &width, &height);
    if (tw_type_is_grid(type))
        return (int64_t)width * height;
    if (type == TW_RECORD && list <= 0)
        list = RECORD_ENTRIES;
    return list < 0 ? 0 : list > (int64_t)TW_CELLS_MAX ? (int64_t)TW_CELLS_MAX : list;
}

static void find_need(const struct tw_recipe *recipe, struct tw_plan *plan, int32_t i,
                      uint64_t workers, int64_t (*elements)[TW_PORTS_MAX])
{
    const struct tw_port *ports = recipe->nodes[i].type->outputs;
    struct tw_forecast forecast =
        forecast_of(recipe, &recipe->nodes[i], plan->outputs[i], elements);
    struct tw_need *need = &plan->needs[i];
    need->scratch = scratch_with_file(&recipe->nodes[i], forecast.scratch);
    for (int port = 0; ports[port].name; port++) {
        if (!tw_plan_has_block(recipe, plan, i, port))
            continue;
        enum tw_type type = tw_output_type(&recipe->nodes[i], port);
        elements[i][port] = count_elements(recipe, &recipe->nodes[i], type, forecast.lists[port]);
        plan->sizes[i][port] = (uint64_t)elements[i][port] * tw_type_size(type);
        need->values += plan->sizes[i][port];
    }
    if (plan->fusion.root[i] != i)
        need->values = 0;
    need->scratch = tw_add_saturating(need->scratch, workers * tw_fusion_bytes(recipe, plan, i));
    plan->value_bytes = tw_add_saturating(plan->value_bytes, need->values);
    plan->scratch_bytes = need->scratch > plan->scratch_bytes ? need->scratch : plan->scratch_bytes;
}

/* Visits nodes in order, since bounds of lists depend on earlier ones. */
static bool find_needs(const struct tw_recipe *recipe, uint64_t workers, struct tw_plan *plan)
{
    int64_t(*elements)[TW_PORTS_MAX] = calloc((size_t)recipe->count + 1, sizeof *elements);
    plan->needs = calloc((size_t)recipe->count + 1, sizeof *plan->needs);
    plan->sizes = calloc((size_t)recipe->count + 1, sizeof *plan->sizes);
    bool ok = elements && plan->needs && plan->sizes;
    for (int32_t i = 0; ok && i < recipe->count; i++)
        if (plan->needed[i])
            find_need(recipe, plan, i, workers, elements);
    free(elements);
    return ok;
}

/* Returns the last node that uses node i's values, at the latest the root of the group it is fused
 * into; goals count as used after the last node. */
static int32_t last_use(const struct tw_recipe *recipe, const struct tw_plan *plan, int32_t node,
                        const bool *is_goal)
{
    int32_t last = node;
    if (is_goal[node])
        return recipe->count;
    for (int32_t u = plan->first_user[node]; u < plan->first_user[node + 1]; u++) {
        int32_t root = plan->fusion.root[plan->users[u]];
        last = root > last ? root : last;
    }
    return last;
}

/* An upper bound: values of a node live together, and in-place reuse is ignored. */
static bool forecast_peak(const struct tw_recipe *recipe, const bool *is_goal, struct tw_plan *plan)
{
    uint64_t *dying = calloc((size_t)recipe->count + 2, sizeof *dying); /* freed after node i */
    uint64_t alive = 0;
    for (int32_t i = 0; dying && i < recipe->count; i++) {
        if (!plan->needed[i])
            continue;
        uint64_t bytes = plan->needs[i].values;
        alive += bytes;
        dying[last_use(recipe, plan, i, is_goal)] += bytes;
        uint64_t at_work = tw_add_saturating(alive, plan->needs[i].scratch);
        if (plan->peak_node < 0 || at_work > plan->peak_bytes) {
            plan->peak_bytes = at_work;
            plan->peak_node = i;
        }
        alive -= dying[i];
    }
    bool ok = dying != NULL;
    free(dying);
    return ok;
}

static bool build(const struct tw_recipe *recipe, const bool *is_goal, int32_t fusing,
                  struct tw_plan *plan)
{
    return list_users(recipe, plan) && tw_fusion_find(recipe, is_goal, fusing > 0, plan) &&
           find_needs(recipe, (uint64_t)fusing, plan) && forecast_peak(recipe, is_goal, plan);
}

enum tw_status tw_plan_build(const struct tw_recipe *recipe, const struct tw_source *goals,
                             int32_t goal_count, int32_t fusing, struct tw_plan *plan,
                             struct tw_error *err)
{
    size_t count = (size_t)recipe->count + 1;
    bool *is_goal = calloc(count, sizeof *is_goal), ok = false;
    *plan = (struct tw_plan){.peak_node = -1};
    plan->needed = calloc(count, sizeof *plan->needed);
    plan->outputs = calloc(count, sizeof *plan->outputs);
    plan->first_user = calloc(count, sizeof *plan->first_user);
    if (is_goal && plan->needed && plan->outputs && plan->first_user) {
        for (int32_t i = 0; i < goal_count; i++)
            is_goal[goals[i].node] = true;
        mark_needed(recipe, goals, goal_count, plan);
        ok = build(recipe, is_goal, fusing, plan);
    }
    free(is_goal);
    if (ok)
        return TW_OK;
    tw_plan_release(plan);
    return tw_error_set(err, TW_MEMORY, "out of memory");
}

void tw_plan_release(struct tw_plan *plan)
{
    free(plan->needed);
    free(plan->outputs);
    free(plan->first_user);
    free(plan->users);
    free(plan->needs);
    free(plan->sizes);
    tw_fusion_release(&plan->fusion);
    *plan = (struct tw_plan){0};
}
