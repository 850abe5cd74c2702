/* SPDX-License-Identifier: MIT */
/* thalweg mcp: JSON-RPC and the life of a connection, with all that clients do wrong. */
#include "support/gate.h"
#include "support/mcp_client.h"

#include <signal.h>
#include <sys/wait.h>

static struct mcp_client client;

static int set_up(void **state)
{
    command_set_up(state);
    client = mcp_start("");
    return 0;
}

static int tear_down(void **state)
{
    mcp_end(&client, 0);
    return command_tear_down(state);
}

static json_t *initialize(const char *version)
{
    char params[200];
    snprintf(params, sizeof params,
             "{\"protocolVersion\": \"%s\", \"capabilities\": {}, \"clientInfo\": {\"name\": "
             "\"test\", \"version\": \"1\"}}",
             version);
    json_t *answer = mcp_ask(&client, "initialize", params, "result");
    mcp_send(&client, "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}");
    return answer;
}

static void expect_version(const char *asked, const char *spoken)
{
    json_t *answer = initialize(asked);
    assert_string_equal(json_string_value(json_object_get(answer, "protocolVersion")), spoken);
    json_decref(answer);
}

/* The next message is an error with this code, for this id in JSON. */
static void expect_error(int code, const char *id)
{
    json_t *message = mcp_receive(&client), *expected = json_loads(id, JSON_DECODE_ANY, NULL);
    const json_t *error = json_object_get(message, "error");
    if (json_integer_value(json_object_get(error, "code")) != code ||
        !json_equal(json_object_get(message, "id"), expected))
        fail_msg("expected %d for %s: %s", code, id, json_dumps(message, 0));
    assert_true(json_is_string(json_object_get(error, "message")));
    json_decref(message);
    json_decref(expected);
}

static void expect_refused(const char *line, int code, const char *id)
{
    mcp_send(&client, line);
    expect_error(code, id);
}

/* The next message answers this id. */
static void expect_answer(const char *id)
{
    json_t *message = mcp_receive(&client), *expected = json_loads(id, JSON_DECODE_ANY, NULL);
    if (!json_equal(json_object_get(message, "id"), expected) ||
        !json_object_get(message, "result"))
        fail_msg("expected an answer to %s: %s", id, json_dumps(message, 0));
    json_decref(message);
    json_decref(expected);
}

static void every_version_of_the_protocol_is_spoken(void **state)
{
    (void)state;
    expect_version("2024-11-05", "2024-11-05");
    expect_version("2025-03-26", "2025-03-26");
    expect_version("2025-06-18", "2025-06-18");
    expect_version("2025-11-25", "2025-11-25");
    expect_version("2031-01-01", "2025-11-25");
    expect_version("", "2025-11-25");
    expect_refused("{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"initialize\"}", -32602, "1");
}

static void tools_and_resources_are_listed(void **state)
{
    static const char *const names[] = {"nodes", "check", "run", "diff", "compare", "realism"};
    (void)state;
    json_t *answer = initialize("2025-11-25");
    const json_t *can = json_object_get(answer, "capabilities");
    assert_true(json_is_object(json_object_get(can, "tools")));
    assert_true(json_is_object(json_object_get(can, "resources")));
    json_decref(answer);
    answer = mcp_ask(&client, "tools/list", NULL, "result");
    const json_t *tools = json_object_get(answer, "tools");
    assert_int_equal(json_array_size(tools), 6);
    for (size_t i = 0; i < 6; i++) {
        const json_t *tool = json_array_get(tools, i), *schema;
        assert_string_equal(json_string_value(json_object_get(tool, "name")), names[i]);
        schema = json_object_get(tool, "inputSchema");
        assert_string_equal(json_string_value(json_object_get(schema, "type")), "object");
        assert_true(json_object_size(json_object_get(schema, "properties")) > 0);
    }
    json_decref(answer);
    answer = mcp_ask(&client, "resources/templates/list", "{}", "result");
    assert_int_equal(json_array_size(json_object_get(answer, "resourceTemplates")), 2);
    json_decref(answer);
}

static void check_resource(const json_t *resource)
{
    char params[300];
    const char *uri = json_string_value(json_object_get(resource, "uri"));
    const char *kind = json_string_value(json_object_get(resource, "mimeType"));
    snprintf(params, sizeof params, "{\"uri\": \"%s\"}", uri);
    json_t *answer = mcp_ask(&client, "resources/read", params, "result");
    const json_t *contents = json_array_get(json_object_get(answer, "contents"), 0);
    assert_string_equal(json_string_value(json_object_get(contents, "uri")), uri);
    assert_string_equal(json_string_value(json_object_get(contents, "mimeType")), kind);
    assert_true(json_string_length(json_object_get(contents, "text")) > 200);
    json_decref(answer);
}

static void every_resource_can_be_read(void **state)
{
    (void)state;
    json_t *answer = mcp_ask(&client, "resources/list", NULL, "result");
    const json_t *list = json_object_get(answer, "resources");
    assert_true(json_array_size(list) > 100);
    for (size_t i = 0; i < json_array_size(list); i++)
        check_resource(json_array_get(list, i));
    json_decref(answer);
    json_decref(
        mcp_ask(&client, "resources/read", "{\"uri\": \"thalweg://nodes/no.such\"}", "error"));
    json_decref(mcp_ask(&client, "resources/read", "{\"uri\": \"file:///etc/passwd\"}", "error"));
    json_decref(mcp_ask(&client, "resources/read", "{}", "error"));
}

static void what_is_no_request_is_refused_and_the_next_is_answered(void **state)
{
    (void)state;
    expect_refused("{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\"", -32700, "null");
    expect_refused("\xff\xfe", -32700, "null");
    expect_refused("17", -32600, "null");
    expect_refused("{}", -32600, "null");
    expect_refused("{\"id\": 4, \"method\": \"ping\"}", -32600, "4");
    expect_refused("{\"jsonrpc\": \"1.0\", \"id\": \"a\", \"method\": \"ping\"}", -32600, "\"a\"");
    expect_refused("{\"jsonrpc\": \"2.0\", \"id\": 5}", -32600, "5");
    expect_refused("{\"jsonrpc\": \"2.0\", \"id\": 5, \"method\": 3}", -32600, "5");
    expect_refused("{\"jsonrpc\": \"2.0\", \"id\": null, \"method\": \"ping\"}", -32600, "null");
    expect_refused("{\"jsonrpc\": \"2.0\", \"id\": [1], \"method\": \"ping\"}", -32600, "null");
    expect_refused("{\"jsonrpc\": \"2.0\", \"id\": 6, \"method\": \"no/such\"}", -32601, "6");
    expect_refused("{\"jsonrpc\": \"2.0\", \"id\": 7, \"method\": \"tools/list\", \"params\": [1]}",
                   -32602, "7");
    expect_refused("{\"jsonrpc\": \"2.0\", \"id\": 8, \"method\": \"tools/call\", \"params\": "
                   "{\"name\": \"rm\", \"arguments\": {}}}",
                   -32602, "8");
    expect_refused("{\"jsonrpc\": \"2.0\", \"id\": 9, \"method\": \"tools/call\", \"params\": "
                   "{\"name\": \"nodes\", \"arguments\": [1]}}",
                   -32602, "9");
    expect_refused("{\"jsonrpc\": \"2.0\", \"id\": 10, \"method\": \"resources/list\", \"params\": "
                   "{\"cursor\": \"2\"}}",
                   -32602, "10");
    mcp_send(&client, "{\"jsonrpc\": \"2.0\", \"id\": \"last\", \"method\": \"ping\"}");
    expect_answer("\"last\"");
}

/* A client that gets no answer to its id waits for ever. */
static void what_cannot_be_held_is_refused_under_its_id(void **state)
{
    (void)state;
    expect_refused(
        "{\"jsonrpc\": \"2.0\", \"id\": 3, \"method\": \"tools/call\", \"params\": {\"seed\": "
        "18446744073709551615}}",
        -32600, "3");
    expect_refused("{\"jsonrpc\": \"2.0\", \"id\": \"a\", \"method\": \"ping\", \"params\": "
                   "{\"recipe\": \"\\u0000\"}}",
                   -32600, "\"a\"");
    expect_refused("{\"jsonrpc\": \"2.0\", \"id\": 18446744073709551615, \"method\": \"ping\"}",
                   -32700, "null");
    expect_refused("{\"jsonrpc\": \"2.0\", \"id\": \"\\u0000\", \"method\": \"ping\"}", -32700,
                   "null");
    expect_refused("[18446744073709551615]", -32700, "null");
}

static void notifications_and_responses_get_no_answer(void **state)
{
    (void)state;
    mcp_send(&client, "");
    mcp_send(&client, "  \r");
    mcp_send(&client, "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/unknown\"}");
    mcp_send(&client, "{\"jsonrpc\": \"2.0\", \"method\": \"tools/list\"}");
    mcp_send(&client, "{\"jsonrpc\": \"2.0\", \"id\": 3, \"result\": {}}");
    mcp_send(&client, "{\"jsonrpc\": \"2.0\", \"id\": 3, \"error\": {\"code\": 1}}");
    mcp_send(&client, "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/cancelled\", \"params\": "
                      "{\"requestId\": 99}}");
    mcp_send(&client, "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/cancelled\"}");
    mcp_send(&client, "{\"jsonrpc\": \"2.0\", \"id\": 12, \"method\": \"tools/list\"}\r");
    expect_answer("12");
}

#define PING(id) "{\"jsonrpc\": \"2.0\", \"id\": " #id ", \"method\": \"ping\"}"

static void batches_are_answered_where_the_protocol_has_them(void **state)
{
    (void)state;
    expect_version("2025-03-26", "2025-03-26");
    mcp_send(&client, "[" PING(1) ", {\"jsonrpc\": \"2.0\", \"method\": \"notifications/x\"}, 5, "
                                  "{\"jsonrpc\": \"2.0\", \"id\": 2, \"method\": \"no/such\"}]");
    json_t *answers = mcp_receive(&client);
    assert_int_equal(json_array_size(answers), 3);
    assert_true(json_is_object(json_object_get(json_array_get(answers, 0), "result")));
    assert_true(json_is_null(json_object_get(json_array_get(answers, 1), "id")));
    assert_int_equal(json_integer_value(json_object_get(json_array_get(answers, 2), "id")), 2);
    json_decref(answers);
    expect_refused("[]", -32600, "null");
    mcp_send(&client, "[{\"jsonrpc\": \"2.0\", \"method\": \"notifications/x\"}]"); /* no answer */
    expect_version("2025-06-18", "2025-06-18");
    expect_refused("[" PING(1) "]", -32600, "null");
}

static void lines_that_are_too_long_are_skipped(void **state)
{
    const size_t length = (size_t)9 << 20;
    char *line = malloc(length + 1);
    (void)state;
    assert_non_null(line);
    memset(line, 'x', length);
    line[length] = 0;
    expect_refused(line, -32600, "null");
    mcp_send(&client, PING(2));
    expect_answer("2");
    memset(line, ' ', length); /* one that just fits, with a request at its end */
    snprintf(line + (1 << 20), length - (1 << 20), "%s", PING(3));
    mcp_send(&client, line);
    expect_answer("3");
    memset(line, '[', 1 << 20); /* and nested deeply */
    line[1 << 20] = 0;
    expect_refused(line, -32700, "null");
    free(line);
}

static void the_last_line_needs_no_end(void **state)
{
    command_set_up(state);
    struct mcp_client own = mcp_start(".");
    fprintf(own.to, "%s", PING(3));
    assert_int_equal(fclose(own.to), 0);
    own.to = fopen("/dev/null", "w");
    json_t *answer = mcp_receive(&own);
    assert_int_equal(json_integer_value(json_object_get(answer, "id")), 3);
    json_decref(answer);
    mcp_end(&own, 0);
    command_tear_down(state);
}

/* ---- cancelling ---- */

#define SLOW                                                                                        \
    "thalweg: 1\\nsize: 1024\\nnodes: {n: {type: noise.perlin}, e: {type: erosion.thermal, in: n, " \
    "iterations: 100000}}\\noutputs: {h: e}\\n"

static void send_slow(int id)
{
    fprintf(client.to,
            "{\"jsonrpc\": \"2.0\", \"id\": %d, \"method\": \"tools/call\", \"params\": {\"name\": "
            "\"run\", \"arguments\": {\"recipe\": \"" SLOW "\"}, \"_meta\": {\"progressToken\": "
            "\"slow\"}}}\n",
            id);
    assert_int_equal(fflush(client.to), 0);
}

/* Waits until the run tells how far it is. */
static void wait_for_progress(void)
{
    json_t *message = mcp_receive(&client);
    const json_t *params = json_object_get(message, "params");
    const double progress = json_number_value(json_object_get(params, "progress"));
    assert_string_equal(json_string_value(json_object_get(message, "method")),
                        "notifications/progress");
    assert_string_equal(json_string_value(json_object_get(params, "progressToken")), "slow");
    assert_true(progress > 0 && progress < 1);
    json_decref(message);
}

/* Skips what the run still told before it ended. */
static void expect_answer_after_progress(int id)
{
    json_t *message = mcp_receive(&client);
    while (json_object_get(message, "method")) {
        json_decref(message);
        message = mcp_receive(&client);
    }
    assert_int_equal(json_integer_value(json_object_get(message, "id")), id);
    json_decref(message);
}

static void cancelled_requests_end_without_an_answer(void **state)
{
    (void)state;
    expect_version("2025-11-25", "2025-11-25");
    send_slow(50);
    wait_for_progress();
    send_slow(51); /* waits, and is cancelled there */
    mcp_send(&client, PING(52));
    expect_answer_after_progress(52); /* at once */
    mcp_send(&client, "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/cancelled\", \"params\": "
                      "{\"requestId\": 51}}");
    mcp_send(&client, "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/cancelled\", \"params\": "
                      "{\"requestId\": 50, \"reason\": \"enough\"}}");
    mcp_send(&client, "{\"jsonrpc\": \"2.0\", \"id\": 53, \"method\": \"tools/list\"}");
    expect_answer_after_progress(53); /* neither 50 nor 51 */
    json_t *answer = mcp_call(&client, "run",
                              json_pack("{s:s}", "recipe",
                                        "thalweg: 1\nsize: 8\nnodes: {n: {type: noise.perlin}}\n"
                                        "outputs: {h: n}\n")); /* the next run is not cancelled */
    assert_true(json_is_false(json_object_get(answer, "isError")));
    json_decref(answer);
}

static void a_reader_that_leaves_ends_the_server(void **state)
{
    int status = 0;
    command_set_up(state);
    struct mcp_client own = mcp_start("");
    (void)fclose(own.from);
    mcp_send(&own, PING(1));
    assert_int_equal(waitpid(own.process, &status, 0), own.process);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
    (void)fclose(own.to);
    command_tear_down(state);
}

int main(void)
{
#define CONNECTED(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CONNECTED(every_version_of_the_protocol_is_spoken),
        CONNECTED(tools_and_resources_are_listed),
        CONNECTED(every_resource_can_be_read),
        CONNECTED(what_is_no_request_is_refused_and_the_next_is_answered),
        CONNECTED(what_cannot_be_held_is_refused_under_its_id),
        CONNECTED(notifications_and_responses_get_no_answer),
        CONNECTED(batches_are_answered_where_the_protocol_has_them),
        CONNECTED(lines_that_are_too_long_are_skipped),
        cmocka_unit_test(the_last_line_needs_no_end),
        CONNECTED(cancelled_requests_end_without_an_answer),
        cmocka_unit_test(a_reader_that_leaves_ends_the_server),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
