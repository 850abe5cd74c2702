/* SPDX-License-Identifier: MIT */
/* The tool `compare`: runs an experiment, as `thalweg compare` does. */
#include "cli/mcp/mcp.h"

#include "cli/compare/compare.h"
#include "console/answer.h"
#include "study/experiment_run.h"
#include "study/tuning.h"

#include <string.h>
#include <uv.h>

enum { SEEDS_MAX = 1000, RUNS_MAX = 100 };

struct call {
    struct tw_mcp *mcp;
    uint64_t start;
};

static void on_progress(void *context, const struct tw_compare_progress *progress)
{
    const struct call *call = context;
    const double seeds = (double)progress->done + progress->share;
    tw_mcp_progress(call->mcp->server, progress->count > 0 ? seeds / progress->count : 0, "seeds");
}

/* A run's time limit is also that of the experiment. */
static enum tw_status on_sampled(void *context, uint64_t seed, const double *samples,
                                 const double *seconds, struct tw_error *err)
{
    const struct call *call = context;
    const double limit = call->mcp->run.max_seconds;
    (void)seed;
    (void)samples;
    (void)seconds;
    if ((double)(uv_hrtime() - call->start) / 1e9 <= limit)
        return TW_OK;
    return tw_error_set(err, TW_LIMIT, "the experiment takes more than %.9g s", limit);
}

static void on_failed(void *context, const struct tw_compare_failure *failure)
{
    (void)context;
    tw_mcp_fault_of(failure->error);
}

static bool load(const json_t *arguments, const struct tw_load_options *options,
                 struct tw_experiment **experiment)
{
    struct tw_error error = {.status = TW_OK};
    struct tw_mcp_source source;
    if (!tw_mcp_source_of(arguments, "experiment", "experiment.yaml", &source))
        return false;
    const enum tw_status status =
        source.text ? tw_experiment_parse(source.text, strlen(source.text), source.path, options,
                                          experiment, &error)
                    : tw_experiment_load(source.path, options, experiment, &error);
    if (status != TW_OK && !error.file[0])
        tw_mcp_fault_of(&error);
    return status == TW_OK;
}

/* Applies `seeds`, and refuses what takes an evening. */
static bool limit(const json_t *arguments, struct tw_experiment *e)
{
    int32_t seeds;
    const int32_t most = e->seeds && e->seed_count < SEEDS_MAX ? e->seed_count : SEEDS_MAX;
    if (!tw_mcp_number(arguments, "seeds", 1, most, e->seed_count, &seeds))
        return false;
    e->seed_count = seeds;
    if (seeds > SEEDS_MAX || e->run_count > RUNS_MAX)
        return tw_mcp_fault(TW_LIMIT, "thalweg compare on a command line has no such limit",
                            "%d variants on %d seeds; expected at most %d on %d", (int)e->run_count,
                            (int)seeds, RUNS_MAX, SEEDS_MAX);
    if (e->match.seeds > 0)
        return tw_mcp_fault(TW_LIMIT, "thalweg compare on a command line finds its values",
                            "match: takes pilot runs; expected an experiment without it, with the "
                            "values under params:");
    return e->tune.param_count == 0 ||
           tw_mcp_fault(TW_LIMIT, "thalweg compare on a command line tunes",
                        "tune: takes many runs; expected an experiment without it");
}

static json_t *run(struct call *call, struct tw_experiment *e,
                   const struct tw_load_options *options)
{
    const struct tw_compare_request request = {.load = options,
                                               .run = &call->mcp->run,
                                               .sampled = on_sampled,
                                               .progress = on_progress,
                                               .failed = on_failed,
                                               .context = call};
    struct tw_error error = {.status = TW_OK};
    struct tw_comparison c = {.experiment = NULL};
    enum tw_status status = tw_comparison_create(e, &c, &error);
    if (status == TW_OK)
        status = tw_compare_run(&request, &c, &error);
    if (status == TW_OK)
        status = tw_compare_judge(&c, &error);
    if (status != TW_OK && c.failed == 0)
        tw_mcp_fault_of(&error);
    int code = tw_status_exit_code(status);
    if (status == TW_OK) {
        tw_compare_json(&c, NULL);
        code = tw_compare_check(&c) > 0 ? tw_status_exit_code(TW_DIFFERENCE) : 0;
    }
    tw_comparison_release(&c);
    json_t *document = tw_answer_json(code);
    json_object_del(document, "exit_code");
    return tw_mcp_result_of(document, status != TW_OK);
}

json_t *tw_mcp_compare(void *context, const json_t *arguments)
{
    struct call call = {.mcp = context, .start = uv_hrtime()};
    struct tw_experiment *experiment = NULL;
    const char *allow[2];
    const struct tw_load_options options = tw_mcp_load_options(call.mcp, allow);
    tw_answer_begin("compare", TW_ANSWER_NONE);
    json_t *result = load(arguments, &options, &experiment) && limit(arguments, experiment)
                         ? run(&call, experiment, &options)
                         : tw_mcp_result(call.mcp, NULL);
    tw_experiment_release(experiment);
    return result;
}
