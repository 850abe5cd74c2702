/* SPDX-License-Identifier: MIT */
/* Mistakes on the command line: exit code 2 and these words. */
#include "support/command.h"
#include "support/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct row {
    const char *arguments, *words; /* after "thalweg: " */
} rows[] = {
    {"rnu", "there is no command 'rnu'; did you mean 'run'?"},
    {"frobnicate", "there is no command 'frobnicate'; see thalweg --help"},
    {"run",
     "run: an operand is missing; expected RECIPE... or a thalweg-project.yaml here or above; see thalweg run --help"},
    {"graph a.yaml b.yaml",
     "graph: 'b.yaml' is one operand too many; expected RECIPE; see thalweg graph --help"},
    {"doctor now",
     "doctor: 'now' is one operand too many; expected none; see thalweg doctor --help"},
    {"inspect", "inspect: an operand is missing; expected FILE...; see thalweg inspect --help"},
    {"diff a.yaml", "diff: an operand is missing; expected A B; see thalweg diff --help"},
    {"cache stat", "cache has no 'stat'; did you mean 'stats'?"},
    {"cache qqqqqqqq",
     "cache has no 'qqqqqqqq'; expected one of stats|gc|clear|push|pull [RECIPE...]"},
    {"man qqqqqqqq", "there is no command 'qqqqqqqq'; see thalweg --help"},
    {"man comapre", "there is no command 'comapre'; did you mean 'compare'?"},
    {"nodes thermla", "there is no node type 'thermla'; did you mean 'erosion.thermal'?"},
    {"nodes qqqqqqqq",
     "there is no node type 'qqqqqqqq'; families are combine, erosion, feature, "
     "island, layer, mask, measure, noise, path, render, shape, source, voronoi, water; "
     "'thalweg nodes' lists all types"},
    {"nodes noise.perlni", "there is no node type 'noise.perlni'; did you mean 'noise.perlin'?"},

    {"run a.yaml --szie 4", "run has no option '--szie'; did you mean '--size'?"},
    {"run a.yaml --qqqqqqqq=4", "run has no option '--qqqqqqqq=4'; see thalweg run --help"},
    {"run a.yaml -z", "run has no option '-z'; see thalweg run --help"},
    {"run a.yaml --watch=1", "'--watch' takes no value"},
    {"run a.yaml --quiet=yes", "'--quiet' takes no value"},
    {"run a.yaml --size", "'--size' needs a value; see thalweg run --help"},
    {"run a.yaml -s", "'-s' needs a value; see thalweg run --help"},
    {"run a.yaml --out=", "--out is empty; expected DIR"},
    {"run a.yaml -s talus", "--set is 'talus'; expected NAME=VALUE"},
    {"run a.yaml --untrusted --allow-path .", "--untrusted and --allow-path exclude each other"},

    {"run a.yaml --size 0", "--size is '0'; expected N or WxH, each 1 to 65536"},
    {"run a.yaml --size 65537", "--size is '65537'; expected N or WxH, each 1 to 65536"},
    {"run a.yaml --size 8x0", "--size is '8x0'; expected N or WxH, each 1 to 65536"},
    {"run a.yaml --size 8x65537", "--size is '8x65537'; expected N or WxH, each 1 to 65536"},
    {"run a.yaml --size 0x8", "--size is '0x8'; expected N or WxH, each 1 to 65536"},
    {"run a.yaml --size 8y8", "--size is '8y8'; expected N or WxH, each 1 to 65536"},
    {"run a.yaml --size 8x", "--size is '8x'; expected N or WxH, each 1 to 65536"},
    {"run a.yaml --threads 0", "--threads is '0'; expected a whole number from 1 to 64"},
    {"run a.yaml --threads 65", "--threads is '65'; expected a whole number from 1 to 64"},
    {"run a.yaml --threads 4x", "--threads is '4x'; expected a whole number from 1 to 64"},
    {"run a.yaml --threads x", "--threads is 'x'; expected a whole number from 1 to 64"},
    {"run a.yaml --max-time 1000001",
     "--max-time is '1000001'; expected a whole number from 1 to 1000000"},
    {"run a.yaml --seed -1", "--seed is '-1'; expected a whole number from 0 to 2^64 - 1"},
    {"run a.yaml --seed 18446744073709551616",
     "--seed is '18446744073709551616'; expected a whole number from 0 to 2^64 - 1"},
    {"run a.yaml --max-memory 0",
     "--max-memory is '0'; expected a number of bytes such as 800M or 4G"},
    {"run a.yaml --max-memory M",
     "--max-memory is 'M'; expected a number of bytes such as 800M or 4G"},
    {"run a.yaml --max-memory 4T",
     "--max-memory is '4T'; expected a number of bytes such as 800M or 4G"},
    {"run a.yaml --max-memory 4MB",
     "--max-memory is '4MB'; expected a number of bytes such as 800M or 4G"},
    {"run a.yaml --max-memory 123456789012",
     "--max-memory is '123456789012'; expected a number of bytes such as 800M or 4G"},
    {"run a.yaml --max-memory 17179869184G",
     "--max-memory is '17179869184G'; expected a number of bytes such as 800M or 4G"},
    {"run a.yaml --probe -1", "--probe is '-1'; expected a number, at least 0"},
    {"run a.yaml --probe soon", "--probe is 'soon'; expected a number, at least 0"},
    {"run a.yaml --shard 0/3", "--shard is '0/3'; expected I/N, as in 1/8 to 8/8"},
    {"run a.yaml --shard 4/3", "--shard is '4/3'; expected I/N, as in 1/8 to 8/8"},
    {"run a.yaml --shard 1/3x", "--shard is '1/3x'; expected I/N, as in 1/8 to 8/8"},
    {"run a.yaml --shard 1", "--shard is '1'; expected I/N, as in 1/8 to 8/8"},
    {"run a.yaml --shard 1/1000001", "--shard is '1/1000001'; expected I/N, as in 1/8 to 8/8"},
    {"run a.yaml --cache-mode write",
     "--cache-mode is 'write'; expected one of readwrite|read|off"},
    {"run a.yaml --bands=0", "--bands is '0'; expected a number of rows from 1 to 65536"},
    {"run a.yaml --bands=65537", "--bands is '65537'; expected a number of rows from 1 to 65536"},
    {"run a.yaml --bands=few", "--bands is 'few'; expected a number of rows from 1 to 65536"},
    {"run a.yaml --no-exports --no-cache", "--no-exports and --no-cache exclude each other"},
    {"run a.yaml --no-exports --bands", "--no-exports and --bands exclude each other"},
    {"run a.yaml -o x{recpie}",
     "--out has the placeholder '{recpie}'; expected {recipe} or {output}"},
    {"run a.yaml -o {recipe}/{date}",
     "--out has the placeholder '{date}'; expected {recipe} or {output}"},
    {"run a.yaml --watch --events e", "--watch and --events exclude each other"},
    {"inspect a.r16 --range 1", "--range is '1'; expected LOW:HIGH, as in -50:400"},
    {"inspect a.r16 --range 1:1", "--range is '1:1'; expected LOW:HIGH, as in -50:400"},
    {"inspect a.r16 --range low:1", "--range is 'low:1'; expected LOW:HIGH, as in -50:400"},
    {"inspect a.r16 --range 0:high", "--range is '0:high'; expected LOW:HIGH, as in -50:400"},
    {"inspect a.r16 --range 0000000000000000000000000000000000:1",
     "--range is '0000000000000000000000000000000000:1'; expected LOW:HIGH, as in -50:400"},
    {"graph a.yaml --format png", "--format is 'png'; expected one of dot|mermaid"},
    {"run - -", "run: '-' is given 2 times; standard input can be read once"},
    {"compare e.yaml --shard 1/2 --csv a", "--shard computes samples and no report; expected "
                                           "--html, --csv, --markdown and --times with --gather"},
    {"compare e.yaml --shard 1/2 --html a", "--shard computes samples and no report; expected "
                                            "--html, --csv, --markdown and --times with --gather"},
    {"compare e.yaml --shard 1/2 --markdown",
     "--shard computes samples and no report; expected --html, --csv, --markdown and --times with "
     "--gather"},
    {"compare e.yaml --shard 1/2 --times 3", "--shard computes samples and no report; expected "
                                             "--html, --csv, --markdown and --times with --gather"},
    {"compare e.yaml e.yaml", "compare takes one experiment; folders of shards come with --gather"},
    {"compare e.yaml --shard 1/2 --gather", "--shard and --gather exclude each other"},
    {"compare e.yaml --shard 1/2 --on slurm", "--on slurm and --shard exclude each other"},
    {"compare e.yaml --gather --on slurm", "--on slurm and --gather exclude each other"},
    {"compare tune.yaml --shard 1/2",
     "tune.yaml only tunes, one trial after the other: there is nothing to share"},
    {"compare tune.yaml --gather",
     "tune.yaml only tunes, one trial after the other: there is nothing to share"},
    {"compare tune.yaml --on slurm",
     "tune.yaml only tunes, one trial after the other: there is nothing to share"},
    {"compare e.yaml --tasks 3", "--sbatch, --tasks and --poll come with --on slurm"},
    {"compare e.yaml --sbatch --mem=1G", "--sbatch, --tasks and --poll come with --on slurm"},
    {"run a.yaml --on slurm --no-cache", "--on slurm and --no-cache exclude each other"},
    {"compare e.yaml --json --markdown",
     "--json and --markdown both write to standard output; expected one of them"},
    {"run a.yaml --json --events -",
     "--json and --events - both write to standard output; expected one of them"},
    {"run a.yaml --explain --trace -",
     "--explain and --trace - both write to standard output; expected one of them"},
    {"run a.yaml --dry-run --trace -",
     "--dry-run and --trace - both write to standard output; expected one of them"},
    {"compare e.yaml --csv - --html -",
     "--csv - and --html - both write to standard output; expected one of them"},
    {"check a.yaml --format sarif --json",
     "--json and --format sarif both write to standard output; expected one of them"},
    {"run a.yaml --format junit --trace -",
     "--format junit and --trace - both write to standard output; expected one of them"},
};

static struct command_result result;
static char words[2000];

static const char *run(const char *arguments)
{
    static const char start[] = "thalweg: ";
    command_run(arguments, &result);
    if (result.code != 2 || strncmp(result.err, start, strlen(start)) != 0)
        snprintf(words, sizeof words, "exit code %d: %.900s%.900s", result.code, result.out,
                 result.err);
    else
        snprintf(words, sizeof words, "%.*s", (int)strcspn(result.err, "\n") - 9, result.err + 9);
    return words;
}

static void every_mistake_gets_its_words(void **state)
{
    int wrong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(run(rows[i].arguments), rows[i].words) == 0)
            continue;
        print_error("%s\nexpected %s\nfound    %s\n", rows[i].arguments, rows[i].words, words);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

/* Whether an answer as JSON is asked for shows before the mistake is known. */
static void json_is_answered_whatever_a_value_is(void **state)
{
    static const struct {
        const char *arguments;
        bool json;
    } lines[] = {{"run a.yaml --seed -- --json", true},    {"run a.yaml --see -- --json", true},
                 {"run a.yaml -j -- --json", true},        {"run a.yaml --json --seed --", true},
                 {"run a.yaml -j 0 -- --json", false},     {"run a.yaml --seed x -- --json", false},
                 {"run a.yaml --bands=x -- --json", false}};
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        command_expect(lines[i].arguments, 2, &result);
        assert_int_equal(result.out[0] == '{', lines[i].json);
    }
}

/* Up to their ends. */
static void what_is_allowed_runs(void **state)
{
    static const char *const options[] = {"--size 1",
                                          "--size 4096x1",
                                          "--threads 1",
                                          "--threads 64",
                                          "--max-time 1000000",
                                          "--seed 0",
                                          "--seed 18446744073709551615",
                                          "--max-memory 12345678901",
                                          "--max-memory 16777215K",
                                          "--max-memory 17179869183G",
                                          "--probe 0",
                                          "--shard 1/1",
                                          "--shard 1/1000000",
                                          "--shard 1000000/1000000",
                                          "--bands=1",
                                          "--bands=65536",
                                          "--bands",
                                          "--cache-mode off",
                                          "--cache-mode read",
                                          "--format text",
                                          "-o {/{}/{recipe/{recipe}"};
    char arguments[100];
    (void)state;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        snprintf(arguments, sizeof arguments, "run a.yaml -q --no-cache %s", options[i]);
        command_expect(arguments, 0, &result);
        assert_string_equal(result.err, "");
    }
    command_expect("check a.yaml --size 65536x1", 0, &result);
    command_expect("check a.yaml --size 1x65536", 0, &result);
}

/* As many as there is room for, and one more. */
static void an_option_may_be_repeated_so_often(void **state)
{
    static const char set[] = " --set=a=1";
    char arguments[2000] = "check none.yaml";
    (void)state;
    for (int count = 1; count <= 65; count++) {
        size_t used = strlen(arguments);
        snprintf(arguments + used, sizeof arguments - used, "%s", set);
        if (count == 64) {
            command_run(arguments, &result);
            assert_int_equal(result.code, 3);
        }
    }
    assert_string_equal(run(arguments), "more than 64 of --set");
}

static void a_variable_is_named_that_is_wrong(void **state)
{
    (void)state;
    setenv("THALWEG_CACHE_MODE", "write", 1);
    assert_string_equal(run("run a.yaml"),
                        "--cache-mode is 'write'; expected one of readwrite|read|off");
    assert_string_equal(result.err,
                        "thalweg: --cache-mode is 'write'; expected one of readwrite|read|off\n"
                        "thalweg: that is from the environment's THALWEG_CACHE_MODE\n");
    setenv("THALWEG_CACHE_MODE", "", 1);
    command_run("doctor --help", &result);
    assert_int_equal(result.code, 0);
    unsetenv("THALWEG_CACHE_MODE");
}

static int set_up(void **state)
{
    static const char recipe[] = "thalweg: 1\nsize: 4\nnodes: {a: {type: source.constant}}\n"
                                 "outputs: {height: a}\n";
    static const char experiment[] = "thalweg-experiment: 1\nrecipe: a.yaml\nseeds: [1, 2]\n"
                                     "measure: [height.mean]\nvariants: {a: {}}\n";
    static const char tune[] = "thalweg-experiment: 1\nrecipe: a.yaml\nseeds: [1]\n"
                               "measure: [height.mean]\n"
                               "tune: {params: {x: [0, 1]}, goal: {height.mean: 1}, budget: 9}\n";
    (void)state;
    command_enter();
    command_write("a.yaml", recipe, strlen(recipe));
    command_write("e.yaml", experiment, strlen(experiment));
    command_write("tune.yaml", tune, strlen(tune));
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mistake_gets_its_words),
        cmocka_unit_test(json_is_answered_whatever_a_value_is),
        cmocka_unit_test(what_is_allowed_runs),
        cmocka_unit_test(an_option_may_be_repeated_so_often),
        cmocka_unit_test(a_variable_is_named_that_is_wrong),
    };
    return cmocka_run_group_tests(tests, set_up, command_tear_down);
}
