/* SPDX-License-Identifier: MIT */
/* Servers and requests to them, through libcurl. */
#include "base/net/http_private.h"

#ifdef TW_WITH_CURL

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POLL_MS = 20 };

/* ---- servers ---- */

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
    enum tw_status status =
        tw_http_check_address(options->url, options->authorization != NULL, err);
    if (status != TW_OK)
        return status;
    struct tw_http *created = calloc(1, sizeof *created);
    if (!created || pthread_mutex_init(&created->lock, NULL) != 0) {
        free(created);
        return tw_error_set(err, TW_MEMORY, "out of memory");
    }
    created->url = copy_url(options->url);
    created->local = tw_http_is_local(options->url);
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
    tw_http_close_connections(http);
    free(http->authorization);
    (void)pthread_mutex_destroy(&http->lock);
    free(http->url);
    free(http);
}

/* ---- requests ---- */

static bool set_up(const struct tw_http *http, const struct tw_http_connection *connection,
                   struct tw_http_exchange *exchange)
{
    char url[TW_HTTP_ADDRESS_MAX + 128];
    CURL *easy = connection->easy;
    tw_curl.easy_reset(easy);
    int length = snprintf(url, sizeof url, "%s/%s", http->url, exchange->request->path);
    if (length < 0 || (size_t)length >= sizeof url ||
        tw_curl.easy_setopt(easy, CURLOPT_URL, url) != CURLE_OK ||
        tw_curl.easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https") != CURLE_OK ||
        tw_curl.easy_setopt(easy, CURLOPT_HTTPHEADER, connection->headers) != CURLE_OK)
        return false;
    (void)tw_curl.easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    (void)tw_curl.easy_setopt(easy, CURLOPT_USERAGENT, "thalweg");
    (void)tw_curl.easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    (void)tw_curl.easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, http->connect_ms);
    (void)tw_curl.easy_setopt(easy, CURLOPT_BUFFERSIZE, (long)TW_HTTP_BUFFER);
    (void)tw_curl.easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L); /* do not wait for a slow resolver */
    if (http->local)
        (void)tw_curl.easy_setopt(easy, CURLOPT_NOPROXY, "*");
    if (http->stall_seconds > 0) {
        (void)tw_curl.easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, 1L);
        (void)tw_curl.easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, http->stall_seconds);
    }
    tw_http_set_body(easy, exchange);
    return true;
}

/* Runs the transfer. False if the caller gave up; else *code is how it ended. */
static bool run_transfer(const struct tw_http_connection *connection,
                         const struct tw_http_request *request, CURLcode *code)
{
    int running = 1, left = 0;
    *code = CURLE_FAILED_INIT;
    while (tw_curl.multi_perform(connection->multi, &running) == CURLM_OK && running > 0) {
        if (request->give_up && request->give_up(request->context))
            return false;
        if (tw_curl.multi_poll(connection->multi, NULL, 0, POLL_MS, NULL) != CURLM_OK)
            return true;
    }
    const CURLMsg *message = tw_curl.multi_info_read(connection->multi, &left);
    if (message && message->msg == CURLMSG_DONE)
        *code = message->data.result;
    return true;
}

static int64_t read_date(CURL *easy)
{
    struct curl_header *field = NULL;
    if (tw_curl.easy_header(easy, "Date", 0, CURLH_HEADER, -1, &field) != CURLHE_OK)
        return 0;
    time_t date = tw_curl.getdate(field->value, NULL);
    return date > 0 ? (int64_t)date : 0;
}

static enum tw_http_outcome outcome_of(struct tw_http_request *request, CURLcode code)
{
    long status = request->status;
    if (status >= 300)
        snprintf(request->problem, sizeof request->problem, "it answered %ld", status);
    else if (code != CURLE_OK)
        snprintf(request->problem, sizeof request->problem, "%s", tw_curl.easy_strerror(code));
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
    bool loaded = tw_http_load_library();
    struct tw_http_connection *connection = loaded ? tw_http_take_connection(http) : NULL;
    CURLcode code = CURLE_FAILED_INIT;
    bool ended = true;
    request->received = request->sent = 0;
    request->status = 0;
    request->date = 0;
    request->problem[0] = 0;
    if (!connection) {
        snprintf(request->problem, sizeof request->problem, "%s",
                 loaded ? "out of memory" : "libcurl cannot be loaded (libcurl4 in Debian)");
        return TW_HTTP_FAILED;
    }
    struct tw_http_exchange exchange = {.request = request, .easy = connection->easy};
    if (set_up(http, connection, &exchange) &&
        tw_curl.multi_add_handle(connection->multi, connection->easy) == CURLM_OK) {
        ended = run_transfer(connection, request, &code);
        (void)tw_curl.easy_getinfo(connection->easy, CURLINFO_RESPONSE_CODE, &request->status);
        request->date = read_date(connection->easy);
        (void)tw_curl.multi_remove_handle(connection->multi, connection->easy);
    }
    tw_http_give_back(http, connection);
    return ended ? outcome_of(request, code) : TW_HTTP_STOPPED;
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
