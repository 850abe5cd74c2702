/* SPDX-License-Identifier: MIT */
/* Work on workers: computing nodes, loading and storing blobs, delivering files. A job is made and
 * ended on the loop thread; in between its worker touches only the job. */
#include "base/cpu.h"
#include "run/state.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRANSFERS_MAX = 2 }; /* readers and writers beside the compute workers */

struct job {
    uv_work_t work;
    struct tw_run *run;
    int32_t index; /* of the node or goal */
    struct tw_trace_event event;
    void (*on_worker)(struct job *job);
    void (*on_loop)(struct job *job);
};

static void on_worker(uv_work_t *work)
{
    struct job *job = work->data;
    fenv_t mode;
    tw_cpu_enter(&mode);
    job->event.thread = uv_thread_self();
    job->event.begin = uv_hrtime();
    job->on_worker(job);
    job->event.end = uv_hrtime();
    tw_cpu_leave(&mode);
}

static void on_loop(uv_work_t *work, int status)
{
    struct job *job = work->data;
    struct tw_run *run = job->run;
    (void)status;
    tw_trace_add(run->request->trace, &job->event);
    job->on_loop(job);
    free(job);
    tw_pool_finish(&run->pool);
}

/* Frees the job when it cannot start. */
static bool start(struct tw_run *run, struct job *job, int32_t index, const char *name,
                  const char *kind)
{
    job->run = run;
    job->index = index;
    job->work.data = job;
    job->event = (struct tw_trace_event){.name = name, .kind = kind};
    if (tw_pool_start(&run->pool, &job->work, on_worker, on_loop))
        return true;
    tw_state_fail(run, NULL, TW_MEMORY, NULL);
    return false;
}

/* ---- computing ---- */

struct computation {
    struct job job;
    struct tw_task task;
};

static void compute(struct job *job) { tw_task_run(&((struct computation *)job)->task); }

static void tell_warning(struct tw_run *run, struct tw_task *task)
{
    struct tw_error *warning = &task->warning;
    if (!warning->message[0] || !run->options->warning)
        return;
    snprintf(warning->path, sizeof warning->path, "%s", task->node->path);
    snprintf(warning->file, sizeof warning->file, "%s", task->node->place.file);
    warning->line = task->node->place.line;
    warning->column = task->node->place.column;
    run->options->warning(run->options->context, warning);
}

static void computed(struct job *job)
{
    struct tw_run *run = job->run;
    struct tw_task *task = &((struct computation *)job)->task;
    run->computing--;
    run->slots[job->index].task = NULL;
    tell_warning(run, task);
    if (task->status != TW_OK)
        tw_state_fail(run, task->node, task->status,
                      task->status == task->error.status ? &task->error : NULL);
    else if (run->status == TW_OK)
        tw_state_computed(run, job->index, task);
    tw_task_clear(task);
}

/* In place: the input's block becomes the output's when this node is its last user. */
static bool take_input(struct tw_run *run, struct tw_task *task)
{
    const struct tw_node *node = task->node;
    struct tw_source source = node->inputs[0];
    if (!node->type->in_place || source.node < 0)
        return false;
    struct tw_slot *slot = &run->slots[source.node];
    enum tw_type type = node->type->outputs[0].type;
    if (slot->uses[source.port] != 1 ||
        tw_type_size(slot->values[source.port].type) != tw_type_size(type))
        return false;
    task->outputs[0] = slot->values[source.port];
    task->outputs[0].type = type;
    slot->values[source.port] = (struct tw_value){0};
    return true;
}

static enum tw_status make_values(struct tw_run *run, struct tw_task *task)
{
    const struct tw_node *node = task->node;
    for (int32_t edge = 0; edge < node->input_count; edge++)
        if (node->inputs[edge].node >= 0)
            task->inputs[edge] =
                run->slots[node->inputs[edge].node].values[node->inputs[edge].port];
    bool taken = take_input(run, task);
    for (int port = taken ? 1 : 0; node->type->outputs[port].name; port++) {
        enum tw_type type = node->type->outputs[port].type;
        enum tw_status status = TW_OK;
        if (tw_type_is_grid(type))
            status = tw_field_alloc(&task->outputs[port], type, run->recipe->width,
                                    run->recipe->height, &task->error);
        if (status != TW_OK)
            return status;
    }
    return TW_OK;
}

static void start_computing(struct tw_run *run, int32_t i)
{
    struct computation *job = calloc(1, sizeof *job);
    const struct tw_node *node = &run->recipe->nodes[i];
    struct tw_slot *slot = &run->slots[i];
    if (!job) {
        tw_state_fail(run, node, TW_MEMORY, NULL);
        return;
    }
    job->job.on_worker = compute;
    job->job.on_loop = computed;
    job->task = (struct tw_task){.pool = &run->pool,
                                 .recipe = run->recipe,
                                 .node = node,
                                 .stop = &run->stop,
                                 .stamped = run->store || slot->is_goal,
                                 .file_digest = run->store ? &slot->file : NULL};
    enum tw_status status = make_values(run, &job->task);
    if (status != TW_OK)
        tw_state_fail(run, node, status, &job->task.error);
    if (status == TW_OK && start(run, &job->job, i, node->path, "compute")) {
        slot->phase = TW_BUSY;
        slot->task = &job->task;
        run->computing++;
        return;
    }
    tw_task_clear(&job->task);
    free(job);
}

/* ---- loading and storing ---- */

struct transfer {
    struct job job;
    bool wanted[TW_PORTS_MAX];
    struct tw_value values[TW_PORTS_MAX];
    struct tw_action action;
    struct tw_key key;
    bool good, damaged;
};

static void load(struct job *job)
{
    struct transfer *transfer = (struct transfer *)job;
    transfer->good = true;
    for (int port = 0; port < TW_PORTS_MAX && transfer->good; port++)
        if (transfer->wanted[port])
            transfer->good = tw_store_load(job->run->store, &transfer->action.outputs[port],
                                           &transfer->values[port], &transfer->damaged);
}

static void loaded(struct job *job)
{
    struct transfer *transfer = (struct transfer *)job;
    struct tw_run *run = job->run;
    run->pool.beside--;
    if (transfer->damaged && run->options->warning) {
        struct tw_error warning;
        tw_error_set(&warning, TW_OK, "a cache entry of %s was damaged; it is computed again",
                     run->recipe->nodes[job->index].path);
        run->options->warning(run->options->context, &warning);
    }
    if (run->status == TW_OK)
        tw_state_loaded(run, job->index, transfer->values, transfer->good);
    for (int port = 0; port < TW_PORTS_MAX; port++)
        tw_field_clear(&transfer->values[port]);
}

static void start_loading(struct tw_run *run, int32_t i)
{
    struct transfer *job = calloc(1, sizeof *job);
    struct tw_slot *slot = &run->slots[i];
    if (!job) {
        tw_state_fail(run, NULL, TW_MEMORY, NULL);
        return;
    }
    job->job.on_worker = load;
    job->job.on_loop = loaded;
    memcpy(job->action.outputs, slot->stamps, sizeof slot->stamps);
    for (int port = 0; port < TW_PORTS_MAX; port++)
        job->wanted[port] = slot->uses[port] > 0 && !slot->values[port].data;
    if (!start(run, &job->job, i, run->recipe->nodes[i].path, "load")) {
        free(job);
        return;
    }
    slot->phase = TW_BUSY;
    run->pool.beside++;
}

static void store(struct job *job)
{
    struct transfer *transfer = (struct transfer *)job;
    for (int port = 0; port < TW_PORTS_MAX; port++)
        if (transfer->wanted[port])
            tw_store_put(job->run->store, &transfer->action.outputs[port], &transfer->values[port]);
    tw_store_save(job->run->store, &transfer->key, &transfer->action);
}

static void stored(struct job *job)
{
    struct transfer *transfer = (struct transfer *)job;
    struct tw_run *run = job->run;
    run->pool.beside--;
    for (int port = 0; port < TW_PORTS_MAX; port++)
        if (transfer->wanted[port])
            tw_state_release(run, (struct tw_source){job->index, port});
}

static void start_storing(struct tw_run *run, int32_t i)
{
    struct transfer *job = calloc(1, sizeof *job);
    struct tw_slot *slot = &run->slots[i];
    if (!job) {
        tw_state_fail(run, NULL, TW_MEMORY, NULL);
        return;
    }
    job->job.on_worker = store;
    job->job.on_loop = stored;
    job->key = slot->key;
    job->action.seconds = slot->seconds;
    job->action.count = tw_node_count_ports(run->recipe->nodes[i].type->outputs);
    memcpy(job->action.outputs, slot->stamps, sizeof slot->stamps);
    for (int port = 0; port < TW_PORTS_MAX; port++) {
        job->wanted[port] = slot->held >> port & 1;
        job->values[port] = slot->values[port];
    }
    slot->held = 0;
    slot->storing = false;
    if (start(run, &job->job, i, run->recipe->nodes[i].path, "store"))
        run->pool.beside++;
    else
        free(job);
}

/* ---- delivering: comparing exports with the files on disk, and writing them ---- */

struct delivery {
    struct job job;
    struct tw_goal *goal;
    bool check;
    const struct tw_stamp **stamps;
    const struct tw_value **values;
    struct tw_export_report report;
    bool done;
    enum tw_status status;
    struct tw_error error;
};

static void deliver(struct job *job)
{
    struct delivery *delivery = (struct delivery *)job;
    struct tw_run *run = job->run;
    const char *folder = run->request->export_folder;
    struct tw_action action = {.count = 1};
    struct tw_key key = {{0}};
    bool keyed = run->store && tw_export_key(delivery->goal, delivery->stamps, &key);
    if (delivery->check) {
        if (!keyed || !tw_store_find(run->store, &key, &action))
            return;
        delivery->report.digest = action.outputs[0].digest;
        delivery->done = tw_export_is_fresh(folder, &delivery->report);
        return;
    }
    delivery->status = tw_export_write(delivery->goal, delivery->values, folder, &run->stop,
                                       &delivery->report, &delivery->error);
    delivery->done = delivery->status == TW_OK;
    action.outputs[0] = (struct tw_stamp){delivery->report.digest, TW_RECORD, 0, 1};
    if (delivery->done && keyed)
        tw_store_save(run->store, &key, &action);
}

static void delivered(struct job *job)
{
    struct delivery *delivery = (struct delivery *)job;
    struct tw_run *run = job->run;
    run->pool.beside--;
    delivery->goal->report = delivery->report;
    if (delivery->status != TW_OK)
        tw_state_fail(run, NULL, delivery->status, &delivery->error);
    else if (run->status == TW_OK)
        tw_state_delivered(run, job->index, delivery->done);
    free(delivery->stamps);
    free(delivery->values);
}

static bool has_all_values(const struct delivery *delivery, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        if (!delivery->values[i]->data)
            return false;
    return true;
}

static void start_delivery(struct tw_run *run, int32_t g)
{
    struct delivery *job = calloc(1, sizeof *job);
    struct tw_goal *goal = &run->goals[g];
    int32_t count = 0;
    for (const struct tw_output *o = goal->sources; o; o = o->next)
        count++;
    assert(count > 0); /* an export has a source */
    const struct tw_stamp **stamps = calloc((size_t)count, sizeof *stamps);
    const struct tw_value **values = calloc((size_t)count, sizeof *values);
    if (job && stamps && values) {
        job->job.on_worker = deliver;
        job->job.on_loop = delivered;
        job->goal = goal;
        job->stamps = stamps;
        job->values = values;
        job->report.item = goal->item;
        count = 0;
        for (const struct tw_output *o = goal->sources; o; o = o->next) {
            stamps[count] = &run->slots[o->source.node].stamps[o->source.port];
            values[count++] = &run->slots[o->source.node].values[o->source.port];
        }
        job->check = run->store && !goal->checked;
        if (job->check || has_all_values(job, count)) {
            if (start(run, &job->job, g, goal->name, job->check ? "check" : "export")) {
                run->pool.beside++;
                return;
            }
        }
    }
    free(stamps);
    free(values);
    free(job);
    tw_state_fail(run, NULL, TW_MEMORY, NULL);
}

/* ---- what next ---- */

/* The lowest node that waits for node i's values; goals come last. */
static int32_t first_waiting(const struct tw_run *run, int32_t i)
{
    for (int32_t u = run->plan.first_user[i]; u < run->plan.first_user[i + 1]; u++)
        if (run->slots[run->plan.users[u]].phase == TW_WAITING)
            return run->plan.users[u];
    return run->recipe->count;
}

/* Makes the load that the lowest node waits for the last of the list, and returns that node. */
static int32_t choose_load(const struct tw_run *run)
{
    int32_t *at = run->loads.at, last = run->loads.count - 1, best = 0, lowest = INT32_MAX;
    for (int32_t k = 0; k <= last; k++) {
        int32_t user = first_waiting(run, at[k]);
        best = user < lowest ? k : best;
        lowest = user < lowest ? user : lowest;
    }
    int32_t load = at[best];
    at[best] = at[last];
    at[last] = load;
    return lowest;
}

/* With a bound on memory values come in the order that the forecast counts on: what a node needs is
 * loaded when all nodes before it are done, not when it is known to be needed. */
static bool may_load(const struct tw_run *run)
{
    if (run->loads.count == 0 || !run->serial)
        return run->loads.count > 0;
    if (run->computing + run->pool.beside > 0)
        return false;
    int32_t user = choose_load(run);
    return run->ready.count == 0 || run->ready.at[0] > user;
}

static bool start_transfer(struct tw_run *run)
{
    if (run->deliveries.count > 0)
        start_delivery(run, tw_work_pop(&run->deliveries));
    else if (may_load(run))
        start_loading(run, tw_work_pop(&run->loads));
    else if (run->stores.count > 0)
        start_storing(run, tw_work_pop(&run->stores));
    else
        return false;
    return true;
}

static bool may_compute(const struct tw_run *run)
{
    if (run->ready.count == 0)
        return false;
    return run->serial ? run->computing + run->pool.beside == 0 : tw_pool_has_room(&run->pool);
}

void tw_jobs_start(void *context)
{
    struct tw_run *run = context;
    if (run->options->cancel && __atomic_load_n(run->options->cancel, __ATOMIC_RELAXED))
        tw_state_fail(run, NULL, TW_CANCELLED, NULL);
    while (run->status == TW_OK && run->pool.beside < TRANSFERS_MAX && start_transfer(run))
        ;
    while (run->status == TW_OK && may_compute(run))
        start_computing(run, tw_work_heap_take(&run->ready));
}
