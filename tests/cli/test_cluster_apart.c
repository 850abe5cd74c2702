/* SPDX-License-Identifier: MIT */
/* --on slurm with nodes that do not see this machine's folders: what they find comes by way of the
 * server of --cache-url. */
#include "support/slurm.h"
#include "support/web_process.h"

#define AWAY " -q --on slurm --poll 0.01 --tasks 3"

/* Nodes have a cache of their own, and what they write beside the script is gone. */
static const char sbatch_apart[] =
    "#!/bin/sh\n"
    "for word; do echo \"$word\" >> calls; done\n"
    "for word; do case $word in --array=*) array=${word#--array=} ;; esac; script=$word; done\n"
    "for part in $(echo \"$array\" | tr , ' '); do\n"
    "  for task in $(seq \"${part%-*}\" \"${part#*-}\"); do\n"
    "    XDG_CACHE_HOME=$PWD/node SLURM_ARRAY_TASK_ID=$task sh \"$script\" > log 2>&1\n"
    "    rm -f shards/*/shard-* shards/*/done-* shards/*/failed-* shards/doctor/probe-*.txt\n"
    "  done\n"
    "done\n"
    "echo 50\n";

static int prepare(void **state)
{
    begin_slurm(state);
    write_program("sbatch", sbatch_apart);
    write_recipe("a.yaml", 8, "");
    write_recipe("b.yaml", 9, "");
    write_text("e.yaml", "thalweg-experiment: 1\nrecipe: hills.yaml\n"
                         "seeds: {from: 5, count: 6}\nvariants: {plain: {}}\n"
                         "measure: [score.erosion]\n");
    web_process_start();
    return 0;
}

static int clean_up(void **state)
{
    web_process_stop();
    return end_slurm(state);
}

/* Without the seconds, which are those of where it was computed. */
static char *table(void)
{
    char *end = strstr(result.out, "seconds a run");
    assert_non_null(end);
    *end = 0;
    return strdup(result.out);
}

static void shards_come_from_the_server(void **state)
{
    (void)state;
    assert_int_equal(run("compare e.yaml -q --cache-dir here --cache-mode off"), 0);
    char *expected = table(), *first, *second;
    assert_int_equal(run("compare e.yaml" AWAY), 0);
    first = table();
    assert_string_equal(first, expected);
    called_with("--array=1-3");
    assert_int_equal(system("rm -r shards calls"), 0);
    assert_int_equal(run("compare e.yaml" AWAY), 0); /* the server has them */
    second = table();
    assert_string_equal(second, expected);
    assert_false(exists("calls"));
    free(expected);
    free(first);
    free(second);
}

static void recipes_come_from_the_server(void **state)
{
    (void)state;
    assert_int_equal(run("run a.yaml b.yaml hills.yaml -o out/{recipe}" AWAY), 0);
    assert_string_equal(result.err, "");
    called_with("--array=1-3");
    assert_true(exists("out/b/height.png"));
    assert_int_equal(system("rm -r shards calls"), 0);
    assert_int_equal(run("run a.yaml b.yaml hills.yaml -o out/{recipe} --cache-dir third" AWAY), 0);
    assert_false(exists("calls"));
}

/* A task that looks at its node leaves its report there, too; other programs leave none. */
static void reports_on_nodes_come_from_the_server(void **state)
{
    (void)state;
    assert_int_equal(run("doctor --on slurm --poll 0.01"), 0);
    contains(result.out, "ok      node digest   as here");
    contains(result.out, "ok      node cache    the server of --cache-url is between them");
    assert_int_equal(run("doctor --on slurm --poll 0.01 --cache-mode off"), 4);
    contains(result.out, "failed  slurm         1 of 1 tasks have no result: task 1 ended without");
    assert_int_equal(run("doctor --report-as x --cache-mode read"), 4);
    contains(result.out, "failed  report        the server of --cache-url did not take it");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(test) cmocka_unit_test_setup_teardown(test, prepare, clean_up)
        TEST(shards_come_from_the_server),
        TEST(recipes_come_from_the_server),
        TEST(reports_on_nodes_come_from_the_server),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
