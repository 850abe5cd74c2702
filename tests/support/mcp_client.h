/* SPDX-License-Identifier: MIT */
/* A client of `thalweg mcp` in the test's folder: sends lines, reads lines. */
#ifndef TW_TESTS_SUPPORT_MCP_CLIENT_H
#define TW_TESTS_SUPPORT_MCP_CLIENT_H

#include <jansson.h>
#include <stdio.h>

struct mcp_client {
    int process;
    FILE *to, *from;
    int next; /* id of the next request */
};

/* Starts the server with blank-separated arguments. */
struct mcp_client mcp_start(const char *arguments);
/* Ends its input; fails the test unless it then exits with `code` and has said nothing more. */
void mcp_end(struct mcp_client *client, int code);

void mcp_send(struct mcp_client *client, const char *line);
/* Returns the next message; fails the test if there is none. */
json_t *mcp_receive(struct mcp_client *client);
/* Sends a request with these params (JSON) and returns its result or error as `member` says. */
json_t *mcp_ask(struct mcp_client *client, const char *method, const char *params,
                const char *member);
/* Calls a tool with arguments as json_pack() packs them; returns its result. */
json_t *mcp_call(struct mcp_client *client, const char *tool, json_t *arguments);
/* The text of a result, or of one of its contents. Borrowed. */
const char *mcp_text(const json_t *result);

#endif
