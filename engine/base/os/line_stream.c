/* SPDX-License-Identifier: MIT */
#include "base/os/line_stream.h"

#include "base/os/file.h"
#include "base/os/posix.h"
#include "base/os/process.h"

#include <errno.h>
#include <string.h>

enum tw_status tw_line_stream_open(struct tw_line_stream *stream, const char *path,
                                   struct tw_error *err)
{
    int descriptor =
        path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : STDOUT_FILENO;
    if (descriptor < 0)
        return tw_error_set(err, TW_IO, "cannot write %.*s: %s", TW_FILE_NAME_SHOWN, path,
                            strerror(errno));
    *stream = (struct tw_line_stream){.descriptor = descriptor, .open = true};
    return TW_OK;
}

void tw_line_stream_put(struct tw_line_stream *stream, const void *line, size_t length)
{
    if (!stream->open || stream->broken)
        return;
    if (tw_file_write_all(stream->descriptor, line, length)) {
        stream->length += length;
        return;
    }
    if (stream->descriptor == STDOUT_FILENO)
        tw_process_end_unread();
    stream->broken = true;
    if (stream->descriptor != STDOUT_FILENO && ftruncate(stream->descriptor, (off_t)stream->length))
        return; /* a pipe: cannot take back what it got */
}

bool tw_line_stream_close(struct tw_line_stream *stream)
{
    bool whole = !stream->broken;
    if (stream->open && stream->descriptor != STDOUT_FILENO)
        whole = tw_file_close(stream->descriptor) && whole;
    *stream = (struct tw_line_stream){0};
    return whole;
}
