/* SPDX-License-Identifier: MIT */
/* Requests and their answers, through libmicrohttpd, which serves all of them in one thread. */
#include "base/net/web_server_private.h"

#ifdef TW_WITH_MICROHTTPD

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum {
    REQUEST_BYTES = 1 << 14, /* longest head of a request: longer ones are refused */
    BLOCK = 1 << 14          /* how much of a body an answer copies at a time */
};

/* ---- answers ---- */

/* Lets a browser show the page, and use it nowhere else. */
static bool add_headers(const struct tw_web_server *server, struct MHD_Response *response,
                        const char *type, bool lasting)
{
    const char *const headers[][2] = {
        {"Content-Type", type},
        {"Content-Security-Policy", server->site.policy},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cache-Control", lasting ? "private, max-age=86400, immutable" : "no-store"}};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        if (tw_mhd.add_response_header(response, headers[i][0], headers[i][1]) != MHD_YES)
            return false;
    return true;
}

/* MHD_NO closes the connection without an answer. */
static enum MHD_Result send_response(const struct tw_web_server *server,
                                     struct MHD_Connection *connection, unsigned status,
                                     struct MHD_Response *response, const char *type, bool lasting)
{
    bool ok = response && add_headers(server, response, type, lasting);
    if (ok && status == MHD_HTTP_METHOD_NOT_ALLOWED)
        ok = tw_mhd.add_response_header(response, "Allow", "GET, HEAD") == MHD_YES;
    enum MHD_Result result =
        ok ? tw_mhd.queue_response(connection, status, response) : (enum MHD_Result)MHD_NO;
    if (response)
        tw_mhd.destroy_response(response);
    return result;
}

static enum MHD_Result send_text(const struct tw_web_server *server,
                                 struct MHD_Connection *connection, unsigned status,
                                 const char *text)
{
    char line[200];
    int length = snprintf(line, sizeof line, "%s\n", text);
    return send_response(
        server, connection, status,
        tw_mhd.create_response_from_buffer((size_t)length, line, MHD_RESPMEM_MUST_COPY),
        "text/plain; charset=utf-8", false);
}

static ssize_t read_body(void *context, uint64_t position, char *to, size_t size)
{
    const struct tw_bytes *body = &((const struct tw_shared *)context)->bytes;
    size_t left = body->length - (size_t)position, length = left < size ? left : size;
    memcpy(to, body->at + position, length);
    return (ssize_t)length;
}

static void release_body(void *context) { tw_shared_release(context); }

static enum MHD_Result send_page(const struct tw_web_server *server,
                                 struct MHD_Connection *connection, const char *path)
{
    struct tw_web_page page = {.type = NULL};
    if (!server->site.find(server->site.context, path, &page))
        return send_text(server, connection, MHD_HTTP_NOT_FOUND, "there is nothing at this path");
    struct MHD_Response *response = tw_mhd.create_response_from_callback(
        page.body->bytes.length, BLOCK, read_body, page.body, release_body);
    if (!response)
        tw_shared_release(page.body);
    return send_response(server, connection, MHD_HTTP_OK, response, page.type, page.lasting);
}

static enum MHD_Result send_events(struct tw_web_server *server, struct MHD_Connection *connection)
{
    struct MHD_Response *response = tw_web_listen(server, connection);
    return response ? send_response(server, connection, MHD_HTTP_OK, response, "text/event-stream",
                                    false)
                    : send_text(server, connection, MHD_HTTP_SERVICE_UNAVAILABLE,
                                "too many pages listen already");
}

/* ---- requests ---- */

/* Checks the Host header, which is the name that the browser believes to talk to. */
static bool is_own_name(const struct tw_web_server *server, const char *host)
{
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
    char own[40];
    for (size_t i = 0; host && i < sizeof names / sizeof *names; i++) {
        snprintf(own, sizeof own, "%s:%d", names[i], (int)server->port);
        if (strcasecmp(host, own) == 0 || (server->port == 80 && strcasecmp(host, names[i]) == 0))
            return true;
    }
    return false;
}

/* Answers once the head has arrived: bodies are not read. */
static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *path,
                              const char *method, const char *version, const char *body,
                              size_t *length, void **state)
{
    struct tw_web_server *server = context;
    tw_web_head_came(server, connection);
    const char *host =
        tw_mhd.lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST);
    (void)version;
    (void)body;
    (void)length;
    (void)state;
    if (!is_own_name(server, host))
        return send_text(server, connection, MHD_HTTP_FORBIDDEN,
                         "this server answers to its loopback address only");
    if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
        return send_text(server, connection, MHD_HTTP_METHOD_NOT_ALLOWED, "expected GET or HEAD");
    return strcmp(path, "/events") == 0 ? send_events(server, connection)
                                        : send_page(server, connection, path);
}

/* ---- the server ---- */

static enum tw_status open_socket(struct tw_web_server *server, bool or_another, int *descriptor,
                                  struct tw_error *err)
{
    const int32_t wanted = server->port;
    *descriptor = tw_web_socket_open(&server->port);
    if (*descriptor < 0 && errno == EADDRINUSE && or_another) {
        server->port = 0;
        *descriptor = tw_web_socket_open(&server->port);
    }
    if (*descriptor >= 0)
        return TW_OK;
    return errno == EADDRINUSE
               ? tw_error_set(err, TW_IO, "port %d of 127.0.0.1 is taken; expected a free one",
                              (int)wanted)
               : tw_error_set(err, TW_IO, "cannot listen at port %d of 127.0.0.1: %s", (int)wanted,
                              strerror(errno));
}

static enum tw_status start(struct tw_web_server *server, int descriptor, struct tw_error *err)
{
    const unsigned flags =
        MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD | MHD_ALLOW_SUSPEND_RESUME;
    server->daemon = tw_mhd.start_daemon(
        flags, (uint16_t)server->port, NULL, NULL, answer, server, MHD_OPTION_LISTEN_SOCKET,
        descriptor, MHD_OPTION_CONNECTION_LIMIT, (unsigned)TW_WEB_CONNECTIONS_MAX,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)TW_WEB_SECONDS, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)REQUEST_BYTES, MHD_OPTION_NOTIFY_CONNECTION, tw_web_heads_notify, server,
        MHD_OPTION_NOTIFY_COMPLETED, tw_web_head_done, server, MHD_OPTION_END);
    return server->daemon && tw_web_heads_watch(server)
               ? TW_OK
               : tw_error_set(err, TW_IO, "the web server does not start");
}

/* Times heads by a monotonic clock. */
static bool init_changed(struct tw_web_server *server)
{
    pthread_condattr_t monotonic;
    if (pthread_condattr_init(&monotonic) != 0)
        return false;
    bool ok = pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC) == 0 &&
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

enum tw_status tw_web_server_start(const struct tw_web_site *site, int32_t port, bool or_another,
                                   struct tw_web_server **server, struct tw_error *err)
{
    int descriptor;
    *server = NULL;
    if (!tw_web_load_library())
        return tw_error_set(err, TW_USAGE, "a web server needs %s, which cannot be loaded",
                            tw_web_server_lacks());
    struct tw_web_server *created = create();
    if (!created)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    created->site = *site;
    created->port = port;
    enum tw_status status = open_socket(created, or_another, &descriptor, err);
    if (status == TW_OK)
        status = start(created, descriptor, err);
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
    (void)pthread_cond_destroy(&server->changed);
    (void)pthread_mutex_destroy(&server->lock);
    free(server->event.at);
    free(server);
}

#else

enum tw_status tw_web_server_start(const struct tw_web_site *site, int32_t port, bool or_another,
                                   struct tw_web_server **server, struct tw_error *err)
{
    (void)site;
    (void)port;
    (void)or_another;
    *server = NULL;
    return tw_error_set(err, TW_USAGE, "a web server needs %s, which this build has not got",
                        tw_web_server_lacks());
}

int32_t tw_web_server_port(const struct tw_web_server *server)
{
    (void)server;
    return 0;
}

void tw_web_server_stop(struct tw_web_server *server) { (void)server; }

#endif
