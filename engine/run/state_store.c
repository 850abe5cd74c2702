/* SPDX-License-Identifier: MIT */
/* Keeps what a computed node leaves for later: digests of its outputs, and values worth storing. */
#include "run/state.h"

#include <string.h>

/* Does not overwrite a digest: a worker that exports the output may be reading it. */
bool tw_state_take_stamps(struct tw_slot *slot, const struct tw_task *task)
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

/* Adds the debts of inputs that are not stored, since they must be computed again, shared among
 * their users. Counts processor time, so that a busy machine does not make values look expensive.
 */
void tw_state_count_debt(struct tw_run *run, int32_t i, double seconds)
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

/* Whether the next run will need a value of node i: an output that the caller takes, or that this
 * run must leave in the cache. Values for exports are read again only if files are gone. */
static bool is_requested(const struct tw_run *run, int32_t i)
{
    for (int32_t g = run->slots[i].first_goal; g < run->slots[i].end_goal; g++)
        if (run->goals[g].kind == TW_GOAL_VALUE && run->goals[g].sources->source.node == i)
            return true;
    return run->slots[i].is_goal && run->request->cache_only;
}

/* Values that the next run needs are stored unless computing costs less than loading; other values,
 * unless computing costs little more than storing and loading. docs/decisions/cache-blobs.md has
 * the figures. */
static bool is_worth_storing(const struct tw_run *run, int32_t i)
{
    const double load_byte = 1e-9, store_file = 1e-3, store_byte = 7e-9;
    double bytes = (double)tw_plan_output_bytes(run->recipe, &run->plan, i);
    double limit = is_requested(run, i) ? load_byte * bytes : store_file + store_byte * bytes;
    return run->slots[i].debt > limit;
}

/* Writers hold a use of every value they write. A node that is computed again for another output
 * may still be in the list. */
void tw_state_queue_store(struct tw_run *run, int32_t i)
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
