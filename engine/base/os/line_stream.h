/* SPDX-License-Identifier: MIT */
/* A file, pipe or standard output that receives whole lines at once, so that another process can
 * follow it. */
#ifndef TW_ENGINE_BASE_OS_LINE_STREAM_H
#define TW_ENGINE_BASE_OS_LINE_STREAM_H

#include <thalweg/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Initialise with {0}. */
struct tw_line_stream {
    int descriptor;
    bool open, broken; /* broken: a line was lost, and nothing more is written */
    uint64_t length;   /* bytes of whole lines */
};

/* Replaces the file at `path`, or opens standard output for NULL. TW_IO. */
enum tw_status tw_line_stream_open(struct tw_line_stream *stream, const char *path,
                                   struct tw_error *err);
/* Writes a line, which ends with a line feed. Takes back the whole line if it does not fit on the
 * disk. */
void tw_line_stream_put(struct tw_line_stream *stream, const void *line, size_t length);
/* False if a line was lost. */
bool tw_line_stream_close(struct tw_line_stream *stream);

#endif
