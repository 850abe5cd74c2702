/* SPDX-License-Identifier: MIT */
/* compare --on slurm against commands that play Slurm: what is sent, what is sent again, what is
 * said when something fails. tests/scaling/slurm.sh tries the same with a real one. */
#include "support/slurm.h"

#include <thalweg/thalweg.h>

#include <signal.h>

static const char noise[] = "thalweg: 1\nsize: 16\nparams: {power: 1}\nnodes:\n"
                            "  a: {type: noise.perlin, frequency: 2}\n"
                            "  b: {type: shape.power, in: a, exponent: \"${power}\"}\n"
                            "  stats: {type: measure.statistics, in: b}\n"
                            "outputs: {height: b, stats: stats}\n";
static const char experiment[] =
    "thalweg-experiment: 1\nrecipe: noise.yaml\nseeds: {from: 5, count: 9}\n"
    "variants: {plain: {}, steep: {params: {power: 2}}}\nbaseline: plain\nmeasure: [stats.mean]\n";

#define COMPARE "compare e.yaml -q --on slurm --poll 0.01 --probe 0"

static char folder[100]; /* of the shards */

static char id[13]; /* what the shards' folder is called: the same for all tests */

static void find_id(void)
{
    assert_int_equal(run("compare e.yaml -q --shard 9/9 -o first"), 0);
    FILE *shard = fopen("first/shard-9-of-9.jsonl", "r");
    assert_non_null(shard);
    assert_int_equal(fscanf(shard,
                            "{\"format\":\"thalweg.shard/1\",\"version\":\"%*[^\"]\","
                            "\"experiment\":\"%12[0-9a-f]",
                            id),
                     1);
    fclose(shard);
}

/* `tasks` as an earlier call decided it, since a measured number differs between machines. */
static int prepare(void **state)
{
    char path[5000];
    begin_slurm(state);
    write_text("noise.yaml", noise);
    write_text("e.yaml", experiment);
    if (!id[0])
        find_id();
    snprintf(folder, sizeof folder, "shards/%s", id);
    mkdir("shards", 0777);
    mkdir(folder, 0777);
    snprintf(path, sizeof path, "%s/tasks-for-9", folder);
    write_text(path, "4\n");
    return 0;
}

static char *local(void)
{
    assert_int_equal(run("compare e.yaml -q"), 0);
    return strdup(result.out);
}

static void remove_shard(int at)
{
    char path[200];
    snprintf(path, sizeof path, "%s/shard-%d-of-4.jsonl", folder, at);
    assert_int_equal(unlink(path), 0);
}

static void results_are_those_of_one_machine(void **state)
{
    char *expected = local();
    (void)state;
    assert_int_equal(run(COMPARE " --sbatch --partition=long --sbatch --comment=it's\\\"me\""), 0);
    assert_string_equal(result.out, expected);
    called_with("--array=1-4");
    called_with("--partition=long");
    called_with("--comment=it's\\\"me\"");
    called_with("--requeue");
    free(expected);
}

static void only_what_is_missing_is_sent(void **state)
{
    char *expected = local();
    (void)state;
    assert_int_equal(run(COMPARE), 0);
    unlink("calls");
    assert_int_equal(run(COMPARE), 0); /* nothing is */
    assert_false(exists("calls"));
    remove_shard(1);
    remove_shard(3);
    remove_shard(4);
    assert_int_equal(run(COMPARE), 0);
    called_with("--array=1,3-4");
    assert_string_equal(result.out, expected);
    free(expected);
}

/* Seeds that take milliseconds are not worth a task each. */
static void short_work_is_one_task(void **state)
{
    char path[120];
    (void)state;
    snprintf(path, sizeof path, "%s/tasks-for-9", folder);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(run(COMPARE), 0);
    called_with("--array=1");
    char *tasks = read_text(path);
    assert_string_equal(tasks, "1\n");
    free(tasks);
}

/* Seeds that other files have need no task, whatever their division. */
static void shards_from_elsewhere_count(void **state)
{
    char arguments[200];
    (void)state;
    snprintf(arguments, sizeof arguments, "compare e.yaml -q --shard 1/2 -o %s", folder);
    assert_int_equal(run(arguments), 0); /* seeds 1 to 4: shards 1 and 2 of 4 */
    assert_int_equal(run(COMPARE), 0);
    called_with("--array=3-4");
}

/* The controller forgot two tasks: they are sent again. */
static void lost_tasks_are_sent_again(void **state)
{
    char *expected = local();
    (void)state;
    write_text("lose", "2\n4\n");
    write_text("silent", "");
    assert_int_equal(run(COMPARE), 0);
    called_with("--array=1-4");
    called_with("--array=2,4");
    assert_string_equal(result.out, expected);
    free(expected);
}

static void silence_is_reported_and_waited_for(void **state)
{
    (void)state;
    write_text("silent", "");
    assert_int_equal(run("compare e.yaml --on slurm --poll 0.01 --probe 0"), 0);
    contains(result.err, "Slurm does not answer; waiting");
    contains(result.err, "Slurm answers again");
    contains(result.err, "100 % 4 of 4 tasks done");
}

static void tasks_that_are_there_are_followed(void **state)
{
    char arguments[200];
    (void)state;
    write_text("id", "41");
    write_text("states", "1 RUNNING ID 0:05\n2 PENDING ID 0:00\n3 COMPLETED ID 0:02\n");
    write_text("hold", "");
    int process = command_start(COMPARE);
    wait_for("calls", ".sh\n"); /* the last word */
    char *calls = read_text("calls");
    contains(calls, "--array=3-4\n");
    free(calls);
    snprintf(arguments, sizeof arguments, "compare e.yaml -q --shard 1/1 -o %s", folder);
    assert_int_equal(run(arguments), 0); /* as if they were done */
    assert_int_equal(command_wait(process), 0);
}

static void failing_tasks_are_reported_with_their_log(void **state)
{
    (void)state;
    write_program("sbatch", "#!/bin/sh\n"
                            "for word; do script=$word; done\n"
                            "sed 's/^.*--shard.*$/(echo \"no room\"; exit 4)/' \"$script\" > t.sh\n"
                            "log=$(dirname \"$script\")/log-2.txt\n"
                            "SLURM_ARRAY_TASK_ID=2 sh t.sh > \"$log\"\n"
                            "for task in 1 3 4; do SLURM_ARRAY_TASK_ID=$task sh \"$script\"; done\n"
                            "echo 50\n");
    assert_int_equal(run(COMPARE), 4);
    contains(result.err, "1 of 4 tasks have no result: task 2 ended with exit code 4: no room");
    contains(result.err, "the same command goes on");
    write_program("sbatch", sbatch);
    assert_int_equal(run(COMPARE), 0);
    called_with("--array=2");
}

/* Seed 4, by which the number of tasks is measured, fails: the others need not. */
static void a_first_seed_that_fails_is_no_reason(void **state)
{
    static const char fails[] =
        "thalweg: 1\nsize: 1\nnodes:\n  n: {type: noise.midpoint}\n"
        "  f: {type: combine.formula, a: n, formula: \"a > 0.8 ? a * 1e30 : a\"}\n"
        "  m: {type: shape.power, in: f, exponent: 2}\n"
        "  stats: {type: measure.statistics, in: m}\noutputs: {stats: stats}\n";
    (void)state;
    write_text("noise.yaml", fails);
    write_text("e.yaml", "thalweg-experiment: 1\nrecipe: noise.yaml\n"
                         "seeds: {from: 4, count: 3}\nvariants: {plain: {}}\n"
                         "measure: [stats.mean]\n");
    assert_int_equal(run("compare e.yaml -q"), 4);
    contains(result.err, "seed 4 is left out");
    char *expected = strdup(result.out);
    assert_int_equal(run(COMPARE), 4);
    assert_string_equal(result.out, expected);
    called_with("--array=1");
    free(expected);
}

static void nodes_with_another_version_compute_nothing(void **state)
{
    (void)state;
    write_text("other", "");
    assert_int_equal(run(COMPARE), 4);
    contains(result.err, "4 of 4 tasks have no result: task 1 ended with exit code 3: on ");
    contains(result.err, "there is 'thalweg " TW_VERSION "'; expected 9");
}

/* A folder that is not the same everywhere: the nodes see another recipe. */
static void nodes_with_other_files_are_found_out(void **state)
{
    (void)state;
    write_text("others", "");
    assert_int_equal(run(COMPARE), 3);
    contains(result.err, "it is of another experiment, or of recipes, files or nodes that have");
}

static void tasks_that_somebody_cancelled_are_left(void **state)
{
    (void)state;
    write_text("hold", "");
    write_text("states", "1 CANCELLED ID 0:05\n2 CANCELLED ID 0:00\n3 TIMEOUT ID 0:02\n"
                         "4 CANCELLED ID 0:00\nx y z\n99 RUNNING ID 0:01\n-1 RUNNING ID 0:01\n");
    assert_int_equal(run(COMPARE), 4);
    contains(result.err, "4 of 4 tasks have no result: task 1 was cancelled");
}

static void ctrl_c_cancels_what_was_sent(void **state)
{
    (void)state;
    write_text("hold", "");
    write_text("states",
               "1 RUNNING ID 0:05\n2 PENDING ID 0:00\n3 PENDING ID 0:00\n4 PENDING ID 0:00\n");
    int process = command_start(COMPARE);
    wait_for("calls", ".sh\n");
    kill(process, SIGINT);
    assert_int_equal(command_wait(process), 130);
    char *text = read_text("cancelled"), name[200];
    snprintf(name, sizeof name, "--me --name=thalweg-%s-9-4\n", strchr(folder, '/') + 1);
    assert_string_equal(text, name);
    free(text);
}

static void refusals_are_said_in_slurms_words(void **state)
{
    (void)state;
    write_text("refuse", "");
    assert_int_equal(run(COMPARE), 4);
    contains(result.err,
             "sbatch ends with code 1: sbatch: error: invalid partition specified: nowhere");
    setenv("PATH", "/nowhere", 1);
    assert_int_equal(run("compare e.yaml --on slurm --poll 0.01 --probe 0"), 4);
    assert_string_equal(result.err, "error: cannot start squeue; is Slurm installed here?\n");
}

/* What shells make something of stays one word. */
static void words_are_quoted(void **state)
{
    (void)state;
    mkdir("a $(touch bad) 'b'", 0777);
    assert_int_equal(rename("e.yaml", "a $(touch bad) 'b'/e.yaml"), 0);
    edit("a $(touch bad) 'b'/e.yaml", "noise.yaml", "../noise.yaml");
    assert_int_equal(chdir("a $(touch bad) 'b'"), 0);
    assert_int_equal(
        run("compare e.yaml -q --on slurm --poll 0.01 --probe 0 --allow-path .. -o out;#"), 0);
    assert_int_equal(chdir(".."), 0);
    assert_false(exists("bad") || exists("a $(touch bad) 'b'/bad"));
    assert_true(exists("a $(touch bad) 'b'/out;#"));
}

static void mistakes_are_reported(void **state)
{
    static const char *const rows[][2] = {
        {"compare e.yaml --on slurm --gather", "exclude each other"},
        {"compare e.yaml --on slurm --shard 1/2", "exclude each other"},
        {"compare e.yaml --on moon", "expected one of here|slurm"},
        {"compare e.yaml --sbatch --partition=a", "--on slurm"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(run(rows[i][0]), 2);
        contains(result.err, rows[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(test) cmocka_unit_test_setup_teardown(test, prepare, end_slurm)
        TEST(results_are_those_of_one_machine),
        TEST(only_what_is_missing_is_sent),
        TEST(short_work_is_one_task),
        TEST(shards_from_elsewhere_count),
        TEST(lost_tasks_are_sent_again),
        TEST(silence_is_reported_and_waited_for),
        TEST(tasks_that_are_there_are_followed),
        TEST(failing_tasks_are_reported_with_their_log),
        TEST(a_first_seed_that_fails_is_no_reason),
        TEST(nodes_with_another_version_compute_nothing),
        TEST(nodes_with_other_files_are_found_out),
        TEST(tasks_that_somebody_cancelled_are_left),
        TEST(ctrl_c_cancels_what_was_sent),
        TEST(refusals_are_said_in_slurms_words),
        TEST(words_are_quoted),
        TEST(mistakes_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
