/* SPDX-License-Identifier: MIT */
/* Exports must not overwrite what the run reads: recipes and the files of nodes. Checked before
 * anything runs; files are compared by device and inode, so names do not matter. */
#include "base/file.h"
#include "run/state_private.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

struct reading {
    struct tw_file_id file;
    const struct tw_node *node; /* NULL: a recipe */
};

static void add(struct reading *list, int32_t *count, const char *path, const struct tw_node *node)
{
    struct tw_file_id file;
    if (path[0] && tw_file_identify(path, true, &file))
        list[(*count)++] = (struct reading){file, node};
}

/* A file that cannot be read is reported when its node runs. */
static int32_t list_readings(const struct tw_recipe *recipe, struct reading *list)
{
    char path[PATH_MAX];
    int32_t count = 0;
    const char *last = recipe->file;
    add(list, &count, last, NULL);
    for (int32_t i = 0; i < recipe->count; i++) {
        const struct tw_node *node = &recipe->nodes[i];
        if (node->place.file != last)
            add(list, &count, last = node->place.file, NULL);
        if (tw_task_file_path(recipe, node, path, NULL) == TW_OK)
            add(list, &count, path, node);
    }
    return count;
}

static enum tw_status refuse(const struct tw_export *item, const struct reading *reading,
                             struct tw_error *err)
{
    if (reading->node)
        tw_error_set(err, TW_PATH, "'%s' would overwrite the file that node '%s' reads", item->file,
                     reading->node->path);
    else
        tw_error_set(err, TW_PATH, "'%s' would overwrite a recipe of this run", item->file);
    snprintf(err->file, sizeof err->file, "%s", item->place.file);
    err->line = item->place.line;
    err->column = item->place.column;
    snprintf(err->hint, sizeof err->hint, "choose another name or another output folder");
    return TW_PATH;
}

enum tw_status tw_overwrite_check(const struct tw_run *run, struct tw_error *err)
{
    const char *folder = run->request->export_folder;
    if (!folder)
        return TW_OK;
    struct reading *list = calloc(2 * (size_t)run->recipe->count + 1, sizeof *list);
    enum tw_status status = list ? TW_OK : tw_error_set(err, TW_MEMORY, "out of memory");
    int32_t count = list ? list_readings(run->recipe, list) : 0;
    for (int32_t g = 0; g < run->goal_count && status == TW_OK; g++) {
        char path[PATH_MAX];
        struct tw_file_id file;
        if (run->goals[g].kind != TW_GOAL_EXPORT ||
            snprintf(path, sizeof path, "%s/%s", folder, run->goals[g].name) >= PATH_MAX ||
            !tw_file_identify(path, false, &file))
            continue;
        for (int32_t i = 0; i < count && status == TW_OK; i++)
            if (list[i].file.device == file.device && list[i].file.inode == file.inode)
                status = refuse(run->goals[g].item, &list[i], err);
    }
    free(list);
    return status;
}
