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
    char key[33];
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
/* Sends a request with the right Host and the cookie, and reads the answer. */
struct browser_answer browser_ask(const struct browser *browser, const char *method,
                                  const char *path);
/* POST as the page does: from its origin and with its token. */
struct browser_answer browser_post(const struct browser *browser, const char *path,
                                   const char *body);
void browser_forget(struct browser_answer *answer);

/* Sends GET /events; returns the descriptor. */
int browser_listen(const struct browser *browser);
/* Reads the next event; the caller releases it. `name` gets its name. */
json_t *browser_read_event(int events, char name[32]);
/* Reads events until a run has ended whose revision is at least `revision`; returns its revision.
 * Asks for the state when told to, as a page that has just come does. */
int browser_await(const struct browser *browser, int events, int revision);
/* Reads events until the view is there. A listener may come after the event that shows it, and is
 * then told to read the state. */
void browser_await_view(const struct browser *browser, int events, const char *key);
/* Reads events until that run begins: those of the run before, which follow the state that
 * browser_await() has read, are skipped. */
void browser_await_begin(int events, int revision);
/* GET /state.json. */
json_t *browser_state(const struct browser *browser);

#endif
