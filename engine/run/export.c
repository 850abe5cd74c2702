/* SPDX-License-Identifier: MIT */
/* Writes exports to disk: a file appears complete or not at all. Its content is up to the format.
 */
#include "run/export.h"
#include "base/os/checkout.h"
#include "base/os/file.h"
#include "base/os/file_sink.h"
#include "base/os/temporary.h"
#include "base/text/number.h"
#include "format/format.h"
#include "node/param.h"
#include "node/world.h"
#include "run/state.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool join(const char *folder, const char *file, char path[PATH_MAX])
{
    return snprintf(path, PATH_MAX, "%s/%s", folder, file) < PATH_MAX;
}

/* Decides about a read-only file of the export's name: it stays if it has the digest of the new
 * bytes, else it must be made writable. */
static enum tw_status take_place(const struct tw_run *run, const char *path,
                                 const struct tw_sha256 *bytes, bool *stays, struct tw_error *err)
{
    struct tw_sha256 old;
    uint64_t length;
    *stays = tw_file_sha256(path, UINT64_MAX, &old, &length, NULL) == TW_OK &&
             memcmp(&old, bytes, sizeof old) == 0;
    return *stays ? TW_OK : tw_checkout_take(run->request->checkout, path, err);
}

static bool asks(const struct tw_run *run, const char *path)
{
    return run->request->checkout && tw_checkout_is_read_only(path);
}

enum tw_status tw_export_take_place(const struct tw_run *run, const char *written, const char *path,
                                    bool *stays, struct tw_error *err)
{
    struct tw_sha256 bytes;
    uint64_t length;
    *stays = false;
    if (!asks(run, path))
        return TW_OK;
    enum tw_status status = tw_file_sha256(written, UINT64_MAX, &bytes, &length, err);
    return status == TW_OK ? take_place(run, path, &bytes, stays, err) : status;
}

/* A file written in one go: its encoded bytes, then the cells that need no encoding. */
struct writing {
    const struct tw_run *run;
    const char *file;
    struct tw_file_part parts[2];
    struct tw_export_digest digest;
    bool stays; /* a read-only file has these bytes */
    enum tw_status status;
    struct tw_error *err;
};

static enum tw_status write_parts(struct writing *writing)
{
    char path[PATH_MAX];
    enum tw_status status =
        tw_file_make_place(writing->run->request->export_folder, writing->file, path, writing->err);
    if (status == TW_OK && asks(writing->run, path)) {
        struct tw_sha256_state state;
        tw_sha256_begin(&state);
        for (int i = 0; i < 2; i++)
            tw_sha256_add(&state, writing->parts[i].at, writing->parts[i].length);
        const struct tw_sha256 bytes = tw_sha256_end(&state);
        status = take_place(writing->run, path, &bytes, &writing->stays, writing->err);
    }
    if (status != TW_OK || writing->stays)
        return status;
    return tw_file_write_parts(path, writing->parts, 2, writing->err);
}

/* Task 0 writes, task 1 digests. */
static void write_and_digest(void *context, int32_t begin, int32_t end)
{
    struct writing *writing = context;
    if (begin == 0)
        writing->status = write_parts(writing);
    for (int i = 0; end == 2 && i < 2; i++)
        tw_export_digest_add(&writing->digest, writing->parts[i].at, writing->parts[i].length);
}

/* Below this, waking a worker costs more than it saves. */
enum { SHARED_BYTES = 1 << 20 };

static enum tw_status write_file(const struct tw_run *run, struct writing *writing,
                                 const struct tw_workers *workers, struct tw_export_summary *report)
{
    const size_t length = writing->parts[0].length + writing->parts[1].length;
    tw_export_digest_begin(&writing->digest, tw_cache_secret(&run->cache), length,
                           run->request->digest_files);
    const bool digested = writing->digest.has_keyed || writing->digest.has_sha256;
    tw_workers_rows(digested && length >= SHARED_BYTES ? workers : NULL, 2, 1, write_and_digest,
                    writing);
    const struct tw_export_identity identity = tw_export_digest_end(&writing->digest);
    if (writing->status != TW_OK)
        return writing->status;
    report->written = !writing->stays;
    report->bytes = length;
    report->identity = identity;
    return TW_OK;
}

/* A file longer than a piece goes to disk while it is encoded. */
struct growing {
    const struct tw_run *run;
    const char *file;
    const struct tw_workers *workers;
    struct tw_file_sink sink;
    bool begun;
};

static enum tw_status begin_file(struct growing *growing, struct tw_error *err)
{
    const struct tw_run_request *request = growing->run->request;
    const bool hashed = request->digest_files && !tw_cache_secret(&growing->run->cache);
    char path[PATH_MAX];
    growing->begun = true;
    enum tw_status status = tw_file_make_place(request->export_folder, growing->file, path, err);
    return status == TW_OK ? tw_file_sink_open(&growing->sink, path, hashed, growing->workers, err)
                           : status;
}

static enum tw_status add_piece(void *context, const void *at, size_t length, struct tw_error *err)
{
    struct growing *growing = context;
    enum tw_status status = growing->begun ? TW_OK : begin_file(growing, err);
    return status == TW_OK ? tw_file_sink_write(&growing->sink, at, length, err) : status;
}

static enum tw_status patch_piece(void *context, uint64_t offset, const void *at, size_t length,
                                  struct tw_error *err)
{
    return tw_file_sink_patch(&((struct growing *)context)->sink, offset, at, length, err);
}

/* The file that was read-only and has the right bytes stays, and the new one goes. */
static enum tw_status keep_file(struct growing *growing, struct tw_export_summary *report,
                                struct tw_error *err)
{
    const struct tw_run *run = growing->run;
    const char *path = growing->sink.path;
    if (!tw_export_identify(path, tw_cache_secret(&run->cache), run->request->digest_files,
                            &report->identity, &report->bytes))
        return tw_error_set(err, TW_IO, "cannot read %s", path);
    tw_file_sink_abandon(&growing->sink);
    return TW_OK;
}

/* The cache's digest of a file depends on its length, so the file is read again before it appears
 * under its name. */
static enum tw_status end_file(struct growing *growing, struct tw_bytes *bytes,
                               struct tw_export_summary *report, struct tw_error *err)
{
    const struct tw_run *run = growing->run;
    const struct tw_secret *secret = tw_cache_secret(&run->cache);
    struct tw_file_sink *sink = &growing->sink;
    struct tw_export_identity identity = {.has_sha256 = sink->hashed};
    struct tw_sha256 sha256;
    uint64_t length;
    bool stays = false;
    enum tw_status status = tw_bytes_hand_on(bytes, err);
    if (status == TW_OK)
        status = tw_export_take_place(run, sink->temporary.path, sink->path, &stays, err);
    if (stays)
        return keep_file(growing, report, err);
    if (status == TW_OK && secret &&
        !tw_export_identify(sink->temporary.path, secret, run->request->digest_files, &identity,
                            &length))
        status = tw_error_set(err, TW_IO, "cannot read %s, which was just written", sink->path);
    if (status == TW_OK)
        status = tw_file_sink_finish(sink, &sha256, err);
    if (status != TW_OK)
        return status;
    if (sink->hashed)
        identity.sha256 = sha256;
    report->written = true;
    report->bytes = sink->length;
    report->identity = identity;
    return TW_OK;
}

static enum tw_status write_small(const struct tw_run *run, const struct tw_export *item,
                                  const struct tw_bytes *bytes, const struct tw_value *rest,
                                  const struct tw_workers *workers,
                                  struct tw_export_summary *report, struct tw_error *err)
{
    struct writing writing = {
        .run = run, .file = item->file, .parts = {{bytes->at, bytes->length}}, .err = err};
    if (rest)
        writing.parts[1] =
            (struct tw_file_part){rest->data, tw_value_count(rest) * tw_type_size(rest->type)};
    return write_file(run, &writing, workers, report);
}

enum tw_status tw_export_write(const struct tw_run *run, const struct tw_goal *goal,
                               const struct tw_value *const *values,
                               const struct tw_workers *workers, struct tw_export_summary *report,
                               struct tw_error *err)
{
    const struct tw_export *item = goal->item;
    const struct tw_value *rest = tw_export_rest(item, values);
    struct growing growing = {.run = run, .file = item->file, .workers = workers};
    const struct tw_byte_target target = {add_piece, patch_piece, &growing};
    struct tw_bytes bytes = {.stop = &run->stop, .target = &target};
    enum tw_status status = rest ? tw_export_head(item, values, &bytes, err)
                                 : tw_export_encode(item, values, workers, &bytes, err);
    if (status == TW_OK && atomic_load(&run->stop))
        status = tw_error_set(err, TW_CANCELLED, "stopped");
    if (status == TW_OK)
        status = growing.begun ? end_file(&growing, &bytes, report, err)
                               : write_small(run, item, &bytes, rest, workers, report, err);
    tw_file_sink_abandon(&growing.sink);
    free(bytes.at);
    return status;
}

static enum tw_status print_provenance(const struct tw_export *item, struct tw_bytes *text)
{
    const struct tw_provenance *from = item->provenance;
    enum tw_status status =
        tw_bytes_print(text, NULL, "engine %s\nseed %llu\nrecipe %s\n", TW_VERSION,
                       (unsigned long long)from->seed, from->recipe);
    if (status == TW_OK && tw_export_is_sidecar(item))
        status = tw_bytes_print(text, NULL, "sidecar 2\ndescribes %s\nfor %s\n",
                                tw_export_described(item), item->preset ? item->preset->name : "");
    return status;
}

/* Prints everything but the values that decides the bytes of the export's file. */
static enum tw_status print_options(const struct tw_export *item, struct tw_bytes *text)
{
    const struct tw_range *range = &item->range;
    const bool sidecar = tw_export_is_sidecar(item), noted = sidecar || item->format->noted;
    const struct tw_format *format = sidecar ? item->describes->format : item->format;
    char low[32], high[32], value[300], world[TW_WORLD_TEXT_MAX];
    tw_number_print(low, sizeof low, range->low);
    tw_number_print(high, sizeof high, range->high);
    enum tw_status status = tw_bytes_print(text, NULL, "export 5\nas %s\nrange %s %s %d %d\n",
                                           format->ending, low, high, range->fit, range->clip);
    if (status == TW_OK && item->tile.width > 0)
        status = tw_bytes_print(text, NULL, "tile %d %d %d %d\n", (int)item->tile.x,
                                (int)item->tile.y, (int)item->tile.width, (int)item->tile.height);
    if (status == TW_OK && item->several)
        status = tw_bytes_print(text, NULL, "of %s %d %d 0\n",
                                item->format->only_for ? item->format->only_for : "all",
                                (int)item->first, (int)item->taken);
    if (status == TW_OK && format->named)
        status = tw_bytes_print(text, NULL, "named %s\n", tw_export_name(item));
    if (status == TW_OK && (format->physical || noted)) {
        tw_world_print(item->world, world);
        status = tw_bytes_print(text, NULL, "world %s\n", world);
    }
    if (status == TW_OK && noted)
        status = print_provenance(item, text);
    for (const struct tw_param *row = format->options; row && row->name && status == TW_OK; row++) {
        tw_param_print(row, item->options, value, sizeof value);
        status = tw_bytes_print(text, NULL, "%s %s\n", row->name, value);
    }
    return status;
}

static const char *source_name(const struct tw_export *item, const struct tw_output *source)
{
    const struct tw_format *format =
        tw_export_is_sidecar(item) ? item->describes->format : item->format;
    if (source->part > 0 && format->parts)
        return format->parts[source->part - 1].name;
    return item->several ? source->name : "value";
}

bool tw_export_key(const struct tw_goal *goal, const struct tw_stamp *const *stamps,
                   struct tw_sha256 *key)
{
    const struct tw_export *item = goal->item;
    char hex[2 * sizeof stamps[0]->content.at + 1];
    struct tw_bytes text = {0};
    enum tw_status status = print_options(item, &text);
    for (const struct tw_output *o = goal->sources; status == TW_OK && o; o = o->next) {
        tw_hex((*stamps)->content.at, sizeof(*stamps)->content.at, hex);
        stamps++;
        status = tw_bytes_print(&text, NULL, "%s%s %s\n", o->part > 0 ? "part " : "",
                                source_name(item, o), hex);
    }
    if (status == TW_OK)
        *key = tw_sha256_of((const char *)text.at, text.length);
    free(text.at);
    return status == TW_OK;
}

bool tw_export_is_fresh(const struct tw_run *run, const struct tw_sha256 *content,
                        struct tw_export_summary *report)
{
    char path[PATH_MAX];
    struct tw_export_identity found;
    uint64_t length;
    if (!join(run->request->export_folder, report->item->file, path) ||
        !tw_export_identify(path, tw_cache_secret(&run->cache), run->request->digest_files, &found,
                            &length) ||
        !found.has_content || memcmp(&found.content, content, sizeof *content) != 0)
        return false;
    report->identity = found;
    report->bytes = length;
    return true;
}

void tw_export_sweep(const char *folder, const struct tw_export *item)
{
    char path[PATH_MAX];
    if (join(folder, item->file, path))
        tw_temporary_sweep(path);
}
