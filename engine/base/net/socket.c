/* SPDX-License-Identifier: MIT */
/* Opens the socket ourselves, since the library does not report why it cannot listen. */
#include "base/net/socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 64 };

/* SO_REUSEADDR frees a port as soon as the previous server has ended. */
static bool listen_at(int descriptor, int32_t port)
{
    const int one = 1;
    struct sockaddr_in place;
    memset(&place, 0, sizeof place);
    place.sin_family = AF_INET;
    place.sin_port = htons((uint16_t)port);
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 &&
           fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 &&
           setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) == 0 &&
           bind(descriptor, (const struct sockaddr *)&place, sizeof place) == 0 &&
           listen(descriptor, BACKLOG) == 0;
}

int tw_socket_open(int32_t *port)
{
    struct sockaddr_in place;
    socklen_t size = sizeof place;
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    if (descriptor < 0)
        return -1;
    if (listen_at(descriptor, *port) &&
        getsockname(descriptor, (struct sockaddr *)&place, &size) == 0) {
        *port = ntohs(place.sin_port);
        return descriptor;
    }
    int why = errno;
    (void)close(descriptor);
    errno = why;
    return -1;
}

void tw_socket_close(int descriptor) { (void)close(descriptor); }

void tw_socket_shut_down(int descriptor) { (void)shutdown(descriptor, SHUT_RDWR); }

void tw_socket_limit_sending(int descriptor, int bytes)
{
    (void)setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
}

bool tw_socket_is_loopback(const char *address)
{
    struct in_addr number;
    return inet_pton(AF_INET, address, &number) == 1 && ntohl(number.s_addr) >> 24 == 127;
}
