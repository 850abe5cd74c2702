/* SPDX-License-Identifier: MIT */
/* YAML back to a snapshot. Locks are untrusted: people edit them by hand. */
#include "gate/lock.h"

#include "base/file.h"
#include "base/number.h"
#include "graph/load/expect.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct tw_snapshot *snapshot;
    struct tw_report *report;
};

static void fault(struct reader *r, const struct tw_yaml *at, const char *expected)
{
    tw_report_fault(r->report, TW_RECIPE, at->place, "write the lock anew with 'thalweg lock'",
                    "%s", expected);
}

static const char *scalar(struct reader *r, const struct tw_yaml *mapping, const char *key,
                          const struct tw_yaml *owner)
{
    const struct tw_yaml *value = tw_yaml_find(mapping, key);
    char message[100];
    if (value && value->kind == TW_YAML_SCALAR)
        return value->text;
    snprintf(message, sizeof message, "the lock has no %s here", key);
    fault(r, value ? value : owner, message);
    return "";
}

/* {name: "value"}; each name gets `group` before it. */
static void read_facts(struct reader *r, const struct tw_yaml *mapping, const char *group,
                       struct tw_facts *facts)
{
    char name[200];
    if (!mapping || !tw_expect_kind(r->report, mapping, TW_YAML_MAPPING, "this part of the lock"))
        return;
    for (const struct tw_yaml_item *item = mapping->items; item; item = item->next) {
        snprintf(name, sizeof name, "%s%.90s", group, item->key->text);
        if (item->value->kind != TW_YAML_SCALAR)
            fault(r, item->value, "expected one value");
        else if (!tw_facts_add(&r->snapshot->arena, facts, name, item->value->text))
            tw_report_fault(r->report, TW_MEMORY, item->value->place, NULL, "out of memory");
    }
}

static void read_node(struct reader *r, const struct tw_yaml_item *item,
                      struct tw_snapshot_node *node)
{
    static const char *const known[] = {"borders", "contents", "file", "inputs",  "layout",
                                        "params",  "seed",     "type", "version", NULL};
    const struct tw_yaml *yaml = item->value;
    node->path = tw_arena_copy(&r->snapshot->arena, item->key->text, strlen(item->key->text));
    if (!tw_expect_kind(r->report, yaml, TW_YAML_MAPPING, "a node of the lock"))
        return;
    tw_expect_keys(r->report, &r->snapshot->arena, yaml, "a node of the lock", known);
    scalar(r, yaml, "type", yaml);
    scalar(r, yaml, "version", yaml);
    read_facts(r, tw_yaml_find(yaml, "contents"), "", &node->contents);
    read_facts(r, tw_yaml_find(yaml, "inputs"), "inputs.", &node->causes);
    read_facts(r, tw_yaml_find(yaml, "params"), "params.", &node->causes);
    for (const struct tw_yaml_item *fact = yaml->items; fact; fact = fact->next)
        if (fact->value->kind == TW_YAML_SCALAR &&
            !tw_facts_add(&r->snapshot->arena, &node->causes, fact->key->text, fact->value->text))
            tw_report_fault(r->report, TW_MEMORY, fact->value->place, NULL, "out of memory");
    tw_facts_sort(&node->causes);
}

static double number(struct reader *r, const struct tw_yaml *mapping, const char *key)
{
    const struct tw_yaml *value = tw_yaml_find(mapping, key);
    double v = 0;
    if (value && (value->kind != TW_YAML_SCALAR || !tw_number_parse(value->text, &v)))
        fault(r, value, "expected a number");
    return v;
}

static int32_t side(struct reader *r, const struct tw_yaml *size, const struct tw_yaml_item *item)
{
    double v = 0;
    if (!item || item->value->kind != TW_YAML_SCALAR || !tw_number_parse(item->value->text, &v) ||
        !(v >= 0 && v <= INT32_MAX))
        fault(r, size, "expected a size as in [512, 512]");
    return (int32_t)v;
}

static void read_result(struct reader *r, const struct tw_yaml_item *item,
                        struct tw_result_facts *facts)
{
    static const char *const known[] = {"greatest", "least", "mean", "sha256",
                                        "size",     "type",  NULL};
    const struct tw_yaml *yaml = item->value, *size = tw_yaml_find(yaml, "size");
    facts->name = tw_arena_copy(&r->snapshot->arena, item->key->text, strlen(item->key->text));
    if (!tw_expect_kind(r->report, yaml, TW_YAML_MAPPING, "a result of the lock"))
        return;
    tw_expect_keys(r->report, &r->snapshot->arena, yaml, "a result of the lock", known);
    const char *type = scalar(r, yaml, "type", yaml), *digest = scalar(r, yaml, "sha256", yaml);
    facts->type = tw_arena_copy(&r->snapshot->arena, type, strlen(type));
    if (strlen(digest) != 64 || strspn(digest, "0123456789abcdef") != 64)
        fault(r, yaml, "expected a SHA-256 of 64 digits");
    snprintf(facts->sha256, sizeof facts->sha256, "%s", digest);
    if (!size || size->kind != TW_YAML_SEQUENCE || size->count != 2) {
        fault(r, size ? size : yaml, "expected a size as in [512, 512]");
        return;
    }
    facts->width = side(r, size, size->items);
    facts->height = side(r, size, size->items->next);
    facts->ranged = tw_yaml_find(yaml, "mean") != NULL;
    facts->least = number(r, yaml, "least");
    facts->greatest = number(r, yaml, "greatest");
    facts->mean = number(r, yaml, "mean");
}

static struct tw_result_facts *read_results(struct reader *r, const struct tw_yaml *mapping,
                                            int32_t *count)
{
    if (!mapping || !tw_expect_kind(r->report, mapping, TW_YAML_MAPPING, "this part of the lock"))
        return NULL;
    struct tw_result_facts *list =
        tw_arena_alloc(&r->snapshot->arena, (size_t)mapping->count + 1, sizeof *list);
    for (const struct tw_yaml_item *item = mapping->items; list && item; item = item->next)
        read_result(r, item, &list[(*count)++]);
    return list;
}

static bool check_version(struct reader *r, const struct tw_yaml *root)
{
    const struct tw_yaml_item *first = root->kind == TW_YAML_MAPPING ? root->items : NULL;
    if (!first || strcmp(first->key->text, "thalweg-lock") != 0) {
        fault(r, root, "this is no lock file: the first key is not 'thalweg-lock'");
        return false;
    }
    if (first->value->kind == TW_YAML_SCALAR && strcmp(first->value->text, "1") == 0)
        return true;
    fault(r, first->value, "this engine reads version 1 of lock files");
    return false;
}

static void read_root(struct reader *r, const struct tw_yaml *root)
{
    static const char *const known[] = {"thalweg-lock", "engine",  "exports", "given",
                                        "nodes",        "outputs", "world",   NULL};
    struct tw_snapshot *snapshot = r->snapshot;
    const struct tw_yaml *nodes = tw_yaml_find(root, "nodes");
    tw_expect_keys(r->report, &snapshot->arena, root, "a lock", known);
    const char *engine = scalar(r, root, "engine", root);
    snapshot->engine = tw_arena_copy(&snapshot->arena, engine, strlen(engine));
    for (int i = 2; known[i]; i++)
        if (!tw_yaml_find(root, known[i])) {
            char message[100];
            snprintf(message, sizeof message, "the lock has no %s: half of it is missing",
                     known[i]);
            fault(r, root, message);
        }
    read_facts(r, tw_yaml_find(root, "given"), "", &snapshot->given);
    read_facts(r, tw_yaml_find(root, "world"), "", &snapshot->world);
    snapshot->outputs = read_results(r, tw_yaml_find(root, "outputs"), &snapshot->output_count);
    snapshot->exports = read_results(r, tw_yaml_find(root, "exports"), &snapshot->export_count);
    if (!nodes || !tw_expect_kind(r->report, nodes, TW_YAML_MAPPING, "nodes"))
        return;
    snapshot->nodes =
        tw_arena_alloc(&snapshot->arena, (size_t)nodes->count + 1, sizeof *snapshot->nodes);
    for (const struct tw_yaml_item *item = nodes->items; snapshot->nodes && item; item = item->next)
        read_node(r, item, &snapshot->nodes[snapshot->node_count++]);
}

enum tw_status tw_lock_read(const char *path, const struct tw_load_options *options,
                            struct tw_snapshot **snapshot, struct tw_error *err)
{
    unsigned char *data = NULL;
    size_t length = 0;
    struct tw_report report = {.sink = options->diagnostic, .context = options->context};
    struct reader r = {.snapshot = calloc(1, sizeof *r.snapshot), .report = &report};
    if (!r.snapshot)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    if (tw_file_read(path, TW_YAML_BYTES_MAX, &data, &length, err) != TW_OK) {
        tw_snapshot_release(r.snapshot);
        return err ? err->status = TW_INPUT : TW_INPUT;
    }
    const struct tw_yaml *root =
        tw_yaml_parse(&r.snapshot->arena, &report, path, (const char *)data, length);
    if (root && check_version(&r, root))
        read_root(&r, root);
    if (r.snapshot->arena.failed && report.faults == 0)
        report.first.status = tw_error_set(&report.first, TW_MEMORY, "out of memory");
    bool ok = report.faults == 0 && !r.snapshot->arena.failed && root;
    free(data);
    if (ok) {
        *snapshot = r.snapshot;
        return TW_OK;
    }
    tw_snapshot_release(r.snapshot);
    if (err)
        *err = report.first;
    return report.first.status;
}
