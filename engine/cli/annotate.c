/* SPDX-License-Identifier: MIT */
/* Workflow commands of GitHub Actions, "::error file=...,line=...::message", which its runner finds
 * in what a step prints. It shows 10 errors and 10 warnings a step, so those beyond are only in the
 * step's summary, a Markdown file that GITHUB_STEP_SUMMARY names. */
#include "cli/annotate.h"

#include "cli/events.h"
#include "cli/findings.h"
#include "cli/gate.h"

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

static void put_command(FILE *out, bool fault, const struct tw_error *error)
{
    fprintf(out, "::%s ", fault ? "error" : "warning");
    if (error->file[0]) {
        fputs("file=", out);
        put_escaped(out, error->file, true);
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

void tw_annotate_drift(const struct tw_gate_item *item)
{
    const struct tw_drift *drift = item->drift;
    struct tw_error error = {.status = TW_DIFFERENCE};
    const struct tw_node_drift *first = drift->first >= 0 ? &drift->nodes[drift->first] : NULL;
    const struct tw_node *node = first ? find_node(item->recipe, first->after->path) : NULL;
    snprintf(error.file, sizeof error.file, "%s", node ? node->place.file : item->file);
    if (node) {
        error.line = node->place.line;
        error.column = node->place.column;
    }
    snprintf(error.message, sizeof error.message, "%s differs from %s%s%s", item->file,
             item->lock_file, first ? ", first in node " : "", first ? first->after->path : "");
    for (int32_t i = 0; i < drift->world_count; i++)
        add_cause(&error, &drift->world[i]);
    for (int32_t i = 0; first && i < first->cause_count; i++)
        add_cause(&error, &first->causes[i]);
    tw_findings_add(true, &error);
    tw_events_finding(true, &error);
    tw_annotate(true, &error);
}
