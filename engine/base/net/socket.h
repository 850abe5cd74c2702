/* SPDX-License-Identifier: MIT */
/* Sockets that listen on this machine only. */
#ifndef TW_ENGINE_BASE_NET_SOCKET_H
#define TW_ENGINE_BASE_NET_SOCKET_H

#include <stdbool.h>
#include <stdint.h>

/* Opens a socket that listens on a port of 127.0.0.1 and sets *port to it; 0 takes a free one. -1,
 * with errno, on failure. */
int tw_socket_open(int32_t *port);
void tw_socket_close(int descriptor);
/* Ends a connection, whose descriptor stays open. */
void tw_socket_shut_down(int descriptor);
/* Limits what the system holds of an answer that a client does not take. */
void tw_socket_limit_sending(int descriptor, int bytes);

/* Returns whether a text is an address of 127.0.0.0/8. */
bool tw_socket_is_loopback(const char *address);

#endif
