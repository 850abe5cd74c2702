/* SPDX-License-Identifier: MIT */
#include "base/net/http_private.h"

#include "base/net/socket.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static size_t scheme_length(const char *url)
{
    static const char *const schemes[] = {"http://", "https://"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        if (strncasecmp(url, schemes[i], strlen(schemes[i])) == 0)
            return strlen(schemes[i]);
    return 0;
}

/* Numbers that are not an address, as in 127.0.0.999, count as a name. */
static bool is_loopback(const char *host, size_t length)
{
    char text[sizeof "255.255.255.255"];
    if (length >= sizeof text)
        return false;
    memcpy(text, host, length);
    text[length] = 0;
    return tw_socket_is_loopback(text);
}

bool tw_http_is_local(const char *url)
{
    const char *host = url + scheme_length(url);
    size_t length = host[0] == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":/");
    return (length == 5 && strncmp(host, "[::1]", length) == 0) ||
           (length == 9 && strncasecmp(host, "localhost", length) == 0) ||
           is_loopback(host, length);
}

enum tw_status tw_http_check_address(const char *url, bool secret, struct tw_error *err)
{
    size_t scheme = scheme_length(url), length = strlen(url);
    bool plain = true;
    for (const char *at = url; *at; at++)
        plain = plain && isgraph((unsigned char)*at) && !strchr("?#@\\", *at);
    if (scheme == 0 || scheme == length || length > TW_HTTP_ADDRESS_MAX || !plain)
        return tw_error_set(err, TW_USAGE,
                            "the address of the remote cache cannot be used; expected http://HOST "
                            "or https://HOST, with a port and a folder perhaps, without a user "
                            "name or a query");
    if (secret && strncasecmp(url, "https://", 8) != 0 && !tw_http_is_local(url))
        return tw_error_set(err, TW_USAGE,
                            "a token is not sent to another machine in the clear; expected an "
                            "https:// address");
    return TW_OK;
}
