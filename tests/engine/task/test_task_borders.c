/* SPDX-License-Identifier: MIT */
/* A node learns what the recipe's world is, and its own parameter overrides that. */
#include "support/harness.h"

#include <thalweg/node.h>

#include <stdio.h>
#include <string.h>

struct params {
    int32_t border;
};

static const struct tw_param params[] = {
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_END,
};
static const struct tw_port outputs[] = {{"out", TW_HEIGHTMAP, 0, "1 on a torus, else 0"},
                                         TW_PORT_END};

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    tw_floats(tw_task_output(task, 0))[0] = tw_task_wraps(task, p->border) ? 1.0f : 0.0f;
    return TW_OK;
}

static const struct tw_node_type type = {
    .name = "test.world",
    .version = 1,
    .summary = "outputs the world",
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .bordered = true,
    .run = run,
};
static const struct tw_node_type *const types[] = {&type, NULL};

static void expect(const char *borders, const char *border, bool wraps)
{
    char text[300];
    const struct tw_load_options load = {.types = types};
    struct tw_recipe *recipe = NULL;
    struct tw_result *result = NULL;
    struct tw_error error;
    snprintf(text, sizeof text,
             "thalweg: 1\nsize: 1\n%snodes: {n: {type: test.world%s}}\noutputs: {out: n}\n",
             borders, border);
    assert_int_equal(tw_recipe_parse(text, strlen(text), "t.yaml", &load, &recipe, &error), TW_OK);
    assert_int_equal(tw_recipe_run(recipe, NULL, &result, &error), TW_OK);
    assert_true(tw_floats(tw_result_output(result, "out"))[0] == (wraps ? 1.0f : 0.0f));
    tw_result_release(result);
    tw_recipe_release(recipe);
}

static void the_recipe_decides_unless_the_node_does(void **state)
{
    (void)state;
    expect("", "", true);
    expect("borders: wrap\n", "", true);
    expect("borders: closed\n", "", false);
    expect("borders: closed\n", ", border: recipe", false);
    expect("borders: closed\n", ", border: wrap", true);
    expect("borders: wrap\n", ", border: closed", false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_recipe_decides_unless_the_node_does)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
