/* SPDX-License-Identifier: MIT */
/* The methods of the Model Context Protocol that a server with tools and resources has. */
#include "base/text/json.h"
#include "mcp/message.h"
#include "mcp/server.h"

#include <thalweg/thalweg.h>

#include <stdio.h>
#include <string.h>

/* The protocol's versions, the newest first. */
static const char *const versions[] = {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05",
                                       NULL};

bool tw_mcp_takes_batches(const char *protocol) { return strcmp(protocol, "2025-06-18") < 0; }

static const char *choose_version(const char *asked)
{
    for (const char *const *known = versions; *known; known++)
        if (strcmp(*known, asked) == 0)
            return *known;
    return versions[0];
}

static json_t *initialize(const struct tw_mcp_host *host, const char **protocol, const char *asked)
{
    *protocol = choose_version(asked);
    return json_pack("{s:s, s:{s:{}, s:{}}, s:{s:s, s:s, s:s}, s:s}", "protocolVersion", *protocol,
                     "capabilities", "tools", "resources", "serverInfo", "name", "thalweg", "title",
                     "Thalweg: terrain from recipes", "version", TW_VERSION, "instructions",
                     host->instructions);
}

static json_t *list_tools(const struct tw_mcp_host *host)
{
    json_t *list = json_array();
    for (const struct tw_mcp_tool *tool = host->tools; tool->name; tool++) {
        json_t *input = NULL;
        (void)tw_json_load(tool->input, strlen(tool->input), 0, &input, NULL);
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:o, s:{s:b, s:b}}", "name",
                                              tool->name, "title", tool->title, "description",
                                              tool->about, "inputSchema", input, "annotations",
                                              "readOnlyHint", 1, "openWorldHint", 0));
    }
    return json_pack("{s:o}", "tools", list);
}

static const struct tw_mcp_tool *find_tool(const struct tw_mcp_host *host, const char *name)
{
    const struct tw_mcp_tool *tool = host->tools;
    while (tool->name && strcmp(tool->name, name) != 0)
        tool++;
    return tool->name ? tool : NULL;
}

/* Says in `message` what is wrong with the names of the arguments; false if something is. */
static bool check_arguments(const json_t *input, const json_t *arguments, char message[200])
{
    const json_t *required = json_object_get(input, "required"), *value;
    const json_t *known = json_object_get(input, "properties");
    const char *name;
    message[0] = 0;
    json_object_foreach((json_t *)arguments, name, value)
    {
        if (!json_object_get(known, name))
            snprintf(message, 200, "there is no argument '%.100s'", name);
    }
    for (size_t i = 0; i < json_array_size(required); i++) {
        name = json_string_value(json_array_get(required, i));
        if (!json_object_get(arguments, name))
            snprintf(message, 200, "the argument '%.100s' is missing", name);
    }
    if (!message[0])
        return true;
    size_t used = strlen(message);
    used += (size_t)snprintf(message + used, 200 - used, "; expected");
    json_object_foreach((json_t *)known, name, value)
    {
        if (used < 180)
            used += (size_t)snprintf(message + used, 200 - used, " %s", name);
    }
    return false;
}

static json_t *use_tool(const struct tw_mcp_host *host, const struct tw_mcp_tool *tool,
                        const json_t *arguments)
{
    json_t *input = NULL;
    char message[200];
    if (tw_json_load(tool->input, strlen(tool->input), 0, &input, NULL) != TW_OK)
        return NULL;
    json_t *result = check_arguments(input, arguments, message)
                         ? tool->call(host->context, arguments)
                         : json_pack("{s:[{s:s, s:o}], s:b}", "content", "type", "text", "text",
                                     tw_json_text(message), "isError", 1);
    json_decref(input);
    return result;
}

static json_t *call_tool(const struct tw_mcp_host *host, json_t *id, const json_t *params)
{
    const char *name = json_string_value(json_object_get(params, "name"));
    const struct tw_mcp_tool *tool = name ? find_tool(host, name) : NULL;
    const json_t *arguments = json_object_get(params, "arguments");
    char message[200];
    if (!tool) {
        snprintf(message, sizeof message, "unknown tool: %.100s", name ? name : "none is named");
        return tw_mcp_error(id, TW_MCP_INVALID_PARAMS, message);
    }
    if (arguments && !json_is_object(arguments))
        return tw_mcp_error(id, TW_MCP_INVALID_PARAMS, "arguments is no object");
    return tw_mcp_reply(id, use_tool(host, tool, arguments));
}

static json_t *read_resource(const struct tw_mcp_host *host, json_t *id, const json_t *params)
{
    const char *uri = json_string_value(json_object_get(params, "uri"));
    if (!uri)
        return tw_mcp_error(id, TW_MCP_INVALID_PARAMS, "uri is missing, or no text");
    json_t *contents = host->read(host->context, uri);
    if (contents)
        return tw_mcp_reply(id, json_pack("{s:[o]}", "contents", contents));
    json_t *error = tw_mcp_error(id, TW_MCP_NO_RESOURCE, "resource not found");
    json_object_set_new(json_object_get(error, "error"), "data", json_pack("{s:s}", "uri", uri));
    return error;
}

/* Lists have one page, so that no cursor is ours. */
static bool has_cursor(const char *method, const json_t *params)
{
    const json_t *cursor = json_object_get(params, "cursor");
    const char *last = strrchr(method, '/');
    return cursor && !json_is_null(cursor) && last && strcmp(last, "/list") == 0;
}

json_t *tw_mcp_answer(const struct tw_mcp_host *host, const char **protocol, const json_t *request)
{
    const char *method = json_string_value(json_object_get(request, "method"));
    const json_t *params = json_object_get(request, "params");
    const char *asked = json_string_value(json_object_get(params, "protocolVersion"));
    json_t *id = tw_mcp_id_of(request);
    char message[200];
    if (params && !json_is_object(params))
        return tw_mcp_error(id, TW_MCP_INVALID_PARAMS, "params is no object");
    if (has_cursor(method, params))
        return tw_mcp_error(id, TW_MCP_INVALID_PARAMS, "unknown cursor; a list is one page");
    if (strcmp(method, "initialize") == 0)
        return asked ? tw_mcp_reply(id, initialize(host, protocol, asked))
                     : tw_mcp_error(id, TW_MCP_INVALID_PARAMS, "protocolVersion is missing");
    if (strcmp(method, "ping") == 0)
        return tw_mcp_reply(id, json_object());
    if (strcmp(method, "tools/list") == 0)
        return tw_mcp_reply(id, list_tools(host));
    if (strcmp(method, "tools/call") == 0)
        return call_tool(host, id, params);
    if (strcmp(method, "resources/list") == 0)
        return tw_mcp_reply(id, json_pack("{s:o}", "resources", host->resources(host->context)));
    if (strcmp(method, "resources/templates/list") == 0)
        return tw_mcp_reply(
            id, json_pack("{s:o}", "resourceTemplates", host->templates(host->context)));
    if (strcmp(method, "resources/read") == 0)
        return read_resource(host, id, params);
    snprintf(message, sizeof message, "method not found: %.100s", method);
    return tw_mcp_error(id, TW_MCP_NO_METHOD, message);
}
