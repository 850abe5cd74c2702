/* SPDX-License-Identifier: MIT */
#include "console/take_project.h"

#include "base/memory/arena.h"
#include "base/os/file.h"
#include "base/os/links.h"
#include "base/text/suggest.h"
#include "base/text/text.h"
#include "console/diagnostic.h"
#include "console/standard_input.h"
#include "project/project.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char **kept; /* the operands of a project, while the command runs */

/* ---- notes ---- */

static void note(const struct tw_settings *settings, const char *format, ...) TW_PRINTF(2, 3);

static void note(const struct tw_settings *settings, const char *format, ...)
{
    struct tw_error text = {.status = TW_OK};
    va_list arguments;
    if (settings->quiet)
        return;
    va_start(arguments, format);
    vsnprintf(text.message, sizeof text.message, format, arguments);
    va_end(arguments);
    (void)fflush(stdout);
    fputs("note: ", stderr);
    tw_text_write(stderr, text.message, TW_TEXT_TERMINAL);
    fputs("\n", stderr);
}

static void note_unfed(const struct tw_settings *settings, const char *path, const char *input)
{
    note(settings, "%s is skipped: another recipe has to feed its input '%s'", path, input);
}

static void warn_unmatched(void *context, const struct tw_project_glob *glob)
{
    struct tw_error warning;
    (void)context;
    tw_error_set(&warning, TW_OK, "'%s' matches no file", glob->text);
    snprintf(warning.file, sizeof warning.file, "%s", glob->place.file);
    warning.line = glob->place.line;
    warning.column = glob->place.column;
    tw_console_diagnostic(NULL, false, &warning, NULL);
}

/* ---- operands ---- */

static int fail_at(const struct tw_project *project, enum tw_status status, const char *message)
{
    struct tw_error error;
    tw_error_set(&error, status, "%s", message);
    snprintf(error.file, sizeof error.file, "%s", project->file);
    error.line = project->place.line;
    error.column = project->place.column;
    return tw_console_error(&error);
}

static bool is_wanted(enum tw_command_bits bit, const struct tw_project *project, const char *path)
{
    char place[PATH_MAX];
    const char *below = tw_project_below(project, path, place);
    bool gates = (bit & (TW_FOR_LOCK | TW_FOR_VERIFY)) != 0;
    return !gates || !below || tw_project_locks(project, below);
}

static int list_recipes(enum tw_command_bits bit, struct tw_settings *settings, char ***operands)
{
    struct tw_project_file *files;
    struct tw_error error = {.status = TW_OK};
    int32_t count = 0;
    enum tw_status status =
        tw_project_list(settings->project, warn_unmatched, NULL, &files, &count, &error);
    if (status != TW_OK)
        return tw_console_error(&error);
    kept = calloc((size_t)count + 1, sizeof *kept);
    if (!kept)
        return tw_console_no_memory();
    settings->operand_count = 0;
    for (int32_t i = 0; i < count; i++) {
        if (!is_wanted(bit, settings->project, files[i].path))
            continue;
        if (files[i].unfed)
            note_unfed(settings, files[i].path, files[i].unfed);
        else
            kept[settings->operand_count++] = (char *)files[i].path;
    }
    *operands = kept;
    return settings->operand_count > 0
               ? 0
               : fail_at(settings->project, TW_RECIPE, "the project has no recipe");
}

/* What kind of file an operand is. With --untrusted nothing is said of what a link leads to, not
 * even by leaving it out: it is taken for a recipe, which loading refuses. */
static enum tw_project_kind kind_of(const struct tw_settings *settings, const char *operand)
{
    struct tw_arena arena = {0};
    const char *input = NULL;
    if (tw_stdin_is_one(operand) || (settings->untrusted && tw_links_lead_to(operand)))
        return TW_PROJECT_RECIPE_FILE;
    enum tw_project_kind kind = tw_project_kind_of(&arena, operand, &input);
    tw_arena_release(&arena);
    return kind;
}

/* Leaves out experiments, locks and project files among several files. */
static void drop_others(struct tw_settings *settings, char **operands)
{
    int count = 0;
    for (int i = 0; i < settings->operand_count; i++) {
        const enum tw_project_kind kind = kind_of(settings, operands[i]);
        if (kind == TW_PROJECT_RECIPE_FILE || kind == TW_PROJECT_UNFED)
            operands[count++] = operands[i];
    }
    if (count == 0)
        return; /* each is an error, as one alone is */
    operands[count] = NULL;
    settings->operand_count = count;
}

/* ---- the project ---- */

static int read_project(struct tw_settings *settings, const char *path)
{
    struct tw_error error = {.status = TW_OK};
    const struct tw_load_options options = tw_console_load_options(settings);
    settings->project = tw_project_read(path, &options, &error);
    if (settings->project)
        return 0;
    return error.line > 0 ? tw_status_exit_code(error.status) : tw_console_error(&error);
}

/* Reads the project of an operand if it belongs to one. */
static int take_of(struct tw_settings *settings, const char *operand, char *path)
{
    char folder[PATH_MAX], place[PATH_MAX];
    const char *slash = strrchr(operand, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - operand + 1) : 0, operand);
    if (tw_stdin_is_one(operand) || !tw_project_find(folder, path))
        return 0;
    struct tw_project *before = settings->project;
    if (before && strncmp(path, before->real, strlen(before->real)) == 0 &&
        strcmp(path + strlen(before->real), TW_PROJECT_FILE) == 0)
        return 0;
    int code = read_project(settings, path);
    struct tw_project *found = settings->project;
    bool belongs = code == 0 && tw_settings_member(settings, operand, place);
    if (code == 0 && before && belongs)
        code = tw_console_usage("%s and %s are two projects; expected recipes of one", before->file,
                                found->file);
    if (!belongs || before) {
        tw_project_release(found);
        settings->project = before;
    }
    return code;
}

static int take_of_all(struct tw_settings *settings, char **operands, int count)
{
    char path[PATH_MAX];
    int code = 0;
    for (int i = 0; code == 0 && i < count; i++)
        code = take_of(settings, operands[i], path);
    return code;
}

static int check_preset(const struct tw_settings *settings)
{
    struct tw_arena arena = {0};
    struct tw_suggestion suggestion = {.unknown = settings->preset};
    const struct tw_project *project = settings->project;
    if (!settings->preset)
        return 0;
    if (!project)
        return tw_console_usage("--preset is for recipes of a project, and there is none");
    for (int32_t i = 0; i < project->preset_count; i++) {
        if (strcmp(project->presets[i].name, settings->preset) == 0)
            return 0;
        tw_suggest_offer(&suggestion, project->presets[i].name);
    }
    const char *hint = tw_suggest_hint(&suggestion, &arena);
    int code = tw_console_usage("%s has no preset '%s'%s%s", project->file, settings->preset,
                                hint ? "; " : "", hint ? hint : "");
    tw_arena_release(&arena);
    return code;
}

/* A project may come from anyone: it gets no token, and with --untrusted it chooses no cache. */
static void take_cache(struct tw_settings *settings)
{
    const struct tw_project *project = settings->project;
    if (settings->untrusted && (project->cache_dir || project->cache_url)) {
        note(settings, "the cache of %s is not used: --untrusted was given", project->file);
        return;
    }
    if (project->cache_dir && !settings->cache_dir) {
        settings->cache_dir =
            tw_arena_print(&settings->project->arena, "%s%s", project->prefix, project->cache_dir);
        settings->cache_of_project = true;
    }
    if (project->cache_size > 0 && !settings->cache_size_given)
        settings->cache_size = settings->max_size = project->cache_size;
    if (!project->cache_url || settings->cache_url || settings->cache_mode == TW_CACHE_OFF)
        return;
    if (!settings->cache_secret_file)
        note(settings, "the cache server of %s is not used: it needs --cache-secret-file",
             project->file);
    else if (settings->cache_token_file)
        note(settings,
             "the cache server of %s is not used: a token is sent only to a server that "
             "--cache-url or THALWEG_CACHE_URL names",
             project->file);
    else
        settings->cache_url = project->cache_url;
}

/* For commands about the cache: of the recipes that `cache push` and `pull` name, else of the
 * nearest project file, if there is one. */
static int take_cache_only(struct tw_settings *settings, char **operands)
{
    char path[PATH_MAX];
    int code = 0;
    if (settings->operand_count > 1)
        code = take_of_all(settings, operands + 1, settings->operand_count - 1);
    else if (tw_project_find("", path))
        code = read_project(settings, path);
    if (code == 0 && settings->project)
        take_cache(settings);
    return code;
}

static int missing_operand(const char *command)
{
    return tw_console_usage("%s: an operand is missing; expected RECIPE... or a " TW_PROJECT_FILE
                            " here or above; see thalweg %s --help",
                            command, command);
}

int tw_console_take_project(const char *command, enum tw_command_bits bit,
                            struct tw_settings *settings, char ***operands)
{
    enum { LISTS = TW_FOR_RUN | TW_FOR_CHECK | TW_FOR_LOCK | TW_FOR_VERIFY | TW_FOR_LIST };
    char path[PATH_MAX];
    int code;
    if (bit & (TW_FOR_CACHE | TW_FOR_DOCTOR))
        return take_cache_only(settings, *operands);
    if (!(bit & (LISTS | TW_FOR_SERVE)))
        return 0;
    if (settings->operand_count == 0) {
        if (!tw_project_find("", path))
            return missing_operand(command);
        code = read_project(settings, path);
    } else {
        if (settings->operand_count > 1 && (bit & LISTS))
            drop_others(settings, *operands);
        code = take_of_all(settings, *operands, settings->operand_count);
    }
    if (code == 0)
        code = check_preset(settings);
    if (code == 0 && settings->project)
        take_cache(settings);
    if (code == 0 && settings->operand_count == 0)
        code = list_recipes(bit, settings, operands);
    return code;
}

void tw_console_leave_project(struct tw_settings *settings)
{
    tw_project_release(settings->project);
    settings->project = NULL;
    free(kept);
    kept = NULL;
}
