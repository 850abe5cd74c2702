/* SPDX-License-Identifier: MIT */
#include "support/web_server.h"

#include "support/harness.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HEAD_MAX = 8192, CONNECTIONS_MAX = 64 };

struct object {
    struct object *next;
    char path[128];
    unsigned char *data;
    size_t size;
};

struct web_state {
    int listener;
    atomic_bool stop;
    pthread_t thread;
    pthread_mutex_t lock;
    struct object *objects; /* in reverse order of storing */
    int connections;
    pthread_t workers[CONNECTIONS_MAX];
};

struct connection {
    struct web_server *server;
    int socket;
};

/* ---- objects ---- */

static struct object *find(struct web_state *state, const char *path)
{
    struct object *at = state->objects;
    while (at && strcmp(at->path, path) != 0)
        at = at->next;
    return at;
}

/* Takes over the data. */
static void store(struct web_state *state, const char *path, unsigned char *data, size_t size)
{
    pthread_mutex_lock(&state->lock);
    struct object *object = find(state, path);
    if (!object) {
        object = calloc(1, sizeof *object);
        snprintf(object->path, sizeof object->path, "%s", path);
        object->next = state->objects;
        state->objects = object;
    }
    free(object->data);
    object->data = data;
    object->size = size;
    pthread_mutex_unlock(&state->lock);
}

/* A copy with a spare byte at its end; NULL if there is no such object. */
static unsigned char *copy_object(struct web_server *server, const char *path, size_t *size)
{
    struct web_state *state = server->state;
    unsigned char *copy = NULL;
    pthread_mutex_lock(&state->lock);
    struct object *object = find(state, path);
    if (object && server->fault == WEB_SWAPPED && strncmp(path, "/ac/", 4) == 0)
        for (struct object *at = state->objects; at; at = at->next)
            object = strncmp(at->path, "/ac/", 4) == 0 ? at : object;
    if (object) {
        copy = calloc(1, object->size + 1);
        memcpy(copy, object->data, object->size);
        *size = object->size;
    }
    pthread_mutex_unlock(&state->lock);
    return copy;
}

/* ---- connections ---- */

/* Returns false if the server stops first. */
static bool wait_for(const struct connection *c, short events, int milliseconds)
{
    struct pollfd at = {.fd = c->socket, .events = events};
    while (!c->server->state->stop) {
        if (poll(&at, 1, milliseconds > 0 ? milliseconds : 10) > 0)
            return true;
        if (milliseconds > 0)
            return true;
    }
    return false;
}

static bool put_all(const struct connection *c, const void *data, size_t size)
{
    const char *at = data;
    while (size > 0) {
        ssize_t put = send(c->socket, at, size, MSG_NOSIGNAL);
        if (put <= 0)
            return false;
        at += put;
        size -= (size_t)put;
    }
    return true;
}

/* Reads the head of a request, and as much of its body as arrived with it. */
static bool read_head(const struct connection *c, char *head, size_t *length)
{
    size_t have = 0;
    for (*length = 0; have < HEAD_MAX;) {
        if (!wait_for(c, POLLIN, 0))
            return false;
        ssize_t got = recv(c->socket, head + have, HEAD_MAX - have, 0);
        if (got <= 0)
            return false;
        have += (size_t)got;
        head[have] = 0;
        *length = have;
        if (strstr(head, "\r\n\r\n"))
            return true;
    }
    return false;
}

static unsigned char *read_body(const struct connection *c, const char *head, size_t length,
                                size_t size)
{
    const char *body = strstr(head, "\r\n\r\n") + 4;
    size_t have = length - (size_t)(body - head);
    unsigned char *data = malloc(size + 1);
    memcpy(data, body, have < size ? have : size);
    while (have < size && wait_for(c, POLLIN, 0)) {
        ssize_t got = recv(c->socket, data + have, size - have, 0);
        if (got <= 0)
            break;
        have += (size_t)got;
    }
    if (have >= size)
        return data;
    free(data);
    return NULL;
}

static bool answer(const struct connection *c, int status, const char *headers, size_t length)
{
    const char *more = c->server->headers ? c->server->headers : "";
    char head[256];
    snprintf(head, sizeof head, "HTTP/1.1 %d x\r\n%s%sContent-Length: %zu\r\n\r\n", status, more,
             headers, length);
    return put_all(c, head, strlen(head));
}

static bool answer_text(const struct connection *c, int status, const char *headers)
{
    static const char text[] = "no";
    return answer(c, status, headers, sizeof text - 1) && put_all(c, text, sizeof text - 1);
}

static bool send_slowly(const struct connection *c, const unsigned char *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (!put_all(c, data + i, 1) || !wait_for(c, 0, 20) || c->server->state->stop)
            return false;
    return true;
}

static bool send_pieces(const struct connection *c, const unsigned char *data, size_t size)
{
    size_t sent = 0;
    for (; sent < 40 && sent + 5 <= size; sent += 5)
        if (!put_all(c, data + sent, 5) || !wait_for(c, 0, 2))
            return false;
    return put_all(c, data + sent, size - sent);
}

static bool send_body(const struct connection *c, enum web_fault fault, const unsigned char *data,
                      size_t size)
{
    if (fault == WEB_SLOW)
        return send_slowly(c, data, size);
    if (fault == WEB_PIECES)
        return send_pieces(c, data, size);
    if (fault == WEB_LONG || fault == WEB_LATE) /* sends the extra byte separately */
        return put_all(c, data, size - 1) && wait_for(c, 0, 2) && put_all(c, data + size - 1, 1);
    return put_all(c, data, size);
}

static bool answer_without_length(const struct connection *c)
{
    static const char head[] = "HTTP/1.1 200 x\r\nConnection: close\r\n\r\n";
    return put_all(c, head, sizeof head - 1);
}

static bool send_without_end(const struct connection *c)
{
    static const char zeros[4096];
    bool ok = answer_without_length(c);
    while (ok && !c->server->state->stop)
        ok = put_all(c, zeros, sizeof zeros);
    return false;
}

static bool send_object(const struct connection *c, const char *path, bool body)
{
    enum web_fault fault = c->server->fault;
    if (fault == WEB_LATE && strncmp(path, "/cas/", 5) != 0)
        fault = WEB_NONE;
    size_t size = 0;
    unsigned char *data = copy_object(c->server, path, &size);
    bool ok;
    if (!data)
        return body ? answer_text(c, 404, "") : answer(c, 404, "", 0);
    if (fault == WEB_FLIPPED)
        data[size / 2] ^= 1;
    bool cut = fault == WEB_SHORT || fault == WEB_HALF;
    size_t sent = cut ? size / 2 : size + (fault == WEB_LONG || fault == WEB_LATE);
    if (fault == WEB_ENDLESS && body)
        ok = send_without_end(c);
    else if (fault == WEB_LATE)
        ok = answer_without_length(c);
    else
        ok = answer(c, 200, "", fault == WEB_HALF ? size : sent);
    if (ok && body)
        ok = send_body(c, fault, data, sent);
    free(data);
    return ok && fault != WEB_HALF && fault != WEB_LATE;
}

static bool put_object(const struct connection *c, const char *path, const char *head,
                       size_t length)
{
    struct web_server *server = c->server;
    const char *field = strstr(head, "\r\nContent-Length:");
    size_t size = field ? strtoul(field + sizeof "\r\nContent-Length:" - 1, NULL, 10) : 0;
    unsigned char *data = read_body(c, head, length, size);
    if (!data)
        return false;
    bool is_strict = server->fault == WEB_STRICT || server->fault == WEB_STRICT_ONE_FIRST;
    if (server->fault == WEB_PUT_STATUS || (is_strict && strncmp(path, "/cas/", 5) == 0)) {
        free(data);
        return answer_text(c, server->status, "");
    }
    store(server->state, path, data, size);
    return answer(c, 201, "", 0);
}

/* Returns false if the connection must be closed. */
static bool serve(const struct connection *c, char *head, size_t length)
{
    struct web_server *server = c->server;
    char method[8] = "", path[128] = "", place[96];
    if (sscanf(head, "%7s %127s", method, path) != 2)
        return false;
    enum web_fault fault = server->fault;
    bool put = strcmp(method, "PUT") == 0, get = strcmp(method, "GET") == 0;
    atomic_fetch_add(put ? &server->puts : get ? &server->gets : &server->heads, 1);
    if (strstr(head, "\r\nAuthorization: Bearer x\r\n"))
        atomic_fetch_add(&server->authorized, 1);
    switch (fault) {
    case WEB_SILENT:
        while (wait_for(c, 0, 0))
            ;
        return false;
    case WEB_PUT_SILENT:
        while (put && wait_for(c, 0, 0))
            ;
        break;
    case WEB_STRICT_ONE_FIRST:
        if (!put && !get && strncmp(path, "/cas/", 5) == 0 && server->heads > 1)
            while (web_count(server, "/ac/") == 0 && wait_for(c, 0, 2) && !server->state->stop)
                ;
        break;
    case WEB_HANG_UP:
        return false;
    case WEB_GARBAGE:
        (void)put_all(c, "\x16\x03nonsense\r\n\r\n", 14);
        return false;
    case WEB_REDIRECT:
        snprintf(place, sizeof place, "Location: http://127.0.0.1:%d/ac/x\r\n", server->elsewhere);
        (void)answer_text(c, 302, place);
        return false;
    case WEB_STATUS:
        (void)answer_text(c, server->status, "");
        return false;
    default:
        break;
    }
    return put ? put_object(c, path, head, length) : send_object(c, path, get);
}

static void *run_connection(void *context)
{
    struct connection *c = context;
    char head[HEAD_MAX + 1];
    size_t length;
    while (read_head(c, head, &length) && serve(c, head, length))
        ;
    close(c->socket);
    free(c);
    return NULL;
}

static void *run_server(void *context)
{
    struct web_server *server = context;
    struct web_state *state = server->state;
    const struct connection listening = {server, state->listener};
    int one = 1;
    while (wait_for(&listening, POLLIN, 0) && state->connections < CONNECTIONS_MAX) {
        struct connection *c = malloc(sizeof *c);
        *c = (struct connection){server, accept(state->listener, NULL, NULL)};
        setsockopt(c->socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        if (c->socket < 0 ||
            pthread_create(&state->workers[state->connections], NULL, run_connection, c) != 0) {
            free(c);
            break;
        }
        state->connections++;
    }
    return NULL;
}

/* ---- starting and stopping ---- */

static int open_port(int *port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    int opened = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(opened >= 0);
    assert_int_equal(bind(opened, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(getsockname(opened, (struct sockaddr *)&at, &size), 0);
    *port = ntohs(at.sin_port);
    return opened;
}

int web_dead_port(void)
{
    int port;
    close(open_port(&port));
    return port;
}

void web_start(struct web_server *server)
{
    struct web_state *state = calloc(1, sizeof *state);
    *server = (struct web_server){.state = state};
    state->listener = open_port(&server->port);
    assert_int_equal(listen(state->listener, 64), 0);
    pthread_mutex_init(&state->lock, NULL);
    assert_int_equal(pthread_create(&state->thread, NULL, run_server, server), 0);
}

void web_stop(struct web_server *server)
{
    struct web_state *state = server->state;
    state->stop = true;
    pthread_join(state->thread, NULL);
    for (int i = 0; i < state->connections; i++)
        pthread_join(state->workers[i], NULL);
    close(state->listener);
    while (state->objects) {
        struct object *next = state->objects->next;
        free(state->objects->data);
        free(state->objects);
        state->objects = next;
    }
    pthread_mutex_destroy(&state->lock);
    free(state);
}

int web_requests(const struct web_server *server)
{
    return server->gets + server->heads + server->puts;
}

void web_reset(struct web_server *server)
{
    server->gets = 0;
    server->heads = 0;
    server->puts = 0;
    server->authorized = 0;
}

int web_count(struct web_server *server, const char *prefix)
{
    int count = 0;
    pthread_mutex_lock(&server->state->lock);
    for (struct object *at = server->state->objects; at; at = at->next)
        count += strncmp(at->path, prefix, strlen(prefix)) == 0;
    pthread_mutex_unlock(&server->state->lock);
    return count;
}

void web_damage(struct web_server *server, const char *prefix)
{
    pthread_mutex_lock(&server->state->lock);
    for (struct object *at = server->state->objects; at; at = at->next)
        if (strncmp(at->path, prefix, strlen(prefix)) == 0)
            at->data[at->size / 2] ^= 1;
    pthread_mutex_unlock(&server->state->lock);
}
