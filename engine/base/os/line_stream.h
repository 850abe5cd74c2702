/* SPDX-License-Identifier: MIT */
/* A file, pipe or standard output that gets whole lines, each as soon as it is there, so that
 * another process can follow it. */
#ifndef TW_ENGINE_BASE_OS_LINE_STREAM_H
#define TW_ENGINE_BASE_OS_LINE_STREAM_H

#include <thalweg/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Starts as {0}. */
struct tw_line_stream {
    int descriptor;
    bool open, broken; /* broken: a line is missing, and nothing more is written */
    uint64_t length;   /* bytes of whole lines */
};

/* Replaces a file of that path, or takes standard output for NULL. TW_IO. */
enum tw_status tw_line_stream_open(struct tw_line_stream *stream, const char *path,
                                   struct tw_error *err);
/* `line` ends with a line feed. A line that does not fit on the disk is taken back whole. */
void tw_line_stream_put(struct tw_line_stream *stream, const void *line, size_t length);
/* False when a line is missing. */
bool tw_line_stream_close(struct tw_line_stream *stream);

#endif
