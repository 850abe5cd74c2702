/* SPDX-License-Identifier: MIT */
/* What the files web_server*.c share: libmicrohttpd's functions, a server, and who listens to it.
 */
#ifndef TW_ENGINE_BASE_NET_WEB_SERVER_PRIVATE_H
#define TW_ENGINE_BASE_NET_WEB_SERVER_PRIVATE_H

#include "base/net/web_server.h"

/* web_server_socket.c: a socket that listens at a port of 127.0.0.1, which *port becomes; 0 takes a
 * free one. -1, with errno, when there is none. */
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

/* libmicrohttpd's functions, once tw_web_load_library() has returned true. */
struct tw_web_library {
#define TW_WEB_MEMBER(name) __typeof__(MHD_##name) *name;
    TW_WEB_FUNCTIONS(TW_WEB_MEMBER)
#undef TW_WEB_MEMBER
};
extern struct tw_web_library tw_mhd;
bool tw_web_load_library(void);

enum {
    TW_WEB_CONNECTIONS_MAX = 128,
    /* that a connection may move nothing, unless it listens to events; that a head may take */
    TW_WEB_SECONDS = 5
};

/* A connection. */
struct tw_web_head {
    bool open;
    int descriptor;
    int64_t due; /* nanoseconds of the monotonic clock, for the head of a request; INT64_MAX: it is
                    here, and its answer under way */
};

struct tw_web_server {
    struct tw_web_site site;
    int32_t port;
    struct MHD_Daemon *daemon;
    pthread_mutex_t lock; /* of all that follows */
    struct tw_bytes event;
    uint64_t number; /* of that event; 0: there was none */
    struct tw_web_listener *listeners;
    int listener_count;
    struct tw_web_head heads[TW_WEB_CONNECTIONS_MAX];
    bool stops;

    pthread_t watcher; /* of heads */
    bool is_watched;
    pthread_cond_t changed; /* a head's time, or `stops` */
};

/* web_server_events.c: an answer that does not end before the server does; NULL where too many
 * listen, or without memory. */
struct MHD_Response *tw_web_listen(struct tw_web_server *server, struct MHD_Connection *connection);
/* Ends all of these answers. */
void tw_web_end_listening(struct tw_web_server *server);

/* web_server_heads.c: a thread closes every connection whose head is late; false when there is no
 * such thread. It ends once `stops` is set and `changed` signalled. */
bool tw_web_heads_watch(struct tw_web_server *server);
void tw_web_heads_end(struct tw_web_server *server);
/* For the library, when connections begin and end. */
void tw_web_heads_notify(void *context, struct MHD_Connection *connection, void **head,
                         enum MHD_ConnectionNotificationCode code);
/* A head is here; the answer to it is done, and the next head may come. */
void tw_web_head_came(struct tw_web_server *server, struct MHD_Connection *connection);
void tw_web_head_done(void *context, struct MHD_Connection *connection, void **state,
                      enum MHD_RequestTerminationCode code);

#endif
#endif
