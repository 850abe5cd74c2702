/* SPDX-License-Identifier: MIT */
/* Keys name everything that decides a node's outputs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "graph/key.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <thalweg/node.h>

static char *text_with_world(const char *world)
{
    static const struct tw_port outputs[] = {{"out", TW_HEIGHTMAP, 0, "map"}, TW_PORT_END};
    static const struct tw_node_type metres = {.name = "test.metres",
                                               .version = 1,
                                               .summary = "reads the world",
                                               .outputs = outputs,
                                               .physical = true};
    static const struct tw_node_type *const types[] = {&metres, NULL};
    const struct tw_load_options options = {.types = types};
    struct tw_recipe *recipe = NULL;
    char text[300];
    snprintf(text, sizeof text,
             "thalweg: 1\nworld: %s\nnodes: {a: {type: test.metres}}\n"
             "outputs: {a: a}\n",
             world);
    assert_int_equal(tw_recipe_parse(text, strlen(text), "test.yaml", &options, &recipe, NULL),
                     TW_OK);
    char *key = tw_key_text(recipe, &recipe->nodes[0], NULL, NULL);
    assert_non_null(key);
    tw_recipe_release(recipe);
    return key;
}

static void worlds_differ_to_the_last_digit(void **state)
{
    char *one = text_with_world("{side_m: 1000.0000001, sea_level: 0.2}");
    char *two = text_with_world("{side_m: 1000.0000002, sea_level: 0.2}");
    (void)state;
    assert_string_not_equal(one, two);
    assert_non_null(strstr(one, "world 1000.0000001 600 0.2 0 0 0 given\n"));
    free(one);
    free(two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worlds_differ_to_the_last_digit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
