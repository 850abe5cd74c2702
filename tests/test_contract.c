/* SPDX-License-Identifier: MIT */
/* The contract that every registered node must keep; a node's author adds nothing here. The node's
 * example runs at odd sizes, with equal bytes on any number of threads and any instruction set,
 * without changing its inputs. tests/golden/nodes.txt holds the digests, which may change only with
 * the node's version (THALWEG_UPDATE_GOLDEN=1 rewrites them). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "graph/key.h"
#include "node/param.h"
#include "node/registry.h"
#include "support/example.h"
#include "support/golden.h"
#include "support/sanitized.h"
#include "value/field.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGESTS = 64 };

/* ---- running an example ---- */

struct size {
    int32_t width, height;
};

struct digests {
    int count;
    struct tw_digest at[DIGESTS];
};

/* A map of a few cells may lack what a node looks for: the node may then fail with a message. */
static bool may_fail(struct size size, enum tw_status status, const struct tw_error *error)
{
    return size.width * size.height < 50 && status == TW_NODE && strlen(error->message) > 20;
}

static void run_example(const struct tw_node_type *type, struct size size, int32_t threads,
                        const char *only, struct digests *digests)
{
    struct tw_recipe *recipe = example_load(type, size.width, size.height);
    struct tw_result *result = NULL;
    struct tw_error error = {.status = TW_OK};
    const struct tw_run_options options = {.threads = threads, .only = only};
    digests->count = 0;
    enum tw_status status = tw_recipe_run(recipe, &options, &result, &error);
    if (may_fail(size, status, &error)) {
        tw_recipe_release(recipe);
        return;
    }
    if (status != TW_OK)
        fail_msg("%s at %dx%d: %s: %s", type->name, size.width, size.height, error.path,
                 error.message);
    for (const struct tw_output *o = recipe->outputs; o; o = o->next) {
        const struct tw_value *value = tw_result_output(result, o->name);
        assert_true(digests->count < DIGESTS);
        digests->at[digests->count++] = value ? tw_field_digest(value) : (struct tw_digest){{0}};
        if (value && tw_field_first_nonfinite(value) >= 0)
            fail_msg("%s: %s is not finite", type->name, o->name);
    }
    tw_result_release(result);
    tw_recipe_release(recipe);
}

static void expect_same(const struct tw_node_type *type, const struct digests *a,
                        const struct digests *b, const char *what)
{
    assert_int_equal(a->count, b->count);
    for (int i = 0; i < a->count; i++)
        if (memcmp(&a->at[i], &b->at[i], sizeof a->at[i]) != 0)
            fail_msg("%s: output %d differs %s", type->name, i, what);
}

/* ---- the descriptor ---- */

static void check_text(const struct tw_node_type *type, const char *text, const char *what)
{
    if (!text || !text[0] || text[strlen(text) - 1] == '.')
        fail_msg("%s: %s is missing or ends with a full stop", type->name, what);
}

/* Each line is a paragraph, a numbered equation or a list entry, which pages wrap. */
static void check_detail(const struct tw_node_type *type)
{
    for (const char *line = type->detail, *end; line; line = *end ? end + 1 : NULL) {
        end = line + strcspn(line, "\n");
        if (end == line || !strchr(".:;)", end[-1]))
            fail_msg("%s: the detail ends a line early: '%.*s'", type->name, (int)(end - line),
                     line);
    }
}

static void check_ports(const struct tw_node_type *type, const struct tw_port *ports)
{
    for (const struct tw_port *port = ports; port && port->name; port++) {
        check_text(type, port->help, port->name);
        if (port->flags & TW_VARIADIC)
            assert_null(port[1].name);
    }
    assert_true(tw_node_count_ports(ports) <= TW_PORTS_MAX);
}

/* An output that takes its inputs' type needs an input that gives one. */
static void check_kept_type(const struct tw_node_type *type)
{
    bool keeps = false, decided = false;
    for (const struct tw_port *port = type->outputs; port->name; port++)
        keeps |= (port->flags & TW_KEEPS_TYPE) != 0;
    for (const struct tw_port *port = type->inputs; port && port->name; port++) {
        if (port->flags & TW_KEEPS_TYPE)
            assert_int_equal(port->type, TW_HEIGHTMAP);
        decided |= (port->flags & TW_KEEPS_TYPE) != 0;
    }
    if (keeps != decided)
        fail_msg("%s: TW_KEEPS_TYPE is on one side only", type->name);
}

/* A word represents a number of its own, which prints as the word. If the parameter's range
 * includes that number, it must start there, since users would not write it. */
static void check_word(const struct tw_node_type *type, const struct tw_param *row, void *params)
{
    char text[300], message[300];
    if (!row->word)
        return;
    if (strcmp(row->word, "auto") != 0 && strcmp(row->word, "none") != 0)
        fail_msg("%s: %s has the word %s; expected auto or none", type->name, row->name, row->word);
    if (!tw_param_set(row, params, row->word, message, sizeof message))
        fail_msg("%s: %s", type->name, message);
    tw_param_print(row, params, text, sizeof text);
    assert_string_equal(text, row->word);
    bool within = row->stands_for >= row->min && row->stands_for <= row->max;
    if (within && row->stands_for != -1e9)
        fail_msg("%s: %s is also the number %g", type->name, row->word, row->stands_for);
}

static void check_row(const struct tw_node_type *type, const struct tw_param *row)
{
    unsigned char params[8192] = {0};
    char text[300], message[300];
    check_text(type, row->help, row->name);
    assert_true(type->params_size <= sizeof params);
    int port = tw_node_find_port(type->inputs, row->name);
    if (port >= 0) /* recipes give a reference or rows */
        assert_true(row->kind == TW_KIND_TABLE && type->inputs[port].flags == TW_OPTIONAL);
    tw_param_defaults(type->params, params);
    if (row->kind == TW_KIND_F32 || row->kind == TW_KIND_I32) {
        tw_param_print(row, params, text, sizeof text);
        if (!tw_param_set(row, params, text, message, sizeof message))
            fail_msg("%s: the default: %s", type->name, message);
        check_word(type, row, params);
        snprintf(text, sizeof text, "%.17g", row->max * 1.5 + 1);
        assert_false(tw_param_set(row, params, text, message, sizeof message));
        snprintf(text, sizeof text, "%.17g", row->min < 0 ? row->min * 1.5 - 1.5 : row->min - 1.5);
        assert_false(tw_param_set(row, params, text, message, sizeof message));
    } else if (row->kind == TW_KIND_ENUM && strcmp(row->unit, "recipe|wrap|closed") == 0) {
        if (!type->bordered)
            fail_msg("%s has TW_PARAM_BORDER but is not bordered", type->name);
    } else if (row->kind == TW_KIND_TABLE) {
        for (const struct tw_column *column = row->columns; column->name; column++)
            check_text(type, column->help, column->name);
    }
}

static void descriptors_are_complete(void **state)
{
    (void)state;
    EACH_NODE_TYPE(at)
    {
        const struct tw_node_type *type = *at;
        const char *dot = strchr(type->name, '.');
        assert_non_null(dot);
        assert_true(type->version >= 1);
        assert_true(type->outputs && type->outputs->name);
        check_text(type, type->summary, "the summary");
        check_detail(type);
        if (strlen(type->summary) > 72)
            fail_msg("%s: the summary has %zu characters", type->name, strlen(type->summary));
        assert_non_null(type->example);
        assert_non_null(strstr(type->example, type->name));
        check_ports(type, type->inputs);
        check_ports(type, type->outputs);
        check_kept_type(type);
        for (const struct tw_param *row = type->params; row && row->name; row++)
            check_row(type, row);
        for (const struct tw_node_type *const *other = tw_node_table; other != at; other++)
            assert_string_not_equal((*other)->name, type->name);
    }
}

/* ---- behaviour ---- */

static void examples_run_at_odd_sizes(void **state)
{
    static const struct size sizes[] = {{1, 1}, {1, 7}, {7, 1}, {2, 2}, {31, 17}};
    struct digests digests;
    (void)state;
    EACH_NODE_TYPE(type)
    for (size_t i = RACES_ONLY ? 4 : 0; i < sizeof sizes / sizeof sizes[0]; i++)
        run_example(*type, sizes[i], 2, NULL, &digests);
}

/* A row and a column more than most blocks have; in slow builds a quarter of that. */
enum { SLOW = SANITIZED || UNOPTIMISED };
static const struct size uneven = {SLOW ? 129 : 257, SLOW ? 65 : 129};

static void threads_and_instructions_change_no_byte(void **state)
{
    static const char *const levels[] = {"base", "avx2"};
    struct digests first, other;
    int turn = 0;
    (void)state;
    EACH_NODE_TYPE(type)
    {
        turn++;
        run_example(*type, uneven, SANITIZED ? 8 : 1, NULL, &first);
        if (RACES_ONLY)
            continue;
        if (!SANITIZED) {
            run_example(*type, uneven, 8, NULL, &other);
            expect_same(*type, &first, &other, "with more threads");
        }
        /* sanitizers alternate between the two */
        for (int i = SANITIZED ? turn % 2 : 0; i < 2; i += SANITIZED ? 2 : 1) {
            setenv("THALWEG_SIMD", levels[i], 1);
            run_example(*type, uneven, 2, NULL, &other);
            unsetenv("THALWEG_SIMD");
            expect_same(*type, &first, &other, "with other instructions");
        }
    }
}

/* When all outputs are requested, inputs are kept next to the outputs of their users; alone, a node
 * may work in place. Equal bytes show that nodes do not write inputs, and work in place correctly.
 */
static void inputs_stay_and_in_place_is_the_same(void **state)
{
    static const struct size size = {33, 20};
    struct digests all, alone;
    (void)state;
    EACH_NODE_TYPE(type)
    {
        struct tw_recipe *recipe = example_load(*type, size.width, size.height);
        int i = 0;
        run_example(*type, size, 2, NULL, &all);
        for (const struct tw_output *o = recipe->outputs; o; o = o->next, i++) {
            if (SANITIZED && recipe->nodes[o->source.node].type != *type)
                continue; /* in its own example */
            run_example(*type, size, 2, o->name, &alone);
            if (memcmp(&all.at[i], &alone.at[i], sizeof all.at[i]) != 0)
                fail_msg("%s: %s differs when other outputs are requested, too", (*type)->name,
                         o->name);
        }
        tw_recipe_release(recipe);
    }
}

static void a_run_that_is_stopped_says_so(void **state)
{
    static const volatile int stop = 1;
    const struct tw_run_options options = {.threads = 2, .cancel = &stop};
    (void)state;
    EACH_NODE_TYPE(type)
    {
        struct tw_recipe *recipe = example_load(*type, 64, 64);
        struct tw_result *result = NULL;
        assert_int_equal(tw_recipe_run(recipe, &options, &result, NULL), TW_CANCELLED);
        assert_null(result);
        tw_recipe_release(recipe);
    }
}

/* ---- golden digests ---- */

static void print_golden(const struct tw_node_type *type, char line[300])
{
    struct digests digests;
    char hex[33];
    run_example(type, (struct size){64, 48}, 2, NULL, &digests);
    struct tw_digest all = tw_digest_of(digests.at, (size_t)digests.count * sizeof digests.at[0]);
    tw_hex(all.at, sizeof all.at, hex);
    snprintf(line, 300, "%s %d %s\n", type->name, (int)type->version, hex);
}

static void outputs_change_only_with_versions(void **state)
{
    struct golden golden;
    char line[300];
    (void)state;
    if (RACES_ONLY)
        skip();
    golden_begin(&golden, TW_GOLDEN "/nodes.txt");
    EACH_NODE_TYPE(type)
    {
        print_golden(*type, line);
        golden_line(&golden, line);
    }
    golden_end(&golden);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptors_are_complete),
        cmocka_unit_test(examples_run_at_odd_sizes),
        cmocka_unit_test(threads_and_instructions_change_no_byte),
        cmocka_unit_test(inputs_stay_and_in_place_is_the_same),
        cmocka_unit_test(a_run_that_is_stopped_says_so),
        cmocka_unit_test(outputs_change_only_with_versions),
    };
    cmocka_set_test_filter(getenv("THALWEG_TEST")); /* a pattern; all tests without it */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
