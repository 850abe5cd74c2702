/* SPDX-License-Identifier: MIT */
/* What is remembered of the last run: words and seconds, and nothing that must be there. */
#include "support/command.h"
#include "support/harness.h"

#include "base/os/file.h"
#include "runner/history.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char text[] = "thalweg: 1\nsize: 16\nnodes:\n"
                           "  a: {type: noise.midpoint}\n"
                           "  b: {type: shape.invert, in: a}\n"
                           "  c: {type: shape.invert, in: b}\n"
                           "outputs: {c: c}\n";

static int prepare(void **state)
{
    (void)state;
    command_enter();
    command_write("r.yaml", text, strlen(text));
    return 0;
}

static int clean(void **state)
{
    (void)state;
    command_leave();
    return 0;
}

static struct tw_recipe *load(void)
{
    struct tw_recipe *recipe = NULL;
    assert_int_equal(tw_recipe_load("r.yaml", NULL, &recipe, NULL), TW_OK);
    return recipe;
}

static void save(const struct tw_recipe *recipe, double seconds, enum tw_outcome last)
{
    char key[] = "format 1\ntype x\n";
    struct tw_node_summary nodes[3] = {
        {.outcome = TW_OUTCOME_COMPUTED, .key_text = key, .seconds = seconds},
        {.outcome = TW_OUTCOME_HIT, .key_text = key, .seconds = 3 * seconds},
        {.outcome = last, .key_text = key, .seconds = 100}};
    const struct tw_run_summary report = {.nodes = nodes, .node_count = 3};
    tw_history_save("cache", recipe, &report, NULL);
}

static void the_last_run_is_remembered(void **state)
{
    (void)state;
    struct tw_recipe *recipe = load();
    save(recipe, 1, TW_OUTCOME_COMPUTED);
    save(recipe, 2, TW_OUTCOME_UNDECIDED); /* nothing is known of the last node then */
    struct tw_history *history = tw_history_load("cache", "./r.yaml");
    assert_non_null(history);
    assert_string_equal(tw_history_key_text(history, "a"), "format 1\ntype x\n");
    assert_string_equal(tw_history_key_text(history, "b"), "format 1\ntype x\n");
    assert_null(tw_history_key_text(history, "c"));
    double *expected = tw_history_expected(history, recipe);
    assert_true(expected[0] == 2 && expected[1] == 6 && expected[2] == 4); /* the mean */
    free(expected);
    tw_history_release(history);
    tw_recipe_release(recipe);
}

static void without_a_history_all_nodes_are_equal(void **state)
{
    (void)state;
    struct tw_recipe *recipe = load();
    assert_null(tw_history_load("nowhere", "r.yaml"));
    assert_null(tw_history_load("cache", "missing.yaml"));
    assert_null(tw_history_key_text(NULL, "a"));
    double *expected = tw_history_expected(NULL, recipe);
    assert_true(expected[0] == 1 && expected[1] == 1 && expected[2] == 1);
    free(expected);
    tw_history_release(NULL);
    tw_recipe_release(recipe);
}

/* The path of the only history. */
static void find(char path[300])
{
    DIR *folder = opendir("cache/history");
    path[0] = 0;
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (strstr(entry->d_name, ".json"))
            snprintf(path, 300, "cache/history/%.200s", entry->d_name);
    if (folder)
        closedir(folder);
}

static void a_damaged_history_is_none(void **state)
{
    static const char *const damaged[] = {"", "{", "[]", "{}", "{\"nodes\": 3}", "\xff"};
    char path[300];
    (void)state;
    struct tw_recipe *recipe = load();
    save(recipe, 1, TW_OUTCOME_COMPUTED);
    find(path);
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        command_write(path, damaged[i], strlen(damaged[i]));
        assert_null(tw_history_load("cache", "r.yaml"));
    }
    static const char odd[] = "{\"nodes\": {\"a\": 3, \"b\": {\"key\": 1, \"seconds\": \"x\"}, "
                              "\"c\": {\"seconds\": -5}}}";
    command_write(path, odd, strlen(odd));
    struct tw_history *history = tw_history_load("cache", "r.yaml");
    assert_null(tw_history_key_text(history, "a"));
    assert_null(tw_history_key_text(history, "b"));
    double *expected = tw_history_expected(history, recipe);
    assert_true(expected[0] == 1 && expected[1] == 1 && expected[2] == 1);
    free(expected);
    tw_history_release(history);
    tw_recipe_release(recipe);
}

/* A run that computes nothing and finds every node as it was writes nothing. */
static void what_is_no_news_is_not_written(void **state)
{
    char path[300], keys[2][20] = {"format 1\ntype x\n", "format 1\ntype y\n"};
    const char mark[] = "gone";
    (void)state;
    struct tw_recipe *recipe = load();
    struct tw_node_summary nodes[3] = {
        {.outcome = TW_OUTCOME_HIT, .key_text = keys[0], .seconds = 1},
        {.outcome = TW_OUTCOME_HIT, .key_text = keys[0], .seconds = 1},
        {.outcome = TW_OUTCOME_NOT_NEEDED}};
    const struct tw_run_summary report = {.nodes = nodes, .node_count = 3};
    tw_history_save("cache", recipe, &report, NULL);
    find(path);
    for (int turn = 0; turn < 3; turn++) { /* the same; another key; computed again */
        struct tw_history *before = tw_history_load("cache", "r.yaml");
        assert_non_null(before);
        nodes[1].key_text = keys[turn > 0];
        nodes[1].outcome = turn == 2 ? TW_OUTCOME_COMPUTED : TW_OUTCOME_HIT;
        assert_int_equal(tw_history_has_seen(before, "b", keys[1]), turn == 2);
        command_write(path, mark, sizeof mark);
        tw_history_save("cache", recipe, &report, before);
        tw_history_release(before);
        struct tw_history *after = tw_history_load("cache", "r.yaml");
        assert_int_equal(after != NULL, turn > 0);
        assert_int_equal(tw_history_has_seen(after, "b", keys[0]), turn > 0);
        tw_history_release(after);
        if (turn == 0)
            tw_history_save("cache", recipe, &report, NULL);
    }
    tw_recipe_release(recipe);
}

/* A file that begins well and ends anywhere is none, and the next run writes it anew. */
static void a_cut_history_is_written_anew(void **state)
{
    char path[300];
    (void)state;
    struct tw_recipe *recipe = load();
    char key[] = "format 1\ntype x\n";
    struct tw_node_summary nodes[1] = {{.outcome = TW_OUTCOME_HIT, .key_text = key, .seconds = 1}};
    const struct tw_run_summary report = {.nodes = nodes, .node_count = 1};
    tw_history_save("cache", recipe, &report, NULL);
    find(path);
    assert_int_equal(truncate(path, 120), 0);
    struct tw_history *before = tw_history_load("cache", "r.yaml");
    assert_non_null(before);
    assert_null(tw_history_key_text(before, "a"));
    tw_history_save("cache", recipe, &report, before);
    tw_history_release(before);
    struct tw_history *after = tw_history_load("cache", "r.yaml");
    assert_string_equal(tw_history_key_text(after, "a"), key);
    tw_history_release(after);
    tw_recipe_release(recipe);
}

static void clearing_takes_histories_and_nothing_else(void **state)
{
    char path[300];
    (void)state;
    struct tw_recipe *recipe = load();
    save(recipe, 1, TW_OUTCOME_COMPUTED);
    command_write("cache/history/notes.json", "mine", 4);
    tw_history_clear("cache");
    assert_null(tw_history_load("cache", "r.yaml"));
    find(path);
    assert_string_equal(path, "cache/history/notes.json");
    tw_history_clear("nowhere");
    tw_recipe_release(recipe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_run_is_remembered),
        cmocka_unit_test(without_a_history_all_nodes_are_equal),
        cmocka_unit_test(a_damaged_history_is_none),
        cmocka_unit_test(what_is_no_news_is_not_written),
        cmocka_unit_test(a_cut_history_is_written_anew),
        cmocka_unit_test(clearing_takes_histories_and_nothing_else),
    };
    return cmocka_run_group_tests(tests, prepare, clean);
}
