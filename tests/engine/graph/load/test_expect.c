/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "graph/load/expect.h"

#include <stdio.h>
#include <string.h>

static const char text[] = "one: 1\nlist: [1, 2]\nmapping: {talus: 4, taluss: 5, xyz: 6}\n";

struct file {
    struct tw_arena arena;
    struct tw_fault_log log;
    const struct tw_yaml *root;
    char reported[3][200]; /* message and hint of each fault */
};

static void hear(void *context, bool fault, const struct tw_error *error, const char *line)
{
    struct file *file = context;
    (void)line;
    assert_true(fault);
    assert_true(file->log.faults <= 3);
    snprintf(file->reported[file->log.faults - 1], sizeof file->reported[0], "%d: %s|%s",
             (int)error->line, error->message, error->hint);
}

static void open_file(struct file *file)
{
    *file = (struct file){.log = {.sink = hear, .context = file}};
    file->root = tw_yaml_parse(&file->arena, &file->log, "file", text, strlen(text));
    assert_non_null(file->root);
}

static void a_value_of_another_kind_is_reported(void **state)
{
    struct file file;
    (void)state;
    open_file(&file);
    const struct tw_yaml *one = tw_yaml_find(file.root, "one");
    const struct tw_yaml *list = tw_yaml_find(file.root, "list");
    assert_true(tw_expect_kind(&file.log, one, TW_YAML_SCALAR, "one"));
    assert_true(tw_expect_kind(&file.log, list, TW_YAML_SEQUENCE, "list"));
    assert_true(tw_expect_kind(&file.log, file.root, TW_YAML_MAPPING, "a file"));
    assert_int_equal(file.log.faults, 0);
    assert_false(tw_expect_kind(&file.log, one, TW_YAML_SEQUENCE, "one"));
    assert_false(tw_expect_kind(&file.log, list, TW_YAML_MAPPING, "list"));
    assert_false(tw_expect_kind(&file.log, file.root, TW_YAML_SCALAR, "a file"));
    assert_string_equal(file.reported[0], "1: one is a single value; expected a list|");
    assert_string_equal(file.reported[1], "2: list is a list; expected a mapping|");
    assert_string_equal(file.reported[2], "1: a file is a mapping; expected one value|");
    tw_arena_release(&file.arena);
}

static void unknown_keys_are_reported_with_the_nearest(void **state)
{
    static const char *const known[] = {"iterations", "talus", NULL};
    struct file file;
    (void)state;
    open_file(&file);
    tw_expect_keys(&file.log, &file.arena, tw_yaml_find(file.root, "mapping"), "a node", known);
    assert_int_equal(file.log.faults, 2);
    assert_string_equal(file.reported[0], "3: a node has no key 'taluss'|did you mean 'talus'?");
    assert_string_equal(file.reported[1], "3: a node has no key 'xyz'|known: iterations, talus");
    tw_arena_release(&file.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_of_another_kind_is_reported),
        cmocka_unit_test(unknown_keys_are_reported_with_the_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
