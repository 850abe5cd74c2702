/* SPDX-License-Identifier: MIT */
/* Prints what changed as text: the first node, why, by how much, and what followed from it. */
#include "base/text/text.h"
#include "cli/gate/gate.h"
#include "gate/within.h"

#include <string.h>

static void put(FILE *out, const char *text) { tw_text_write(out, text, TW_TEXT_TERMINAL); }

/* Cuts text that is longer than a digest, as tables are, and adds "...". */
static void put_short(FILE *out, const char *text)
{
    char cut[2 * sizeof(struct tw_sha256) + 1];
    snprintf(cut, sizeof cut, "%s", text ? text : "none");
    put(out, cut);
    if (text && strlen(text) >= sizeof cut)
        fputs("...", out);
}

/* Drops the prefix "params.": "params.talus" prints as talus, "inputs.in" in full. */
static const char *fact_name(const char *name)
{
    return strncmp(name, "params.", 7) == 0 ? name + 7 : name;
}

static void put_change(FILE *out, const struct tw_change *change)
{
    put(out, fact_name(change->name));
    fputs(" ", out);
    put_short(out, change->before);
    fputs(" -> ", out);
    put_short(out, change->after);
}

static void print_world(FILE *out, const struct tw_drift *drift)
{
    for (int32_t i = 0; i < drift->world_count; i++) {
        fputs("  ", out);
        put_change(out, &drift->world[i]);
        fputs("\n", out);
    }
}

static void print_causes(FILE *out, const struct tw_drift *drift, const struct tw_node_drift *node)
{
    for (int32_t i = 0; i < node->cause_count; i++) {
        fputs("    ", out);
        put_change(out, &node->causes[i]);
        fputs("\n", out);
    }
    if (node->kind == TW_DRIFT_FOLLOWED)
        fputs(drift->world_count > 0
                  ? "    nothing of its own has changed: it follows from what stands above\n"
                  : "    nothing that decides it has changed: another machine or compiler gives "
                    "other bytes, which is a fault of the engine\n",
              out);
}

static void print_renamed(FILE *out, const struct tw_node_drift *node)
{
    if (!node->renamed)
        return;
    fputs("    it was ", out);
    put(out, node->renamed);
    fputs(": a random node's name is part of its seed; a seed: of its own makes a name free\n",
          out);
}

static void print_first(FILE *out, const struct tw_drift *drift)
{
    const struct tw_node_drift *first = &drift->nodes[drift->first];
    const char *type = tw_facts_find(&first->after->causes, "type");
    fputs("  first: ", out);
    put(out, first->after->path);
    fprintf(out, " (%s)%s\n", type ? type : "", first->before ? "" : " is new");
    print_causes(out, drift, first);
    print_renamed(out, first);
}

static void print_record(FILE *out, const struct tw_pair *pair)
{
    const char *name;
    double old, now;
    int shown = 0;
    for (int32_t i = 0; i < pair->now.width; i++)
        if (tw_pairs_field(pair, i, &name, &old, &now)) {
            fputs(shown++ ? ", " : ": ", out);
            put(out, name);
            fprintf(out, " %.6g -> %.6g", old, now);
        }
    fputs("\n", out);
}

static void print_pair(FILE *out, const struct tw_pair *pair)
{
    char share[32];
    const struct tw_map_difference *d = &pair->difference;
    fputs("    ", out);
    put(out, pair->name);
    if (pair->now.type == TW_RECORD) {
        print_record(out, pair);
        return;
    }
    if (!pair->comparable) {
        fputs(": cannot be compared cell by cell\n", out);
        return;
    }
    if (d->differing == 0 && pair->is_new) {
        fputs(": a new output, whose map stays the same\n", out);
        return;
    }
    if (d->differing == 0) {
        fputs(": computed again from the lock it is as now: its SHA-256 was edited, or another "
              "build wrote it\n",
              out);
        return;
    }
    snprintf(share, sizeof share, "%.1f %%", 100.0 * (double)d->differing / (double)d->cells);
    fprintf(out, ": %s of %lld cells differ, by %.6g on the mean, at most %.6g at (%d, %d)\n",
            share, (long long)d->cells, d->mean, d->greatest, (int)d->x, (int)d->y);
}

static void print_results(FILE *out, const struct tw_drift *drift, bool exports)
{
    int32_t shown = 0;
    for (int32_t i = 0; i < drift->result_count; i++) {
        const struct tw_result_drift *result = &drift->results[i];
        if (result->is_export != exports)
            continue;
        fputs(shown++ ? ", " : exports ? "  exports: " : "  outputs: ", out);
        put(out, result->name);
        fputs(!result->before ? " (new)" : !result->after ? " (missing)" : "", out);
    }
    if (shown)
        fputs("\n", out);
}

/* Prints the digests of exports that differ although no node does: the lock's digest was edited, or
 * an option of the export changed, which locks do not record. */
static void print_digests(FILE *out, const struct tw_drift *drift)
{
    for (int32_t i = 0; i < drift->result_count; i++) {
        const struct tw_result_drift *result = &drift->results[i];
        if (!result->is_export || !result->before || !result->after)
            continue;
        fputs("    ", out);
        put(out, result->name);
        fprintf(out, ": its SHA-256 is %s; expected %s\n", result->after->sha256,
                result->before->sha256);
    }
}

static void print_unverified(FILE *out, const struct tw_gate_item *item)
{
    if (item->verdict != TW_GATE_NO_LOCK) {
        fputs(": failed\n", out);
        return;
    }
    fputs(": not compared: ", out);
    put(out, item->lock_file);
    fputs(" is missing or damaged\n", out);
}

static void put_limits(FILE *out, const struct tw_tolerance *tolerance)
{
    char most[40], mean[40];
    bool has_most = tw_tolerance_has(tolerance->most), has_mean = tw_tolerance_has(tolerance->mean);
    tw_tolerance_print_limit(most, sizeof most, tolerance->most);
    tw_tolerance_print_limit(mean, sizeof mean, tolerance->mean);
    fprintf(out, "%s%s%s%s%s", has_most ? "most " : "", has_most ? most : "",
            has_most && has_mean ? ", " : "", has_mean ? "mean " : "", has_mean ? mean : "");
}

static void print_one_within(FILE *out, const struct tw_gate_item *item,
                             const struct tw_result_drift *result)
{
    const struct tw_tolerance *tolerance = tw_within_find(item, result->name);
    const struct tw_pair *pair = tw_within_pair(item, result->name);
    bool metres = tolerance->most.metres || tolerance->mean.metres;
    double unit = metres ? tw_within_metres(item, pair) : 1;
    fputs("  ", out);
    put(out, result->name);
    fputs(": within ", out);
    put_limits(out, tolerance);
    fprintf(out, ": at most %.6g%s, mean %.6g%s\n    sha256 %s -> %s\n",
            pair->difference.greatest * unit, metres ? " m" : "", pair->difference.mean * unit,
            metres ? " m" : "", result->before->sha256, result->after->sha256);
}

/* Prints outputs with what they may differ by and do; digests of exports follow. */
static void print_within(FILE *out, const struct tw_gate_item *item)
{
    const struct tw_drift *drift = item->drift;
    fputs(item->written ? ": as locked within its tolerances, and locked anew\n"
                        : ": as locked within its tolerances\n",
          out);
    print_world(out, drift);
    for (int32_t i = 0; i < drift->result_count; i++) {
        const struct tw_result_drift *result = &drift->results[i];
        if (!result->is_export) {
            print_one_within(out, item, result);
            continue;
        }
        fputs("  ", out);
        put(out, result->name);
        fprintf(out, ": follows\n    sha256 %s -> %s\n", result->before->sha256,
                result->after->sha256);
    }
}

static void print_ways(FILE *out, const struct tw_gate_item *item)
{
    if (item->before && item->drift && item->lock_file && tw_within_asks(item) &&
        item->pair_count == 0)
        fputs("    tolerances need the earlier values: the cache of the engine that locked them, "
              "a float export of the output where run writes it, or --before DIR with that "
              "export\n",
              out);
}

void tw_gate_print(FILE *out, const struct tw_gate_item *item)
{
    const struct tw_drift *drift = item->drift;
    put(out, item->file);
    if (!drift) {
        print_unverified(out, item);
        return;
    }
    if (!tw_drift_matters(drift)) {
        fprintf(out, ": as locked (%d output%s, %d export%s)\n", (int)item->after->output_count,
                item->after->output_count == 1 ? "" : "s", (int)item->after->export_count,
                item->after->export_count == 1 ? "" : "s");
        return;
    }
    if (item->verdict == TW_GATE_WITHIN) {
        print_within(out, item);
        return;
    }
    fputs(": differs from ", out);
    put(out, item->lock_file ? item->lock_file : "the other");
    fputs(item->written ? ", which was updated\n" : "\n", out);
    print_world(out, drift);
    if (drift->first >= 0)
        print_first(out, drift);
    for (int32_t i = 0; i < item->pair_count; i++)
        print_pair(out, &item->pairs[i]);
    if (item->no_pairs) {
        fputs("    the earlier maps cannot be computed: ", out);
        put(out, item->no_pairs);
        fputs("\n", out);
    }
    print_ways(out, item);
    print_results(out, drift, false);
    print_results(out, drift, true);
    if (drift->first < 0 && drift->world_count == 0)
        print_digests(out, drift);
}

static void print_node(FILE *out, const struct tw_node_drift *node)
{
    const struct tw_snapshot_node *known = node->after ? node->after : node->before;
    const char *type = tw_facts_find(&known->causes, "type");
    fprintf(out, "  %-8s ", tw_drift_names[node->kind]);
    put(out, known->path);
    fprintf(out, " (%s)%s", type ? type : "", node->cause_count ? ": " : "");
    for (int32_t i = 0; i < node->cause_count; i++) {
        fputs(i ? ", " : "", out);
        put_change(out, &node->causes[i]);
    }
    bool same = node->kind == TW_DRIFT_CHANGED && !node->port;
    fputs(same ? "; its values stay the same\n" : "\n", out);
    print_renamed(out, node);
}

void tw_gate_print_graphs(FILE *out, const struct tw_gate_item *item)
{
    const struct tw_drift *drift = item->drift;
    if (drift->node_count == 0 && !tw_drift_matters(drift)) {
        fputs("the recipes are the same\n", out);
        return;
    }
    print_world(out, drift);
    for (int32_t i = 0; i < drift->node_count; i++)
        print_node(out, &drift->nodes[i]);
    for (int32_t i = 0; i < item->pair_count; i++)
        print_pair(out, &item->pairs[i]);
    if (item->no_pairs) {
        fputs("  the maps cannot be compared: ", out);
        put(out, item->no_pairs);
        fputs("\n", out);
    }
    print_results(out, drift, false);
    print_results(out, drift, true);
}
