/* SPDX-License-Identifier: MIT */
/* --json of every command: one document with one frame after success, after an error and after a
 * signal (docs/json.md). */
#include "support/gate.h"

#include <thalweg/thalweg.h>

#include <signal.h>
#include <sys/stat.h>

#define EXPERIMENT                                                                                 \
    "thalweg-experiment: 1\nrecipe: hills.yaml\nseeds: {from: 1, count: 2}\n"                      \
    "measure: [score.erosion]\nvariants: {a: {}}\n"

static bool is_text_or_null(const json_t *value)
{
    return json_is_string(value) || json_is_null(value);
}

static void check_finding(const json_t *finding)
{
    static const char *const texts[] = {"file", "node", "hint"}, *const numbers[] = {"line",
                                                                                     "column"};
    assert_true(json_is_string(json_object_get(finding, "status")));
    assert_true(json_string_length(json_object_get(finding, "message")) > 0);
    for (size_t i = 0; i < 3; i++)
        assert_true(is_text_or_null(json_object_get(finding, texts[i])));
    for (size_t i = 0; i < 2; i++) {
        const json_t *number = json_object_get(finding, numbers[i]);
        assert_true(json_is_null(number) || json_integer_value(number) > 0);
    }
}

static void check_findings(const json_t *list)
{
    assert_true(json_is_array(list));
    for (size_t i = 0; i < json_array_size(list); i++)
        check_finding(json_array_get(list, i));
}

/* The frame; the document is the caller's. */
static json_t *check_frame(const char *text, const char *format, int code)
{
    static const char *const states[] = {"done", "difference", "usage", "invalid", "failed"};
    json_error_t error;
    json_t *root = json_loads(text, 0, &error); /* refuses what follows a document */
    if (!root)
        fail_msg("%s: no JSON, %s:\n%s", format, error.text, text);
    assert_string_equal(json_string_value(json_object_get(root, "format")), format);
    assert_string_equal(json_string_value(json_object_get(root, "version")), TW_VERSION);
    assert_int_equal(json_integer_value(json_object_get(root, "exit_code")), code);
    assert_string_equal(json_string_value(json_object_get(root, "status")),
                        code > 128 ? "interrupted" : states[code]);
    assert_true(json_is_string(json_object_get(root, "interrupted")) == (code > 128));
    check_findings(json_object_get(root, "errors"));
    check_findings(json_object_get(root, "warnings"));
    size_t errors = json_array_size(json_object_get(root, "errors"));
    if (errors > 0 && code == 0)
        fail_msg("%s: exit code 0 with errors:\n%s", format, text);
    if (errors == 0 && code > 1)
        fail_msg("%s: exit code %d without an error:\n%s", format, code, text);
    return root;
}

static void every_command_answers_in_one_frame(void **state)
{
    static const struct {
        const char *arguments, *format;
        int code;
        const char *field; /* of the command */
    } rows[] = {
        {"run hills.yaml --json", "thalweg.run/2", 0, "recipes"},
        {"run hills.yaml --json --explain", "thalweg.run/2", 0, "recipes"},
        {"run missing.yaml --json", "thalweg.run/2", 3, "recipes"},
        {"run bad.yaml hills.yaml --json", "thalweg.run/2", 3, "recipes"},
        {"run hills.yaml --json --no-such", "thalweg.run/2", 2, NULL},
        {"run --json", "thalweg.run/2", 2, NULL},
        {"run --json -o junit --no-such", "thalweg.run/2", 2, NULL}, /* a folder, no format */
        {"check --json sarif --no-such", "thalweg.check/1", 2, NULL},
        {"run hills.yaml --json --max-memory 1K", "thalweg.run/2", 3, "recipes"},
        {"check hills.yaml --json", "thalweg.check/1", 0, "recipes"},
        {"check bad.yaml hills.yaml --json", "thalweg.check/1", 3, "recipes"},
        {"graph hills.yaml --json", "thalweg.graph/1", 0, "nodes"},
        {"graph bad.yaml --json", "thalweg.graph/1", 3, NULL},
        {"nodes --json", "thalweg.nodes/1", 0, "types"},
        {"nodes noise.perlin --json", "thalweg.nodes/1", 0, "types"},
        {"nodes voronoi --json", "thalweg.nodes/1", 0, "types"},
        {"nodes noise.perlim --json", "thalweg.nodes/1", 2, NULL},
        {"verify hills.yaml --json", "thalweg.verify/1", 3, NULL}, /* no lock yet */
        {"lock hills.yaml --json", "thalweg.lock/1", 0, "recipes"},
        {"lock bad.yaml --json", "thalweg.lock/1", 3, NULL},
        {"lock - --json", "thalweg.lock/1", 2, NULL},
        {"verify hills.yaml --json", "thalweg.verify/1", 0, "recipes"},
        {"verify hills.yaml --json --max-memory 1K", "thalweg.verify/1", 3, NULL},
        {"diff hills.yaml other.yaml --json", "thalweg.diff/1", 1, "recipes"},
        {"diff hills.yaml hills.yaml --json", "thalweg.diff/1", 0, "recipes"},
        {"diff hills.yaml bad.yaml --json", "thalweg.diff/1", 3, NULL},
        {"diff out/height.png out/height.png --json", "thalweg.map-diff/1", 0, "cells"},
        {"diff out/height.png none.png --json", "thalweg.diff/1", 3, NULL},
        {"compare experiment.yaml --json -q", "thalweg.compare/2", 0, "variants"},
        {"compare bad.yaml --json -q", "thalweg.compare/2", 3, NULL},
        {"cache stats --json", "thalweg.cache/1", 0, "actions"},
        {"cache gc --json", "thalweg.cache/1", 0, "freed"},
        {"cache sttas --json", "thalweg.cache/1", 2, NULL},
        {"cache stats --json --cache-dir hills.yaml/x", "thalweg.cache/1", 4, NULL},
        {"cache clear --json", "thalweg.cache/1", 0, "folder"},
        {"doctor --json", "thalweg.doctor/1", 0, "checks"},
        {"doctor --json --cache-dir hills.yaml/x", "thalweg.doctor/1", 4, "checks"},
        {"rnu --json", "thalweg.usage/1", 2, NULL},
    };
    (void)state;
    write_recipe("other.yaml", 6, "");
    write_text("bad.yaml", "thalweg: 1\nsede: 3\n");
    write_text("experiment.yaml", EXPERIMENT);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static char large[1 << 20]; /* `nodes` prints more than a result holds */
        int code = command_run_into(rows[i].arguments, "answer.json");
        FILE *file = fopen("answer.json", "r");
        large[fread(large, 1, sizeof large - 1, file)] = 0;
        fclose(file);
        if (code != rows[i].code)
            fail_msg("thalweg %s: exit code %d:\n%s", rows[i].arguments, code, large);
        json_t *root = check_frame(large, rows[i].format, code);
        if (rows[i].field && !json_object_get(root, rows[i].field))
            fail_msg("thalweg %s: no %s", rows[i].arguments, rows[i].field);
        json_decref(root);
    }
}

static void a_family_has_its_types(void **state)
{
    (void)state;
    assert_int_equal(run("nodes voronoi --json"), 0);
    json_t *answer = check_frame(result.out, "thalweg.nodes/1", 0);
    json_t *types = json_object_get(answer, "types");
    assert_int_equal(json_array_size(types), 2);
    for (size_t i = 0; i < 2; i++)
        assert_string_equal(json_string_value(json_object_get(json_array_get(types, i), "type")),
                            i ? "voronoi.domain" : "voronoi.cells");
    json_decref(answer);
}

/* By words of any tool: best first, as text, JSON and a table. */
static void words_find_types(void **state)
{
    (void)state;
    assert_int_equal(run("nodes snow line"), 0);
    assert_ptr_equal(strstr(result.out, "thalweg/snow "), result.out);
    assert_non_null(strstr(result.out, "[snow line]\nmask.height "));
    assert_int_equal(run("nodes snow line --json"), 0);
    json_t *answer = check_frame(result.out, "thalweg.nodes/1", 0);
    json_t *types = json_object_get(answer, "types"), *node = json_array_get(types, 1);
    assert_string_equal(json_string_value(json_object_get(json_array_get(types, 0), "type")),
                        "thalweg/snow");
    assert_string_equal(json_string_value(json_object_get(node, "type")), "mask.height");
    assert_non_null(strstr(json_string_value(json_object_get(node, "keywords")), "tree line"));
    assert_non_null(strstr(json_string_value(json_object_get(node, "elsewhere")), "(Gaea)"));
    json_decref(answer);
    assert_int_equal(run("nodes --markdown mountain"), 0);
    assert_non_null(strstr(result.out, "\n| [noise.ridged](noise.ridged.md) | "));
    assert_int_equal(run("nodes mask.height"), 0);
    assert_non_null(strstr(result.out, "\nKnown elsewhere as: Height (Gaea), "));
    assert_int_equal(run("nodes snow xyzzy"), 2);
}

static void errors_have_places_and_hints(void **state)
{
    (void)state;
    write_text("bad.yaml", "thalweg: 1\nsede: 3\nnodes:\n  a: {type: noise.perlim}\n");
    assert_int_equal(run("check bad.yaml --json"), 3);
    json_t *root = check_frame(result.out, "thalweg.check/1", 3);
    json_t *errors = json_object_get(root, "errors"), *first = json_array_get(errors, 0);
    assert_true(json_array_size(errors) >= 2);
    assert_string_equal(json_string_value(json_object_get(first, "file")), "bad.yaml");
    assert_int_equal(json_integer_value(json_object_get(first, "line")), 2);
    assert_int_equal(json_integer_value(json_object_get(first, "column")), 1);
    assert_string_equal(json_string_value(json_object_get(first, "hint")), "did you mean 'seed'?");
    json_decref(root);
    assert_int_equal(run("run bad.yaml --json"), 3); /* nothing was computed, or took memory */
    root = check_frame(result.out, "thalweg.run/2", 3);
    static const char *const counts[] = {"peak_bytes", "needed", "computed", "hits"};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        assert_true(json_is_integer(json_object_get(root, counts[i])));
        assert_int_equal(json_integer_value(json_object_get(root, counts[i])), 0);
    }
    json_decref(root);
}

/* It has no place but its name, as given. */
static void a_file_that_is_not_there_is_named(void **state)
{
    static const char *const commands[] = {"run",     "check",  "graph", "lock",
                                           "compare", "verify", "judge", "diff hills.yaml"};
    char arguments[100];
    (void)state;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        snprintf(arguments, sizeof arguments, "%s ./none.yaml --json", commands[i]);
        assert_int_equal(run(arguments), 3);
        json_t *root = json_loads(result.out, 0, NULL);
        json_t *error = json_array_get(json_object_get(root, "errors"), 0);
        assert_string_equal(json_string_value(json_object_get(error, "file")), "./none.yaml");
        assert_true(json_is_null(json_object_get(error, "line")));
        assert_string_equal(json_string_value(json_object_get(error, "message")),
                            "cannot read ./none.yaml: No such file or directory");
        json_decref(root);
    }
    assert_int_equal(run("verify hills.yaml --json"), 3);
    contains(result.out, "\"file\": \"hills.yaml.lock\"");
}

/* Commands that run recipes, stopped while they do: the nodes take hours. */
static void a_signal_is_in_the_document(void **state)
{
    static const char recipe[] = "thalweg: 1\nsize: 1024\nnodes:\n  noise: {type: noise.midpoint}\n"
                                 "  eroded: {type: erosion.olsen, in: noise, iterations: 100000}\n"
                                 "outputs: {height: eroded}\nexport: {height.npy: height}\n";
    static const struct {
        const char *arguments, *format;
    } rows[] = {{"run long.yaml --json", "thalweg.run/2"},
                {"lock long.yaml --json", "thalweg.lock/1"}};
    (void)state;
    write_text("long.yaml", recipe);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int process = command_start_node(rows[i].arguments, "answer.json");
        assert_int_equal(kill(process, SIGTERM), 0);
        assert_int_equal(command_wait(process), 128 + SIGTERM);
        char *text = read_text("answer.json");
        json_t *root = check_frame(text, rows[i].format, 128 + SIGTERM);
        assert_string_equal(json_string_value(json_object_get(root, "interrupted")), "SIGTERM");
        json_decref(root);
        free(text);
    }
}

static void doctor_names_sources_and_what_fails(void **state)
{
    (void)state;
    assert_int_equal(run("doctor --json -j 3"), 0);
    json_t *root = check_frame(result.out, "thalweg.doctor/1", 0);
    json_t *checks = json_object_get(root, "checks");
    size_t i;
    json_t *check;
    int seen = 0;
    json_array_foreach(checks, i, check)
    {
        const char *name = json_string_value(json_object_get(check, "name"));
        const char *source = json_string_value(json_object_get(check, "source"));
        assert_string_not_equal(json_string_value(json_object_get(check, "state")), "failed");
        if (strcmp(name, "cache folder") == 0)
            assert_string_equal(source, "XDG_CACHE_HOME"), seen++;
        if (strcmp(name, "threads") == 0)
            assert_string_equal(source, "--threads"), seen++;
    }
    assert_int_equal(seen, 2);
    json_decref(root);
    assert_int_equal(run("run hills.yaml"), 0); /* makes the secret */
    assert_int_equal(chmod(".cache/thalweg/v1/secret", 0644), 0);
    assert_int_equal(run("doctor"), 4);
    contains(result.out, "failed  cache secret");
    contains(result.err, "error: cache secret: ");
    contains(result.err, "secret is open to others");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        GATE_TEST(every_command_answers_in_one_frame),
        GATE_TEST(a_family_has_its_types),
        GATE_TEST(words_find_types),
        GATE_TEST(errors_have_places_and_hints),
        GATE_TEST(a_file_that_is_not_there_is_named),
        GATE_TEST(a_signal_is_in_the_document),
        GATE_TEST(doctor_names_sources_and_what_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
