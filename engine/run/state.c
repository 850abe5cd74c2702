/* SPDX-License-Identifier: MIT */
/* Transitions of the run. No function here calls another node's transition directly: what follows
 * is put on a work list, so a chain of any length takes no stack. */
#include "run/fused.h"
#include "run/spill.h"
#include "run/state_private.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- claims and values ---- */

static bool has_value(const struct tw_run *run, struct tw_source source)
{
    return run->slots[source.node].values[source.port].data != NULL;
}

static bool is_complete(const struct tw_run *run, int32_t i)
{
    for (int port = 0; run->recipe->nodes[i].type->outputs[port].name; port++)
        if (run->slots[i].uses[port] > 0 && !has_value(run, (struct tw_source){i, port}))
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

static void hold_claims(struct tw_run *run, int32_t i)
{
    const struct tw_node *node = &run->recipe->nodes[i];
    for (int32_t edge = 0; edge < node->input_count && !run->slots[i].claims; edge++)
        if (node->inputs[edge].node >= 0)
            run->slots[node->inputs[edge].node].uses[node->inputs[edge].port]++;
    run->slots[i].claims = true;
}

static void drop_claims(struct tw_run *run, int32_t i)
{
    const struct tw_node *node = &run->recipe->nodes[i];
    for (int32_t edge = 0; edge < node->input_count && run->slots[i].claims; edge++)
        if (node->inputs[edge].node >= 0)
            tw_state_release(run, node->inputs[edge]);
    run->slots[i].claims = false;
}

static void demand(struct tw_run *run, int32_t i)
{
    struct tw_slot *slot = &run->slots[i];
    if (slot->phase != TW_IDLE || !slot->known || is_complete(run, i))
        return;
    slot->phase = TW_DEMANDED;
    tw_work_push(&run->demanded, i);
}

/* Lowest index first, which is depth first and saves memory. */
static void push_ready(struct tw_run *run, int32_t i)
{
    tw_work_heap_push(&run->ready, i);
    run->slots[i].phase = TW_READY;
}

/* Whether edge `edge` of member m of a fused group comes from outside of it. */
static bool is_input(const struct tw_run *run, int32_t m, int32_t edge)
{
    const int32_t *root = run->plan.fusion.root;
    int32_t source = run->recipe->nodes[m].inputs[edge].node;
    return source >= 0 && root[source] != root[m];
}

static bool member_has_inputs(const struct tw_run *run, int32_t m)
{
    const struct tw_node *node = &run->recipe->nodes[m];
    for (int32_t edge = 0; edge < node->input_count; edge++)
        if (is_input(run, m, edge) && !has_value(run, node->inputs[edge]))
            return false;
    return true;
}

/* Of all that is fused with node i. */
static bool has_inputs(const struct tw_run *run, int32_t i)
{
    const struct tw_fusion *fusion = &run->plan.fusion;
    int32_t m = fusion->first[i];
    while (m != i && member_has_inputs(run, m))
        m = fusion->next[m];
    return m == i && member_has_inputs(run, i);
}

static void demand_inputs(struct tw_run *run, int32_t m)
{
    const struct tw_node *node = &run->recipe->nodes[m];
    hold_claims(run, m);
    for (int32_t edge = 0; edge < node->input_count; edge++)
        if (is_input(run, m, edge))
            demand(run, node->inputs[edge].node);
}

/* Node i must be computed, with what is fused with it: asks for the values that takes. */
static void require(struct tw_run *run, int32_t i)
{
    const struct tw_fusion *fusion = &run->plan.fusion;
    for (int32_t m = fusion->first[i]; m != i; m = fusion->next[m])
        demand_inputs(run, m);
    demand_inputs(run, i);
    run->slots[i].phase = TW_WAITING;
    if (has_inputs(run, i))
        push_ready(run, i);
}

/* ---- goals ---- */

static void advance_goal(struct tw_run *run, int32_t g)
{
    struct tw_goal *goal = &run->goals[g];
    bool export = goal->kind == TW_GOAL_EXPORT, there = true;
    for (const struct tw_output *o = goal->sources; o; o = o->next) {
        if (!run->slots[o->source.node].known)
            return;
        there &= has_value(run, o->source);
    }
    if (goal->done || goal->busy)
        return;
    if (goal->kind == TW_GOAL_STAMP || run->request->dry || (there && !export)) {
        goal->done = true;
        run->open_goals--;
    } else if (export && (there || (tw_cache_is_on(&run->cache) && !goal->checked))) {
        goal->busy = true;
        tw_work_push(&run->deliveries, g);
    } else {
        for (const struct tw_output *o = goal->sources; o; o = o->next)
            demand(run, o->source.node);
    }
}

static void advance_goals_of(struct tw_run *run, int32_t i)
{
    for (int32_t g = 0; run->slots[i].is_goal && g < run->goal_count; g++) {
        bool takes = false;
        for (const struct tw_output *o = run->goals[g].sources; o; o = o->next)
            takes |= o->source.node == i;
        if (takes)
            advance_goal(run, g);
    }
}

/* Whether the goal cannot go on but for a value of node i. */
static bool goal_waits(const struct tw_run *run, const struct tw_goal *goal, int32_t i)
{
    bool lacks = false;
    if (goal->done || goal->busy || goal->kind == TW_GOAL_STAMP)
        return false;
    for (const struct tw_output *o = goal->sources; o; o = o->next) {
        if (!run->slots[o->source.node].known)
            return false;
        lacks |= o->source.node == i && !has_value(run, o->source);
    }
    return lacks;
}

static bool node_waits(const struct tw_run *run, int32_t user, int32_t i)
{
    const struct tw_node *node = &run->recipe->nodes[user];
    for (int32_t edge = 0; run->slots[user].phase == TW_WAITING && edge < node->input_count; edge++)
        if (node->inputs[edge].node == i && !has_value(run, node->inputs[edge]))
            return true;
    return false;
}

int32_t tw_state_first_waiting(const struct tw_run *run, int32_t i)
{
    for (int32_t u = run->plan.first_user[i]; u < run->plan.first_user[i + 1]; u++)
        if (node_waits(run, run->plan.users[u], i))
            return run->plan.users[u];
    for (int32_t g = 0; run->slots[i].is_goal && g < run->goal_count; g++)
        if (goal_waits(run, &run->goals[g], i))
            return run->recipe->count + g;
    return INT32_MAX;
}

/* ---- knowing ---- */

/* Its users may be decided. */
static void pass_on(struct tw_run *run, int32_t i)
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
    pass_on(run, i);
    if (run->slots[i].outcome == TW_OUTCOME_COMPUTED)
        tw_progress_report(run, run->recipe->nodes[i].path, 0);
}

/* Users that waited for node i's values, and goals. */
static void on_values_ready(struct tw_run *run, int32_t i)
{
    for (int32_t u = run->plan.first_user[i]; u < run->plan.first_user[i + 1]; u++) {
        int32_t user = run->plan.fusion.root[run->plan.users[u]];
        if (run->slots[user].phase == TW_WAITING && has_inputs(run, user))
            push_ready(run, user);
    }
}

/* Node i is known by an entry, or must be computed. */
static void conclude(struct tw_run *run, int32_t i, bool hit)
{
    struct tw_slot *slot = &run->slots[i];
    if (run->plan.fusion.root[i] != i &&
        !run->request->dry) { /* which waits for all sources of its group */
        pass_on(run, i);
        return;
    }
    slot->outcome = hit ? TW_OUTCOME_HIT : TW_OUTCOME_COMPUTED;
    if (hit) {
        drop_claims(run, i);
        become_known(run, i);
        advance_goals_of(run, i);
    } else if (!run->request->dry) {
        require(run, i);
    }
}

/* All sources of node i are known: is it, too? */
static void decide(struct tw_run *run, int32_t i)
{
    struct tw_slot *slot = &run->slots[i];
    struct tw_action action = {0};
    bool cached = tw_cache_is_on(&run->cache);
    if (cached && !tw_state_make_key(run, i))
        return;
    bool hit = cached && tw_cache_find(&run->cache, &slot->key, &action) &&
               tw_state_take_entry(run, i, &action);
    if (hit || !tw_cache_asks(&run->cache)) {
        conclude(run, i, hit);
    } else {
        slot->phase = TW_ASKING;
        tw_work_push(&run->asks, i);
    }
}

static void settle(struct tw_run *run)
{
    while (run->status == TW_OK && run->undecided.count + run->demanded.count > 0) {
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
            run->slots[o->source.node].is_goal = true;
            if (run->goals[g].kind != TW_GOAL_STAMP)
                run->slots[o->source.node].uses[o->source.port]++;
        }
    run->open_goals = run->goal_count;
    for (int32_t i = 0; i < run->recipe->count; i++) {
        if (!run->plan.needed[i])
            continue;
        run->slots[i].outcome = TW_OUTCOME_UNDECIDED;
        hold_claims(run, i);
        for (int32_t u = run->plan.first_user[i]; u < run->plan.first_user[i + 1]; u++)
            run->slots[run->plan.users[u]].unknown_sources++;
    }
    for (int32_t i = run->recipe->count - 1; i >= 0; i--)
        if (run->plan.needed[i] && run->slots[i].unknown_sources == 0)
            tw_work_push(&run->undecided, i);
    settle(run);
}

/* Takes the digests of the outputs that the task computed. False when one differs from what the
 * node gave before, in this run or in one that left an entry. A digest that is there already is not
 * written again: a worker that exports the output may be reading it. */
static bool take_stamps(struct tw_slot *slot, const struct tw_task *task)
{
    uint32_t again = task->stamped ? slot->stamped & task->used : 0;
    for (int port = 0; port < slot->outputs; port++) {
        if ((again >> port & 1) && memcmp(&slot->stamps[port].content, &task->stamps[port].content,
                                          sizeof task->stamps[port].content) != 0)
            return false;
        if (task->stamped && tw_task_wants(task, port) && !(again >> port & 1))
            slot->stamps[port] = task->stamps[port];
    }
    slot->stamped |= task->stamped ? task->used : 0;
    return true;
}

/* What it takes to compute the values of node i again when those of its inputs that are not stored
 * have to be computed, too; the users of an input share that. Processor time, since a busy machine
 * makes nothing worth more. */
static void count_debt(struct tw_run *run, int32_t i, double seconds)
{
    const struct tw_node *node = &run->recipe->nodes[i];
    const int32_t *first_user = run->plan.first_user;
    run->slots[i].debt = seconds;
    for (int32_t edge = 0; edge < node->input_count; edge++) {
        int32_t source = node->inputs[edge].node;
        if (source >= 0)
            run->slots[i].debt +=
                run->slots[source].debt / (first_user[source + 1] - first_user[source]);
    }
}

/* What the next run asks for goes to disk unless it costs less to compute than to load; what it may
 * not need, unless it costs little more to compute than to store and load. The figures are in
 * docs/decisions/cache-blobs.md. */
static bool is_worth_storing(const struct tw_run *run, int32_t i)
{
    const double load_byte = 1e-9, store_file = 1e-3, store_byte = 7e-9;
    const struct tw_slot *slot = &run->slots[i];
    double bytes = (double)tw_plan_output_bytes(run->recipe, &run->plan, i);
    return slot->debt > (slot->is_goal ? load_byte * bytes : store_file + store_byte * bytes);
}

/* Writers hold a use of every value they write. A node that is computed a second time, for another
 * of its outputs, may still be in the list. */
static void queue_store(struct tw_run *run, int32_t i)
{
    struct tw_slot *slot = &run->slots[i];
    slot->to_disk = run->cache.store && is_worth_storing(run, i);
    slot->debt = slot->to_disk ? 0 : slot->debt;
    bool kept = slot->to_disk || run->cache.memo;
    slot->missing = !kept;
    for (int port = 0; kept && port < slot->outputs; port++) {
        uint32_t bit = (uint32_t)1 << port;
        if (!slot->values[port].data || (slot->held & bit))
            continue;
        slot->held |= bit;
        slot->uses[port]++;
    }
    if (!slot->storing)
        tw_work_push(&run->stores, i);
    slot->storing = true;
}

/* Those that are fused with node i are computed, too; the time is divided. */
static void finish_members(struct tw_run *run, int32_t i, const struct tw_task *task)
{
    const struct tw_fusion *fusion = &run->plan.fusion;
    const double seconds = run->slots[i].seconds;
    int32_t member = 0;
    for (int32_t m = fusion->first[i]; m != i; m = fusion->next[m], member++) {
        run->slots[m].outcome = TW_OUTCOME_COMPUTED;
        run->slots[m].seconds = seconds * tw_fused_share(task->fused, member);
        drop_claims(run, m);
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
    slot->outcome = TW_OUTCOME_COMPUTED;
    slot->seconds = (double)task->nanoseconds / 1e9;
    if (task->fused)
        finish_members(run, i, task);
    slot->scratch_bytes =
        task->file_bytes +
        (task->scratch_most > task->reading_bytes ? task->scratch_most : task->reading_bytes);
    count_debt(run, i, task->processor_seconds);
    drop_claims(run, i);
    for (int port = 0; port < outputs; port++)
        if (slot->uses[port] > 0 && !slot->values[port].data) {
            slot->values[port] = task->outputs[port];
            task->outputs[port] = (struct tw_value){0};
        }
    if (!take_stamps(slot, task)) {
        struct tw_error error;
        tw_error_set(&error, TW_NODE, "%s gave other bytes than before with the same inputs",
                     node->type->name);
        tw_state_fail(run, node, TW_NODE, &error);
        return;
    }
    if (first)
        become_known(run, i);
    if (tw_cache_is_on(&run->cache))
        queue_store(run, i);
    on_values_ready(run, i);
    advance_goals_of(run, i);
    settle(run);
}

void tw_state_asked(struct tw_run *run, int32_t i, const struct tw_action *action)
{
    struct tw_slot *slot = &run->slots[i];
    slot->phase = TW_IDLE;
    slot->remote = action && tw_state_take_entry(run, i, action);
    conclude(run, i, slot->remote);
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
    advance_goals_of(run, i);
    settle(run);
}

void tw_state_spilled(struct tw_run *run, struct tw_source source)
{
    const int32_t i = source.node;
    tw_memory_clear(&run->memory, &run->slots[i].values[source.port]);
    for (int32_t u = run->plan.first_user[i]; u < run->plan.first_user[i + 1]; u++) {
        const int32_t user = run->plan.users[u];
        if (run->slots[user].phase != TW_READY || has_inputs(run, user))
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
    if (done) {
        if (observer && observer->exported)
            observer->exported(observer->context, &goal->report);
        goal->done = true;
        run->open_goals--;
        for (const struct tw_output *o = goal->sources; o; o = o->next)
            tw_state_release(run, o->source);
    } else {
        advance_goal(run, g);
    }
    settle(run);
}

void tw_state_locate(struct tw_error *error, const struct tw_node *node)
{
    snprintf(error->path, sizeof error->path, "%s", node->path);
    snprintf(error->file, sizeof error->file, "%s", node->place.file);
    error->line = node->place.line;
    error->column = node->place.column;
}

void tw_state_fail(struct tw_run *run, const struct tw_node *node, enum tw_status status,
                   const struct tw_error *error)
{
    if (run->status != TW_OK)
        return;
    run->status = status;
    run->failed_node = node ? (int32_t)(node - run->recipe->nodes) : -1;
    atomic_store(&run->stop, true);
    if (!run->error)
        return;
    if (error && error->message[0])
        *run->error = *error;
    else
        tw_error_set(run->error, status, "%s", tw_status_text(status));
    run->error->status = status;
    if (node)
        tw_state_locate(run->error, node);
}
