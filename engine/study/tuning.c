/* SPDX-License-Identifier: MIT */
#include "study/tuning.h"

#include "study/statistics/simplex.h"
#include "study/trial.h"

#include <math.h>
#include <string.h>
#include <uv.h>

enum { DIGITS = 6 }; /* digits of a parameter's value */
#define ENOUGH 1e-6  /* loss at which the search ends: 0.1 %, squared */

struct tuner {
    const struct tw_experiment *experiment;
    struct tw_compare_request request;
    struct tw_load_options load;
    struct tw_tuning *tuning;
    struct tw_compare_progress progress; /* counts trials instead of seeds */
    uint64_t start;
    const struct tw_compare_request *outer;
};

/* Writes the parameters as texts: these are run, and the command line accepts them. */
static struct tw_setting *write_settings(struct tw_arena *arena, const struct tw_tune *tune,
                                         const double *point)
{
    struct tw_setting *settings =
        tw_arena_alloc(arena, (size_t)tune->param_count, sizeof *settings);
    for (int32_t i = 0; settings && i < tune->param_count; i++) {
        const char *text = tw_axis_text(arena, &tune->params[i], point[i], DIGITS);
        if (!text)
            return NULL;
        settings[i] = (struct tw_setting){tune->params[i].name, text, tune->params[i].place};
    }
    return settings;
}

/* Means of all measures over the seeds; *ran is false if every seed failed. */
static enum tw_status run_trial(struct tuner *t, const struct tw_setting *settings, double *means,
                                bool *ran, struct tw_error *err)
{
    struct tw_variant variant;
    struct tw_experiment alone =
        tw_experiment_trial(t->experiment, settings, t->experiment->tune.param_count, &variant);
    struct tw_comparison c = {0};
    enum tw_status status = tw_comparison_create(&alone, &c, err);
    if (status == TW_OK)
        status = tw_compare_run(&t->request, &c, err);
    *ran = c.total > 0;
    t->tuning->width = c.width;
    t->tuning->height = c.height;
    for (int32_t m = 0; status == TW_OK && m < alone.measure_count; m++)
        means[m] = c.sums[m].mean;
    if (status != TW_OK && c.failed > 0 && c.total == 0 &&
        (status == TW_NODE || status == TW_LIMIT))
        status = TW_OK;
    tw_comparison_release(&c);
    return status;
}

static void report(struct tuner *t)
{
    double taken = (double)(uv_hrtime() - t->start) / 1e9;
    t->progress.done = t->tuning->count;
    t->progress.left = taken / t->progress.done * (t->progress.count - t->progress.done);
    t->progress.seed = tw_experiment_seed(t->experiment, t->experiment->seed_count - 1);
    if (t->outer->progress)
        t->outer->progress(t->outer->context, &t->progress);
}

/* The trial that had these texts; NULL: none. */
static const struct tw_trial *find_trial(const struct tuner *t, const struct tw_setting *settings)
{
    for (int32_t i = 0; i < t->tuning->count; i++) {
        int32_t p = 0;
        while (p < t->experiment->tune.param_count &&
               strcmp(t->tuning->trials[i].settings[p].text, settings[p].text) == 0)
            p++;
        if (p == t->experiment->tune.param_count)
            return &t->tuning->trials[i];
    }
    return NULL;
}

static void add_trial(struct tuner *t, const struct tw_trial *trial)
{
    struct tw_tuning *tuning = t->tuning;
    tuning->trials[tuning->count] = *trial;
    if (tw_loss_is_less(trial->loss, tuning->trials[tuning->best].loss))
        tuning->best = tuning->count;
    tuning->count++;
    const struct tw_trial *best = &tuning->trials[tuning->best];
    tuning->reached = tw_trial_has_run(best) &&
                      tw_tune_is_reached(&t->experiment->tune, best->means, tuning->baseline);
    report(t);
}

static bool seeks_extreme(const struct tw_tune *tune)
{
    for (int32_t i = 0; i < tune->goal_count; i++)
        if (tune->goals[i].kind == TW_TUNE_EXTREME)
            return true;
    return false;
}

static enum tw_status try_point(void *context, int32_t start, const double *point,
                                struct tw_simplex_answer *answer, struct tw_error *err)
{
    struct tuner *t = context;
    const struct tw_tune *tune = &t->experiment->tune;
    struct tw_setting *settings = write_settings(&t->tuning->arena, tune, point);
    double *means =
        tw_arena_alloc(&t->tuning->arena, (size_t)t->experiment->measure_count, sizeof *means);
    bool ran = false;
    if (!settings || !means)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    const struct tw_trial *known = find_trial(t, settings);
    if (known) {
        *answer = (struct tw_simplex_answer){.loss = known->loss, .known = true};
        return TW_OK;
    }
    enum tw_status status = run_trial(t, settings, means, &ran, err);
    if (status != TW_OK)
        return status;
    answer->loss =
        ran ? tw_tune_loss(tune, means, t->tuning->baseline) : (struct tw_loss){HUGE_VAL, HUGE_VAL};
    t->load.diagnostic = NULL; /* reports warnings, and guards files, only once */
    t->request.first = NULL;
    add_trial(t, &(struct tw_trial){settings, means, answer->loss, start});
    answer->enough = ran && !seeks_extreme(tune) && answer->loss.value <= ENOUGH;
    return TW_OK;
}

/* Passes on warnings of the first trial only. */
static void pass_fault(void *context, bool fault, const struct tw_error *error, const char *line)
{
    const struct tw_load_options *load = context;
    if (fault && load->diagnostic)
        load->diagnostic(load->context, fault, error, line);
}

/* Checks the ends of ranges: the recipe may refuse them, which would end the search late. */
static enum tw_status check_ends(const struct tw_experiment *e, struct tw_load_options *load,
                                 struct tw_arena *arena, struct tw_error *err)
{
    struct tw_load_options faults = *load;
    faults.diagnostic = pass_fault;
    faults.reads = NULL;
    faults.context = load;
    enum tw_status status = TW_OK;
    for (int32_t i = 0; status == TW_OK && i < 2 * e->tune.param_count; i++) {
        const struct tw_axis *axis = &e->tune.params[i / 2];
        const char *text = tw_axis_text(arena, axis, i % 2, DIGITS);
        const struct tw_setting end = {axis->name, text, axis->place};
        struct tw_variant variant;
        const struct tw_experiment alone = tw_experiment_trial(e, &end, 1, &variant);
        struct tw_recipe *recipe = NULL;
        status =
            text ? tw_experiment_recipe(&alone, 0, tw_experiment_seed(e, 0), &faults, &recipe, err)
                 : tw_error_set(err, TW_MEMORY, "out of memory");
        tw_recipe_release(recipe);
    }
    return status;
}

enum tw_status tw_compare_tune(const struct tw_experiment *e,
                               const struct tw_compare_request *request, struct tw_tuning *tuning,
                               struct tw_error *err)
{
    int32_t trials = e->tune.budget / e->seed_count;
    struct tuner t = {.experiment = e,
                      .request = *request,
                      .load = *request->load,
                      .tuning = tuning,
                      .progress = {.count = trials, .left = -1},
                      .start = uv_hrtime(),
                      .outer = request};
    if (trials < 1)
        return tw_error_set(err, TW_RECIPE,
                            "tune: a budget of %d runs is less than one trial of %d seeds",
                            (int)e->tune.budget, (int)e->seed_count);
    t.request.load = &t.load;
    t.request.sampled = NULL;
    t.request.progress = NULL;
    tuning->trials = tw_arena_alloc(&tuning->arena, (size_t)trials + 1, sizeof *tuning->trials);
    if (!tuning->trials)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    enum tw_status status = check_ends(e, &t.load, &tuning->arena, err);
    if (status != TW_OK)
        return status;
    const struct tw_simplex_request simplex = {.dimensions = e->tune.param_count,
                                               .trials = trials,
                                               .starts = e->tune.restarts + 1,
                                               .seed = e->tune.seed,
                                               .evaluate = try_point,
                                               .context = &t};
    return tw_simplex_minimise(&simplex, err);
}

void tw_tuning_release(struct tw_tuning *tuning)
{
    tw_arena_release(&tuning->arena);
    *tuning = (struct tw_tuning){0};
}
