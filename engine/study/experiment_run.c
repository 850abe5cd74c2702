/* SPDX-License-Identifier: MIT */
#include "study/experiment_run.h"

#include "runner/runner.h"

#include <assert.h>
#include <stdlib.h>
#include <uv.h>

struct running {
    const struct tw_compare_request *request;
    struct tw_comparison *c;
    const struct tw_compare_rounds *rounds; /* of the current seed */
    int32_t part;                           /* the one that runs */
    double *samples, *seconds;              /* of the current seed */
    struct tw_compare_progress progress;
    double pace; /* seconds per seed, weighted to recent ones */
};

/* ---- results ---- */

/* Evaluates a formula over the samples of a variant so far; a result that is not finite ends the
 * experiment. */
static enum tw_status compute(const struct tw_measure *measure, const double *samples,
                              double *value, struct tw_error *err)
{
    struct tw_expression expression = *measure->formula;
    struct tw_expression_fault fault = {0};
    for (int32_t i = 0; i < expression.count; i++) {
        struct tw_formula_step *step = &expression.steps[i];
        if (step->op == TW_FORMULA_INPUT)
            *step = (struct tw_formula_step){samples[step->input], TW_FORMULA_NUMBER, 0};
    }
    if (!tw_expression_value(&expression, value, &fault))
        return tw_error_set(err, TW_NODE, "%s: %s", measure->name, fault.message);
    if (*value <= TW_SAMPLE_MAX && *value >= -TW_SAMPLE_MAX)
        return TW_OK;
    return tw_error_set(err, TW_NODE, "%s is %.3g; expected at most %g", measure->name, *value,
                        TW_SAMPLE_MAX);
}

/* Takes the results of the part that ran. */
static enum tw_status collect(struct running *r, const struct tw_result *result,
                              const struct tw_run_summary *report, struct tw_error *err)
{
    const struct tw_compare_round *round = &r->rounds->at[r->part];
    const struct tw_experiment *e = &r->rounds->parts[r->part];
    double *seconds = r->seconds + r->rounds->first[r->part];
    enum tw_status status = TW_OK;
    for (int32_t v = 0; v < e->run_count; v++) {
        double *samples = &r->samples[tw_cell_of(r->c, r->rounds->first[r->part] + v, 0)];
        seconds[v] = tw_compare_round_seconds(round, v, report);
        for (int32_t m = 0; status == TW_OK && m < e->measure_count; m++) {
            if (e->measures[m].formula)
                status = compute(&e->measures[m], samples, &samples[m], err);
            else if (e->measures[m].output)
                status = tw_compare_round_value(round, e, v, m, result, &samples[m], err);
            else
                samples[m] = seconds[v];
        }
        if (status != TW_OK)
            return status;
    }
    return TW_OK;
}

/* ---- one seed ---- */

static void on_node(void *context, const char *node, double done)
{
    struct running *r = context;
    (void)node;
    r->progress.share = (r->part + done) / r->rounds->count;
    if (r->request->progress)
        r->request->progress(r->request->context, &r->progress);
}

/* Returns the first variant of the part that needs the failed node. */
static const struct tw_variant *variant_of(const struct running *r, int32_t node)
{
    const struct tw_compare_round *round = &r->rounds->at[r->part];
    const struct tw_experiment *e = &r->rounds->parts[r->part];
    for (int32_t v = 0; node >= 0 && v < e->run_count; v++)
        for (int32_t i = 0; i < round->parts[v]->count; i++)
            if (round->needed[v][i] && round->node_of[v][i] == node)
                return &e->variants[v];
    return NULL;
}

/* If a node failed, reports the seed and leaves it out; other failures end the experiment. */
static bool is_left_out(struct running *r, const struct tw_run_summary *report,
                        const struct tw_error *error)
{
    if (error->status != TW_NODE && error->status != TW_LIMIT)
        return false;
    const struct tw_compare_failure failure = {r->progress.seed, variant_of(r, report->failed_node),
                                               error};
    r->c->failed++;
    if (r->request->failed)
        r->request->failed(r->request->context, &failure);
    return true;
}

/* Runs the current part; *left_out becomes true if a node fails, which leaves the seed out. */
static enum tw_status run_part(struct running *r, bool *left_out, struct tw_error *err)
{
    struct tw_run_options options = *r->request->run;
    struct tw_result *result = NULL;
    struct tw_run_summary report = {0};
    const struct tw_run_request request = {.options = &options, .report = &report};
    options.progress = on_node;
    options.context = r;
    enum tw_status status = tw_run_execute(r->rounds->at[r->part].merged, &request, &result, err);
    if (status == TW_OK)
        status = collect(r, result, &report, err);
    if (status != TW_OK && is_left_out(r, &report, err)) {
        *left_out = true;
        status = TW_OK;
    }
    tw_result_release(result);
    tw_run_summary_release(&report);
    return status;
}

static enum tw_status run_rounds(struct running *r, struct tw_error *err)
{
    enum tw_status status = TW_OK;
    bool left_out = false;
    for (r->part = 0; status == TW_OK && !left_out && r->part < r->rounds->count; r->part++)
        status = run_part(r, &left_out, err);
    if (status != TW_OK || left_out)
        return status;
    status = tw_comparison_add(r->c, r->progress.seed, r->samples, r->seconds, err);
    if (status == TW_OK && r->request->sampled)
        status =
            r->request->sampled(r->request->context, r->progress.seed, r->samples, r->seconds, err);
    return status;
}

static enum tw_status run_seed(struct running *r, int32_t i, struct tw_error *err)
{
    struct tw_comparison *c = r->c;
    struct tw_load_options load = *r->request->load;
    struct tw_compare_rounds rounds = {0};
    bool is_first = i == 0 && !r->request->range;
    if (!is_first)
        load.diagnostic = NULL; /* repeats no warnings for later seeds */
    r->progress.seed = tw_experiment_seed(c->experiment, i);
    enum tw_status status =
        tw_compare_rounds_build(c->experiment, &load, r->progress.seed, &rounds, err);
    if (status == TW_OK && is_first && r->request->first)
        status = r->request->first(r->request->context, &rounds, err);
    if (status == TW_OK) {
        assert(rounds.at->merged);
        c->width = rounds.at->merged->width;
        c->height = rounds.at->merged->height;
        r->rounds = &rounds;
        status = run_rounds(r, err);
    }
    tw_compare_rounds_release(&rounds);
    return status;
}

/* ---- all seeds ---- */

/* Weighs recent seeds most, since the cache answers some seeds and not others. */
static void measure_pace(struct running *r, double seconds)
{
    const double weight = r->progress.done == 0 ? 1 : 0.2;
    r->pace += weight * (seconds - r->pace);
    r->progress.done++;
    r->progress.share = 0;
    r->progress.left = r->pace * (r->progress.count - r->progress.done);
    if (r->request->progress)
        r->request->progress(r->request->context, &r->progress);
}

static enum tw_status run_seeds(struct running *r, struct tw_error *err)
{
    struct tw_comparison *c = r->c;
    const struct tw_seed_range all = {0, c->experiment->seed_count};
    const struct tw_seed_range range = r->request->range ? *r->request->range : all;
    r->progress.count = range.to - range.from;
    for (int32_t i = range.from; i < range.to && !c->narrow; i++) {
        uint64_t start = uv_hrtime();
        enum tw_status status = run_seed(r, i, err);
        if (status != TW_OK)
            return status;
        measure_pace(r, (double)(uv_hrtime() - start) / 1e9);
        c->narrow = !r->request->range && c->total > 0 && tw_compare_is_narrow(c);
    }
    return c->total > 0 ? TW_OK : err->status;
}

enum tw_status tw_compare_run(const struct tw_compare_request *request, struct tw_comparison *c,
                              struct tw_error *err)
{
    size_t variants = (size_t)c->experiment->run_count;
    struct tw_error own = {.status = TW_OK};
    struct running r = {
        .request = request,
        .c = c,
        .samples = calloc(variants * (size_t)c->experiment->measure_count, sizeof *r.samples),
        .seconds = calloc(variants, sizeof *r.seconds),
        .progress = {.left = -1}};
    err = err ? err : &own;
    enum tw_status status =
        r.samples && r.seconds ? run_seeds(&r, err) : tw_error_set(err, TW_MEMORY, "out of memory");
    free(r.samples);
    free(r.seconds);
    return status;
}
