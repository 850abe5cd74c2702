/* SPDX-License-Identifier: MIT */
/* Deadlines of requests and of answers. The library limits only how long a connection may be idle,
 * so clients that send or take a byte now and then could hold all connections forever. A thread
 * shuts late connections down; the library then reads their end and closes them. Invariant: the
 * library closes a descriptor after tw_web_heads_notify() has freed its head under the lock, so the
 * thread never shuts down another connection's descriptor. */
#include "base/net/web_server_private.h"

#ifdef TW_WITH_MICROHTTPD

#include "base/net/socket.h"
#include "base/os/posix.h"

#include <stdlib.h>

enum {
    NANOSECONDS = 1000000000,
    SEND_BUFFER = 1 << 17 /* so that what the system holds hardly counts as moved */
};

static int64_t now(void)
{
    struct timespec time = {0};
    (void)clock_gettime(TW_POSIX_WAIT_CLOCK, &time);
    return (int64_t)time.tv_sec * NANOSECONDS + time.tv_nsec;
}

/* ---- under the lock ---- */

/* When an answer that has moved so far is too slow. */
static int64_t due_of(const struct tw_web_head *head)
{
    const int64_t seconds = TW_WEB_ANSWER_SECONDS + (int64_t)(head->moved / TW_WEB_ANSWER_BYTES);
    return head->answered + seconds * NANOSECONDS;
}

/* Shuts late connections down. Returns when the next head is due; INT64_MAX: none is awaited. */
static int64_t close_late(struct tw_web_server *server)
{
    int64_t next = INT64_MAX, time = now();
    for (int i = 0; i < TW_WEB_CONNECTIONS_MAX; i++) {
        struct tw_web_head *head = &server->heads[i];
        if (head->open && head->answered && head->due < INT64_MAX)
            head->due = due_of(head);
        if (head->open && head->due <= time) {
            tw_socket_shut_down(head->descriptor);
            head->due = INT64_MAX;
        }
        if (head->open && head->due < next)
            next = head->due;
    }
    return next;
}

static void await_head(struct tw_web_server *server, struct tw_web_head *head)
{
    head->answered = 0;
    head->due = now() + (int64_t)TW_WEB_REQUEST_SECONDS * NANOSECONDS;
    (void)pthread_cond_signal(&server->changed);
}

/* There are as many heads as the library has connections. */
static struct tw_web_head *open_head(struct tw_web_server *server, int descriptor)
{
    struct tw_web_head *head = server->heads;
    while (head->open)
        head++;
    tw_socket_limit_sending(descriptor, SEND_BUFFER);
    *head = (struct tw_web_head){.open = true, .descriptor = descriptor};
    await_head(server, head);
    return head;
}

/* ---- the thread ---- */

static void *watch(void *context)
{
    struct tw_web_server *server = context;
    (void)pthread_mutex_lock(&server->lock);
    while (!server->stops) {
        int64_t next = close_late(server);
        const struct timespec time = {next / NANOSECONDS, (long)(next % NANOSECONDS)};
        if (next == INT64_MAX)
            (void)pthread_cond_wait(&server->changed, &server->lock);
        else
            (void)pthread_cond_timedwait(&server->changed, &server->lock, &time);
    }
    (void)pthread_mutex_unlock(&server->lock);
    return NULL;
}

bool tw_web_heads_watch(struct tw_web_server *server)
{
    server->is_watched = pthread_create(&server->watcher, NULL, watch, server) == 0;
    return server->is_watched;
}

void tw_web_heads_end(struct tw_web_server *server)
{
    if (server->is_watched)
        (void)pthread_join(server->watcher, NULL);
}

/* ---- called by the library's thread ---- */

void tw_web_heads_notify(void *context, struct MHD_Connection *connection, void **head,
                         enum MHD_ConnectionNotificationCode code)
{
    struct tw_web_server *server = context;
    (void)pthread_mutex_lock(&server->lock);
    if (code == MHD_CONNECTION_NOTIFY_STARTED)
        *head = open_head(
            server, (int)tw_mhd.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)
                        ->connect_fd);
    else
        ((struct tw_web_head *)*head)->open = false;
    (void)pthread_mutex_unlock(&server->lock);
}

static struct tw_web_head *head_of(struct MHD_Connection *connection)
{
    return tw_mhd.get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)
        ->socket_context;
}

struct tw_web_head *tw_web_head_came(struct tw_web_server *server,
                                     struct MHD_Connection *connection, bool listens)
{
    struct tw_web_head *head = head_of(connection);
    (void)pthread_mutex_lock(&server->lock);
    head->moved = 0;
    head->answered = listens ? 0 : now();
    head->due = listens ? INT64_MAX : due_of(head);
    (void)pthread_cond_signal(&server->changed);
    (void)pthread_mutex_unlock(&server->lock);
    return head;
}

void tw_web_head_moved(struct tw_web_server *server, struct tw_web_head *head, size_t bytes)
{
    (void)pthread_mutex_lock(&server->lock);
    head->moved += bytes;
    (void)pthread_mutex_unlock(&server->lock);
}

void tw_web_head_done(void *context, struct MHD_Connection *connection, void **state,
                      enum MHD_RequestTerminationCode code)
{
    struct tw_web_server *server = context;
    struct tw_web_request *request = *state;
    (void)code;
    if (request)
        free(request->body.at);
    free(request);
    *state = NULL;
    (void)pthread_mutex_lock(&server->lock);
    await_head(server, head_of(connection));
    (void)pthread_mutex_unlock(&server->lock);
}

#endif
