/* SPDX-License-Identifier: MIT */
#include "session/run_report.h"

#include "base/text/json.h"
#include "base/text/text.h"
#include "console/answer.h"
#include "console/documents.h"
#include "run/export.h"
#include "session/explain.h"
#include "session/remote_report.h"

#include <inttypes.h>
#include <stdio.h>

struct tw_run_sums tw_run_sum(const struct tw_recipe_set *parts)
{
    struct tw_run_sums sums = {0};
    for (int32_t g = 0; g < parts->graph_count; g++) {
        /* a viewer's graph has additional nodes that draw, so count those of its only part */
        const struct tw_run_summary *report =
            parts->shown && parts->count == 1 ? &parts->at[0].report : &parts->graphs[g].report;
        sums.needed += report->needed;
        for (int32_t i = 0; i < report->node_count; i++) {
            sums.computed += report->nodes[i].outcome == TW_OUTCOME_COMPUTED;
            sums.hits += report->nodes[i].outcome == TW_OUTCOME_HIT;
        }
        sums.exports += report->export_count;
        for (int32_t i = 0; i < report->export_count; i++)
            sums.written += report->exports[i].written;
    }
    return sums;
}

/* Prints the numbers to type into the import dialogs of game engines. */
static void print_advice(const struct tw_recipe_entry *part)
{
    for (int32_t i = 0; i < part->report.export_count; i++) {
        const struct tw_export *item = part->report.exports[i].item;
        struct tw_advice advice;
        char text[800];
        if (part->report.exports[i].failed || !tw_export_is_entry(item) ||
            !tw_export_advise(part->recipe, item, &advice))
            continue;
        tw_advice_print(&advice, text, sizeof text);
        tw_text_write(stderr, item->entry, TW_TEXT_TERMINAL);
        fprintf(stderr, " for %s: %s\n", item->preset->name, text);
    }
}

void tw_run_print(const struct tw_recipe_set *parts)
{
    struct tw_run_sums sums = tw_run_sum(parts);
    for (int32_t p = 0; p < parts->count; p++)
        for (int32_t i = 0; i < parts->at[p].report.export_count; i++) {
            const struct tw_export_summary *item = &parts->at[p].report.exports[i];
            if (!item->there)
                continue;
            tw_text_write(stdout, parts->at[p].folder, TW_TEXT_TERMINAL);
            fputs("/", stdout);
            tw_text_write(stdout, item->item->file, TW_TEXT_TERMINAL);
            printf("%s\n", item->written ? "" : " (unchanged)");
        }
    (void)fflush(stdout);
    for (int32_t p = 0; p < parts->count; p++)
        print_advice(&parts->at[p]);
    if (parts->count > 1)
        fprintf(stderr, "%d recipes: %d of %d nodes computed, %d of %d exports written\n",
                (int)parts->count, (int)sums.computed, (int)sums.needed, (int)sums.written,
                (int)sums.exports);
}

static uint64_t mebibytes(uint64_t bytes) { return (bytes + 1048575) >> 20; }

/* Reports where values leave memory during the run. */
static void explain_memory(const struct tw_run_summary *report, bool dry)
{
    const struct tw_spill_counts *forecast = &report->spill_forecast, *now = &report->spilled;
    if (!report->spills)
        return;
    printf("memory: %" PRIu64 " MiB", mebibytes(report->peak_bytes));
    if (forecast->values > 0)
        printf("; %s%" PRIu64 " values of %" PRIu64 " MiB leave it for the cache folder, %" PRIu64
               " MiB are read back",
               dry ? "up to " : "forecast: ", forecast->values, mebibytes(forecast->bytes),
               mebibytes(forecast->read_bytes));
    if (!dry)
        printf("; now %" PRIu64 " values of %" PRIu64 " MiB, %" PRIu64 " MiB read back",
               now->values, mebibytes(now->bytes), mebibytes(now->read_bytes));
    puts("");
}

void tw_run_explain(const struct tw_settings *settings, const struct tw_recipe_set *parts)
{
    for (int32_t p = 0; p < parts->count; p++) {
        const struct tw_recipe_entry *part = &parts->at[p];
        if (parts->count > 1) {
            fputs(p ? "\n" : "", stdout);
            tw_text_write(stdout, part->file, TW_TEXT_TERMINAL);
            fputs(":\n", stdout);
        }
        tw_run_explain_nodes(stdout, part->recipe, &part->report, part->history, settings->dry_run);
    }
    for (int32_t g = 0; g < parts->graph_count; g++)
        explain_memory(&parts->graphs[g].report, settings->dry_run);
}

/* ---- JSON ---- */

static json_t *hex_json(const void *at, size_t length)
{
    char hex[65];
    tw_hex(at, length, hex);
    return json_string(hex);
}

static json_t *node_json(const struct tw_node *node, const struct tw_node_summary *report)
{
    static const char *const outcomes[] = {"not needed", "undecided", "hit", "computed"};
    json_t *outputs = json_object();
    const struct tw_port *ports = node->type->outputs;
    for (int i = 0; ports[i].name; i++)
        if (report->stamped >> i & 1)
            json_object_set_new(
                outputs, ports[i].name,
                hex_json(report->outputs[i].digest.at, sizeof report->outputs[i].digest.at));
    return TW_DOCUMENT(
        run_node, .path = node->path, .type = node->type->name,
        .outcome = outcomes[report->outcome], .seconds = report->seconds, .loaded = report->loaded,
        .entry_from = tw_run_source(report->outcome == TW_OUTCOME_HIT, report->remote),
        .value_from = tw_run_source(report->loaded, report->fetched), .outputs = outputs);
}

/* Lists the numbers to type into the engine's import dialog, in its order. */
static json_t *type_in_json(const struct tw_recipe *recipe, const struct tw_export *item)
{
    struct tw_advice advice = {.count = 0};
    json_t *list = json_array();
    bool advised = tw_export_is_entry(item) && tw_export_advise(recipe, item, &advice);
    for (int i = 0; advised && i < advice.count; i++)
        json_array_append_new(list, TW_DOCUMENT(number_to_type, .name = advice.at[i].name,
                                                .value = advice.at[i].text));
    return list;
}

static json_t *export_json(const struct tw_recipe *recipe, const struct tw_export_summary *report)
{
    const struct tw_export_identity *identity = &report->identity;
    char sha256[65];
    tw_hex(identity->sha256.at, sizeof identity->sha256.at, sha256);
    return TW_DOCUMENT(run_export, .file = report->item->file, .complete = report->there,
                       .written = report->written, .bytes = (int64_t)report->bytes,
                       .sha256 = identity->has_sha256 ? sha256 : NULL,
                       .type_in = type_in_json(recipe, report->item));
}

double tw_run_recipe_seconds(const struct tw_recipe_entry *part, int32_t *computed)
{
    double seconds = 0;
    *computed = 0;
    for (int32_t i = 0; i < part->report.node_count; i++)
        if (part->report.nodes[i].outcome == TW_OUTCOME_COMPUTED) {
            seconds += part->report.nodes[i].seconds;
            ++*computed;
        }
    return seconds;
}

static json_t *part_json(const struct tw_recipe_entry *part)
{
    char seed[24] = "";
    const struct tw_recipe *recipe = part->recipe;
    const struct tw_run_summary *report = &part->report;
    json_t *nodes = json_array(), *exports = json_array();
    int32_t computed;
    const double seconds = tw_run_recipe_seconds(part, &computed);
    if (recipe)
        snprintf(seed, sizeof seed, "%" PRIu64, recipe->seed);
    for (int32_t i = 0; recipe && i < report->node_count; i++)
        if (report->nodes[i].outcome != TW_OUTCOME_NOT_NEEDED)
            json_array_append_new(nodes, node_json(&recipe->nodes[i], &report->nodes[i]));
    for (int32_t i = 0; i < report->export_count; i++)
        json_array_append_new(exports, export_json(recipe, &report->exports[i]));
    return TW_DOCUMENT(
        run_recipe, .recipe = part->file, .folder = part->folder, .seed = recipe ? seed : NULL,
        .size = recipe ? tw_document_size(recipe->width, recipe->height) : json_null(),
        .seconds = seconds, .needed = report->needed, .computed = computed, .exports = exports,
        .nodes = nodes);
}

static void add_cases(const struct tw_recipe_entry *part)
{
    for (int32_t i = 0; i < part->report.export_count; i++) {
        if (tw_case_exists(part->file, part->report.exports[i].item->file))
            continue; /* this export failed */
        tw_case_begin(part->file, "%s", part->report.exports[i].item->file);
        if (!part->report.exports[i].there)
            tw_case_skip();
    }
    tw_case_end();
}

static void add_counts(struct tw_spill_counts *to, const struct tw_spill_counts *from)
{
    to->values += from->values;
    to->bytes += from->bytes;
    to->written_bytes += from->written_bytes;
    to->read_bytes += from->read_bytes;
}

static json_t *spilled_json(const struct tw_recipe_set *parts)
{
    struct tw_spill_counts now = {0}, forecast = {0};
    bool spills = false;
    for (int32_t g = 0; g < parts->graph_count; g++) {
        const struct tw_run_summary *report = &parts->graphs[g].report;
        spills |= report->spills;
        add_counts(&now, &report->spilled);
        add_counts(&forecast, &report->spill_forecast);
    }
    if (!spills)
        return json_null();
    return TW_DOCUMENT(
        spilled, .values = (int64_t)now.values, .bytes = (int64_t)now.bytes,
        .written_bytes = (int64_t)now.written_bytes, .read_bytes = (int64_t)now.read_bytes,
        .forecast_values = (int64_t)forecast.values, .forecast_bytes = (int64_t)forecast.bytes,
        .forecast_read_bytes = (int64_t)forecast.read_bytes);
}

void tw_run_answer(const struct tw_settings *settings, const struct tw_recipe_set *parts,
                   double seconds)
{
    struct tw_run_sums sums = tw_run_sum(parts);
    uint64_t peak = 0;
    const struct tw_run_summary *last = /* the server's counts accumulate over the graphs */
        parts->graph_count > 0 ? &parts->graphs[parts->graph_count - 1].report : NULL;
    if (!settings->json)
        return;
    json_t *recipes = json_array();
    for (int32_t p = 0; p < parts->count; p++) {
        json_array_append_new(recipes, part_json(&parts->at[p]));
        add_cases(&parts->at[p]);
    }
    for (int32_t g = 0; g < parts->graph_count; g++)
        if (parts->graphs[g].report.peak_bytes > peak)
            peak = parts->graphs[g].report.peak_bytes;
    tw_answer_set(TW_DOCUMENT(run, .seconds = seconds, .peak_bytes = (int64_t)peak,
                              .spilled = spilled_json(parts), .remote = tw_run_remote_json(last),
                              .needed = sums.needed, .computed = sums.computed, .hits = sums.hits,
                              .recipes = recipes));
}
