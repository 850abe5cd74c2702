/* SPDX-License-Identifier: MIT */
/* Prints a snapshot as YAML: keys sorted, texts in quotes, a block of lines per result and node. */
#include "gate/lock.h"

#include "base/text/number.h"
#include "base/text/text.h"
#include "graph/load/yaml.h"

#include <stdlib.h>
#include <string.h>

/* Prints a text in double quotes, escaped for YAML and JSON. */
static enum tw_status quote(struct tw_bytes *out, const char *text, struct tw_error *err)
{
    enum tw_status status = tw_bytes_append(out, "\"", 1, err);
    int length;
    for (const char *at = text; status == TW_OK && *at; at += length) {
        char quoted[TW_TEXT_QUOTED_BYTES];
        length = tw_text_quote(at, quoted);
        status = length > 0
                     ? tw_bytes_append(out, quoted, strlen(quoted), err)
                     : tw_error_set(err, TW_RECIPE,
                                    "'%s' is not UTF-8; a lock is, and cannot hold it", text);
    }
    return status == TW_OK ? tw_bytes_append(out, "\"", 1, err) : status;
}

/* Prints {name: "value"} for the facts whose names begin with `group`, without that prefix. */
static enum tw_status print_group(struct tw_bytes *out, const struct tw_facts *facts,
                                  const char *group, struct tw_error *err)
{
    enum tw_status status = tw_bytes_append(out, "{", 1, err);
    size_t length = strlen(group);
    bool first = true;
    for (int32_t i = 0; status == TW_OK && i < facts->count; i++) {
        const struct tw_fact *fact = &facts->at[i];
        if (strncmp(fact->name, group, length) != 0)
            continue;
        status = tw_bytes_print(out, err, "%s%s: ", first ? "" : ", ", fact->name + length);
        if (status == TW_OK)
            status = quote(out, fact->value, err);
        first = false;
    }
    return status == TW_OK ? tw_bytes_append(out, "}\n", 2, err) : status;
}

/* Groups of a node's facts, in sorted order with the facts that have no dot. */
static const struct {
    const char *name, *prefix;
} groups[] = {{"contents", ""}, {"inputs", "inputs."}, {"params", "params."}};
enum { CONTENTS, GROUPS = sizeof groups / sizeof groups[0] };

static enum tw_status print_fact(struct tw_bytes *out, const struct tw_fact *fact,
                                 struct tw_error *err)
{
    enum tw_status status = tw_bytes_print(out, err, "    %s: ", fact->name);
    if (status == TW_OK)
        status = quote(out, fact->value, err);
    return status == TW_OK ? tw_bytes_append(out, "\n", 1, err) : status;
}

static enum tw_status print_node(struct tw_bytes *out, const struct tw_snapshot_node *node,
                                 struct tw_error *err)
{
    const struct tw_facts *causes = &node->causes;
    int next = 0;
    enum tw_status status = tw_bytes_append(out, "  ", 2, err);
    if (status == TW_OK)
        status = quote(out, node->path, err);
    if (status == TW_OK)
        status = tw_bytes_append(out, ":\n", 2, err);
    for (int32_t i = 0; status == TW_OK && i <= causes->count; i++) {
        const struct tw_fact *fact = i < causes->count ? &causes->at[i] : NULL;
        for (; status == TW_OK && next < GROUPS &&
               (!fact || strcmp(groups[next].name, fact->name) < 0);
             next++) {
            status = tw_bytes_print(out, err, "    %s: ", groups[next].name);
            if (status == TW_OK)
                status = print_group(out, next == CONTENTS ? &node->contents : causes,
                                     groups[next].prefix, err);
        }
        if (status == TW_OK && fact && !strchr(fact->name, '.'))
            status = print_fact(out, fact, err);
    }
    return status;
}

/* Prints a value of a float map with as few digits as read back exactly. */
static void print_number(char *text, size_t size, double number)
{
    if ((double)(float)number == number)
        tw_number_print_float(text, size, (float)number);
    else
        tw_number_print(text, size, number);
}

static enum tw_status print_range(struct tw_bytes *out, const struct tw_result_facts *facts,
                                  struct tw_error *err)
{
    char least[32], greatest[32], mean[32];
    print_number(least, sizeof least, facts->least);
    print_number(greatest, sizeof greatest, facts->greatest);
    tw_number_print(mean, sizeof mean, facts->mean);
    return tw_bytes_print(out, err, "    greatest: %s\n    least: %s\n    mean: %s\n", greatest,
                          least, mean);
}

static enum tw_status print_tolerance(struct tw_bytes *out, const struct tw_tolerance *tolerance,
                                      struct tw_error *err)
{
    char mean[40], most[40];
    bool has_mean = tw_tolerance_has(tolerance->mean), has_most = tw_tolerance_has(tolerance->most);
    tw_tolerance_print_limit(mean, sizeof mean, tolerance->mean);
    tw_tolerance_print_limit(most, sizeof most, tolerance->most);
    return tw_bytes_print(out, err, "    tolerance: {%s%s%s%s%s}\n", has_mean ? "mean: " : "",
                          has_mean ? mean : "", has_mean && has_most ? ", " : "",
                          has_most ? "most: " : "", has_most ? most : "");
}

static enum tw_status print_result(struct tw_bytes *out, const struct tw_result_facts *facts,
                                   struct tw_error *err)
{
    enum tw_status status = tw_bytes_append(out, "  ", 2, err);
    if (status == TW_OK)
        status = quote(out, facts->name, err);
    if (status == TW_OK)
        status = tw_bytes_append(out, ":\n", 2, err);
    if (status == TW_OK && facts->ranged)
        status = print_range(out, facts, err);
    if (status == TW_OK)
        status = tw_bytes_print(out, err, "    sha256: \"%s\"\n    size: [%d, %d]\n", facts->sha256,
                                (int)facts->width, (int)facts->height);
    if (status == TW_OK && facts->tolerant)
        status = print_tolerance(out, &facts->tolerance, err);
    return status == TW_OK ? tw_bytes_print(out, err, "    type: %s\n", facts->type) : status;
}

static int by_name(const void *a, const void *b)
{
    return strcmp((*(const struct tw_result_facts *const *)a)->name,
                  (*(const struct tw_result_facts *const *)b)->name);
}

static int by_path(const void *a, const void *b)
{
    return strcmp((*(const struct tw_snapshot_node *const *)a)->path,
                  (*(const struct tw_snapshot_node *const *)b)->path);
}

/* Sorts pointers to `count` things of `size` bytes; NULL if memory runs out. */
static const void **sorted(const void *things, int32_t count, size_t size,
                           int (*compare)(const void *, const void *))
{
    const void **list = calloc((size_t)count + 1, sizeof *list);
    for (int32_t i = 0; list && i < count; i++)
        list[i] = (const char *)things + (size_t)i * size;
    if (list && count > 1)
        qsort(list, (size_t)count, sizeof *list, compare);
    return list;
}

static enum tw_status print_results(struct tw_bytes *out, const char *head,
                                    const struct tw_result_facts *facts, int32_t count,
                                    struct tw_error *err)
{
    const void **list = sorted(facts, count, sizeof *facts, by_name);
    enum tw_status status = list ? tw_bytes_print(out, err, "%s:%s\n", head, count ? "" : " {}")
                                 : tw_error_set(err, TW_MEMORY, "out of memory");
    for (int32_t i = 0; list && status == TW_OK && i < count; i++)
        status = print_result(out, list[i], err);
    free(list);
    return status;
}

static enum tw_status print_nodes(struct tw_bytes *out, const struct tw_snapshot *snapshot,
                                  struct tw_error *err)
{
    int32_t count = snapshot->node_count;
    const void **list = sorted(snapshot->nodes, count, sizeof *snapshot->nodes, by_path);
    enum tw_status status = list ? tw_bytes_print(out, err, "nodes:%s\n", count ? "" : " {}")
                                 : tw_error_set(err, TW_MEMORY, "out of memory");
    for (int32_t i = 0; list && status == TW_OK && i < count; i++)
        status = print_node(out, list[i], err);
    free(list);
    return status;
}

enum tw_status tw_lock_print(const struct tw_snapshot *snapshot, struct tw_bytes *out,
                             struct tw_error *err)
{
    enum tw_status status = tw_bytes_print(out, err, "thalweg-lock: %d\nengine: \"%s\"\n",
                                           TW_LOCK_VERSION, snapshot->engine);
    if (status == TW_OK)
        status = print_results(out, "exports", snapshot->exports, snapshot->export_count, err);
    if (status == TW_OK)
        status = tw_bytes_print(out, err, "given: ");
    if (status == TW_OK)
        status = print_group(out, &snapshot->given, "", err);
    if (status == TW_OK)
        status = print_nodes(out, snapshot, err);
    if (status == TW_OK)
        status = print_results(out, "outputs", snapshot->outputs, snapshot->output_count, err);
    if (status == TW_OK)
        status = tw_bytes_print(out, err, "world: ");
    if (status == TW_OK)
        status = print_group(out, &snapshot->world, "", err);
    if (status == TW_OK && out->length > TW_YAML_BYTES_MAX)
        return tw_error_set(err, TW_LIMIT,
                            "the lock would have %zu bytes; at most %zu can be read: lock recipes "
                            "of fewer nodes",
                            out->length, TW_YAML_BYTES_MAX);
    return status;
}
