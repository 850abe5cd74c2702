/* SPDX-License-Identifier: MIT */
/* A web server for this machine's own browser: listens on loopback only, answers GET and HEAD only,
 * and only requests that name it by a loopback name, so that another site cannot reach it by a name
 * of its own (DNS rebinding). It opens no files: the program provides all pages, and answers share
 * their bytes. It closes a connection that has not sent a request's head within some seconds,
 * however its bytes arrive. Clients of /events receive the latest event, and every later one. */
#ifndef TW_ENGINE_BASE_NET_WEB_SERVER_H
#define TW_ENGINE_BASE_NET_WEB_SERVER_H

#include "base/memory/shared.h"

#include <stdbool.h>

struct tw_web_server; /* usable from any thread */

struct tw_web_page {
    const char *type;       /* "text/html; charset=utf-8" */
    struct tw_shared *body; /* the server releases it */
    bool lasting;           /* the path changes with the content: browsers may cache it */
};

struct tw_web_site {
    const char *policy; /* Content-Security-Policy of every answer; borrowed */
    /* Fills in the page at `path`; false: there is none. Called by a thread of the server. */
    bool (*find)(void *context, const char *path, struct tw_web_page *page);
    void *context;
};

/* Returns "libmicrohttpd (libmicrohttpd-dev in Debian)" if that is missing, else NULL. */
const char *tw_web_server_lacks(void);
/* Returns the library's version, such as "0.9.75", or NULL without it. */
const char *tw_web_server_version(void);

/* Listens on `port` of 127.0.0.1 or, if that is taken and `or_another` is set, on a free one. TW_IO
 * when it cannot listen, TW_USAGE without the library. */
enum tw_status tw_web_server_start(const struct tw_web_site *site, int32_t port, bool or_another,
                                   struct tw_web_server **server, struct tw_error *err);
int32_t tw_web_server_port(const struct tw_web_server *server);
/* Sends an event, one line of text, to all clients of /events. A client that reads too slowly gets
 * only the last of several. Out of memory, it sends none. */
void tw_web_server_tell(struct tw_web_server *server, const char *event);
/* Ignores NULL. */
void tw_web_server_stop(struct tw_web_server *server);

#endif
