/* SPDX-License-Identifier: MIT */
/* Reads what an experiment measures, and its assertions. */
#include "study/experiment_private.h"

#include "base/text/number.h"
#include "base/text/suggest.h"
#include "study/map_measure.h"

#include <stdio.h>
#include <string.h>

const char *const tw_statistic_names[TW_STATISTICS] = {"mean", "deviation", "min", "max"};

/* output.field, or output.kind.field(1, 2) */
static bool is_field(const char *text)
{
    size_t words = strcspn(text, "(");
    bool closed = !text[words] || strchr(text + words, ')') == text + strlen(text) - 1;
    return closed && strchr(text, '.') &&
           strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_.") == words;
}

static bool find_operand(void *context, const char *name, bool in_braces,
                         struct tw_formula_step *step, struct tw_expression_fault *fault)
{
    const struct tw_experiment *e = context;
    struct tw_suggestion suggestion = {.unknown = name};
    (void)in_braces;
    for (int32_t i = 0; i < e->measure_count; i++) {
        if (strcmp(e->measures[i].name, name) == 0) {
            *step = (struct tw_formula_step){.op = TW_FORMULA_INPUT, .input = i};
            return true;
        }
        tw_suggest_offer(&suggestion, e->measures[i].name);
    }
    snprintf(fault->message, sizeof fault->message,
             "'%.60s' is not measured before this; expected the name of a measure above", name);
    if (suggestion.best)
        snprintf(fault->hint, sizeof fault->hint, "did you mean '%s'?", suggestion.best);
    return false;
}

static bool read_formula(struct tw_experiment_reader *reader, const struct tw_yaml *value,
                         struct tw_measure *measure)
{
    const struct tw_expression_names names = {find_operand, reader->experiment};
    struct tw_expression_fault fault = {0};
    struct tw_expression *formula = tw_arena_alloc(&reader->experiment->arena, 1, sizeof *formula);
    if (!formula)
        return tw_experiment_no_memory(reader);
    measure->formula = formula;
    if (tw_expression_parse(value->text, strlen(value->text), TW_EXPRESSION_FIELDS, &names, formula,
                            &fault))
        return true;
    tw_fault_log_add(reader->log, TW_RECIPE, tw_yaml_place_within(value, fault.at), fault.hint,
                     "%s", fault.message);
    return false;
}

/* Reads score.game, seconds, or {NAME: field or formula} */
static bool read_measure(struct tw_experiment_reader *reader, const struct tw_yaml *value,
                         struct tw_measure *measure)
{
    bool named = value->kind == TW_YAML_MAPPING && value->count == 1;
    const struct tw_yaml *text = named ? value->items->value : value;
    if (text->kind == TW_YAML_SCALAR && named)
        *measure = (struct tw_measure){.name = value->items->key->text, .place = text->place};
    else if (text->kind == TW_YAML_SCALAR)
        *measure = (struct tw_measure){.name = text->text, .place = text->place};
    if (text->kind == TW_YAML_SCALAR && is_field(text->text)) {
        size_t dot = strcspn(text->text, ".");
        measure->output = tw_arena_copy(&reader->experiment->arena, text->text, dot);
        measure->field = text->text + dot + 1;
        if (dot > 0 && text->text[dot + 1])
            return measure->output || tw_experiment_no_memory(reader);
    } else if (text->kind == TW_YAML_SCALAR && named) {
        return read_formula(reader, text, measure);
    } else if (text->kind == TW_YAML_SCALAR && strcmp(text->text, "seconds") == 0) {
        return true;
    }
    TW_EXPERIMENT_FAULT(reader, value->place,
                        "a measure is a field of a record output, as in score.game, something of a "
                        "map, as in height.mean, seconds, or a formula over those before it, as in "
                        "{good: score.game / score.erosion}");
    return false;
}

/* ---- the list ---- */

/* The field of "height.slope.histogram(0, 16, 8)". */
static const char *bins_of(const struct tw_yaml *value)
{
    struct tw_map_bins bins;
    const char *dot = value->kind == TW_YAML_SCALAR ? strchr(value->text, '.') : NULL;
    return dot && tw_map_bins_read(dot + 1, &bins) != 0 ? dot + 1 : NULL;
}

static size_t count_measures(const struct tw_yaml *list)
{
    size_t count = 0;
    for (const struct tw_yaml_item *item = list->items; item; item = item->next) {
        const char *field = bins_of(item->value);
        struct tw_map_bins bins = {.count = 1};
        count += field && tw_map_bins_read(field, &bins) > 0 ? (size_t)bins.count : 1;
    }
    return count;
}

/* Adds a measure for each bin, as if written as shares: height.slope.share(0, 2). */
static void read_bins(struct tw_experiment_reader *reader, const struct tw_yaml *value)
{
    struct tw_experiment *e = reader->experiment;
    struct tw_map_bins bins;
    const char *field = bins_of(value);
    if (tw_map_bins_read(field, &bins) < 0) {
        TW_EXPERIMENT_FAULT(
            reader, value->place,
            "a measure is '%.80s'; expected histogram(LOW, HIGH, BINS) with LOW below HIGH and "
            "1 to %d bins",
            value->text, TW_MAP_BINS_MAX);
        return;
    }
    for (int32_t i = 0; i < bins.count; i++) {
        double width = (bins.high - bins.low) / bins.count;
        char low[40], high[40];
        const bool last = i == bins.count - 1;
        tw_axis_print(low, sizeof low, i == 0 ? 17 : 6, bins.low + i * width, bins.high - bins.low);
        tw_axis_print(high, sizeof high, last ? 17 : 6,
                      last ? bins.high : bins.low + (i + 1) * width, bins.high - bins.low);
        struct tw_measure *measure = &e->measures[e->measure_count];
        *measure = (struct tw_measure){
            .name = tw_arena_print(&e->arena, "%.*s%s(%s, %s)", (int)(field - value->text),
                                   value->text, bins.share, low, high),
            .output = tw_arena_copy(&e->arena, value->text, (size_t)(field - value->text) - 1),
            .place = value->place};
        if (!measure->name || !measure->output) {
            tw_experiment_no_memory(reader);
            return;
        }
        measure->field = measure->name + (field - value->text);
        e->measure_count++;
    }
}

/* In [height.share(0, 1)] YAML splits the entry at the comma. */
static bool is_cut(const struct tw_yaml *value)
{
    return value->kind == TW_YAML_SCALAR && !value->quoted && strchr(value->text, '(') &&
           !strchr(value->text, ')');
}

/* Returns the last of the entries that belong to one measure. */
static const struct tw_yaml_item *report_cut(struct tw_experiment_reader *reader,
                                             const struct tw_yaml_item *item)
{
    tw_fault_log_add(reader->log, TW_RECIPE, item->value->place,
                     "a ',' ends an entry of a list; expected quotes, as in "
                     "\"height.share(0, 1)\"",
                     "a measure is '%.80s', where '(' is not closed", item->value->text);
    while (item->next && (item->value->kind != TW_YAML_SCALAR || !strchr(item->value->text, ')')))
        item = item->next;
    return item;
}

void tw_experiment_read_measures(struct tw_experiment_reader *reader, const struct tw_yaml *list)
{
    struct tw_experiment *e = reader->experiment;
    if (!tw_expect_kind(reader->log, list, TW_YAML_SEQUENCE, "measure"))
        return;
    size_t count = count_measures(list);
    if (count > TW_MEASURES_MAX) {
        TW_EXPERIMENT_FAULT(reader, list->place, "more than %d measures", TW_MEASURES_MAX);
        return;
    }
    e->measures = tw_arena_alloc(&e->arena, count + 1, sizeof *e->measures);
    if (!e->measures) {
        tw_experiment_no_memory(reader);
        return;
    }
    for (const struct tw_yaml_item *item = list->items; item; item = item->next)
        if (bins_of(item->value))
            read_bins(reader, item->value);
        else if (is_cut(item->value))
            item = report_cut(reader, item);
        else if (read_measure(reader, item->value, &e->measures[e->measure_count]))
            e->measure_count++;
    if (!list->items)
        TW_EXPERIMENT_FAULT(reader, list->place, "nothing is measured");
}

int32_t tw_experiment_find_measure(struct tw_experiment_reader *reader, const struct tw_yaml *name)
{
    struct tw_suggestion suggestion = {.unknown = name->text};
    for (int32_t i = 0; i < reader->experiment->measure_count; i++) {
        const char *measure = reader->experiment->measures[i].name;
        if (measure && strcmp(measure, name->text) == 0)
            return i;
        if (measure && tw_fault_log_may_suggest(reader->log))
            tw_suggest_offer(&suggestion, measure);
    }
    tw_fault_log_add(reader->log, TW_RECIPE, name->place,
                     tw_suggest_hint(&suggestion, &reader->experiment->arena),
                     "'%s' is not measured; expected the name of a measure", name->text);
    return -1;
}

void tw_experiment_read_goals(struct tw_experiment_reader *reader, const struct tw_yaml *mapping)
{
    if (!mapping || !tw_expect_kind(reader->log, mapping, TW_YAML_MAPPING, "goal"))
        return;
    for (const struct tw_yaml_item *item = mapping->items; item; item = item->next) {
        int32_t measure = tw_experiment_find_measure(reader, item->key);
        const char *goal = item->value->kind == TW_YAML_SCALAR ? item->value->text : "";
        if (strcmp(goal, "up") != 0 && strcmp(goal, "down") != 0)
            TW_EXPERIMENT_FAULT(reader, item->value->place, "goal of %s is %s; expected up or down",
                                item->key->text, TW_YAML_FOUND(item->value));
        else if (measure >= 0)
            reader->experiment->measures[measure].goal = goal[0] == 'u' ? 1 : -1;
    }
}

void tw_experiment_read_until(struct tw_experiment_reader *reader, const struct tw_yaml *mapping)
{
    if (!mapping || !tw_expect_kind(reader->log, mapping, TW_YAML_MAPPING, "until"))
        return;
    if (reader->experiment->baseline < 0 && !tw_yaml_find(reader->root, "baseline"))
        TW_EXPERIMENT_FAULT(reader, mapping->place,
                            "until: is about differences to the baseline, and there is none");
    for (const struct tw_yaml_item *item = mapping->items; item; item = item->next) {
        int32_t measure = tw_experiment_find_measure(reader, item->key);
        double width = 0;
        if (item->value->kind != TW_YAML_SCALAR || !tw_number_parse(item->value->text, &width) ||
            !(width > 0))
            TW_EXPERIMENT_FAULT(reader, item->value->place,
                                "until of %s is %s; expected the width of an interval, above 0",
                                item->key->text, TW_YAML_FOUND(item->value));
        else if (measure >= 0)
            reader->experiment->measures[measure].until = width;
    }
}

static int find_statistic(struct tw_experiment_reader *reader, const struct tw_yaml *name)
{
    for (int i = 0; i < TW_STATISTICS; i++)
        if (strcmp(tw_statistic_names[i], name->text) == 0)
            return i;
    TW_EXPERIMENT_FAULT(reader, name->place,
                        "'%s' is not a statistic; expected mean, deviation, min or max",
                        name->text);
    return -1;
}

static bool read_limit(struct tw_experiment_reader *reader, const struct tw_yaml *interval,
                       const char *key, double *limit)
{
    const struct tw_yaml *value = tw_yaml_find(interval, key);
    if (!value || (value->kind == TW_YAML_SCALAR && tw_number_parse(value->text, limit)))
        return true;
    TW_EXPERIMENT_FAULT(reader, value->place, "%s is %s; expected a number", key,
                        TW_YAML_FOUND(value));
    return false;
}

/* Reports an empty assertion as a fault. */
static bool is_empty(struct tw_experiment_reader *reader, const struct tw_yaml *mapping,
                     const char *expected)
{
    if (!mapping->items)
        TW_EXPERIMENT_FAULT(reader, mapping->place, "nothing is asserted; expected %s", expected);
    return !mapping->items;
}

/* The limits of {mean: {min: 0.5}}, or of {min: 0.5}, which is {min: {min: 0.5}}. */
static bool read_limits(struct tw_experiment_reader *reader, const struct tw_yaml_item *row,
                        struct tw_bound *bound)
{
    static const char *const known[] = {"min", "max", NULL};
    const bool extreme = bound->statistic == TW_LEAST || bound->statistic == TW_GREATEST;
    double *own = bound->statistic == TW_LEAST ? &bound->min : &bound->max;
    if (extreme && row->value->kind == TW_YAML_SCALAR && tw_number_parse(row->value->text, own))
        return true;
    if (!tw_expect_kind(reader->log, row->value, TW_YAML_MAPPING, row->key->text))
        return false;
    tw_expect_keys(reader->log, &reader->experiment->arena, row->value, "an assertion", known);
    return read_limit(reader, row->value, "min", &bound->min) &&
           read_limit(reader, row->value, "max", &bound->max) &&
           !is_empty(reader, row->value, "a limit, as in {min: 0.5}");
}

/* Reports limits that no results can meet, alone or with the measure's other statistics: its least
 * value is at most its greatest. The bounds of one measure were read just before. */
static bool may_hold(struct tw_experiment_reader *reader, const struct tw_yaml_item *row,
                     const struct tw_bound *bound)
{
    double low = bound->min, high = bound->max;
    for (const struct tw_bound *b = reader->experiment->bounds;
         b && b->measure == bound->measure && b->variant == bound->variant; b = b->next) {
        if (bound->statistic == TW_GREATEST && b->statistic == TW_LEAST)
            low = b->min > low ? b->min : low;
        if (bound->statistic == TW_LEAST && b->statistic == TW_GREATEST)
            high = b->max < high ? b->max : high;
    }
    if (low <= high)
        return true;
    TW_EXPERIMENT_FAULT(reader, row->key->place,
                        "at least %.9g and at most %.9g is asserted; no result is both", low, high);
    return false;
}

/* Reads {mean: {min: 0.5}} of one measure. */
static void read_bound(struct tw_experiment_reader *reader, int32_t variant, int32_t measure,
                       const struct tw_yaml_item *row)
{
    struct tw_bound bound = {.variant = variant, .measure = measure, .min = -1e300, .max = 1e300};
    int statistic = find_statistic(reader, row->key);
    if (statistic < 0)
        return;
    bound.statistic = (enum tw_statistic)statistic;
    if (!read_limits(reader, row, &bound) || !may_hold(reader, row, &bound))
        return;
    struct tw_bound *kept = tw_arena_alloc(&reader->experiment->arena, 1, sizeof *kept);
    if (!kept) {
        tw_experiment_no_memory(reader);
        return;
    }
    bound.place = row->key->place;
    bound.next = reader->experiment->bounds;
    *kept = bound;
    reader->experiment->bounds = kept;
    reader->experiment->bound_count++;
}

void tw_experiment_read_bounds(struct tw_experiment_reader *reader, int32_t variant,
                               const struct tw_yaml *mapping)
{
    if (!mapping || !tw_expect_kind(reader->log, mapping, TW_YAML_MAPPING, "assert") ||
        is_empty(reader, mapping, "measures, as in {score.game: {mean: {min: 0.5}}}"))
        return;
    for (const struct tw_yaml_item *item = mapping->items; item; item = item->next) {
        int32_t measure = tw_experiment_find_measure(reader, item->key);
        if (measure < 0 ||
            !tw_expect_kind(reader->log, item->value, TW_YAML_MAPPING, item->key->text) ||
            is_empty(reader, item->value, "a statistic, as in {mean: {min: 0.5}}"))
            continue;
        for (const struct tw_yaml_item *row = item->value->items; row; row = row->next) {
            if (reader->experiment->bound_count == TW_BOUNDS_MAX) {
                TW_EXPERIMENT_FAULT(reader, row->key->place, "more than %d assertions",
                                    TW_BOUNDS_MAX);
                return;
            }
            read_bound(reader, variant, measure, row);
        }
    }
}
