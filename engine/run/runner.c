/* SPDX-License-Identifier: MIT */
/* The run: a state machine on the loop thread that owns all graph state, so it needs no locks.
 * A node starts when its inputs are there, and a value is freed after its last use. */
#include "run/runner.h"
#include "run/task.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a node has come to. `uses` counts consumers still to start or end, and 1 for a kept value.
 */
struct slot {
    bool wanted, started, done;
    int32_t missing; /* wanted inputs that are not done */
    struct tw_value values[TW_PORTS_MAX];
    int32_t uses[TW_PORTS_MAX];
};

struct run {
    const struct tw_recipe *recipe;
    const struct tw_run_options *options;
    struct tw_pool pool;
    struct slot *slots;
    int32_t next; /* first node that may not have started */
    int32_t done, wanted;
    atomic_bool stop;
    enum tw_status status;
    struct tw_error *error;
};

static int input_count(const struct tw_node *node) { return node->input_count; }

/* Marks what the wanted outputs need; sources come before users, so one backward pass does. */
static void mark_wanted(struct run *run)
{
    const struct tw_recipe *recipe = run->recipe;
    const char *only = run->options->only;
    for (const struct tw_output *o = recipe->outputs; o; o = o->next)
        if (!only || strcmp(only, o->name) == 0) {
            run->slots[o->source.node].wanted = true;
            run->slots[o->source.node].uses[o->source.port]++;
        }
    for (const struct tw_export *e = recipe->exports; e; e = e->next)
        if (!only || strcmp(only, e->from) == 0) {
            run->slots[e->source.node].wanted = true;
            run->slots[e->source.node].uses[e->source.port]++;
        }
    for (int32_t i = recipe->count - 1; i >= 0; i--) {
        if (!run->slots[i].wanted)
            continue;
        run->wanted++;
        for (int port = 0; port < input_count(&recipe->nodes[i]); port++) {
            struct tw_source source = recipe->nodes[i].inputs[port];
            if (source.node < 0)
                continue;
            run->slots[source.node].wanted = true;
            run->slots[source.node].uses[source.port]++;
            run->slots[i].missing++;
        }
    }
}

static void drop_use(struct run *run, struct tw_source source)
{
    struct slot *slot = &run->slots[source.node];
    if (--slot->uses[source.port] == 0)
        tw_field_clear(&slot->values[source.port]);
}

static void fail(struct run *run, const struct tw_task *task, enum tw_status status)
{
    if (run->status != TW_OK)
        return;
    run->status = status;
    atomic_store(&run->stop, true);
    if (!run->error)
        return;
    if (task && task->status == status && status != TW_CANCELLED)
        *run->error = task->error;
    else
        tw_error_set(run->error, status, "%s", tw_status_text(status));
    run->error->status = status;
    if (!task)
        return;
    snprintf(run->error->path, sizeof run->error->path, "%s", task->node->path);
    snprintf(run->error->file, sizeof run->error->file, "%s", task->node->place.file);
    run->error->line = task->node->place.line;
    run->error->column = task->node->place.column;
}

static void warn(struct run *run, struct tw_task *task)
{
    if (!task->warning.message[0] || !run->options->warning)
        return;
    snprintf(task->warning.path, sizeof task->warning.path, "%s", task->node->path);
    snprintf(task->warning.file, sizeof task->warning.file, "%s", task->node->place.file);
    task->warning.line = task->node->place.line;
    task->warning.column = task->node->place.column;
    run->options->warning(run->options->context, &task->warning);
}

static void on_done(uv_work_t *work, int uv_status)
{
    struct tw_task *task = work->data;
    struct run *run = task->owner;
    struct slot *slot = &run->slots[task->index];
    const struct tw_node *node = task->node;
    (void)uv_status;
    warn(run, task);
    if (task->status != TW_OK)
        fail(run, task, task->status);
    for (int port = 0; port < input_count(node); port++)
        if (node->inputs[port].node >= 0)
            drop_use(run, node->inputs[port]);
    for (int port = 0; node->type->outputs[port].name; port++)
        if (slot->uses[port] > 0 && task->status == TW_OK) {
            slot->values[port] = task->outputs[port];
            task->outputs[port] = (struct tw_value){0};
        }
    slot->done = true;
    run->done++;
    tw_task_clear(task);
    free(task);
    if (run->options->progress)
        run->options->progress(run->options->context, node->path,
                               (double)run->done / (double)run->wanted);
    tw_pool_finish(&run->pool);
}

/* In place: the input's block becomes the output's when this node is its last user. */
static bool take_input(struct run *run, struct tw_task *task)
{
    const struct tw_node *node = task->node;
    struct tw_source source = node->inputs[0];
    if (!node->type->in_place || source.node < 0)
        return false;
    struct slot *slot = &run->slots[source.node];
    enum tw_type type = node->type->outputs[0].type;
    if (slot->uses[source.port] != 1 ||
        tw_type_size(slot->values[source.port].type) != tw_type_size(type))
        return false;
    task->outputs[0] = slot->values[source.port];
    task->outputs[0].type = type;
    slot->values[source.port] = (struct tw_value){0};
    return true;
}

static enum tw_status make_values(struct run *run, struct tw_task *task)
{
    const struct tw_node *node = task->node;
    for (int port = 0; port < input_count(node); port++)
        if (node->inputs[port].node >= 0)
            task->inputs[port] =
                run->slots[node->inputs[port].node].values[node->inputs[port].port];
    bool taken = take_input(run, task);
    for (int port = taken ? 1 : 0; node->type->outputs[port].name; port++) {
        enum tw_type type = node->type->outputs[port].type;
        if (!tw_type_is_grid(type))
            continue;
        enum tw_status status = tw_field_alloc(&task->outputs[port], type, run->recipe->width,
                                               run->recipe->height, &task->error);
        if (status != TW_OK)
            return status;
    }
    return TW_OK;
}

static void work_on_task(uv_work_t *work) { tw_task_run(work->data); }

static void start(struct run *run, int32_t index)
{
    struct tw_task *task = calloc(1, sizeof *task);
    run->slots[index].started = true;
    if (!task) {
        fail(run, NULL, TW_MEMORY);
        return;
    }
    *task = (struct tw_task){.pool = &run->pool,
                             .recipe = run->recipe,
                             .node = &run->recipe->nodes[index],
                             .index = index,
                             .cancel = run->options->cancel,
                             .stop = &run->stop,
                             .owner = run};
    task->work.data = task;
    task->status = make_values(run, task);
    if (task->status == TW_OK && tw_pool_start(&run->pool, &task->work, work_on_task, on_done))
        return;
    fail(run, task, task->status == TW_OK ? TW_MEMORY : task->status);
    tw_task_clear(task);
    free(task);
}

static bool is_ready(const struct run *run, int32_t index)
{
    const struct tw_node *node = &run->recipe->nodes[index];
    const struct slot *slot = &run->slots[index];
    if (!slot->wanted || slot->started)
        return false;
    for (int port = 0; port < input_count(node); port++)
        if (node->inputs[port].node >= 0 && !run->slots[node->inputs[port].node].done)
            return false;
    return true;
}

static void start_ready(void *context)
{
    struct run *run = context;
    if (run->options->cancel && *run->options->cancel)
        fail(run, NULL, TW_CANCELLED);
    while (run->next < run->recipe->count &&
           (run->slots[run->next].started || !run->slots[run->next].wanted))
        run->next++;
    for (int32_t i = run->next; i < run->recipe->count && run->status == TW_OK; i++) {
        if (run->pool.running >= run->pool.threads)
            return;
        if (is_ready(run, i))
            start(run, i);
    }
}

static enum tw_status keep_one(struct run *run, struct tw_result *result, struct tw_source source)
{
    for (int32_t i = 0; i < result->count; i++)
        if (result->kept[i].source.node == source.node &&
            result->kept[i].source.port == source.port)
            return TW_OK;
    struct tw_value *value = &run->slots[source.node].values[source.port];
    result->kept[result->count++] = (struct tw_kept){source, *value};
    *value = (struct tw_value){0};
    return TW_OK;
}

static enum tw_status keep_results(struct run *run, struct tw_result **out)
{
    const struct tw_recipe *recipe = run->recipe;
    size_t outputs = 0, exports = 0;
    for (const struct tw_output *o = recipe->outputs; o; o = o->next)
        outputs++;
    for (const struct tw_export *e = recipe->exports; e; e = e->next)
        exports++;
    struct tw_result *result = calloc(1, sizeof *result);
    if (!result)
        return TW_MEMORY;
    *out = result;
    result->recipe = recipe;
    result->computed = run->done;
    result->kept = calloc(outputs + exports + 1, sizeof *result->kept);
    result->names = calloc(outputs + 1, sizeof *result->names);
    if (!result->kept || !result->names)
        return TW_MEMORY;
    for (const struct tw_output *o = recipe->outputs; o; o = o->next) {
        if (!run->slots[o->source.node].done)
            continue;
        keep_one(run, result, o->source);
        struct tw_result_name *name = &result->names[result->name_count];
        *name = (struct tw_result_name){strdup(o->name), o->source};
        if (!name->name)
            return TW_MEMORY;
        result->name_count++;
    }
    for (const struct tw_export *e = recipe->exports; e; e = e->next)
        if (run->slots[e->source.node].done)
            keep_one(run, result, e->source);
    return TW_OK;
}

static int32_t thread_count(const struct tw_run_options *options)
{
    if (options->threads > 0)
        return options->threads;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 1 ? 1 : processors > 64 ? 64 : (int32_t)processors;
}

static enum tw_status run_all(struct run *run, struct tw_result **result, struct tw_error *error)
{
    run->status = tw_pool_open(&run->pool, thread_count(run->options), error);
    if (run->status != TW_OK)
        return run->status;
    run->pool.on_free = start_ready;
    run->pool.context = run;
    start_ready(run);
    while (run->pool.running > 0)
        uv_run(&run->pool.loop, UV_RUN_ONCE);
    tw_pool_close(&run->pool);
    if (run->status == TW_OK && keep_results(run, result) != TW_OK) {
        tw_result_release(*result);
        *result = NULL;
        run->status = tw_error_set(error, TW_MEMORY, "out of memory");
    }
    return run->status;
}

static enum tw_status check_only(const struct tw_recipe *recipe, const char *only,
                                 struct tw_error *error)
{
    for (const struct tw_output *o = recipe->outputs; only && o; o = o->next)
        if (strcmp(o->name, only) == 0)
            return TW_OK;
    return only ? tw_error_set(error, TW_USAGE, "the recipe has no output '%s'", only) : TW_OK;
}

enum tw_status tw_recipe_run(struct tw_recipe *recipe, const struct tw_run_options *options,
                             struct tw_result **result, struct tw_error *error)
{
    static const struct tw_run_options none = {0};
    struct run run = {.recipe = recipe, .options = options ? options : &none, .error = error};
    enum tw_status status = check_only(recipe, run.options->only, error);
    if (status != TW_OK)
        return status;
    run.slots = calloc((size_t)recipe->count + 1, sizeof *run.slots);
    if (!run.slots)
        return tw_error_set(error, TW_MEMORY, "out of memory");
    mark_wanted(&run);
    status = run_all(&run, result, error);
    for (int32_t i = 0; i < recipe->count; i++)
        for (int port = 0; port < TW_PORTS_MAX; port++)
            tw_field_clear(&run.slots[i].values[port]);
    free(run.slots);
    return status;
}

const struct tw_value *tw_result_value(const struct tw_result *result, struct tw_source source)
{
    for (int32_t i = 0; i < result->count; i++)
        if (result->kept[i].source.node == source.node &&
            result->kept[i].source.port == source.port)
            return &result->kept[i].value;
    return NULL;
}

const struct tw_value *tw_result_output(const struct tw_result *result, const char *name)
{
    for (int32_t i = 0; i < result->name_count; i++)
        if (strcmp(result->names[i].name, name) == 0)
            return tw_result_value(result, result->names[i].source);
    return NULL;
}

void tw_result_release(struct tw_result *result)
{
    if (!result)
        return;
    for (int32_t i = 0; i < result->count; i++)
        tw_field_clear(&result->kept[i].value);
    for (int32_t i = 0; i < result->name_count; i++)
        free(result->names[i].name);
    free(result->names);
    free(result->kept);
    free(result);
}
