/* SPDX-License-Identifier: MIT */
/* Runs `thalweg serve` as a process, and a client that talks to it as a browser would, or as none
 * would. Every function fails the test if an answer is missing. */
#ifndef TW_TESTS_SUPPORT_BROWSER_H
#define TW_TESTS_SUPPORT_BROWSER_H

#include <jansson.h>
#include <stddef.h>

struct browser {
    int port;
    int process;
    int words; /* reads its standard output */
};

/* Starts the server with these arguments, and reads its address. */
void browser_start(struct browser *browser, const char *arguments);
/* Sends the signal; returns the exit code. */
int browser_stop(struct browser *browser, int signal);

/* Returns an open connection; close() it. */
int browser_connect(const struct browser *browser);

struct browser_answer {
    int status;    /* 0: the connection was closed without an answer */
    char *head;    /* including its last empty line */
    char *body;    /* zero-terminated */
    size_t length; /* of the body */
};
/* Sends these bytes and reads until the server closes the connection. */
struct browser_answer browser_send(const struct browser *browser, const void *data, size_t length);
/* Sends a request with the right Host and reads the answer. */
struct browser_answer browser_ask(const struct browser *browser, const char *method,
                                  const char *path);
void browser_forget(struct browser_answer *answer);

/* Sends GET /events; returns the descriptor. */
int browser_listen(const struct browser *browser);
/* Reads events until a run ends whose revision is not `revision`; returns its revision. */
int browser_await(int events, int revision);
/* Reads events until one names the node that a run computes; returns the node's path, valid until
 * the next call. */
const char *browser_await_node(int events);
/* GET /state.json. */
json_t *browser_state(const struct browser *browser);

#endif
