/* SPDX-License-Identifier: MIT */
#include "mcp/lines.h"

#include <stdlib.h>
#include <string.h>
#include <uv.h>

enum { PIECE = 1 << 16 };

/* Makes room for a piece after the unread bytes. */
static bool make_room(struct tw_mcp_lines *lines)
{
    if (lines->at && lines->begin > 0) {
        memmove(lines->at, lines->at + lines->begin, lines->length - lines->begin);
        lines->length -= lines->begin;
        lines->begin = 0;
    }
    if (lines->capacity - lines->length >= PIECE)
        return true;
    const size_t capacity = 2 * lines->capacity + PIECE;
    char *larger = realloc(lines->at, capacity);
    if (!larger)
        return false;
    lines->at = larger;
    lines->capacity = capacity;
    return true;
}

/* Reads what is there, at least a byte unless the input ended. */
static void read_piece(struct tw_mcp_lines *lines)
{
    uv_fs_t request;
    uv_buf_t buffer = uv_buf_init(lines->at + lines->length, PIECE);
    const int got = uv_fs_read(NULL, &request, lines->descriptor, &buffer, 1, -1, NULL);
    uv_fs_req_cleanup(&request);
    if (got > 0)
        lines->length += (size_t)got;
    else
        lines->ended = got != UV_EINTR && got != UV_EAGAIN;
}

/* Drops bytes up to the end of the line that is too long. */
static enum tw_mcp_read skip_line(struct tw_mcp_lines *lines)
{
    for (;;) {
        const char *unread = lines->at + lines->begin;
        const char *end = lines->at ? memchr(unread, '\n', lines->length - lines->begin) : NULL;
        if (end) {
            lines->begin += (size_t)(end - unread) + 1;
            return TW_MCP_TOO_LONG;
        }
        lines->begin = lines->length = 0;
        if (lines->ended || !make_room(lines))
            return TW_MCP_TOO_LONG;
        read_piece(lines);
    }
}

/* Hands out `length` unread bytes and skips `end` more. */
static enum tw_mcp_read take(struct tw_mcp_lines *lines, size_t taken, size_t end,
                             const char **line, size_t *length)
{
    *line = lines->at + lines->begin;
    *length = taken > 0 && (*line)[taken - 1] == '\r' ? taken - 1 : taken;
    lines->begin += taken + end;
    return TW_MCP_LINE;
}

enum tw_mcp_read tw_mcp_lines_next(struct tw_mcp_lines *lines, const char **line, size_t *length)
{
    size_t looked = 0;
    for (;;) {
        const size_t unread = lines->length - lines->begin;
        const char *from = unread > looked ? lines->at + lines->begin + looked : NULL;
        const char *end = from ? memchr(from, '\n', unread - looked) : NULL;
        if (end)
            return take(lines, (size_t)(end - lines->at) - lines->begin, 1, line, length);
        looked = unread;
        if (lines->ended)
            return lines->at && unread > 0 ? take(lines, unread, 0, line, length) : TW_MCP_END;
        if (unread > TW_MCP_LINE_MAX || !make_room(lines))
            return skip_line(lines);
        read_piece(lines);
    }
}
