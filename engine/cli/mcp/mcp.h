/* SPDX-License-Identifier: MIT */
/* The tools and resources of `thalweg mcp`. All of them read, none writes: recipes are texts or
 * files below one folder, within the limits of --untrusted. */
#ifndef TW_ENGINE_CLI_MCP_MCP_H
#define TW_ENGINE_CLI_MCP_MCP_H

#include "console/settings.h"
#include "graph/graph.h"
#include "mcp/server.h"
#include "run/request.h"

/* The folder is the process's current one. */
struct tw_mcp {
    struct tw_settings settings; /* of the command line, with those of --untrusted */
    struct tw_run_options run;
    struct tw_memo *memo; /* what earlier runs left */
    struct tw_mcp_server *server;
};

/* mcp_recipe.c: finds the recipe that `key` of the arguments holds, a YAML text or a path below the
 * folder; `name` stands for a text in messages. With `set`, `size` and `seed` of the arguments.
 * False after faults, which are then among the findings; *recipe is NULL. */
bool tw_mcp_load(const struct tw_mcp *mcp, const json_t *arguments, const char *key,
                 const char *name, struct tw_recipe **recipe);
/* A YAML text, or the path of a file that lies below the folder. */
struct tw_mcp_source {
    const char *text; /* NULL: read `path` */
    char path[4096];  /* of a text: the file that it could be */
};
bool tw_mcp_source_of(const json_t *arguments, const char *key, const char *name,
                      struct tw_mcp_source *source);
/* Load options within the limits, without parameters; faults become findings. `allow` has room for
 * two. */
struct tw_load_options tw_mcp_load_options(const struct tw_mcp *mcp, const char **allow);
/* Reports a fault without a place; `hint` may be NULL. Returns false. */
bool tw_mcp_fault(enum tw_status status, const char *hint, const char *format, ...) TW_PRINTF(3, 4);
/* Adds an error that nothing has reported yet. */
void tw_mcp_fault_of(const struct tw_error *error);
/* Reads a whole number from low to high; `otherwise` if it is not given. False after a fault. */
bool tw_mcp_number(const json_t *arguments, const char *key, int32_t low, int32_t high,
                   int32_t otherwise, int32_t *number);

/* mcp_result.c: the result of a tool: a document as text and as it is. Adds the findings to the
 * fields, which it takes; the result is an error if one of them is a fault. */
json_t *tw_mcp_result(const struct tw_mcp *mcp, json_t *fields);
/* Makes a tool's result of a complete document, which it takes. */
json_t *tw_mcp_result_of(json_t *document, bool is_fault);
json_t *tw_mcp_text_result(const char *text, bool is_fault);
/* Adds a text and a picture to a result; with a side above `side` smaller. */
enum tw_status tw_mcp_add_picture(const struct tw_mcp *mcp, json_t *result, const char *name,
                                  const struct tw_value *value, int32_t side, struct tw_error *err);

/* One file each: mcp_nodes.c, ... */
json_t *tw_mcp_nodes(void *context, const json_t *arguments);
json_t *tw_mcp_check(void *context, const json_t *arguments);
json_t *tw_mcp_run(void *context, const json_t *arguments);
json_t *tw_mcp_diff(void *context, const json_t *arguments);
json_t *tw_mcp_compare(void *context, const json_t *arguments);
json_t *tw_mcp_realism(void *context, const json_t *arguments);

/* mcp_nodes.c: the page of a type or a recipe of the library in Markdown, for free(); NULL if there
 * is none. */
char *tw_mcp_page(const char *type);
/* mcp_resources.c */
json_t *tw_mcp_resources(void *context);
json_t *tw_mcp_templates(void *context);
json_t *tw_mcp_read(void *context, const char *uri);

#endif
