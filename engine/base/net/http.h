/* SPDX-License-Identifier: MIT */
/* Requests to one web server: GET, HEAD and PUT of whole objects over persistent connections. The
 * only door to other machines. Redirects are never followed, so a request's contents reach the
 * named server only; messages never contain an address or a header. */
#ifndef TW_ENGINE_BASE_NET_HTTP_H
#define TW_ENGINE_BASE_NET_HTTP_H

#include <thalweg/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tw_http; /* any thread; each running request has a connection of its own */

struct tw_http_options {
    const char *url; /* http:// or https://, no user name, no query */
    const char
        *authorization; /* value of the header; NULL: none. Sent only over https, or to loopback */
    int connect_seconds;
    int stall_seconds; /* a request that moves nothing for so long fails; 0: no limit */
};

/* Opens a server without connecting. TW_USAGE for an invalid address or header, and in a build
 * without libcurl. The first request loads the library. */
enum tw_status tw_http_open(const struct tw_http_options *options, struct tw_http **http,
                            struct tw_error *err);
void tw_http_close(struct tw_http *http);

enum tw_http_method { TW_HTTP_GET, TW_HTTP_HEAD, TW_HTTP_PUT };

enum tw_http_outcome {
    TW_HTTP_DONE,    /* the whole object was received or sent, or exists */
    TW_HTTP_ABSENT,  /* the server does not have it */
    TW_HTTP_REFUSED, /* a working server declined: any other 4xx, or 507 */
    TW_HTTP_FAILED,  /* no connection, truncated, too long, redirected, 5xx, not HTTP */
    TW_HTTP_STOPPED, /* give_up() returned true */
};

struct tw_http_part {
    void *at;
    size_t size;
};

struct tw_http_request {
    enum tw_http_method method;
    const char *path; /* appended to the server's address, without a leading slash */
    /* GET: receives the body, one part after the other; a longer body fails. PUT: the body, or
     * without parts the first `length` bytes of the descriptor `file`. */
    struct tw_http_part parts[2];
    int file;
    uint64_t length;
    /* Polled about every 20 ms. */
    bool (*give_up)(void *context);
    void *context;
    /* The answer. */
    uint64_t received, sent; /* bytes of bodies */
    long status;             /* 0 without an answer */
    int64_t date;            /* the server's clock in seconds since 1970; 0: not sent */
    char problem[96];        /* why the request was refused or failed */
};
enum tw_http_outcome tw_http_perform(struct tw_http *http, struct tw_http_request *request);

#endif
