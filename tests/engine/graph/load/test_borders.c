/* SPDX-License-Identifier: MIT */
/* Which world a recipe means: as its key says, else by what its outputs are made from. */
#include "support/recipe.h"

#include "graph/key.h"
#include "graph/merge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct tw_recipe *recipe_with(const char *head, const char *nodes, const char *tail)
{
    char text[2000];
    snprintf(text, sizeof text, "thalweg: 1\n%snodes:\n%s%s", head, nodes, tail);
    return recipe_of(text);
}

static void expect(const char *head, const char *nodes, const char *tail, enum tw_borders borders,
                   const char *reason)
{
    struct tw_recipe *recipe = recipe_with(head, nodes, tail);
    assert_string_equal(recipe->borders_reason, reason);
    assert_int_equal(recipe->borders, borders);
    for (int32_t i = 0; i < recipe->count; i++)
        assert_int_equal(recipe->nodes[i].borders, borders);
    tw_recipe_release(recipe);
}

static const char out[] = "outputs: {out: a}\n";

static void the_key_decides(void **state)
{
    (void)state;
    expect("borders: closed\n", "  a: {type: source.constant}\n", out, TW_BORDERS_CLOSED,
           "as the recipe says");
    expect("borders: wrap\n", "  a: {type: noise.fault}\n", out, TW_BORDERS_WRAP,
           "as the recipe says");
}

static void else_the_sources_do(void **state)
{
    (void)state;
    expect("", "  a: {type: noise.perlin}\n", out, TW_BORDERS_WRAP, "since every source wraps");
    expect("", "  a: {type: noise.perlin, basis: simplex}\n", out, TW_BORDERS_CLOSED,
           "since noise.perlin 'a' does not wrap");
    expect("", "  a: {type: noise.ridged, tile: false}\n", out, TW_BORDERS_CLOSED,
           "since noise.ridged 'a' does not wrap");
    expect("size: 64\n", "  a: {type: noise.midpoint}\n", out, TW_BORDERS_WRAP,
           "since every source wraps");
    expect("size: 65\n", "  a: {type: noise.midpoint}\n", out, TW_BORDERS_CLOSED,
           "since noise.midpoint 'a' does not wrap");
    expect("",
           "  a: {type: shape.invert, in: dem}\n  dem: {type: source.heightmap, file: "
           "data/jacksboro.png, fit: bilinear}\n",
           out, TW_BORDERS_CLOSED, "since source.heightmap 'dem' does not wrap");
}

static void pictures_wrap_only_where_the_key_says_so(void **state)
{
    static const char nodes[] = "  a: {type: noise.perlin}\n  b: {type: render.hillshade, in: a}\n";
    static const char *const heads[] = {"", "borders: wrap\n", "borders: closed\n"};
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct tw_recipe *recipe = recipe_with(heads[i], nodes, "export: {b.png: b}\n");
        for (int32_t k = 0; k < recipe->count; k++) {
            bool picture = strcmp(recipe->nodes[k].path, "b") == 0;
            bool wraps = picture ? i == 1 : i < 2;
            assert_int_equal(recipe->nodes[k].borders, wraps ? TW_BORDERS_WRAP : TW_BORDERS_CLOSED);
        }
        tw_recipe_release(recipe);
    }
}

static void only_what_is_needed_counts(void **state)
{
    static const char nodes[] = "  a: {type: noise.spectral}\n  b: {type: noise.fault}\n";
    (void)state;
    expect("", nodes, out, TW_BORDERS_WRAP, "since every source wraps");
    expect("", nodes, "outputs: {out: a}\nexport: {b.npy: b}\n", TW_BORDERS_CLOSED,
           "since noise.fault 'b' does not wrap");
}

static char *key_of(enum tw_borders borders, bool bordered)
{
    struct tw_recipe *recipe = recipe_with("", "  a: {type: source.constant}\n", out);
    struct tw_node_type type = *recipe->nodes[0].type;
    type.bordered = bordered;
    recipe->nodes[0].type = &type;
    recipe->nodes[0].borders = borders;
    char *text = tw_key_text(recipe, &recipe->nodes[0], NULL, NULL);
    assert_non_null(text);
    tw_recipe_release(recipe);
    return text;
}

static void they_are_in_the_key_of_nodes_that_read_them(void **state)
{
    char *wrap = key_of(TW_BORDERS_WRAP, true), *closed = key_of(TW_BORDERS_CLOSED, true);
    char *blind = key_of(TW_BORDERS_WRAP, false), *other = key_of(TW_BORDERS_CLOSED, false);
    (void)state;
    assert_non_null(strstr(wrap, "\nborders wrap\n"));
    assert_non_null(strstr(closed, "\nborders closed\n"));
    assert_null(strstr(blind, "borders"));
    assert_string_equal(blind, other);
    free(wrap);
    free(closed);
    free(blind);
    free(other);
}

/* Variants may differ in their borders: a node keeps its own in the merged graph. */
static void merged_nodes_keep_their_own(void **state)
{
    struct tw_recipe *wrap = recipe_with("borders: wrap\n", "  a: {type: source.constant}\n", out);
    struct tw_recipe *closed =
        recipe_with("borders: closed\n", "  a: {type: source.constant}\n", out);
    struct tw_node_type type = *wrap->nodes[0].type;
    struct tw_names seen = {0};
    int32_t first, second;
    (void)state;
    type.bordered = true;
    wrap->nodes[0].type = closed->nodes[0].type = &type;
    struct tw_recipe *merged = tw_merge_new(wrap, 2);
    assert_non_null(merged);
    assert_int_equal(tw_merge_add(merged, &seen, wrap, &first, NULL), TW_OK);
    assert_int_equal(tw_merge_add(merged, &seen, closed, &second, NULL), TW_OK);
    assert_int_equal(merged->count, 2);
    assert_int_equal(merged->nodes[first].borders, TW_BORDERS_WRAP);
    assert_int_equal(merged->nodes[second].borders, TW_BORDERS_CLOSED);
    tw_names_release(&seen);
    tw_recipe_release(merged);
    tw_recipe_release(wrap);
    tw_recipe_release(closed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_key_decides),
        cmocka_unit_test(else_the_sources_do),
        cmocka_unit_test(pictures_wrap_only_where_the_key_says_so),
        cmocka_unit_test(only_what_is_needed_counts),
        cmocka_unit_test(they_are_in_the_key_of_nodes_that_read_them),
        cmocka_unit_test(merged_nodes_keep_their_own),
    };
    if (chdir(TW_GRAPHS) != 0) /* where the files are that recipes name */
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
