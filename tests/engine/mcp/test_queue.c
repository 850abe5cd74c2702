/* SPDX-License-Identifier: MIT */
/* Messages that wait: what they count as. */
#include "support/harness.h"

#include "mcp/queue.h"

static size_t bytes_of(const char *line)
{
    struct tw_mcp_queue queue;
    assert_true(tw_mcp_queue_create(&queue));
    assert_true(tw_mcp_queue_add(&queue, json_loads(line, JSON_DECODE_ANY, NULL), strlen(line)));
    const size_t bytes = queue.bytes;
    tw_mcp_queue_release(&queue);
    return bytes;
}

/* 32 MiB of lines with two bytes each would take gigabytes. */
static void short_messages_count_with_what_they_take(void **state)
{
    (void)state;
    assert_true(bytes_of("{}") >= 250);
    assert_true(bytes_of("[{}, {}, {}, {}]") >= 5 * 250);
    assert_true(bytes_of("3") >= 250);
}

static void the_first_is_taken_and_counts_no_more(void **state)
{
    struct tw_mcp_queue queue;
    (void)state;
    assert_true(tw_mcp_queue_create(&queue));
    assert_true(tw_mcp_queue_add(&queue, json_string("a"), 3));
    assert_true(tw_mcp_queue_add(&queue, json_string("b"), 3));
    assert_string_equal(json_string_value(tw_mcp_queue_take(&queue)), "a");
    assert_string_equal(json_string_value(tw_mcp_queue_take(&queue)), "b");
    assert_int_equal(queue.bytes, 0);
    tw_mcp_queue_end(&queue);
    assert_null(tw_mcp_queue_take(&queue));
    tw_mcp_queue_release(&queue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_messages_count_with_what_they_take),
        cmocka_unit_test(the_first_is_taken_and_counts_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
