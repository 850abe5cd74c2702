/* SPDX-License-Identifier: MIT */
/* A small web server on this machine that stores what it receives, and can misbehave in every way
 * that a cache must tolerate. It counts requests. */
#ifndef TW_TESTS_SUPPORT_WEB_SERVER_H
#define TW_TESTS_SUPPORT_WEB_SERVER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum web_fault {
    WEB_NONE,
    WEB_SILENT,  /* accepts connections and never answers */
    WEB_SLOW,    /* sends the bytes of a body one by one, with pauses */
    WEB_PIECES,  /* sends a body's first bytes in fives, which is valid */
    WEB_FLIPPED, /* flips a bit of every body */
    WEB_SHORT,   /* cuts bodies short and announces the short length */
    WEB_HALF,    /* cuts bodies short but announces the full length */
    WEB_LONG,    /* appends a byte to bodies */
    WEB_LATE, /* appends a byte to values and sends no length: the connection's end marks theirs */
    WEB_ENDLESS,    /* sends bodies without end or length */
    WEB_SWAPPED,    /* gives every name below /ac/ the body of the first one stored */
    WEB_REDIRECT,   /* redirects everything to `elsewhere` */
    WEB_GARBAGE,    /* answers are not HTTP */
    WEB_HANG_UP,    /* closes connections instead of answering */
    WEB_STATUS,     /* answers everything with `status` */
    WEB_PUT_STATUS, /* answers PUT with `status` */
    WEB_PUT_SILENT, /* never answers PUT */
    WEB_STRICT, /* answers PUT of anything in /cas/ with `status`, as if its name were no SHA-256 */
    WEB_STRICT_ONE_FIRST /* the same; all HEAD in /cas/ but the first wait for an object in /ac/ */
};

struct web_server {
    int port;
    _Atomic(enum web_fault) fault;
    atomic_int status;
    int elsewhere;       /* a port */
    const char *headers; /* added to every answer; NULL: none */
    atomic_int gets, heads, puts,
        authorized; /* requests; those with the header `Authorization: Bearer x` */
    struct web_state *state;
};

/* Starts the server; fails the test if there is no free port. */
void web_start(struct web_server *server);
void web_stop(struct web_server *server);
int web_requests(const struct web_server *server);
/* Resets counts, but keeps objects. */
void web_reset(struct web_server *server);
/* Number of objects whose path starts with `prefix`. */
int web_count(struct web_server *server, const char *prefix);
/* Flips a bit in the middle of every object whose path starts with `prefix`. */
void web_damage(struct web_server *server, const char *prefix);
/* A port of this machine without a listener. */
int web_dead_port(void);

#endif
