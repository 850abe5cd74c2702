/* SPDX-License-Identifier: MIT */
#include "console/inputs.h"

#include "base/os/file.h"
#include "console/diagnostic.h"
#include "console/standard_input.h"
#include "gate/changes.h"
#include "project/project.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a recipe reads ---- */

static void add(void *context, const char *path)
{
    struct tw_inputs *inputs = context;
    char place[PATH_MAX];
    const char *shown = tw_file_place(path, place) ? tw_file_shown(place) : path;
    for (int32_t i = 0; i < inputs->count; i++)
        if (strcmp(inputs->at[i], shown) == 0)
            return;
    if (inputs->count == inputs->capacity) {
        int32_t capacity = inputs->capacity ? 2 * inputs->capacity : 16;
        const char **grown = tw_arena_alloc(&inputs->arena, (size_t)capacity, sizeof *grown);
        if (grown && inputs->count > 0)
            memcpy(grown, inputs->at, (size_t)inputs->count * sizeof *grown);
        inputs->failed |= !grown;
        if (!grown)
            return;
        inputs->at = grown;
        inputs->capacity = capacity;
    }
    const char *kept = tw_arena_copy(&inputs->arena, shown, strlen(shown));
    inputs->failed |= !kept;
    if (kept)
        inputs->at[inputs->count++] = kept;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void tw_inputs_find(const struct tw_settings *settings, const char *path, struct tw_inputs *inputs)
{
    struct tw_load_options options = tw_console_recipe_options(settings, path);
    struct tw_recipe *recipe = NULL;
    char place[PATH_MAX];
    *inputs = (struct tw_inputs){.count = 0};
    options.diagnostic = NULL;
    options.reads = add;
    options.context = inputs;
    add(inputs, path);
    if (tw_settings_member(settings, path, place))
        add(inputs, settings->project->file);
    struct tw_error error = {.status = TW_OK};
    inputs->whole = tw_recipe_load(path, &options, &recipe, &error) == TW_OK;
    tw_recipe_release(recipe);
    if (inputs->count > 1)
        qsort(inputs->at, (size_t)inputs->count, sizeof *inputs->at, by_name);
}

bool tw_inputs_exist(const char *path)
{
    struct tw_file_id id = {.exists = false};
    return tw_file_identify(path, true, &id, NULL) == TW_OK && id.exists;
}

void tw_inputs_release(struct tw_inputs *inputs) { tw_arena_release(&inputs->arena); }

/* ---- --since ---- */

/* A recipe with faults counts as changed, as what it reads is not known, and so does one of another
 * work tree. */
static bool has_changed(enum tw_command_bits bit, const struct tw_settings *settings,
                        const char *operand, struct tw_changes *changes)
{
    char lock[PATH_MAX];
    struct tw_inputs inputs;
    tw_inputs_find(settings, operand, &inputs);
    bool changed = inputs.failed || !inputs.whole || !tw_changes_cover(changes, operand);
    for (int32_t i = 0; !changed && i < inputs.count; i++)
        changed = tw_changes_have(changes, inputs.at[i]);
    if (!changed && (bit & TW_FOR_VERIFY))
        changed = snprintf(lock, sizeof lock, "%s.lock", operand) < PATH_MAX &&
                  tw_changes_have(changes, lock);
    tw_inputs_release(&inputs);
    return changed;
}

static void note_kept(const struct tw_settings *settings, int kept, int count)
{
    if (settings->quiet)
        return;
    (void)fflush(stdout);
    fprintf(stderr, "note: %d of %d recipe%s changed since %s\n", kept, count,
            count == 1 ? " has" : "s have", settings->since);
}

static void keep_changed(enum tw_command_bits bit, struct tw_settings *settings, char **operands,
                         struct tw_changes *changes)
{
    int kept = 0, count = settings->operand_count;
    for (int i = 0; i < count; i++)
        if (has_changed(bit, settings, operands[i], changes))
            operands[kept++] = operands[i];
    operands[kept] = NULL;
    settings->operand_count = kept;
    note_kept(settings, kept, count);
}

int tw_console_take_changed(enum tw_command_bits bit, struct tw_settings *settings, char **operands)
{
    struct tw_changes changes = {.count = 0};
    struct tw_error error = {.status = TW_OK};
    char folder[PATH_MAX] = "";
    if (!settings->since || !operands[0])
        return 0;
    for (int i = 0; i < settings->operand_count; i++)
        if (tw_stdin_is_one(operands[i]))
            return tw_console_usage("--since is about files; '-' is standard input");
    const char *slash = strrchr(operands[0], '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - operands[0] + 1) : 0,
             operands[0]);
    enum tw_status status = tw_changes_find(settings->project ? settings->project->prefix : folder,
                                            settings->since, &changes, &error);
    if (status == TW_OK)
        keep_changed(bit, settings, operands, &changes);
    tw_changes_release(&changes);
    return status == TW_OK ? 0 : tw_console_error(&error);
}
