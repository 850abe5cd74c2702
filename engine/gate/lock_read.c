/* SPDX-License-Identifier: MIT */
/* Reads a snapshot from YAML. Locks are untrusted: people edit them by hand. */
#include "gate/lock.h"

#include "base/os/file.h"
#include "base/os/links.h"
#include "base/text/number.h"
#include "graph/load/expect.h"

#include <stdlib.h>
#include <string.h>

struct reader {
    struct tw_snapshot *snapshot;
    struct tw_fault_log *log;
};

static void fault(struct reader *r, const struct tw_yaml *at, const char *expected)
{
    tw_fault_log_add(r->log, TW_RECIPE, at->place, "write the lock anew with 'thalweg lock'", "%s",
                     expected);
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

/* Reads {name: "value"}; prefixes each name with `group`. */
static void read_facts(struct reader *r, const struct tw_yaml *mapping, const char *group,
                       struct tw_facts *facts)
{
    if (!mapping || !tw_expect_kind(r->log, mapping, TW_YAML_MAPPING, "this part of the lock"))
        return;
    for (const struct tw_yaml_item *item = mapping->items; item; item = item->next) {
        const char *name = tw_arena_print(&r->snapshot->arena, "%s%s", group, item->key->text);
        if (item->value->kind != TW_YAML_SCALAR)
            fault(r, item->value, "expected one value");
        else if (!name || !tw_facts_add(&r->snapshot->arena, facts, name, item->value->text))
            tw_fault_log_add(r->log, TW_MEMORY, item->value->place, NULL, "out of memory");
    }
}

static void read_node(struct reader *r, const struct tw_yaml_item *item,
                      struct tw_snapshot_node *node)
{
    static const char *const known[] = {"borders", "contents", "file",   "inputs",
                                        "layout",  "library",  "params", "seed",
                                        "type",    "version",  NULL};
    const struct tw_yaml *yaml = item->value;
    node->path = tw_arena_copy(&r->snapshot->arena, item->key->text, strlen(item->key->text));
    if (!tw_expect_kind(r->log, yaml, TW_YAML_MAPPING, "a node of the lock"))
        return;
    tw_expect_keys(r->log, &r->snapshot->arena, yaml, "a node of the lock", known);
    scalar(r, yaml, "type", yaml);
    scalar(r, yaml, "version", yaml);
    read_facts(r, tw_yaml_find(yaml, "contents"), "", &node->contents);
    read_facts(r, tw_yaml_find(yaml, "inputs"), "inputs.", &node->causes);
    read_facts(r, tw_yaml_find(yaml, "params"), "params.", &node->causes);
    for (const struct tw_yaml_item *fact = yaml->items; fact; fact = fact->next)
        if (fact->value->kind == TW_YAML_SCALAR &&
            !tw_facts_add(&r->snapshot->arena, &node->causes, fact->key->text, fact->value->text))
            tw_fault_log_add(r->log, TW_MEMORY, fact->value->place, NULL, "out of memory");
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
        !(v >= 0 && v <= INT32_MAX && v == (int32_t)v)) {
        fault(r, size, "expected a size as in [512, 512]");
        return 0;
    }
    return (int32_t)v;
}

static void read_tolerance(struct reader *r, const struct tw_yaml *yaml,
                           struct tw_result_facts *facts)
{
    if (!yaml)
        return;
    facts->tolerance.output = facts->name;
    facts->tolerant =
        tw_tolerance_read(&r->snapshot->arena, r->log, yaml, "a tolerance", &facts->tolerance);
}

static void read_result(struct reader *r, const struct tw_yaml_item *item,
                        struct tw_result_facts *facts)
{
    static const char *const known[] = {"greatest", "least",     "mean", "sha256",
                                        "size",     "tolerance", "type", NULL};
    const struct tw_yaml *yaml = item->value, *size = tw_yaml_find(yaml, "size");
    facts->line = item->key->place.line;
    facts->column = item->key->place.column;
    facts->name = tw_arena_copy(&r->snapshot->arena, item->key->text, strlen(item->key->text));
    if (!tw_expect_kind(r->log, yaml, TW_YAML_MAPPING, "a result of the lock"))
        return;
    tw_expect_keys(r->log, &r->snapshot->arena, yaml, "a result of the lock", known);
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
    read_tolerance(r, tw_yaml_find(yaml, "tolerance"), facts);
}

static struct tw_result_facts *read_results(struct reader *r, const struct tw_yaml *mapping,
                                            int32_t *count)
{
    if (!mapping || !tw_expect_kind(r->log, mapping, TW_YAML_MAPPING, "this part of the lock"))
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
        fault(r, root, "this is not a lock file: the first key is not 'thalweg-lock'");
        return false;
    }
    if (first->value->kind == TW_YAML_SCALAR &&
        (strcmp(first->value->text, "1") == 0 || strcmp(first->value->text, "2") == 0))
        return true;
    tw_fault_log_add(r->log, TW_RECIPE, first->value->place,
                     "run the engine that wrote it, or write the lock anew with 'thalweg lock'",
                     "the lock has version '%.20s'; this engine, " TW_VERSION
                     ", reads versions 1 and 2",
                     first->value->kind == TW_YAML_SCALAR ? first->value->text : "");
    return false;
}

/* ---- `given` ---- */

/* Checks "seed", "size" and "set.NAME". */
static void check_given(struct reader *r, const struct tw_yaml *given)
{
    uint64_t seed;
    int32_t width, height;
    for (const struct tw_yaml_item *item = given->items; item; item = item->next) {
        const char *name = item->key->text, *value = item->value->text;
        if (item->value->kind != TW_YAML_SCALAR)
            continue; /* reported */
        if (strcmp(name, "seed") == 0 && !tw_number_parse_whole(value, &seed))
            fault(r, item->value, "expected a seed as --seed takes it");
        else if (strcmp(name, "size") == 0 && !tw_lock_parse_size(value, &width, &height))
            fault(r, item->value, "expected a size as in \"512x512\"");
        else if (strcmp(name, "seed") != 0 && strcmp(name, "size") != 0 &&
                 strncmp(name, "set.", 4) != 0)
            fault(r, item->key, "expected seed, size or set.NAME");
    }
}

/* Each source must be "node.port"; a variadic input has several, with tabs between. */
static void check_inputs(struct reader *r, const struct tw_yaml *nodes, const struct tw_yaml *node)
{
    const struct tw_yaml *inputs = tw_yaml_find(node, "inputs");
    char message[200];
    for (const struct tw_yaml_item *item = inputs && inputs->kind == TW_YAML_MAPPING ? inputs->items
                                                                                     : NULL;
         item; item = item->next) {
        const char *at = item->value->kind == TW_YAML_SCALAR ? item->value->text : "";
        for (; *at; at += strcspn(at, "\t"), at += *at == '\t') {
            size_t length = strcspn(at, "\t");
            size_t path = length;
            while (path > 0 && at[path] != '.')
                path--;
            const char *name = tw_arena_copy(&r->snapshot->arena, at, path > 0 ? path : length);
            if (!name || tw_yaml_find(nodes, name))
                continue; /* the arena remembers that memory ran out */
            snprintf(message, sizeof message,
                     "the lock has no node '%.140s', which is an input here", name);
            fault(r, item->value, message);
        }
    }
}

static void read_root(struct reader *r, const struct tw_limits *limits, const struct tw_yaml *root)
{
    static const char *const known[] = {"thalweg-lock", "engine",  "exports", "given",
                                        "nodes",        "outputs", "world",   NULL};
    struct tw_snapshot *snapshot = r->snapshot;
    const struct tw_yaml *nodes = tw_yaml_find(root, "nodes");
    tw_expect_keys(r->log, &snapshot->arena, root, "a lock", known);
    const char *engine = scalar(r, root, "engine", root);
    snapshot->engine = tw_arena_copy(&snapshot->arena, engine, strlen(engine));
    for (int i = 2; known[i]; i++)
        if (!tw_yaml_find(root, known[i])) {
            char message[100];
            snprintf(message, sizeof message, "the lock has no %s: half of it is missing",
                     known[i]);
            fault(r, root, message);
        }
    const struct tw_yaml *given = tw_yaml_find(root, "given");
    read_facts(r, given, "", &snapshot->given);
    if (given && given->kind == TW_YAML_MAPPING)
        check_given(r, given);
    snapshot->given_line = given ? given->place.line : 0;
    snapshot->given_column = given ? given->place.column : 0;
    read_facts(r, tw_yaml_find(root, "world"), "", &snapshot->world);
    snapshot->outputs = read_results(r, tw_yaml_find(root, "outputs"), &snapshot->output_count);
    snapshot->exports = read_results(r, tw_yaml_find(root, "exports"), &snapshot->export_count);
    if (!nodes || !tw_expect_kind(r->log, nodes, TW_YAML_MAPPING, "nodes"))
        return;
    if (limits->nodes > 0 && nodes->count > limits->nodes) {
        tw_fault_log_add(r->log, TW_LIMIT, nodes->place, NULL,
                         "the lock has %d nodes; expected at most %d", (int)nodes->count,
                         (int)limits->nodes);
        return;
    }
    snapshot->nodes =
        tw_arena_alloc(&snapshot->arena, (size_t)nodes->count + 1, sizeof *snapshot->nodes);
    for (const struct tw_yaml_item *item = nodes->items; snapshot->nodes && item; item = item->next)
        read_node(r, item, &snapshot->nodes[snapshot->node_count++]);
    for (const struct tw_yaml_item *item = nodes->items; item; item = item->next)
        if (item->value->kind == TW_YAML_MAPPING)
            check_inputs(r, nodes, item->value);
}

bool tw_lock_parse_size(const char *text, int32_t *width, int32_t *height)
{
    char first[12];
    uint64_t w = 0, h = 0;
    size_t length = strcspn(text, "x");
    if (length >= sizeof first || text[length] != 'x')
        return false;
    snprintf(first, sizeof first, "%.*s", (int)length, text);
    if (!tw_number_parse_whole(first, &w) || !tw_number_parse_whole(text + length + 1, &h) ||
        w < 1 || w > TW_SIDE_MAX || h < 1 || h > TW_SIDE_MAX)
        return false;
    *width = (int32_t)w;
    *height = (int32_t)h;
    return true;
}

enum tw_status tw_lock_read(const char *path, const struct tw_load_options *options,
                            struct tw_snapshot **snapshot, struct tw_error *err)
{
    unsigned char *data = NULL;
    size_t length = 0;
    struct tw_fault_log log = {.sink = options->diagnostic, .context = options->context};
    struct reader r = {.snapshot = calloc(1, sizeof *r.snapshot), .log = &log};
    if (!r.snapshot)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    enum tw_status status =
        tw_links_check(path, err); /* a lock is committed, possibly by an attacker */
    if (status == TW_OK)
        status = tw_file_read(path, TW_YAML_BYTES_MAX, &data, &length, err);
    log.hides = tw_links_lead_to(path);
    if (status != TW_OK) {
        tw_snapshot_release(r.snapshot);
        status = status == TW_MEMORY || status == TW_PATH ? status : TW_INPUT;
        return err ? err->status = status : status;
    }
    const struct tw_yaml *root =
        tw_yaml_parse(&r.snapshot->arena, &log, path, (const char *)data, length);
    if (root && check_version(&r, root))
        read_root(&r, &options->limits, root);
    if (r.snapshot->arena.failed && log.faults == 0)
        log.first.status = tw_error_set(&log.first, TW_MEMORY, "out of memory");
    bool ok = log.faults == 0 && !r.snapshot->arena.failed && root;
    free(data);
    if (ok) {
        *snapshot = r.snapshot;
        return TW_OK;
    }
    tw_snapshot_release(r.snapshot);
    if (err)
        *err = log.first;
    return log.first.status;
}
