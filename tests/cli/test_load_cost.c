/* SPDX-License-Identifier: MIT */
/* Small recipes and experiments that stand for much work: `check` and `compare` answer each within
 * 256 MiB of memory, and work that is a matter of a second. Limits are those of the process, so a
 * machine under load changes nothing: time is the processor's. */
#include "support/command.h"
#include "support/harness.h"
#include "support/sanitized.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MEMORY_BYTES = 256 << 20, CPU_SECONDS = 5 };

#define HEAD "thalweg: 1\nsize: 8\n"

static FILE *begin(const char *name)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(HEAD, file);
    return file;
}

static void repeat(FILE *file, const char *text, int count)
{
    for (int i = 0; i < count; i++)
        fputs(text, file);
}

static void number(FILE *file, const char *format, int count)
{
    for (int i = 0; i < count; i++)
        fprintf(file, format, i, i);
}

/* A scalar of substitutions that make nothing, used by all nodes. */
static void write_substitutions(const char *name)
{
    FILE *file = begin(name);
    fputs("params: {a: \"\"}\nabout: &s \"", file);
    repeat(file, "x${a}", 4000);
    fputs("\"\nnodes:\n", file);
    number(file, "  n%d: {type: source.constant, value: *s}\n", 9000);
    fputs("outputs: {o: n0}\n", file);
    fclose(file);
}

static void write_long_alias(const char *name)
{
    FILE *file = begin(name);
    fputs("about: &s \"", file);
    repeat(file, "a", 500000);
    fputs("\"\nnodes:\n", file);
    number(file, "  n%d: {type: shape.invert, in: *s}\n", 9999);
    fputs("outputs: {o: n0}\n", file);
    fclose(file);
}

static void write_many_substitutions(const char *name)
{
    FILE *file = begin(name);
    fputs("params: {a: \"", file);
    repeat(file, "1", 4000);
    fputs("\"}\nnodes:\n", file);
    number(file, "  n%d: {type: source.constant, value: \"1${a}\"}\n", 9999);
    fputs("outputs: {o: n0}\n", file);
    fclose(file);
}

#define LONG "abcdefghijklmnopqrstuvwxyz_abcdefghijklmnopqrstuvwxyz"

static void write_unknown_names(const char *name)
{
    FILE *file = begin(name);
    fputs("nodes:\n", file);
    number(file, "  " LONG "%d: {type: shape.invert, in: x" LONG "%d}\n", 7000);
    fputs("outputs: {o: n0}\n", file);
    fclose(file);
}

static void write_unknown_outputs(const char *name)
{
    FILE *file = begin(name);
    fputs("nodes:\n  a: {type: source.constant}\noutputs:\n", file);
    number(file, "  o%d: a\n", 45000);
    fputs("export:\n", file);
    number(file, "  %d.npy: o%d\n", 20000);
    fclose(file);
}

static void write_unknown_types(const char *name)
{
    FILE *file = begin(name);
    fputs("nodes:\n", file);
    number(file, "  n%d: {type: erosion." LONG LONG "}\n", 6000);
    fclose(file);
}

static void write_unknown_keys(const char *name)
{
    FILE *file = begin(name);
    fputs("nodes:\n  a: {type: noise.perlin", file);
    number(file, ", frequenzy%d: 1", 40000);
    fputs("}\noutputs: {o: a}\n", file);
    fclose(file);
}

static void write_long_export(const char *name)
{
    FILE *file = begin(name);
    fputs("nodes:\n  a: {type: source.constant}\nexport:\n  ? \"", file);
    repeat(file, "a/", 500000);
    fputs("a.png\"\n  : a\n", file);
    fclose(file);
}

static void write_long_prefix(const char *name)
{
    FILE *file = begin("part.yaml");
    fputs("nodes:\n", file);
    number(file, "  n%d: {type: source.constant}\n", 9000);
    fputs("outputs: {o: n0}\n", file);
    fclose(file);
    file = begin(name);
    fputs("nodes:\n  ? ", file);
    repeat(file, "a", 900000);
    fputs("\n  : {type: ./part.yaml}\n", file);
    fclose(file);
}

/* A file of the most nodes in few bytes, many times. */
static void write_many_uses(const char *name)
{
    FILE *file = begin("dense.yaml");
    fputs("nodes: {}\nabout: [", file);
    repeat(file, "a,", 190000);
    fputs("a]\n", file);
    fclose(file);
    file = begin(name);
    fputs("nodes:\n", file);
    number(file, "  n%d: {type: ./dense.yaml}\n", 5000);
    fclose(file);
}

static void write_parameters(const char *name)
{
    FILE *file = begin(name);
    fputs("params:\n", file);
    number(file, "  p%d: 1\n", 1000);
    fputs("nodes:\n", file);
    number(file, "  n%d: {type: noise.perlin, octaves: \"${p999}\", seed: \"${p0}\"}\n", 9999);
    fputs("outputs: {o: n0}\n", file);
    fclose(file);
}

/* ---- experiments, each with a fault that is found at the end of the work ---- */

#define EXPERIMENT "thalweg-experiment: 1\nrecipe: none.yaml\nseeds: [1]\n"

static FILE *begin_experiment(const char *name, const char *measures)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fprintf(file, EXPERIMENT "measure: [%s", measures);
    return file;
}

static void end(FILE *file, const char *text)
{
    fputs(text, file);
    fclose(file);
}

static void write_long_value(const char *name)
{
    FILE *file = begin_experiment(name, "a.mean]\nmatrix:\n  a: [");
    repeat(file, "x", 400000);
    end(file, "]\n  b: {from: 0, to: 9999, steps: 10000}\n");
}

static void write_long_variant(const char *name)
{
    FILE *file = begin_experiment(name, "a.mean]\nvariants:\n  ? ");
    repeat(file, "k", 900000);
    fputs("\n  : {sweep: {a: [x", file);
    number(file, ", %d", 9000);
    end(file, "]}}\n");
}

static void write_long_factor(const char *name)
{
    FILE *file = begin_experiment(name, "a.mean]\nsensitivity:\n  params:\n    ? ");
    repeat(file, "k", 900000);
    end(file, "\n    : [0, 1]\n  curves: 500\n");
}

static void write_large_matrix(const char *name)
{
    FILE *file = begin_experiment(name, "a.mean]\nmatrix:\n");
    for (int i = 0; i < 16; i++) {
        fprintf(file, "  p%d: [a", i);
        number(file, ", %d", 9000);
        fputs("]\n", file);
    }
    end(file, "");
}

static void write_many_exclusions(const char *name)
{
    FILE *file = begin_experiment(name, "a.mean]\nmatrix:\n"
                                        "  a: {from: 0, to: 9999, steps: 10000}\n  exclude:\n");
    repeat(file, "  - {a: 9999.5}\n", 40000);
    end(file, "");
}

static void write_many_inclusions(const char *name)
{
    FILE *file = begin_experiment(name, "a.mean]\nmatrix:\n  a: [1, 2]\n  include:\n");
    number(file, "  - {a: 1, p%d: 1}\n", 30);
    end(file, "");
}

static void write_many_measures(const char *name)
{
    FILE *file = begin_experiment(name, "a.mean");
    number(file, ", a.m%d", 20000);
    fputs("]\nvariants: {a: {}}\ngoal:\n", file);
    number(file, "  a.n%d: up\n", 20000);
    end(file, "");
}

/* With 9,000 variants of one sweep below them; `assertion` has a %d for each measure's number. */
static void write_assertions(const char *name, const char *assertion)
{
    FILE *file = begin_experiment(name, "a.mean");
    number(file, ", a.m%d", 900);
    fputs("]\nvariants:\n  v:\n    assert:\n", file);
    number(file, assertion, 900);
    fputs("    sweep: {a: [x", file);
    number(file, ", %d", 9000);
    end(file, "]}\n");
}

static void write_many_assertions(const char *name)
{
    write_assertions(name, "      a.m%d: {mean: {max: 1}}\n");
}

static void write_unknown_assertions(const char *name)
{
    write_assertions(name, "      a.n%d: {mean: {max: 1}}\n");
}

static void write_wide_range(const char *name)
{
    end(begin_experiment(name, "a.mean]\nmatrix:\n  a: "),
        "{from: -1.7e308, to: 1.7e308, steps: 3}\n");
}

static const struct row {
    const char *name;
    void (*write)(const char *name);
    int code;
    const char *words;
} rows[] = {
    {"substitutions", write_substitutions, 3, "aliases expand to more than"},
    {"alias of 500 kB", write_long_alias, 3, "aliases expand to more than"},
    {"substitutions of 4 kB", write_many_substitutions, 3, "expected a number"},
    {"unknown names", write_unknown_names, 3, "there is no node"},
    {"outputs", write_unknown_outputs, 0, ""},
    {"unknown types", write_unknown_types, 3, "there is no node type"},
    {"unknown keys", write_unknown_keys, 3, "did you mean 'frequency'?"},
    {"long export", write_long_export, 3, "the name of an export has"},
    {"long id", write_long_prefix, 3, "is not an id"},
    {"uses", write_many_uses, 3, "together"},
    {"parameters", write_parameters, 0, ""},
};

static const struct row experiments[] = {
    {"value of 400 kB", write_long_value, 3, "the name of a variant has 400002 bytes or more"},
    {"variant of 900 kB", write_long_variant, 3, "the name of a variant has 900002 bytes or more"},
    {"factor of 900 kB", write_long_factor, 3, "the name of a variant has 900008 bytes or more"},
    {"matrix", write_large_matrix, 3, "a matrix of more than 10000 combinations"},
    {"exclusions", write_many_exclusions, 3, "40000 entries for 10000 combinations"},
    {"inclusions", write_many_inclusions, 3, "more than 24 parameters with those of other"},
    {"measures", write_many_measures, 3, "more than 1000 measures"},
    {"assertions", write_many_assertions, 3, "more than 100000 assertions"},
    {"unknown assertions", write_unknown_assertions, 3, "'a.n0' is not measured"},
    {"wide range", write_wide_range, 3, "whose difference is finite"},
};

/* Runs the command within the limits; its exit code, or 128 + signal. */
static int run_within_limits(const char *command, const char *name, struct rusage *used)
{
    int status = 0;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct rlimit memory = {MEMORY_BYTES, MEMORY_BYTES};
        const struct rlimit cpu = {CPU_SECONDS, CPU_SECONDS};
        if ((!SANITIZED && (setrlimit(RLIMIT_AS, &memory) || setrlimit(RLIMIT_CPU, &cpu))) ||
            !freopen("out.txt", "w", stdout) || !freopen("err.txt", "w", stderr))
            _exit(99);
        execl(TW_COMMAND, TW_COMMAND, command, name, (char *)NULL);
        _exit(98);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    getrusage(RUSAGE_CHILDREN, used);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static bool says(const char *words)
{
    static char text[1 << 20];
    FILE *file = fopen("err.txt", "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return strstr(text, words) != NULL;
}

static void try_rows(const char *command, const struct row *row, size_t count)
{
    int wrong = 0;
    double before = 0;
    for (const struct row *end = row + count; row < end; row++) {
        struct rusage used;
        row->write("hostile.yaml");
        int code = run_within_limits(command, "hostile.yaml", &used);
        double seconds = (double)used.ru_utime.tv_sec + (double)used.ru_stime.tv_sec +
                         (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
        print_message("%-24s exit %d, %.2f s, at most %ld MiB so far\n", row->name, code,
                      seconds - before, used.ru_maxrss / 1024);
        before = seconds;
        if (code != row->code || !says(row->words)) {
            print_error("%s: exit %d instead of %d, or not \"%s\"\n", row->name, code, row->code,
                        row->words);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

static void small_recipes_take_little(void **state)
{
    (void)state;
    try_rows("check", rows, sizeof rows / sizeof *rows);
}

static void small_experiments_take_little(void **state)
{
    (void)state;
    try_rows("compare", experiments, sizeof experiments / sizeof *experiments);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(small_recipes_take_little),
                                       cmocka_unit_test(small_experiments_take_little)};
    return cmocka_run_group_tests(tests, command_set_up, command_tear_down);
}
