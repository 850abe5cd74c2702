/* SPDX-License-Identifier: MIT */
/* Answers to /events. The last events stay in a ring, from which listeners take them at their own
 * pace. Invariant: a listener is suspended exactly while it has nothing to send, and
 * the thread that gives it something resumes it, both under the server's lock. The library does not
 * notice when the peer of a suspended connection disconnects, so each new listener sends a comment
 * to all others: those whose peer has gone fail and are removed. */
#include "base/net/web_server_private.h"

#ifdef TW_WITH_MICROHTTPD

#include <stdlib.h>
#include <string.h>

enum { LISTENERS_MAX = 32, BLOCK = 4096 };

struct tw_web_listener {
    struct tw_web_listener *next;
    struct tw_web_server *server;
    struct MHD_Connection *connection;
    struct tw_bytes text; /* text being sent */
    size_t sent;          /* bytes of it sent so far */
    uint64_t seen;        /* number of the last event that was put into the text */
    bool suspended;
    bool comes;  /* it has got nothing yet */
    bool greets; /* send a comment next */
};

/* ---- under the lock ---- */

static bool put(struct tw_web_listener *listener, const void *data, size_t length)
{
    listener->sent = listener->text.length = 0;
    return tw_bytes_append(&listener->text, data, length, NULL) == TW_OK;
}

/* Picks the next event; "state" for a listener that has missed some, or has just come. */
static void choose_text(struct tw_web_listener *listener)
{
    static const char comment[] = ":\n\n", state[] = "event: state\ndata: {}\n\n";
    const struct tw_web_server *server = listener->server;
    if (listener->sent < listener->text.length)
        return;
    const struct tw_bytes *next = &server->events[(listener->seen + 1) % TW_WEB_EVENTS_MAX];
    const bool missed = listener->comes || server->number - listener->seen > TW_WEB_EVENTS_MAX;
    if (missed && put(listener, state, sizeof state - 1)) {
        listener->comes = false;
        listener->seen = server->number;
    } else if (!missed && listener->seen != server->number) {
        if (put(listener, next->at, next->length))
            listener->seen++;
    } else if (listener->greets && put(listener, comment, sizeof comment - 1)) {
        listener->greets = false;
    }
}

static void wake(struct tw_web_listener *listener)
{
    if (listener->suspended)
        tw_mhd.resume_connection(listener->connection);
    listener->suspended = false;
}

static void wake_all(struct tw_web_server *server)
{
    for (struct tw_web_listener *at = server->listeners; at; at = at->next)
        wake(at);
}

static ssize_t take(struct tw_web_listener *listener, char *to, size_t size)
{
    size_t left = listener->text.length - listener->sent;
    size_t length = left < size ? left : size;
    memcpy(to, listener->text.at + listener->sent, length);
    listener->sent += length;
    return (ssize_t)length;
}

/* ---- called by the library ---- */

static ssize_t read_events(void *context, uint64_t position, char *to, size_t size)
{
    struct tw_web_listener *listener = context;
    struct tw_web_server *server = listener->server;
    ssize_t length = 0;
    (void)position;
    (void)pthread_mutex_lock(&server->lock);
    choose_text(listener);
    if (server->stops) {
        length = MHD_CONTENT_READER_END_OF_STREAM;
    } else if (listener->sent < listener->text.length) {
        length = take(listener, to, size);
    } else {
        listener->suspended = true;
        tw_mhd.suspend_connection(listener->connection);
    }
    (void)pthread_mutex_unlock(&server->lock);
    return length;
}

static void forget(void *context)
{
    struct tw_web_listener *listener = context;
    struct tw_web_server *server = listener->server;
    (void)pthread_mutex_lock(&server->lock);
    struct tw_web_listener **at = &server->listeners;
    while (*at != listener)
        at = &(*at)->next;
    *at = listener->next;
    server->listener_count--;
    (void)pthread_mutex_unlock(&server->lock);
    free(listener->text.at);
    free(listener);
}

/* ---- for the server ---- */

/* Adds a listener; false if there are too many. */
static bool join(struct tw_web_server *server, struct tw_web_listener *listener)
{
    (void)pthread_mutex_lock(&server->lock);
    bool joins = server->listener_count < LISTENERS_MAX;
    for (struct tw_web_listener *at = server->listeners; at; at = at->next)
        at->greets = true;
    wake_all(server);
    if (joins) {
        listener->next = server->listeners;
        server->listeners = listener;
        server->listener_count++;
    }
    (void)pthread_mutex_unlock(&server->lock);
    return joins;
}

struct MHD_Response *tw_web_listen(struct tw_web_server *server, struct MHD_Connection *connection)
{
    struct tw_web_listener *listener = calloc(1, sizeof *listener);
    if (!listener)
        return NULL;
    listener->server = server;
    listener->connection = connection;
    listener->comes = true; /* so that the answer's head is sent at once */
    if (!join(server, listener)) {
        free(listener);
        return NULL;
    }
    struct MHD_Response *response = tw_mhd.create_response_from_callback(
        MHD_SIZE_UNKNOWN, BLOCK, read_events, listener, forget);
    if (!response)
        forget(listener);
    return response;
}

void tw_web_server_tell(struct tw_web_server *server, const char *name, const char *event)
{
    (void)pthread_mutex_lock(&server->lock);
    struct tw_bytes *next = &server->events[(server->number + 1) % TW_WEB_EVENTS_MAX];
    next->length = 0;
    server->number++;
    if (tw_bytes_print(next, NULL, "event: %s\ndata: %s\n\n", name, event) != TW_OK) {
        next->length = 0;
        for (struct tw_web_listener *at = server->listeners; at; at = at->next)
            at->comes = true;
    }
    wake_all(server);
    (void)pthread_mutex_unlock(&server->lock);
}

void tw_web_end_listening(struct tw_web_server *server)
{
    (void)pthread_mutex_lock(&server->lock);
    server->stops = true;
    (void)pthread_cond_signal(&server->changed);
    wake_all(server);
    (void)pthread_mutex_unlock(&server->lock);
}

#else

void tw_web_server_tell(struct tw_web_server *server, const char *name, const char *event)
{
    (void)server;
    (void)name;
    (void)event;
}

#endif
