/* SPDX-License-Identifier: MIT */
/* run and verify --on slurm against commands that play Slurm: what is printed and written is what
 * one machine gives, and only what the cache lacks is sent. */
#include "support/slurm.h"

#include <thalweg/thalweg.h>

#include <signal.h>

#define ALL "a.yaml b.yaml noise.yaml"
#define LOUD " --on slurm --poll 0.01 --tasks 3 --probe 0"
#define AWAY LOUD " -q"
#define RUN "run " ALL " -o out/{recipe}"

static const char noise[] = "thalweg: 1\nsize: 128\nnodes:\n"
                            "  a: {type: noise.perlin, frequency: 2}\n"
                            "  b: {type: erosion.thermal, in: a, iterations: 30}\n"
                            "outputs: {height: b}\nexport: {height.png: height}\n";

static int prepare(void **state)
{
    begin_slurm(state);
    write_recipe("a.yaml", 8, "");
    write_recipe("b.yaml", 9, "");
    write_text("noise.yaml", noise);
    return 0;
}

static void is_same_file(const char *name)
{
    char here[100], away[100];
    unsigned char *first = NULL, *second = NULL;
    size_t lengths[2] = {0};
    snprintf(here, sizeof here, "here/%s", name);
    snprintf(away, sizeof away, "out/%s", name);
    assert_int_equal(tw_file_read(here, 1 << 22, &first, &lengths[0], NULL), TW_OK);
    assert_int_equal(tw_file_read(away, 1 << 22, &second, &lengths[1], NULL), TW_OK);
    assert_int_equal(lengths[0], lengths[1]);
    assert_memory_equal(first, second, lengths[0]);
    free(first);
    free(second);
}

/* The command here, with a cache of its own; its standard output and error. */
static int run_here(const char *arguments, char **out, char **err)
{
    char here[300];
    snprintf(here, sizeof here, "%s --cache-dir apart", arguments);
    int code = run(here);
    *out = strdup(result.out);
    *err = strdup(result.err);
    return code;
}

static void is_same_away(const char *arguments)
{
    char away[300], *out, *err;
    int code = run_here(arguments, &out, &err);
    snprintf(away, sizeof away, "%s" LOUD, arguments);
    int same = run(away);
    if (strstr(arguments, "-q")) /* else there is progress, too */
        assert_string_equal(result.err, err);
    assert_string_equal(result.out, out);
    assert_int_equal(same, code);
    free(out);
    free(err);
}

static void runs_are_those_of_one_machine(void **state)
{
    char *out, *err;
    (void)state;
    assert_int_equal(run_here(RUN, &out, &err), 0);
    assert_int_equal(rename("out", "here"), 0);
    assert_int_equal(run(RUN AWAY " --sbatch --partition=long"), 0);
    assert_string_equal(result.err, "");
    assert_int_equal(run(RUN), 0); /* with the list of what is there */
    contains(result.err, "3 recipes: 0 of 10 nodes computed, 0 of 7 exports written");
    called_with("--array=1-3");
    called_with("--partition=long");
    is_same_file("a/height.png");
    is_same_file("b/shade.png");
    is_same_file("b/all.json");
    is_same_file("noise/height.png");
    free(out);
    free(err);
}

static void lists_and_settings_are_those_of_one_machine(void **state)
{
    (void)state;
    is_same_away("run " ALL " -o out -q"); /* height.png would be written twice: nothing is sent */
    assert_false(exists("calls"));
    is_same_away("run a.yaml b.yaml -o out/{recipe} --seed 3 --size 32 --only score");
    called_with("--array=1-2");
    assert_int_equal(run("run a.yaml b.yaml -o out/{recipe} --seed 3 --size 32 --only score"), 0);
    contains(result.err, "2 recipes: 0 of 5 nodes computed"); /* with the same options */
}

static void only_what_the_cache_lacks_is_sent(void **state)
{
    (void)state;
    assert_int_equal(run(RUN AWAY), 0);
    unlink("calls");
    assert_int_equal(run(RUN AWAY), 0);
    assert_false(exists("calls"));
    edit("b.yaml", "talus: 9", "talus: 4");
    assert_int_equal(run(RUN AWAY), 0);
    called_with("--array=2");
    edit("b.yaml", "talus: 4", "talus: 9");
    assert_int_equal(run("cache clear"), 0);
    assert_int_equal(run(RUN AWAY), 0); /* what was done is lost */
    called_with("--array=1-3");
}

static void lost_tasks_are_sent_again(void **state)
{
    (void)state;
    write_text("lose", "2\n");
    assert_int_equal(run(RUN AWAY), 0);
    called_with("--array=1-3");
    called_with("--array=2");
}

/* The task comes to the same failure, so it is not sent again. */
static void failing_recipes_fail_as_on_one_machine(void **state)
{
    (void)state;
    edit("b.yaml", "outputs: {", "outputs: {bad: bad, ");
    edit("b.yaml", "nodes:\n",
         "nodes:\n  big: {type: combine.formula, a: side, formula: 1e30 * (a + 3)}\n"
         "  bad: {type: shape.power, in: big, exponent: 8}\n");
    is_same_away("run b.yaml -q --only bad");
    assert_int_equal(result.code, 4);
    called_with("--array=1");
    unlink("calls");
    assert_int_equal(run("run b.yaml --only bad" AWAY), 4);
    assert_false(exists("calls"));
}

/* Results that are not there are computed here, and that is said. */
static void nodes_that_see_other_recipes_are_reported(void **state)
{
    (void)state;
    write_text("others", "");
    assert_int_equal(run("run noise.yaml --on slurm --poll 0.01 --tasks 1 --probe 0"), 0);
    contains(result.err, "warning: the cache lacks results of 1 of 1 tasks");
    contains(result.err, "nodes must see the same recipes");
    contains(result.out, "out/height.png");
}

static void locks_are_verified_as_on_one_machine(void **state)
{
    (void)state;
    assert_int_equal(run("lock " ALL " -q"), 0);
    assert_int_equal(run("cache clear"), 0);
    is_same_away("verify " ALL);
    called_with("--array=1-3");
    edit("b.yaml", "talus: 9", "talus: 4");
    is_same_away("verify " ALL " -o pages");
    assert_int_equal(result.code, 1);
    called_with("--array=2");
    assert_true(exists("pages/index.html"));
}

/* Without --tasks the first recipe is measured: small ones are one task. */
static void tasks_last(void **state)
{
    (void)state;
    assert_int_equal(run(RUN " --on slurm --poll 0.01 --probe 0"), 0);
    called_with("--array=1");
    contains(result.err, "100 % 1 of 1 tasks done");
}

static void ctrl_c_cancels_what_was_sent(void **state)
{
    (void)state;
    write_text("hold", "");
    write_text("states", "1 RUNNING ID 0:05\n2 PENDING ID 0:00\n3 PENDING ID 0:00\n");
    int process = command_start(RUN AWAY);
    wait_for("calls", ".sh\n");
    kill(process, SIGINT);
    assert_int_equal(command_wait(process), 130);
    assert_true(exists("cancelled"));
    assert_false(exists("out"));
}

static void nothing_but_the_cache_is_written(void **state)
{
    (void)state;
    assert_int_equal(run("run " ALL " --no-exports -q"), 0);
    assert_false(exists("out"));
    assert_int_equal(run(RUN " --dry-run"), 0);
    contains(result.out, "eroded");
    lacks(result.out, "comput");
    assert_int_equal(run(RUN), 0);
    contains(result.err, "7 of 7 exports written");
}

static void mistakes_are_reported(void **state)
{
    static const char *const rows[][2] = {
        {RUN " --on slurm --shard 1/2", "--on slurm and --shard exclude each other"},
        {RUN " --on slurm --dry-run", "--on slurm and --dry-run exclude each other"},
        {"run a.yaml --on slurm --watch", "--on slurm and --watch exclude each other"},
        {"run a.yaml --on slurm --bands", "--on slurm and --bands exclude each other"},
        {"run - --on slurm", "expected a file"},
        {"run a.yaml --no-exports --no-cache", "--no-exports and --no-cache exclude each other"},
        {"run a.yaml --tasks 3", "come with --on slurm"},
        {"verify a.yaml --on slurm --no-cache", "--on slurm and --no-cache exclude each other"},
        {"verify a.yaml --sbatch x", "come with --on slurm"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(run(rows[i][0]), 2);
        contains(result.err, rows[i][1]);
    }
    write_text("file", "");
    assert_int_equal(run("run a.yaml -o file -q"), 4);
    assert_int_equal(run("run a.yaml --shard 1/1 -o file -q"), 75);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(test) cmocka_unit_test_setup_teardown(test, prepare, end_slurm)
        TEST(runs_are_those_of_one_machine),
        TEST(lists_and_settings_are_those_of_one_machine),
        TEST(only_what_the_cache_lacks_is_sent),
        TEST(lost_tasks_are_sent_again),
        TEST(failing_recipes_fail_as_on_one_machine),
        TEST(nodes_that_see_other_recipes_are_reported),
        TEST(locks_are_verified_as_on_one_machine),
        TEST(tasks_last),
        TEST(ctrl_c_cancels_what_was_sent),
        TEST(nothing_but_the_cache_is_written),
        TEST(mistakes_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
