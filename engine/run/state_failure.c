/* SPDX-License-Identifier: MIT */
/* Ends what a failure affects: the run or, if the request handles failures, only what depends on
 * the failed node or export. Other nodes and goals continue, except for nodes that are no longer
 * needed. */
#include "run/state.h"

static int32_t index_of(const struct tw_run *run, const struct tw_node *node)
{
    return node ? (int32_t)(node - run->recipe->nodes) : -1;
}

static void describe(struct tw_error *to, const struct tw_node *node, enum tw_status status,
                     const struct tw_error *error)
{
    if (error && error->message[0])
        *to = *error;
    else
        tw_error_set(to, status, "%s", tw_status_text(status));
    to->status = status;
    if (node)
        tw_node_locate(to, node);
}

void tw_state_fail(struct tw_run *run, const struct tw_node *node, enum tw_status status,
                   const struct tw_error *error)
{
    if (run->status != TW_OK)
        return;
    run->status = status;
    run->failed_node = index_of(run, node);
    atomic_store(&run->stop, true);
    atomic_store(&run->stop_nodes, true);
    if (run->error)
        describe(run->error, node, status, error);
}

bool tw_run_goes_on(enum tw_status status)
{
    return status != TW_MEMORY && status != TW_LIMIT && status != TW_CANCELLED;
}

/* Returns false if the failure ends the run. */
static bool report(struct tw_run *run, const struct tw_node *node, const struct tw_export *item,
                   enum tw_status status, const struct tw_error *error)
{
    const struct tw_run_request *request = run->request;
    struct tw_error shown;
    if (run->status != TW_OK || !request->failed || !tw_run_goes_on(status)) {
        tw_state_fail(run, node, status, error);
        return false;
    }
    describe(&shown, node, status, error);
    if (tw_status_exit_code(status) > tw_status_exit_code(run->failure))
        run->failure = status;
    request->failed(request->failed_context,
                    &(struct tw_run_failure){index_of(run, node), item, &shown});
    return true;
}

/* ---- nodes ---- */

static void give_up(struct tw_run *run, int32_t i)
{
    struct tw_slot *slot = &run->slots[i];
    if (slot->phase == TW_FAILED)
        return;
    if (slot->phase == TW_READY)
        tw_work_heap_remove(&run->ready, i);
    slot->phase = TW_FAILED;
    tw_work_push(&run->failures, i);
}

void tw_state_fail_node(struct tw_run *run, int32_t i, const struct tw_node *node,
                        enum tw_status status, const struct tw_error *error)
{
    if (report(run, node, NULL, status, error))
        give_up(run, i);
}

bool tw_state_is_lost(const struct tw_run *run, struct tw_source source)
{
    const struct tw_slot *slot = &run->slots[source.node];
    return slot->phase == TW_FAILED && !(slot->known && tw_state_has_value(run, source));
}

/* Whether node i, or member m of its fused group, has an input that failed, so that it cannot be
 * computed or have a key. */
static bool lacks_input(const struct tw_run *run, int32_t i, int32_t m)
{
    const struct tw_node *node = &run->recipe->nodes[m];
    for (int32_t edge = 0; edge < node->input_count; edge++) {
        if (!tw_state_is_input(run, m, edge) || !tw_state_is_lost(run, node->inputs[edge]))
            continue;
        bool has_key = run->slots[node->inputs[edge].node].known;
        if (!has_key || run->slots[i].phase == TW_WAITING)
            return true;
    }
    return false;
}

static bool has_open_goal(const struct tw_run *run, int32_t i)
{
    for (int32_t g = run->slots[i].first_goal; g < run->slots[i].end_goal; g++)
        for (const struct tw_output *o = run->goals[g].sources; o; o = o->next)
            if (o->source.node == i && !run->goals[g].done)
                return true;
    return false;
}

/* Whether something that can still be computed needs node i, or its member m. */
static bool is_needed(const struct tw_run *run, int32_t i, int32_t m)
{
    const struct tw_plan *plan = &run->plan;
    for (int32_t u = plan->first_user[m]; u < plan->first_user[m + 1]; u++) {
        int32_t user = plan->fusion.root[plan->users[u]];
        if (user != i && run->slots[user].phase != TW_FAILED)
            return true;
    }
    return has_open_goal(run, m);
}

/* Keeps nodes that are known, which may be needed later, and nodes that a worker has. */
static bool may_be_dropped(const struct tw_run *run, int32_t i)
{
    const struct tw_slot *slot = &run->slots[i];
    return !slot->known && !run->request->dry &&
           (slot->phase == TW_IDLE || slot->phase == TW_WAITING || slot->phase == TW_READY);
}

void tw_state_review(struct tw_run *run, int32_t i)
{
    const struct tw_fusion *fusion = &run->plan.fusion;
    if (run->slots[i].phase == TW_FAILED)
        return;
    bool lacks = lacks_input(run, i, i), needed = is_needed(run, i, i);
    for (int32_t m = fusion->first[i]; m != i; m = fusion->next[m]) {
        lacks |= lacks_input(run, i, m);
        needed |= is_needed(run, i, m);
    }
    if (lacks || (!needed && may_be_dropped(run, i)))
        give_up(run, i);
}

static void review_neighbours(struct tw_run *run, int32_t m)
{
    const struct tw_plan *plan = &run->plan;
    const struct tw_node *node = &run->recipe->nodes[m];
    tw_state_drop_claims(run, m);
    for (int32_t u = plan->first_user[m]; u < plan->first_user[m + 1]; u++)
        tw_state_review(run, plan->fusion.root[plan->users[u]]);
    for (int32_t edge = 0; edge < node->input_count; edge++)
        if (node->inputs[edge].node >= 0)
            tw_state_review(run, plan->fusion.root[node->inputs[edge].node]);
}

void tw_state_spread_failure(struct tw_run *run, int32_t i)
{
    const struct tw_fusion *fusion = &run->plan.fusion;
    for (int32_t m = fusion->first[i]; m != i; m = fusion->next[m])
        review_neighbours(run, m);
    review_neighbours(run, i);
    tw_state_advance_goals(run, i);
}

/* ---- goals ---- */

void tw_state_close_goal(struct tw_run *run, struct tw_goal *goal)
{
    goal->done = true;
    if (--run->open_goals == 0 && run->failure != TW_OK)
        atomic_store(&run->stop_nodes, true); /* they are no longer needed */
}

void tw_state_drop_goal(struct tw_run *run, struct tw_goal *goal)
{
    goal->failed = true;
    tw_state_close_goal(run, goal);
    for (const struct tw_output *o = goal->sources; o; o = o->next) {
        if (goal->kind != TW_GOAL_STAMP)
            tw_state_release(run, o->source);
        tw_state_review(run, run->plan.fusion.root[o->source.node]);
    }
}

void tw_state_fail_goal(struct tw_run *run, struct tw_goal *goal, enum tw_status status,
                        const struct tw_error *error)
{
    if (report(run, NULL, goal->item, status, error))
        tw_state_drop_goal(run, goal);
}
