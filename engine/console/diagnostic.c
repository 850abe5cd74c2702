/* SPDX-License-Identifier: MIT */
#include "console/diagnostic.h"

#include "base/os/file.h"
#include "base/os/links.h"
#include "base/os/process.h"
#include "base/text/fault_log.h"
#include "base/text/text.h"
#include "console/annotate.h"
#include "console/events.h"
#include "console/findings.h"
#include "console/standard_input.h"
#include "console/terminal.h"
#include "format/format.h"
#include "graph/load/yaml.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static bool untrusted_files;
static FILE *copies; /* receives a copy of what is printed; NULL: none */

void tw_console_begin(bool untrusted)
{
    untrusted_files = untrusted;
    if (untrusted)
        tw_format_forbid_gdal();
}

void tw_console_copy_diagnostics(FILE *to) { copies = to; }

/* Returns true if the message itself names the file: "cannot read none.yaml: No such file or
 * directory" needs no "none.yaml:" before it. */
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

static void print_diagnostic(FILE *out, bool fault, const struct tw_error *error,
                             const char *source_line)
{
    bool colours = tw_terminal_has_colours(out);
    print_place(out, error);
    fprintf(out, "%s%s:%s %s%s%s\n",
            !colours ? ""
            : fault  ? "\033[31m"
                     : "\033[33m",
            fault ? "error" : "warning", colours ? "\033[0m" : "", error->path,
            error->path[0] ? ": " : "", error->message);
    if (source_line && source_line[0] && error->column > 0 &&
        (size_t)error->column <= strlen(source_line) + 1) /* a long line may have been cut */
        fprintf(out, "    %s\n    %*s^\n", source_line, (int)error->column - 1, "");
    if (error->hint[0])
        fprintf(out, "    %s\n", error->hint);
}

static void record(bool fault, const struct tw_error *error)
{
    tw_findings_add(fault, error);
    tw_events_finding(fault, error);
}

/* Prints sanitised copies of the file name, path, message and hint, which may quote untrusted
 * input. */
static void report(bool fault, const struct tw_error *error, bool names_node,
                   const char *source_line)
{
    struct tw_error clean = *error;
    if (!names_node)
        clean.path[0] = 0;
    tw_text_clean(clean.file);
    tw_text_clean(clean.path);
    tw_text_clean(clean.message);
    tw_text_clean(clean.hint);
    (void)fflush(stdout); /* so that a log of both streams keeps their order */
    print_diagnostic(stderr, fault, &clean, source_line);
    if (copies)
        print_diagnostic(copies, fault, &clean, source_line);
    record(fault, error);
    tw_annotate(fault, error);
}

/* Leaves the node out where the recipe's line is quoted, which shows it. */
void tw_console_diagnostic(void *context, bool fault, const struct tw_error *error,
                           const char *source_line)
{
    (void)context;
    report(fault, error, !source_line, source_line);
}

/* Returns true if lines of the file must not be quoted: untrusted input may not reveal a file
 * through a link. */
static bool is_hidden(const char *file)
{
    return (untrusted_files || strcmp(tw_format_ending(file), ".lock") == 0) &&
           tw_links_lead_to(file);
}

/* Reads the line to quote from the recipe again, since its text was released before the run
 * reported the error. Leaves `line` unchanged if there is none. */
static void quote_file(const struct tw_error *error, char *line, size_t size)
{
    unsigned char *data = NULL;
    size_t length = 0;
    if (strcmp(error->file, TW_STDIN_NAME) == 0) {
        const char *text = tw_stdin_text(&length);
        tw_quote_line((struct tw_place){.file = error->file,
                                        .text = text,
                                        .length = length,
                                        .line = error->line,
                                        .column = 1},
                      line, size);
        return;
    }
    if (error->line > 0 && !is_hidden(error->file) &&
        tw_file_read(error->file, TW_YAML_BYTES_MAX, &data, &length, NULL) == TW_OK)
        tw_quote_line((struct tw_place){.file = error->file,
                                        .text = (const char *)data,
                                        .length = length,
                                        .line = error->line,
                                        .column = 1},
                      line, size);
    free(data);
}

int tw_console_error(const struct tw_error *error)
{
    char line[512] = "";
    quote_file(error, line, sizeof line);
    report(true, error, true, line);
    return tw_status_exit_code(error->status);
}

int tw_console_file_error(const char *file, struct tw_error *error)
{
    if (!error->file[0])
        snprintf(error->file, sizeof error->file, "%s", file);
    return tw_console_error(error);
}

int tw_console_no_memory(void)
{
    struct tw_error error;
    tw_error_set(&error, TW_MEMORY, "out of memory");
    return tw_console_error(&error);
}

int tw_console_usage(const char *format, ...)
{
    struct tw_error error = {.status = TW_USAGE};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error.message, sizeof error.message, format, arguments);
    va_end(arguments);
    tw_text_clean(error.message);
    (void)fflush(stdout);
    fprintf(stderr, "thalweg: %s\n", error.message);
    record(true, &error);
    return tw_status_exit_code(TW_USAGE);
}

int tw_console_print_json(char *text)
{
    if (!text)
        return tw_console_no_memory();
    puts(text);
    free(text);
    return 0;
}
