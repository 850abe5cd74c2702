/* SPDX-License-Identifier: MIT */
/* Keys of the cache: equal for equal work, different for any difference that could change a byte.
 */
#include "support/recipe.h"

#include "graph/key.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const struct tw_stamp stamp = {{{1, 2, 0xfe}}, TW_HEIGHTMAP, 4, 3, {{0xc0}}};

static char *text_of(const char *head, const char *node, const struct tw_key_file *file)
{
    char text[4000];
    snprintf(text, sizeof text,
             "thalweg: 1\n%snodes:\n  in: {type: noise.midpoint}\n  a: %s\noutputs: {out: a}\n",
             head, node);
    struct tw_recipe *recipe = recipe_of(text);
    const struct tw_stamp *stamps[TW_INPUTS_MAX];
    for (int i = 0; i < TW_INPUTS_MAX; i++)
        stamps[i] = &stamp;
    char *key = tw_key_text(recipe, recipe_node(recipe, "a"), stamps, file);
    assert_non_null(key);
    tw_recipe_release(recipe);
    return key;
}

static void compare(const char *head_a, const char *a, const char *head_b, const char *b, bool same)
{
    char *one = text_of(head_a, a, NULL), *two = text_of(head_b, b, NULL);
    if ((strcmp(one, two) == 0) != same)
        fail_msg("%s and %s:\n%s\n%s", a, b, one, two);
    struct tw_sha256 left = tw_sha256_of(one, strlen(one)), right = tw_sha256_of(two, strlen(two));
    assert_int_equal(memcmp(&left, &right, sizeof left) == 0, same);
    free(one);
    free(two);
}

static void the_text_names_all_that_counts(void **state)
{
    const struct tw_key_file file = {.bytes = {{0xab}}};
    (void)state;
    char *text = text_of("size: [4, 3]\n", "{type: erosion.olsen, in: in, talus: 16}", NULL);
    assert_memory_equal(text, "format 2\ntype erosion.olsen\nversion ", 36);
    assert_non_null(strstr(text, "\nsize 4 3\n"));
    assert_non_null(strstr(text, "\ntalus 16\n"));
    assert_non_null(strstr(text, "\ninput.in 0102fe00000000000000000000000000 c0"));
    assert_null(strstr(text, "seed "));
    assert_null(strstr(text, "world "));
    assert_int_equal(text[strlen(text) - 1], '\n');
    free(text);
    text = text_of("size: 4\n", "{type: source.heightmap, file: data/jacksboro.png, fit: crop}",
                   &file);
    assert_non_null(
        strstr(text, "\nfile ab00000000000000000000000000000000000000000000000000000000000000\n"));
    assert_null(strstr(text, "jacksboro")); /* contents count, names do not */
    free(text);
}

static void keys_are_canonical(void **state)
{
    static const char plain[] = "{type: erosion.olsen, in: in, talus: 16, iterations: 50}";
    (void)state;
    compare("", plain, "# words\n", "{iterations: 50, talus: 1.6e1, in: in, type: erosion.olsen}",
            true);
    compare("", plain, "about: something\n", "{type: erosion.olsen, in: in, talus: \"16.000\"}",
            true);
    compare("", plain, "params: {t: 16}\n", "{type: erosion.olsen, in: in, talus: \"${t}\"}", true);
    compare("", "{type: noise.midpoint}", "world: {side_m: 1}\n", "{type: noise.midpoint}", true);
    compare("", "{type: noise.midpoint, seed: 3}", "", "{type: noise.midpoint, seed: \"3\"}", true);
    compare("", "{type: shape.curve, in: in, points: [[0, 0], [1, 1]]}", "",
            "{type: shape.curve, in: in, points: [{y: 0, x: 0}, {x: 1.0, y: 1}]}", true);
}

#define FORMULA(text) "{type: combine.formula, a: in, formula: \"" text "\"}"

/* A formula counts by its steps. */
static void formulas_count_by_their_steps(void **state)
{
    (void)state;
    compare("", FORMULA("a*2"), "params: {p: 2, f: '(a * ${p})'}\n", FORMULA("a * p"), true);
    compare("", FORMULA("a*2"), "params: {p: 2, f: '(a * ${p})'}\n", FORMULA("${f}"), true);
    compare("", FORMULA("a*2"), "", FORMULA("a * 2.0000000000000004"), false);
    compare("", FORMULA("a*2"), "", FORMULA("2*a"), false);
    compare("", FORMULA("a^2"), "", FORMULA("a*a"), false);
}

static void differences_reach_the_key(void **state)
{
    static const char plain[] = "{type: erosion.olsen, in: in, talus: 16}";
    (void)state;
    compare("", plain, "", "{type: erosion.olsen, in: in, talus: 16.000002}",
            false); /* one float on */
    compare("", plain, "", "{type: erosion.thermal, in: in, talus: 16}", false);
    compare("", plain, "size: 511\n", plain, false);
    compare("size: [4, 3]\n", plain, "size: [3, 4]\n", plain, false);
    compare("", plain, "seed: 1\n", plain, true); /* it draws nothing */
    compare("", "{type: feature.diffusion, in: in}", "world: {side_m: 4096}\n", /* the default */
            "{type: feature.diffusion, in: in}", false);
    compare("", "{type: noise.midpoint}", "seed: 1\n", "{type: noise.midpoint}", false);
    compare("", "{type: noise.midpoint}", "", "{type: noise.midpoint, seed: 1}", false);
    compare("", "{type: shape.curve, in: in, points: [[0, 0], [1, 1]]}", "",
            "{type: shape.curve, in: in, points: [[0, 0], [1, 2]]}", false);
}

static void inputs_count_by_port_and_content(void **state)
{
    static const char text[] = "thalweg: 1\nnodes:\n  in: {type: noise.midpoint}\n"
                               "  a: {type: combine.add, a: in, b: in}\noutputs: {out: a}\n";
    struct tw_stamp other = stamp;
    const struct tw_stamp *const one[] = {&stamp, &other}, *const two[] = {&other, &stamp};
    struct tw_recipe *recipe = recipe_of(text);
    const struct tw_node *node = recipe_node(recipe, "a");
    (void)state;
    char *same = tw_key_text(recipe, node, one, NULL),
         *swapped = tw_key_text(recipe, node, two, NULL);
    assert_string_equal(same, swapped);
    free(swapped);
    other.digest.at[15] = 1;
    char *changed = tw_key_text(recipe, node, one, NULL);
    swapped = tw_key_text(recipe, node, two, NULL);
    assert_string_not_equal(same, changed);
    assert_string_not_equal(changed, swapped);
    free(same);
    free(swapped);
    other = stamp;
    other.content.at[31] = 1; /* where digests meet contents decide */
    same = tw_key_text(recipe, node, one, NULL);
    assert_string_not_equal(same, changed);
    free(same);
    free(changed);
    tw_recipe_release(recipe);
}

static char *text_in_world(double side_m, bool physical)
{
    struct tw_recipe *recipe = recipe_of("thalweg: 1\nnodes: {a: {type: source.constant}}\n"
                                         "outputs: {out: a}\n");
    struct tw_node_type type = *recipe->nodes[0].type;
    type.physical = physical;
    recipe->nodes[0].type = &type;
    recipe->world.side_m = side_m;
    char *text = tw_key_text(recipe, &recipe->nodes[0], NULL, NULL);
    assert_non_null(text);
    tw_recipe_release(recipe);
    return text;
}

static void the_world_counts_where_it_is_read(void **state)
{
    char *plain = text_in_world(4096, false), *other = text_in_world(5000, false);
    char *physical = text_in_world(4096, true), *changed = text_in_world(5000, true);
    (void)state;
    assert_string_equal(plain, other);
    assert_string_not_equal(plain, physical);
    assert_string_not_equal(physical, changed);
    assert_non_null(strstr(physical, "\nworld 4096 600 0 0 0 0\n"));
    free(plain);
    free(other);
    free(physical);
    free(changed);
}

static char *text_with(const char *world)
{
    char recipe[200];
    snprintf(recipe, sizeof recipe,
             "thalweg: 1\n%snodes: {a: {type: source.constant}}\noutputs: {out: a}\n", world);
    struct tw_recipe *loaded = recipe_of(recipe);
    struct tw_node_type type = *loaded->nodes[0].type;
    type.physical = true;
    loaded->nodes[0].type = &type;
    char *text = tw_key_text(loaded, &loaded->nodes[0], NULL, NULL);
    assert_non_null(text);
    tw_recipe_release(loaded);
    return text;
}

/* A node can tell whether the recipe gives it, though it is as long. */
static void a_given_side_is_not_the_default(void **state)
{
    char *other = text_with("world: {height_m: 600}\n");
    char *given = text_with("world: {height_m: 600, side_m: 4096}\n");
    (void)state;
    assert_null(strstr(other, "side given\n"));
    assert_non_null(strstr(given, "side given\n"));
    free(other);
    free(given);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_text_names_all_that_counts),
        cmocka_unit_test(a_given_side_is_not_the_default),
        cmocka_unit_test(keys_are_canonical),
        cmocka_unit_test(formulas_count_by_their_steps),
        cmocka_unit_test(differences_reach_the_key),
        cmocka_unit_test(inputs_count_by_port_and_content),
        cmocka_unit_test(the_world_counts_where_it_is_read),
    };
    if (chdir(TW_GRAPHS) != 0) /* where the files are that recipes name */
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
