/* SPDX-License-Identifier: MIT */
/* Bodies of requests and answers, read from and written to the caller's memory. */
#include "base/net/http_private.h"

#ifdef TW_WITH_CURL

#include "base/os/posix.h"

#include <string.h>

enum { DISCARD_MAX = 1 << 16 };

static size_t parts_size(const struct tw_http_request *request)
{
    return request->parts[0].size + request->parts[1].size;
}

/* Returns the bytes of the parts from `offset` on, up to the end of one part; *size is at most what
 * it was. */
static unsigned char *find_span(const struct tw_http_request *request, uint64_t offset,
                                size_t *size)
{
    const struct tw_http_part *part = request->parts;
    if (offset >= part->size) {
        offset -= part->size;
        part++;
    }
    if (*size > part->size - offset)
        *size = part->size - (size_t)offset;
    return (unsigned char *)part->at + offset;
}

/* Discards the body of a refusal; an endless one must not be read. */
static size_t receive(char *data, size_t unit, size_t count, void *context)
{
    struct tw_http_exchange *exchange = context;
    struct tw_http_request *request = exchange->request;
    size_t size = unit * count;
    long status = 0;
    (void)tw_curl.easy_getinfo(exchange->easy, CURLINFO_RESPONSE_CODE, &status);
    if (request->method != TW_HTTP_GET || status != 200) {
        exchange->discarded += size;
        return exchange->discarded <= DISCARD_MAX ? size : 0;
    }
    if (size > parts_size(request) - request->received)
        return 0;
    for (size_t left = size, step; left > 0; left -= step) {
        step = left;
        unsigned char *to = find_span(request, request->received, &step);
        memcpy(to, data + (size - left), step);
        request->received += step;
    }
    return size;
}

static size_t send_bytes(char *data, size_t unit, size_t count, void *context)
{
    struct tw_http_request *request = ((struct tw_http_exchange *)context)->request;
    size_t size = unit * count;
    if (request->sent < parts_size(request)) {
        const unsigned char *from = find_span(request, request->sent, &size);
        memcpy(data, from, size);
    } else {
        uint64_t left = request->length > request->sent ? request->length - request->sent : 0;
        size = size < left ? size : (size_t)left;
        ssize_t got = size == 0 ? 0 : pread(request->file, data, size, (off_t)request->sent);
        if (got < 0 || (got == 0 && size > 0)) /* the file became shorter */
            return CURL_READFUNC_ABORT;
        size = (size_t)got;
    }
    request->sent += size;
    return size;
}

/* libcurl sends again if a connection kept open turns out to be closed. */
static int rewind_bytes(void *context, curl_off_t offset, int origin)
{
    struct tw_http_request *request = ((struct tw_http_exchange *)context)->request;
    if (origin != SEEK_SET || offset < 0)
        return CURL_SEEKFUNC_CANTSEEK;
    request->sent = (uint64_t)offset;
    return CURL_SEEKFUNC_OK;
}

void tw_http_set_body(CURL *easy, struct tw_http_exchange *exchange)
{
    const struct tw_http_request *request = exchange->request;
    if (request->method == TW_HTTP_HEAD)
        (void)tw_curl.easy_setopt(easy, CURLOPT_NOBODY, 1L);
    (void)tw_curl.easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive);
    (void)tw_curl.easy_setopt(easy, CURLOPT_WRITEDATA, exchange);
    if (request->method != TW_HTTP_PUT)
        return;
    (void)tw_curl.easy_setopt(easy, CURLOPT_UPLOAD, 1L);
    (void)tw_curl.easy_setopt(easy, CURLOPT_INFILESIZE_LARGE,
                              (curl_off_t)(parts_size(request) + request->length));
    (void)tw_curl.easy_setopt(easy, CURLOPT_READFUNCTION, send_bytes);
    (void)tw_curl.easy_setopt(easy, CURLOPT_READDATA, exchange);
    (void)tw_curl.easy_setopt(easy, CURLOPT_SEEKFUNCTION, rewind_bytes);
    (void)tw_curl.easy_setopt(easy, CURLOPT_SEEKDATA, exchange);
    (void)tw_curl.easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, (long)TW_HTTP_BUFFER);
}

#endif
