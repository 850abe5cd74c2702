/* SPDX-License-Identifier: MIT */
/* Computes some rows of one node. A node with a neighbourhood runs on a piece of the map as if it
 * were a whole map; rows whose neighbourhood the piece cuts are dropped, so nodes need not know of
 * bands. Pieces end at the borders of a map that does. */
#include "graph/fusion.h"
#include "stream/bands_private.h"
#include "task/fused.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Computes rows `from` to `to` - 1 by reading rows `first` to `last` - 1. */
struct piece {
    struct tw_run *run;
    int32_t node;
    int64_t from, to, first, last;
};

static struct tw_value input_of(const void *context, struct tw_source source)
{
    const struct piece *piece = context;
    return tw_window_rows(&piece->run->bands->windows[source.node], source.port, piece->first,
                          piece->last);
}

/* The node writes into its window or, if rows will be dropped, into the spare memory. */
static void choose_outputs(const struct piece *piece, struct tw_task *task)
{
    const struct tw_bands *bands = piece->run->bands;
    const struct tw_window *window = &bands->windows[piece->node];
    const struct tw_port *ports = task->node->type->outputs;
    const bool whole = piece->first == piece->from && piece->last == piece->to;
    size_t used = 0;
    for (int port = 0; ports[port].name; port++) {
        struct tw_value *output = &task->outputs[port];
        if (!window->values[port].data)
            continue;
        *output = tw_window_rows(window, port, piece->from, piece->to);
        if (whole)
            continue;
        output->height = (int32_t)(piece->last - piece->first);
        output->data = bands->spare + used;
        used += tw_value_count(output) * tw_type_size(output->type);
    }
}

/* Copies the rows to keep from the spare memory into the window. */
static void take_outputs(const struct piece *piece, const struct tw_task *task)
{
    const struct tw_window *window = &piece->run->bands->windows[piece->node];
    for (int port = 0; task->node->type->outputs[port].name; port++) {
        const struct tw_value *output = &task->outputs[port];
        const struct tw_value to = tw_window_rows(window, port, piece->from, piece->to);
        const size_t row = (size_t)output->width * tw_type_size(output->type);
        if (output->data && output->data != to.data)
            memcpy(to.data,
                   (const unsigned char *)output->data + (size_t)(piece->from - piece->first) * row,
                   (size_t)to.height * row);
    }
}

static enum tw_status check_outputs(const struct piece *piece, struct tw_task *task)
{
    const struct tw_window *window = &piece->run->bands->windows[piece->node];
    const struct tw_port *ports = task->node->type->outputs;
    const int32_t width = piece->run->recipe->width, height = piece->run->recipe->height;
    for (int port = 0; ports[port].name; port++) {
        if (!tw_task_wants(task, port))
            continue;
        const struct tw_value rows = tw_window_rows(window, port, piece->from, piece->to);
        const int64_t cell = tw_field_first_nonfinite(&rows);
        const int64_t row = piece->from + cell / width;
        if (cell >= 0)
            return tw_task_fail(task, "output '%s' is not finite at x %" PRId64 ", y %" PRId64,
                                ports[port].name, cell % width,
                                row - tw_bands_period(row, height) * height);
    }
    return TW_OK;
}

/* Divides the time among the fused members. */
static void share_time(const struct piece *piece, const struct tw_fused *fused, uint64_t time)
{
    const struct tw_fusion *fusion = &piece->run->plan.fusion;
    int32_t m = fusion->first[piece->node];
    for (int32_t k = 0;; k++, m = fusion->next[m]) {
        piece->run->bands->windows[m].nanoseconds +=
            (uint64_t)(tw_fused_share(fused, k) * (double)time);
        if (m == piece->node)
            return;
    }
}

static enum tw_status run_fused(const struct piece *piece, struct tw_task *task)
{
    struct tw_bands *bands = piece->run->bands;
    const uint64_t start = uv_hrtime();
    struct tw_fused *fused =
        tw_fused_create(piece->run->recipe, &piece->run->plan, piece->node, input_of, piece);
    if (!fused)
        return tw_task_no_memory(task);
    enum tw_status status = tw_fused_run(fused, task);
    bands->failed = status == TW_OK ? NULL : tw_fused_failed(fused);
    share_time(piece, fused, uv_hrtime() - start);
    free(fused);
    return status;
}

static enum tw_status run_node(const struct piece *piece, struct tw_task *task)
{
    struct tw_bands *bands = piece->run->bands;
    const uint64_t start = uv_hrtime();
    bands->failed = task->node;
    enum tw_status status = task->node->type->run(task);
    if (status == TW_OK) {
        take_outputs(piece, task);
        status = check_outputs(piece, task);
    }
    bands->windows[piece->node].nanoseconds += uv_hrtime() - start;
    return status;
}

static enum tw_status run_piece(const struct piece *piece)
{
    struct tw_run *run = piece->run;
    struct tw_bands *bands = run->bands;
    const struct tw_node *node = &run->recipe->nodes[piece->node];
    const int64_t height = run->recipe->height;
    struct tw_task *task = calloc(1, sizeof *task);
    if (!task)
        return tw_error_set(&bands->error, TW_MEMORY, "out of memory");
    *task = (struct tw_task){.pool = &run->pool,
                             .recipe = run->recipe,
                             .node = node,
                             .rows = (int32_t)(piece->last - piece->first),
                             .memory = &run->memory,
                             .forecast_scratch = bands->bytes,
                             .stop = &run->stop,
                             .used = run->plan.outputs[piece->node]};
    task->top = (int32_t)(piece->first - tw_bands_period(piece->first, (int32_t)height) * height);
    for (int32_t e = 0; e < node->input_count; e++)
        if (node->inputs[e].node >= 0 && bands->windows[node->inputs[e].node].used)
            task->inputs[e] = input_of(piece, node->inputs[e]);
    choose_outputs(piece, task);
    enum tw_status status =
        tw_fusion_is_cellwise(run->recipe, node) ? run_fused(piece, task) : run_node(piece, task);
    tw_task_free_scratch(task);
    if (task->refused && status == TW_MEMORY)
        status = TW_LIMIT;
    if (status != TW_OK)
        bands->error = task->error;
    free(task);
    return status;
}

/* Ends at the period's last row, where the torus starts again, unless the node reads across; at
 * most as many rows as a band, which the spare memory is sized for. */
static struct piece next_piece(struct tw_run *run, int32_t i, int64_t from, int64_t to)
{
    const struct tw_window *window = &run->bands->windows[i];
    const int32_t height = run->recipe->height;
    const int64_t begin = tw_bands_period(from, height) * height, end = begin + height;
    struct piece piece = {run, i, from, to, 0, 0};
    if (piece.to > from + run->bands->rows)
        piece.to = from + run->bands->rows;
    if (!window->wraps && piece.to > end)
        piece.to = end;
    piece.first = from - window->reach;
    piece.last = piece.to + window->reach;
    if (!window->wraps) {
        piece.first = piece.first > begin ? piece.first : begin;
        piece.last = piece.last < end ? piece.last : end;
    }
    return piece;
}

static enum tw_status take_rows(struct tw_run *run, int32_t i, int64_t from, int64_t to)
{
    const struct piece piece = {run, i, from, to, from, to};
    struct tw_task *task = calloc(1, sizeof *task);
    if (!task)
        return tw_error_set(&run->bands->error, TW_MEMORY, "out of memory");
    *task = (struct tw_task){.node = &run->recipe->nodes[i], .used = run->plan.outputs[i]};
    enum tw_status status = tw_band_stream_take(run, i, to);
    if (status == TW_OK && (status = check_outputs(&piece, task)) != TW_OK)
        run->bands->error = task->error;
    free(task);
    return status;
}

enum tw_status tw_bands_compute(struct tw_run *run, int32_t i, int64_t from, int64_t to)
{
    enum tw_status status = TW_OK;
    if (run->bands->windows[i].stream)
        return from < to ? take_rows(run, i, from, to) : TW_OK;
    while (status == TW_OK && from < to) {
        if (atomic_load(&run->stop))
            return TW_CANCELLED;
        const struct piece piece = next_piece(run, i, from, to);
        status = run_piece(&piece);
        from = piece.to;
    }
    return status;
}
