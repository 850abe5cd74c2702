/* SPDX-License-Identifier: MIT */
/* Where the values of a lock's state come from, since a lock holds none: computed again, by this
 * engine or from the cache; with input files of git; or from files that hold them. */
#include "base/os/file.h"
#include "base/os/process.h"
#include "cli/gate/gate.h"
#include "console/findings.h"
#include "format/format.h"
#include "gate/revision.h"
#include "gate/within.h"
#include "project/project.h"
#include "session/recipe_folder.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- the lock ---- */

int tw_gate_read_lock(const struct tw_settings *settings, struct tw_gate_item *item,
                      struct tw_error *error)
{
    const struct tw_load_options options = tw_console_load_options(settings);
    tw_case_begin(item->file, "lock");
    enum tw_status status = tw_lock_read(item->lock_file, &options, &item->before, error);
    if (status == TW_OK)
        return 0;
    struct tw_file_id recipe = {.exists = true};
    (void)tw_file_identify(item->file, true, &recipe, NULL);
    if (status == TW_INPUT && recipe.exists)
        snprintf(error->hint, sizeof error->hint, "'thalweg lock %s' writes one", item->file);
    else if (status == TW_INPUT && error->line == 0)
        tw_error_set(error, status, "cannot read %s: %s", item->file, strerror(ENOENT));
    return error->line > 0
               ? tw_status_exit_code(status)
               : tw_console_file_error(recipe.exists ? item->lock_file : item->file, error);
}

/* ---- computed again ---- */

typedef enum tw_status build_fn(const struct tw_snapshot *snapshot, const char *folder,
                                const char *const *allow, struct tw_recipe **recipe,
                                struct tw_error *err);

static bool compute(const struct tw_settings *settings, struct tw_gate_item *item,
                    const char *folder, build_fn *build)
{
    struct tw_recipe *before = NULL;
    struct tw_error error = {.status = TW_OK};
    char *first = item->no_pairs;
    item->no_pairs = NULL;
    if (build(item->before, folder, settings->allow_path.at, &before, &error) == TW_OK) {
        const struct tw_run_options options = tw_console_run_options(settings);
        free(item->pairs);
        tw_gate_find_pairs(item, before, &options);
    } else {
        item->no_pairs = strdup(error.message);
    }
    tw_recipe_release(before);
    if (first && item->no_pairs) { /* the first reason says most */
        free(item->no_pairs);
        item->no_pairs = first;
        return false;
    }
    free(first);
    return !item->no_pairs;
}

/* Computes with the input files of a git revision. */
static bool compute_at(const struct tw_settings *settings, struct tw_gate_item *item,
                       const char *revision)
{
    char folder[PATH_MAX], file[PATH_MAX], name[PATH_MAX], real[PATH_MAX];
    if (snprintf(name, sizeof name, "%s:%s", revision, item->file) >= PATH_MAX ||
        tw_file_is_absolute(item->file) || tw_revision_check_out(name, folder, file, NULL) != TW_OK)
        return false;
    bool ok = tw_file_real_folder(file, real) &&
              (compute(settings, item, real, tw_snapshot_recipe) ||
               compute(settings, item, real, tw_snapshot_cached_recipe));
    tw_file_remove_folder(folder);
    return ok;
}

/* Tries the last commit, and the one that wrote the lock, whose files are those that it is of. */
static bool compute_from_git(const struct tw_settings *settings, struct tw_gate_item *item)
{
    struct tw_bytes hash = {0};
    const char *const log[] = {"git",         "-c", "core.fsmonitor=false", "log", "-1",
                               "--format=%H", "--", item->lock_file,        NULL};
    bool ok = compute_at(settings, item, "HEAD");
    if (!ok && tw_process_run(log, "GIT_OPTIONAL_LOCKS=0", &hash) && hash.length > 1 &&
        tw_bytes_append(&hash, "", 1, NULL) == TW_OK) {
        hash.at[strcspn((const char *)hash.at, "\n")] = 0;
        ok = compute_at(settings, item, (const char *)hash.at);
    }
    free(hash.at);
    return ok;
}

/* ---- files with the earlier values ---- */

static bool read_digest(const char *path, const char *sha256, struct tw_value *value)
{
    unsigned char *data = NULL;
    size_t length = 0;
    struct tw_result_facts facts = {.name = ""};
    bool ok = tw_file_read(path, (size_t)1 << 31, &data, &length, NULL) == TW_OK &&
              tw_format_decode(data, length, path, value, NULL) == TW_OK;
    free(data);
    if (ok)
        tw_result_describe(value, &facts);
    if (ok && strcmp(facts.sha256, sha256) == 0)
        return true;
    tw_field_clear(value);
    return false;
}

/* Looks for an export with exactly the values of an output, in a folder as `run` writes it. */
static bool read_output(const struct tw_gate_item *item, const char *folder,
                        const struct tw_result_facts *locked, struct tw_value *value)
{
    char path[PATH_MAX];
    for (const struct tw_export *e = item->recipe->exports; e; e = e->next)
        if (tw_export_is_entry(e) && e->format->decode &&
            snprintf(path, sizeof path, "%s/%s", folder, e->entry) < PATH_MAX &&
            read_digest(path, locked->sha256, value))
            return true;
    return false;
}

static bool find_value(const struct tw_settings *settings, const struct tw_gate_item *item,
                       const struct tw_result_facts *locked, struct tw_value *value)
{
    struct tw_settings as_run = *settings;
    struct tw_recipe_folder folder = {.path = NULL};
    char below[PATH_MAX], place[PATH_MAX];
    const char *member = tw_settings_member(settings, item->file, place);
    char *slash = member ? strrchr(place, '/') : NULL;
    as_run.out_given = false;
    as_run.out = "out";
    bool found = false;
    if (settings->before && member && slash > member) {
        *slash = 0;
        snprintf(below, sizeof below, "%s/%s", settings->before, member);
        found = read_output(item, below, locked, value);
    }
    if (settings->before && !found)
        found = read_output(item, settings->before, locked, value);
    if (!found && tw_recipe_folder_find(&as_run, item->file, &folder, NULL) == TW_OK)
        found = read_output(item, folder.path, locked, value);
    tw_recipe_folder_release(&folder);
    return found;
}

static const struct tw_result_facts *locked_output(const struct tw_gate_item *item,
                                                   const char *name)
{
    for (int32_t i = 0; i < item->before->output_count; i++)
        if (strcmp(item->before->outputs[i].name, name) == 0)
            return &item->before->outputs[i];
    return NULL;
}

/* Computes the outputs as they are now, then takes the earlier ones from files. */
static void take_from_files(const struct tw_settings *settings, struct tw_gate_item *item)
{
    const struct tw_run_options options = tw_console_run_options(settings);
    char *reason = item->no_pairs;
    item->no_pairs = NULL;
    free(item->pairs);
    item->pairs = NULL;
    item->pair_count = 0;
    tw_gate_find_pairs(item, item->recipe, &options);
    int32_t kept = 0;
    for (int32_t i = 0; i < item->pair_count; i++) {
        struct tw_pair *pair = &item->pairs[i];
        const struct tw_result_facts *locked = locked_output(item, pair->name);
        struct tw_value value = {0};
        if (!locked || !find_value(settings, item, locked, &value)) {
            tw_pairs_release(pair, 1);
            continue;
        }
        tw_field_clear(&pair->old);
        tw_field_clear(&pair->old_view);
        tw_field_clear(&pair->now_view);
        pair->old = value;
        pair->comparable = tw_map_is_comparable(&pair->old, &pair->now);
        if (pair->comparable)
            pair->difference = tw_map_difference_find(&pair->old, &pair->now);
        item->pairs[kept++] = *pair;
    }
    item->pair_count = kept;
    if (kept > 0)
        free(reason);
    else
        item->no_pairs = reason;
}

void tw_gate_find_earlier(const struct tw_settings *settings, struct tw_gate_item *item)
{
    char folder[PATH_MAX];
    if (!tw_file_real_folder(item->file, folder))
        snprintf(folder, sizeof folder, "./");
    if (!compute(settings, item, folder, tw_snapshot_recipe) &&
        !compute(settings, item, folder, tw_snapshot_cached_recipe) &&
        (settings->untrusted || !compute_from_git(settings, item)))
        take_from_files(settings, item);
}
