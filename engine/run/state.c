/* SPDX-License-Identifier: MIT */
/* Transitions of the run. No function calls another node's transition: it pushes what follows on a
 * work list, so a chain of any length takes no stack. */
#include "run/state.h"
#include "run/spill.h"
#include "task/fused.h"

static void demand(struct tw_run *run, int32_t i)
{
    struct tw_slot *slot = &run->slots[i];
    if (slot->phase != TW_IDLE || !slot->known || tw_state_is_complete(run, i))
        return;
    slot->phase = TW_DEMANDED;
    tw_work_push(&run->demanded, i);
}

/* Lowest index first: this goes depth first and saves memory. */
static void push_ready(struct tw_run *run, int32_t i)
{
    tw_work_heap_push(&run->ready, i);
    run->slots[i].phase = TW_READY;
}

static void demand_inputs(struct tw_run *run, int32_t m)
{
    const struct tw_node *node = &run->recipe->nodes[m];
    tw_state_hold_claims(run, m);
    for (int32_t edge = 0; edge < node->input_count; edge++)
        if (tw_state_is_input(run, m, edge))
            demand(run, node->inputs[edge].node);
}

/* Marks node i, with those fused with it, to be computed, and demands the values of its inputs. */
static void require(struct tw_run *run, int32_t i)
{
    const struct tw_fusion *fusion = &run->plan.fusion;
    for (int32_t m = fusion->first[i]; m != i; m = fusion->next[m])
        demand_inputs(run, m);
    demand_inputs(run, i);
    run->slots[i].phase = TW_WAITING;
    if (run->failure != TW_OK)
        tw_state_review(run, i);
    if (run->slots[i].phase == TW_WAITING && tw_state_has_inputs(run, i))
        push_ready(run, i);
}

/* ---- goals ---- */

/* Shows the value of a goal, unless the display knows it; false if that needs the value first. */
static bool show(struct tw_run *run, const struct tw_goal *goal, bool there)
{
    const struct tw_run_display *display = run->request->display;
    const struct tw_source source = goal->sources->source;
    const struct tw_slot *slot = &run->slots[source.node];
    const struct tw_stamp *stamp = &slot->stamps[source.port];
    const bool stamped = slot->stamped >> source.port & 1;
    if (stamped && display->knows(display->context, goal->name, stamp))
        return true;
    if (there)
        display->show(display->context, goal->name, stamp, &slot->values[source.port]);
    return there;
}

/* A sidecar or picture is written after the file that it lies beside, and not without it. */
static void advance_goal(struct tw_run *run, int32_t g)
{
    struct tw_goal *goal = &run->goals[g];
    const struct tw_goal *file = goal->file >= 0 ? &run->goals[goal->file] : NULL;
    bool export = goal->kind == TW_GOAL_EXPORT, known = true, there = true, failed = false;
    for (const struct tw_output *o = goal->sources; o; o = o->next) {
        known &= run->slots[o->source.node].known;
        there &= tw_state_has_value(run, o->source);
        failed |= tw_state_is_lost(run, o->source);
    }
    if (goal->done || goal->busy || (!known && !failed) || (file && !file->done))
        return;
    if (file && file->failed) {
        tw_state_drop_goal(run, goal);
        return;
    }
    if (known && export && (there || (tw_cache_is_on(&run->cache) && !goal->checked))) {
        goal->busy = true;
        tw_work_push(&run->deliveries, g);
    } else if (known && goal->kind == TW_GOAL_SHOWN && show(run, goal, there)) {
        tw_state_close_goal(run, goal);
        tw_state_release(run, goal->sources->source);
    } else if (known && goal->kind != TW_GOAL_SHOWN &&
               (there || run->request->dry || goal->kind == TW_GOAL_STAMP)) {
        tw_state_close_goal(run, goal);
    } else if (failed) {
        tw_state_drop_goal(run, goal);
    } else {
        for (const struct tw_output *o = goal->sources; o; o = o->next)
            demand(run, o->source.node);
    }
}

static void advance_beside(struct tw_run *run, const struct tw_goal *file)
{
    for (int32_t g = file->beside; g >= 0; g = run->goals[g].sibling)
        advance_goal(run, g);
}

void tw_state_advance_goals(struct tw_run *run, int32_t i)
{
    for (int32_t g = run->slots[i].first_goal; g < run->slots[i].end_goal; g++) {
        bool takes = false;
        for (const struct tw_output *o = run->goals[g].sources; o; o = o->next)
            takes |= o->source.node == i;
        if (takes)
            advance_goal(run, g);
    }
}

/* ---- knowing nodes ---- */

/* Queues its users, which may be decidable now. */
static void queue_users(struct tw_run *run, int32_t i)
{
    run->slots[i].known = true;
    for (int32_t u = run->plan.first_user[i]; u < run->plan.first_user[i + 1]; u++)
        if (--run->slots[run->plan.users[u]].unknown_sources == 0)
            tw_work_push(&run->undecided, run->plan.users[u]);
}

static void report_done(struct tw_run *run, int32_t i)
{
    const struct tw_slot *slot = &run->slots[i];
    const struct tw_run_observer *observer = run->request->observer;
    if (observer && observer->done)
        observer->done(observer->context, i, slot->outcome, slot->seconds);
    tw_progress_done(run, i);
}

static void become_known(struct tw_run *run, int32_t i)
{
    report_done(run, i);
    queue_users(run, i);
    if (run->slots[i].outcome == TW_OUTCOME_COMPUTED)
        tw_progress_report(run, run->recipe->nodes[i].path, 0);
}

/* Advances the users and goals that waited for node i's values. */
static void on_values_ready(struct tw_run *run, int32_t i)
{
    for (int32_t u = run->plan.first_user[i]; u < run->plan.first_user[i + 1]; u++) {
        int32_t user = run->plan.fusion.root[run->plan.users[u]];
        if (run->slots[user].phase == TW_WAITING && tw_state_has_inputs(run, user))
            push_ready(run, user);
    }
}

/* Makes node i known by its entry, or requires that it be computed. */
static void resolve(struct tw_run *run, int32_t i, bool hit)
{
    struct tw_slot *slot = &run->slots[i];
    if (run->plan.fusion.root[i] != i &&
        !run->request->dry) { /* it waits for all sources of its group */
        queue_users(run, i);
        return;
    }
    slot->outcome = hit ? TW_OUTCOME_HIT : TW_OUTCOME_COMPUTED;
    if (hit) {
        tw_state_drop_claims(run, i);
        become_known(run, i);
        tw_state_advance_goals(run, i);
    } else if (!run->request->dry) {
        require(run, i);
    }
}

/* Once all sources of node i are known, looks up its entry. */
static void decide(struct tw_run *run, int32_t i)
{
    struct tw_slot *slot = &run->slots[i];
    struct tw_action action = {0};
    bool cached = tw_cache_is_on(&run->cache), damaged = false;
    if (slot->phase == TW_FAILED || (cached && !tw_state_make_key(run, i)))
        return;
    bool hit = cached && tw_cache_find(&run->cache, &slot->key, &action, &damaged) &&
               tw_state_take_entry(run, i, &action);
    if (damaged)
        tw_state_warn_damaged(run, run->recipe->nodes[i].path, "computed");
    if (hit || !tw_cache_asks(&run->cache)) {
        resolve(run, i, hit);
    } else {
        slot->phase = TW_ASKING;
        tw_work_push(&run->asks, i);
    }
}

static void settle(struct tw_run *run)
{
    while (run->status == TW_OK &&
           run->failures.count + run->undecided.count + run->demanded.count > 0) {
        if (run->failures.count > 0) {
            tw_state_spread_failure(run, tw_work_pop(&run->failures));
            continue;
        }
        if (run->undecided.count > 0) {
            decide(run, tw_work_pop(&run->undecided));
            continue;
        }
        int32_t i = tw_work_pop(&run->demanded);
        if (tw_cache_is_on(&run->cache) && (!run->slots[i].missing || tw_spilling_holds(run, i))) {
            run->slots[i].phase = TW_QUEUED;
            tw_work_push(&run->loads, i);
        } else {
            require(run, i);
        }
    }
}

/* ---- events ---- */

void tw_state_begin(struct tw_run *run)
{
    for (int32_t g = 0; g < run->goal_count; g++)
        for (const struct tw_output *o = run->goals[g].sources; o; o = o->next) {
            struct tw_slot *slot = &run->slots[o->source.node];
            if (!slot->is_goal)
                slot->first_goal = g;
            slot->end_goal = g + 1;
            slot->is_goal = true;
            if (run->goals[g].kind != TW_GOAL_STAMP)
                slot->uses[o->source.port]++;
        }
    run->open_goals = run->goal_count;
    for (int32_t i = 0; i < run->recipe->count; i++) {
        if (!run->plan.needed[i])
            continue;
        run->slots[i].outcome = TW_OUTCOME_UNDECIDED;
        tw_state_hold_claims(run, i);
        for (int32_t u = run->plan.first_user[i]; u < run->plan.first_user[i + 1]; u++)
            run->slots[run->plan.users[u]].unknown_sources++;
    }
    for (int32_t i = run->recipe->count - 1; i >= 0; i--)
        if (run->plan.needed[i] && run->slots[i].unknown_sources == 0)
            tw_work_push(&run->undecided, i);
    settle(run);
}

/* Finishes the nodes fused with node i, dividing the time among them. */
static void finish_members(struct tw_run *run, int32_t i, const struct tw_task *task)
{
    const struct tw_fusion *fusion = &run->plan.fusion;
    const double seconds = run->slots[i].seconds;
    int32_t member = 0;
    for (int32_t m = fusion->first[i]; m != i; m = fusion->next[m], member++) {
        run->slots[m].outcome = TW_OUTCOME_COMPUTED;
        run->slots[m].seconds = seconds * tw_fused_share(task->fused, member);
        tw_state_drop_claims(run, m);
        report_done(run, m);
    }
    if (member > 0)
        run->slots[i].seconds = seconds * tw_fused_share(task->fused, member);
}

void tw_state_computed(struct tw_run *run, int32_t i, struct tw_task *task)
{
    const struct tw_node *node = &run->recipe->nodes[i];
    struct tw_slot *slot = &run->slots[i];
    int outputs = tw_node_count_ports(node->type->outputs);
    bool first = !slot->known;
    slot->phase = TW_IDLE;
    slot->redone |= slot->outcome == TW_OUTCOME_HIT;
    slot->outcome = TW_OUTCOME_COMPUTED;
    slot->seconds = (double)task->nanoseconds / 1e9;
    if (task->fused)
        finish_members(run, i, task);
    slot->scratch_bytes =
        task->file_bytes +
        (task->scratch_most > task->reading_bytes ? task->scratch_most : task->reading_bytes);
    tw_state_count_debt(run, i, task->processor_seconds);
    tw_state_drop_claims(run, i);
    for (int port = 0; port < outputs; port++)
        if (slot->uses[port] > 0 && !slot->values[port].data) {
            slot->values[port] = task->outputs[port];
            task->outputs[port] = (struct tw_value){0};
        }
    if (!tw_state_take_stamps(slot, task)) {
        struct tw_error error;
        tw_error_set(&error, TW_NODE, "%s gave other bytes than before with the same inputs",
                     node->type->name);
        tw_state_fail(run, node, TW_NODE, &error); /* the engine is at fault */
        return;
    }
    if (first)
        become_known(run, i);
    if (tw_cache_is_on(&run->cache))
        tw_state_queue_store(run, i);
    on_values_ready(run, i);
    tw_state_advance_goals(run, i);
    settle(run);
}

void tw_state_uncomputed(struct tw_run *run, int32_t i, const struct tw_node *node,
                         enum tw_status status, const struct tw_error *error)
{
    tw_state_fail_node(run, i, node, status, error);
    settle(run);
}

void tw_state_asked(struct tw_run *run, int32_t i, const struct tw_action *action)
{
    struct tw_slot *slot = &run->slots[i];
    slot->phase = TW_IDLE;
    slot->remote = action && tw_state_take_entry(run, i, action);
    resolve(run, i, slot->remote);
    settle(run);
}

void tw_state_loaded(struct tw_run *run, int32_t i, struct tw_value *values, bool ok)
{
    struct tw_slot *slot = &run->slots[i];
    slot->phase = TW_IDLE;
    for (int port = 0; port < slot->outputs; port++) {
        if (slot->uses[port] > 0 && !slot->values[port].data) {
            slot->values[port] = values[port];
            values[port] = (struct tw_value){0};
        }
    }
    slot->missing |= !ok;
    on_values_ready(run, i);
    if (!ok || tw_state_first_waiting(run, i) < INT32_MAX)
        demand(run, i);
    tw_state_advance_goals(run, i);
    settle(run);
}

void tw_state_spilled(struct tw_run *run, struct tw_source source)
{
    const int32_t i = source.node;
    tw_memory_clear(&run->memory, &run->slots[i].values[source.port]);
    for (int32_t u = run->plan.first_user[i]; u < run->plan.first_user[i + 1]; u++) {
        const int32_t user = run->plan.users[u];
        if (run->slots[user].phase != TW_READY || tw_state_has_inputs(run, user))
            continue;
        tw_work_heap_remove(&run->ready, user);
        run->slots[user].phase = TW_WAITING;
    }
    if (tw_state_first_waiting(run, i) < INT32_MAX)
        demand(run, i);
    settle(run);
}

void tw_state_delivered(struct tw_run *run, int32_t g, bool done)
{
    struct tw_goal *goal = &run->goals[g];
    const struct tw_run_observer *observer = run->request->observer;
    goal->busy = false;
    goal->checked = true;
    goal->report.there = done;
    if (done) {
        if (observer && observer->exported)
            observer->exported(observer->context, &goal->report);
        tw_state_close_goal(run, goal);
        for (const struct tw_output *o = goal->sources; o; o = o->next)
            tw_state_release(run, o->source);
    } else {
        advance_goal(run, g);
    }
    advance_beside(run, goal);
    settle(run);
}

void tw_state_undelivered(struct tw_run *run, int32_t g, enum tw_status status,
                          const struct tw_error *error)
{
    run->goals[g].busy = false;
    tw_state_fail_goal(run, &run->goals[g], status, error);
    advance_beside(run, &run->goals[g]);
    settle(run);
}
