/* SPDX-License-Identifier: MIT */
/* The command as its users see it: exit codes, words, files, signals. */
#include "support/command.h"
#include "support/harness.h"
#include "support/sanitized.h"

#include <dirent.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static struct command_result result;

static const char recipe[] = "thalweg: 1\n"
                             "size: 64\n"
                             "params: {talus: 8}\n"
                             "nodes:\n"
                             "  noise:  {type: noise.midpoint}\n"
                             "  eroded: {type: erosion.olsen, in: noise, talus: \"${talus}\"}\n"
                             "outputs: {height: eroded, raw: noise}\n"
                             "export:\n"
                             "  height.png: height\n"
                             "  maps/height.npy: height\n"
                             "  raw.png: {from: raw, bits: 8}\n";

static int prepare(void **state)
{
    (void)state;
    command_enter();
    command_write("hills.yaml", recipe, strlen(recipe));
    return 0;
}

static void expect(int code, const char *arguments)
{
    command_run(arguments, &result);
    if (result.code != code)
        fail_msg("thalweg %s: exit code %d, expected %d: %s", arguments, result.code, code,
                 result.err);
}

static void every_command_has_help(void **state)
{
    static const char *const commands[] = {"run",    "check", "graph",   "nodes",
                                           "schema", "cache", "compare", "man"};
    char arguments[64], help[sizeof result.out];
    (void)state;
    expect(0, "-h");
    memcpy(help, result.out, sizeof help);
    expect(0, "--help");
    assert_string_equal(result.out, help);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        command_expect_words(result.out, commands[i]);
        snprintf(arguments, sizeof arguments, "%s --help", commands[i]);
        struct command_result *all = &result;
        char saved[sizeof all->out];
        memcpy(saved, all->out, sizeof saved);
        expect(0, arguments);
        command_expect_words(all->out, "usage: thalweg");
        memcpy(all->out, saved, sizeof saved);
    }
    expect(0, "--version");
    command_expect_words(result.out, "thalweg " TW_VERSION);
    expect(2, "");
    expect(2, "rnu hills.yaml");
    command_expect_words(result.err, "there is no command 'rnu'; did you mean 'run'?");
    expect(2, "man rnu");
    command_expect_words(result.err, "there is no command 'rnu'; did you mean 'run'?");
    expect(2, "run");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        snprintf(arguments, sizeof arguments, "%s --no-such hills.yaml", commands[i]);
        expect(2, arguments);
    }
    expect(2, "check");
    command_expect_words(result.err, "check: an operand is missing; expected RECIPE...");
}

static void a_mistaken_option_is_reported(void **state)
{
    static const struct {
        const char *arguments, *words;
    } rows[] = {
        {"run hills.yaml --threds 2", "run has no option '--threds'; did you mean '--threads'?"},
        {"run hills.yaml --bogus", "run has no option '--bogus'; see thalweg run --help"},
        {"run hills.yaml -z", "run has no option '-z'; see thalweg run --help"},
        {"run hills.yaml --quiet -zq", "run has no option '-z'; see thalweg run --help"},
        {"run hills.yaml --sise=5", "did you mean '--size'?"},
        {"run hills.yaml --bogus=5", "run has no option '--bogus=5'; see thalweg run --help"},
        {"check -o x", "check has no option '-o'; see thalweg check --help"},
        {"run hills.yaml --quiet=3", "'--quiet' takes no value"},
        {"run hills.yaml -j", "'-j' needs a value"},
        {"check hills.yaml --size", "'--size' needs a value; see thalweg check --help"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expect(2, rows[i].arguments);
        command_expect_words(result.err, rows[i].words);
    }
}

/* Not for lack of memory, and with the reason, whatever part of the name fits into the message. */
static void names_that_are_too_long_are_named_so(void **state)
{
    static const char *const commands[] = {"run hills.yaml --no-cache -o %s",
                                           "run hills.yaml --no-cache -o a/%s/",
                                           "run hills.yaml --no-cache -o %s/{recipe}",
                                           "run hills.yaml --no-cache --trace %s",
                                           "run hills.yaml --no-cache --events %s",
                                           "run %s.yaml",
                                           "check hills.yaml %s"};
    static const int lengths[] = {300, 5000};
    (void)state;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        for (int k = 0; k < 2; k++) {
            char name[5001], arguments[6000];
            memset(name, 'x', (size_t)lengths[k]);
            name[lengths[k]] = 0;
            snprintf(arguments, sizeof arguments, commands[i], name);
            command_run(arguments, &result);
            assert_true(result.code == 3 || result.code == 4);
            command_expect_words(result.err, "too long");
            assert_null(strstr(result.err, "memory"));
        }
}

static void a_full_disk_behind_standard_output_is_reported(void **state)
{
    static const char *const commands[] = {"nodes",
                                           "nodes erosion.olsen",
                                           "check hills.yaml",
                                           "schema",
                                           "graph hills.yaml",
                                           "cache stats",
                                           "--help",
                                           "run hills.yaml --json --no-cache -o full"};
    (void)state;
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        assert_int_equal(command_run_into(commands[i], "/dev/full"), 4);
    /* 1 is a difference and nothing else; here, what it is was not written */
    command_write("plain.yaml", "thalweg: 1\nnodes: {a: {type: noise.midpoint}}\noutputs: {a: a}\n",
                  62);
    assert_int_equal(command_run_into("diff hills.yaml plain.yaml --no-cache", "/dev/full"), 4);
    assert_int_equal(command_run_into("diff hills.yaml plain.yaml --no-cache", "/dev/null"), 1);
}

static void check_and_explain_tell_the_borders(void **state)
{
    static const char open[] = "thalweg: 1\nsize: 8\nnodes:\n  cuts: {type: noise.fault}\n"
                               "outputs: {out: cuts}\n";
    (void)state;
    command_write("open.yaml", open, strlen(open));
    expect(0, "check open.yaml");
    command_expect_words(result.out, "borders: closed, since noise.fault 'cuts' does not wrap\n");
    expect(0, "run open.yaml --no-cache --explain");
    command_expect_words(result.out, "borders: closed, since noise.fault 'cuts' does not wrap\n");
}

static void run_writes_exports_and_names_them(void **state)
{
    (void)state;
    expect(0, "run hills.yaml -o out --no-cache");
    assert_string_equal(result.out, "out/height.png\nout/maps/height.npy\nout/raw.png\n"
                                    "1 recipe: 3 exports written, 0 unchanged\n");
    assert_int_equal(access("out/maps/height.npy", R_OK), 0);
    expect(0, "run hills.yaml -o only --only raw --no-cache -q");
    assert_string_equal(result.out, "1 recipe: 1 export written, 0 unchanged\n");
    assert_string_equal(result.err, "");
    assert_int_equal(access("only/raw.png", R_OK), 0);
    assert_int_equal(access("only/height.png", F_OK), -1);
}

/* What is written as .bmp comes back as heights of 8 bits. */
static void bmp_goes_out_and_in(void **state)
{
    static const char out[] = "thalweg: 1\nsize: [65, 33]\nnodes:\n  a: {type: noise.midpoint}\n"
                              "outputs: {a: a}\n"
                              "export: {a.bmp: {from: a, range: fit}, "
                              "a.png: {from: a, range: fit, bits: 8}}\n";
    static const char in[] = "thalweg: 1\nsize: [65, 33]\nnodes:\n"
                             "  a: {type: source.heightmap, file: a.bmp}\n"
                             "  b: {type: source.heightmap, file: a.png}\n"
                             "  d: {type: measure.difference, a: a, b: b}\n"
                             "outputs: {d: d}\nexport: {d.json: d}\n";
    char text[512] = "";
    (void)state;
    command_write("out.yaml", out, sizeof out - 1);
    command_write("in.yaml", in, sizeof in - 1);
    expect(0, "run out.yaml -o . --no-cache");
    expect(0, "run in.yaml -o . --no-cache");
    FILE *file = fopen("d.json", "r");
    assert_non_null(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    assert_true(length > 0);
    command_expect_words(text, "\"max\": 0.0");
}

static void explain_names_what_changed(void **state)
{
    (void)state;
    expect(0, "run hills.yaml -o out --explain");
    command_expect_words(result.out, "eroded  computed: not known from an earlier run\n");
    expect(0, "run hills.yaml -o out --explain");
    command_expect_words(result.out, "noise   hit\neroded  hit\n");
    command_expect_words(result.out, "out/height.png (unchanged)\n");
    expect(0, "run hills.yaml -o new --explain -s talus=9 --dry-run");
    command_expect_words(result.out, "eroded  would compute: talus 8 -> 9\n");
    assert_int_equal(access("new", F_OK), -1);
    expect(0, "run hills.yaml -o out --explain --seed 5");
    command_expect_words(result.out, "noise   computed: seed ");
    command_expect_words(result.out, "eroded  computed: input.in ");
    expect(0, "run hills.yaml -o out --explain --size 32");
    command_expect_words(result.out, "size 64 64 -> 32 32");
    expect(0, "run hills.yaml -o out --explain --no-cache");
    command_expect_words(result.out, "computed: there is no cache\n");
}

static void explain_names_outputs_that_no_run_used_yet(void **state)
{
    static const char nodes[] = "thalweg: 1\nsize: 8\nnodes:\n  noise: {type: noise.midpoint}\n"
                                "  filled: {type: shape.fill_depressions, in: noise}\n";
    char text[300];
    (void)state;
    snprintf(text, sizeof text, "%soutputs: {out: filled}\n", nodes);
    command_write("filled.yaml", text, strlen(text));
    expect(0, "run filled.yaml");
    snprintf(text, sizeof text, "%soutputs: {out: filled.depth}\n", nodes);
    command_write("filled.yaml", text, strlen(text));
    expect(0, "run filled.yaml --explain");
    command_expect_words(result.out, "filled  computed: the cache does not have depth\n");
    expect(0, "run filled.yaml --explain");
    command_expect_words(result.out, "filled  hit\n");
}

static json_t *parsed(const char *text)
{
    json_error_t error;
    json_t *root = json_loads(text, 0, &error);
    if (!root)
        fail_msg("not JSON: %s", error.text);
    return root;
}

static void json_reports_nodes_exports_and_errors(void **state)
{
    (void)state;
    expect(0, "run hills.yaml -o json --json -q");
    json_t *root = parsed(result.out);
    assert_string_equal(json_string_value(json_object_get(root, "format")), "thalweg.run/2");
    json_t *part = json_array_get(json_object_get(root, "recipes"), 0);
    assert_int_equal(json_array_size(json_object_get(part, "nodes")), 2);
    assert_int_equal(json_array_size(json_object_get(part, "exports")), 3);
    assert_int_equal(json_array_size(json_object_get(root, "errors")), 0);
    json_decref(root);
    expect(3, "run hills.yaml -o json --json -q --size 8192 --max-memory 1M");
    root = parsed(result.out);
    assert_string_equal(json_string_value(json_object_get(
                            json_array_get(json_object_get(root, "errors"), 0), "status")),
                        "a limit was exceeded");
    json_decref(root);
}

static void json_is_json_whatever_files_are_called(void **state)
{
    json_error_t place;
    (void)state;
    command_write("caf\xE9.yaml", recipe, strlen(recipe));
    expect(0, "run caf\xE9.yaml --json -o named --no-cache");
    json_t *root = json_loads(result.out, 0, &place);
    assert_non_null(root);
    assert_string_equal(json_string_value(json_object_get(
                            json_array_get(json_object_get(root, "recipes"), 0), "recipe")),
                        "caf?.yaml");
    json_decref(root);
}

/* The history is a file like any other: what it says of seconds may be nonsense. */
static void progress_ends_at_100_percent(void **state)
{
    static const char text[] = "{\"nodes\": {\"noise\": {\"seconds\": 1e308}, "
                               "\"eroded\": {\"seconds\": 1e308}}}";
    char name[300] = "";
    (void)state;
    expect(0, "run hills.yaml -o progress --cache-dir kept");
    command_expect_words(result.err, "100 % eroded\n");
    DIR *folder = opendir("kept/history");
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));)
        if (entry->d_name[0] != '.')
            snprintf(name, sizeof name, "kept/history/%s", entry->d_name);
    closedir(folder);
    command_write(name, text, strlen(text));
    expect(0, "run hills.yaml -o progress --cache-dir kept -s talus=7");
    command_expect_words(result.err, "100 % eroded\n");
}

static void trace_is_what_chrome_reads(void **state)
{
    json_error_t error;
    (void)state;
    expect(0, "run hills.yaml -o trace --trace trace.json --no-cache");
    json_t *root = json_load_file("trace.json", 0, &error);
    json_t *events = json_object_get(root, "traceEvents");
    assert_int_equal(json_array_size(events), 5); /* two nodes, three exports */
    json_t *first = json_array_get(events, 0);
    assert_string_equal(json_string_value(json_object_get(first, "name")), "noise");
    assert_string_equal(json_string_value(json_object_get(first, "ph")), "X");
    assert_true(json_number_value(json_object_get(first, "dur")) >= 0);
    json_decref(root);
}

static void records_are_flat_objects(void **state)
{
    static const char text[] = "thalweg: 1\nsize: 32\nnodes:\n"
                               "  noise: {type: noise.midpoint}\n"
                               "  flat: {type: source.constant}\n"
                               "  a: {type: measure.statistics, in: noise}\n"
                               "  b: {type: measure.statistics, in: flat}\n"
                               "outputs: {a: a, b: b}\n"
                               "export: {one.json: a, list.json: [a, b], "
                               "named.json: {from: {noise: a, flat: b}}}\n";
    json_error_t error;
    (void)state;
    command_write("records.yaml", text, strlen(text));
    expect(0, "run records.yaml -o records --no-cache");
    json_t *one = json_load_file("records/one.json", 0, &error);
    assert_true(json_number_value(json_object_get(one, "max")) == 1.0);
    json_t *list = json_load_file("records/list.json", 0, &error);
    assert_true(json_equal(json_object_get(list, "a"), one));
    json_t *named = json_load_file("records/named.json", 0, &error);
    assert_true(json_equal(json_object_get(named, "noise"), one));
    assert_true(json_number_value(json_object_get(json_object_get(named, "flat"), "max")) == 0.0);
    json_decref(one);
    json_decref(list);
    json_decref(named);
}

static void points_are_rows_under_their_names(void **state)
{
    static const char text[] =
        "thalweg: 1\nsize: 32\nnodes:\n"
        "  two: {type: feature.points, points: [[0.25, 0.5, 2], {x: 1, y: 0, cost: 0.5}]}\n"
        "outputs: {points: two}\nexport: {points.csv: points, points.json: points}\n";
    char line[100];
    json_error_t error;
    (void)state;
    command_write("points.yaml", text, strlen(text));
    expect(0, "run points.yaml -o points --no-cache");
    FILE *file = fopen("points/points.csv", "r");
    assert_non_null(file);
    assert_string_equal(fgets(line, sizeof line, file), "x,y,cost,feature,profile\n");
    assert_string_equal(fgets(line, sizeof line, file), "0.25,0.5,2,0,0\n");
    fclose(file);
    json_t *list = json_load_file("points/points.json", 0, &error);
    assert_int_equal(json_array_size(list), 2);
    assert_true(json_number_value(json_object_get(json_array_get(list, 1), "cost")) == 0.5);
    json_decref(list);
}

static void cache_is_shown_shrunk_and_emptied(void **state)
{
    (void)state;
    expect(0, "run hills.yaml -o out -q --cache-dir own");
    expect(0, "cache stats --cache-dir own");
    command_expect_words(result.out, "actions  5\n"); /* two nodes, three exports */
    expect(0, "cache gc --max-size 1K --cache-dir own");
    command_expect_words(result.out, "freed ");
    expect(0, "cache clear --cache-dir own");
    expect(0, "cache stats --cache-dir own");
    command_expect_words(result.out, "actions  0\nblobs    0\nbytes    0\n");
    expect(2, "cache");
    expect(2, "cache stat");
}

static void a_cache_that_cannot_be_written_slows_no_more(void **state)
{
    (void)state;
    expect(0, "run hills.yaml -o out --cache-dir /proc/none");
    command_expect_words(result.err, "warning: nothing more is cached:");
}

static void graph_is_printed_for_dot_and_mermaid(void **state)
{
    static const char quoted[] = "thalweg: 1\nnodes: {a: {type: noise.midpoint}}\n"
                                 "export:\n  'a&b#c.png': {from: a, as: relief}\n";
    (void)state;
    expect(0, "graph hills.yaml");
    command_expect_words(result.out, "digraph");
    expect(0, "graph --format mermaid hills.yaml");
    command_expect_words(result.out, "flowchart");
    command_write("quoted.yaml", quoted, sizeof quoted - 1);
    expect(0, "graph quoted.yaml");
    command_expect_words(result.out, "label=\"(a&b#c.png as relief)\\nrender.relief\"");
    expect(0, "graph --format mermaid quoted.yaml");
    command_expect_words(result.out, "[\"(a&b#35;c.png as relief)<br>render.relief\"]");
}

static void nodes_explain_themselves(void **state)
{
    (void)state;
    expect(0, "nodes");
    command_expect_words(result.out, "erosion.olsen ");
    expect(0, "nodes erosion.olsen");
    command_expect_words(result.out, "steepest slope that is levelled");
    for (const char *line = result.out; *line; line += strcspn(line, "\n") + 1)
        assert_true(strcspn(line, "\n") <= 100);
    expect(2, "nodes erosion.olson");
    command_expect_words(result.err, "did you mean 'erosion.olsen'?");
}

static void schema_knows_every_node(void **state)
{
    (void)state;
    command_run("schema", &result); /* longer than our buffer: see tests/docs for its content */
    assert_int_equal(result.code, 0);
    command_expect_words(result.out, "\"Thalweg recipe\"");
}

static int count_entries(const char *name)
{
    int count = 0;
    DIR *folder = opendir(name);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        count += entry->d_name[0] != '.';
    if (folder)
        closedir(folder);
    return count;
}

/* Work for minutes; the signal comes while it runs, and only whole files may be left. */
/* Two workers must not need the address space of 64. */
static void a_run_starts_no_more_threads_than_it_uses(void **state)
{
    (void)state;
    struct rlimit before, less;
    if (SANITIZED)
        skip(); /* their shadow memory does not fit */
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    less = before;
    less.rlim_cur = 400u << 20;
    assert_int_equal(setrlimit(RLIMIT_AS, &less), 0);
    command_run("run hills.yaml -o few -j 2 --no-cache -q", &result);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    if (result.code != 0)
        fail_msg("exit code %d: %s", result.code, result.err);
}

static void expect_error_report(const char *text, const char *words, int line)
{
    json_t *root = parsed(text), *error = json_array_get(json_object_get(root, "errors"), 0);
    json_t *part = json_array_get(json_object_get(root, "recipes"), 0);
    command_expect_words(json_string_value(json_object_get(error, "message")), words);
    assert_int_equal(json_integer_value(json_object_get(error, "line")), line);
    assert_int_equal(json_array_size(json_object_get(part, "nodes")), 0);
    json_decref(root);
}

static void a_json_report_comes_without_a_run_too(void **state)
{
    static const char broken[] = "thalweg: 1\nsize: 64\nnodes:\n  a: {type: no.such}\n"
                                 "outputs: {height: a}\n";
    (void)state;
    command_write("broken.yaml", broken, strlen(broken));
    expect(3, "run broken.yaml --json");
    expect_error_report(result.out, "no.such", 4);
    expect(3, "run missing.yaml --json");
    expect_error_report(result.out, "missing.yaml", 0);
}

static void a_json_report_comes_after_a_signal(void **state)
{
    static const char text[] = "thalweg: 1\nsize: 1024\nnodes:\n"
                               "  noise: {type: noise.midpoint}\n"
                               "  eroded: {type: erosion.olsen, in: noise, iterations: 100000}\n"
                               "outputs: {height: eroded}\nexport: {height.npy: height}\n";
    char report[4096];
    (void)state;
    command_write("long.yaml", text, strlen(text));
    int process = command_start_node("run long.yaml -o stopped -q --json", "report.json");
    assert_int_equal(kill(process, SIGTERM), 0);
    assert_int_equal(command_wait(process), 128 + SIGTERM);
    FILE *file = fopen("report.json", "r");
    assert_non_null(file);
    report[fread(report, 1, sizeof report - 1, file)] = 0;
    fclose(file);
    command_expect_words(report, "stopped by SIGTERM");
    json_t *root = parsed(report), *part = NULL;
    assert_non_null(part = json_array_get(json_object_get(root, "recipes"), 0));
    json_t *export = json_array_get(json_object_get(part, "exports"), 0);
    json_t *eroded = json_array_get(json_object_get(part, "nodes"), 1);
    assert_int_equal(json_integer_value(json_object_get(root, "needed")), 2);
    assert_string_equal(json_string_value(json_object_get(export, "file")), "height.npy");
    assert_true(json_is_false(json_object_get(export, "complete")));
    assert_string_equal(json_string_value(json_object_get(eroded, "path")), "eroded");
    assert_string_equal(json_string_value(json_object_get(eroded, "outcome")), "undecided");
    json_decref(root);
}

static void a_dry_run_says_what_it_would_do(void **state)
{
    (void)state;
    expect(0, "run hills.yaml -o new --dry-run --seed 1234");
    command_expect_words(result.out, "noise   would compute: ");
    expect(0, "run hills.yaml -o new --dry-run --seed 1234 -q");
    assert_int_equal(strncmp(result.out, "1 recipe: 0 of ", 15), 0);
}

static void evicted_nodes_are_explained_as_such(void **state)
{
    (void)state;
    expect(0, "run hills.yaml -o out --size 48");
    expect(0, "run hills.yaml -o out --size 40");
    expect(0, "cache gc --max-size 1");
    expect(0, "run hills.yaml -o out --size 48 --explain");
    command_expect_words(result.out,
                         "noise   computed: an earlier run did, but the cache no longer has it");
    assert_null(strstr(result.out, "size 40"));
}

static void help_has_headings_and_short_lines(void **state)
{
    (void)state;
    expect(0, "run --help");
    command_expect_words(result.out, "\n  -h, --help                  print this text\n"
                                     "\nwhat is reported, and how\n");
    command_expect_words(result.out, "\nlimits and permissions\n      --allow-path DIR ");
    for (const char *line = result.out; *line; line += strcspn(line, "\n") + 1)
        assert_true(strcspn(line, "\n") <= 100);
    expect(0, "completions --help");
    assert_null(strstr(result.out, "reported"));
}

static void values_that_are_not_stored_are_explained_as_such(void **state)
{
    (void)state;
    if (SANITIZED) /* may take the millisecond from which on values are stored */
        skip();
    expect(0, "run hills.yaml -o out --size 24");
    expect(0, "run hills.yaml -o elsewhere --size 24 --explain");
    command_expect_words(result.out,
                         "noise   computed: unchanged, but its value is not in the cache");
}

static void folders_that_cannot_be_written_are_found_first(void **state)
{
    (void)state;
    command_write("plain", "", 0);
    expect(4, "run hills.yaml -o plain/out --seed 4321");
    command_expect_words(result.err, "cannot write plain/out/");
    expect(0, "run hills.yaml -o out --seed 4321 --dry-run");
    command_expect_words(result.out, "noise   would compute: "); /* it was not computed in vain */
    expect(0, "run hills.yaml -o out --cache-dir plain");
    command_expect_words(result.err, "cannot open the cache folder plain/v1: ");
    expect(0, "run hills.yaml -o out -q --cache-dir plain"); /* hides progress only */
    assert_ptr_equal(strstr(result.err, "warning: nothing more is cached: "), result.err);
    assert_ptr_equal(strchr(result.err, '\n'), result.err + strlen(result.err) - 1);
}

/* The longest that a file can have; its temporary's would be longer. */
static void names_may_be_as_long_as_the_system_allows(void **state)
{
    char name[256], text[400];
    (void)state;
    memset(name, 'n', 251);
    memcpy(name + 251, ".npy", 5);
    int length = snprintf(text, sizeof text,
                          "thalweg: 1\nsize: 8\nnodes: {n: {type: noise.perlin}}\n"
                          "export: {%s: n}\n",
                          name);
    command_write("long-name.yaml", text, (size_t)length);
    expect(0, "run long-name.yaml -o long-names");
    assert_int_equal(count_entries("long-names"), 1);
}

static void an_output_that_no_export_takes_is_said(void **state)
{
    static const char text[] = "thalweg: 1\nsize: 8\nnodes: {n: {type: noise.perlin}}\n"
                               "outputs: {base: n}\nexport: {n.npy: n}\n";
    (void)state;
    command_write("only.yaml", text, strlen(text));
    expect(0, "run only.yaml -o only --only base");
    command_expect_words(result.err, "warning: no file is written: no export is from 'base'");
    expect(0, "run only.yaml -o only --only n");
    assert_null(strstr(result.err, "warning"));
}

static void a_missing_cache_is_said_once(void **state)
{
    char cache[4096], home[4096];
    const char *old = getenv("HOME");
    (void)state;
    snprintf(cache, sizeof cache, "%s", getenv("XDG_CACHE_HOME"));
    snprintf(home, sizeof home, "%s", old ? old : "/");
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    command_run("run hills.yaml -o out", &result);
    setenv("XDG_CACHE_HOME", cache, 1);
    setenv("HOME", home, 1);
    assert_int_equal(result.code, 0);
    const char *words = strstr(result.err, "warning: there is no cache: ");
    assert_non_null(words);
    assert_null(strstr(words + strlen("warning: there is no cache"), "there is no cache"));
}

static void wrong_input_files_end_with_3(void **state)
{
    static const char text[] = "thalweg: 1\nsize: 64\nnodes:\n"
                               "  a: {type: source.heightmap, file: out/preview.png}\n"
                               "outputs: {height: a}\n";
    static const char picture[] = "thalweg: 1\nsize: 64\nnodes: {a: {type: noise.midpoint}}\n"
                                  "export: {preview.png: {from: a, as: relief}, a.png: "
                                  "{from: a, range: fit}}\n";
    static const char small[] = "thalweg: 1\nsize: 32\nnodes:\n"
                                "  a: {type: source.heightmap, file: out/a.png}\n"
                                "outputs: {height: a}\n";
    (void)state;
    command_write("picture.yaml", picture, strlen(picture));
    command_write("colour.yaml", text, strlen(text));
    command_write("small.yaml", small, strlen(small));
    expect(0, "run picture.yaml -o out -q");
    expect(3, "run colour.yaml -q");
    command_expect_words(result.err, "is a colour picture");
    expect(3, "run small.yaml -q");
    command_expect_words(result.err, "is 64 x 64 cells");
}

static void signals_stop_a_run_and_leave_nothing_half_written(void **state)
{
    static const char text[] = "thalweg: 1\nsize: 2048\nnodes:\n"
                               "  noise: {type: noise.midpoint}\n"
                               "  eroded: {type: erosion.olsen, in: noise, iterations: 100000}\n"
                               "outputs: {height: eroded}\nexport: {height.npy: height}\n";
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    (void)state;
    command_write("long.yaml", text, strlen(text));
    for (int i = 0; i < 3; i++) {
        int process = command_start_node("run long.yaml -o stopped -q", "/dev/null");
        assert_int_equal(kill(process, signals[i]), 0);
        assert_int_equal(command_wait(process), 128 + signals[i]);
        assert_int_equal(count_entries("stopped"), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_command_has_help),
        cmocka_unit_test(a_mistaken_option_is_reported),
        cmocka_unit_test(a_full_disk_behind_standard_output_is_reported),
        cmocka_unit_test(check_and_explain_tell_the_borders),
        cmocka_unit_test(run_writes_exports_and_names_them),
        cmocka_unit_test(bmp_goes_out_and_in),
        cmocka_unit_test(explain_names_what_changed),
        cmocka_unit_test(explain_names_outputs_that_no_run_used_yet),
        cmocka_unit_test(json_reports_nodes_exports_and_errors),
        cmocka_unit_test(json_is_json_whatever_files_are_called),
        cmocka_unit_test(progress_ends_at_100_percent),
        cmocka_unit_test(trace_is_what_chrome_reads),
        cmocka_unit_test(records_are_flat_objects),
        cmocka_unit_test(points_are_rows_under_their_names),
        cmocka_unit_test(cache_is_shown_shrunk_and_emptied),
        cmocka_unit_test(a_cache_that_cannot_be_written_slows_no_more),
        cmocka_unit_test(graph_is_printed_for_dot_and_mermaid),
        cmocka_unit_test(nodes_explain_themselves),
        cmocka_unit_test(schema_knows_every_node),
        cmocka_unit_test(a_run_starts_no_more_threads_than_it_uses),
        cmocka_unit_test(a_json_report_comes_without_a_run_too),
        cmocka_unit_test(a_json_report_comes_after_a_signal),
        cmocka_unit_test(a_dry_run_says_what_it_would_do),
        cmocka_unit_test(evicted_nodes_are_explained_as_such),
        cmocka_unit_test(help_has_headings_and_short_lines),
        cmocka_unit_test(values_that_are_not_stored_are_explained_as_such),
        cmocka_unit_test(folders_that_cannot_be_written_are_found_first),
        cmocka_unit_test(names_may_be_as_long_as_the_system_allows),
        cmocka_unit_test(names_that_are_too_long_are_named_so),
        cmocka_unit_test(an_output_that_no_export_takes_is_said),
        cmocka_unit_test(a_missing_cache_is_said_once),
        cmocka_unit_test(wrong_input_files_end_with_3),
        cmocka_unit_test(signals_stop_a_run_and_leave_nothing_half_written),
    };
    return cmocka_run_group_tests(tests, prepare, command_tear_down);
}
