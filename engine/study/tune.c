/* SPDX-License-Identifier: MIT */
/* tune: {params: {talus: [2, 40]}, goal: {score.game: maximise, score.unit: {min: 0.2}},
 * budget: 200} */
#include "study/experiment_private.h"
#include "study/statistics/simplex.h"

#include "base/text/number.h"

#include <math.h>
#include <string.h>

enum { RESTARTS_MAX = 1000 };

double tw_tune_target(const struct tw_tune_goal *goal, const double *baseline)
{
    return goal->of_baseline ? baseline[goal->measure] : goal->target;
}

/* A distance as a share of what it is a distance from; of 1 if that is 0. */
static double share_of(double distance, double from)
{
    double scale = from < 0 ? -from : from;
    return distance / (scale > 0 ? scale : 1);
}

/* Relative distance from a target, or from the nearest bound. */
static double distance_of(const struct tw_tune_goal *goal, const double *means,
                          const double *baseline)
{
    double mean = means[goal->measure], target = tw_tune_target(goal, baseline);
    if (goal->kind == TW_TUNE_NEAR)
        return share_of(mean > target ? mean - target : target - mean, target);
    if (goal->kind == TW_TUNE_BOUNDED && mean < goal->min)
        return share_of(goal->min - mean, goal->min);
    return goal->kind == TW_TUNE_BOUNDED && mean > goal->max ? share_of(mean - goal->max, goal->max)
                                                             : 0;
}

double tw_tune_miss(const struct tw_tune_goal *goal, const double *means, const double *baseline)
{
    double distance = distance_of(goal, means, baseline);
    return goal->kind == TW_TUNE_NEAR && distance <= goal->within ? 0 : distance;
}

bool tw_tune_is_reached(const struct tw_tune *tune, const double *means, const double *baseline)
{
    for (int32_t i = 0; i < tune->goal_count; i++)
        if (!(tw_tune_miss(&tune->goals[i], means, baseline) <= 0))
            return false;
    return true;
}

bool tw_tune_is_constrained(const struct tw_tune *tune)
{
    for (int32_t i = 0; i < tune->goal_count; i++)
        if (tune->goals[i].kind != TW_TUNE_EXTREME)
            return true;
    return false;
}

struct tw_loss tw_tune_loss(const struct tw_tune *tune, const double *means, const double *baseline)
{
    struct tw_loss loss = {0, 0};
    const struct tw_tune_goal *extreme = NULL;
    double distances = 0;
    for (int32_t i = 0; i < tune->goal_count; i++) {
        const struct tw_tune_goal *goal = &tune->goals[i];
        double miss = tw_tune_miss(goal, means, baseline);
        double distance = distance_of(goal, means, baseline);
        loss.missed += miss * miss;
        distances += distance * distance;
        extreme = goal->kind == TW_TUNE_EXTREME ? goal : extreme;
    }
    if (!extreme)
        return (struct tw_loss){0, distances};
    loss.value = -extreme->direction * means[extreme->measure];
    return loss;
}

/* ---- reading ---- */

static bool refuse_goal(struct tw_experiment_reader *reader, const struct tw_yaml_item *item,
                        const struct tw_yaml *value)
{
    TW_EXPERIMENT_FAULT(reader, value->place,
                        "goal of %.60s is %s; expected a number, maximise or minimise, or a "
                        "constraint as in {min: 0.9}, {max: 2}, {near: 2.4, within: 5 %%} or "
                        "{near: baseline}",
                        item->key->text, TW_YAML_FOUND(value));
    return false;
}

static bool read_number(const struct tw_yaml *value, double *number)
{
    return value->kind == TW_YAML_SCALAR && tw_number_parse(value->text, number);
}

/* Reads "5 %", "5%" or 0.05. */
static bool read_share(const struct tw_yaml *value, double *share)
{
    char text[40];
    size_t length = value->kind == TW_YAML_SCALAR ? strlen(value->text) : 0;
    if (length == 0 || length >= sizeof text)
        return false;
    memcpy(text, value->text, length + 1);
    bool percent = text[length - 1] == '%';
    if (percent)
        for (text[--length] = 0; length > 0 && text[length - 1] == ' ';)
            text[--length] = 0;
    if (!tw_number_parse(text, share) || !(*share > 0))
        return false;
    *share = percent ? *share / 100 : *share;
    return true;
}

static bool read_near(struct tw_experiment_reader *reader, const struct tw_yaml_item *item,
                      const struct tw_yaml *near, struct tw_tune_goal *goal)
{
    const struct tw_yaml *within = tw_yaml_find(item->value, "within");
    goal->of_baseline = near->kind == TW_YAML_SCALAR && strcmp(near->text, "baseline") == 0;
    if (!goal->of_baseline && !read_number(near, &goal->target))
        return refuse_goal(reader, item, near);
    if (goal->of_baseline && !tw_yaml_find(reader->root, "baseline")) {
        TW_EXPERIMENT_FAULT(reader, near->place,
                            "goal of %.60s is the baseline's mean, and there is none; expected "
                            "baseline: and variants:",
                            item->key->text);
        return false;
    }
    if (!within || read_share(within, &goal->within))
        return true;
    TW_EXPERIMENT_FAULT(reader, within->place, "within is %s; expected a share, as in 5 %%",
                        TW_YAML_FOUND(within));
    return false;
}

/* Reads {min: 0.9, max: 2}, or {near: 2.4, within: 5 %} */
static bool read_constraint(struct tw_experiment_reader *reader, const struct tw_yaml_item *item,
                            struct tw_tune_goal *goal)
{
    static const char *const near_keys[] = {"near", "within", NULL};
    static const char *const bound_keys[] = {"min", "max", NULL};
    const struct tw_yaml *near = tw_yaml_find(item->value, "near");
    const struct tw_yaml *min = tw_yaml_find(item->value, "min");
    const struct tw_yaml *max = tw_yaml_find(item->value, "max");
    tw_expect_keys(reader->log, &reader->experiment->arena, item->value, "a constraint",
                   near ? near_keys : bound_keys);
    if (near)
        return read_near(reader, item, near, goal);
    goal->kind = TW_TUNE_BOUNDED;
    if ((!min && !max) || (min && !read_number(min, &goal->min)) ||
        (max && !read_number(max, &goal->max)))
        return refuse_goal(reader, item,
                           min && !read_number(min, &goal->min) ? min
                           : max                                ? max
                                                                : item->value);
    if (goal->min <= goal->max)
        return true;
    TW_EXPERIMENT_FAULT(reader, item->value->place,
                        "goal of %.60s: min is more than max; nothing lies between",
                        item->key->text);
    return false;
}

bool tw_experiment_read_tune_goal(struct tw_experiment_reader *reader,
                                  const struct tw_yaml_item *item, struct tw_tune_goal *goal)
{
    const struct tw_yaml *value = item->value;
    const char *text = value->kind == TW_YAML_SCALAR ? value->text : "";
    *goal = (struct tw_tune_goal){.measure = tw_experiment_find_measure(reader, item->key),
                                  .within = 0.01,
                                  .min = -HUGE_VAL,
                                  .max = HUGE_VAL};
    goal->direction = strcmp(text, "maximise") == 0 ? 1 : strcmp(text, "minimise") == 0 ? -1 : 0;
    if (goal->direction != 0)
        goal->kind = TW_TUNE_EXTREME;
    else if (value->kind == TW_YAML_MAPPING)
        return goal->measure >= 0 && read_constraint(reader, item, goal);
    else if (!tw_number_parse(text, &goal->target))
        return refuse_goal(reader, item, value);
    return goal->measure >= 0;
}

static bool read_tune_goals(struct tw_experiment_reader *reader, const struct tw_yaml *yaml)
{
    struct tw_tune *tune = &reader->experiment->tune;
    const struct tw_yaml *goals = tw_yaml_find(yaml, "goal");
    int32_t extremes = 0;
    if (!goals || goals->kind != TW_YAML_MAPPING || goals->count < 1) {
        TW_EXPERIMENT_FAULT(reader, goals ? goals->place : yaml->place,
                            "tune needs goal:, as in {score.game: 0.8} or {score.game: maximise}");
        return false;
    }
    tune->goals =
        tw_arena_alloc(&reader->experiment->arena, (size_t)goals->count, sizeof *tune->goals);
    if (!tune->goals)
        return tw_experiment_no_memory(reader);
    for (const struct tw_yaml_item *item = goals->items; item; item = item->next) {
        if (!tw_experiment_read_tune_goal(reader, item, &tune->goals[tune->goal_count]))
            return false;
        extremes += tune->goals[tune->goal_count++].kind == TW_TUNE_EXTREME;
        if (extremes > 1) {
            TW_EXPERIMENT_FAULT(reader, item->value->place,
                                "goal: a second measure to maximise or minimise; expected one, "
                                "subject to constraints as in {min: 0.9}");
            return false;
        }
    }
    return true;
}

static bool read_budget(struct tw_experiment_reader *reader, const struct tw_yaml *yaml)
{
    struct tw_tune *tune = &reader->experiment->tune;
    const struct tw_yaml *budget = tw_yaml_find(yaml, "budget"), *seed = tw_yaml_find(yaml, "seed");
    uint64_t runs = 0;
    int32_t seeds = reader->experiment->seed_count;
    if (!budget || budget->kind != TW_YAML_SCALAR || !tw_number_parse_whole(budget->text, &runs) ||
        runs > TW_SEEDS_MAX || runs / (uint64_t)(seeds > 0 ? seeds : 1) < 1) {
        TW_EXPERIMENT_FAULT(reader, budget ? budget->place : yaml->place,
                            "tune needs budget:, runs to spend, from %d (the seeds) to %d",
                            (int)seeds, TW_SEEDS_MAX);
        return false;
    }
    tune->budget = (int32_t)runs;
    if (!seed || (seed->kind == TW_YAML_SCALAR && tw_number_parse_whole(seed->text, &tune->seed)))
        return true;
    TW_EXPERIMENT_FAULT(reader, seed->place, "seed is %s; expected a whole number",
                        TW_YAML_FOUND(seed));
    return false;
}

static bool read_restarts(struct tw_experiment_reader *reader, const struct tw_yaml *yaml)
{
    struct tw_tune *tune = &reader->experiment->tune;
    const struct tw_yaml *restarts = tw_yaml_find(yaml, "restarts");
    uint64_t count = 0;
    if (!restarts)
        return true;
    if (restarts->kind == TW_YAML_SCALAR && tw_number_parse_whole(restarts->text, &count) &&
        count <= RESTARTS_MAX) {
        tune->restarts = (int32_t)count;
        return true;
    }
    TW_EXPERIMENT_FAULT(reader, restarts->place, "restarts is %s; expected a number from 0 to %d",
                        TW_YAML_FOUND(restarts), (int)RESTARTS_MAX);
    return false;
}

/* Constraints are asserted by assert: true, or by assert: of the whole experiment. */
static void read_assert(struct tw_experiment_reader *reader, const struct tw_yaml *yaml)
{
    const struct tw_yaml *value = tw_yaml_find(yaml, "assert");
    const char *text = value && value->kind == TW_YAML_SCALAR ? value->text : "";
    if (value && strcmp(text, "true") != 0 && strcmp(text, "false") != 0)
        TW_EXPERIMENT_FAULT(reader, value->place, "assert is %s; expected true or false",
                            TW_YAML_FOUND(value));
    reader->experiment->tune.asserts =
        strcmp(text, "true") == 0 || (!value && tw_yaml_find(reader->root, "assert"));
}

void tw_experiment_read_tune(struct tw_experiment_reader *reader, const struct tw_yaml *yaml)
{
    static const char *const known[] = {"params",   "goal",   "budget", "seed",
                                        "restarts", "assert", NULL};
    struct tw_tune *tune = &reader->experiment->tune;
    if (!tw_expect_kind(reader->log, yaml, TW_YAML_MAPPING, "tune"))
        return;
    tw_expect_keys(reader->log, &reader->experiment->arena, yaml, "tune", known);
    tune->recipe = reader->recipe;
    if (tw_experiment_read_ranges(reader, yaml, "tune", TW_SIMPLEX_DIMENSIONS_MAX, &tune->params,
                                  &tune->param_count) &&
        read_tune_goals(reader, yaml) && read_budget(reader, yaml) && read_restarts(reader, yaml))
        read_assert(reader, yaml);
}
