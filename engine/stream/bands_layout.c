/* SPDX-License-Identifier: MIT */
/* Computes how far each node runs ahead of the band, and how many rows it keeps for its users. A
 * node of reach n reads n more rows of its inputs on either side, so these run n rows ahead of it
 * and keep n rows behind it. */
#include "graph/fusion.h"
#include "stream/bands_private.h"

#include <inttypes.h>
#include <stdlib.h>

/* Band height without a memory limit. Bands that stay in the cache are fastest; each gives every
 * worker some rows, and is tall compared with neighbourhoods, whose rows are computed again in each
 * band. */
enum { ROWS_PER_WORKER = 32, CELLS_PER_WORKER = 1 << 20, REACHES = 4 };
#define BYTES_DEFAULT ((uint64_t)512 << 20)

void tw_bands_each_source(const struct tw_run *run, int32_t root, tw_band_source_fn *fn,
                          void *context)
{
    const struct tw_fusion *fusion = &run->plan.fusion;
    for (int32_t m = fusion->first[root];; m = fusion->next[m]) {
        const struct tw_node *node = &run->recipe->nodes[m];
        for (int32_t e = 0; e < node->input_count; e++)
            if (node->inputs[e].node >= 0 && fusion->root[node->inputs[e].node] != root)
                fn(context, node->inputs[e]);
        if (m == root)
            return;
    }
}

int64_t tw_bands_period(int64_t row, int32_t height)
{
    return row >= 0 ? row / height : -((height - 1 - row) / height);
}

int64_t tw_window_target(const struct tw_window *window, int32_t y, int32_t height)
{
    int64_t target = (int64_t)y + window->lead;
    return y < height && target < window->end ? target : window->end;
}

struct tw_value tw_window_rows(const struct tw_window *window, int port, int64_t from, int64_t to)
{
    struct tw_value rows = window->values[port];
    size_t bytes = (size_t)rows.width * tw_type_size(rows.type);
    int64_t top = window->stream ? 0 : window->top;
    if (rows.data)
        rows.data = (unsigned char *)rows.data + (size_t)(from - top) * bytes;
    rows.height = (int32_t)(to - from);
    return rows;
}

/* ---- which rows are computed ---- */

static bool wraps(const struct tw_node *node)
{
    const struct tw_task task = {.node = node};
    const struct tw_param *row = tw_node_find_param(node->type, "border");
    if (!node->type->bordered)
        return false;
    int32_t border = row ? *(const int32_t *)((const unsigned char *)node->params + row->offset)
                         : (int32_t)TW_BORDER_RECIPE;
    return tw_task_wraps(&task, border);
}

static void find_windows(const struct tw_run *run, struct tw_bands *bands)
{
    const struct tw_recipe *recipe = run->recipe;
    for (int32_t i = 0; i < recipe->count; i++) {
        const struct tw_node *node = &recipe->nodes[i];
        struct tw_window *window = &bands->windows[i];
        if (!run->plan.needed[i] || run->plan.fusion.root[i] != i)
            continue;
        int32_t reach = tw_node_reach(node->type, node->params, recipe->width, recipe->height);
        window->used = true;
        window->reach = reach == TW_REACH_CELL ? 0 : reach;
        window->wraps = window->reach > 0 && wraps(node);
    }
}

struct visit {
    struct tw_bands *bands;
    const struct tw_window *user;
    int32_t height;
};

/* Extends the window by the rows that a user reads beyond its own. A map that ends at its borders
 * ends there in every period of the torus that others need. */
static void widen_window(void *context, struct tw_source source)
{
    const struct visit *visit = context;
    const struct tw_window *user = visit->user;
    struct tw_window *window = &visit->bands->windows[source.node];
    const int64_t height = visit->height;
    int64_t begin = user->begin - user->reach, end = user->end + user->reach;
    if (!user->wraps) {
        int64_t first = tw_bands_period(user->begin, visit->height) * height;
        int64_t last = (tw_bands_period(user->end - 1, visit->height) + 1) * height;
        begin = begin > first ? begin : first;
        end = end < last ? end : last;
    }
    window->begin = begin < window->begin ? begin : window->begin;
    window->end = end > window->end ? end : window->end;
    int32_t lead = user->lead + user->reach;
    window->lead = lead > window->lead ? lead : window->lead;
}

static void find_extents(const struct tw_run *run, struct tw_bands *bands)
{
    const int32_t height = run->recipe->height;
    for (int32_t i = 0; i < run->recipe->count; i++)
        bands->windows[i].end = height;
    for (int32_t i = run->recipe->count - 1; i >= 0; i--) {
        struct visit visit = {bands, &bands->windows[i], height};
        if (bands->windows[i].used)
            tw_bands_each_source(run, i, widen_window, &visit);
    }
}

/* ---- how many rows are kept ---- */

/* Keeps the rows from the first that a user still reads to the next that the node computes; a band
 * has `rows` rows. */
static void keep_rows(void *context, struct tw_source source)
{
    const struct visit *visit = context;
    const struct tw_window *user = visit->user;
    struct tw_window *window = &visit->bands->windows[source.node];
    int32_t kept = window->lead - user->lead + user->reach;
    window->capacity = kept > window->capacity ? kept : window->capacity;
}

static void find_capacities(const struct tw_run *run, struct tw_bands *bands)
{
    for (int32_t i = 0; i < run->recipe->count; i++) {
        struct tw_window *window = &bands->windows[i];
        window->capacity = window->lead - (int32_t)window->begin; /* after the first band */
    }
    for (int32_t i = run->recipe->count - 1; i >= 0; i--) {
        struct visit visit = {bands, &bands->windows[i], run->recipe->height};
        if (bands->windows[i].used)
            tw_bands_each_source(run, i, keep_rows, &visit);
    }
}

static int64_t capacity_of(const struct tw_window *window, int32_t rows)
{
    int64_t all = window->end - window->begin, capacity = (int64_t)window->capacity + rows;
    return capacity < all ? capacity : all;
}

/* ---- memory ---- */

static uint64_t row_bytes(const struct tw_run *run, int32_t i)
{
    const struct tw_node *node = &run->recipe->nodes[i];
    uint64_t bytes = 0;
    for (int port = 0; node->type->outputs[port].name; port++)
        if (tw_plan_has_block(run->recipe, &run->plan, i, port))
            bytes += (uint64_t)run->recipe->width * tw_type_size(tw_output_type(node, port));
    return bytes;
}

static uint64_t scratch_bytes(const struct tw_run *run, int32_t i, int32_t rows)
{
    const struct tw_node *node = &run->recipe->nodes[i];
    struct tw_forecast forecast = {.params = node->params,
                                   .width = run->recipe->width,
                                   .height = rows,
                                   .borders = node->borders,
                                   .file = node->file.facts,
                                   .input_count = node->input_count,
                                   .used = run->plan.outputs[i]};
    for (int32_t e = 0; e < node->input_count; e++)
        forecast.inputs[e] = node->inputs[e].node >= 0 ? (int64_t)run->recipe->width * rows : 0;
    if (node->type->forecast)
        node->type->forecast(&forecast);
    return forecast.scratch +
           (uint64_t)tw_run_threads(run->options) * tw_fusion_bytes(run->recipe, &run->plan, i);
}

/* Counts the bytes for bands of `rows` rows; *spare is the part in which nodes with a neighbourhood
 * compute. */
static uint64_t count_bytes(const struct tw_run *run, const struct tw_bands *bands, int32_t rows,
                            uint64_t *spare)
{
    uint64_t windows = 0, scratch = 0;
    *spare = 0;
    for (int32_t i = 0; i < run->recipe->count; i++) {
        const struct tw_window *window = &bands->windows[i];
        if (!window->used)
            continue;
        const bool reads = tw_node_file_param(run->recipe->nodes[i].type) != NULL;
        const int32_t tall = reads ? run->recipe->height : rows + 2 * window->reach;
        const uint64_t row = row_bytes(run, i), own = scratch_bytes(run, i, tall);
        const uint64_t computed = window->reach > 0 ? (uint64_t)tall * row : 0;
        windows += (uint64_t)capacity_of(window, rows) * row;
        if (reads) /* runs on its own thread, with rows read ahead */
            windows += (uint64_t)rows * row + run->recipe->nodes[i].file.held + own;
        else
            scratch = own > scratch ? own : scratch;
        *spare = computed > *spare ? computed : *spare;
    }
    uint64_t files = (uint64_t)run->goal_count * (uint64_t)rows * (uint64_t)run->recipe->width * 4;
    for (int32_t g = 0; g < run->goal_count; g++)
        files += tw_band_sink_bytes(run, &run->goals[g]);
    return windows + *spare + scratch + files;
}

static int32_t default_rows(const struct tw_run *run, const struct tw_bands *bands)
{
    const int32_t workers = tw_run_threads(run->options), width = run->recipe->width;
    int32_t rows = workers * (CELLS_PER_WORKER / width > ROWS_PER_WORKER ? CELLS_PER_WORKER / width
                                                                         : ROWS_PER_WORKER);
    for (int32_t i = 0; i < run->recipe->count; i++)
        if (bands->windows[i].used && REACHES * bands->windows[i].reach > rows)
            rows = REACHES * bands->windows[i].reach;
    return rows < run->recipe->height ? rows : run->recipe->height;
}

/* A file can be read only once, from its first row to its last. */
static enum tw_status check_files(const struct tw_run *run, const struct tw_bands *bands,
                                  struct tw_error *err)
{
    for (int32_t i = 0; i < run->recipe->count; i++) {
        const struct tw_node *node = &run->recipe->nodes[i];
        const struct tw_window *window = &bands->windows[i];
        if (!window->used || !tw_node_file_param(node->type) ||
            (window->begin == 0 && window->end == run->recipe->height))
            continue;
        tw_error_set(err, TW_LIMIT,
                     "%s gives rows once, and the neighbours of a torus need some twice, so the "
                     "run cannot go in bands of rows; expected borders: closed",
                     node->type->name);
        if (err)
            tw_node_locate(err, node);
        return TW_LIMIT;
    }
    return TW_OK;
}

static enum tw_status refuse(const struct tw_run *run, uint64_t bytes, int32_t rows,
                             struct tw_error *err)
{
    return tw_error_set(err, TW_LIMIT,
                        "the run needs %" PRIu64 " MiB in bands of %d row%s; expected at most %s",
                        (bytes + 1048575) >> 20, (int)rows, rows == 1 ? "" : "s",
                        tw_memory_limit_text(run->options->max_memory).text);
}

enum tw_status tw_bands_lay_out(struct tw_run *run, struct tw_bands *bands, int32_t rows,
                                struct tw_error *err)
{
    const uint64_t limit = run->options->max_memory > 0 ? run->options->max_memory : BYTES_DEFAULT;
    uint64_t spare = 0;
    find_windows(run, bands);
    find_extents(run, bands);
    find_capacities(run, bands);
    enum tw_status status = check_files(run, bands, err);
    if (status != TW_OK)
        return status;
    const bool given = rows > 0;
    rows = given && rows < run->recipe->height ? rows
           : given                             ? run->recipe->height
                                               : default_rows(run, bands);
    uint64_t bytes = count_bytes(run, bands, rows, &spare);
    while (!given && bytes > limit && rows > 1) {
        rows /= 2;
        bytes = count_bytes(run, bands, rows, &spare);
    }
    if (run->options->max_memory > 0 && bytes > limit)
        return refuse(run, bytes, rows, err);
    bands->rows = rows;
    bands->bytes = run->plan.peak_bytes = bytes;
    bands->spare_bytes = (size_t)spare;
    for (int32_t i = 0; i < run->recipe->count; i++) {
        struct tw_window *window = &bands->windows[i];
        window->capacity = (int32_t)capacity_of(window, rows);
        window->top = window->done = window->begin;
    }
    return TW_OK;
}
