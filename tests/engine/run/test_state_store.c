/* SPDX-License-Identifier: MIT */
/* A node too cheap to be stored is computed again where something else needs its outputs: each of
 * them must then have the bytes that the cache has the digest of. */
#include "support/command.h"
#include "support/harness.h"
#include "support/node_clock.h"

#include <stdio.h>
#include <string.h>

static int runs;

struct params {
    int32_t changes;
};

static const struct tw_param params[] = {
    TW_PARAM_I32(struct params, changes, 0, 0, 2, "", "the output that counts runs; 2: none"),
    TW_PARAM_END,
};
static const struct tw_port outputs[] = {
    {"first", TW_HEIGHTMAP, 0, "a map"}, {"second", TW_HEIGHTMAP, 0, "another"}, TW_PORT_END};

static enum tw_status run_count(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    for (int port = 0; port < 2; port++) {
        struct tw_value *out = tw_task_output(task, port);
        for (size_t i = 0; i < tw_value_count(out); i++)
            tw_floats(out)[i] = port == p->changes ? (float)runs : 7;
    }
    runs++;
    node_costs(1e-6); /* so that no value is stored */
    return TW_OK;
}

static const struct tw_node_type count_type = {.name = "test.count",
                                               .version = 1,
                                               .summary = "counts its runs",
                                               .outputs = outputs,
                                               .params = params,
                                               .params_size = sizeof(struct params),
                                               .run = run_count};
static const struct tw_node_type *const types[] = {&count_type, NULL};

static enum tw_status run_with(int changes, int high, struct tw_error *error)
{
    const struct tw_load_options load = {.types = types, .width = 5, .height = 3};
    const struct tw_run_options options = {.threads = 1, .cache_dir = "cache"};
    struct tw_recipe *recipe = NULL;
    struct tw_result *result = NULL;
    char text[400];
    snprintf(text, sizeof text,
             "thalweg: 1\nnodes:\n  c: {type: test.count, changes: %d}\n"
             "  s: {type: combine.add, a: c.first, b: c.second}\n"
             "  h: {type: shape.invert, in: s, high: %d}\noutputs: {h: h}\n",
             changes, high);
    if (tw_recipe_parse(text, strlen(text), "test.yaml", &load, &recipe, error) != TW_OK)
        fail_msg("%s", error->message);
    enum tw_status status = tw_recipe_run(recipe, &options, &result, error);
    tw_result_release(result);
    tw_recipe_release(recipe);
    return status;
}

static void each_output_must_come_back(void **state)
{
    (void)state;
    for (int changes = 0; changes < 3; changes++) {
        struct tw_error error = {.status = TW_OK};
        runs = 0;
        assert_int_equal(run_with(changes, 1, &error), TW_OK);
        assert_int_equal(runs, 1);
        enum tw_status status = run_with(changes, 2, &error);
        assert_int_equal(runs, 2);
        assert_int_equal(status, changes < 2 ? TW_NODE : TW_OK);
        if (changes < 2)
            assert_string_equal(error.message,
                                "test.count gave other bytes than before with the same inputs");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_output_must_come_back, command_set_up,
                                        command_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
