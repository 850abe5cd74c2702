/* SPDX-License-Identifier: MIT */
/* Shared by the files http_*.c: libcurl's functions, a server, and connections to it. */
#ifndef TW_ENGINE_BASE_NET_HTTP_PRIVATE_H
#define TW_ENGINE_BASE_NET_HTTP_PRIVATE_H

#include "base/net/http.h"

#include <pthread.h>

enum { TW_HTTP_ADDRESS_MAX = 1024, TW_HTTP_BUFFER = 1 << 18 };

/* http_address.c. Fails if a secret would go over http to another machine. */
enum tw_status tw_http_check_address(const char *url, bool secret, struct tw_error *err);
/* Returns whether the address is this machine's, by a name that no name server resolves. */
bool tw_http_is_local(const char *url);

#ifdef TW_WITH_CURL

#include <curl/curl.h>

#define TW_HTTP_FUNCTIONS(X)                                                                       \
    X(global_init)                                                                                 \
    X(easy_init)                                                                                   \
    X(easy_cleanup)                                                                                \
    X(easy_reset)                                                                                  \
    X(easy_setopt)                                                                                 \
    X(easy_getinfo)                                                                                \
    X(easy_header)                                                                                 \
    X(easy_strerror)                                                                               \
    X(getdate)                                                                                     \
    X(multi_init)                                                                                  \
    X(multi_cleanup)                                                                               \
    X(multi_add_handle)                                                                            \
    X(multi_remove_handle)                                                                         \
    X(multi_perform)                                                                               \
    X(multi_poll)                                                                                  \
    X(multi_info_read)                                                                             \
    X(slist_append)                                                                                \
    X(slist_free_all)

/* libcurl's functions, valid once tw_http_load_library() has returned true. */
struct tw_http_library {
#define TW_HTTP_MEMBER(name) __typeof__(curl_##name) *name;
    TW_HTTP_FUNCTIONS(TW_HTTP_MEMBER)
#undef TW_HTTP_MEMBER
};
extern struct tw_http_library tw_curl;
bool tw_http_load_library(void);

/* Does one transfer at a time, and stays open for the next. */
struct tw_http_connection {
    struct tw_http_connection *next;
    CURL *easy;
    CURLM *multi;
    struct curl_slist *headers;
};

struct tw_http {
    char *url; /* without a trailing slash */
    bool local;
    char *authorization; /* a header line; NULL: none */
    long connect_ms, stall_seconds;
    pthread_mutex_t lock;
    struct tw_http_connection *idle;
};

/* http_connection.c. NULL when out of memory. */
struct tw_http_connection *tw_http_take_connection(struct tw_http *http);
void tw_http_give_back(struct tw_http *http, struct tw_http_connection *connection);
void tw_http_close_connections(struct tw_http *http);

/* http_body.c. Passed to libcurl's callbacks during a request. */
struct tw_http_exchange {
    struct tw_http_request *request;
    CURL *easy;
    uint64_t discarded;
};
void tw_http_set_body(CURL *easy, struct tw_http_exchange *exchange);

#endif
#endif
