/* SPDX-License-Identifier: MIT */
/* Words for people: diagnostics with the place, the line and a caret. */
#include "cli/cli.h"

#include "base/os/file.h"
#include "base/os/links.h"
#include "base/os/process.h"
#include "base/text/fault_log.h"
#include "base/text/text.h"
#include "cli/answers/annotate.h"
#include "cli/answers/events.h"
#include "cli/standard_input.h"
#include "cli/stop.h"
#include "graph/load/yaml.h"
#include "runner/runner.h"
#include "runner/watch.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool untrusted_files;
static FILE *copies; /* of what is printed; NULL: none */

void tw_cli_begin(const struct tw_settings *settings) { untrusted_files = settings->untrusted; }

void tw_cli_copy_diagnostics(FILE *to) { copies = to; }

/* "cannot read none.yaml: No such file or directory" needs no "none.yaml:" before it. */
static bool names_file(const struct tw_error *error)
{
    static const char words[] = "cannot read ";
    const char *name = error->message + strlen(words);
    const size_t length = strlen(error->file);
    return strncmp(error->message, words, strlen(words)) == 0 &&
           strncmp(name, error->file, length) == 0 && name[length] == ':';
}

static void print_place(FILE *out, const struct tw_error *error)
{
    if (error->file[0] && error->line > 0)
        fprintf(out, "%s:%d:%d: ", error->file, (int)error->line, (int)error->column);
    else if (error->file[0] && !names_file(error))
        fprintf(out, "%s: ", error->file);
}

static bool is_dumb(void)
{
    const char *terminal = getenv("TERM");
    return terminal && strcmp(terminal, "dumb") == 0;
}

static bool may_have_colours(FILE *stream)
{
    const char *no = getenv("NO_COLOR");
    return tw_process_is_terminal(stream) && !(no && no[0]) && !is_dumb();
}

static void print_diagnostic(FILE *out, bool fault, const struct tw_error *error,
                             const char *source_line)
{
    bool colours = may_have_colours(out);
    print_place(out, error);
    fprintf(out, "%s%s:%s %s%s%s\n",
            !colours ? ""
            : fault  ? "\033[31m"
                     : "\033[33m",
            fault ? "error" : "warning", colours ? "\033[0m" : "", error->path,
            error->path[0] ? ": " : "", error->message);
    if (source_line && source_line[0] && error->column > 0 &&
        (size_t)error->column <= strlen(source_line) + 1) /* the line may be cut */
        fprintf(out, "    %s\n    %*s^\n", source_line, (int)error->column - 1, "");
    if (error->hint[0])
        fprintf(out, "    %s\n", error->hint);
}

static void record(bool fault, const struct tw_error *error)
{
    tw_findings_add(fault, error);
    tw_events_finding(fault, error);
}

/* Of a file that was given or found only the name may be harmful: it came from no log. */
void tw_cli_diagnostic(void *context, bool fault, const struct tw_error *error,
                       const char *source_line)
{
    struct tw_error clean = *error;
    (void)context;
    tw_text_clean(clean.file);
    tw_text_clean(clean.path);
    tw_text_clean(clean.message);
    tw_text_clean(clean.hint);
    print_diagnostic(stderr, fault, &clean, source_line);
    if (copies)
        print_diagnostic(copies, fault, &clean, source_line);
    record(fault, error);
    tw_annotate(fault, error);
}

/* What anybody may have written quotes nothing that a link leads to. */
static bool is_hidden(const char *file)
{
    return (untrusted_files || strcmp(tw_format_ending(file), ".lock") == 0) &&
           tw_links_lead_to(file);
}

/* An error of a run has a place in the recipe, whose text is gone by then: the line is read again.
 * `line` stays as it is where there is none. */
static void quote_file(const struct tw_error *error, char *line, size_t size)
{
    unsigned char *data = NULL;
    size_t length = 0;
    if (strcmp(error->file, TW_STDIN_NAME) == 0) {
        const char *text = tw_stdin_text(&length);
        tw_quote_line((struct tw_place){error->file, text, length, error->line, 1, false}, line,
                      size);
        return;
    }
    if (error->line > 0 && !is_hidden(error->file) &&
        tw_file_read(error->file, TW_YAML_BYTES_MAX, &data, &length, NULL) == TW_OK)
        tw_quote_line(
            (struct tw_place){error->file, (const char *)data, length, error->line, 1, false}, line,
            size);
    free(data);
}

int tw_cli_error(const struct tw_error *error)
{
    char line[512] = "";
    quote_file(error, line, sizeof line);
    tw_cli_diagnostic(NULL, true, error, line);
    return tw_status_exit_code(error->status);
}

int tw_cli_file_error(const char *file, struct tw_error *error)
{
    if (!error->file[0])
        snprintf(error->file, sizeof error->file, "%s", file);
    return tw_cli_error(error);
}

int tw_cli_no_memory(void)
{
    struct tw_error error;
    tw_error_set(&error, TW_MEMORY, "out of memory");
    return tw_cli_error(&error);
}

int tw_cli_usage(const char *format, ...)
{
    struct tw_error error = {.status = TW_USAGE};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error.message, sizeof error.message, format, arguments);
    va_end(arguments);
    tw_text_clean(error.message);
    fprintf(stderr, "thalweg: %s\n", error.message);
    record(true, &error);
    return tw_status_exit_code(TW_USAGE);
}

json_t *tw_cli_json(const char *text)
{
    char clean[4096];
    snprintf(clean, sizeof clean, "%s", text);
    tw_text_clean(clean);
    return json_string(clean);
}

int tw_cli_print_json(char *text)
{
    if (!text)
        return tw_cli_no_memory();
    puts(text);
    free(text);
    return 0;
}

bool tw_cli_shows_progress(void)
{
    const char *ci = getenv("CI");
    return tw_process_is_terminal(stderr) && !(ci && ci[0]) && !is_dumb();
}

const char *tw_cli_cache_dir(const char *option)
{
    static char path[4096];
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length;
    if (option)
        return option;
    if (base && base[0] == '/')
        length = snprintf(path, sizeof path, "%s/thalweg", base);
    else if (home && home[0])
        length = snprintf(path, sizeof path, "%s/.cache/thalweg", home);
    else
        return NULL;
    return length < (int)sizeof path ? path : NULL;
}

/* docs/security.md has these numbers. */
static const struct tw_limits untrusted = {
    .nodes = 2000, .side = 16384, .cells = (uint64_t)1 << 26};
/* Of any side: which of them a run takes is for it to say. */
static const struct tw_limits in_bands = {.cells = UINT64_MAX};
enum { UNTRUSTED_SECONDS = 600 };
#define UNTRUSTED_BYTES ((uint64_t)4 << 30)

struct tw_load_options tw_cli_load_options(const struct tw_settings *settings)
{
    return (struct tw_load_options){.set = settings->set.at,
                                    .width = settings->size.width,
                                    .height = settings->size.height,
                                    .has_seed = settings->seed.given,
                                    .seed = settings->seed.value,
                                    .limits = settings->untrusted ? untrusted : in_bands,
                                    .allow = settings->allow_path.at,
                                    .suspects_links = settings->untrusted,
                                    .diagnostic = tw_cli_diagnostic};
}

/* libuv starts all threads of its pool at once and aborts the process when it cannot, so there are
 * as many as the run uses. */
static void size_pool(const struct tw_run_options *options)
{
    char text[16];
    int transfers = options->remote ? 5 : 2;
    snprintf(text, sizeof text, "%d", (int)tw_run_threads(options) + transfers);
    setenv("UV_THREADPOOL_SIZE", text, 1);
}

/* NULL without a cache; warns unless --no-cache was given. */
static const char *choose_cache(const struct tw_settings *settings)
{
    struct tw_error warning;
    const char *folder = settings->no_cache ? NULL : tw_cli_cache_dir(settings->cache_dir);
    if (!folder && !settings->no_cache) {
        tw_error_set(
            &warning, TW_OK,
            "there is no cache: neither --cache-dir, XDG_CACHE_HOME nor HOME names a folder");
        tw_cli_diagnostic(NULL, false, &warning, NULL);
    }
    return folder;
}

struct tw_run_options tw_cli_run_options(const struct tw_settings *settings)
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

int tw_cli_load(const struct tw_settings *settings, const char *path, struct tw_recipe **recipe,
                struct tw_error *error)
{
    return tw_cli_load_watched(settings, path, NULL, recipe, error);
}

/* A folder that cannot be watched is one that is not there; its files are polled. */
static void on_read(void *watch, const char *path) { (void)tw_watch_add(watch, path, NULL); }

int tw_cli_load_watched(const struct tw_settings *settings, const char *path,
                        struct tw_watch *watch, struct tw_recipe **recipe, struct tw_error *error)
{
    struct tw_load_options options = tw_cli_load_options(settings);
    options.reads = watch ? on_read : NULL;
    options.context = watch; /* of nothing else: tw_cli_diagnostic() takes none */
    tw_case_begin(tw_stdin_name(path), "recipe");
    enum tw_status status = tw_stdin_is_one(path) ? tw_stdin_load(&options, recipe, error)
                                                  : tw_recipe_load(path, &options, recipe, error);
    if (status != TW_OK && !error->file[0]) /* not a fault in the file: not reported yet */
        tw_cli_file_error(tw_stdin_name(path), error);
    return tw_status_exit_code(status);
}
