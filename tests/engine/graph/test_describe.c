/* SPDX-License-Identifier: MIT */
/* The text that machines compare names every node once, with what decides its bytes. */
#include "graph/describe.h"

#include "base/os/file.h"
#include "support/command.h"
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

/* Each once, though several nodes read it; names rise and fall by a letter. */
static void files_are_named_by_their_contents(void **state)
{
    static const char *const order[] = {"b.npy", "a.npy", "b.npy", "c.npy", "c.npy", "a.npy"};
    static const char maps[] = "thalweg: 1\nsize: 4\nnodes:\n  a: {type: noise.perlin}\n"
                               "  b: {type: noise.ridged}\n  c: {type: noise.midpoint}\n"
                               "outputs: {a: a, b: b, c: c}\n"
                               "export: {a.npy: a, b.npy: b, c.npy: c}\n";
    static struct command_result result;
    char recipe_text[1000], expected[1000] = "", hex[2 * sizeof(struct tw_sha256) + 1];
    struct tw_recipe *recipe = NULL;
    struct tw_error error;
    struct tw_bytes found = {0};
    (void)state;
    command_write("maps.yaml", maps, strlen(maps));
    command_expect("run maps.yaml -o . --no-cache -q", 0, &result);
    int used = snprintf(recipe_text, sizeof recipe_text, "thalweg: 1\nsize: 4\nnodes:\n");
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        used += snprintf(recipe_text + used, sizeof recipe_text - (size_t)used,
                         "  n%d: {type: source.heightmap, file: %s}\n", (int)i, order[i]);
    snprintf(recipe_text + used, sizeof recipe_text - (size_t)used,
             "outputs: {n0: n0, n1: n1, n2: n2, n3: n3, n4: n4, n5: n5}\n");
    command_write("reads.yaml", recipe_text, strlen(recipe_text));
    if (tw_recipe_load("reads.yaml", NULL, &recipe, &error) != TW_OK)
        fail_msg("%d: %s", error.line, error.message);
    for (const struct tw_reading *r = recipe->readings; r; r = r->next) {
        struct tw_sha256 digest;
        uint64_t length;
        size_t end = strlen(expected);
        if (!r->node)
            continue;
        assert_int_equal(tw_file_sha256(r->path, UINT64_MAX, &digest, &length, NULL), TW_OK);
        tw_hex(digest.at, sizeof digest.at, hex);
        snprintf(expected + end, sizeof expected - end, "file 7 %s %s\n", hex, r->node);
    }
    assert_int_equal(tw_describe_files(&found, recipe, 7, NULL), TW_OK);
    assert_int_equal(tw_bytes_print(&found, NULL, "%c", 0), TW_OK);
    assert_string_equal((const char *)found.at, expected);
    if (strlen(expected) < 3 * 70)
        fail_msg("%s", expected);
    tw_recipe_release(recipe);
    free(found.at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_named_by_their_contents),
        cmocka_unit_test(every_node_is_named_once),
        cmocka_unit_test(what_decides_bytes_is_named),
    };
    return cmocka_run_group_tests(tests, command_set_up, command_tear_down);
}
