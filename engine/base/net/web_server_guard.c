/* SPDX-License-Identifier: MIT */
/* Decides which requests are answered. */
#include "base/net/web_server_private.h"

#ifdef TW_WITH_MICROHTTPD

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char *header(struct MHD_Connection *connection, const char *name)
{
    return tw_mhd.lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/* Whether "127.0.0.1:PORT" or another of the server's names follows the prefix. */
static bool is_own_name(const struct tw_web_server *server, const char *prefix, const char *text)
{
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
    char own[60];
    for (size_t i = 0; text && i < sizeof names / sizeof *names; i++) {
        snprintf(own, sizeof own, "%s%s:%d", prefix, names[i], (int)server->port);
        if (strcasecmp(text, own) == 0)
            return true;
        snprintf(own, sizeof own, "%s%s", prefix, names[i]);
        if (server->port == 80 && strcasecmp(text, own) == 0)
            return true;
    }
    return false;
}

/* Compares secrets in the same time wherever they differ. */
static bool is_equal(const char *text, const char *secret)
{
    unsigned differs = 0;
    if (!text || strlen(text) != strlen(secret))
        return false;
    for (size_t i = 0; secret[i]; i++)
        differs |= (unsigned char)text[i] ^ (unsigned char)secret[i];
    return differs == 0;
}

bool tw_web_has_key(const struct tw_web_server *server, struct MHD_Connection *connection)
{
    return is_equal(tw_mhd.lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "k"),
                    server->site.key);
}

struct cookie_search {
    const struct tw_web_server *server;
    bool found;
};

/* Several cookies may have the name: one that another server of this machine set, or an old one. */
static enum MHD_Result check_cookie(void *context, enum MHD_ValueKind kind, const char *name,
                                    const char *value)
{
    struct cookie_search *search = context;
    (void)kind;
    search->found |= name && strcmp(name, search->server->cookie) == 0 &&
                     is_equal(value, search->server->site.key);
    return MHD_YES;
}

static bool knows_key(const struct tw_web_server *server, struct MHD_Connection *connection)
{
    struct cookie_search search = {server, false};
    if (tw_web_has_key(server, connection))
        return true;
    (void)tw_mhd.get_connection_values(connection, MHD_COOKIE_KIND, check_cookie, &search);
    return search.found;
}

static bool is_json(const char *type)
{
    static const char json[] = "application/json";
    const size_t length = sizeof json - 1;
    return type && strncasecmp(type, json, length) == 0 && (!type[length] || type[length] == ';');
}

static bool refuse(unsigned *status, unsigned code, const char **why, const char *text)
{
    *status = code;
    *why = text;
    return false;
}

static bool admits_post(const struct tw_web_server *server, struct MHD_Connection *connection,
                        unsigned *status, const char **why)
{
    if (!is_own_name(server, "http://", header(connection, "Origin")))
        return refuse(status, MHD_HTTP_FORBIDDEN, why, "only this server's own page may do that");
    if (!is_equal(header(connection, "X-Thalweg-Token"), server->site.token))
        return refuse(status, MHD_HTTP_FORBIDDEN, why,
                      "the token is missing or old: load the page again");
    if (!is_json(header(connection, "Content-Type")))
        return refuse(status, MHD_HTTP_UNSUPPORTED_MEDIA_TYPE, why, "expected application/json");
    return true;
}

bool tw_web_admits(const struct tw_web_server *server, struct MHD_Connection *connection,
                   const char *path, const char *method, unsigned *status, const char **why)
{
    const bool post = strcmp(method, "POST") == 0;
    const bool takes = server->site.post(server->site.context, path, NULL, NULL);
    if (!is_own_name(server, "", header(connection, MHD_HTTP_HEADER_HOST)))
        return refuse(status, MHD_HTTP_FORBIDDEN, why,
                      "this server answers to its loopback address only");
    if (!knows_key(server, connection))
        return refuse(status, MHD_HTTP_FORBIDDEN, why,
                      "expected the address that 'thalweg serve' has printed, with its key");
    if (post != takes || (!post && strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0))
        return refuse(status, MHD_HTTP_METHOD_NOT_ALLOWED, why,
                      takes ? "expected POST" : "expected GET or HEAD");
    return !post || admits_post(server, connection, status, why);
}

#endif
