/* SPDX-License-Identifier: MIT */
#include "support/command.h"
#include "support/recipe.h"

#include "runner/runner.h"

#include <jansson.h>
#include <stdio.h>

static json_t *written(const struct tw_trace *trace)
{
    struct tw_bytes text = {0};
    assert_int_equal(tw_trace_print(trace, &text, NULL), TW_OK);
    json_t *root = json_loadb((char *)text.at, text.length, JSON_REJECT_DUPLICATES, NULL);
    free(text.at);
    assert_non_null(root);
    assert_string_equal(json_string_value(json_object_get(root, "displayTimeUnit")), "ms");
    return root;
}

static double number(const json_t *event, const char *name)
{
    const json_t *value = json_object_get(event, name);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

static void events_are_in_microseconds_and_numbered_threads(void **state)
{
    struct tw_trace trace = {.start = 1000000};
    uv_thread_t threads[3];
    (void)state;
    memset(threads, 0, sizeof threads);
    for (size_t i = 0; i < 3; i++)
        memset(&threads[i], (int)i + 1, 1);
    for (uint64_t i = 0; i < 1000; i++) /* the list grows */
        tw_trace_add(&trace, &(struct tw_trace_event){.name = "hills/noise",
                                                      .kind = "compute",
                                                      .begin = 1000000 + 1500 * i,
                                                      .end = 1000000 + 1500 * i + 500,
                                                      .thread = threads[i % 3]});
    json_t *root = written(&trace), *list = json_object_get(root, "traceEvents");
    assert_int_equal(json_array_size(list), 1000);
    for (size_t i = 0; i < 1000; i++) {
        const json_t *event = json_array_get(list, i);
        assert_string_equal(json_string_value(json_object_get(event, "name")), "hills/noise");
        assert_string_equal(json_string_value(json_object_get(event, "cat")), "compute");
        assert_string_equal(json_string_value(json_object_get(event, "ph")), "X");
        assert_true(number(event, "tid") == (double)(i % 3) + 1);
        assert_true(number(event, "ts") == 1.5 * (double)i);
        assert_true(number(event, "dur") == 0.5);
    }
    json_decref(root);
    tw_trace_release(&trace);
    assert_null(trace.events);
    tw_trace_add(NULL, NULL); /* nobody traces */
}

static void a_run_tells_of_every_node(void **state)
{
    struct tw_trace trace = {.start = uv_hrtime()};
    struct tw_recipe *recipe = recipe_of("thalweg: 1\nsize: 32\nnodes:\n"
                                         "  a: {type: noise.midpoint}\n"
                                         "  b: {type: shape.invert, in: a}\n"
                                         "export: {b.png: b}\n");
    const struct tw_run_request request = {.export_folder = "out", .trace = &trace};
    (void)state;
    assert_int_equal(tw_run_execute(recipe, &request, NULL, NULL), TW_OK);
    assert_int_equal(trace.count, 3);
    assert_string_equal(trace.events[0].name, "a");
    assert_string_equal(trace.events[1].name, "b");
    assert_string_equal(trace.events[2].name, "b.png");
    assert_string_equal(trace.events[2].kind, "export");
    for (size_t i = 0; i < 3; i++)
        assert_true(trace.events[i].begin >= trace.start &&
                    trace.events[i].end >= trace.events[i].begin &&
                    (i == 0 || trace.events[i].begin >= trace.events[i - 1].end));
    tw_trace_release(&trace);
    tw_recipe_release(recipe);
}

static void an_empty_trace_is_json(void **state)
{
    const struct tw_trace none = {0};
    (void)state;
    json_decref(written(&none));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_are_in_microseconds_and_numbered_threads),
        cmocka_unit_test(a_run_tells_of_every_node),
        cmocka_unit_test(an_empty_trace_is_json),
    };
    return cmocka_run_group_tests(tests, command_set_up, command_tear_down);
}
