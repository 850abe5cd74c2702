/* SPDX-License-Identifier: MIT */
#include "mcp/message.h"

#include "base/text/json.h"

#include <math.h>
#include <string.h>

json_t *tw_mcp_id_of(const json_t *message)
{
    json_t *id = json_object_get(message, "id");
    return json_is_string(id) || json_is_integer(id) ? id : NULL;
}

json_t *tw_mcp_id_within(const char *line, size_t length)
{
    json_t *root = NULL, *found = NULL;
    if (tw_json_load(line, length, JSON_DECODE_INT_AS_REAL | JSON_ALLOW_NUL, &root, NULL) != TW_OK)
        return NULL;
    json_t *id = json_object_get(root, "id");
    const double number = json_real_value(id);
    if (json_is_string(id) && strlen(json_string_value(id)) == json_string_length(id))
        found = json_incref(id);
    else if (json_is_real(id) && fabs(number) < 0x1p53 && number == floor(number))
        found = json_integer((json_int_t)number);
    json_decref(root);
    return found;
}

bool tw_mcp_has_method(const json_t *message, const char *method)
{
    const char *own = json_string_value(json_object_get(message, "method"));
    return own && strcmp(own, method) == 0;
}

enum tw_mcp_kind tw_mcp_kind_of(const json_t *message, const char **why)
{
    const char *version = json_string_value(json_object_get(message, "jsonrpc"));
    const json_t *method = json_object_get(message, "method");
    *why = NULL;
    if (!json_is_object(message))
        *why = "a message is an object";
    else if (!version || strcmp(version, "2.0") != 0)
        *why = "a message has \"jsonrpc\": \"2.0\"";
    else if (!method && (json_object_get(message, "result") || json_object_get(message, "error")))
        return TW_MCP_RESPONSE;
    else if (!json_is_string(method))
        *why = "a request has a method, which is a text";
    else if (!json_object_get(message, "id"))
        return TW_MCP_NOTIFICATION;
    else if (!tw_mcp_id_of(message))
        *why = "an id is a text or a whole number";
    return *why ? TW_MCP_INVALID : TW_MCP_REQUEST;
}

json_t *tw_mcp_reply(json_t *id, json_t *result)
{
    if (!result)
        return tw_mcp_error(id, TW_MCP_INTERNAL, "out of memory");
    return json_pack("{s:s, s:O, s:o}", "jsonrpc", "2.0", "id", id ? id : json_null(), "result",
                     result);
}

json_t *tw_mcp_error(json_t *id, enum tw_mcp_code code, const char *message)
{
    return json_pack("{s:s, s:O, s:{s:i, s:o}}", "jsonrpc", "2.0", "id", id ? id : json_null(),
                     "error", "code", (int)code, "message", tw_json_text(message));
}
