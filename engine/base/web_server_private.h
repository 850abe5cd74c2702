/* SPDX-License-Identifier: MIT */
/* What the files web_server*.c share: libmicrohttpd's functions, a server, and who listens to it.
 */
#ifndef TW_ENGINE_BASE_WEB_SERVER_PRIVATE_H
#define TW_ENGINE_BASE_WEB_SERVER_PRIVATE_H

#include "base/web_server.h"

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

struct tw_web_server {
    struct tw_web_site site;
    int32_t port;
    struct MHD_Daemon *daemon;
    pthread_mutex_t lock; /* of all that follows */
    struct tw_bytes event;
    uint64_t number; /* of that event; 0: there was none */
    struct tw_web_listener *listeners;
    int listener_count;
    bool stops;
};

/* web_server_events.c: an answer that does not end before the server does; NULL where too many
 * listen, or without memory. */
struct MHD_Response *tw_web_listen(struct tw_web_server *server, struct MHD_Connection *connection);
/* Ends all of these answers. */
void tw_web_end_listening(struct tw_web_server *server);

#endif
#endif
