/* SPDX-License-Identifier: MIT */
/* Reports a recipe that no longer matches its lock, as a finding, an event and an annotation. */
#include "console/annotate.h"
#include "cli/gate/gate.h"
#include "console/events.h"
#include "console/findings.h"

#include <string.h>

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

/* Blames the first output or export that differs, if no node does. */
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
        blame_result(&error, item->recipe, &drift->results[0]); /* or a result differs */
    tw_findings_add(true, &error);
    tw_events_finding(true, &error);
    tw_annotate(true, &error);
}
