/* SPDX-License-Identifier: MIT */
/* Checks before a run computes that its exports can be written: folders first, then the space on
 * their disk. Compressed files, whose size is unknown, and existing files, which may be up to date,
 * do not count: a run that could succeed is never refused. */
#include "base/os/file.h"
#include "runner/runner_private.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>

static uint64_t least_bytes(const struct tw_run *run, const struct tw_export *item)
{
    uint64_t cells = 0;
    int32_t width = item->tile.width, height = item->tile.height;
    if (item->format->cell_bytes == 0)
        return 0;
    for (const struct tw_output *o = item->sources; o; o = o->next) {
        const struct tw_node *node = &run->recipe->nodes[o->source.node];
        if (!tw_type_is_grid(tw_output_type(node, o->source.port)))
            continue;
        if (item->tile.width == 0)
            tw_node_output_size(run->recipe, node, &width, &height);
        cells += (uint64_t)width * (uint64_t)height;
    }
    return cells * (uint64_t)item->format->cell_bytes;
}

static bool exists(const char *folder, const char *file)
{
    char path[PATH_MAX];
    struct tw_file_id id = {0};
    return snprintf(path, sizeof path, "%s/%s", folder, file) < PATH_MAX &&
           (tw_file_identify(path, true, &id, NULL) != TW_OK || id.exists);
}

enum tw_status tw_space_check(const struct tw_run *run, struct tw_error *err)
{
    const char *folder = run->request->export_folder;
    uint64_t needed = 0, free_bytes = 0;
    for (int32_t g = 0; g < run->goal_count; g++) {
        const struct tw_export *item = run->goals[g].item;
        enum tw_status status = item ? tw_file_check_place(folder, item->file, err) : TW_OK;
        if (status != TW_OK)
            return status;
        if (item && !exists(folder, item->file))
            needed += least_bytes(run, item);
    }
    if (needed == 0 || !tw_file_free_space(folder, &free_bytes) || needed <= free_bytes)
        return TW_OK;
    return tw_error_set(err, TW_IO,
                        "the exports take at least %" PRIu64 " MiB; the disk of %s has %" PRIu64
                        " MiB left",
                        (needed + 1048575) >> 20, folder, free_bytes >> 20);
}
