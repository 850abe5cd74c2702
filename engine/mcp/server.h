/* SPDX-License-Identifier: MIT */
/* A server of the Model Context Protocol on standard input and output: one message of JSON-RPC 2.0
 * a line. A thread reads, so that a request can be cancelled while it is worked on; requests are
 * answered in order on the caller's thread. Nothing else may write to standard output. */
#ifndef TW_ENGINE_MCP_SERVER_H
#define TW_ENGINE_MCP_SERVER_H

#include <jansson.h>
#include <stdbool.h>

/* The result of a tool is an object with `content`, and `isError` after a fault; NULL says that
 * memory ran out. */
struct tw_mcp_tool {
    const char *name, *title, *about;
    const char *input; /* JSON Schema of its arguments */
    json_t *(*call)(void *context, const json_t *arguments);
};

/* What the server offers. */
struct tw_mcp_host {
    const struct tw_mcp_tool *tools; /* ends with a NULL name */
    const char *instructions;        /* for the model, once */
    json_t *(*resources)(void *context);
    json_t *(*templates)(void *context); /* of addresses */
    /* Returns the entry of `contents`; NULL if there is no such resource. */
    json_t *(*read)(void *context, const char *uri);
    /* Called before each request and, from another thread, to end the one under way. */
    void (*begin)(void *context);
    void (*cancel)(void *context);
    void *context;
};

struct tw_mcp_server;

/* Answers requests until the input ends, and then those that wait. False if standard output failed,
 * or memory or threads for a start. */
bool tw_mcp_serve(const struct tw_mcp_host *host, struct tw_mcp_server **server);
/* Tells the client how far the request under way is, 0 to 1, if it asked for that. */
void tw_mcp_progress(struct tw_mcp_server *server, double done, const char *what);

/* methods.c: answers a request of any method. `protocol` is what both sides speak; initialize sets
 * it. NULL when out of memory. */
json_t *tw_mcp_answer(const struct tw_mcp_host *host, const char **protocol, const json_t *request);
/* methods.c: returns whether a line may hold several messages. */
bool tw_mcp_takes_batches(const char *protocol);

#endif
