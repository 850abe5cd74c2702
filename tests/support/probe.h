/* SPDX-License-Identifier: MIT */
/* Tests kernels: runs the test inside a node, to give it a task. */
#ifndef TW_TESTS_SUPPORT_PROBE_H
#define TW_TESTS_SUPPORT_PROBE_H

#include "support/harness.h"

#include <string.h>

/* For use inside a body, which runs on a worker: cmocka's own checks work on the test's thread
 * only. */
#define probe_require(condition)                                                                   \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return tw_task_fail(task, "line %d: %s", __LINE__, #condition);                        \
    } while (0)

static enum tw_status (*probe_body)(struct tw_task *task);

static inline enum tw_status probe_call(struct tw_task *task)
{
    struct tw_value *out = tw_task_output(task, 0);
    memset(out->data, 0, tw_value_count(out) * sizeof(float));
    return probe_body(task);
}

/* Runs `body` as a node on a map of this size, with that many threads. */
static inline void probe_run(enum tw_status (*body)(struct tw_task *), int32_t width,
                             int32_t height, int32_t threads)
{
    static const struct tw_port outputs[] = {{"out", TW_HEIGHTMAP, 0, "zeros"}, TW_PORT_END};
    static const struct tw_node_type type = {.name = "test.probe",
                                             .version = 1,
                                             .summary = "a kernel",
                                             .outputs = outputs,
                                             .reach = TW_REACH_ALL,
                                             .run = probe_call};
    static const struct tw_node_type *const types[] = {&type, NULL};
    static const char text[] = "thalweg: 1\nnodes: {a: {type: test.probe}}\noutputs: {a: a}\n";
    const struct tw_load_options load = {.types = types, .width = width, .height = height};
    const struct tw_run_options options = {.threads = threads};
    struct tw_recipe *recipe = NULL;
    struct tw_result *result = NULL;
    struct tw_error error;
    probe_body = body;
    if (tw_recipe_parse(text, strlen(text), "probe.yaml", &load, &recipe, &error) != TW_OK ||
        tw_recipe_run(recipe, &options, &result, &error) != TW_OK)
        fail_msg("%s", error.message);
    tw_result_release(result);
    tw_recipe_release(recipe);
}

#endif
