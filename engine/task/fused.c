/* SPDX-License-Identifier: MIT */
/* Runs fused nodes block by block. A worker that takes a range of rows takes a lane: its own set of
 * the intermediate blocks between the steps. */
#include "task/fused.h"

#include "graph/fusion.h"

#include <inttypes.h>
#include <stdlib.h>

/* TIMED: one block in so many is timed, since reading the clock costs time; GRAIN: fewest blocks in
 * a range. */
enum { TIMED = 16, GRAIN = 16 };

/* An input of a step: rows of a map, or a block that an earlier step filled. */
struct operand {
    int32_t buffer; /* -1: read from `map` */
    struct tw_value map;
};

struct step {
    const struct tw_node *node;
    const struct operand *operands; /* one per edge */
    int32_t buffer;                 /* -1: written to the output's map */
    _Atomic uint64_t nanoseconds;   /* summed over the timed blocks */
};

struct fault {
    int32_t step; /* the count of steps: no fault so far */
    int64_t cell;
    enum tw_status status;
    struct tw_error error; /* set by a node that failed */
};

struct tw_fused {
    struct step *steps;
    int32_t count, block_rows;
    uint64_t bytes; /* size of a lane */
    size_t block_bytes;
    struct tw_task *task;
    unsigned char *lanes;
    atomic_bool *taken; /* by lane: a worker uses it */
    int32_t lane_count;
    uint64_t nanoseconds; /* summed over all steps */
    uv_mutex_t mutex;
    atomic_int rows_done;
    struct fault fault; /* of the lowest step, then the lowest cell; guarded by the mutex */
};

/* ---- creating ---- */

static void count_steps(const struct tw_recipe *recipe, const struct tw_plan *plan, int32_t root,
                        size_t *steps, size_t *operands)
{
    *steps = *operands = 0;
    for (int32_t i = plan->fusion.first[root];; i = plan->fusion.next[i]) {
        *steps += 1;
        *operands += (size_t)recipe->nodes[i].input_count;
        if (i == root)
            return;
    }
}

struct tw_fused *
tw_fused_create(const struct tw_recipe *recipe, const struct tw_plan *plan, int32_t root,
                struct tw_value (*value)(const void *context, struct tw_source source),
                const void *context)
{
    size_t steps, operands;
    count_steps(recipe, plan, root, &steps, &operands);
    struct tw_fused *fused =
        calloc(1, sizeof *fused + steps * sizeof(struct step) + operands * sizeof(struct operand));
    if (!fused)
        return NULL;
    fused->steps = (struct step *)(fused + 1);
    fused->block_rows = tw_fusion_block_rows(recipe);
    fused->block_bytes = tw_fusion_block_bytes(recipe);
    fused->bytes = tw_fusion_bytes(recipe, plan, root);
    struct operand *operand = (struct operand *)(fused->steps + steps);
    for (int32_t i = plan->fusion.first[root]; (size_t)fused->count < steps;
         i = plan->fusion.next[i]) {
        const struct tw_node *node = &recipe->nodes[i];
        struct step *step = &fused->steps[fused->count++];
        step->node = node;
        step->operands = operand;
        step->buffer = plan->fusion.buffer[i];
        for (int32_t e = 0; e < node->input_count; e++, operand++) {
            int32_t source = node->inputs[e].node;
            operand->buffer = source < 0 ? -1 : plan->fusion.buffer[source];
            if (source >= 0 && operand->buffer < 0)
                operand->map = value(context, node->inputs[e]);
        }
    }
    fused->fault.step = fused->count;
    return fused;
}

/* ---- running ---- */

/* Keeps the fault that running node after node would have reported. */
static void note_fault(struct tw_fused *fused, int32_t step, int64_t cell,
                       const struct tw_task *lane)
{
    uv_mutex_lock(&fused->mutex);
    struct fault *fault = &fused->fault;
    if (step < fault->step || (step == fault->step && cell < fault->cell))
        *fault = (struct fault){step, cell, lane->status, lane->error};
    uv_mutex_unlock(&fused->mutex);
}

static struct tw_value rows_of(struct tw_value map, int32_t row, int32_t rows)
{
    size_t bytes = (size_t)row * (size_t)map.width * tw_type_size(map.type);
    map.data = map.data ? (unsigned char *)map.data + bytes : NULL;
    map.height = rows;
    return map;
}

static struct tw_value block_of(const struct tw_fused *fused, int32_t buffer,
                                unsigned char *buffers, const struct tw_node *node, int32_t rows)
{
    return (struct tw_value){tw_output_type(node, 0), fused->task->recipe->width, rows,
                             buffers + (size_t)buffer * fused->block_bytes};
}

/* A worker's state while it runs steps: a task for one node at a time, on one thread. */
struct lane {
    struct tw_fused *fused;
    unsigned char *buffers;
    struct tw_pool pool;
    struct tw_task task;
};

/* Runs step `at` on `rows` rows from `row` of the task; notes a fault and returns false. */
static bool run_step(struct lane *lane, int32_t at, int32_t row, int32_t rows)
{
    const struct tw_fused *fused = lane->fused;
    const struct step *step = &fused->steps[at];
    const struct tw_node *node = step->node;
    struct tw_task *task = &lane->task;
    task->node = node;
    task->top = fused->task->top + row;
    task->rows = rows;
    for (int32_t e = 0; e < node->input_count; e++) {
        const struct operand *operand = &step->operands[e];
        int32_t source = node->inputs[e].node;
        task->inputs[e] = operand->buffer < 0 ? rows_of(operand->map, row, rows)
                                              : block_of(fused, operand->buffer, lane->buffers,
                                                         &task->recipe->nodes[source], rows);
    }
    task->outputs[0] = step->buffer < 0 ? rows_of(fused->task->outputs[0], row, rows)
                                        : block_of(fused, step->buffer, lane->buffers, node, rows);
    task->status = node->type->run(task);
    int64_t cell = task->status == TW_OK ? tw_field_scan(&task->outputs[0], lane->pool.simd) : 0;
    if (task->status == TW_OK && cell < 0)
        return true;
    note_fault(lane->fused, at, (int64_t)task->top * task->recipe->width + cell, task);
    return false;
}

static void run_block(struct lane *lane, int32_t row, int32_t rows, bool timed)
{
    struct tw_fused *fused = lane->fused;
    uint64_t before = timed ? uv_hrtime() : 0;
    for (int32_t at = 0; at < fused->count && run_step(lane, at, row, rows); at++) {
        if (!timed)
            continue;
        uint64_t now = uv_hrtime();
        atomic_fetch_add(&fused->steps[at].nanoseconds, now - before);
        before = now;
    }
}

/* Finds one: at most lane_count threads run ranges at the same time. */
static int32_t take_lane(struct tw_fused *fused)
{
    for (int32_t lane = 0;; lane = lane + 1 < fused->lane_count ? lane + 1 : 0)
        if (!atomic_exchange(&fused->taken[lane], true))
            return lane;
}

/* Blocks begin at the same rows whatever the number of threads. */
static void run_blocks(void *context, int32_t begin, int32_t end)
{
    struct tw_fused *fused = context;
    struct tw_task *task = fused->task;
    int32_t at = take_lane(fused);
    struct lane lane = {
        .fused = fused,
        .buffers = fused->lanes ? fused->lanes + (size_t)at * fused->bytes : NULL,
        .pool = {.threads = 1, .simd = task->pool->simd},
        .task = {.recipe = task->recipe, .memory = task->memory, .stop = task->stop, .used = 1}};
    lane.task.pool = &lane.pool;
    for (int32_t block = begin; block < end && !tw_task_cancelled(task); block++) {
        int32_t row = block * fused->block_rows, left = tw_task_height(task) - row;
        int32_t rows = left < fused->block_rows ? left : fused->block_rows;
        run_block(&lane, row, rows, (block - begin) % TIMED == 0);
        int32_t done = atomic_fetch_add(&fused->rows_done, rows) + rows;
        tw_task_progress(task, (double)done / tw_task_height(task));
    }
    atomic_store(&fused->taken[at], false);
}

static enum tw_status report_fault(const struct tw_fused *fused, struct tw_task *task)
{
    const struct fault *fault = &fused->fault;
    const char *port = fused->steps[fault->step].node->type->outputs[0].name;
    int32_t width = task->recipe->width;
    if (fault->status == TW_OK)
        return tw_task_fail(task, "output '%s' is not finite at x %" PRId64 ", y %" PRId64, port,
                            fault->cell % width, fault->cell / width);
    task->error = fault->error;
    return fault->status;
}

enum tw_status tw_fused_run(struct tw_fused *fused, struct tw_task *task)
{
    fused->task = task;
    fused->lane_count = task->pool->threads;
    if (fused->bytes > 0)
        fused->lanes = tw_task_scratch(task, (size_t)fused->lane_count, fused->bytes);
    fused->taken = calloc((size_t)fused->lane_count, sizeof *fused->taken);
    if ((fused->bytes > 0 && !fused->lanes) || !fused->taken || uv_mutex_init(&fused->mutex) != 0) {
        free(fused->taken);
        return tw_task_no_memory(task);
    }
    int32_t blocks = (tw_task_height(task) - 1) / fused->block_rows + 1;
    tw_pool_rows(task->pool, blocks, GRAIN, run_blocks, fused);
    uv_mutex_destroy(&fused->mutex);
    free(fused->taken);
    for (int32_t at = 0; at < fused->count; at++)
        fused->nanoseconds += atomic_load(&fused->steps[at].nanoseconds);
    if (tw_task_cancelled(task))
        return TW_CANCELLED;
    return fused->fault.step < fused->count ? report_fault(fused, task) : TW_OK;
}

const struct tw_node *tw_fused_failed(const struct tw_fused *fused)
{
    int32_t at = fused->fault.step;
    return fused->steps[at < fused->count ? at : fused->count - 1].node;
}

double tw_fused_share(const struct tw_fused *fused, int32_t member)
{
    uint64_t taken = atomic_load(&fused->steps[member].nanoseconds);
    return fused->nanoseconds > 0 ? (double)taken / (double)fused->nanoseconds : 0;
}
