/* SPDX-License-Identifier: MIT */
/* Finds, digests and decodes the file of a node: row by row where the format and the node allow it,
 * otherwise in one piece, counting its bytes as memory. */
#include "base/os/file.h"
#include "base/os/file_stream.h"
#include "format/format.h"
#include "format/voids.h"
#include "graph/node_file.h"
#include "task/task.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FILE_BYTES_MAX (((size_t)1 << 32) + 65536) /* 4 GiB of cells behind a header */

struct tw_task_file {
    struct tw_file_stream stream;
    const struct tw_format *format;
    const char *name;
    struct tw_file_facts facts;
    struct tw_raw_layout
        layout;   /* of a file without a header; otherwise only the scale of heights */
    bool by_rows; /* its format can decode rows, holding `held` bytes */
    uint64_t held;
    bool tiled; /* `tiles` are read instead of `stream` */
    struct tw_mosaic tiles;
    struct tw_value value; /* decoded; no data if the node reads rows */
};

/* Resolves within the recipe's folder; sets `path` (PATH_MAX bytes) to "" for a node without a
 * file. */
static enum tw_status find_path(const struct tw_recipe *recipe, const struct tw_node *node,
                                char *path, struct tw_error *err)
{
    const char *name = tw_node_file_name(node);
    path[0] = 0;
    return name[0] ? tw_file_resolve(node->folder, name, recipe->allow, path, err) : TW_OK;
}

static enum tw_status print_layout(const struct tw_recipe *recipe, const struct tw_node *node,
                                   uint64_t length, struct tw_key_file *file, struct tw_error *err)
{
    struct tw_raw_layout layout;
    char sidecar[PATH_MAX];
    enum tw_status status = tw_node_file_layout(recipe, node, length, &layout, sidecar, err);
    if (status == TW_OK)
        tw_raw_layout_print(&layout, file->layout);
    return status;
}

enum tw_status tw_task_file_state(const struct tw_recipe *recipe, const struct tw_node *node,
                                  bool *has, struct tw_key_file *file, struct tw_error *err)
{
    char path[PATH_MAX];
    uint64_t length = 0;
    file->layout[0] = 0;
    *has = tw_node_file_is_tiled(node);
    if (*has)
        return tw_file_as_input(tw_node_file_tiles_sha256(recipe, node, &file->bytes, err), err);
    enum tw_status status = find_path(recipe, node, path, err);
    *has = status == TW_OK && path[0];
    if (*has)
        status = tw_file_sha256(path, FILE_BYTES_MAX, &file->bytes, &length, err);
    if (*has && status == TW_OK && tw_node_file_is_described(node))
        status = print_layout(recipe, node, length, file, err);
    return tw_file_as_input(status, err);
}

const struct tw_value *tw_task_file(const struct tw_task *task)
{
    return task->file && task->file->value.data ? &task->file->value : NULL;
}

struct tw_file_facts tw_task_file_facts(const struct tw_task *task)
{
    return task->file ? task->file->facts : (struct tw_file_facts){.type = TW_HEIGHTMAP};
}

/* Compares the digest of what was read with the one in the node's key. */
static enum tw_status check_digest(struct tw_task *task, const struct tw_sha256 *digest)
{
    const struct tw_key_file *known = task->known_file;
    if (known && memcmp(digest, &known->bytes, sizeof *digest) != 0)
        return tw_error_set(&task->error, TW_INPUT, "%s changed during the run", task->file->name);
    return TW_OK;
}

/* Reads to the end first. */
static enum tw_status check_unchanged(struct tw_task *task)
{
    struct tw_sha256 digest = {{0}};
    if (!tw_file_stream_finish(&task->file->stream, &digest))
        return tw_error_set(&task->error, TW_INPUT,
                            "cannot read %s: it changed or failed while read", task->file->name);
    return check_digest(task, &digest);
}

static enum tw_status refuse_memory(struct tw_task *task, uint64_t bytes)
{
    task->refused = true;
    return tw_error_set(
        &task->error, TW_LIMIT, "reading %s takes %" PRIu64 " MiB: beyond the memory limit of %s",
        task->file->name, (bytes + 1048575) >> 20, tw_memory_limit_text(task->memory->limit).text);
}

static enum tw_status take(struct tw_task *task, uint64_t bytes, uint64_t *taken)
{
    if (!tw_memory_take(task->memory, bytes))
        return refuse_memory(task, bytes);
    *taken = bytes;
    return TW_OK;
}

static bool read_stream(void *context, void *to, size_t length)
{
    return tw_file_stream_read(context, to, length);
}

static bool read_stream_at(void *context, uint64_t offset, void *to, size_t length)
{
    return tw_file_stream_read_at(context, offset, to, length);
}

static enum tw_status read_tiles(struct tw_task *task, const struct tw_row_sink *sink)
{
    struct tw_sha256 digest = {{0}};
    enum tw_status status = tw_mosaic_read_rows(&task->file->tiles, sink, &digest, &task->error);
    return status == TW_OK ? check_digest(task, &digest) : status;
}

static enum tw_status read_rows(struct tw_task *task, const struct tw_row_sink *sink)
{
    struct tw_task_file *file = task->file;
    if (file->tiled)
        return read_tiles(task, sink);
    const struct tw_byte_source source = {.read = read_stream,
                                          .read_at = read_stream_at,
                                          .context = &file->stream,
                                          .length = file->stream.length,
                                          .layout = &file->layout,
                                          .wish = tw_node_file_wish(task->node)};
    enum tw_status status = file->format->read_rows(&source, sink, &task->error);
    return status == TW_OK ? check_unchanged(task) : status;
}

/* For formats that decode from memory. */
static enum tw_status decode_bytes(struct tw_task *task)
{
    struct tw_task_file *file = task->file;
    struct tw_value value = {0};
    size_t length = (size_t)file->stream.length;
    enum tw_status status = take(task, length, &task->reading_bytes);
    if (status != TW_OK)
        return status;
    unsigned char *data = malloc(length + 1);
    if (!data)
        status = tw_error_set(&task->error, TW_MEMORY, "no memory to read %s", file->name);
    else if (!tw_file_stream_read(&file->stream, data, length))
        status = tw_error_set(&task->error, TW_INPUT,
                              "cannot read %s: it changed or failed while read", file->name);
    if (status == TW_OK)
        status = check_unchanged(task);
    if (status == TW_OK)
        status = tw_format_decode(data, length, file->name, &value, &task->error);
    free(data);
    tw_memory_return(task->memory, length);
    file->value = value;
    if (status == TW_OK && (value.type != file->facts.type || value.width != file->facts.width ||
                            value.height != file->facts.height))
        return tw_error_set(&task->error, TW_INPUT, "%s changed while it was read", file->name);
    return status;
}

static enum tw_status decode_whole(struct tw_task *task)
{
    struct tw_task_file *file = task->file;
    const struct tw_file_facts *facts = &file->facts;
    size_t bytes = 0;
    enum tw_status status = TW_OK;
    if (tw_field_bytes(facts->type, facts->width, facts->height, &bytes)) /* else decoding fails */
        status = take(task, bytes, &task->file_bytes);
    if (status != TW_OK)
        return status;
    if (!file->by_rows)
        return decode_bytes(task);
    status = tw_field_alloc(&file->value, facts->type, facts->width, facts->height, &task->error);
    if (status == TW_OK)
        status = take(task, file->held, &task->reading_bytes);
    if (status != TW_OK)
        return status;
    const struct tw_row_sink sink = tw_codec_sink(&file->value);
    status = read_rows(task, &sink);
    tw_memory_return(task->memory, file->held);
    return status;
}

/* Checks again, since the file may have changed since the recipe was loaded. */
static enum tw_status check_file(struct tw_task *task)
{
    const struct tw_node_type *type = task->node->type;
    if (!type->check_file)
        return TW_OK;
    return type->check_file(task->node->params, &task->file->facts, task->recipe->width,
                            task->recipe->height, &task->error);
}

/* The sidecar may have changed since the node's key was made. */
static enum tw_status find_layout(struct tw_task *task)
{
    struct tw_task_file *file = task->file;
    char sidecar[PATH_MAX], text[TW_RAW_LAYOUT_TEXT];
    enum tw_status status = tw_node_file_layout(task->recipe, task->node, file->stream.length,
                                                &file->layout, sidecar, &task->error);
    if (status != TW_OK)
        return status;
    tw_raw_layout_print(&file->layout, text);
    if (task->known_file && strcmp(text, task->known_file->layout) != 0)
        return tw_error_set(&task->error, TW_INPUT, "the sidecar of %s changed during the run",
                            file->name);
    return TW_OK;
}

static enum tw_status probe(struct tw_task *task, const char *path)
{
    struct tw_task_file *file = task->file;
    struct tw_codec_head head = {.file_length = (size_t)file->stream.length, .path = path};
    head.length = tw_file_stream_peek(&file->stream, &head.at);
    head.layout = tw_format_bare(file->name) ? &file->layout : NULL;
    head.wish = tw_node_file_wish(task->node);
    enum tw_status status = tw_node_file_is_described(task->node) ? find_layout(task) : TW_OK;
    if (status != TW_OK)
        return status;
    status = tw_format_probe(&head, file->name, &file->format, &file->facts, &task->error);
    tw_node_file_scale(task->node, &file->layout, &file->facts);
    file->by_rows = status == TW_OK && tw_format_has_rows(file->format, &head, &file->held);
    return status;
}

static enum tw_status open_tiles(struct tw_task *task)
{
    struct tw_task_file *file = task->file;
    enum tw_status status =
        tw_node_file_tiles(task->recipe, task->node, &file->tiles, &task->error);
    file->facts = file->tiles.facts;
    file->facts.may_have_gaps |=
        task->node->type->file_layout && task->node->type->file_layout(task->node->params).gaps;
    file->held = file->tiles.held;
    file->tiled = file->by_rows = true;
    return status;
}

static enum tw_status open_one(struct tw_task *task, const char *path)
{
    enum tw_status status =
        tw_file_stream_open(&task->file->stream, path, FILE_BYTES_MAX, TW_CODEC_HEAD_BYTES,
                            task->known_file != NULL, &task->error);
    return status == TW_OK ? probe(task, path) : status;
}

enum tw_status tw_task_file_open(struct tw_task *task)
{
    char path[PATH_MAX] = "";
    const bool tiled = tw_node_file_is_tiled(task->node);
    enum tw_status status = tiled ? TW_OK : find_path(task->recipe, task->node, path, &task->error);
    if (status != TW_OK || (!path[0] && !tiled))
        return tw_file_as_input(status, &task->error);
    struct tw_task_file *file = task->file = calloc(1, sizeof *file);
    if (!file)
        return tw_error_set(&task->error, TW_MEMORY, "out of memory");
    file->name = tw_node_file_name(task->node);
    file->stream.descriptor = -1;
    status = tiled ? open_tiles(task) : open_one(task, path);
    if (status == TW_OK)
        status = check_file(task);
    const bool streams = task->node->type->file_rows && file->by_rows;
    if (status == TW_OK)
        status = streams ? take(task, file->held, &task->file_bytes) : decode_whole(task);
    return tw_file_as_input(status, &task->error);
}

void tw_task_file_close(struct tw_task *task)
{
    if (!task->file)
        return;
    tw_file_stream_close(&task->file->stream);
    tw_mosaic_release(&task->file->tiles);
    tw_field_clear(&task->file->value);
    tw_memory_return(task->memory, task->file_bytes);
    free(task->file);
    task->file = NULL;
}

/* ---- rows for a node ---- */

struct rows {
    struct tw_task *task;
    struct tw_voids voids; /* of data that loading has not searched */
    bool searches;
    tw_file_row_fn *fn;
    void *context;
};

static enum tw_status begin_rows(void *context, const struct tw_file_facts *facts,
                                 struct tw_error *err)
{
    const struct rows *rows = context;
    const struct tw_file_facts *known = &rows->task->file->facts;
    if (facts->type == known->type && facts->width == known->width &&
        facts->height == known->height)
        return TW_OK;
    return tw_error_set(err, TW_INPUT, "%s changed while it was read", rows->task->file->name);
}

static enum tw_status give_row(void *context, int32_t y, const void *row, struct tw_error *err)
{
    struct rows *rows = context;
    if (rows->searches)
        tw_voids_count(&rows->voids, row, (size_t)rows->task->file->facts.width);
    if (tw_task_cancelled(rows->task))
        return tw_error_set(err, TW_CANCELLED, "stopped");
    const struct tw_task_file *file = rows->task->file;
    if (rows->task->on_row && rows->task->node->type->file_gaps && file->facts.type == TW_HEIGHTMAP)
        for (int32_t x = 0; x < file->facts.width; x++)
            if (isnan(((const float *)row)[x]))
                return tw_codec_gap("file", x, y, err);
    const int32_t done = rows->fn(rows->context, y, row);
    enum tw_status status =
        rows->task->on_row ? rows->task->on_row(rows->task->row_context, y, done) : TW_OK;
    if (status != TW_OK)
        return status;
    tw_task_progress(rows->task, (double)(y + 1) / rows->task->file->facts.height);
    return TW_OK;
}

enum tw_status tw_task_file_rows(struct tw_task *task, tw_file_row_fn *fn, void *context)
{
    struct rows rows = {.task = task, .fn = fn, .context = context};
    rows.searches = task->node->type->file_layout && !task->node->file.searched &&
                    task->file->facts.type == TW_HEIGHTMAP;
    const struct tw_row_sink sink = {.begin = begin_rows, .row = give_row, .context = &rows};
    const struct tw_value *value = tw_task_file(task);
    enum tw_status status = TW_OK;
    if (!value)
        status = tw_file_as_input(read_rows(task, &sink), &task->error);
    size_t row = value ? (size_t)value->width * tw_type_size(value->type) : 0;
    for (int32_t y = 0; status == TW_OK && value && y < value->height; y++)
        status =
            give_row(&rows, y, (const unsigned char *)value->data + (size_t)y * row, &task->error);
    if (status == TW_OK && rows.voids.count > 0)
        tw_task_warn(task, TW_VOIDS_WARNING, task->file->name, (long long)rows.voids.count,
                     rows.voids.count == 1 ? "" : "s", (double)rows.voids.value);
    return status;
}
