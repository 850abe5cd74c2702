/* SPDX-License-Identifier: MIT */
/* thalweg lock --upgrade: locks anew what another version of the engine or of its nodes changed,
 * and nothing else, and shows each result before and after. */
#include "base/text/text.h"
#include "cli/gate/gate.h"
#include "console/findings.h"
#include "gate/within.h"

#include <string.h>

static bool is_version_only(const struct tw_node_drift *node)
{
    if (node->kind == TW_DRIFT_FOLLOWED)
        return true;
    for (int32_t i = 0; i < node->cause_count; i++)
        if (strcmp(node->causes[i].name, "version") != 0)
            return false;
    return node->kind == TW_DRIFT_CHANGED;
}

/* Returns the name of what else has changed; NULL: nothing. */
static const char *find_other(const struct tw_drift *drift)
{
    for (int32_t i = 0; i < drift->world_count; i++)
        if (strcmp(drift->world[i].name, "engine") != 0)
            return drift->world[i].name;
    for (int32_t i = 0; i < drift->node_count; i++)
        if (!is_version_only(&drift->nodes[i]))
            return drift->nodes[i].after ? drift->nodes[i].after->path
                                         : drift->nodes[i].before->path;
    return NULL;
}

static int check(struct tw_gate_item *item)
{
    struct tw_error error;
    const char *other = find_other(item->drift);
    if (!other)
        return 0;
    tw_error_set(&error, TW_DIFFERENCE,
                 "%s: not only versions of nodes have changed, but %s too: it is not locked anew",
                 item->lock_file, other);
    int code = tw_console_error(&error);
    tw_gate_fail(item, TW_GATE_DIFFERS, code, &error);
    return code;
}

static void print_range(const struct tw_result_facts *before, const struct tw_result_facts *after)
{
    if (before->ranged && after->ranged)
        printf("    least %.6g -> %.6g, greatest %.6g -> %.6g, mean %.6g -> %.6g\n", before->least,
               after->least, before->greatest, after->greatest, before->mean, after->mean);
}

static void print_result(const struct tw_gate_item *item, const struct tw_result_drift *result)
{
    const struct tw_pair *pair = result->is_export ? NULL : tw_within_pair(item, result->name);
    fputs("  ", stdout);
    tw_text_write(stdout, result->name, TW_TEXT_TERMINAL);
    fputs(":\n", stdout);
    if (result->before && result->after)
        print_range(result->before, result->after);
    if (pair && pair->comparable)
        printf("    differs by %.6g on the mean, at most %.6g at (%d, %d)\n", pair->difference.mean,
               pair->difference.greatest, (int)pair->difference.x, (int)pair->difference.y);
    printf("    sha256 %s -> %s\n", result->before ? result->before->sha256 : "none",
           result->after ? result->after->sha256 : "none");
}

static void print_item(const struct tw_gate_item *item)
{
    const struct tw_drift *drift = item->drift;
    tw_text_write(stdout, item->lock_file, TW_TEXT_TERMINAL);
    puts(item->written ? ": written" : ": unchanged");
    for (int32_t i = 0; i < drift->node_count; i++)
        for (int32_t k = 0; k < drift->nodes[i].cause_count; k++)
            printf("  %s: version %s -> %s\n",
                   tw_facts_find(&drift->nodes[i].after->causes, "type"),
                   drift->nodes[i].causes[k].before, drift->nodes[i].causes[k].after);
    for (int32_t i = 0; i < drift->result_count; i++)
        print_result(item, &drift->results[i]);
}

int tw_gate_upgrade(const struct tw_settings *settings, struct tw_gate_item *items, int32_t count)
{
    int worst = 0;
    for (int32_t i = 0; i < count; i++) {
        items[i].drift = tw_drift_find(items[i].before, items[i].after);
        if (!items[i].drift)
            return tw_console_no_memory();
        int code = check(&items[i]);
        worst = code > worst ? code : worst;
    }
    for (int32_t i = 0; worst == 0 && i < count; i++) {
        items[i].after->given = items[i].before->given;
        if (tw_drift_matters(items[i].drift))
            tw_gate_find_earlier(settings, &items[i]);
    }
    if (worst != 0)
        return worst;
    worst = tw_gate_write_locks(settings, items, count);
    bool answers = worst == 0 || tw_gate_worst(items, count) == worst;
    for (int32_t i = 0; answers && !settings->json && !settings->quiet && i < count; i++)
        if (items[i].code == 0)
            print_item(&items[i]);
    return worst;
}
