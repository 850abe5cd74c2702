/* SPDX-License-Identifier: MIT */
/* Shared by the files web_server*.c: libmicrohttpd's functions, a server, and its listeners. */
#ifndef TW_ENGINE_BASE_NET_WEB_SERVER_PRIVATE_H
#define TW_ENGINE_BASE_NET_WEB_SERVER_PRIVATE_H

#include "base/net/web_server.h"

/* web_server_socket.c: opens a socket that listens on a port of 127.0.0.1 and sets *port to it; 0
 * takes a free one. -1, with errno, on failure. */
int tw_web_socket_open(int32_t *port);

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
    /* How long a connection may be idle, unless it listens to events, and how long a head may
     * take. */
    TW_WEB_SECONDS = 5
};

/* A connection's deadline for the head of its request. */
struct tw_web_head {
    bool open;
    int descriptor;
    int64_t due; /* nanoseconds of the monotonic clock; INT64_MAX: the head has arrived, and its
                    answer is under way */
};

struct tw_web_server {
    struct tw_web_site site;
    int32_t port;
    struct MHD_Daemon *daemon;
    pthread_mutex_t lock; /* guards everything below */
    struct tw_bytes event;
    uint64_t number; /* number of that event; 0: none yet */
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

/* web_server_heads.c: starts a thread that closes every connection whose head is late; false if it
 * cannot. The thread ends once `stops` is set and `changed` signalled. */
bool tw_web_heads_watch(struct tw_web_server *server);
void tw_web_heads_end(struct tw_web_server *server);
/* Called by the library when connections begin and end. */
void tw_web_heads_notify(void *context, struct MHD_Connection *connection, void **head,
                         enum MHD_ConnectionNotificationCode code);
/* Call once a head has arrived; and once its answer is sent, before the next head. */
void tw_web_head_came(struct tw_web_server *server, struct MHD_Connection *connection);
void tw_web_head_done(void *context, struct MHD_Connection *connection, void **state,
                      enum MHD_RequestTerminationCode code);

#endif
#endif
