/* SPDX-License-Identifier: MIT */
/* thalweg compare: runs an experiment. For each seed the variants become one graph, so that what
 * they have in common is computed once. */
#include "base/process.h"
#include "cli/cli.h"
#include "cli/compare.h"
#include "cli/compare_round.h"
#include "cli/output_file.h"
#include "cli/stop.h"
#include "field/codec.h"
#include "run/runner.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct session {
    const struct tw_settings *settings;
    struct tw_load_options load;
    struct tw_run_options run;
    struct tw_overwrite_guard guard; /* of what the variants read */
    bool fault_reported;             /* of a recipe, with its line */
};

static void on_diagnostic(void *context, bool fault, const struct tw_error *error,
                          const char *source_line)
{
    struct session *session = context;
    session->fault_reported |= fault;
    tw_cli_diagnostic(NULL, fault, error, source_line);
}

/* ---- results ---- */

static bool find_field(const struct tw_value *record, const char *field, double *number)
{
    for (int32_t i = 0; i < record->width; i++)
        if (strcmp(tw_entries(record)[i].name, field) == 0) {
            *number = tw_entries(record)[i].number;
            return true;
        }
    return false;
}

static enum tw_status missing_field(const struct tw_experiment *e, int32_t measure,
                                    const struct tw_value *record, struct tw_error *err)
{
    char all[300] = "";
    for (int32_t i = 0; i < record->width; i++) {
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", tw_entries(record)[i].name);
    }
    return tw_error_set(err, TW_RECIPE, "%s: the record '%s' has no field '%s'; it has %s",
                        e->measures[measure].name, e->measures[measure].output,
                        e->measures[measure].field, all);
}

/* What a variant's nodes cost, as if it had run alone. */
static double seconds_of(const struct tw_compare_round *round, int32_t variant,
                         const struct tw_run_report *report)
{
    double sum = 0;
    for (int32_t i = 0; i < round->parts[variant]->count; i++) {
        int32_t node = round->node_of[variant][i];
        if (report->nodes && node < report->node_count &&
            report->nodes[node].outcome != TW_OUTCOME_NOT_NEEDED)
            sum += report->nodes[node].seconds;
    }
    return sum;
}

/* The samples of one more seed. */
static enum tw_status collect_results(struct tw_comparison *c, const struct tw_compare_round *round,
                                      const struct tw_result *result,
                                      const struct tw_run_report *report, struct tw_error *err)
{
    const struct tw_experiment *e = c->experiment;
    const struct tw_export_range range = {0, 1, true, 8};
    int32_t at = c->count;
    char name[32];
    for (int32_t v = 0; v < e->variant_count; v++) {
        for (int32_t m = 0; m < e->measure_count; m++) {
            snprintf(name, sizeof name, "%d.%d", (int)v, (int)m);
            const struct tw_value *record = tw_result_output(result, name);
            double *sample = tw_samples(c, v, m) + at;
            if (!find_field(record, e->measures[m].field, sample))
                return missing_field(e, m, record, err);
        }
        c->seconds[(size_t)v * (size_t)e->seed_count + (size_t)at] = seconds_of(round, v, report);
        snprintf(name, sizeof name, "%d", (int)v);
        const struct tw_value *picture = tw_result_output(result, name);
        if (picture && tw_png_encode(picture, &range, &c->pictures[v], err) != TW_OK)
            return TW_MEMORY;
    }
    return TW_OK;
}

/* Before the first run. */
static enum tw_status guard_files(struct session *session, const struct tw_compare_round *round,
                                  const struct tw_experiment *e, struct tw_error *err)
{
    struct tw_overwrite_guard *guard = &session->guard;
    enum tw_status status = tw_overwrite_guard_add(guard, e->file, "the experiment", err);
    for (int32_t v = 0; status == TW_OK && v < e->variant_count; v++)
        status = tw_overwrite_guard_add_readings(guard, round->parts[v], err);
    if (status == TW_OK)
        status = tw_cli_check_output(guard, session->settings->csv, err);
    if (status == TW_OK)
        status = tw_cli_check_output(guard, session->settings->html, err);
    return status;
}

static enum tw_status run_seed(struct session *session, struct tw_comparison *c, int32_t seed,
                               struct tw_error *err)
{
    const struct tw_experiment *e = c->experiment;
    struct tw_compare_round round = {0};
    struct tw_result *result = NULL;
    struct tw_run_report report = {0};
    const struct tw_run_request request = {.options = &session->run, .report = &report};
    enum tw_status status = tw_compare_round_build(e, &session->load, e->seeds[seed],
                                                   c->pictures && c->count == 0, &round, err);
    if (status == TW_OK && seed == 0)
        status = guard_files(session, &round, e, err);
    if (status == TW_OK) {
        assert(round.merged);
        c->width = round.merged->width;
        c->height = round.merged->height;
        status = tw_run_execute(round.merged, &request, &result, err);
    }
    if (status == TW_OK)
        status = collect_results(c, &round, result, &report, err);
    if (status == TW_OK)
        c->seeds[c->count++] = e->seeds[seed];
    tw_result_release(result);
    tw_run_report_release(&report);
    tw_compare_round_release(&round, e->variant_count);
    session->load.diagnostic = NULL; /* warnings once, not once per seed */
    return status;
}

static void print_progress(const struct session *session, int32_t done, int32_t count,
                           uint64_t seed)
{
    int percent = (int)(100 * (int64_t)done / count),
        before = (int)(100 * (int64_t)(done - 1) / count);
    if (session->settings->quiet)
        return;
    if (tw_process_is_terminal(stderr))
        fprintf(stderr, "\r\033[K%3d %% seed %" PRIu64 "%s", percent, seed,
                done == count ? "\r\033[K" : "");
    else if (percent / 10 > before / 10)
        fprintf(stderr, "%3d %% seed %" PRIu64 "\n", percent, seed);
}

/* A seed on which a node fails is reported and left out: the others are worth having. */
static bool may_go_on(struct session *session, struct tw_comparison *c, uint64_t seed,
                      struct tw_error *error)
{
    if (error->status != TW_NODE && error->status != TW_LIMIT)
        return false;
    snprintf(error->hint, sizeof error->hint,
             "seed %" PRIu64 " is left out; alone: the recipe with --seed %" PRIu64, seed, seed);
    tw_cli_error(error);
    c->failed++;
    session->fault_reported = false;
    return true;
}

static enum tw_status run_all(struct session *session, struct tw_comparison *c,
                              struct tw_error *err)
{
    const struct tw_experiment *e = c->experiment;
    for (int32_t i = 0; i < e->seed_count && !c->narrow; i++) {
        enum tw_status status = run_seed(session, c, i, err);
        if (status != TW_OK && !may_go_on(session, c, e->seeds[i], err))
            return status;
        print_progress(session, i + 1, e->seed_count, e->seeds[i]);
        c->narrow = c->count > 0 && tw_compare_is_narrow(c);
    }
    session->fault_reported = c->count == 0; /* all of them, one by one */
    return c->count > 0 ? TW_OK : err->status;
}

static enum tw_status write_file(struct session *session, const char *path,
                                 const struct tw_comparison *c,
                                 void (*print)(FILE *out, const struct tw_comparison *c),
                                 struct tw_error *err)
{
    char *text = NULL;
    size_t length = 0;
    if (!path)
        return TW_OK;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    print(out, c);
    enum tw_status status =
        fclose(out) == 0 ? TW_OK : tw_error_set(err, TW_MEMORY, "out of memory");
    const struct tw_bytes bytes = {.at = (unsigned char *)text, .length = length};
    if (status == TW_OK)
        status = tw_cli_write_output(&session->guard, path, &bytes, err);
    free(text);
    if (status == TW_OK && !tw_cli_is_stdout(path))
        status = tw_overwrite_guard_add(&session->guard, path, "what this run wrote", err);
    return status;
}

static int show(struct session *session, const struct tw_comparison *c)
{
    const struct tw_settings *settings = session->settings;
    struct tw_error error = {.status = TW_OK};
    if (settings->json)
        tw_compare_json(stdout, c);
    else if (!tw_cli_is_stdout(settings->csv) && !tw_cli_is_stdout(settings->html))
        tw_compare_text(stdout, c);
    if (write_file(session, settings->csv, c, tw_compare_csv, &error) != TW_OK ||
        write_file(session, settings->html, c, tw_compare_html, &error) != TW_OK)
        return tw_cli_error(&error);
    if (fflush(stdout) != 0)
        return tw_status_exit_code(TW_IO);
    int failed = tw_compare_check(c);
    if (c->signal)
        return tw_stop_exit_code();
    if (c->failed > 0)
        return tw_status_exit_code(TW_NODE);
    return failed ? tw_status_exit_code(TW_DIFFERENCE) : 0;
}

static bool alloc_comparison(const struct tw_experiment *e, bool pictures, struct tw_comparison *c)
{
    size_t variants = (size_t)e->variant_count, seeds = (size_t)e->seed_count;
    size_t measures = (size_t)e->measure_count;
    *c =
        (struct tw_comparison){.experiment = e,
                               .seeds = calloc(seeds, sizeof *c->seeds),
                               .samples = calloc(variants * measures * seeds, sizeof *c->samples),
                               .seconds = calloc(variants * seeds, sizeof *c->seconds),
                               .pairs = calloc(variants * measures, sizeof *c->pairs),
                               .pictures = pictures ? calloc(variants, sizeof *c->pictures) : NULL};
    return c->seeds && c->samples && c->seconds && c->pairs && (!pictures || c->pictures);
}

static void release_comparison(struct tw_comparison *c)
{
    for (int32_t v = 0; c->pictures && v < c->experiment->variant_count; v++)
        free(c->pictures[v].at);
    free(c->pictures);
    free(c->seeds);
    free(c->samples);
    free(c->seconds);
    free(c->pairs);
}

/* What was computed before a signal is shown, too. */
static int compare(struct session *session, const struct tw_experiment *experiment)
{
    struct tw_error error = {.status = TW_OK};
    struct tw_comparison c;
    int code;
    enum tw_status status = alloc_comparison(experiment, session->settings->html != NULL, &c)
                                ? run_all(session, &c, &error)
                                : tw_error_set(&error, TW_MEMORY, "out of memory");
    if (status == TW_CANCELLED && c.count > 0) {
        c.signal = tw_stop_signal_name();
        status = TW_OK;
    }
    if (status == TW_OK)
        status = tw_compare_judge(&c, &error);
    if (status == TW_CANCELLED)
        code = tw_stop_exit_code();
    else if (session->fault_reported)
        code = tw_status_exit_code(status);
    else
        code = status == TW_OK ? show(session, &c) : tw_cli_error(&error);
    release_comparison(&c);
    return code;
}

int tw_cmd_compare(const struct tw_settings *settings, char **operands)
{
    struct session session = {.settings = settings,
                              .load = tw_cli_load_options(settings),
                              .run = tw_cli_run_options(settings)};
    struct tw_error error = {.status = TW_OK};
    struct tw_experiment *experiment = NULL;
    session.load.diagnostic = on_diagnostic;
    session.load.context = &session;
    enum tw_status status = tw_experiment_load(operands[0], &session.load, &experiment, &error);
    if (status != TW_OK) {
        if (!session.fault_reported)
            tw_cli_error(&error);
        return tw_status_exit_code(status);
    }
    if (settings->seeds > 0 && settings->seeds < experiment->seed_count)
        experiment->seed_count = settings->seeds;
    tw_stop_catch();
    int code = compare(&session, experiment);
    tw_overwrite_guard_release(&session.guard);
    tw_experiment_release(experiment);
    return code;
}
