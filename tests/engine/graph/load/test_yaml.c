/* SPDX-License-Identifier: MIT */
/* Untrusted YAML: what is refused, where, and limits on both sides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "graph/load/yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tw_arena arena;
static struct tw_fault_log faults;

static const struct tw_yaml *parse_bytes(const char *text, size_t length)
{
    tw_arena_release(&arena);
    faults = (struct tw_fault_log){0};
    const struct tw_yaml *root = tw_yaml_parse(&arena, &faults, "test.yaml", text, length);
    assert_true(root || faults.faults > 0);
    return root;
}

static const struct tw_yaml *parse(const char *text) { return parse_bytes(text, strlen(text)); }

static void refused(const char *text, enum tw_status status, int line, int column,
                    const char *words)
{
    parse(text);
    if (faults.faults == 0)
        fail_msg("accepted: %.200s", text);
    if (!strstr(faults.first.message, words))
        fail_msg("'%s' does not say '%s'", faults.first.message, words);
    assert_int_equal(faults.first.status, status);
    assert_int_equal(faults.first.line, line);
    assert_int_equal(faults.first.column, column);
}

static int release(void **state)
{
    (void)state;
    tw_arena_release(&arena);
    return 0;
}

static void a_tree_has_its_places(void **state)
{
    (void)state;
    const struct tw_yaml *root = parse("# head\na: 1\nlist: [x, 'y y', \"\"]\nb:\n  c: ~\n");
    assert_non_null(root);
    assert_int_equal(faults.faults, 0);
    assert_int_equal(root->kind, TW_YAML_MAPPING);
    assert_int_equal(root->place.line, 2);
    const struct tw_yaml *list = tw_yaml_find(root, "list");
    assert_int_equal(list->kind, TW_YAML_SEQUENCE);
    assert_int_equal(list->place.line, 3);
    assert_int_equal(list->place.column, 7);
    assert_string_equal(list->items->value->text, "x");
    assert_false(list->items->value->quoted);
    assert_string_equal(list->items->next->value->text, "y y");
    assert_true(list->items->next->value->quoted);
    assert_null(list->items->key);
    assert_string_equal(list->last->value->text, "");
    assert_string_equal(tw_yaml_find(tw_yaml_find(root, "b"), "c")->text, "~");
    assert_string_equal(root->items->key->text, "a");
    assert_null(tw_yaml_find(root, "c"));
    assert_null(tw_yaml_find(list, "x"));
    assert_null(tw_yaml_find(NULL, "x"));
    assert_string_equal(tw_yaml_kind_name(root), "a mapping");
    assert_string_equal(tw_yaml_kind_name(list), "a list");
    assert_string_equal(tw_yaml_kind_name(list->last->value), "a single value");
}

static void what_is_no_recipe_is_refused(void **state)
{
    (void)state;
    refused("", TW_RECIPE, 1, 1, "empty");
    refused("# only words\n", TW_RECIPE, 1, 1, "empty");
    refused("a: 1\na: 2\n", TW_RECIPE, 2, 1, "duplicate key 'a'; the first is in line 1");
    refused("x: {b: 1, c: 2, b: 3}\n", TW_RECIPE, 1, 17, "duplicate key 'b'");
    refused("? [1]\n: 2\n", TW_RECIPE, 1, 3, "plain name");
    refused("? {a: b}\n: 2\n", TW_RECIPE, 1, 3, "plain name");
    refused("a: !!str 1\n", TW_RECIPE, 1, 4, "tags");
    refused("a: !own [1]\n", TW_RECIPE, 1, 4, "tags");
    refused("a: !!map {b: 1}\n", TW_RECIPE, 1, 4, "tags");
    refused("a: 1\n---\nb: 2\n", TW_RECIPE, 2, 1, "one document");
    refused("a: [1, 2\n", TW_RECIPE, 1, 4, "this '[' is not closed");
    refused("a: [1,\n", TW_RECIPE, 1, 4, "this '[' is not closed");
    refused("a: {b: 'don''t', c: [1, {\n", TW_RECIPE, 1, 25, "this '{' is not closed");
    refused("a: b: c\n", TW_RECIPE, 1, 5, "a second ':'");
    refused("a: \"\\0\"\n", TW_RECIPE, 1, 4, "NUL");
    refused("a: 1\nb: \xff\n", TW_RECIPE, 2, 4, "not valid YAML");
    refused("\tx: 1\n", TW_RECIPE, 1, 1, "a tab");
}

/* Some editors begin a file with a byte order mark; inside it would be an invisible difference. */
static void a_byte_order_mark_begins_a_file_only(void **state)
{
    (void)state;
    const struct tw_yaml *root = parse("\xEF\xBB\xBF"
                                       "a: 1\nb: 2\n");
    assert_non_null(root);
    assert_string_equal(tw_yaml_find(root, "a")->text, "1");
    assert_int_equal(tw_yaml_find(root, "a")->place.column, 4);
    refused("a: 1\n\xEF\xBB\xBF"
            "b: 2\n",
            TW_RECIPE, 2, 1, "a byte order mark");
    refused("a: \"\xEF\xBB\xBF\"\n", TW_RECIPE, 1, 5, "a byte order mark");
    assert_non_null(parse("a: \xEF\xBC\xA1\n")); /* other characters begin with these bytes */
    assert_non_null(parse("a: \xEF\xBB\xB0\n"));
    refused("a: 1 # \xEF", TW_RECIPE, 1, 8, ""); /* the file ends within one */
}

/* Nothing, "" and a key with a blank are three things. */
static void what_is_empty_is_named(void **state)
{
    const struct tw_yaml *root = parse("a:\nb: \"\"\nc d: 1\ne: [x]\nf: {x: 1}\n");
    (void)state;
    assert_true(tw_yaml_is_empty(tw_yaml_find(root, "a")));
    assert_false(tw_yaml_is_empty(tw_yaml_find(root, "b")));
    assert_string_equal(tw_yaml_find(root, "c d")->text, "1");
    assert_string_equal(tw_yaml_kind_name(tw_yaml_find(root, "a")), "nothing");
    assert_string_equal(tw_yaml_kind_name(tw_yaml_find(root, "b")), "a single value");
    assert_string_equal(tw_yaml_kind_name(tw_yaml_find(root, "e")), "a list");
    assert_string_equal(tw_yaml_kind_name(tw_yaml_find(root, "f")), "a mapping");
    assert_false(tw_yaml_is_empty(tw_yaml_find(root, "e")));
    assert_null(tw_yaml_find(tw_yaml_find(root, "e"), "x"));
}

/* A picture whose bytes happen to hold a byte order mark, and UTF-16. */
static void other_files_are_no_text(void **state)
{
    static const char *const words = "; expected text in UTF-8";
    static const char png[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\n\xEF\xBB\xBF";
    static const char wide[] = "\xFF\xFEt\0h\0a\0";
    (void)state;
    assert_null(parse_bytes(png, sizeof png - 1));
    assert_non_null(strstr(faults.first.message, words));
    assert_int_equal(faults.first.line, 1);
    assert_null(parse_bytes(wide, sizeof wide - 1));
    assert_non_null(strstr(faults.first.message, words));
}

static void names_have_no_control_characters(void **state)
{
    (void)state;
    refused("\"a\\e[31m\": 1\n", TW_RECIPE, 1, 3, "control character");
    refused("x: {\"a\\nb\": 1}\n", TW_RECIPE, 1, 7, "control character");
    refused("a\xE2\x80\xAEgnp.png: 1\n", TW_RECIPE, 1, 2,
            "\\u202E, a control character or one that turns the");
    refused("\"maps/a\\tb\": 1\n", TW_RECIPE, 1, 8, "a name has \\t, a control character");
    refused("\"a\\\\\\x7F\": 1\n", TW_RECIPE, 1, 5, "a name has \\u007F");
    assert_non_null(parse("\"h\xC3\xBCgel.png\": 1\n"));
}

/* More keys than a mapping is searched through one by one. */
static void large_mappings_find_their_keys(void **state)
{
    char text[4000] = "";
    (void)state;
    for (int i = 0; i < 200; i++)
        sprintf(text + strlen(text), "key%d: %d\n", i, i);
    const struct tw_yaml *root = parse(text);
    for (int i = 0; i < 200; i++) {
        char key[16], value[16];
        sprintf(key, "key%d", i);
        sprintf(value, "%d", i);
        assert_string_equal(tw_yaml_find(root, key)->text, value);
    }
    assert_null(tw_yaml_find(root, "key200"));
    assert_null(tw_yaml_find(root, ""));
}

static void bytes_after_a_zero_count(void **state)
{
    (void)state;
    assert_null(parse_bytes("a: 1\n\0b: 2\n", 11));
    assert_int_equal(faults.first.line, 2);
}

static void aliases_repeat_what_is_complete(void **state)
{
    (void)state;
    const struct tw_yaml *root = parse("a: &x {b: 1}\nc: *x\nd: &x 2\ne: *x\n");
    assert_ptr_equal(tw_yaml_find(root, "a"), tw_yaml_find(root, "c"));
    assert_string_equal(tw_yaml_find(root, "e")->text, "2"); /* the last of the name */
    refused("a: *x\nb: &x 1\n", TW_RECIPE, 1, 4, "alias '*x'");
    refused("a: &x [*x]\n", TW_RECIPE, 1, 8, "alias '*x'");
    refused("&x a: {b: &y {c: *y}}\n", TW_RECIPE, 1, 18, "alias '*y'");
}

/* depth collections within each other */
static const struct tw_yaml *nested(int depth)
{
    char text[300];
    memset(text, '[', (size_t)depth);
    memset(text + depth, ']', (size_t)depth);
    return parse_bytes(text, 2 * (size_t)depth);
}

static void depth_ends_at_64(void **state)
{
    char *text = malloc(40000);
    (void)state;
    assert_non_null(text);
    assert_non_null(nested(63));
    assert_non_null(nested(64));
    assert_null(nested(65));
    assert_non_null(strstr(faults.first.message, "64 levels"));
    assert_int_equal(faults.first.column, 65);
    memset(text, '[', 40000); /* refused before it costs anything */
    assert_null(parse_bytes(text, 40000));
    assert_int_equal(faults.first.column, 65);
    free(text);
}

static void a_file_has_at_most_a_mebibyte(void **state)
{
    char *text = malloc(TW_YAML_BYTES_MAX + 1);
    (void)state;
    assert_non_null(text);
    memset(text, '\n', TW_YAML_BYTES_MAX + 1);
    memcpy(text, "a: 1", 4);
    assert_non_null(parse_bytes(text, TW_YAML_BYTES_MAX - 1));
    assert_non_null(parse_bytes(text, TW_YAML_BYTES_MAX));
    assert_null(parse_bytes(text, TW_YAML_BYTES_MAX + 1));
    assert_int_equal(faults.first.status, TW_LIMIT);
    free(text);
}

/* A root list of `count` scalars has count + 1 nodes. */
static const struct tw_yaml *list_of(int count)
{
    char *text = malloc(2 * (size_t)count + 2);
    assert_non_null(text);
    text[0] = '[';
    for (int i = 0; i < count; i++)
        memcpy(text + 1 + 2 * i, "1,", 2);
    text[2 * count + 1] = ']';
    const struct tw_yaml *root = parse_bytes(text, 2 * (size_t)count + 2);
    free(text);
    return root;
}

static void nodes_are_counted(void **state)
{
    (void)state;
    const struct tw_yaml *root = list_of(TW_YAML_NODES_MAX - 1);
    assert_non_null(root);
    assert_null(list_of(TW_YAML_NODES_MAX));
    assert_non_null(strstr(faults.first.message, "too many nodes"));
}

/* Every list holds the one before it ten times. */
static void aliases_do_not_explode(void **state)
{
    char text[2000] = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
    (void)state;
    for (int i = 1; i <= 5; i++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "a%d: &a%d [", i, i);
        for (int k = 0; k < 10; k++) {
            used = strlen(text);
            snprintf(text + used, sizeof text - used, "%s*a%d", k ? ", " : "", i - 1);
        }
        strcat(text, "]\n");
        if (i == 5)
            break;
        assert_non_null(parse(text)); /* 111,111 nodes in the last list */
    }
    refused(text, TW_RECIPE, 5, 5, "expand"); /* where the list that is too much stands */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_tree_has_its_places, release),
        cmocka_unit_test_teardown(what_is_no_recipe_is_refused, release),
        cmocka_unit_test_teardown(a_byte_order_mark_begins_a_file_only, release),
        cmocka_unit_test_teardown(what_is_empty_is_named, release),
        cmocka_unit_test_teardown(other_files_are_no_text, release),
        cmocka_unit_test_teardown(names_have_no_control_characters, release),
        cmocka_unit_test_teardown(large_mappings_find_their_keys, release),
        cmocka_unit_test_teardown(bytes_after_a_zero_count, release),
        cmocka_unit_test_teardown(aliases_repeat_what_is_complete, release),
        cmocka_unit_test_teardown(depth_ends_at_64, release),
        cmocka_unit_test_teardown(a_file_has_at_most_a_mebibyte, release),
        cmocka_unit_test_teardown(nodes_are_counted, release),
        cmocka_unit_test_teardown(aliases_do_not_explode, release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
