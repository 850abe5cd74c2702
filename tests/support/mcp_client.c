/* SPDX-License-Identifier: MIT */
#include "support/mcp_client.h"

#include "support/harness.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 18 };

static void run_server(const char *arguments, const int in[2], const int out[2])
{
    char text[300], *list[ARGUMENTS_MAX + 2] = {TW_COMMAND, "mcp"}, *rest = text;
    snprintf(text, sizeof text, "%s", arguments);
    for (int i = 2; i < ARGUMENTS_MAX && (list[i] = strtok_r(rest, " ", &rest)); i++)
        ;
    if (dup2(in[0], STDIN_FILENO) < 0 || dup2(out[1], STDOUT_FILENO) < 0)
        _exit(125);
    (void)close(in[0]);
    (void)close(in[1]);
    (void)close(out[0]);
    (void)close(out[1]);
    execv(TW_COMMAND, list);
    _exit(126);
}

struct mcp_client mcp_start(const char *arguments)
{
    struct mcp_client client = {.next = 1};
    int in[2], out[2];
    assert_int_equal(pipe(in), 0);
    assert_int_equal(pipe(out), 0);
    /* some parents share pipes that do not wait */
    assert_int_equal(fcntl(in[0], F_SETFL, O_NONBLOCK), 0);
    assert_int_equal(fcntl(out[1], F_SETFL, O_NONBLOCK), 0);
    (void)fflush(NULL);
    client.process = fork();
    assert_true(client.process >= 0);
    if (client.process == 0)
        run_server(arguments, in, out);
    (void)close(in[0]);
    (void)close(out[1]);
    client.to = fdopen(in[1], "w");
    client.from = fdopen(out[0], "r");
    assert_true(client.to && client.from);
    return client;
}

void mcp_end(struct mcp_client *client, int code)
{
    int status = 0;
    char rest[200] = "";
    assert_int_equal(fclose(client->to), 0);
    if (fgets(rest, sizeof rest, client->from))
        fail_msg("it also said: %s", rest);
    (void)fclose(client->from);
    assert_int_equal(waitpid(client->process, &status, 0), client->process);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), code);
}

void mcp_send(struct mcp_client *client, const char *line)
{
    fprintf(client->to, "%s\n", line);
    assert_int_equal(fflush(client->to), 0);
}

json_t *mcp_receive(struct mcp_client *client)
{
    char *line = NULL;
    size_t size = 0;
    json_error_t why;
    ssize_t length = getline(&line, &size, client->from);
    if (length < 0)
        fail_msg("the server said nothing more");
    json_t *message = json_loadb(line, (size_t)length, 0, &why);
    if (!message)
        fail_msg("not JSON: %s: %.300s", why.text, line);
    free(line);
    return message;
}

json_t *mcp_ask(struct mcp_client *client, const char *method, const char *params,
                const char *member)
{
    const int id = client->next++;
    fprintf(client->to, "{\"jsonrpc\": \"2.0\", \"id\": %d, \"method\": \"%s\"%s%s}\n", id, method,
            params ? ", \"params\": " : "", params ? params : "");
    assert_int_equal(fflush(client->to), 0);
    json_t *message = mcp_receive(client);
    assert_string_equal(json_string_value(json_object_get(message, "jsonrpc")), "2.0");
    assert_int_equal(json_integer_value(json_object_get(message, "id")), id);
    json_t *found = json_incref(json_object_get(message, member));
    if (!found)
        fail_msg("%s: %s", method, json_dumps(message, 0));
    json_decref(message);
    return found;
}

json_t *mcp_call(struct mcp_client *client, const char *tool, json_t *arguments)
{
    json_t *params = json_pack("{s:s, s:o}", "name", tool, "arguments", arguments);
    assert_non_null(params);
    char *text = json_dumps(params, 0);
    json_t *result = mcp_ask(client, "tools/call", text, "result");
    free(text);
    json_decref(params);
    return result;
}

const char *mcp_text(const json_t *result)
{
    const json_t *first = json_array_get(json_object_get(result, "content"), 0);
    const char *text = json_string_value(json_object_get(first, "text"));
    assert_non_null(text);
    return text;
}
