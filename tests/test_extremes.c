/* SPDX-License-Identifier: MIT */
/* The digest of every node's example where little is left of a map: a cell, a row, a column, and on
 * terrain without slopes, with plateaus, far below zero or nearly flat, with masks that are 0 or 1
 * everywhere. What is refused stands in tests/golden/extremes.txt with its message. Lines may
 * change only with the node's version (write them anew with THALWEG_UPDATE_GOLDEN=1). */
#include "support/example.h"
#include "support/golden.h"

#include "field/field.h"
#include "node/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 29, HEIGHT = 22, OUTPUTS = 64, TEXT_BYTES = 4096 };

/* The digest of all outputs in hexadecimal, or the message of what refuses to run. */
struct outcome {
    char text[400];
};

static void run(struct tw_recipe *recipe, int32_t threads, struct outcome *outcome)
{
    struct tw_result *result = NULL;
    struct tw_error error;
    struct tw_digest all[OUTPUTS];
    const struct tw_run_options options = {.threads = threads};
    int count = 0;
    if (tw_recipe_run(recipe, &options, &result, &error) != TW_OK) {
        snprintf(outcome->text, sizeof outcome->text, "%s: %s", error.path, error.message);
        return;
    }
    for (const struct tw_output *o = recipe->outputs; o; o = o->next) {
        assert_true(count < OUTPUTS);
        all[count++] = tw_field_digest(tw_result_output(result, o->name));
    }
    tw_result_release(result);
    struct tw_digest digest = tw_digest_of(all, (size_t)count * sizeof all[0]);
    tw_hex(digest.at, sizeof digest.at, outcome->text);
}

/* The same with plain code on one thread as with the widest on two. Releases the recipe. */
static void print(struct golden *golden, const struct tw_node_type *type, const char *name,
                  struct tw_recipe *recipe)
{
    struct outcome plain, wide;
    char line[600];
    setenv("THALWEG_SIMD", "base", 1);
    run(recipe, 1, &plain);
    unsetenv("THALWEG_SIMD");
    run(recipe, 2, &wide);
    tw_recipe_release(recipe);
    if (strcmp(plain.text, wide.text) != 0)
        fail_msg("%s, %s: %s, but with vectors %s", type->name, name, plain.text, wide.text);
    snprintf(line, sizeof line, "%s %d %s %s\n", type->name, (int)type->version, name, plain.text);
    golden_line(golden, line);
}

static void print_sizes(struct golden *golden, const struct tw_node_type *type)
{
    static const int32_t sizes[][2] = {{1, 1}, {1, 7}, {7, 1}, {2, 2}, {3, 5}, {33, 2}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char name[20];
        snprintf(name, sizeof name, "%dx%d", (int)sizes[i][0], (int)sizes[i][1]);
        print(golden, type, name, example_load(type, sizes[i][0], sizes[i][1]));
    }
}

static const struct {
    const char *name, *nodes;
    enum tw_type type;
} maps[] = {
    {"flat", "extreme: {type: source.constant, value: 0.25}", TW_HEIGHTMAP},
    {"plateaus",
     "spare: {type: noise.perlin}\n"
     "extreme: {type: combine.formula, a: spare, formula: \"floor(a * 4) / 4\"}",
     TW_HEIGHTMAP},
    {"deep",
     "spare: {type: noise.perlin}\n"
     "extreme: {type: combine.formula, a: spare, formula: \"a * 8 - 20\"}",
     TW_HEIGHTMAP},
    {"faint",
     "spare: {type: noise.perlin}\n"
     "extreme: {type: combine.formula, a: spare, formula: \"a * 1e-7\"}",
     TW_HEIGHTMAP},
    {"none",
     "spare: {type: noise.perlin}\n"
     "extreme: {type: mask.height, in: spare, low: 8, high: 9}",
     TW_MASK},
    {"all",
     "spare: {type: noise.perlin}\n"
     "extreme: {type: mask.height, in: spare, low: -9, high: 9, softness: 0}",
     TW_MASK},
};

/* The example with `extreme` at the port, instead of what is there; false where the port takes
 * several, or where nothing of it stands behind the type. */
static bool connect(const struct tw_node_type *type, const struct tw_port *port,
                    char text[TEXT_BYTES])
{
    char node[100], name[100];
    snprintf(node, sizeof node, "{type: %s,", type->name);
    snprintf(name, sizeof name, " %s: ", port->name);
    const char *begin = strstr(type->example, node), *at = begin ? strstr(begin, name) : NULL;
    if (!begin || port->flags & TW_VARIADIC)
        return false;
    const char *from = begin + strlen(node), *to = from;
    if (at && at < begin + strcspn(begin, "}")) {
        from = at;
        to = at + strlen(name);
        to += strcspn(to, ",}");
    }
    int used = snprintf(text, TEXT_BYTES, "%.*s%sextreme%s%s", (int)(from - type->example),
                        type->example, name, from == to ? "," : "", to);
    assert_true(used < TEXT_BYTES);
    return true;
}

static void print_maps(struct golden *golden, const struct tw_node_type *type)
{
    for (const struct tw_port *port = type->inputs; port && port->name; port++)
        for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
            char text[TEXT_BYTES], name[100];
            if (maps[i].type != port->type || !connect(type, port, text))
                continue;
            struct tw_node_type changed = *type;
            changed.example = text;
            snprintf(name, sizeof name, "%s=%s", port->name, maps[i].name);
            print(golden, type, name, example_load_with(&changed, WIDTH, HEIGHT, maps[i].nodes));
        }
}

static void extremes_change_bytes_only_with_versions(void **state)
{
    struct golden golden;
    (void)state;
    golden_begin(&golden, TW_GOLDEN "/extremes.txt");
    EACH_NODE_TYPE(type)
    {
        print_sizes(&golden, *type);
        print_maps(&golden, *type);
    }
    golden_end(&golden);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(extremes_change_bytes_only_with_versions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
