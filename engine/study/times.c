/* SPDX-License-Identifier: MIT */
#include "study/times.h"

#include "base/os/process.h"
#include "base/text/number.h"
#include "runner/runner.h"

#include <math.h>
#include <stdlib.h>
#include <uv.h>

/* Returns the largest k for which at most k - 1 heads of n fair coins have a probability of at most
 * 2.5 %: then the k-th smallest and the k-th largest enclose the median with at least 95 %. 0:
 * none. */
static int32_t rank_of(int32_t n)
{
    double ways = 1, below = 0; /* over 2^n, kept small by halving as n counts down */
    int32_t k = 0;
    for (int32_t i = 0; i < n; i++)
        ways /= 2;
    while (k < n && below + ways <= 0.025) {
        below += ways;
        ways *= (double)(n - k) / (k + 1);
        k++;
    }
    return k;
}

/* Sorts the samples. */
static struct tw_median find_median(double *samples, int32_t count)
{
    struct tw_median found = {NAN, NAN, NAN};
    int32_t rank = rank_of(count);
    if (count == 0)
        return found;
    qsort(samples, (size_t)count, sizeof *samples, tw_number_compare);
    found.median = (samples[(count - 1) / 2] + samples[count / 2]) / 2;
    if (rank > 0) {
        found.low = samples[rank - 1];
        found.high = samples[count - rank];
    }
    return found;
}

struct clock {
    double *wall, *processor; /* [variant][round] */
};

static enum tw_status run_once(const struct tw_recipe *recipe, const struct tw_run_options *options,
                               double *wall, double *processor, struct tw_error *err)
{
    struct tw_result *result = NULL;
    const struct tw_run_request request = {.options = options};
    uint64_t start = uv_hrtime();
    double used = tw_process_seconds();
    enum tw_status status = tw_run_execute(recipe, &request, &result, err);
    *wall = (double)(uv_hrtime() - start) / 1e9;
    *processor = tw_process_seconds() - used;
    tw_result_release(result);
    return status;
}

static enum tw_status run_rounds(struct tw_recipe *const *recipes, int32_t variants, int32_t rounds,
                                 const struct tw_run_options *options, const struct clock *clock,
                                 struct tw_error *err)
{
    double ignored[2];
    for (int32_t r = -1; r < rounds; r++)
        for (int32_t i = 0; i < variants; i++) {
            int32_t v = r % 2 ? variants - 1 - i : i;
            size_t at = (size_t)v * (size_t)rounds + (size_t)(r < 0 ? 0 : r);
            enum tw_status status =
                run_once(recipes[v], options, r < 0 ? &ignored[0] : &clock->wall[at],
                         r < 0 ? &ignored[1] : &clock->processor[at], err);
            if (status != TW_OK)
                return status;
        }
    return TW_OK;
}

enum tw_status tw_compare_times(const struct tw_experiment *e, const struct tw_load_options *load,
                                const struct tw_run_options *run, int32_t rounds,
                                struct tw_variant_time *times, struct tw_error *err)
{
    size_t variants = (size_t)e->variant_count, all = variants * (size_t)rounds;
    struct tw_run_options options = *run;
    struct tw_load_options quiet = *load;
    struct clock clock = {calloc(all + 1, sizeof(double)), calloc(all + 1, sizeof(double))};
    struct tw_recipe **recipes = calloc(variants + 1, sizeof(struct tw_recipe *));
    bool ok = clock.wall && clock.processor && recipes;
    enum tw_status status = ok ? TW_OK : tw_error_set(err, TW_MEMORY, "out of memory");
    options.cache_dir = NULL;
    options.progress = NULL;
    quiet.diagnostic = NULL;
    for (int32_t v = 0; status == TW_OK && v < e->variant_count; v++)
        status = tw_experiment_recipe(e, v, tw_experiment_seed(e, 0), &quiet, &recipes[v], err);
    if (status == TW_OK)
        status = run_rounds(recipes, e->variant_count, rounds, &options, &clock, err);
    for (size_t v = 0; status == TW_OK && v < variants; v++)
        times[v] = (struct tw_variant_time){
            find_median(clock.wall + v * (size_t)rounds, rounds),
            find_median(clock.processor + v * (size_t)rounds, rounds), rounds};
    for (size_t v = 0; recipes && v < variants; v++)
        tw_recipe_release(recipes[v]);
    free(recipes);
    free(clock.wall);
    free(clock.processor);
    return status;
}
