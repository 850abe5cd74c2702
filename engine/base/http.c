/* SPDX-License-Identifier: MIT */
/* The only file that knows libcurl. The library is loaded for the first request: linked, it and its
 * 30 others would cost every command 7 ms of processor time at its start. */
#include "base/http.h"

#ifdef TW_WITH_CURL

#include <arpa/inet.h>
#include <ctype.h>
#include <curl/curl.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { POLL_MS = 20, BUFFER = 1 << 18, DISCARD_MAX = 1 << 16, ADDRESS_MAX = 1024 };

/* ---- the library ---- */

#define FUNCTIONS(X)                                                                               \
    X(global_init)                                                                                 \
    X(easy_init)                                                                                   \
    X(easy_cleanup)                                                                                \
    X(easy_reset)                                                                                  \
    X(easy_setopt)                                                                                 \
    X(easy_getinfo)                                                                                \
    X(easy_strerror)                                                                               \
    X(multi_init)                                                                                  \
    X(multi_cleanup)                                                                               \
    X(multi_add_handle)                                                                            \
    X(multi_remove_handle)                                                                         \
    X(multi_perform)                                                                               \
    X(multi_poll)                                                                                  \
    X(multi_info_read)                                                                             \
    X(slist_append)                                                                                \
    X(slist_free_all)

static struct {
#define MEMBER(name) __typeof__(curl_##name) *name;
    FUNCTIONS(MEMBER)
#undef MEMBER
    bool loaded;
} curl;

static bool find_function(void *library, const char *name, void *pointer)
{
    void *found = dlsym(library, name);
    memcpy(pointer, &found, sizeof found);
    return found != NULL;
}

static void load_library(void)
{
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    bool ok = library != NULL;
#define FIND(name) ok = ok && find_function(library, "curl_" #name, &curl.name);
    FUNCTIONS(FIND)
#undef FIND
    curl.loaded = ok && curl.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

static bool prepare_library(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, load_library);
    return curl.loaded;
}

/* ---- the server ---- */

/* One transfer at a time; its connection stays open for the next. */
struct connection {
    struct connection *next;
    CURL *easy;
    CURLM *multi;
    struct curl_slist *headers;
};

struct tw_http {
    char *url; /* without a slash at its end */
    bool local;
    char *authorization; /* a line of the head; NULL: none */
    long connect_ms, stall_seconds;
    pthread_mutex_t lock;
    struct connection *idle;
};

static void destroy_connection(struct connection *connection)
{
    if (connection->easy)
        curl.easy_cleanup(connection->easy);
    if (connection->multi)
        (void)curl.multi_cleanup(connection->multi);
    curl.slist_free_all(connection->headers);
    free(connection);
}

/* `Expect: 100-continue` would cost a round trip, or a second where a server ignores it. */
static bool add_headers(const struct tw_http *http, struct connection *connection)
{
    connection->headers = curl.slist_append(NULL, "Expect:");
    return connection->headers &&
           (!http->authorization || curl.slist_append(connection->headers, http->authorization));
}

/* NULL without memory. */
static struct connection *take_connection(struct tw_http *http)
{
    (void)pthread_mutex_lock(&http->lock);
    struct connection *connection = http->idle;
    if (connection)
        http->idle = connection->next;
    (void)pthread_mutex_unlock(&http->lock);
    if (connection)
        return connection;
    connection = calloc(1, sizeof *connection);
    if (!connection)
        return NULL;
    connection->easy = curl.easy_init();
    connection->multi = curl.multi_init();
    if (connection->easy && connection->multi && add_headers(http, connection))
        return connection;
    destroy_connection(connection);
    return NULL;
}

static void give_back(struct tw_http *http, struct connection *connection)
{
    (void)pthread_mutex_lock(&http->lock);
    connection->next = http->idle;
    http->idle = connection;
    (void)pthread_mutex_unlock(&http->lock);
}

/* ---- addresses ---- */

static size_t scheme_length(const char *url)
{
    static const char *const schemes[] = {"http://", "https://"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        if (strncasecmp(url, schemes[i], strlen(schemes[i])) == 0)
            return strlen(schemes[i]);
    return 0;
}

/* 127.0.0.0/8; numbers that are no address, as in 127.0.0.999, are a name. */
static bool is_loopback(const char *host, size_t length)
{
    char text[INET_ADDRSTRLEN];
    struct in_addr address;
    if (length >= sizeof text)
        return false;
    memcpy(text, host, length);
    text[length] = 0;
    return inet_pton(AF_INET, text, &address) == 1 && ntohl(address.s_addr) >> 24 == 127;
}

/* This machine, by a name that no name server decides. */
static bool is_local(const char *url)
{
    const char *host = url + scheme_length(url);
    size_t length = host[0] == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":/");
    return (length == 5 && strncmp(host, "[::1]", length) == 0) ||
           (length == 9 && strncasecmp(host, "localhost", length) == 0) ||
           is_loopback(host, length);
}

static enum tw_status check_url(const char *url, bool secret, struct tw_error *err)
{
    size_t scheme = scheme_length(url), length = strlen(url);
    bool plain = true;
    for (const char *at = url; *at; at++)
        plain = plain && isgraph((unsigned char)*at) && !strchr("?#@\\", *at);
    if (scheme == 0 || scheme == length || length > ADDRESS_MAX || !plain)
        return tw_error_set(err, TW_USAGE,
                            "the address of the remote cache cannot be used; expected http://HOST "
                            "or https://HOST, with a port and a folder perhaps, without a user "
                            "name or a query");
    if (secret && strncasecmp(url, "https://", 8) != 0 && !is_local(url))
        return tw_error_set(err, TW_USAGE,
                            "a token is not sent to another machine in the clear; expected an "
                            "https:// address");
    return TW_OK;
}

static char *copy_url(const char *url)
{
    size_t length = strlen(url);
    while (length > 0 && url[length - 1] == '/')
        length--;
    char *copy = malloc(length + 1);
    if (!copy)
        return NULL;
    memcpy(copy, url, length);
    copy[length] = 0;
    return copy;
}

static bool copy_authorization(struct tw_http *http, const char *value)
{
    static const char name[] = "Authorization: ";
    if (!value)
        return true;
    size_t size = sizeof name + strlen(value);
    http->authorization = malloc(size);
    if (http->authorization)
        snprintf(http->authorization, size, "%s%s", name, value);
    return http->authorization != NULL;
}

enum tw_status tw_http_open(const struct tw_http_options *options, struct tw_http **http,
                            struct tw_error *err)
{
    *http = NULL;
    enum tw_status status = check_url(options->url, options->authorization != NULL, err);
    if (status != TW_OK)
        return status;
    struct tw_http *created = calloc(1, sizeof *created);
    if (!created || pthread_mutex_init(&created->lock, NULL) != 0) {
        free(created);
        return tw_error_set(err, TW_MEMORY, "out of memory");
    }
    created->url = copy_url(options->url);
    created->local = is_local(options->url);
    created->connect_ms = 1000L * options->connect_seconds;
    created->stall_seconds = options->stall_seconds;
    if (!created->url || !copy_authorization(created, options->authorization)) {
        tw_http_close(created);
        return tw_error_set(err, TW_MEMORY, "out of memory");
    }
    *http = created;
    return TW_OK;
}

void tw_http_close(struct tw_http *http)
{
    if (!http)
        return;
    while (http->idle) {
        struct connection *next = http->idle->next;
        destroy_connection(http->idle);
        http->idle = next;
    }
    free(http->authorization);
    (void)pthread_mutex_destroy(&http->lock);
    free(http->url);
    free(http);
}

/* ---- bodies ---- */

/* What libcurl's callbacks get. */
struct exchange {
    struct tw_http_request *request;
    CURL *easy;
    uint64_t discarded;
};

static size_t parts_size(const struct tw_http_request *request)
{
    return request->parts[0].size + request->parts[1].size;
}

/* The bytes of the parts from `offset` on: at most `size` of one part. */
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

/* The body of a refusal is of no use, and one without end must not be read. */
static size_t receive(char *data, size_t unit, size_t count, void *context)
{
    struct exchange *exchange = context;
    struct tw_http_request *request = exchange->request;
    size_t size = unit * count;
    long status = 0;
    (void)curl.easy_getinfo(exchange->easy, CURLINFO_RESPONSE_CODE, &status);
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
    struct tw_http_request *request = ((struct exchange *)context)->request;
    size_t size = unit * count, parts = parts_size(request);
    if (request->sent < parts) {
        const unsigned char *from = find_span(request, request->sent, &size);
        memcpy(data, from, size);
    } else {
        uint64_t left = parts + request->length - request->sent;
        size = size < left ? size : (size_t)left;
        ssize_t got =
            size == 0 ? 0 : pread(request->file, data, size, (off_t)(request->sent - parts));
        if (got < 0 || (got == 0 && size > 0)) /* the file became shorter */
            return CURL_READFUNC_ABORT;
        size = (size_t)got;
    }
    request->sent += size;
    return size;
}

/* libcurl sends again when a connection that stayed open turns out to be closed. */
static int rewind_bytes(void *context, curl_off_t offset, int origin)
{
    struct tw_http_request *request = ((struct exchange *)context)->request;
    if (origin != SEEK_SET || offset < 0)
        return CURL_SEEKFUNC_CANTSEEK;
    request->sent = (uint64_t)offset;
    return CURL_SEEKFUNC_OK;
}

/* ---- requests ---- */

static void set_body(CURL *easy, struct exchange *exchange)
{
    const struct tw_http_request *request = exchange->request;
    if (request->method == TW_HTTP_HEAD)
        (void)curl.easy_setopt(easy, CURLOPT_NOBODY, 1L);
    (void)curl.easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive);
    (void)curl.easy_setopt(easy, CURLOPT_WRITEDATA, exchange);
    if (request->method != TW_HTTP_PUT)
        return;
    (void)curl.easy_setopt(easy, CURLOPT_UPLOAD, 1L);
    (void)curl.easy_setopt(easy, CURLOPT_INFILESIZE_LARGE,
                           (curl_off_t)(parts_size(request) + request->length));
    (void)curl.easy_setopt(easy, CURLOPT_READFUNCTION, send_bytes);
    (void)curl.easy_setopt(easy, CURLOPT_READDATA, exchange);
    (void)curl.easy_setopt(easy, CURLOPT_SEEKFUNCTION, rewind_bytes);
    (void)curl.easy_setopt(easy, CURLOPT_SEEKDATA, exchange);
    (void)curl.easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, (long)BUFFER);
}

static bool set_up(const struct tw_http *http, const struct connection *connection,
                   struct exchange *exchange)
{
    char url[ADDRESS_MAX + 128];
    CURL *easy = connection->easy;
    curl.easy_reset(easy);
    int length = snprintf(url, sizeof url, "%s/%s", http->url, exchange->request->path);
    if (length < 0 || (size_t)length >= sizeof url ||
        curl.easy_setopt(easy, CURLOPT_URL, url) != CURLE_OK ||
        curl.easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https") != CURLE_OK ||
        curl.easy_setopt(easy, CURLOPT_HTTPHEADER, connection->headers) != CURLE_OK)
        return false;
    (void)curl.easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    (void)curl.easy_setopt(easy, CURLOPT_USERAGENT, "thalweg");
    (void)curl.easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    (void)curl.easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, http->connect_ms);
    (void)curl.easy_setopt(easy, CURLOPT_BUFFERSIZE, (long)BUFFER);
    (void)curl.easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L); /* no waiting for a slow name server */
    if (http->local)
        (void)curl.easy_setopt(easy, CURLOPT_NOPROXY, "*");
    if (http->stall_seconds > 0) {
        (void)curl.easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, 1L);
        (void)curl.easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, http->stall_seconds);
    }
    set_body(easy, exchange);
    return true;
}

/* False when it was given up; else *code is how the transfer ended. */
static bool drive(const struct connection *connection, const struct tw_http_request *request,
                  CURLcode *code)
{
    int running = 1, left = 0;
    *code = CURLE_FAILED_INIT;
    while (curl.multi_perform(connection->multi, &running) == CURLM_OK && running > 0) {
        if (request->give_up && request->give_up(request->context))
            return false;
        if (curl.multi_poll(connection->multi, NULL, 0, POLL_MS, NULL) != CURLM_OK)
            return true;
    }
    const CURLMsg *message = curl.multi_info_read(connection->multi, &left);
    if (message && message->msg == CURLMSG_DONE)
        *code = message->data.result;
    return true;
}

static enum tw_http_outcome judge(struct tw_http_request *request, CURLcode code)
{
    long status = request->status;
    if (status >= 300)
        snprintf(request->problem, sizeof request->problem, "it answered %ld", status);
    else if (code != CURLE_OK)
        snprintf(request->problem, sizeof request->problem, "%s", curl.easy_strerror(code));
    if (status == 404 || status == 410)
        return TW_HTTP_ABSENT;
    if ((status >= 400 && status < 500) || status == 507)
        return TW_HTTP_REFUSED;
    bool ok = request->method == TW_HTTP_PUT ? status >= 200 && status < 300 : status == 200;
    if (ok && code == CURLE_OK)
        return TW_HTTP_DONE;
    if (!request->problem[0])
        snprintf(request->problem, sizeof request->problem, "it answered %ld", status);
    return TW_HTTP_FAILED;
}

enum tw_http_outcome tw_http_perform(struct tw_http *http, struct tw_http_request *request)
{
    struct connection *connection = prepare_library() ? take_connection(http) : NULL;
    CURLcode code = CURLE_FAILED_INIT;
    bool ended = true;
    request->received = request->sent = 0;
    request->status = 0;
    request->problem[0] = 0;
    if (!connection) {
        snprintf(request->problem, sizeof request->problem, "%s",
                 curl.loaded ? "out of memory" : "libcurl cannot be loaded (libcurl4 in Debian)");
        return TW_HTTP_FAILED;
    }
    struct exchange exchange = {.request = request, .easy = connection->easy};
    if (set_up(http, connection, &exchange) &&
        curl.multi_add_handle(connection->multi, connection->easy) == CURLM_OK) {
        ended = drive(connection, request, &code);
        (void)curl.easy_getinfo(connection->easy, CURLINFO_RESPONSE_CODE, &request->status);
        (void)curl.multi_remove_handle(connection->multi, connection->easy);
    }
    give_back(http, connection);
    return ended ? judge(request, code) : TW_HTTP_STOPPED;
}

#else

enum tw_status tw_http_open(const struct tw_http_options *options, struct tw_http **http,
                            struct tw_error *err)
{
    (void)options;
    *http = NULL;
    return tw_error_set(err, TW_USAGE,
                        "a remote cache needs libcurl (libcurl4-openssl-dev in Debian), which this "
                        "build has not got");
}

void tw_http_close(struct tw_http *http) { (void)http; }

enum tw_http_outcome tw_http_perform(struct tw_http *http, struct tw_http_request *request)
{
    (void)http;
    (void)request;
    return TW_HTTP_FAILED;
}

#endif
