/* SPDX-License-Identifier: MIT */
#include "console/settings.h"

#include "console/diagnostic.h"
#include "console/findings.h"
#include "console/standard_input.h"
#include "console/stop.h"
#include "graph/load/recipe.h"
#include "project/project.h"
#include "runner/runner.h"
#include "runner/watch.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *tw_console_cache_dir(const char *option)
{
    static char path[4096];
    if (option)
        return option;
    return tw_cache_folder(path, sizeof path) ? path : NULL;
}

/* Limits of --untrusted; docs/security.md lists them. */
static const struct tw_limits untrusted = {
    .nodes = 2000, .side = 16384, .cells = (uint64_t)1 << 26};
/* Limits neither sides nor cells: the run decides which sizes it accepts. */
static const struct tw_limits in_bands = {.cells = UINT64_MAX};
enum { UNTRUSTED_SECONDS = 600 };
#define UNTRUSTED_BYTES ((uint64_t)4 << 30)

struct tw_load_options tw_console_load_options(const struct tw_settings *settings)
{
    return (struct tw_load_options){.set = settings->set.at,
                                    .width = settings->size.width,
                                    .height = settings->size.height,
                                    .has_seed = settings->seed.given,
                                    .seed = settings->seed.value,
                                    .limits = settings->untrusted ? untrusted : in_bands,
                                    .allow = settings->allow_path.at,
                                    .suspects_links = settings->untrusted,
                                    .diagnostic = tw_console_diagnostic};
}

/* ---- what the project says ---- */

static const struct tw_project_values *preset_values(const struct tw_settings *settings)
{
    static const struct tw_project_values none = {0};
    const struct tw_project *project = settings->project;
    for (int32_t i = 0; settings->preset && i < project->preset_count; i++)
        if (strcmp(project->presets[i].name, settings->preset) == 0)
            return &project->presets[i].values;
    return &none;
}

const char *tw_settings_project_out(const struct tw_settings *settings)
{
    const char *preset = preset_values(settings)->out, *own = settings->project->values.out;
    return preset ? preset : own ? own : TW_PROJECT_OUT;
}

const char *tw_settings_member(const struct tw_settings *settings, const char *operand, char *place)
{
    if (!settings->project || tw_stdin_is_one(operand))
        return NULL;
    const char *below = tw_project_below(settings->project, operand, place);
    return below && tw_project_has(settings->project, below) ? below : NULL;
}

struct tw_load_options tw_console_recipe_options(const struct tw_settings *settings,
                                                 const char *path)
{
    char place[PATH_MAX];
    struct tw_load_options options = tw_console_load_options(settings);
    if (options.width > 0 || !tw_settings_member(settings, path, place))
        return options;
    const struct tw_project_values *preset = preset_values(settings);
    const struct tw_project_values *values =
        preset->width > 0 ? preset : &settings->project->values;
    options.width = values->width;
    options.height = values->height;
    return options;
}

/* ---- running ---- */

/* Sets the size of libuv's thread pool to what the run uses: libuv starts all threads at once and
 * aborts the process if one fails. */
static void size_pool(const struct tw_run_options *options)
{
    char text[16];
    int transfers = options->remote ? 5 : 2;
    snprintf(text, sizeof text, "%d", (int)tw_run_threads(options) + transfers);
    setenv("UV_THREADPOOL_SIZE", text, 1);
}

/* Returns the cache folder, or NULL for none; then warns unless --no-cache was given. */
static const char *choose_cache(const struct tw_settings *settings)
{
    struct tw_error warning;
    const char *folder = settings->no_cache ? NULL : tw_console_cache_dir(settings->cache_dir);
    if (!folder && !settings->no_cache) {
        tw_error_set(
            &warning, TW_OK,
            "there is no cache: neither --cache-dir, XDG_CACHE_HOME nor HOME names a folder");
        tw_console_diagnostic(NULL, false, &warning, NULL);
    }
    return folder;
}

struct tw_run_options tw_console_run_options(const struct tw_settings *settings)
{
    struct tw_run_options options = {.threads = settings->threads,
                                     .max_memory = settings->max_memory,
                                     .in_memory = settings->untrusted,
                                     .cache_dir = choose_cache(settings),
                                     .cache_bytes = settings->cache_size,
                                     .remote = settings->remote,
                                     .only = settings->only,
                                     .cancel = tw_stop_flag()};
    options.max_seconds = settings->max_time;
    if (settings->untrusted && settings->max_time == 0)
        options.max_seconds = UNTRUSTED_SECONDS;
    if (settings->untrusted && settings->max_memory == 0)
        options.max_memory = UNTRUSTED_BYTES;
    size_pool(&options);
    return options;
}

int tw_console_load(const struct tw_settings *settings, const char *path, struct tw_recipe **recipe,
                    struct tw_error *error)
{
    return tw_console_load_watched(settings, path, NULL, NULL, recipe, error);
}

/* Adds a file to the watch. Errors do not matter: files in a folder that cannot be watched are
 * polled. */
static void on_read(void *watch, const char *path) { (void)tw_watch_add(watch, path, NULL); }

int tw_console_load_watched(const struct tw_settings *settings, const char *path,
                            const struct tw_load_changes *changes, struct tw_watch *watch,
                            struct tw_recipe **recipe, struct tw_error *error)
{
    struct tw_load_options options = tw_console_recipe_options(settings, path);
    options.reads = watch ? on_read : NULL;
    options.context = watch; /* tw_console_diagnostic() ignores the context */
    tw_case_begin(tw_stdin_name(path), "recipe");
    enum tw_status status = tw_stdin_is_one(path)
                                ? tw_stdin_load(&options, recipe, error)
                                : tw_recipe_load_with(path, &options, changes, recipe, error);
    if (status != TW_OK && !error->file[0]) /* an error outside of the file, not reported yet */
        tw_console_file_error(tw_stdin_name(path), error);
    return tw_status_exit_code(status);
}
