/* SPDX-License-Identifier: MIT */
/* A web server for this machine's own browser: it listens on loopback only, answers GET and HEAD
 * only, and only requests that name it by a loopback name, so that a page from elsewhere cannot
 * reach it by a name of its own (DNS rebinding). It opens no file: what there is to see comes from
 * the program, and many answers share the same bytes. A connection that has not sent the head of a
 * request within some seconds is closed, however its bytes arrive. Whoever asks for /events is sent
 * the latest event, and every later one. */
#ifndef TW_ENGINE_BASE_NET_WEB_SERVER_H
#define TW_ENGINE_BASE_NET_WEB_SERVER_H

#include "base/memory/shared.h"

#include <stdbool.h>

struct tw_web_server; /* any thread */

struct tw_web_page {
    const char *type;       /* "text/html; charset=utf-8" */
    struct tw_shared *body; /* the server releases it */
    bool lasting;           /* another content would have another path: browsers may keep it */
};

struct tw_web_site {
    const char *policy; /* Content-Security-Policy of every answer; borrowed */
    /* Fills what `path` has; false: there is nothing. Called by a thread of the server. */
    bool (*find)(void *context, const char *path, struct tw_web_page *page);
    void *context;
};

/* "libmicrohttpd (libmicrohttpd-dev in Debian)" where that is missing; NULL: nothing is. */
const char *tw_web_server_lacks(void);
/* "0.9.75", of the library; NULL without it. */
const char *tw_web_server_version(void);

/* Listens at a port of 127.0.0.1; where it is taken and `or_another`, at a free one. TW_IO when it
 * cannot listen, TW_USAGE without the library. */
enum tw_status tw_web_server_start(const struct tw_web_site *site, int32_t port, bool or_another,
                                   struct tw_web_server **server, struct tw_error *err);
int32_t tw_web_server_port(const struct tw_web_server *server);
/* The event that all who listen get next: one line of text. Of several that come faster than
 * somebody reads, he gets the last. Without memory there is none. */
void tw_web_server_tell(struct tw_web_server *server, const char *event);
/* NULL is nothing. */
void tw_web_server_stop(struct tw_web_server *server);

#endif
