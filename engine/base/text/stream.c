/* SPDX-License-Identifier: MIT */
#include "base/text/stream.h"

FILE *tw_stream_open(char **text, size_t *length) { return open_memstream(text, length); }

int tw_stream_close(FILE *stream) { return fclose(stream); }
