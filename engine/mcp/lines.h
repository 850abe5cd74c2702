/* SPDX-License-Identifier: MIT */
/* Reads lines of bounded length from a descriptor, as they arrive. */
#ifndef TW_ENGINE_MCP_LINES_H
#define TW_ENGINE_MCP_LINES_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of a line; a recipe has at most 1 MiB, six-fold in JSON escapes. */
#define TW_MCP_LINE_MAX ((size_t)8 << 20)

enum tw_mcp_read {
    TW_MCP_LINE,
    TW_MCP_TOO_LONG, /* the line was skipped, or memory was short for it */
    TW_MCP_END
};

/* Initialise with the descriptor; free(at) at the end. */
struct tw_mcp_lines {
    int descriptor;
    char *at;
    size_t begin, length, capacity; /* unread bytes are at[begin] to at[length - 1] */
    bool ended;
};

/* Waits for the next line, without its end; it lasts until the next call. What a last line without
 * an end holds counts. */
enum tw_mcp_read tw_mcp_lines_next(struct tw_mcp_lines *lines, const char **line, size_t *length);

#endif
