/* SPDX-License-Identifier: MIT */
/* doctor --on slurm against commands that play Slurm: what a node sees is held against this
 * machine. The report of the task is edited as if another node had written it. */
#include "support/slurm.h"

#include <thalweg/thalweg.h>

#define DOCTOR "doctor --on slurm --poll 0.01"

static int prepare(void **state)
{
    begin_slurm(state);
    return 0;
}

/* sed's program for the report. */
static void alter(const char *program)
{
    char text[500];
    snprintf(text, sizeof text,
             "#!/bin/sh\n"
             "for word; do script=$word; done\n"
             "SLURM_ARRAY_TASK_ID=1 sh \"$script\"\n"
             "sed -i '%s' shards/doctor/probe-*.txt\n"
             "echo 50\n",
             program);
    write_program("sbatch", text);
}

static void nodes_like_this_machine_are_ok(void **state)
{
    (void)state;
    assert_int_equal(run(DOCTOR " --sbatch --partition=long --cache-size 1G"), 0);
    called_with("--partition=long");
    contains(result.out, "ok      slurm         a task looked at ");
    contains(result.out, "ok      node version  thalweg " TW_VERSION "\n");
    contains(result.out, "ok      node clock    it agrees");
    contains(result.out, "ok      node digest   as here: a small recipe gives the bytes expected");
    contains(result.out, "ok      node cache    the node sees this machine's");
    assert_int_equal(run("doctor --json --on slurm --poll 0.01"), 0);
    contains(result.out, "\"node digest\"");
    assert_int_equal(run("run hills.yaml -q"), 0); /* nothing is left in the cache's folder */
    assert_int_equal(system("ls shards/doctor/probe-* .cache/thalweg/doctor-* 2> /dev/null"), 512);
}

static void nodes_that_differ_are_reported(void **state)
{
    static const struct {
        const char *program;
        int code;
        const char *words;
    } rows[] = {
        {"3s/.*/thalweg 0.0.1/", 4, "there is 'thalweg 0.0.1'; expected thalweg " TW_VERSION},
        {"3s/.*/none/", 4, "there is 'none'; expected"},
        {"1s/.*/1000/", 4, "failed  node clock    it is at least "},
        {"1s/.*/99999999999/", 4, "failed  node clock    it is at least "},
        {"4s/.*/apart/", 0, "note    node cache    the node does not see this machine's"},
        {"s/expected: [0-9a-f]*/expected: 12ab/", 4, "the bytes expected: 12ab"},
        {"5,$d", 4, "failed  node digest   on "},
        {"s/\"ok\"/\"failed\"/", 4, "failed  node free space  "},
        {"1s/.*/noon/", 4, "failed  slurm         the task's report cannot be read"},
        {"2,$d", 4, "failed  slurm         the task's report cannot be read"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        alter(rows[i].program);
        int code = run(DOCTOR);
        contains(result.out, rows[i].words);
        assert_int_equal(code, rows[i].code);
    }
}

static void a_slurm_that_refuses_is_reported(void **state)
{
    (void)state;
    write_text("refuse", "");
    assert_int_equal(run(DOCTOR), 4);
    contains(result.out, "failed  slurm         sbatch ends with code 1: sbatch: error: invalid");
    assert_int_equal(run("doctor --poll 1"), 2);
    contains(result.err, "come with --on slurm");
}

/* ---- before work is sent ---- */

#define WORK "run hills.yaml -q --on slurm --poll 0.01 --tasks 1"

static void a_node_is_looked_at_before_work_is_sent(void **state)
{
    (void)state;
    assert_int_equal(run(WORK " --cache-size 1G --seed 3 --sbatch --partition=long"), 0);
    assert_string_equal(result.err, "");
    char *calls = read_text("calls");
    contains(calls, "--job-name=thalweg-doctor-");
    contains(calls, "/task-of-1.sh\n");
    free(calls);
    unlink("calls");
    assert_int_equal(run(WORK " --cache-size 1G --seed 3"),
                     0); /* nothing is sent, none is looked at */
    assert_false(exists("calls"));
    assert_int_equal(run(WORK " --seed 4 --probe 0"), 0);
    calls = read_text("calls");
    assert_null(strstr(calls, "thalweg-doctor"));
    free(calls);
}

static void nothing_is_sent_to_nodes_that_differ(void **state)
{
    (void)state;
    alter("3s/.*/thalweg 0.0.1/");
    assert_int_equal(run(WORK), 4);
    contains(result.err,
             "nothing was sent, since a task that looked at a node found: node version: ");
    contains(result.err, "there is 'thalweg 0.0.1'; expected thalweg " TW_VERSION);
    contains(result.err, "--probe 0 sends work all the same");
    assert_false(exists("out"));
    write_program("sbatch", sbatch);
    write_text("refuse", "");
    assert_int_equal(run(WORK), 4);
    contains(result.err,
             "nothing was sent: slurm: sbatch ends with code 1: sbatch: error: invalid");
    alter("4s/.*/apart/");
    write_text("id", "50");
    assert_int_equal(run("run hills.yaml --on slurm --poll 0.01 --tasks 1 --seed 9"), 0);
    contains(result.err, "node cache: the node does not see this machine's");
}

/* The probe waits for its turn; the work's task is sent and runs. */
static void a_full_cluster_is_not_waited_for(void **state)
{
    char *before = strdup(sbatch), *line = strstr(before, "[ -e hold ]");
    char text[4000];
    (void)state;
    *line = 0;
    snprintf(text, sizeof text, "%scase $script in *probe-*) echo $id; exit ;; esac\n%s", before,
             sbatch + (line - before));
    free(before);
    write_program("sbatch", text);
    write_text("states", "1 PENDING ID 0:00\n");
    assert_int_equal(run("run hills.yaml --on slurm --poll 0.01 --tasks 1 --probe 0.05"), 0);
    contains(result.err, "no task began within 0.05 seconds");
    char *cancelled = read_text("cancelled");
    contains(cancelled, "--name=thalweg-doctor-");
    free(cancelled);
    assert_true(exists("out"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(test) cmocka_unit_test_setup_teardown(test, prepare, end_slurm)
        TEST(nodes_like_this_machine_are_ok),       TEST(nodes_that_differ_are_reported),
        TEST(a_slurm_that_refuses_is_reported),     TEST(a_node_is_looked_at_before_work_is_sent),
        TEST(nothing_is_sent_to_nodes_that_differ), TEST(a_full_cluster_is_not_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
