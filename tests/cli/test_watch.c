/* SPDX-License-Identifier: MIT */
/* thalweg run --watch, driven by what it prints: it runs again after each save, computes what
 * changed, keeps the last good result, and ends on SIGINT. */
#include "support/command.h"
#include "support/harness.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static FILE *errors; /* of the command */
static pid_t command;

static void start(bool cache)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    command = fork();
    assert_true(command >= 0);
    if (command == 0) {
        (void)dup2(ends[1], STDERR_FILENO);
        (void)close(ends[0]);
        (void)close(ends[1]);
        execl(TW_COMMAND, TW_COMMAND, "run", "hills.yaml", "--watch", "-o", "out",
              cache ? "--cache-dir=cache" : "--no-cache", (char *)NULL);
        _exit(99);
    }
    (void)close(ends[1]);
    errors = fdopen(ends[0], "r");
    assert_non_null(errors);
}

/* Reads on until a line has `words` in it; the command's end is a failure. */
static void expect_line(const char *words)
{
    char line[500];
    while (fgets(line, sizeof line, errors))
        if (strstr(line, words))
            return;
    fail_msg("the command ended before it said '%s'", words);
}

/* As most editors save. */
static void save(const char *low)
{
    char text[300];
    snprintf(text, sizeof text,
             "thalweg: 1\nsize: 32\nnodes:\n  noise: {type: noise.midpoint}\n"
             "  cut: {type: shape.clamp, in: noise, low: %s, high: 0.9}\n"
             "outputs: {h: cut}\nexport: {h.npy: h}\n",
             low);
    command_write("hills.yaml.new", text, strlen(text));
    assert_int_equal(rename("hills.yaml.new", "hills.yaml"), 0);
}

static void a_saved_recipe_runs_again(void **state)
{
    int status = 0;
    (void)state;
    save("0.1");
    start(true);
    expect_line("2 of 2 nodes computed");
    assert_int_equal(access("out/h.npy", R_OK), 0);
    save("0.1"); /* other file, same recipe */
    expect_line("changed: ");
    expect_line("0 of 2 nodes computed");
    save("zero");
    expect_line("changed: ");
    expect_line("shape.clamp");
    assert_int_equal(access("out/h.npy", R_OK), 0);
    save("0.2");
    expect_line("changed: ");
    expect_line("of 2 nodes computed");
    assert_int_equal(kill(command, SIGINT), 0);
    assert_int_equal(waitpid(command, &status, 0), command);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 130);
    assert_int_equal(fclose(errors), 0);
}

/* Values stay in memory, so that a change at the end of a recipe computes the end only. */
static void without_a_cache_only_what_changed_runs(void **state)
{
    (void)state;
    save("0.1");
    start(false);
    expect_line("2 of 2 nodes computed");
    save("0.2");
    expect_line("1 of 2 nodes computed");
    save("0.1");
    expect_line("0 of 2 nodes computed");
    assert_int_equal(kill(command, SIGTERM), 0);
    assert_int_equal(waitpid(command, NULL, 0), command);
    assert_int_equal(fclose(errors), 0);
}

static void a_recipe_that_never_loaded_is_waited_for(void **state)
{
    (void)state;
    command_write("hills.yaml", "thalweg: 2\n", 11);
    start(true);
    expect_line("error:");
    save("0.3");
    expect_line("of 2 nodes computed");
    assert_int_equal(kill(command, SIGTERM), 0);
    assert_int_equal(waitpid(command, NULL, 0), command);
    assert_int_equal(fclose(errors), 0);
}

/* Neither the file nor its sidecar is there at first. */
static void a_missing_file_and_its_sidecar_are_waited_for(void **state)
{
    static const char recipe[] =
        "thalweg: 1\nsize: [2, 1]\nnodes: {m: {type: source.heightmap, file: m.r16}}\n"
        "outputs: {h: m}\n";
    static const char sidecar[] = "{\"schema\": \"thalweg.sidecar/1\", \"width\": 2, "
                                  "\"height\": 1, \"bpp\": 16, "
                                  "\"range\": {\"low\": 0, \"high\": 1}}";
    (void)state;
    command_write("hills.yaml", recipe, sizeof recipe - 1);
    start(true);
    expect_line("cannot read m.r16");
    command_write("m.r16", "1234", 4);
    expect_line("changed: ");
    expect_line("its size is missing; expected a sidecar");
    command_write("m.json", sidecar, sizeof sidecar - 1);
    expect_line("changed: ");
    expect_line("1 of 1 nodes computed");
    assert_int_equal(kill(command, SIGTERM), 0);
    assert_int_equal(waitpid(command, NULL, 0), command);
    assert_int_equal(fclose(errors), 0);
}

/* Minutes of work for a recipe that is no longer meant. The node that nothing uses says when the
 * recipe has been read. */
static void a_run_gives_way_to_a_save(void **state)
{
    static const char recipe[] = "thalweg: 1\nsize: 1024\nnodes:\n  noise: {type: noise.perlin}\n"
                                 "  worn: {type: erosion.thermal, in: noise, iterations: 100000}\n"
                                 "  idle: {type: source.constant}\noutputs: {h: worn}\n";
    char line[500];
    (void)state;
    command_write("hills.yaml", recipe, sizeof recipe - 1);
    start(false);
    expect_line("'idle' is not used");
    save("0.2");
    do
        assert_non_null(fgets(line, sizeof line, errors));
    while (!strstr(line, "nodes computed") && !strstr(line, "changed: "));
    assert_non_null(strstr(line, "changed: "));
    expect_line("2 of 2 nodes computed");
    assert_int_equal(kill(command, SIGTERM), 0);
    assert_int_equal(waitpid(command, NULL, 0), command);
    assert_int_equal(fclose(errors), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_saved_recipe_runs_again),
        cmocka_unit_test(without_a_cache_only_what_changed_runs),
        cmocka_unit_test(a_recipe_that_never_loaded_is_waited_for),
        cmocka_unit_test(a_missing_file_and_its_sidecar_are_waited_for),
        cmocka_unit_test(a_run_gives_way_to_a_save),
    };
    (void)alarm(300); /* a line that never comes fails the test */
    return cmocka_run_group_tests(tests, command_set_up, command_tear_down);
}
