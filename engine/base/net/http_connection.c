/* SPDX-License-Identifier: MIT */
/* Loads libcurl for the first request: linking it, with its 30 dependencies, would cost every
 * command 7 ms of processor time at startup. */
#include "base/net/http_private.h"

#ifdef TW_WITH_CURL

#include "base/os/library.h"

#include <stdlib.h>

/* ---- the library ---- */

struct tw_http_library tw_curl;
static bool loaded;

static void load_library(void)
{
    void *library = tw_library_load("libcurl.so.4");
    bool ok = library != NULL;
#define FIND(name) ok = ok && tw_library_find(library, "curl_" #name, &tw_curl.name);
    TW_HTTP_FUNCTIONS(FIND)
#undef FIND
    loaded = ok && tw_curl.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

bool tw_http_load_library(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, load_library);
    return loaded;
}

/* ---- connections ---- */

static void destroy_connection(struct tw_http_connection *connection)
{
    if (connection->easy)
        tw_curl.easy_cleanup(connection->easy);
    if (connection->multi)
        (void)tw_curl.multi_cleanup(connection->multi);
    tw_curl.slist_free_all(connection->headers);
    free(connection);
}

/* `Expect: 100-continue` would cost a round trip, or a second if a server ignores it. */
static bool add_headers(const struct tw_http *http, struct tw_http_connection *connection)
{
    connection->headers = tw_curl.slist_append(NULL, "Expect:");
    return connection->headers &&
           (!http->authorization || tw_curl.slist_append(connection->headers, http->authorization));
}

struct tw_http_connection *tw_http_take_connection(struct tw_http *http)
{
    (void)pthread_mutex_lock(&http->lock);
    struct tw_http_connection *connection = http->idle;
    if (connection)
        http->idle = connection->next;
    (void)pthread_mutex_unlock(&http->lock);
    if (connection)
        return connection;
    connection = calloc(1, sizeof *connection);
    if (!connection)
        return NULL;
    connection->easy = tw_curl.easy_init();
    connection->multi = tw_curl.multi_init();
    if (connection->easy && connection->multi && add_headers(http, connection))
        return connection;
    destroy_connection(connection);
    return NULL;
}

void tw_http_give_back(struct tw_http *http, struct tw_http_connection *connection)
{
    (void)pthread_mutex_lock(&http->lock);
    connection->next = http->idle;
    http->idle = connection;
    (void)pthread_mutex_unlock(&http->lock);
}

void tw_http_close_connections(struct tw_http *http)
{
    while (http->idle) {
        struct tw_http_connection *next = http->idle->next;
        destroy_connection(http->idle);
        http->idle = next;
    }
}

#endif
