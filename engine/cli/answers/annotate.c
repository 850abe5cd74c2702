/* SPDX-License-Identifier: MIT */
/* Workflow commands of GitHub Actions, "::error file=...,line=...::message", which its runner finds
 * in what a step prints. It shows 10 errors and 10 warnings a step, so those beyond are only in the
 * step's summary, a Markdown file that GITHUB_STEP_SUMMARY names. */
#include "cli/answers/annotate.h"

#include "base/os/file.h"
#include "cli/answers/events.h"
#include "cli/answers/findings.h"
#include "cli/commands/gate.h"

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

/* Line breaks would end the command; ':' and ',' end a property. */
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
    bool below = workspace && file[0] != '/' && tw_file_real_path(workspace, top) &&
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

/* A row of text in Markdown: marks of its own are escaped, a pipe or a tag included. */
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

/* ---- a lock that no longer holds ---- */

static const struct tw_node *find_node(const struct tw_recipe *recipe, const char *path)
{
    for (int32_t i = 0; i < recipe->count; i++)
        if (strcmp(recipe->nodes[i].path, path) == 0)
            return &recipe->nodes[i];
    return NULL;
}

static void add_cause(struct tw_error *error, const struct tw_change *change)
{
    size_t used = strlen(error->hint);
    snprintf(error->hint + used, sizeof error->hint - used, "%s%s: %s -> %s", used ? "; " : "",
             change->name, change->before ? change->before : "none",
             change->after ? change->after : "none");
}

static void add_blame(struct tw_error *error, const char *kind, const char *name)
{
    size_t used = strlen(error->message);
    snprintf(error->message + used, sizeof error->message - used, ", first in %s %s", kind, name);
}

static void locate(struct tw_error *error, const struct tw_place *place)
{
    snprintf(error->file, sizeof error->file, "%s", place->file);
    error->line = place->line;
    error->column = place->column;
}

static void blame_node(struct tw_error *error, const struct tw_recipe *recipe,
                       const struct tw_node_drift *first)
{
    const struct tw_node *node = find_node(recipe, first->after->path);
    if (node)
        locate(error, &node->place);
    add_blame(error, "node", first->after->path);
    for (int32_t i = 0; i < first->cause_count; i++)
        add_cause(error, &first->causes[i]);
}

/* Where no node differs. */
static void blame_result(struct tw_error *error, const struct tw_recipe *recipe,
                         const struct tw_result_drift *first)
{
    const struct tw_change digest = {"sha256", first->before ? first->before->sha256 : NULL,
                                     first->after ? first->after->sha256 : NULL};
    for (const struct tw_export *e = first->is_export ? recipe->exports : NULL; e; e = e->next)
        if (tw_export_is_entry(e) && strcmp(e->entry, first->name) == 0)
            locate(error, &e->place);
    add_blame(error, first->is_export ? "export" : "output", first->name);
    add_cause(error, &digest);
}

void tw_annotate_drift(const struct tw_gate_item *item)
{
    const struct tw_drift *drift = item->drift;
    struct tw_error error = {.status = TW_DIFFERENCE};
    snprintf(error.file, sizeof error.file, "%s", item->file);
    snprintf(error.message, sizeof error.message, "%s differs from %s", item->file,
             item->lock_file);
    for (int32_t i = 0; i < drift->world_count; i++)
        add_cause(&error, &drift->world[i]);
    if (drift->first >= 0)
        blame_node(&error, item->recipe, &drift->nodes[drift->first]);
    else
        blame_result(&error, item->recipe, &drift->results[0]); /* something differs */
    tw_findings_add(true, &error);
    tw_events_finding(true, &error);
    tw_annotate(true, &error);
}
