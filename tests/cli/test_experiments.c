/* SPDX-License-Identifier: MIT */
/* Every experiment in graphs/ runs, one seed of maps of 16 cells, and docs/results has the variants
 * and measures of the experiments that it was made by. */
#include "support/command.h"
#include "support/harness.h"

#include <ftw.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static int ran, compared;

static bool is_experiment(const char *path)
{
    char line[100] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    bool first = fgets(line, sizeof line, file) && strncmp(line, "thalweg-experiment", 18) == 0;
    fclose(file);
    return first;
}

/* Sweeps of the plan have effects, tuning has trials; the others have variants. */
static void check_samples(const char *path, json_t *root)
{
    json_t *variants = json_object_get(root, "variants"), *measure;
    const char *name;
    bool planned = json_object_get(root, "sensitivity") || json_object_get(root, "tuning");
    assert_true(planned || json_array_size(variants) > 1);
    for (size_t v = 0; v < json_array_size(variants); v++) {
        json_t *measures = json_object_get(json_array_get(variants, v), "measures");
        assert_true(json_object_size(measures) > 0);
        json_object_foreach(measures, name, measure) if (!isfinite(json_number_value(
                                                             json_object_get(measure, "mean"))))
            fail_msg("%s: %s has no mean", path, name);
    }
}

static json_t *names_of(json_t *root)
{
    json_t *names = json_array(), *variants = json_object_get(root, "variants"), *measure;
    const char *name;
    for (size_t v = 0; v < json_array_size(variants); v++) {
        json_t *variant = json_array_get(variants, v);
        json_array_append(names, json_object_get(variant, "name"));
        json_object_foreach(json_object_get(variant, "measures"), name, measure)
            json_array_append_new(names, json_string(name));
    }
    json_array_append(names, json_object_get(root, "baseline"));
    return names;
}

/* docs/results/table2.json is what graphs/olsen/table2.yaml gave. */
static void compare_result(const char *path, json_t *root)
{
    char kept[400];
    const char *name = strrchr(path, '/') + 1;
    snprintf(kept, sizeof kept, TW_DOCS "/results/%.*s.json", (int)strcspn(name, "."), name);
    json_t *known = json_load_file(kept, 0, NULL);
    if (!known)
        return;
    json_t *expected = names_of(root), *names = names_of(known);
    if (!json_equal(expected, names))
        fail_msg("%s has other variants or measures than %s", kept, path);
    json_decref(expected);
    json_decref(names);
    json_decref(known);
    compared++;
}

static int visit(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    char arguments[500];
    (void)info;
    (void)at;
    if (kind != FTW_F || !strstr(path, ".yaml") || !is_experiment(path))
        return 0;
    snprintf(arguments, sizeof arguments, "compare %s -q --json --size 16 --seeds 1 --no-cache",
             path);
    int code = command_run_into(arguments, "result.json");
    if (code != 0 && code != 1) /* 1: what is asserted holds of larger maps */
        fail_msg("%s: exit code %d", path, code);
    json_t *root = json_load_file("result.json", 0, NULL);
    assert_non_null(root);
    check_samples(path, root);
    compare_result(path, root);
    json_decref(root);
    ran++;
    return 0;
}

static void all_run(void **state)
{
    (void)state;
    assert_int_equal(nftw(TW_GRAPHS, visit, 16, FTW_PHYS), 0);
    assert_true(ran >= 11);
    assert_true(compared >= 7); /* three tables and four figures */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(all_run, command_set_up, command_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
