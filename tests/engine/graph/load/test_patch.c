/* SPDX-License-Identifier: MIT */
/* Values that are set in a recipe's text: the rest keeps every byte. */
#include "support/harness.h"

#include "graph/load/patch.h"

#include <stdlib.h>
#include <string.h>

/* Sets one value; NULL for the expected text: it does not fit. */
static void check(const char *text, const char *path, const char *value, const char *initial,
                  const char *expected)
{
    struct tw_value_patch patch = {.path = path, .value = value, .initial = initial};
    struct tw_bytes out = {0};
    assert_int_equal(tw_recipe_patch(text, strlen(text), &patch, 1, &out, NULL), TW_OK);
    assert_int_equal(tw_bytes_append(&out, "", 1, NULL), TW_OK);
    assert_string_equal((const char *)out.at, expected ? expected : text);
    assert_int_equal(patch.misfits, expected == NULL);
    free(out.at);
}

static void a_scalar_is_replaced(void **state)
{
    static const char *const rows[][3] = {
        {"params:\n  a: 8 # eight\n", "params.a", "params:\n  a: 12 # eight\n"},
        {"params: {a: 8, b: 8}", "params.b", "params: {a: 8, b: 12}"},
        {"params: {a: {default: 8, min: 0}}", "params.a", "params: {a: {default: 12, min: 0}}"},
        {"params:\n  a:\n    min: 0\n", "params.a", "params:\n  a:\n    min: 0\n    default: 12\n"},
        {"params: {a: {min: 0}}", "params.a", "params: {a: {min: 0, default: 12}}"},
        {"params:\n  a:\n", "params.a", "params:\n  a: 12\n"},
        {"nodes:\n  n:\n    K: 8", "nodes.n.K", "nodes:\n  n:\n    K: 12"},
        {"nodes:\r\n  n:\r\n    K: '8' # x\r\n", "nodes.n.K",
         "nodes:\r\n  n:\r\n    K: '12' # x\r\n"},
        {"nodes: {n: {K: \"8\"}}", "nodes.n.K", "nodes: {n: {K: \"12\"}}"},
        {"nodes: {n: {K: \"\\x38\"}}", "nodes.n.K", "nodes: {n: {K: \"12\"}}"},
        {"nodes: {n: {K: &k 8, L: *k}}", "nodes.n.K", "nodes: {n: {K: &k 12, L: *k}}"},
        {"nodes: {n: {K: &k '8'}}", "nodes.n.K", "nodes: {n: {K: &k '12'}}"},
        {"nodes: {n: {to: [0, 8]}}", "nodes.n.to.1", "nodes: {n: {to: [0, 12]}}"},
        {"nodes:\n  n:\n    to:\n    - 0\n    - 8 # b\n", "nodes.n.to.1",
         "nodes:\n  n:\n    to:\n    - 0\n    - 12 # b\n"},
        {"\xEF\xBB\xBFnodes: {n: {K: 8}}", "nodes.n.K", "\xEF\xBB\xBFnodes: {n: {K: 12}}"},
        {"nodes: {\xC3\xA9\xC3\xA9: {K: 8}}", "nodes.\xC3\xA9\xC3\xA9.K",
         "nodes: {\xC3\xA9\xC3\xA9: {K: 12}}"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check(rows[i][0], rows[i][1], "12", NULL, rows[i][2]);
}

static void what_is_missing_is_added(void **state)
{
    static const char *const rows[][4] = {
        {"nodes:\n  n:\n    type: a # b\n    in: c\n  m: {}\n", "nodes.n.K", NULL,
         "nodes:\n  n:\n    type: a # b\n    in: c\n    K: 12\n  m: {}\n"},
        {"nodes:\n  n:\n    type: a\n    list:\n      - 1\n", "nodes.n.K", NULL,
         "nodes:\n  n:\n    type: a\n    K: 12\n    list:\n      - 1\n"},
        {"nodes:\n  n:\n    type: a # end", "nodes.n.K", NULL,
         "nodes:\n  n:\n    type: a # end\n    K: 12"},
        {"nodes:\r\n  n:\r\n    type: a\r\n", "nodes.n.K", NULL,
         "nodes:\r\n  n:\r\n    type: a\r\n    K: 12\r\n"},
        {"nodes: {n: {type: a, in: [b, c]}} # d", "nodes.n.K", NULL,
         "nodes: {n: {type: a, K: 12, in: [b, c]}} # d"},
        {"nodes: {n: {type: 'a'\n  }}", "nodes.n.K", NULL, "nodes: {n: {type: 'a', K: 12\n  }}"},
        {"nodes: {n: &n {type: a}}", "nodes.n.K", NULL, "nodes: {n: &n {type: a, K: 12}}"},
        {"nodes:\n  n: &n\n    type: a\n", "nodes.n.K", NULL,
         "nodes:\n  n: &n\n    type: a\n    K: 12\n"},
        {"nodes: {n: {type: a}}", "nodes.n.to.1", "0 1", "nodes: {n: {type: a, to: [0, 12]}}"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check(rows[i][0], rows[i][1], "12", rows[i][2], rows[i][3]);
}

static void what_has_no_place_is_left_out(void **state)
{
    static const char *const rows[][2] = {
        {"nodes: {n: {K: \"${k}\"}}", "nodes.n.K"},
        {"nodes: {m: {K: &k 8}, n: {K: *k}}", "nodes.n.K"},
        {"nodes: {m: &m {K: 8}, n: *m}", "nodes.n.K"},
        {"nodes: {n: {K: [8]}}", "nodes.n.K"},
        {"nodes: {n: {K: 8}}", "nodes.n.K.0"},
        {"nodes: {n: {to: [0]}}", "nodes.n.to.1"},
        {"nodes: {n: {type: a}}", "nodes.n.to.2"},
        {"nodes: {n: {type: a}}", "nodes.m.K"},
        {"nodes: {n: {type: a}}", "params.K"},
        {"nodes: {n: {type: a}}", "outputs.K"},
        {"nodes: {n: {type: a}}", "nodes.n"},
        {"nodes: {n: {type: a}}", "nodes.n."},
        {"nodes: {n: {type: a}}", "nodes.n.to.x"},
        {"nodes: {n: {}}", "nodes.n.K"},
        {"nodes:\n  n:\n    K: |\n      8\n", "nodes.n.K"},
        {"[]", "nodes.n.K"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check(rows[i][0], rows[i][1], "12", NULL, NULL);
}

static void several_values_are_set_at_once(void **state)
{
    static const char text[] = "params: {a: 1, b: 2}\nnodes:\n  n: {type: x}\n  m: {type: y}\n";
    struct tw_value_patch patches[] = {{.path = "nodes.n.to.1", .value = "9", .initial = "0 1"},
                                       {.path = "params.b", .value = "4"},
                                       {.path = "nodes.n.K", .value = "5"},
                                       {.path = "nodes.n.to.0", .value = "8", .initial = "0 1"},
                                       {.path = "nodes.z.K", .value = "6"},
                                       {.path = "params.a", .value = "3"}};
    struct tw_bytes out = {0};
    (void)state;
    assert_int_equal(tw_recipe_patch(text, strlen(text), patches, 6, &out, NULL), TW_OK);
    assert_int_equal(tw_bytes_append(&out, "", 1, NULL), TW_OK);
    assert_string_equal((const char *)out.at, "params: {a: 3, b: 4}\nnodes:\n"
                                              "  n: {type: x, to: [8, 9], K: 5}\n  m: {type: y}\n");
    assert_true(patches[4].misfits);
    assert_false(patches[3].misfits);
    free(out.at);
}

static void a_text_that_is_no_yaml_is_a_fault(void **state)
{
    struct tw_value_patch patch = {.path = "params.a", .value = "1"};
    struct tw_bytes out = {0};
    (void)state;
    assert_int_equal(tw_recipe_patch("a: [", 4, &patch, 1, &out, NULL), TW_RECIPE);
    assert_null(out.at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scalar_is_replaced),
        cmocka_unit_test(what_is_missing_is_added),
        cmocka_unit_test(what_has_no_place_is_left_out),
        cmocka_unit_test(several_values_are_set_at_once),
        cmocka_unit_test(a_text_that_is_no_yaml_is_a_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
