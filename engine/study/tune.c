/* SPDX-License-Identifier: MIT */
/* tune: {params: {talus: [2, 40]}, goal: {score.game: 0.8}, budget: 200} */
#include "study/experiment_private.h"

#include "base/text/number.h"

#include <string.h>

double tw_tune_loss(const struct tw_tune *tune, const double *means)
{
    double loss = 0;
    for (int32_t i = 0; i < tune->goal_count; i++) {
        const struct tw_tune_goal *goal = &tune->goals[i];
        double mean = means[goal->measure], scale = goal->target < 0 ? -goal->target : goal->target;
        if (goal->direction != 0)
            return -goal->direction * mean;
        double deviation = (mean - goal->target) / (scale > 0 ? scale : 1);
        loss += deviation * deviation;
    }
    return loss;
}

static bool read_goal(struct tw_experiment_reader *reader, const struct tw_yaml_item *item,
                      struct tw_tune_goal *goal)
{
    const char *text = item->value->kind == TW_YAML_SCALAR ? item->value->text : "";
    goal->measure = tw_experiment_find_measure(reader, item->key);
    goal->direction = strcmp(text, "maximise") == 0 ? 1 : strcmp(text, "minimise") == 0 ? -1 : 0;
    if (goal->direction == 0 && !tw_number_parse(text, &goal->target)) {
        TW_EXPERIMENT_FAULT(reader, item->value->place,
                            "goal of %.60s is %s; expected a number, maximise or minimise",
                            item->key->text, TW_YAML_FOUND(item->value));
        return false;
    }
    return goal->measure >= 0;
}

static bool read_tune_goals(struct tw_experiment_reader *reader, const struct tw_yaml *yaml)
{
    struct tw_tune *tune = &reader->experiment->tune;
    const struct tw_yaml *goals = tw_yaml_find(yaml, "goal");
    bool alone = true;
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
        if (!read_goal(reader, item, &tune->goals[tune->goal_count]))
            return false;
        alone &= tune->goals[tune->goal_count++].direction == 0;
    }
    if (alone || tune->goal_count == 1)
        return true;
    TW_EXPERIMENT_FAULT(reader, goals->place, "maximise and minimise stand alone in a goal");
    return false;
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

void tw_experiment_read_tune(struct tw_experiment_reader *reader, const struct tw_yaml *yaml)
{
    static const char *const known[] = {"params", "goal", "budget", "seed", NULL};
    struct tw_tune *tune = &reader->experiment->tune;
    if (!tw_expect_kind(reader->log, yaml, TW_YAML_MAPPING, "tune"))
        return;
    tw_expect_keys(reader->log, &reader->experiment->arena, yaml, "tune", known);
    tune->recipe = reader->recipe;
    if (tw_experiment_read_ranges(reader, yaml, "tune", &tune->params, &tune->param_count) &&
        read_tune_goals(reader, yaml))
        read_budget(reader, yaml);
}
