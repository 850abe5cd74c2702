/* SPDX-License-Identifier: MIT */
/* --format sarif and junit: every fault with its place, every case with its verdict, whatever is in
 * the texts. */
#include "support/gate.h"

/* An attribute's value ends at the next quote; the text is that of one element. */
static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        count++;
    return count;
}

/* Tags nest and end, attributes are quoted, and no character is one that XML cannot hold. */
static void check_xml(const char *text)
{
    char open[16][64];
    int depth = 0;
    assert_memory_equal(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", 39);
    for (const char *at = text + 39; *at; at++) {
        unsigned char c = (unsigned char)*at;
        assert_true(c >= 0x20 || c == '\n');
        assert_true(c != '>');
        if (c == '&')
            assert_true(strspn(at + 1, "abcdefghijklmnopqrstuvwxyz#0123456789") > 0 &&
                        at[1 + strspn(at + 1, "abcdefghijklmnopqrstuvwxyz#0123456789")] == ';');
        if (c != '<')
            continue;
        const char *end = strchr(at, '>');
        assert_non_null(end);
        int quotes = 0;
        for (const char *in = at; in < end; in++)
            quotes += *in == '"';
        assert_int_equal(quotes % 2, 0);
        size_t length = strcspn(at + 1 + (at[1] == '/'), " />");
        if (at[1] == '/') {
            assert_true(depth > 0 && strlen(open[depth - 1]) == length &&
                        strncmp(open[depth - 1], at + 2, length) == 0);
            depth--;
        } else if (end[-1] != '/') {
            assert_true(depth < 16);
            snprintf(open[depth++], sizeof open[0], "%.*s", (int)length, at + 1);
        }
        at = end;
    }
    assert_int_equal(depth, 0);
}

static void junit_has_a_case_per_recipe_and_export(void **state)
{
    (void)state;
    assert_int_equal(run("run hills.yaml --format junit"), 0);
    check_xml(result.out);
    contains(result.out, "<testsuite name=\"thalweg run\" tests=\"4\" failures=\"0\" errors=\"0\"");
    contains(result.out, "<testcase classname=\"hills.yaml\" name=\"shade.png\">");
    write_text("bad.yaml", "thalweg: 1\nsede: 3\n");
    assert_int_equal(run("check bad.yaml hills.yaml --format junit"), 3);
    check_xml(result.out);
    contains(result.out, "tests=\"2\" failures=\"0\" errors=\"1\"");
    contains(result.out, "<error type=\"invalid recipe\" message=\"a recipe has no key &#39;sede"
                         "&#39;\">bad.yaml:2:1: a recipe has no key &#39;sede&#39;\ndid you mean");
}

static void junit_skips_what_was_not_reached(void **state)
{
    (void)state;
    edit("hills.yaml", "range: [-1, 2]", "range: [0.5, 0.6]");
    assert_int_equal(run("run hills.yaml --format junit --no-cache"), 4);
    check_xml(result.out);
    contains(result.out, "errors=\"1\"");
    contains(result.out, "<skipped/>");
}

static void junit_tells_differences_from_errors(void **state)
{
    (void)state;
    assert_int_equal(run("lock hills.yaml"), 0);
    assert_int_equal(run("verify hills.yaml --format junit"), 0);
    check_xml(result.out);
    contains(result.out, "name=\"export shade.png\">\n    </testcase>");
    write_recipe("hills.yaml", 6, "");
    assert_int_equal(run("verify hills.yaml --format junit"), 1);
    check_xml(result.out);
    contains(result.out, "errors=\"0\"");
    contains(result.out, "name=\"output height\">\n      <failure type=\"a difference was found\" "
                         "message=\"sha256 ");
    contains(result.out, "name=\"output side\">\n    </testcase>");
    contains(result.out, "hills.yaml:7:11: hills.yaml differs from hills.yaml.lock, first in node "
                         "eroded\n");
    contains(result.out, "params.talus: 8 -&gt; 6\n");
}

static void assertions_are_cases(void **state)
{
    (void)state;
    write_text("experiment.yaml", "thalweg-experiment: 1\nrecipe: hills.yaml\n"
                                  "seeds: {from: 1, count: 2}\nmeasure: [score.erosion]\n"
                                  "variants: {a: {}}\n"
                                  "assert: {score.erosion: {mean: {min: 0, max: 0.001}}}\n");
    assert_int_equal(run("compare experiment.yaml --format junit -q"), 1);
    check_xml(result.out);
    contains(result.out,
             "<testcase classname=\"experiment.yaml\" name=\"a: mean of score.erosion\">");
    assert_int_equal(count_of(result.out, "<failure "), 1);
}

static void names_are_escaped(void **state)
{
    (void)state;
    write_text("a<&>\"b.yaml", "thalweg: 1\nsize: 8\n\"k\\u0007<]]>&\": 1\n");
    assert_int_equal(run("check a<&>\"b.yaml --format junit"), 3);
    check_xml(result.out);
    contains(result.out, "classname=\"a&lt;&amp;&gt;&quot;b.yaml\"");
    assert_int_equal(run("check a<&>\"b.yaml --format sarif"), 3);
    json_t *root = json_loads(result.out, 0, NULL);
    assert_non_null(root);
    contains(result.out, "\"uri\": \"a%3C%26%3E%22b.yaml\"");
    json_decref(root);
    write_text("a.yaml", "thalweg: 1\nsize: 8\n\"[read](http://there)\": 1\n");
    assert_int_equal(run("check a.yaml --format sarif"), 3);
    contains(result.out, "no key '\\\\[read\\\\](http://there)'");
}

/* What SARIF's schema requires of the objects that are printed: 3.13 to 3.30 of the standard. */
static void check_sarif(const char *text, int code, size_t results)
{
    json_t *root = json_loads(text, 0, NULL);
    assert_non_null(root);
    json_t *call = json_array_get(json_object_get(root, "runs"), 0);
    json_t *driver = json_object_get(json_object_get(call, "tool"), "driver");
    json_t *rules = json_object_get(driver, "rules"), *list = json_object_get(call, "results");
    json_t *invocation = json_array_get(json_object_get(call, "invocations"), 0);
    assert_string_equal(json_string_value(json_object_get(root, "version")), "2.1.0");
    assert_string_equal(json_string_value(json_object_get(driver, "name")), "thalweg");
    assert_int_equal(json_integer_value(json_object_get(invocation, "exitCode")), code);
    assert_true(json_is_boolean(json_object_get(invocation, "executionSuccessful")));
    assert_int_equal(json_array_size(list), results);
    for (size_t i = 0; i < results; i++) {
        json_t *at = json_array_get(list, i), *rule = json_object_get(at, "ruleId");
        json_t *by_index =
            json_array_get(rules, (size_t)json_integer_value(json_object_get(at, "ruleIndex")));
        assert_true(json_equal(rule, json_object_get(by_index, "id")));
        assert_true(json_is_string(json_object_get(json_object_get(at, "message"), "text")));
        const char *level = json_string_value(json_object_get(at, "level"));
        assert_true(strcmp(level, "error") == 0 || strcmp(level, "warning") == 0);
    }
    json_decref(root);
}

static void sarif_has_rules_levels_and_regions(void **state)
{
    (void)state;
    assert_int_equal(run("check hills.yaml --format sarif"), 0);
    check_sarif(result.out, 0, 0);
    write_text("bad.yaml", "thalweg: 1\nsede: 3\nnodes: {a: {type: noise.perlim}}\n");
    assert_int_equal(run("check bad.yaml --format sarif"), 3);
    check_sarif(result.out, 3, 2);
    contains(result.out, "\"startLine\": 2");
    contains(result.out, "a recipe has no key 'sede';did you mean 'seed'?");
    assert_int_equal(run("check --format sarif"), 2);
    check_sarif(result.out, 2, 1);
    assert_int_equal(run("lock hills.yaml"), 0);
    write_recipe("hills.yaml", 6, "");
    assert_int_equal(run("verify hills.yaml --format sarif"), 1);
    check_sarif(result.out, 1, 1);
    contains(result.out, "\"a-difference-was-found\"");
}

static void one_document_a_call(void **state)
{
    static const char *const rows[] = {
        "run hills.yaml --json --format sarif", "run hills.yaml --events - --json",
        "run hills.yaml --events - --trace -", "run hills.yaml --format junit --dry-run"};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(run(rows[i]), 2);
        contains(result.err, "both write to standard output");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        GATE_TEST(junit_has_a_case_per_recipe_and_export),
        GATE_TEST(junit_skips_what_was_not_reached),
        GATE_TEST(junit_tells_differences_from_errors),
        GATE_TEST(assertions_are_cases),
        GATE_TEST(names_are_escaped),
        GATE_TEST(sarif_has_rules_levels_and_regions),
        GATE_TEST(one_document_a_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
