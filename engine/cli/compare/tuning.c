/* SPDX-License-Identifier: MIT */
/* Prints the trials of a tuning, and the command that runs the best, as text and JSON. */
#include "cli/compare/compare.h"

#include "base/text/stream.h"
#include "base/text/text.h"
#include "console/compare_progress.h"
#include "report/verdict/verdict.h"
#include "study/tuning.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

char *tw_compare_trial_command(const struct tw_comparison *c, int32_t trial, const char *seed)
{
    const struct tw_experiment *e = c->experiment;
    const struct tw_variant tried = {.recipe = e->tune.recipe,
                                     .settings = c->tuning->trials[trial].settings,
                                     .setting_count = e->tune.param_count};
    char *text = NULL, cells[32];
    size_t length = 0;
    FILE *out = tw_stream_open(&text, &length);
    if (!out)
        return NULL;
    snprintf(cells, sizeof cells, "%dx%d", (int)c->tuning->width, (int)c->tuning->height);
    tw_compare_command(out, &tried, seed, cells);
    if (tw_stream_close(out) == 0)
        return text;
    free(text);
    return NULL;
}

char *tw_compare_best_command(const struct tw_comparison *c)
{
    char seed[24];
    snprintf(seed, sizeof seed, "%" PRIu64, tw_experiment_seed(c->experiment, 0));
    return tw_compare_trial_command(c, c->tuning->best, seed);
}

static void print_trial(FILE *out, const struct tw_comparison *c, int32_t i)
{
    const struct tw_experiment *e = c->experiment;
    const struct tw_trial *trial = &c->tuning->trials[i];
    fprintf(out, "  %5d", (int)i + 1);
    for (int32_t p = 0; p < e->tune.param_count; p++)
        fprintf(out, "  %12s", trial->settings[p].text);
    for (int32_t g = 0; g < e->tune.goal_count; g++)
        if (tw_trial_has_run(trial))
            fprintf(out, "  %16.6g", trial->means[e->tune.goals[g].measure]);
        else
            fprintf(out, "  %16s", "failed");
    fprintf(out, "%s\n", i == c->tuning->best ? "  best" : "");
}

void tw_compare_tuning_text(FILE *out, const struct tw_comparison *c)
{
    const struct tw_experiment *e = c->experiment;
    if (!c->tuning)
        return;
    fprintf(out, "\ntuning: %d trial%s of %d seed%s each%s\n  %5s", (int)c->tuning->count,
            c->tuning->count == 1 ? "" : "s", (int)e->seed_count, e->seed_count == 1 ? "" : "s",
            !tw_tune_is_constrained(&e->tune) ? ""
            : c->tuning->reached              ? ", the goals are reached"
                                              : ", the goals are not reached",
            "trial");
    for (int32_t p = 0; p < e->tune.param_count; p++)
        fprintf(out, "  %12s", e->tune.params[p].name);
    for (int32_t g = 0; g < e->tune.goal_count; g++)
        fprintf(out, "  %16s", e->measures[e->tune.goals[g].measure].name);
    fputs("\n", out);
    for (int32_t i = 0; i < c->tuning->count; i++)
        print_trial(out, c, i);
    fputs("\n", out);
    tw_verdict_tuning(out, c, TW_TEXT_TERMINAL);
    fputs("\n", out);
    char *command = tw_compare_best_command(c);
    if (command) {
        fputs("best: ", out);
        tw_text_write(out, command, TW_TEXT_TERMINAL);
        fputs("\n", out);
    }
    free(command);
}

static json_t *params_json(const struct tw_experiment *e, const struct tw_trial *trial)
{
    json_t *params = json_object();
    for (int32_t p = 0; p < e->tune.param_count; p++)
        json_object_set_new(params, trial->settings[p].name, json_string(trial->settings[p].text));
    return params;
}

static json_t *means_json(const struct tw_experiment *e, const struct tw_trial *trial)
{
    json_t *means = json_object();
    for (int32_t m = 0; m < e->measure_count; m++)
        json_object_set_new(means, e->measures[m].name,
                            tw_trial_has_run(trial) ? json_real(trial->means[m]) : json_null());
    return means;
}

static json_t *trial_json(const struct tw_experiment *e, const struct tw_trial *trial)
{
    bool ran = tw_trial_has_run(trial);
    return json_pack("{s:o, s:o, s:i, s:o, s:o}", "params", params_json(e, trial), "means",
                     means_json(e, trial), "start", (int)trial->start + 1, "missed",
                     ran ? json_real(trial->loss.missed) : json_null(), "loss",
                     ran ? json_real(trial->loss.value) : json_null());
}

json_t *tw_compare_tuning_json(const struct tw_comparison *c)
{
    const struct tw_experiment *e = c->experiment;
    const struct tw_tuning *t = c->tuning;
    if (!t)
        return NULL;
    json_t *trials = json_array();
    for (int32_t i = 0; i < t->count; i++)
        json_array_append_new(trials, trial_json(e, &t->trials[i]));
    json_t *best = json_pack("{s:i, s:o, s:o, s:b}", "trial", (int)t->best, "params",
                             params_json(e, &t->trials[t->best]), "means",
                             means_json(e, &t->trials[t->best]), "reached", (int)t->reached);
    char *command = tw_compare_best_command(c);
    json_t *root =
        json_pack("{s:o, s:o, s:s?}", "trials", trials, "best", best, "command", command);
    free(command);
    return root;
}
