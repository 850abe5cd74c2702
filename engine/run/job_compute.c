/* SPDX-License-Identifier: MIT */
/* Computes nodes. */
#include "run/job.h"

#include "graph/fusion.h"
#include "graph/node_file.h"
#include "task/fused.h"

#include <stdlib.h>

struct computation {
    struct tw_job job;
    struct tw_task task;
    struct tw_pool pool; /* a pool of one thread for the loop thread */
};

static void compute(struct tw_job *job) { tw_task_run(&((struct computation *)job)->task); }

static void report_warning(struct tw_run *run, struct tw_task *task)
{
    struct tw_error *warning = &task->warning;
    if (!warning->message[0] || !run->options->warning)
        return;
    tw_node_locate(warning, task->node);
    run->options->warning(run->options->context, warning);
}

static void on_computed(struct tw_job *job)
{
    struct tw_run *run = job->run;
    struct tw_task *task = &((struct computation *)job)->task;
    run->computing--;
    run->slots[job->index].task = NULL;
    report_warning(run, task);
    tw_quick_note(&run->quick, task->node->type, task->processor_seconds, task->poll != NULL);
    bool dropped = task->status == TW_CANCELLED && run->open_goals == 0;
    if (task->status != TW_OK && !dropped)
        tw_state_uncomputed(run, job->index,
                            task->fused ? tw_fused_failed(task->fused) : task->node, task->status,
                            task->status == task->error.status ? &task->error : NULL);
    else if (task->status == TW_OK && run->status == TW_OK)
        tw_state_computed(run, job->index, task);
    free(task->fused);
    tw_task_clear(task);
}

/* Counts edges from `source` into node i and the nodes fused with it, which all read the same rows
 * before node i writes them; -1 if one enters node i where it may not run in place. */
static int32_t edges_in_place(const struct tw_run *run, int32_t i, struct tw_source source)
{
    const struct tw_fusion *fusion = &run->plan.fusion;
    int32_t edges = 0;
    for (int32_t m = fusion->first[i];; m = fusion->next[m]) {
        const struct tw_node *node = &run->recipe->nodes[m];
        for (int32_t edge = 0; edge < node->input_count; edge++) {
            if (node->inputs[edge].node != source.node || node->inputs[edge].port != source.port)
                continue;
            if (m == i && (edge > 0 || !node->type->in_place))
                return -1;
            edges++;
        }
        if (m == i)
            return edges;
    }
}

static bool take_block(struct tw_run *run, struct tw_task *task, struct tw_source source)
{
    const struct tw_node *node = task->node;
    int32_t i = (int32_t)(node - run->recipe->nodes);
    if (source.node < 0 || run->plan.fusion.root[source.node] == i)
        return false;
    struct tw_slot *slot = &run->slots[source.node];
    enum tw_type type = tw_output_type(node, 0);
    int32_t width, height;
    tw_node_output_size(run->recipe, node, &width, &height);
    if (slot->uses[source.port] != edges_in_place(run, i, source) ||
        slot->values[source.port].width != width || slot->values[source.port].height != height ||
        tw_type_size(slot->values[source.port].type) != tw_type_size(type))
        return false;
    task->outputs[0] = slot->values[source.port];
    task->outputs[0].type = type;
    slot->values[source.port] = (struct tw_value){0};
    return true;
}

/* Lets the output take over an input's memory if this node, with those fused with it, is its last
 * user. */
static bool take_input(struct tw_run *run, struct tw_task *task)
{
    const struct tw_fusion *fusion = &run->plan.fusion;
    int32_t i = (int32_t)(task->node - run->recipe->nodes);
    if (!tw_plan_has_block(run->recipe, &run->plan, i, 0))
        return false;
    for (int32_t m = fusion->first[i]; m != i; m = fusion->next[m])
        for (int32_t edge = 0; edge < run->recipe->nodes[m].input_count; edge++)
            if (take_block(run, task, run->recipe->nodes[m].inputs[edge]))
                return true;
    return task->node->type->in_place && take_block(run, task, task->node->inputs[0]);
}

static struct tw_value value_of(const void *context, struct tw_source source)
{
    const struct tw_run *run = context;
    return run->slots[source.node].values[source.port];
}

static enum tw_status prepare_values(struct tw_run *run, struct tw_task *task)
{
    const struct tw_node *node = task->node;
    int32_t i = (int32_t)(node - run->recipe->nodes);
    for (int32_t edge = 0; edge < node->input_count; edge++)
        if (node->inputs[edge].node >= 0)
            task->inputs[edge] =
                run->slots[node->inputs[edge].node].values[node->inputs[edge].port];
    if (tw_fusion_is_cellwise(run->recipe, node)) {
        task->fused = tw_fused_create(run->recipe, &run->plan, i, value_of, run);
        if (!task->fused)
            return TW_MEMORY;
    }
    bool taken = take_input(run, task);
    int32_t width, height;
    tw_node_output_size(run->recipe, node, &width, &height);
    for (int port = taken ? 1 : 0; node->type->outputs[port].name; port++) {
        enum tw_type type = tw_output_type(node, port);
        enum tw_status status = TW_OK;
        if (tw_type_is_grid(type) && tw_plan_has_block(run->recipe, &run->plan, i, port))
            status = tw_memory_alloc(&run->memory, &task->outputs[port], type, width, height,
                                     &task->error);
        if (status != TW_OK)
            return status;
    }
    return TW_OK;
}

static void report_start(const struct tw_run *run, int32_t i)
{
    const struct tw_run_observer *observer = run->request->observer;
    const struct tw_fusion *fusion = &run->plan.fusion;
    if (!observer || !observer->started || run->slots[i].known)
        return;
    for (int32_t m = fusion->first[i]; m != i; m = fusion->next[m])
        observer->started(observer->context, m);
    observer->started(observer->context, i);
}

/* The loop thread computes without the workers' help, and polls by itself. */
static void use_loop_thread(struct tw_run *run, struct computation *job)
{
    job->pool = (struct tw_pool){.threads = 1, .simd = run->pool.simd};
    job->task.pool = &job->pool;
    job->task.poll = tw_jobs_poll;
    job->task.poll_context = run;
}

static void begin(struct tw_run *run, int32_t i, struct tw_task *task)
{
    report_start(run, i);
    run->slots[i].phase = TW_BUSY;
    run->slots[i].task = task;
    run->computing++;
}

bool tw_job_compute(struct tw_run *run, int32_t i)
{
    struct computation *job = calloc(1, sizeof *job);
    const struct tw_node *node = &run->recipe->nodes[i];
    struct tw_slot *slot = &run->slots[i];
    bool cached = tw_cache_is_on(&run->cache);
    if (!job) {
        tw_state_fail(run, node, TW_MEMORY, NULL);
        return false;
    }
    job->job.on_worker = compute;
    job->job.on_loop = on_computed;
    job->task = (struct tw_task){.pool = &run->pool,
                                 .recipe = run->recipe,
                                 .node = node,
                                 .memory = &run->memory,
                                 .forecast_scratch = run->plan.needs[i].scratch,
                                 .stop = &run->stop_nodes,
                                 .secret = tw_cache_secret(&run->cache),
                                 .used = run->plan.outputs[i],
                                 .stamped = cached || slot->is_goal || run->request->stamp_all,
                                 .known_file = cached ? &slot->file : NULL};
    enum tw_status status = prepare_values(run, &job->task);
    if (status != TW_OK)
        tw_state_fail(run, node, status, &job->task.error);
    if (status == TW_OK && !tw_node_file_name(node)[0] &&
        tw_quick_expects(&run->quick, node->type)) {
        use_loop_thread(run, job);
        begin(run, i, &job->task);
        tw_job_run_here(run, &job->job, i, node->path, "compute");
        return true;
    }
    if (status == TW_OK && tw_job_start(run, &job->job, i, node->path, "compute")) {
        begin(run, i, &job->task);
        return false;
    }
    free(job->task.fused);
    tw_task_clear(&job->task);
    free(job);
    return false;
}
