/* SPDX-License-Identifier: MIT */
/* Every recipe in graphs/ is golden: its outputs must have the digests of tests/golden/recipes.txt,
 * on one thread and on eight (THALWEG_UPDATE_GOLDEN=1 rewrites them; a change needs a reason in the
 * commit). Recipes keep their shape with a longer side of at most 192 cells, and views are as
 * small, so that all take seconds even without optimisation; those that read a map keep their size.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "graph/graph.h"
#include "graph/key.h"
#include "node/param.h"
#include "support/golden.h"
#include "value/field.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECIPES = 500, SIDE = 192 };

static char *paths[RECIPES];
static int count;

static int add(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    size_t length = strlen(path);
    (void)info;
    (void)at;
    if (kind == FTW_F && length > 5 && strcmp(path + length - 5, ".yaml") == 0 && count < RECIPES)
        paths[count++] = strdup(path);
    return 0;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool reads_a_file(const struct tw_recipe *recipe)
{
    for (int32_t i = 0; i < recipe->count; i++)
        if (tw_node_file_param(recipe->nodes[i].type))
            return true;
    return false;
}

/* Experiments, and recipes with inputs, cannot run alone. */
static bool runs_alone(const char *path)
{
    char line[400];
    bool alone = true;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (alone && fgets(line, sizeof line, file))
        alone = strncmp(line, "thalweg-experiment", 18) != 0 && strncmp(line, "inputs:", 7) != 0;
    fclose(file);
    return alone;
}

/* Shrinks nodes whose pictures have a size of their own. */
static void draw_small(struct tw_recipe *recipe)
{
    for (int32_t i = 0; i < recipe->count; i++) {
        struct tw_node *node = &recipe->nodes[i];
        const struct tw_param *row = tw_param_find(node->type->params, "size");
        if (!node->type->output_size || !row || row->kind != TW_KIND_LIST)
            continue;
        struct tw_list *size = (struct tw_list *)((unsigned char *)node->params + row->offset);
        if (size->count == 0) /* as large as the map */
            continue;
        size->at[1] = (float)(int)(size->at[size->count - 1] * SIDE / size->at[0]);
        size->count = 2;
        size->at[0] = SIDE;
    }
}

static struct tw_recipe *load(const char *path)
{
    struct tw_recipe *recipe = NULL;
    struct tw_error error;
    struct tw_load_options options = {0};
    if (!runs_alone(path))
        return NULL;
    if (tw_recipe_load(path, &options, &recipe, &error) != TW_OK)
        fail_msg("%s:%d:%d: %s", path, error.line, error.column, error.message);
    int32_t longest = recipe->width > recipe->height ? recipe->width : recipe->height;
    if (longest <= SIDE || reads_a_file(recipe))
        return recipe;
    options.width = recipe->width * SIDE / longest;
    options.height = recipe->height * SIDE / longest;
    tw_recipe_release(recipe);
    if (tw_recipe_load(path, &options, &recipe, &error) == TW_OK)
        return recipe;
    options.width = options.height = SIDE + 1; /* exports for SimCity 4 need 64 k + 1 cells */
    assert_int_equal(tw_recipe_load(path, &options, &recipe, &error), TW_OK);
    return recipe;
}

static struct tw_digest run(const char *path, struct tw_recipe *recipe, int32_t threads)
{
    struct tw_result *result = NULL;
    struct tw_error error;
    struct tw_digest all = {{0}};
    const struct tw_run_options options = {.threads = threads};
    if (tw_recipe_run(recipe, &options, &result, &error) != TW_OK)
        fail_msg("%s: %s: %s", path, error.path, error.message);
    for (const struct tw_output *o = recipe->outputs; o; o = o->next) {
        struct tw_digest pair[2] = {all, tw_field_digest(tw_result_output(result, o->name))};
        all = tw_digest_of(pair, sizeof pair);
    }
    tw_result_release(result);
    return all;
}

static void recipes_give_the_same_bytes_as_ever(void **state)
{
    struct golden golden;
    (void)state;
    golden_begin(&golden, TW_GOLDEN "/recipes.txt");
    assert_int_equal(nftw(TW_GRAPHS, add, 16, FTW_PHYS), 0);
    qsort(paths, (size_t)count, sizeof paths[0], compare);
    assert_true(count >= 2);
    for (int i = 0; i < count; i++) {
        char line[400], hex[33];
        struct tw_recipe *recipe = load(paths[i]);
        if (!recipe)
            continue;
        draw_small(recipe);
        struct tw_digest one = run(paths[i], recipe, 1), eight = run(paths[i], recipe, 8);
        assert_memory_equal(&one, &eight, sizeof one);
        tw_hex(one.at, sizeof one.at, hex);
        snprintf(line, sizeof line, "%s %s\n", paths[i] + strlen(TW_GRAPHS) + 1, hex);
        golden_line(&golden, line);
        tw_recipe_release(recipe);
        free(paths[i]);
    }
    golden_end(&golden);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(recipes_give_the_same_bytes_as_ever)};
    cmocka_set_test_filter(getenv("THALWEG_TEST")); /* a pattern; all tests without it */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
