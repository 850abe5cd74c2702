/* SPDX-License-Identifier: MIT */
/* The text that machines compare names every node once, with what decides its bytes. */
#include "graph/describe.h"

#include "support/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a chain of so many nodes; free() it. */
static char *describe(int count, int octaves, const char *first, int *nodes)
{
    char text[4000];
    struct tw_recipe *recipe = NULL;
    struct tw_error error;
    struct tw_bytes all = {0};
    int used =
        snprintf(text, sizeof text, "thalweg: 1\nsize: 16\nnodes:\n  n0: {type: %s, octaves: %d}\n",
                 first, octaves);
    for (int i = 1; i < count; i++)
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "  n%d: {type: shape.invert, in: n%d}\n", i, i - 1);
    snprintf(text + used, sizeof text - (size_t)used, "outputs: {o: n%d}\n", count - 1);
    if (tw_recipe_parse(text, strlen(text), "r.yaml", NULL, &recipe, &error) != TW_OK)
        fail_msg("%d: %s", error.line, error.message);
    assert_int_equal(recipe->count, count);
    assert_true(tw_describe_nodes(&all, recipe));
    assert_int_equal(tw_bytes_print(&all, NULL, "%c", 0), TW_OK);
    tw_recipe_release(recipe);
    *nodes = 0;
    for (const char *at = (const char *)all.at; (at = strstr(at, "node ")); at++)
        *nodes += at == (const char *)all.at || at[-1] == '\n';
    return (char *)all.at;
}

static void every_node_is_named_once(void **state)
{
    int nodes;
    (void)state;
    for (int count = 1; count <= 40; count++) {
        free(describe(count, 3, "noise.perlin", &nodes));
        assert_int_equal(nodes, count);
    }
}

static void what_decides_bytes_is_named(void **state)
{
    int nodes;
    char *plain = describe(3, 3, "noise.perlin", &nodes),
         *same = describe(3, 3, "noise.perlin", &nodes),
         *finer = describe(3, 4, "noise.perlin", &nodes),
         *other = describe(3, 3, "noise.ridged", &nodes);
    (void)state;
    assert_string_equal(same, plain);
    assert_string_not_equal(finer, plain);
    assert_string_not_equal(other, plain);
    free(plain);
    free(same);
    free(finer);
    free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_node_is_named_once),
        cmocka_unit_test(what_decides_bytes_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
