/* SPDX-License-Identifier: MIT */
/* Runs a node that reads a file, on its own thread: the file calls the node row by row until it
 * ends, so the thread waits when it is far enough ahead of the nodes that take its rows. */
#include "base/memory/block.h"
#include "base/os/cpu.h"
#include "stream/bands_private.h"

#include <stdlib.h>

struct tw_band_stream {
    struct tw_task task;
    struct tw_pool pool; /* one thread: its own */
    size_t bytes;        /* of the whole map */
    int32_t ahead;       /* how many rows it may run ahead */
    uv_thread_t thread;
    uv_mutex_t mutex; /* guards the members below */
    uv_cond_t changed;
    int64_t requested, ready; /* rows requested and rows ready */
    bool quit, ended, begun;
    bool joined; /* the thread has been joined */
    enum tw_status status;
};

const char *tw_band_stream_lacks(const struct tw_run *run, const struct tw_node *node)
{
    const struct tw_file_facts *facts = &node->file.facts;
    if (!node->type->file_streams || run->plan.outputs[node - run->recipe->nodes] != 1)
        return "reads all of a file first";
    if (facts->may_have_gaps)
        return "reads a file that may have gaps";
    if (!node->file.by_rows)
        return "reads a file that is decoded whole";
    if (facts->width != run->recipe->width || facts->height != run->recipe->height)
        return "reads a file of another size";
    return NULL;
}

/* ---- on its thread ---- */

/* Rows must arrive from north to south: fails if the first one is not row 0. */
static enum tw_status on_row(void *context, int32_t y, int32_t done)
{
    struct tw_band_stream *stream = context;
    enum tw_status status = TW_OK;
    uv_mutex_lock(&stream->mutex);
    if (y != 0 && !stream->begun)
        status = tw_task_fail_file(&stream->task,
                                   "the file has its rows from south to north; a run in bands "
                                   "reads them from north to south");
    stream->begun = true;
    stream->ready = status == TW_OK ? done : 0;
    uv_cond_broadcast(&stream->changed);
    while (status == TW_OK && !stream->quit && done >= stream->requested + stream->ahead)
        uv_cond_wait(&stream->changed, &stream->mutex);
    if (status == TW_OK && stream->quit)
        status = TW_CANCELLED;
    uv_mutex_unlock(&stream->mutex);
    return status;
}

static void read_file(void *context)
{
    struct tw_band_stream *stream = context;
    struct tw_task *task = &stream->task;
    fenv_t mode;
    tw_cpu_enter(&mode);
    enum tw_status status = tw_task_file_open(task);
    if (status == TW_OK)
        status = task->node->type->run(task);
    tw_task_free_scratch(task);
    tw_task_file_close(task);
    tw_cpu_leave(&mode);
    uv_mutex_lock(&stream->mutex);
    stream->status = status;
    if (status == TW_OK)
        stream->ready = task->recipe->height;
    stream->ended = true;
    uv_cond_broadcast(&stream->changed);
    uv_mutex_unlock(&stream->mutex);
}

/* ---- on the run's worker ---- */

static struct tw_band_stream *create(struct tw_run *run, int32_t i)
{
    const struct tw_node *node = &run->recipe->nodes[i];
    const enum tw_type type = tw_output_type(node, 0);
    struct tw_band_stream *stream = calloc(1, sizeof *stream);
    if (!stream)
        return NULL;
    stream->bytes = (size_t)run->recipe->width * (size_t)run->recipe->height * tw_type_size(type);
    stream->ahead = run->bands->rows;
    stream->pool = (struct tw_pool){.threads = 1, .simd = run->pool.simd};
    stream->task = (struct tw_task){.pool = &stream->pool,
                                    .recipe = run->recipe,
                                    .node = node,
                                    .memory = &run->memory,
                                    .stop = &run->stop,
                                    .used = run->plan.outputs[i],
                                    .on_row = on_row,
                                    .row_context = stream};
    stream->task.outputs[0] = (struct tw_value){type, run->recipe->width, run->recipe->height,
                                                tw_block_reserve(stream->bytes)};
    if (stream->task.outputs[0].data)
        return stream;
    free(stream);
    return NULL;
}

static bool start(struct tw_band_stream *stream)
{
    if (uv_mutex_init(&stream->mutex) != 0)
        return false;
    if (uv_cond_init(&stream->changed) == 0) {
        if (uv_thread_create(&stream->thread, read_file, stream) == 0)
            return true;
        uv_cond_destroy(&stream->changed);
    }
    uv_mutex_destroy(&stream->mutex);
    return false;
}

enum tw_status tw_band_stream_start(struct tw_run *run, int32_t i, struct tw_error *err)
{
    struct tw_band_stream *stream = create(run, i);
    if (stream && start(stream)) {
        run->bands->windows[i].stream = stream;
        run->bands->windows[i].values[0] = stream->task.outputs[0];
        return TW_OK;
    }
    if (stream)
        tw_block_unreserve(stream->task.outputs[0].data, stream->bytes);
    free(stream);
    return tw_error_set(err, TW_MEMORY, "out of memory");
}

static void join(struct tw_band_stream *stream)
{
    uv_mutex_lock(&stream->mutex);
    stream->quit = true;
    uv_cond_broadcast(&stream->changed);
    uv_mutex_unlock(&stream->mutex);
    if (!stream->joined)
        uv_thread_join(&stream->thread);
    stream->joined = true;
}

enum tw_status tw_band_stream_take(struct tw_run *run, int32_t i, int64_t to)
{
    struct tw_bands *bands = run->bands;
    struct tw_band_stream *stream = bands->windows[i].stream;
    bands->failed = &run->recipe->nodes[i];
    uv_mutex_lock(&stream->mutex);
    stream->requested = to;
    uv_cond_broadcast(&stream->changed);
    while (stream->ready < to && !stream->ended)
        uv_cond_wait(&stream->changed, &stream->mutex);
    bool there = stream->ready >= to;
    uv_mutex_unlock(&stream->mutex);
    if (there)
        return TW_OK;
    join(stream); /* the thread owned the error until now */
    bands->error = stream->task.error;
    return stream->status;
}

void tw_band_stream_drop(struct tw_window *window, int64_t first)
{
    const struct tw_value *map = &window->stream->task.outputs[0];
    tw_block_drop(map->data, (size_t)first * (size_t)map->width * tw_type_size(map->type));
}

void tw_band_stream_release(struct tw_window *window)
{
    struct tw_band_stream *stream = window->stream;
    if (!stream)
        return;
    join(stream);
    uv_cond_destroy(&stream->changed);
    uv_mutex_destroy(&stream->mutex);
    tw_block_unreserve(stream->task.outputs[0].data, stream->bytes);
    free(stream);
    window->stream = NULL;
    window->values[0].data = NULL;
}
