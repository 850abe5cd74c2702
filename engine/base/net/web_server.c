/* SPDX-License-Identifier: MIT */
/* Requests and their answers, through libmicrohttpd, which serves all of them in one thread. */
#include "base/net/web_server_private.h"

#ifdef TW_WITH_MICROHTTPD

#include "base/net/socket.h"
#include "base/os/posix.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    REQUEST_BYTES = 1 << 14, /* longest head of a request: longer ones are refused */
    BLOCK = 1 << 14          /* how much of a body an answer copies at a time */
};

/* ---- answers ---- */

/* An answer under way. */
struct answer {
    struct tw_shared *body;
    struct tw_web_server *server;
    struct tw_web_head *head;
};

/* What an answer says beside its body. */
struct labels {
    unsigned status;
    const char *type;
    bool lasting;
    bool keyed;        /* sets the cookie */
    const char *allow; /* methods; NULL: not said */
};

/* Lets a browser show the page, and use it nowhere else. */
static bool add_headers(const struct tw_web_server *server, struct MHD_Response *response,
                        const struct labels *labels)
{
    char cookie[160];
    const char *const headers[][2] = {
        {"Content-Type", labels->type},
        {"Content-Security-Policy", server->site.policy},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cache-Control", labels->lasting ? "private, max-age=86400, immutable" : "no-store"},
        {"Set-Cookie", labels->keyed ? cookie : NULL},
        {"Allow", labels->allow}};
    snprintf(cookie, sizeof cookie, "%s=%s; SameSite=Strict; HttpOnly; Path=/", server->cookie,
             server->site.key);
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        if (headers[i][1] &&
            tw_mhd.add_response_header(response, headers[i][0], headers[i][1]) != MHD_YES)
            return false;
    return true;
}

/* MHD_NO closes the connection without an answer. */
static enum MHD_Result send_response(const struct tw_web_server *server,
                                     struct MHD_Connection *connection,
                                     struct MHD_Response *response, const struct labels *labels)
{
    bool ok = response && add_headers(server, response, labels);
    enum MHD_Result result =
        ok ? tw_mhd.queue_response(connection, labels->status, response) : (enum MHD_Result)MHD_NO;
    if (response)
        tw_mhd.destroy_response(response);
    return result;
}

static enum MHD_Result send_text(struct tw_web_server *server, struct MHD_Connection *connection,
                                 unsigned status, const char *text)
{
    const struct labels labels = {.status = status,
                                  .type = "text/plain; charset=utf-8",
                                  .allow = status != MHD_HTTP_METHOD_NOT_ALLOWED ? NULL
                                           : strstr(text, "POST")                ? "POST"
                                                                                 : "GET, HEAD"};
    char line[200];
    int length = snprintf(line, sizeof line, "%s\n", text);
    (void)tw_web_head_came(server, connection, false);
    return send_response(
        server, connection,
        tw_mhd.create_response_from_buffer((size_t)length, line, MHD_RESPMEM_MUST_COPY), &labels);
}

static ssize_t read_body(void *context, uint64_t position, char *to, size_t size)
{
    const struct answer *answer = context;
    const struct tw_bytes *body = &answer->body->bytes;
    size_t left = body->length - (size_t)position, length = left < size ? left : size;
    memcpy(to, body->at + position, length);
    tw_web_head_moved(answer->server, answer->head, length);
    return (ssize_t)length;
}

static void release_answer(void *context)
{
    struct answer *answer = context;
    tw_shared_release(answer->body);
    free(answer);
}

/* Takes over the page's body. */
static enum MHD_Result send_page(struct tw_web_server *server, struct MHD_Connection *connection,
                                 const struct tw_web_page *page, bool keyed)
{
    const struct labels labels = {.status = page->status ? (unsigned)page->status : MHD_HTTP_OK,
                                  .type = page->type,
                                  .lasting = page->lasting,
                                  .keyed = keyed};
    struct answer *answer = malloc(sizeof *answer);
    if (!answer) {
        tw_shared_release(page->body);
        return MHD_NO;
    }
    *answer = (struct answer){page->body, server, tw_web_head_came(server, connection, false)};
    struct MHD_Response *response = tw_mhd.create_response_from_callback(
        page->body->bytes.length, BLOCK, read_body, answer, release_answer);
    if (!response)
        release_answer(answer);
    return send_response(server, connection, response, &labels);
}

static enum MHD_Result send_events(struct tw_web_server *server, struct MHD_Connection *connection)
{
    const struct labels labels = {.status = MHD_HTTP_OK, .type = "text/event-stream"};
    struct MHD_Response *response = tw_web_listen(server, connection);
    if (!response)
        return send_text(server, connection, MHD_HTTP_SERVICE_UNAVAILABLE,
                         "too many pages listen already");
    (void)tw_web_head_came(server, connection, true);
    return send_response(server, connection, response, &labels);
}

/* ---- requests ---- */

static enum MHD_Result answer_get(struct tw_web_server *server, struct MHD_Connection *connection,
                                  const char *path)
{
    struct tw_web_page page = {.type = NULL};
    if (strcmp(path, "/events") == 0)
        return send_events(server, connection);
    if (!server->site.find(server->site.context, path, &page))
        return send_text(server, connection, MHD_HTTP_NOT_FOUND, "there is nothing at this path");
    return send_page(server, connection, &page,
                     strcmp(path, "/") == 0 && tw_web_has_key(server, connection));
}

static enum MHD_Result answer_post(struct tw_web_server *server, struct MHD_Connection *connection,
                                   const char *path, const struct tw_web_request *request)
{
    struct tw_web_page page = {.type = NULL};
    if (request->too_long)
        return send_text(server, connection, MHD_HTTP_CONTENT_TOO_LARGE,
                         "the body is too long; expected at most 65536 bytes");
    if (!server->site.post(server->site.context, path, &request->body, &page))
        return MHD_NO;
    return send_page(server, connection, &page, false);
}

/* Called once for the head of a request, then for each piece of its body, then for its end. */
static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *path,
                              const char *method, const char *version, const char *body,
                              size_t *length, void **state)
{
    struct tw_web_server *server = context;
    struct tw_web_request *request = *state;
    unsigned status;
    const char *why;
    (void)version;
    if (!request && !tw_web_admits(server, connection, path, method, &status, &why))
        return send_text(server, connection, status, why);
    if (strcmp(method, "POST") != 0)
        return answer_get(server, connection, path);
    if (!request)
        return (*state = calloc(1, sizeof *request)) ? MHD_YES : MHD_NO;
    if (*length == 0)
        return answer_post(server, connection, path, request);
    request->too_long |= *length > TW_WEB_BODY_MAX - request->body.length;
    if (!request->too_long && tw_bytes_append(&request->body, body, *length, NULL) != TW_OK)
        return MHD_NO;
    *length = 0;
    return MHD_YES;
}

/* ---- the server ---- */

static enum tw_status open_socket(struct tw_web_server *server, bool or_another, int *descriptor,
                                  struct tw_error *err)
{
    const int32_t wanted = server->port;
    *descriptor = tw_socket_open(&server->port);
    if (*descriptor < 0 && errno == EADDRINUSE && or_another) {
        server->port = 0;
        *descriptor = tw_socket_open(&server->port);
    }
    if (*descriptor >= 0)
        return TW_OK;
    return errno == EADDRINUSE
               ? tw_error_set(err, TW_IO, "port %d of 127.0.0.1 is taken; expected a free one",
                              (int)wanted)
               : tw_error_set(err, TW_IO, "cannot listen at port %d of 127.0.0.1: %s", (int)wanted,
                              strerror(errno));
}

enum tw_status tw_web_server_start(struct tw_web_server *server, const struct tw_web_site *site,
                                   struct tw_error *err)
{
    const unsigned flags =
        MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD | MHD_ALLOW_SUSPEND_RESUME;
    server->site = *site;
    server->daemon = tw_mhd.start_daemon(
        flags, (uint16_t)server->port, NULL, NULL, answer, server, MHD_OPTION_LISTEN_SOCKET,
        server->descriptor, MHD_OPTION_CONNECTION_LIMIT, (unsigned)TW_WEB_CONNECTIONS_MAX,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)TW_WEB_IDLE_SECONDS,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)REQUEST_BYTES, MHD_OPTION_NOTIFY_CONNECTION,
        tw_web_heads_notify, server, MHD_OPTION_NOTIFY_COMPLETED, tw_web_head_done, server,
        MHD_OPTION_END);
    return server->daemon && tw_web_heads_watch(server)
               ? TW_OK
               : tw_error_set(err, TW_IO, "the web server does not start");
}

/* Times heads by a monotonic clock, where the system can. */
static bool init_changed(struct tw_web_server *server)
{
    pthread_condattr_t monotonic;
    if (pthread_condattr_init(&monotonic) != 0)
        return false;
    bool ok = tw_posix_set_wait_clock(&monotonic) == 0 &&
              pthread_cond_init(&server->changed, &monotonic) == 0;
    (void)pthread_condattr_destroy(&monotonic);
    return ok;
}

static struct tw_web_server *create(void)
{
    struct tw_web_server *server = calloc(1, sizeof *server);
    if (server && pthread_mutex_init(&server->lock, NULL) == 0) {
        if (init_changed(server))
            return server;
        (void)pthread_mutex_destroy(&server->lock);
    }
    free(server);
    return NULL;
}

enum tw_status tw_web_server_open(int32_t port, bool or_another, struct tw_web_server **server,
                                  struct tw_error *err)
{
    *server = NULL;
    if (!tw_web_load_library())
        return tw_error_set(err, TW_USAGE, "a web server needs %s, which cannot be loaded",
                            tw_web_server_lacks());
    struct tw_web_server *created = create();
    if (!created)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    created->port = port;
    enum tw_status status = open_socket(created, or_another, &created->descriptor, err);
    snprintf(created->cookie, sizeof created->cookie, "thalweg-%d", (int)created->port);
    if (status == TW_OK)
        *server = created;
    else
        tw_web_server_stop(created);
    return status;
}

int32_t tw_web_server_port(const struct tw_web_server *server) { return server->port; }

void tw_web_server_stop(struct tw_web_server *server)
{
    if (!server)
        return;
    tw_web_end_listening(server);
    tw_web_heads_end(server);
    if (server->daemon)
        tw_mhd.stop_daemon(server->daemon);
    else if (server->descriptor >= 0)
        tw_socket_close(server->descriptor);
    (void)pthread_cond_destroy(&server->changed);
    (void)pthread_mutex_destroy(&server->lock);
    for (int i = 0; i < TW_WEB_EVENTS_MAX; i++)
        free(server->events[i].at);
    free(server);
}

#else

enum tw_status tw_web_server_open(int32_t port, bool or_another, struct tw_web_server **server,
                                  struct tw_error *err)
{
    (void)port;
    (void)or_another;
    *server = NULL;
    return tw_error_set(err, TW_USAGE, "a web server needs %s, which this build has not got",
                        tw_web_server_lacks());
}

enum tw_status tw_web_server_start(struct tw_web_server *server, const struct tw_web_site *site,
                                   struct tw_error *err)
{
    (void)server;
    (void)site;
    return tw_error_set(err, TW_USAGE, "there is no web server");
}

int32_t tw_web_server_port(const struct tw_web_server *server)
{
    (void)server;
    return 0;
}

void tw_web_server_stop(struct tw_web_server *server) { (void)server; }

#endif
