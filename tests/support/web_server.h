/* SPDX-License-Identifier: MIT */
/* A small web server on this machine that stores what it is sent, and that can misbehave in every
 * way that a cache has to bear. It counts what it is asked. */
#ifndef TW_TESTS_SUPPORT_WEB_SERVER_H
#define TW_TESTS_SUPPORT_WEB_SERVER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum web_fault {
    WEB_NONE,
    WEB_SILENT,     /* accepts connections and never answers */
    WEB_SLOW,       /* sends a byte of a body now and then */
    WEB_PIECES,     /* sends a body's first bytes by fives, which is no fault */
    WEB_FLIPPED,    /* a bit of every body is another */
    WEB_SHORT,      /* bodies lack their end, and the length says so */
    WEB_HALF,       /* bodies lack their end, and the length does not say so */
    WEB_LONG,       /* bodies have a byte too many */
    WEB_LATE,       /* values have a byte too many, and no length: they end with the connection */
    WEB_ENDLESS,    /* bodies have no end, and no length */
    WEB_SWAPPED,    /* every name below /ac/ has the body of the first that was stored */
    WEB_REDIRECT,   /* everything is somewhere else: at `elsewhere` */
    WEB_GARBAGE,    /* answers are no HTTP */
    WEB_HANG_UP,    /* closes connections when asked */
    WEB_STATUS,     /* everything is answered with `status` */
    WEB_PUT_STATUS, /* PUT is answered with `status` */
    WEB_PUT_SILENT, /* PUT is never answered */
    WEB_STRICT /* PUT of anything in /cas/ is answered with `status`, as its name is no SHA-256 */
};

struct web_server {
    int port;
    _Atomic(enum web_fault) fault;
    atomic_int status;
    int elsewhere;       /* a port */
    const char *headers; /* of every answer; NULL: none */
    atomic_int gets, heads, puts,
        authorized; /* requests; with the header `Authorization: Bearer x` */
    struct web_state *state;
};

/* Fail the test when there is no free port. */
void web_start(struct web_server *server);
void web_stop(struct web_server *server);
int web_requests(const struct web_server *server);
/* Forgets counts, not objects. */
void web_reset(struct web_server *server);
/* Objects whose path begins so. */
int web_count(struct web_server *server, const char *prefix);
/* Flips a bit in the middle of every object whose path begins so. */
void web_damage(struct web_server *server, const char *prefix);
/* A port of this machine that nobody listens at. */
int web_dead_port(void);

#endif
