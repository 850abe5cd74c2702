/* SPDX-License-Identifier: MIT */
/* Windows numbers sockets apart from files, by handles, whose values fit into an int. */
#include "base/net/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <winsock2.h>
#include <ws2tcpip.h>

enum { BACKLOG = 64 };

static bool start(void)
{
    static bool started; /* starting twice only counts */
    WSADATA data;
    if (!started)
        started = WSAStartup(MAKEWORD(2, 2), &data) == 0;
    return started;
}

/* A port that another program listens at stays its own. */
static bool listen_at(SOCKET descriptor, int32_t port)
{
    const BOOL one = TRUE;
    u_long unblocked = 1;
    struct sockaddr_in place;
    memset(&place, 0, sizeof place);
    place.sin_family = AF_INET;
    place.sin_port = htons((uint16_t)port);
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return SetHandleInformation((HANDLE)descriptor, HANDLE_FLAG_INHERIT, 0) &&
           ioctlsocket(descriptor, (long)FIONBIO, &unblocked) == 0 &&
           setsockopt(descriptor, SOL_SOCKET, SO_EXCLUSIVEADDRUSE, (const char *)&one,
                      sizeof one) == 0 &&
           bind(descriptor, (const struct sockaddr *)&place, sizeof place) == 0 &&
           listen(descriptor, BACKLOG) == 0;
}

static int errno_of(int error)
{
    return error == WSAEADDRINUSE ? EADDRINUSE
           : error == WSAEACCES   ? EACCES
           : error == WSAEMFILE   ? EMFILE
                                  : EIO;
}

int tw_socket_open(int32_t *port)
{
    struct sockaddr_in place;
    int size = sizeof place;
    SOCKET descriptor = start() ? socket(AF_INET, SOCK_STREAM, 0) : INVALID_SOCKET;
    if (descriptor != INVALID_SOCKET && listen_at(descriptor, *port) &&
        getsockname(descriptor, (struct sockaddr *)&place, &size) == 0) {
        *port = ntohs(place.sin_port);
        return (int)descriptor;
    }
    const int why = errno_of(WSAGetLastError());
    if (descriptor != INVALID_SOCKET)
        (void)closesocket(descriptor);
    errno = why;
    return -1;
}

void tw_socket_close(int descriptor) { (void)closesocket((SOCKET)descriptor); }

void tw_socket_shut_down(int descriptor) { (void)shutdown((SOCKET)descriptor, SD_BOTH); }

void tw_socket_limit_sending(int descriptor, int bytes)
{
    (void)setsockopt((SOCKET)descriptor, SOL_SOCKET, SO_SNDBUF, (const char *)&bytes, sizeof bytes);
}

bool tw_socket_is_loopback(const char *address)
{
    struct in_addr number;
    return inet_pton(AF_INET, address, &number) == 1 && ntohl(number.s_addr) >> 24 == 127;
}
