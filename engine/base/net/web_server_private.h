/* SPDX-License-Identifier: MIT */
/* Shared by the files web_server*.c: libmicrohttpd's functions, a server, and its listeners. */
#ifndef TW_ENGINE_BASE_NET_WEB_SERVER_PRIVATE_H
#define TW_ENGINE_BASE_NET_WEB_SERVER_PRIVATE_H

#include "base/net/web_server.h"

#ifdef TW_WITH_MICROHTTPD

#include <microhttpd.h>
#include <pthread.h>

#define TW_WEB_FUNCTIONS(X)                                                                        \
    X(start_daemon)                                                                                \
    X(stop_daemon)                                                                                 \
    X(get_version)                                                                                 \
    X(get_connection_info)                                                                         \
    X(lookup_connection_value)                                                                     \
    X(create_response_from_buffer)                                                                 \
    X(create_response_from_callback)                                                               \
    X(add_response_header)                                                                         \
    X(get_connection_values)                                                                       \
    X(queue_response)                                                                              \
    X(destroy_response)                                                                            \
    X(suspend_connection)                                                                          \
    X(resume_connection)

/* libmicrohttpd's functions, valid once tw_web_load_library() has returned true. */
struct tw_web_library {
#define TW_WEB_MEMBER(name) __typeof__(MHD_##name) *name;
    TW_WEB_FUNCTIONS(TW_WEB_MEMBER)
#undef TW_WEB_MEMBER
};
extern struct tw_web_library tw_mhd;
bool tw_web_load_library(void);

enum {
    TW_WEB_CONNECTIONS_MAX = 128,
    TW_WEB_IDLE_SECONDS = 5,     /* that a connection may be silent, unless it listens to events */
    TW_WEB_REQUEST_SECONDS = 10, /* that a request may take, with its body */
    TW_WEB_ANSWER_SECONDS = 30,  /* that an answer may take, however slow; beyond that, */
    TW_WEB_ANSWER_BYTES = 64000, /* so many bytes a second at least */
    TW_WEB_EVENTS_MAX = 256      /* that a client may be behind */
};

/* A connection's deadline. */
struct tw_web_head {
    bool open;
    int descriptor;
    int64_t due;      /* nanoseconds of the monotonic clock; INT64_MAX: none */
    int64_t answered; /* when its answer began; 0: a request is awaited, or it listens to events */
    uint64_t moved;   /* bytes of the answer that it has taken */
};

/* A request under way. */
struct tw_web_request {
    struct tw_bytes body;
    bool too_long;
};

struct tw_web_server {
    struct tw_web_site site;
    int32_t port;
    int descriptor; /* listens; the daemon closes it once there is one */
    struct MHD_Daemon *daemon;
    char cookie[sizeof "thalweg-" + 12];       /* its name */
    pthread_mutex_t lock;                      /* guards everything below */
    struct tw_bytes events[TW_WEB_EVENTS_MAX]; /* a ring; event n is at n % TW_WEB_EVENTS_MAX */
    uint64_t number;                           /* of the last event; 0: none yet */
    struct tw_web_listener *listeners;
    int listener_count;
    struct tw_web_head heads[TW_WEB_CONNECTIONS_MAX];
    bool stops;

    pthread_t watcher; /* watches deadlines of heads */
    bool is_watched;
    pthread_cond_t changed; /* a deadline or `stops` changed */
};

/* web_server_events.c: returns an answer that lasts until the server stops; NULL if too many
 * clients listen, or when out of memory. */
struct MHD_Response *tw_web_listen(struct tw_web_server *server, struct MHD_Connection *connection);
/* Ends all answers of tw_web_listen(). */
void tw_web_end_listening(struct tw_web_server *server);

/* web_server_heads.c: starts a thread that closes every connection that is late; false if it
 * cannot. The thread ends once `stops` is set and `changed` signalled. */
bool tw_web_heads_watch(struct tw_web_server *server);
void tw_web_heads_end(struct tw_web_server *server);
/* Called by the library when connections begin and end. */
void tw_web_heads_notify(void *context, struct MHD_Connection *connection, void **head,
                         enum MHD_ConnectionNotificationCode code);
/* Call once a request has arrived whose answer must move, unless `listens`; as bytes move; and once
 * its answer is sent, before the next head. */
struct tw_web_head *tw_web_head_came(struct tw_web_server *server,
                                     struct MHD_Connection *connection, bool listens);
void tw_web_head_moved(struct tw_web_server *server, struct tw_web_head *head, size_t bytes);
void tw_web_head_done(void *context, struct MHD_Connection *connection, void **state,
                      enum MHD_RequestTerminationCode code);

/* web_server_guard.c: whether the request may be answered; else the status and why. */
bool tw_web_admits(const struct tw_web_server *server, struct MHD_Connection *connection,
                   const char *path, const char *method, unsigned *status, const char **why);
/* Whether the key is in the request's address, so that its answer sets the cookie. */
bool tw_web_has_key(const struct tw_web_server *server, struct MHD_Connection *connection);

#endif
#endif
