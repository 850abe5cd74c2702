/* SPDX-License-Identifier: MIT */
#include "mcp/server.h"

#include "base/text/json.h"
#include "mcp/lines.h"
#include "mcp/message.h"
#include "mcp/queue.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STANDARD_INPUT = 0 };
#define PROGRESS_NANOSECONDS 200000000u /* between two messages */

struct tw_mcp_server {
    const struct tw_mcp_host *host;
    const char *protocol; /* what both sides speak */
    struct tw_mcp_queue queue;
    uv_mutex_t output;
    atomic_bool broken;      /* standard output failed */
    const json_t *under_way; /* the request that is being answered */
    uint64_t progress_at;    /* when progress was told last */
    double progress;         /* and how much */
};

/* ---- standard output ---- */

/* Writes a message, which it takes; any thread may. */
static void put(struct tw_mcp_server *server, json_t *message)
{
    struct tw_bytes text = {0};
    const bool whole =
        tw_json_print(message, JSON_COMPACT | JSON_REAL_PRECISION(9), &text, NULL) == TW_OK;
    uv_mutex_lock(&server->output);
    const bool broken = whole && (fwrite(text.at, 1, text.length, stdout) != text.length ||
                                  putchar('\n') == EOF || fflush(stdout) != 0);
    uv_mutex_unlock(&server->output);
    free(text.at);
    if (broken) {
        atomic_store(&server->broken, true);
        tw_mcp_queue_end(&server->queue); /* nobody hears the answers to those that wait */
    }
}

void tw_mcp_progress(struct tw_mcp_server *server, double done, const char *what)
{
    const json_t *params = json_object_get(server->under_way, "params");
    json_t *token = json_object_get(json_object_get(params, "_meta"), "progressToken");
    const uint64_t now = uv_hrtime();
    if ((!json_is_string(token) && !json_is_integer(token)) || done <= server->progress ||
        now - server->progress_at < PROGRESS_NANOSECONDS)
        return;
    server->progress_at = now;
    server->progress = done;
    put(server, json_pack("{s:s, s:s, s:{s:O, s:f, s:i, s:o}}", "jsonrpc", "2.0", "method",
                          "notifications/progress", "params", "progressToken", token, "progress",
                          done, "total", 1, "message", tw_json_text(what)));
}

/* ---- the thread that reads ---- */

static void take_cancel(struct tw_mcp_server *server, const json_t *message)
{
    const json_t *id = json_object_get(json_object_get(message, "params"), "requestId");
    if ((json_is_string(id) || json_is_integer(id)) &&
        tw_mcp_has_method(message, "notifications/cancelled"))
        tw_mcp_queue_cancel(&server->queue, id, server->host->cancel, server->host->context);
}

/* Cancels at once, answers ping at once, and lets all else wait. */
static void take_message(struct tw_mcp_server *server, json_t *message, size_t bytes)
{
    const char *why;
    if (json_is_object(message))
        take_cancel(server, message);
    for (size_t i = 0; i < json_array_size(message); i++)
        take_cancel(server, json_array_get(message, i));
    if (tw_mcp_kind_of(message, &why) == TW_MCP_REQUEST && tw_mcp_has_method(message, "ping")) {
        put(server, tw_mcp_reply(tw_mcp_id_of(message), json_object()));
        json_decref(message);
    } else if (!tw_mcp_queue_add(&server->queue, message, bytes)) {
        put(server, tw_mcp_error(NULL, TW_MCP_INTERNAL, "out of memory"));
    }
}

static void take_line(struct tw_mcp_server *server, const char *line, size_t length)
{
    char message[300];
    json_error_t why;
    json_t *root = NULL;
    size_t spaces = 0;
    while (spaces < length && strchr(" \t\r", line[spaces]) && line[spaces])
        spaces++;
    if (spaces == length)
        return;
    const enum tw_status status = tw_json_load(line, length, JSON_DECODE_ANY, &root, &why);
    if (status == TW_OK) {
        take_message(server, root, length);
        return;
    }
    json_t *id = status == TW_MEMORY ? NULL : tw_mcp_id_within(line, length);
    snprintf(message, sizeof message, "%s: %.200s", id ? "cannot be read" : "not JSON",
             status == TW_MEMORY ? "out of memory" : why.text);
    put(server, tw_mcp_error(id,
                             status == TW_MEMORY ? TW_MCP_INTERNAL
                             : id                ? TW_MCP_INVALID_REQUEST
                                                 : TW_MCP_PARSE_ERROR,
                             message));
    json_decref(id);
}

static void read_lines(void *context)
{
    struct tw_mcp_server *server = context;
    struct tw_mcp_lines lines = {.descriptor = STANDARD_INPUT};
    const char *line;
    size_t length;
    enum tw_mcp_read read;
    while ((read = tw_mcp_lines_next(&lines, &line, &length)) != TW_MCP_END)
        if (read == TW_MCP_LINE)
            take_line(server, line, length);
        else
            put(server, tw_mcp_error(NULL, TW_MCP_INVALID_REQUEST,
                                     "the line is too long; expected at most 8 MiB"));
    free(lines.at);
    tw_mcp_queue_end(&server->queue);
}

/* ---- the thread that answers ---- */

static json_t *answer_request(struct tw_mcp_server *server, const json_t *request)
{
    const struct tw_mcp_host *host = server->host;
    if (!tw_mcp_queue_begin(&server->queue, request, host->begin, host->context))
        return NULL;
    server->under_way = request;
    server->progress = 0;
    server->progress_at = uv_hrtime();
    json_t *answer = tw_mcp_answer(host, &server->protocol, request);
    server->under_way = NULL;
    if (tw_mcp_queue_finish(&server->queue))
        return answer ? answer
                      : tw_mcp_error(tw_mcp_id_of(request), TW_MCP_INTERNAL, "out of memory");
    json_decref(answer);
    return NULL;
}

/* NULL where no answer is due. */
static json_t *answer_one(struct tw_mcp_server *server, const json_t *message)
{
    const char *why;
    switch (tw_mcp_kind_of(message, &why)) {
    case TW_MCP_REQUEST:
        return answer_request(server, message);
    case TW_MCP_INVALID:
        return tw_mcp_error(tw_mcp_id_of(message), TW_MCP_INVALID_REQUEST, why);
    case TW_MCP_NOTIFICATION:
    case TW_MCP_RESPONSE:
        break;
    }
    return NULL;
}

static json_t *answer_batch(struct tw_mcp_server *server, const json_t *batch)
{
    if (json_array_size(batch) == 0)
        return tw_mcp_error(NULL, TW_MCP_INVALID_REQUEST, "a batch has at least one message");
    if (!tw_mcp_takes_batches(server->protocol))
        return tw_mcp_error(NULL, TW_MCP_INVALID_REQUEST,
                            "since 2025-06-18 a line is one message, not several");
    json_t *answers = json_array();
    for (size_t i = 0; i < json_array_size(batch) && !atomic_load(&server->broken); i++) {
        json_t *answer = answer_one(server, json_array_get(batch, i));
        if (answer)
            json_array_append_new(answers, answer);
    }
    if (json_array_size(answers) > 0)
        return answers;
    json_decref(answers);
    return NULL;
}

static void answer_all(struct tw_mcp_server *server)
{
    const json_t *line;
    while ((line = tw_mcp_queue_take(&server->queue)) && !atomic_load(&server->broken)) {
        json_t *answer =
            json_is_array(line) ? answer_batch(server, line) : answer_one(server, line);
        if (answer)
            put(server, answer);
    }
}

bool tw_mcp_serve(const struct tw_mcp_host *host, struct tw_mcp_server **server)
{
    static struct tw_mcp_server own; /* the thread may still read when standard output fails */
    uv_thread_t reader;
    own = (struct tw_mcp_server){.host = host, .protocol = "2024-11-05"};
    *server = &own;
    json_object_seed(0); /* before there are two threads */
    if (!tw_mcp_queue_create(&own.queue) || uv_mutex_init(&own.output) != 0 ||
        uv_thread_create(&reader, read_lines, &own) != 0)
        return false;
    answer_all(&own);
    if (atomic_load(&own.broken))
        return false;
    uv_thread_join(&reader);
    tw_mcp_queue_release(&own.queue);
    uv_mutex_destroy(&own.output);
    return true;
}
