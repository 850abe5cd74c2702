/* SPDX-License-Identifier: MIT */
#include "study/match.h"

#include "study/experiment_private.h"

#include "base/text/number.h"
#include "base/text/suggest.h"

#include <string.h>

enum { SEEDS_DEFAULT = 4 };

/* Refuses what differs from run to run, since the same experiment must find the same values. */
static bool is_repeatable(struct tw_experiment_reader *reader, const struct tw_yaml_item *item)
{
    const struct tw_experiment *e = reader->experiment;
    const struct tw_measure *measure = &e->measures[e->match.goal.measure];
    bool timed = tw_measure_is_seconds(measure);
    for (int32_t i = 0; measure->formula && i < measure->formula->count; i++) {
        const struct tw_formula_step *step = &measure->formula->steps[i];
        timed |= step->op == TW_FORMULA_INPUT && tw_measure_is_seconds(&e->measures[step->input]);
    }
    if (timed)
        TW_EXPERIMENT_FAULT(reader, item->key->place,
                            "match: %.60s differs from run to run; expected another measure",
                            item->key->text);
    return !timed;
}

static bool read_goal(struct tw_experiment_reader *reader, const struct tw_yaml *yaml)
{
    struct tw_match *match = &reader->experiment->match;
    const struct tw_yaml *goal = tw_yaml_find(yaml, "goal");
    if (!goal || goal->kind != TW_YAML_MAPPING || goal->count != 1) {
        TW_EXPERIMENT_FAULT(reader, goal ? goal->place : yaml->place,
                            "match needs goal: with one measure, as in {score.erosion: {near: "
                            "baseline, within: 1 %%}} or {score.erosion: 2.4}");
        return false;
    }
    if (!tw_experiment_read_tune_goal(reader, goal->items, &match->goal))
        return false;
    if (match->goal.kind == TW_TUNE_NEAR)
        return is_repeatable(reader, goal->items);
    TW_EXPERIMENT_FAULT(reader, goal->items->value->place,
                        "match: goal of %.60s is %s; expected what to come near, a number or "
                        "{near: baseline, within: 1 %%}",
                        goal->items->key->text, TW_YAML_FOUND(goal->items->value));
    return false;
}

static bool read_seeds(struct tw_experiment_reader *reader, const struct tw_yaml *value)
{
    uint64_t count = SEEDS_DEFAULT;
    if (value && (value->kind != TW_YAML_SCALAR || !tw_number_parse_whole(value->text, &count) ||
                  count < 1 || count > TW_MATCH_SEEDS_MAX)) {
        TW_EXPERIMENT_FAULT(reader, value->place,
                            "match: seeds is %s; expected a number of pilot seeds from 1 to %d",
                            TW_YAML_FOUND(value), TW_MATCH_SEEDS_MAX);
        return false;
    }
    reader->experiment->match.seeds = (int32_t)count;
    return true;
}

/* The number of the variant in its level; -1 after a fault. */
static int32_t find_variant(struct tw_experiment_reader *reader, const struct tw_yaml *name)
{
    const struct tw_experiment *e = reader->experiment;
    struct tw_suggestion suggestion = {.unknown = name->text};
    for (int32_t i = 0; i < e->level_variants; i++) {
        if (strcmp(e->variants[i].name, name->text) == 0)
            return i;
        tw_suggest_offer(&suggestion, e->variants[i].name);
    }
    tw_fault_log_add(reader->log, TW_RECIPE, name->place,
                     tw_suggest_hint(&suggestion, &reader->experiment->arena),
                     "match: '%.60s' is no variant; expected the name of one", name->text);
    return -1;
}

/* A variant that sets the parameter itself, or whose level does, would no longer be what it says.
 */
static bool is_free(struct tw_experiment_reader *reader, int32_t variant,
                    const struct tw_axis *axis)
{
    const struct tw_experiment *e = reader->experiment;
    const char *name = e->variants[variant].name;
    if (tw_variant_value(&e->variants[variant], axis->name)) {
        TW_EXPERIMENT_FAULT(reader, axis->place,
                            "match: variant %.60s sets '%.60s' too; expected a parameter that it "
                            "leaves free",
                            name, axis->name);
        return false;
    }
    if (e->match.goal.of_baseline && variant == e->baseline) {
        TW_EXPERIMENT_FAULT(reader, axis->place,
                            "match: %.60s is the baseline that the others are matched to; expected "
                            "another variant, or a number as the goal",
                            name);
        return false;
    }
    return true;
}

static bool read_by(struct tw_experiment_reader *reader, const struct tw_yaml *yaml)
{
    struct tw_experiment *e = reader->experiment;
    const struct tw_yaml *by = tw_yaml_find(yaml, "by");
    if (!by || by->kind != TW_YAML_MAPPING || by->count < 1) {
        TW_EXPERIMENT_FAULT(reader, by ? by->place : yaml->place,
                            "match needs by:, the parameter of each variant and its range, as in "
                            "{%.60s: {talus: [4, 30]}}",
                            e->variants[0].name);
        return false;
    }
    e->match.axes = tw_arena_alloc(&e->arena, (size_t)e->level_variants, sizeof *e->match.axes);
    if (!e->match.axes)
        return tw_experiment_no_memory(reader);
    for (int32_t v = 0; v < e->level_variants; v++)
        e->match.axes[v] = (struct tw_axis){.name = NULL};
    for (const struct tw_yaml_item *item = by->items; item; item = item->next) {
        int32_t v = find_variant(reader, item->key);
        if (v < 0)
            return false;
        if (item->value->kind != TW_YAML_MAPPING || item->value->count != 1) {
            TW_EXPERIMENT_FAULT(
                reader, item->value->place,
                "match: by of %.60s is %s; expected one parameter and its range, as "
                "in {talus: [4, 30]}",
                item->key->text, TW_YAML_FOUND(item->value));
            return false;
        }
        if (!tw_axis_read_range(reader->log, &e->arena, item->value->items, &e->match.axes[v]) ||
            !is_free(reader, v, &e->match.axes[v]))
            return false;
        e->match.axis_count++;
    }
    return true;
}

void tw_experiment_read_match(struct tw_experiment_reader *reader, const struct tw_yaml *yaml)
{
    static const char *const known[] = {"goal", "seeds", "by", NULL};
    struct tw_experiment *e = reader->experiment;
    if (!yaml || !tw_expect_kind(reader->log, yaml, TW_YAML_MAPPING, "match"))
        return;
    tw_expect_keys(reader->log, &e->arena, yaml, "match", known);
    if (reader->log->faults > 0)
        return; /* variants or measures may be missing */
    if (e->variant_count == 0) {
        TW_EXPERIMENT_FAULT(reader, yaml->place,
                            "match: is about variants, and there are none; expected variants: or "
                            "matrix:");
        return;
    }
    if (!read_goal(reader, yaml) || !read_by(reader, yaml) ||
        !read_seeds(reader, tw_yaml_find(yaml, "seeds")))
        e->match.seeds = 0;
}
