/* SPDX-License-Identifier: MIT */
/* `thalweg serve` in a process of its own, and a client that speaks to it as a browser would, or
 * as none would. Every function fails the test where something does not come. */
#ifndef TW_TESTS_SUPPORT_BROWSER_H
#define TW_TESTS_SUPPORT_BROWSER_H

#include <jansson.h>
#include <stddef.h>

struct browser {
    int port;
    int process;
    int words; /* the end of its standard output that is read */
};

/* Starts it with these arguments, and reads its address. */
void browser_start(struct browser *browser, const char *arguments);
/* Sends the signal; the exit code. */
int browser_stop(struct browser *browser, int signal);

/* An open connection; close() it. */
int browser_connect(const struct browser *browser);

struct browser_answer {
    int status;    /* 0: the connection was closed without an answer */
    char *head;    /* with its last empty line */
    char *body;    /* with a zero after it */
    size_t length; /* of the body */
};
/* Sends these bytes and reads until the server closes. */
struct browser_answer browser_send(const struct browser *browser, const void *data, size_t length);
/* The same with a request that has the right Host. */
struct browser_answer browser_ask(const struct browser *browser, const char *method,
                                  const char *path);
void browser_forget(struct browser_answer *answer);

/* GET /events; the descriptor. */
int browser_listen(const struct browser *browser);
/* Reads events until a run has ended that is not the one before `revision`; its own revision. */
int browser_await(int events, int revision);
/* Reads events until one says on which node a run is; its path, until the next call. */
const char *browser_await_node(int events);
/* GET /state.json. */
json_t *browser_state(const struct browser *browser);

#endif
