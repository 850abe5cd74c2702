/* SPDX-License-Identifier: MIT */
/* A web server for this machine's own browser. It listens on loopback only, and answers only
 * requests that name it by a loopback name, so that another site cannot reach it by a name of its
 * own (DNS rebinding), and that know its key: by ?k=KEY or by the cookie that the page at / then
 * sets. What changes something is a POST of JSON that also comes from the server's own page: it
 * must have that page's Origin and its token. The server opens no files: the program provides all
 * pages, and answers share their bytes. It closes a connection that has not sent a request within
 * some seconds, however its bytes arrive, or takes an answer too slowly. Clients of /events receive
 * every event, or "state" where they missed some. */
#ifndef TW_ENGINE_BASE_NET_WEB_SERVER_H
#define TW_ENGINE_BASE_NET_WEB_SERVER_H

#include "base/memory/shared.h"

#include <stdbool.h>

struct tw_web_server; /* usable from any thread */

enum { TW_WEB_BODY_MAX = 1 << 16 }; /* bytes of a request's body */
#define TW_WEB_KEY_DIGITS 32        /* hexadecimal, of the key and the token */

struct tw_web_page {
    int status;             /* of HTTP; 200 unless set */
    const char *type;       /* "text/html; charset=utf-8" */
    struct tw_shared *body; /* the server releases it */
    bool lasting;           /* the path changes with the content: browsers may cache it */
};

/* Everything is borrowed; both functions are called by a thread of the server. */
struct tw_web_site {
    const char *policy; /* Content-Security-Policy of every answer */
    const char *key, *token;
    /* Fills in the page at `path`; false: there is none. */
    bool (*find)(void *context, const char *path, struct tw_web_page *page);
    /* Answers a POST; false: nothing at this path takes one, which `body` NULL only asks. */
    bool (*post)(void *context, const char *path, const struct tw_bytes *body,
                 struct tw_web_page *page);
    void *context;
};

/* Returns "libmicrohttpd (libmicrohttpd-dev in Debian)" if that is missing, else NULL. */
const char *tw_web_server_lacks(void);
/* Returns the library's version, such as "0.9.75", or NULL without it. */
const char *tw_web_server_version(void);

/* Listens on `port` of 127.0.0.1 or, if that is taken and `or_another` is set, on a free one;
 * answers nothing yet. TW_IO when it cannot listen, TW_USAGE without the library. */
enum tw_status tw_web_server_open(int32_t port, bool or_another, struct tw_web_server **server,
                                  struct tw_error *err);
int32_t tw_web_server_port(const struct tw_web_server *server);
enum tw_status tw_web_server_start(struct tw_web_server *server, const struct tw_web_site *site,
                                   struct tw_error *err);
/* Sends an event, a word and a line of text, to all clients of /events. One that reads too slowly
 * gets "state" in place of those that it missed, and so does every new one. Out of memory, all do.
 */
void tw_web_server_tell(struct tw_web_server *server, const char *name, const char *event);
/* Ignores NULL. */
void tw_web_server_stop(struct tw_web_server *server);

#endif
