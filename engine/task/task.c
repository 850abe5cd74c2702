/* SPDX-License-Identifier: MIT */
/* Implements what node.h offers to nodes. */
#include "task/task.h"

#include "base/memory/block.h"
#include "base/os/process.h"
#include "base/text/text.h"
#include "node/world.h"
#include "task/fused.h"

#include <thalweg/world_side.h>

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const void *tw_task_params(const struct tw_task *task) { return task->node->params; }
int32_t tw_task_width(const struct tw_task *task)
{
    return task->part.width > 0 ? task->part.width : task->recipe->width;
}
int32_t tw_task_height(const struct tw_task *task)
{
    if (task->part.height > 0)
        return task->part.height;
    return task->rows > 0 ? task->rows : task->recipe->height;
}
uint64_t tw_task_seed(const struct tw_task *task) { return task->node->seed_key; }
int32_t tw_task_top(const struct tw_task *task) { return task->top; }
int32_t tw_task_map_height(const struct tw_task *task) { return task->recipe->height; }
struct tw_value *tw_task_output(struct tw_task *task, int i) { return &task->outputs[i]; }
bool tw_task_wants(const struct tw_task *task, int i) { return task->used >> i & 1; }
int tw_task_input_count(const struct tw_task *task) { return task->node->input_count; }
enum tw_simd tw_task_simd(const struct tw_task *task) { return task->pool->simd; }

const struct tw_world *tw_task_world(const struct tw_task *task) { return &task->recipe->world; }

double tw_task_side_m(const struct tw_task *task)
{
    assert(task->node->type->physical); /* else its cache key would not have it */
    const struct tw_world *world = tw_task_world(task);
    return world->given & TW_WORLD_SIDE_M ? world->side_m : 0;
}

enum tw_borders tw_task_borders(const struct tw_task *task)
{
    assert(task->node->type->bordered); /* otherwise its cache key lacks the borders */
    return task->node->borders;
}

bool tw_task_wraps(const struct tw_task *task, int32_t border)
{
    enum tw_borders borders = tw_task_borders(task);
    return border == TW_BORDER_RECIPE ? borders == TW_BORDERS_WRAP : border == TW_BORDER_WRAP;
}

const struct tw_value *tw_task_input(const struct tw_task *task, int i)
{
    return task->inputs[i].data ? &task->inputs[i] : NULL;
}

enum { LIST_GRAIN = 1 << 16 }; /* fewest elements that one worker clears */

static void clear_elements(void *context, int32_t begin, int32_t end)
{
    const struct tw_value *list = context;
    size_t size = tw_type_size(list->type);
    memset((char *)list->data + (size_t)begin * size, 0, (size_t)(end - begin) * size);
}

enum tw_status tw_task_list(struct tw_task *task, int i, int32_t count)
{
    enum tw_type type = tw_output_type(task->node, i);
    tw_memory_clear(task->memory, &task->outputs[i]);
    enum tw_status status =
        tw_memory_alloc(task->memory, &task->outputs[i], type, count, 1, &task->error);
    task->refused |= status == TW_LIMIT;
    if (status == TW_OK)
        tw_pool_rows(task->pool, count, LIST_GRAIN, clear_elements, &task->outputs[i]);
    return status; /* task->error is set: the node returns the status */
}

static void refuse_scratch(struct tw_task *task, uint64_t bytes)
{
    task->refused = true;
    tw_error_set(&task->error, TW_LIMIT,
                 "%s takes %" PRIu64 " MiB of scratch, %" PRIu64
                 " MiB were forecast: beyond the memory limit of %s",
                 task->node->type->name, (task->scratch_bytes + bytes + 1048575) >> 20,
                 (task->forecast_scratch + 1048575) >> 20,
                 tw_memory_limit_text(task->memory->limit).text);
}

void *tw_task_reserve(struct tw_task *task, size_t count, size_t size, size_t expected)
{
    size_t bytes;
    if (task->scratch_count == TW_SCRATCH_MAX || __builtin_mul_overflow(count, size, &bytes))
        return NULL;
    size_t counted = (expected < count ? expected : count) * size;
    if (!tw_memory_take(task->memory, counted)) {
        refuse_scratch(task, counted);
        return NULL;
    }
    void *block = counted < bytes ? tw_block_alloc_sparse(bytes) : tw_block_alloc(bytes);
    if (!block) {
        tw_memory_return(task->memory, counted);
        return NULL;
    }
    task->scratch[task->scratch_count++] = block;
    task->scratch_bytes += counted;
    if (task->scratch_most < task->scratch_bytes)
        task->scratch_most = task->scratch_bytes;
    return block;
}

void *tw_task_scratch(struct tw_task *task, size_t count, size_t size)
{
    return tw_task_reserve(task, count, size, count);
}

enum tw_status tw_task_no_memory(struct tw_task *task)
{
    return task->refused ? TW_LIMIT : tw_error_set(&task->error, TW_MEMORY, "out of memory");
}

static void print_message(char *message, size_t size, const char *format, va_list arguments)
{
    vsnprintf(message, size, format, arguments);
    tw_text_clean(message);
}

enum tw_status tw_task_fail(struct tw_task *task, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    task->error = (struct tw_error){.status = TW_NODE};
    print_message(task->error.message, sizeof task->error.message, format, arguments);
    va_end(arguments);
    return TW_NODE;
}

enum tw_status tw_task_fail_file(struct tw_task *task, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    task->error = (struct tw_error){.status = TW_INPUT};
    print_message(task->error.message, sizeof task->error.message, format, arguments);
    va_end(arguments);
    return TW_INPUT;
}

void tw_task_warn(struct tw_task *task, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_message(task->warning.message, sizeof task->warning.message, format, arguments);
    va_end(arguments);
}

bool tw_task_cancelled(const struct tw_task *task)
{
    if (task->poll)
        task->poll(task->poll_context);
    return atomic_load_explicit(task->stop, memory_order_relaxed);
}

void tw_task_progress(struct tw_task *task, double share)
{
    if (task->part.width > 0)
        share = task->part.begin + share * (task->part.end - task->part.begin);
    atomic_store_explicit(&task->permille, (int)(share * 1000), memory_order_relaxed);
}

struct tw_scratch_mark tw_task_scratch_mark(const struct tw_task *task)
{
    return (struct tw_scratch_mark){task->scratch_count, task->scratch_bytes};
}

void tw_task_scratch_return(struct tw_task *task, struct tw_scratch_mark then)
{
    while (task->scratch_count > then.blocks)
        tw_block_free(task->scratch[--task->scratch_count]);
    tw_memory_return(task->memory, task->scratch_bytes - then.bytes);
    task->scratch_bytes = then.bytes;
}

enum tw_status tw_task_part(struct tw_task *task, const struct tw_task_span *part, tw_part_fn *fn,
                            void *context)
{
    const struct tw_task_span outer = task->part;
    const double from = outer.width > 0 ? outer.begin : 0;
    const double span = outer.width > 0 ? outer.end - outer.begin : 1;
    const struct tw_scratch_mark before = tw_task_scratch_mark(task);
    assert(part->width > 0 && part->height > 0 && task->rows == 0);
    task->part = (struct tw_task_span){.width = part->width,
                                       .height = part->height,
                                       .begin = from + part->begin * span,
                                       .end = from + part->end * span};
    enum tw_status status = fn(task, context);
    tw_task_scratch_return(task, before);
    task->part = outer;
    return status;
}

void tw_rows(struct tw_task *task, int32_t count, int32_t grain, tw_rows_fn *fn, void *context)
{
    tw_pool_rows(task->pool, count, grain, fn, context);
}

/* ---- outputs are finite ---- */

enum { PIECE = 4096, PIECES = 16 }; /* elements; fewest pieces in a range */

struct scan {
    struct tw_value value;
    enum tw_simd simd;
    _Atomic int64_t first; /* first non-finite element; the count of elements: none so far */
};

static void note_element(struct scan *scan, int64_t element)
{
    int64_t first = atomic_load(&scan->first);
    while (element < first && !atomic_compare_exchange_weak(&scan->first, &first, element))
        continue;
}

static void scan_pieces(void *context, int32_t begin, int32_t end)
{
    struct scan *scan = context;
    const int64_t from = (int64_t)begin * PIECE, count = (int64_t)tw_value_count(&scan->value);
    const int64_t to = (int64_t)end * PIECE < count ? (int64_t)end * PIECE : count;
    const size_t before = (size_t)from * tw_type_size(scan->value.type);
    const struct tw_value part = {scan->value.type, (int32_t)(to - from), 1,
                                  (unsigned char *)scan->value.data + before};
    const int64_t element = tw_field_scan(&part, scan->simd);
    if (element >= 0)
        note_element(scan, from + element);
}

/* Returns the first cell or element with a non-finite number, or -1. */
static int64_t find_nonfinite(struct tw_pool *pool, const struct tw_value *value)
{
    const int64_t count = (int64_t)tw_value_count(value);
    struct scan scan = {*value, pool->simd, count};
    tw_pool_rows(pool, (int32_t)((count + PIECE - 1) / PIECE), PIECES, scan_pieces, &scan);
    const int64_t first = atomic_load(&scan.first);
    return first < count ? first : -1;
}

/* Checks that the node produced every output that the run uses, and that its floats are finite. */
static enum tw_status check_outputs(struct tw_task *task)
{
    const struct tw_port *ports = task->node->type->outputs;
    for (int i = 0; ports[i].name; i++) {
        if (!tw_task_wants(task, i))
            continue;
        if (!task->outputs[i].data)
            return tw_task_fail(task, "output '%s' was not allocated: a list needs tw_task_list()",
                                ports[i].name);
        int64_t cell = find_nonfinite(task->pool, &task->outputs[i]);
        if (cell >= 0 && !tw_type_is_grid(ports[i].type))
            return tw_task_fail(task, "output '%s' is not finite in element %" PRId64,
                                ports[i].name, cell);
        if (cell >= 0)
            return tw_task_fail(task, "output '%s' is not finite at x %" PRId64 ", y %" PRId64,
                                ports[i].name, cell % task->outputs[i].width,
                                cell / task->outputs[i].width);
    }
    return TW_OK;
}

static enum tw_status stamp(struct tw_task *task)
{
    const struct tw_port *ports = task->node->type->outputs;
    for (int i = 0; ports[i].name; i++) {
        if (!tw_task_wants(task, i))
            continue;
        const struct tw_value *value = &task->outputs[i];
        task->stamps[i] = (struct tw_stamp){.digest = tw_field_digest(value),
                                            .type = value->type,
                                            .width = value->width,
                                            .height = value->height};
        if (task->secret && !tw_field_content(value, task->secret, &task->stamps[i].content))
            return tw_task_no_memory(task);
    }
    return TW_OK;
}

static enum tw_status run_node(struct tw_task *task)
{
    if (task->fused)
        return tw_fused_run(task->fused, task);
    return task->node->feed        ? tw_task_copy_feed(task)
           : task->node->assertion ? tw_task_judge(task)
                                   : task->node->type->run(task);
}

void tw_task_run(struct tw_task *task)
{
    uint64_t start = uv_hrtime();
    const double used = tw_process_thread_seconds();
    task->status = tw_task_cancelled(task) ? TW_CANCELLED : tw_task_file_open(task);
    if (task->status == TW_OK)
        task->status = run_node(task);
    if (task->status == TW_OK && !task->fused)
        task->status = check_outputs(task);
    task->nanoseconds = uv_hrtime() - start;
    task->processor_seconds = tw_process_thread_seconds() - used;
    if (task->status == TW_OK && task->stamped)
        task->status = stamp(task);
    tw_task_free_scratch(task);
    tw_task_file_close(task);
    if (task->refused && task->status == TW_MEMORY)
        task->status = TW_LIMIT;
}

void tw_task_free_scratch(struct tw_task *task)
{
    tw_task_scratch_return(task, (struct tw_scratch_mark){0, 0});
}

void tw_task_clear(struct tw_task *task)
{
    for (int i = 0; i < TW_PORTS_MAX; i++)
        tw_memory_clear(task->memory, &task->outputs[i]);
}
