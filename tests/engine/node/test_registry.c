/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "node/param.h"
#include "node/registry.h"

#include <string.h>

static const struct tw_port inputs[] = {{"in", TW_HEIGHTMAP, 0, "map"},
                                        {"mask", TW_MASK, TW_OPTIONAL, "where"},
                                        {"more", TW_HEIGHTMAP, TW_VARIADIC, "maps"},
                                        TW_PORT_END};
static const struct tw_port outputs[] = {{"out", TW_HEIGHTMAP, 0, "map"}, TW_PORT_END};
static const struct tw_node_type thermal = {
    .name = "erosion.thermal", .inputs = inputs, .outputs = outputs};
static const struct tw_node_type own = {.name = "own.thing", .outputs = outputs};
static const struct tw_node_type *const extra[] = {&thermal, &own, NULL};

static void the_table_is_sorted_and_found_whole(void **state)
{
    const struct tw_registry registry = {NULL};
    (void)state;
    assert_non_null(tw_node_table[0]);
    for (const struct tw_node_type *const *at = tw_node_table; *at; at++) {
        assert_ptr_equal(tw_registry_find(&registry, (*at)->name), *at);
        assert_true(!at[1] || strcmp((*at)->name, at[1]->name) < 0);
    }
    assert_null(tw_registry_find(&registry, "erosion"));
    assert_null(tw_registry_find(&registry, ""));
    assert_null(tw_registry_find(&registry, "own.thing"));
}

static void types_of_an_embedder_come_first(void **state)
{
    const struct tw_registry registry = {extra}, without = {NULL};
    (void)state;
    assert_ptr_equal(tw_registry_find(&registry, "own.thing"), &own);
    assert_ptr_equal(tw_registry_find(&registry, "erosion.thermal"), &thermal);
    assert_ptr_not_equal(tw_registry_find(&without, "erosion.thermal"), &thermal);
}

static void a_family_is_what_stands_before_the_dot(void **state)
{
    (void)state;
    assert_true(tw_node_in_family(&thermal, "erosion"));
    assert_false(tw_node_in_family(&thermal, "eros"));
    assert_false(tw_node_in_family(&thermal, "erosion.thermal"));
    assert_false(tw_node_in_family(&thermal, ""));
}

static void all_types_are_listed_once(void **state)
{
    const struct tw_registry registry = {extra}, without = {NULL};
    int32_t position = 0, own_count = 0, table_count = 0, count = 0;
    (void)state;
    for (const struct tw_node_type *type; (type = tw_registry_next(&registry, &position));
         count++) {
        assert_true(count > 1 || type == extra[count]);
        own_count += strcmp(type->name, thermal.name) == 0;
    }
    assert_int_equal(own_count, 1);
    position = 0;
    while (tw_registry_next(&without, &position))
        table_count++;
    assert_true(table_count > 70);
    assert_int_equal(count, table_count + 1);
    assert_null(tw_registry_next(&without, &position));
}

static void renderers_are_found_without_their_family(void **state)
{
    const struct tw_registry registry = {extra};
    char far[300];
    (void)state;
    assert_string_equal(tw_registry_find_renderer(&registry, "relief")->name, "render.relief");
    assert_ptr_equal(tw_registry_find_renderer(&registry, "own.thing"), &own);
    assert_null(tw_registry_find_renderer(&registry, "thermal"));
    memset(far, 'a', sizeof far);
    far[sizeof far - 1] = 0;
    assert_null(tw_registry_find_renderer(&registry, far));
    assert_string_equal(tw_node_kind(&own), "thing");
}

static void ports_and_parameters_are_found_by_name(void **state)
{
    const struct tw_registry registry = {NULL};
    const struct tw_node_type *image = tw_registry_find(&registry, "source.image");
    (void)state;
    assert_int_equal(tw_node_find_port(inputs, "in"), 0);
    assert_int_equal(tw_node_find_port(inputs, "more"), 2);
    assert_int_equal(tw_node_find_port(inputs, "out"), -1);
    assert_int_equal(tw_node_find_port(NULL, "in"), -1);
    assert_int_equal(tw_node_count_ports(inputs), 3);
    assert_int_equal(tw_node_count_ports(NULL), 0);
    assert_int_equal(tw_node_fixed_inputs(&thermal), 2);
    assert_int_equal(tw_node_fixed_inputs(&own), 0);
    assert_non_null(image);
    assert_string_equal(tw_node_find_param(image, "file")->name, "file");
    assert_ptr_equal(tw_node_file_param(image), tw_node_find_param(image, "file"));
    assert_null(tw_node_find_param(image, "fil"));
    assert_null(tw_node_find_param(&own, "file"));
    assert_null(tw_node_file_param(&own));
}

/* What stands in only one of these masks belongs to inputs, or to outputs. */
static void check_flags(const struct tw_node_type *type, const struct tw_port *port,
                        unsigned allowed)
{
    if (port->flags & ~allowed)
        fail_msg("%s, port '%s' has flags %u", type->name, port->name, port->flags);
    if ((port->flags & TW_KEEPS_TYPE) && port->type != TW_HEIGHTMAP && port->type != TW_MASK)
        fail_msg("%s, port '%s' is neither map nor mask", type->name, port->name);
}

static void flags_of_ports_are_those_of_their_side(void **state)
{
    const unsigned of_inputs = TW_OPTIONAL | TW_VARIADIC | TW_KEEPS_TYPE | TW_ANY_TYPE;
    const unsigned of_outputs = TW_KEEPS_TYPE | TW_ON_DEMAND | TW_ANY_TYPE;
    (void)state;
    for (const struct tw_node_type *const *at = tw_node_table; *at; at++) {
        for (const struct tw_port *port = (*at)->inputs; port && port->name; port++) {
            check_flags(*at, port, of_inputs);
            assert_true(!(port->flags & TW_VARIADIC) || !port[1].name);
            assert_true((port->flags & (TW_OPTIONAL | TW_VARIADIC)) != (TW_OPTIONAL | TW_VARIADIC));
        }
        for (const struct tw_port *port = (*at)->outputs; port->name; port++)
            check_flags(*at, port, of_outputs);
    }
}

static void check_labels(const struct tw_node_type *type, const struct tw_param *row)
{
    int count = 0, length = 0;
    while (tw_param_label(row, count, &length)) {
        if (length < 1 || length > TW_LABEL_BYTES_MAX)
            fail_msg("%s.%s has a label of %d bytes", type->name, row->name, length);
        count++;
    }
    if (count > TW_LABELS_MAX || row->initial < 0 || row->initial >= count)
        fail_msg("%s.%s has %d labels; the default is number %g", type->name, row->name, count,
                 row->initial);
}

static void labels_keep_to_their_limits(void **state)
{
    (void)state;
    for (const struct tw_node_type *const *type = tw_node_table; *type; type++)
        for (const struct tw_param *row = (*type)->params; row && row->name; row++)
            if (row->kind == TW_KIND_ENUM || row->kind == TW_KIND_LABELS)
                check_labels(*type, row);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_is_sorted_and_found_whole),
        cmocka_unit_test(types_of_an_embedder_come_first),
        cmocka_unit_test(a_family_is_what_stands_before_the_dot),
        cmocka_unit_test(all_types_are_listed_once),
        cmocka_unit_test(renderers_are_found_without_their_family),
        cmocka_unit_test(ports_and_parameters_are_found_by_name),
        cmocka_unit_test(flags_of_ports_are_those_of_their_side),
        cmocka_unit_test(labels_keep_to_their_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
