/* SPDX-License-Identifier: MIT */
/* What every node says that a run of it takes, against what it took: the engine counts values and
 * scratch as they are allocated. A forecast may not be too low, and not a tenth too high. */
#include "support/example.h"

#include "node/registry.h"
#include "run/runner.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SLACK = 1 << 20 }; /* bytes: tables of a few rows or points are not worth more exactness */

struct size {
    int32_t width, height;
};

static bool is_close(uint64_t forecast, uint64_t taken)
{
    return taken <= forecast && forecast <= taken + taken / 10 + SLACK;
}

/* Diffusion solves the box around its curves' envelopes, which the forecast takes for the map. */
static bool is_bound(const struct tw_node_type *type)
{
    return strcmp(type->name, "feature.diffusion") == 0;
}

/* Every failure is printed, so that one run shows all. */
static int check_node(const struct tw_node *node, const struct tw_node_report *report,
                      struct size size)
{
    if (report->outcome != TW_OUTCOME_COMPUTED)
        return 0;
    if (is_close(report->forecast.scratch, report->scratch_bytes) ||
        (is_bound(node->type) && report->scratch_bytes <= report->forecast.scratch))
        return 0;
    print_error("%s at %d x %d: %" PRIu64 " bytes of scratch forecast, %" PRIu64 " taken\n",
                node->type->name, size.width, size.height, report->forecast.scratch,
                report->scratch_bytes);
    return 1;
}

static int check_example(const struct tw_node_type *type, struct size size)
{
    struct tw_recipe *recipe = example_load(type, size.width, size.height);
    struct tw_result *result = NULL;
    struct tw_run_report report = {0};
    struct tw_error error = {.status = TW_OK};
    const struct tw_run_options options = {.threads = 1};
    const struct tw_run_request request = {.options = &options, .report = &report};
    int failures = 0;
    if (tw_run_execute(recipe, &request, &result, &error) != TW_OK)
        fail_msg("%s: %s: %s", type->name, error.path, error.message);
    for (int32_t i = 0; i < recipe->count; i++)
        failures += check_node(&recipe->nodes[i], &report.nodes[i], size);
    if (!is_close(report.peak_bytes, report.used_bytes) &&
        !(is_bound(type) && report.used_bytes <= report.peak_bytes)) {
        print_error("%s at %d x %d: a peak of %" PRIu64 " bytes forecast, %" PRIu64 " taken\n",
                    type->name, size.width, size.height, report.peak_bytes, report.used_bytes);
        failures++;
    }
    tw_run_report_release(&report);
    tw_result_release(result);
    tw_recipe_release(recipe);
    return failures;
}

static void forecasts_are_what_nodes_take(void **state)
{
    static const struct size sizes[] = {{512, 512}, {300, 700}};
    int failures = 0;
    (void)state;
    EACH_NODE_TYPE(type)
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        failures += check_example(*type, sizes[i]);
    assert_int_equal(failures, 0);
}

/* Settings that take other scratch than the example's do. */
static void settings_are_forecast(void **state)
{
    static const struct tw_node_type sided = {
        .name = "erosion.droplets",
        .example = "noise: {type: noise.midpoint}\n"
                   "eroded: {type: erosion.droplets, in: noise, side: 200}\n"};
    (void)state;
    assert_int_equal(check_example(&sided, (struct size){1024, 512}), 0);
    assert_int_equal(check_example(&sided, (struct size){190, 1000}), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forecasts_are_what_nodes_take),
        cmocka_unit_test(settings_are_forecast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
