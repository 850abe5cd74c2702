/* SPDX-License-Identifier: MIT */
/* Messages of JSON-RPC 2.0. */
#ifndef TW_ENGINE_MCP_MESSAGE_H
#define TW_ENGINE_MCP_MESSAGE_H

#include <jansson.h>
#include <stdbool.h>

enum tw_mcp_code {
    TW_MCP_PARSE_ERROR = -32700,
    TW_MCP_INVALID_REQUEST = -32600,
    TW_MCP_NO_METHOD = -32601,
    TW_MCP_INVALID_PARAMS = -32602,
    TW_MCP_INTERNAL = -32603,
    TW_MCP_NO_RESOURCE = -32002
};

enum tw_mcp_kind {
    TW_MCP_REQUEST,
    TW_MCP_NOTIFICATION,
    TW_MCP_RESPONSE, /* to a request that this side never makes */
    TW_MCP_INVALID
};

/* `why` is set for an invalid message. */
enum tw_mcp_kind tw_mcp_kind_of(const json_t *message, const char **why);
/* The id of a request: a text or a whole number; NULL if it has none of these. Borrowed. */
json_t *tw_mcp_id_of(const json_t *message);
/* Returns the id of a line that is JSON, but has whole numbers beyond 64 bits or zero bytes in
 * texts, so that it cannot be loaded; NULL otherwise. The caller releases it. */
json_t *tw_mcp_id_within(const char *line, size_t length);
/* Returns whether the message is a notification or request of that method. */
bool tw_mcp_has_method(const json_t *message, const char *method);

/* Answers; `id` is borrowed, NULL is JSON's null. `result` is taken; NULL says that memory ran
 * out. */
json_t *tw_mcp_reply(json_t *id, json_t *result);
json_t *tw_mcp_error(json_t *id, enum tw_mcp_code code, const char *message);

#endif
