/* SPDX-License-Identifier: MIT */
/* Fraction of a run that is done, weighted by earlier times of its nodes. These are read when the
 * first node is computed, so runs that find everything in the cache read none. */
#include "run/state.h"

static double weight_of(const struct tw_run *run, int32_t i)
{
    return run->expected ? run->expected[i] : 1;
}

static bool is_done(const struct tw_slot *slot)
{
    return slot->known && slot->outcome != TW_OUTCOME_UNDECIDED;
}

/* Sums the weights on the first call; runs in bands have set the total. */
static void begin(struct tw_run *run)
{
    const struct tw_run_request *request = run->request;
    if (run->total_weight > 0)
        return;
    run->expected = request->expect ? request->expect(request->expect_context) : NULL;
    for (int32_t i = 0; i < run->recipe->count; i++) {
        if (!run->plan.needed[i])
            continue;
        run->total_weight += weight_of(run, i);
        run->done_weight += is_done(&run->slots[i]) ? weight_of(run, i) : 0;
    }
}

void tw_progress_done(struct tw_run *run, int32_t i)
{
    if (run->total_weight > 0)
        run->done_weight += weight_of(run, i);
}

/* A node that is computed again, since the cache lost its values, counts twice. */
void tw_progress_report(struct tw_run *run, const char *node, double share)
{
    if (!run->options->progress)
        return;
    begin(run);
    double done = run->done_weight + share, all = run->total_weight;
    run->options->progress(run->options->context, node, all > 0 && done < all ? done / all : 1);
}

/* Weight of node i and the nodes fused with it. */
static double group_weight(const struct tw_run *run, int32_t i)
{
    const struct tw_fusion *fusion = &run->plan.fusion;
    double weight = weight_of(run, i);
    for (int32_t m = fusion->first[i]; m != i; m = fusion->next[m])
        weight += weight_of(run, m);
    return weight;
}

void tw_progress_tick(struct tw_run *run)
{
    double share = 0;
    const char *name = NULL;
    for (int32_t i = 0; run->options->progress && i < run->recipe->count; i++) {
        const struct tw_task *task = run->slots[i].task;
        if (!task)
            continue;
        begin(run);
        share += group_weight(run, i) * atomic_load(&task->permille) / 1000;
        name = task->node->path;
    }
    if (name)
        tw_progress_report(run, name, share);
}
