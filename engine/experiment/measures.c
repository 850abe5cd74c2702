/* SPDX-License-Identifier: MIT */
/* What an experiment measures, and the bounds that must hold. */
#include "experiment/experiment_private.h"

#include "base/number.h"
#include "base/suggest.h"
#include "node/param.h"

#include <string.h>

const char *const tw_statistic_names[TW_STATISTICS] = {"mean", "deviation", "min", "max"};

static void read_measure(struct tw_experiment_reader *reader, const struct tw_yaml *value,
                         struct tw_measure *measure)
{
    const char *dot = value->kind == TW_YAML_SCALAR ? strchr(value->text, '.') : NULL;
    if (!dot || dot == value->text || !dot[1]) {
        TW_EXPERIMENT_FAULT(reader, value->place,
                            "a measure is a field of a record output, as in score.game");
        return;
    }
    *measure = (struct tw_measure){
        value->text,
        tw_arena_copy(&reader->experiment->arena, value->text, (size_t)(dot - value->text)),
        dot + 1, 0, 0};
}

void tw_experiment_read_measures(struct tw_experiment_reader *reader, const struct tw_yaml *list)
{
    size_t count = 0;
    if (!tw_expect_kind(reader->report, list, TW_YAML_SEQUENCE, "measure"))
        return;
    for (const struct tw_yaml_item *item = list->items; item; item = item->next)
        count++;
    reader->experiment->measures =
        tw_arena_alloc(&reader->experiment->arena, count + 1, sizeof *reader->experiment->measures);
    if (!reader->experiment->measures) {
        tw_experiment_no_memory(reader);
        return;
    }
    for (const struct tw_yaml_item *item = list->items; item; item = item->next)
        read_measure(reader, item->value,
                     &reader->experiment->measures[reader->experiment->measure_count++]);
    if (count == 0)
        TW_EXPERIMENT_FAULT(reader, list->place, "nothing is measured");
}

static int32_t find_measure(struct tw_experiment_reader *reader, const struct tw_yaml *name)
{
    struct tw_suggestion suggestion = {.unknown = name->text};
    for (int32_t i = 0; i < reader->experiment->measure_count; i++) {
        const char *measure = reader->experiment->measures[i].name;
        if (measure && strcmp(measure, name->text) == 0)
            return i;
        if (measure)
            tw_suggest_offer(&suggestion, measure);
    }
    tw_report_fault(reader->report, TW_RECIPE, name->place,
                    tw_suggest_hint(&suggestion, &reader->experiment->arena),
                    "'%s' is not measured", name->text);
    return -1;
}

void tw_experiment_read_goals(struct tw_experiment_reader *reader, const struct tw_yaml *mapping)
{
    if (!mapping || !tw_expect_kind(reader->report, mapping, TW_YAML_MAPPING, "goal"))
        return;
    for (const struct tw_yaml_item *item = mapping->items; item; item = item->next) {
        int32_t measure = find_measure(reader, item->key);
        const char *goal = item->value->kind == TW_YAML_SCALAR ? item->value->text : "";
        if (strcmp(goal, "up") != 0 && strcmp(goal, "down") != 0)
            TW_EXPERIMENT_FAULT(reader, item->value->place,
                                "goal of %s is '%.60s'; expected up or down", item->key->text,
                                goal);
        else if (measure >= 0)
            reader->experiment->measures[measure].goal = goal[0] == 'u' ? 1 : -1;
    }
}

void tw_experiment_read_until(struct tw_experiment_reader *reader, const struct tw_yaml *mapping)
{
    if (!mapping || !tw_expect_kind(reader->report, mapping, TW_YAML_MAPPING, "until"))
        return;
    if (reader->experiment->baseline < 0)
        TW_EXPERIMENT_FAULT(reader, mapping->place,
                            "until: is about differences to the baseline, and there is none");
    for (const struct tw_yaml_item *item = mapping->items; item; item = item->next) {
        int32_t measure = find_measure(reader, item->key);
        double width = 0;
        if (item->value->kind != TW_YAML_SCALAR || !tw_number_parse(item->value->text, &width) ||
            !(width > 0))
            TW_EXPERIMENT_FAULT(reader, item->value->place,
                                "until of %s must be the width of an interval, above 0",
                                item->key->text);
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
    TW_EXPERIMENT_FAULT(reader, value->place, "%s must be a number", key);
    return false;
}

/* {mean: {min: 0.5}} of one measure */
static void read_bound(struct tw_experiment_reader *reader, int32_t variant, int32_t measure,
                       const struct tw_yaml_item *row)
{
    static const char *const known[] = {"min", "max", NULL};
    struct tw_bound bound = {.variant = variant, .measure = measure, .min = -1e300, .max = 1e300};
    int statistic = find_statistic(reader, row->key);
    if (statistic < 0 ||
        !tw_expect_kind(reader->report, row->value, TW_YAML_MAPPING, row->key->text))
        return;
    tw_expect_keys(reader->report, &reader->experiment->arena, row->value, "an assertion", known);
    if (!read_limit(reader, row->value, "min", &bound.min) ||
        !read_limit(reader, row->value, "max", &bound.max))
        return;
    struct tw_bound *kept = tw_arena_alloc(&reader->experiment->arena, 1, sizeof *kept);
    if (!kept) {
        tw_experiment_no_memory(reader);
        return;
    }
    bound.statistic = (enum tw_statistic)statistic;
    bound.place = row->key->place;
    bound.next = reader->experiment->bounds;
    *kept = bound;
    reader->experiment->bounds = kept;
}

void tw_experiment_read_bounds(struct tw_experiment_reader *reader, int32_t variant,
                               const struct tw_yaml *mapping)
{
    if (!mapping || !tw_expect_kind(reader->report, mapping, TW_YAML_MAPPING, "assert"))
        return;
    for (const struct tw_yaml_item *item = mapping->items; item; item = item->next) {
        int32_t measure = find_measure(reader, item->key);
        if (measure < 0 ||
            !tw_expect_kind(reader->report, item->value, TW_YAML_MAPPING, item->key->text))
            continue;
        for (const struct tw_yaml_item *row = item->value->items; row; row = row->next)
            read_bound(reader, variant, measure, row);
    }
}
