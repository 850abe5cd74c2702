/* SPDX-License-Identifier: MIT */
/* All recipes of graphs/, locked and verified in one call each. */
#include "support/gate.h"

#include <ftw.h>

static char recipes[1 << 14], maps[1 << 12];

/* Experiments, and recipes with inputs, do not run by themselves; recipes that read a map have its
 * size. */
static int add_recipe(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    (void)info;
    (void)at;
    size_t length = strlen(path);
    if (kind != FTW_F || length < 5 || strcmp(path + length - 5, ".yaml") != 0)
        return 0;
    char *text = read_text(path);
    if (strncmp(text, "thalweg: 1", 10) == 0 && !strstr(text, "\ninputs:") &&
        !strstr(path, "simcity") &&       /* large, and of a fixed size */
        !strstr(text, "measure.realism")) /* needs 128 cells a side */
        strcat(strcat(strstr(text, "file: ") ? maps : recipes, " "), path);
    free(text);
    return 0;
}

/* Views are 1920 x 1080 or so, whatever the map's size: nearly all of the time. */
static void shrink_views(void)
{
    assert_int_equal(system("find graphs -name '*.yaml' -exec sed -i -E "
                            "'/^size:/!s/size: \\[[0-9]{3,}, [0-9]{3,}\\]/size: [96, 54]/; "
                            "/size:/!s/(type: render\\.perspective),/\\1, size: [96, 54],/' {} +"),
                     0);
}

/* The whole folder in one call, computed anew by another number of threads. */
static void all_of_graphs_is_locked_and_verified(void **state)
{
    static char arguments[1 << 15];
    (void)state;
    assert_int_equal(system("cp -r " TW_GRAPHS " graphs"), 0);
    shrink_views();
    assert_int_equal(nftw("graphs", add_recipe, 16, FTW_PHYS), 0);
    assert_true(strlen(recipes) > 500);
    snprintf(arguments, sizeof arguments, "lock --size 48 -q%s", recipes);
    assert_int_equal(run(arguments), 0);
    snprintf(arguments, sizeof arguments, "verify --no-cache -j 3%s", recipes);
    assert_int_equal(run(arguments), 0);
    lacks(result.out, "differs");
    snprintf(arguments, sizeof arguments, "lock -q%s", maps);
    assert_int_equal(run(arguments), 0);
    snprintf(arguments, sizeof arguments, "verify -j 1%s", maps);
    assert_int_equal(run(arguments), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        GATE_TEST(all_of_graphs_is_locked_and_verified),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
