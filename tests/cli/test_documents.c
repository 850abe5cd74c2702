/* SPDX-License-Identifier: MIT */
/* --format sarif and junit: every fault with its place, every case with its verdict, whatever is in
 * the texts. */
#include "support/gate.h"
#include "support/json_schema.h"

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
    edit("hills.yaml", "  noise:  {type: noise.perlin, frequency: 4}\n",
         "  low: {type: noise.perlin}\n  big: {type: shape.remap, in: low, to: [0, 1000000]}\n"
         "  noise: {type: shape.power, in: big, exponent: 8}\n");
    assert_int_equal(run("run hills.yaml --format junit --no-cache"), 4);
    check_xml(result.out);
    contains(result.out, "errors=\"1\"");
    assert_int_equal(count_of(result.out, "<skipped/>"), 3);
}

static void junit_has_the_error_at_the_export_that_failed(void **state)
{
    (void)state;
    edit("hills.yaml", "range: [-1, 2]", "range: [0.5, 0.6]");
    assert_int_equal(run("run hills.yaml --format junit --no-cache"), 4);
    check_xml(result.out);
    contains(result.out, "errors=\"1\" skipped=\"0\"");
    contains(result.out, "name=\"height.png\">\n      <error type=\"a node failed\"");
    contains(result.out, "name=\"shade.png\">\n    </testcase>");
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

/* What SARIF 2.1.0 says of the members that we print, and of no others: 3.13 to 3.33, as a schema
 * with ' for ". */
static const char sarif_schema[] =
    "{'type': 'object', 'required': ['version', 'runs'], 'properties': {"
    "  '$schema': {'type': 'string'}, 'version': {'const': '2.1.0'},"
    "  'runs': {'type': 'array', 'minItems': 1, 'items': {'$ref': '#/definitions/run'}}},"
    "'definitions': {"
    " 'message': {'type': 'object', 'required': ['text'],"
    "   'properties': {'text': {'type': 'string'}}},"
    " 'rule': {'type': 'object', 'required': ['id'], 'properties': {"
    "   'id': {'type': 'string'}, 'shortDescription': {'$ref': '#/definitions/message'}}},"
    " 'run': {'type': 'object', 'required': ['tool'], 'properties': {"
    "   'tool': {'type': 'object', 'required': ['driver'], 'properties': {"
    "     'driver': {'type': 'object', 'required': ['name'], 'properties': {"
    "       'name': {'type': 'string'}, 'version': {'type': 'string'},"
    "       'rules': {'type': 'array', 'items': {'$ref': '#/definitions/rule'}}}}}},"
    "   'invocations': {'type': 'array', 'items': {"
    "     'type': 'object', 'required': ['executionSuccessful'], 'properties': {"
    "       'executionSuccessful': {'type': 'boolean'}, 'exitCode': {'type': 'integer'},"
    "       'exitSignalName': {'type': 'string'}}}},"
    "   'columnKind': {'enum': ['utf16CodeUnits', 'unicodeCodePoints']},"
    "   'results': {'type': 'array', 'items': {'$ref': '#/definitions/result'}}}},"
    " 'result': {'type': 'object', 'required': ['message'], 'properties': {"
    "   'ruleId': {'type': 'string'}, 'ruleIndex': {'type': 'integer'},"
    "   'level': {'enum': ['none', 'note', 'warning', 'error']},"
    "   'message': {'$ref': '#/definitions/message'},"
    "   'locations': {'type': 'array', 'items': {'type': 'object', 'properties': {"
    "     'physicalLocation': {'$ref': '#/definitions/place'},"
    "     'logicalLocations': {'type': 'array', 'items': {'type': 'object', 'properties': {"
    "       'fullyQualifiedName': {'type': 'string'}, 'kind': {'type': 'string'}}}}}}}}},"
    " 'place': {'type': 'object', 'required': ['artifactLocation'], 'properties': {"
    "   'artifactLocation': {'type': 'object', 'properties': {'uri': {'type': 'string'}}},"
    "   'region': {'type': 'object', 'properties': {"
    "     'startLine': {'type': 'integer'}, 'startColumn': {'type': 'integer'}}}}}}}";

static void check_schema(const json_t *root)
{
    char text[sizeof sarif_schema], where[200];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)(sarif_schema[i] == '\'' ? '"' : sarif_schema[i]);
    json_t *schema = json_loads(text, 0, NULL);
    assert_non_null(schema);
    if (!json_schema_holds(schema, schema, root, true, where))
        fail_msg("SARIF: %s", where);
    json_decref(schema);
}

/* Lines and columns count from 1; an address has nothing that RFC 3986 reserves. */
static void check_location(const json_t *location)
{
    const json_t *place = json_object_get(location, "physicalLocation");
    const json_t *region = json_object_get(place, "region");
    const char *uri =
        json_string_value(json_object_get(json_object_get(place, "artifactLocation"), "uri"));
    assert_true(!place || strspn(uri, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                      "0123456789-._~/%:") == strlen(uri));
    assert_true(!region || json_integer_value(json_object_get(region, "startLine")) >= 1);
    assert_true(!region || json_integer_value(json_object_get(region, "startColumn")) >= 1);
}

static void check_sarif(const char *text, int code, size_t results)
{
    json_t *root = json_loads(text, 0, NULL);
    assert_non_null(root);
    check_schema(root);
    json_t *call = json_array_get(json_object_get(root, "runs"), 0);
    json_t *driver = json_object_get(json_object_get(call, "tool"), "driver");
    json_t *rules = json_object_get(driver, "rules"), *list = json_object_get(call, "results");
    json_t *invocation = json_array_get(json_object_get(call, "invocations"), 0);
    assert_int_equal(json_integer_value(json_object_get(invocation, "exitCode")), code);
    assert_int_equal(json_array_size(list), results);
    for (size_t i = 0; i < results; i++) {
        json_t *at = json_array_get(list, i), *rule = json_object_get(at, "ruleId");
        json_t *by_index =
            json_array_get(rules, (size_t)json_integer_value(json_object_get(at, "ruleIndex")));
        assert_true(json_equal(rule, json_object_get(by_index, "id")));
        check_location(json_array_get(json_object_get(at, "locations"), 0));
    }
    for (size_t i = 0; i < json_array_size(rules); i++) /* unique (3.19.23) */
        for (size_t k = 0; k < i; k++)
            assert_false(json_equal(json_array_get(rules, i), json_array_get(rules, k)));
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
    contains(result.out, "a recipe has no key 'sede'; did you mean 'seed'?");
    assert_int_equal(run("check --format sarif"), 2);
    check_sarif(result.out, 2, 1);
    assert_int_equal(run("lock hills.yaml"), 0);
    write_recipe("hills.yaml", 6, "");
    assert_int_equal(run("verify hills.yaml --format sarif"), 1);
    check_sarif(result.out, 1, 1);
    contains(result.out, "\"a-difference-was-found\"");
}

static void names_are_escaped(void **state)
{
    (void)state;
    write_text("a<&>\"b.yaml", "thalweg: 1\nsize: 8\n\"k\\u0007<]]>&\": 1\n");
    assert_int_equal(run("check a<&>\"b.yaml --format junit"), 3);
    check_xml(result.out);
    contains(result.out, "classname=\"a&lt;&amp;&gt;&quot;b.yaml\"");
    assert_int_equal(run("check a<&>\"b.yaml --format sarif"), 3);
    contains(result.out, "\"uri\": \"a%3C%26%3E%22b.yaml\"");
    check_sarif(result.out, 3, 1);
    write_text("a.yaml", "thalweg: 1\nsize: 8\n\"[read](http://there)\": 1\n");
    assert_int_equal(run("check a.yaml --format sarif"), 3);
    contains(result.out, "no key '\\\\[read\\\\](http://there)'");
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
        GATE_TEST(junit_has_the_error_at_the_export_that_failed),
        GATE_TEST(junit_tells_differences_from_errors),
        GATE_TEST(assertions_are_cases),
        GATE_TEST(names_are_escaped),
        GATE_TEST(sarif_has_rules_levels_and_regions),
        GATE_TEST(one_document_a_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
