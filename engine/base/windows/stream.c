/* SPDX-License-Identifier: MIT */
/* Windows has no streams into memory: a temporary file, which it keeps in memory if it can and
 * removes with its last handle, is read back at the end. */
#include "base/text/stream.h"

#include <fcntl.h>
#include <io.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <windows.h>

struct open_stream {
    FILE *file;
    char **text;
    size_t *length;
    struct open_stream *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the list */
static struct open_stream *streams;

static FILE *open_file(void)
{
    wchar_t folder[MAX_PATH + 1], name[MAX_PATH + 1];
    if (GetTempPathW(MAX_PATH + 1, folder) == 0 || GetTempFileNameW(folder, L"tw", 0, name) == 0)
        return NULL;
    HANDLE handle =
        CreateFileW(name, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_DELETE, NULL, CREATE_ALWAYS,
                    FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL);
    if (handle == INVALID_HANDLE_VALUE)
        return NULL;
    int descriptor = _open_osfhandle((intptr_t)handle, _O_RDWR | _O_BINARY);
    FILE *file = descriptor >= 0 ? _fdopen(descriptor, "w+b") : NULL;
    if (!file && descriptor >= 0)
        (void)_close(descriptor);
    else if (!file)
        (void)CloseHandle(handle);
    return file;
}

FILE *tw_stream_open(char **text, size_t *length)
{
    struct open_stream *stream = malloc(sizeof *stream);
    FILE *file = stream ? open_file() : NULL;
    if (!file) {
        free(stream);
        return NULL;
    }
    *stream = (struct open_stream){file, text, length, NULL};
    (void)pthread_mutex_lock(&lock);
    stream->next = streams;
    streams = stream;
    (void)pthread_mutex_unlock(&lock);
    return file;
}

static struct open_stream *take(FILE *file)
{
    (void)pthread_mutex_lock(&lock);
    struct open_stream **link = &streams, *stream;
    while ((*link)->file != file)
        link = &(*link)->next;
    stream = *link;
    *link = stream->next;
    (void)pthread_mutex_unlock(&lock);
    return stream;
}

/* Returns the file's bytes and a zero; NULL on failure. */
static char *read_back(FILE *file, size_t *length)
{
    if (fflush(file) != 0 || ferror(file) || _fseeki64(file, 0, SEEK_END) != 0)
        return NULL;
    const int64_t size = _ftelli64(file);
    char *text = size >= 0 ? malloc((size_t)size + 1) : NULL;
    rewind(file);
    if (text && fread(text, 1, (size_t)size, file) != (size_t)size) {
        free(text);
        return NULL;
    }
    if (text)
        text[size] = 0;
    *length = (size_t)size;
    return text;
}

/* As fclose() of a stream into memory, leaves a text to free() in any case. */
int tw_stream_close(FILE *file)
{
    struct open_stream *stream = take(file);
    *stream->length = 0;
    *stream->text = read_back(file, stream->length);
    const int result = *stream->text ? 0 : EOF;
    free(stream);
    (void)fclose(file);
    return result;
}
