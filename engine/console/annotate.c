/* SPDX-License-Identifier: MIT */
/* Prints workflow commands of GitHub Actions, "::error file=...,line=...::message", which its
 * runner finds in a step's output. The runner shows 10 errors and 10 warnings per step; further
 * ones appear only in the step's summary, a Markdown file that GITHUB_STEP_SUMMARY names. */
#include "console/annotate.h"

#include "base/os/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_MAX = 10 };

static bool chosen;
static int shown[2]; /* warnings, errors */

void tw_annotate_choose(const struct tw_settings *settings)
{
    const char *actions = getenv("GITHUB_ACTIONS");
    chosen =
        settings->message_format == TW_FORMAT_GITHUB ||
        (settings->message_format == TW_FORMAT_AUTO && actions && strcmp(actions, "true") == 0);
}

/* Escapes line breaks, which would end the command, and in properties ':' and ','. */
static void put_escaped(FILE *out, const char *text, bool property)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ',')))
            fprintf(out, "%%%02X", c);
        else
            fputc(c, out);
    }
}

const char *tw_annotated_name(const char *file, char real[PATH_MAX])
{
    const char *workspace = getenv("GITHUB_WORKSPACE");
    char top[PATH_MAX], here[PATH_MAX];
    bool below = workspace && !tw_file_is_absolute(file) && tw_file_real_path(workspace, top) &&
                 tw_file_real_path(".", here) && strcmp(top, here) != 0 &&
                 tw_file_real_path(file, real);
    size_t length = below ? strlen(top) : 0;
    return below && strncmp(real, top, length) == 0 && real[length] == '/' ? real + length + 1
                                                                           : file;
}

static void put_command(FILE *out, bool fault, const struct tw_error *error)
{
    char real[PATH_MAX];
    fprintf(out, "::%s ", fault ? "error" : "warning");
    if (error->file[0]) {
        fputs("file=", out);
        put_escaped(out, tw_annotated_name(error->file, real), true);
        if (error->line > 0)
            fprintf(out, ",line=%d,col=%d", (int)error->line, (int)error->column);
        fputs(",", out);
    }
    fputs("title=thalweg::", out);
    put_escaped(out, error->message, false);
    if (error->hint[0]) {
        fputs("%0A", out);
        put_escaped(out, error->hint, false);
    }
    fputs("\n", out);
}

/* Escapes Markdown's own characters, including pipes and tags, for a row of a table. */
static void put_markdown(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (strchr("\\`*_{}[]<>()#+-.!|", *text))
            fputc('\\', out);
        fputc(*text == '\n' ? ' ' : *text, out);
    }
}

static void add_to_summary(bool fault, const struct tw_error *error)
{
    const char *name = getenv("GITHUB_STEP_SUMMARY");
    FILE *file = name && name[0] ? fopen(name, "a") : NULL;
    if (!file)
        return;
    fprintf(file, "- **%s** ", fault ? "error" : "warning");
    if (error->file[0])
        put_markdown(file, error->file);
    if (error->file[0] && error->line > 0)
        fprintf(file, ":%d:%d", (int)error->line, (int)error->column);
    fputs(error->file[0] ? " " : "", file);
    put_markdown(file, error->message);
    if (error->hint[0]) {
        fputs(" (", file);
        put_markdown(file, error->hint);
        fputs(")", file);
    }
    fputs("\n", file);
    fclose(file);
}

void tw_annotate(bool fault, const struct tw_error *error)
{
    if (!chosen)
        return;
    if (shown[fault]++ < SHOWN_MAX)
        put_command(stderr, fault, error);
    add_to_summary(fault, error);
}
