/* SPDX-License-Identifier: MIT */
/* Requests to one web server: GET, HEAD and PUT of whole objects over connections that stay open.
 * The only door to other machines. Redirects are never followed, so that what a request carries
 * reaches the server that was named and no other; messages never hold an address or a header. */
#ifndef TW_ENGINE_BASE_NET_HTTP_H
#define TW_ENGINE_BASE_NET_HTTP_H

#include <thalweg/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tw_http; /* any thread; each request has a connection of its own while it lasts */

struct tw_http_options {
    const char *url; /* http:// or https://, no user name, no query */
    const char
        *authorization; /* value of the header; NULL: none. Only over https, or to loopback */
    int connect_seconds;
    int stall_seconds; /* a request that moves nothing for so long fails; 0: no limit */
};

/* TW_USAGE for an address or header that cannot be used, and in a build without libcurl. The
 * library itself is loaded for the first request. */
enum tw_status tw_http_open(const struct tw_http_options *options, struct tw_http **http,
                            struct tw_error *err);
void tw_http_close(struct tw_http *http);

enum tw_http_method { TW_HTTP_GET, TW_HTTP_HEAD, TW_HTTP_PUT };

enum tw_http_outcome {
    TW_HTTP_DONE,    /* the object was received or sent as a whole, or is there */
    TW_HTTP_ABSENT,  /* the server does not have it */
    TW_HTTP_REFUSED, /* the server works and does not do this: any other 4xx, and 507 */
    TW_HTTP_FAILED,  /* no connection, cut short, too long, redirected, 5xx, not HTTP */
    TW_HTTP_STOPPED, /* give_up() said so */
};

struct tw_http_part {
    void *at;
    size_t size;
};

struct tw_http_request {
    enum tw_http_method method;
    const char *path; /* follows the server's address, without a slash before it */
    /* GET: where the body goes, one part after the other; a longer body fails. PUT: the body, or
     * without parts the first `length` bytes of the descriptor `file`. */
    struct tw_http_part parts[2];
    int file;
    uint64_t length;
    /* Polled about every 20 ms. */
    bool (*give_up)(void *context);
    void *context;
    /* The answer. */
    uint64_t received, sent; /* bytes of bodies */
    long status;             /* 0 when there was none */
    int64_t date;            /* seconds since 1970 by the server's clock; 0: it does not say */
    char problem[96];        /* why it was refused or failed */
};
enum tw_http_outcome tw_http_perform(struct tw_http *http, struct tw_http_request *request);

#endif
