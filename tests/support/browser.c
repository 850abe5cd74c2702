/* SPDX-License-Identifier: MIT */
#include "support/browser.h"

#include "support/harness.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARGUMENTS = 30 };

/* ---- the command ---- */

static void execute(const char *arguments)
{
    char text[1000], *list[ARGUMENTS + 2] = {TW_COMMAND, "serve"}, *rest = text;
    snprintf(text, sizeof text, "%s", arguments);
    for (int i = 2; i <= ARGUMENTS && (list[i] = strtok_r(rest, " ", &rest)); i++)
        ;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    execv(TW_COMMAND, list);
    _exit(126);
}

void browser_start(struct browser *browser, const char *arguments)
{
    int ends[2];
    char line[200];
    size_t length = 0;
    assert_int_equal(pipe(ends), 0);
    (void)fflush(NULL);
    browser->process = fork();
    assert_true(browser->process >= 0);
    if (browser->process == 0) {
        (void)dup2(ends[1], STDOUT_FILENO);
        (void)close(ends[0]);
        (void)close(ends[1]);
        execute(arguments);
    }
    (void)close(ends[1]);
    browser->words = ends[0];
    while (length + 1 < sizeof line && read(ends[0], line + length, 1) == 1 && line[length] != '\n')
        length++;
    line[length] = 0;
    assert_int_equal(strncmp(line, "http://127.0.0.1:", 17), 0);
    browser->port = (int)strtol(line + 17, NULL, 10);
    assert_true(browser->port > 0);
    const char *key = strstr(line, "/?k=");
    assert_non_null(key);
    assert_int_equal(strspn(key + 4, "0123456789abcdef"), sizeof browser->key - 1);
    snprintf(browser->key, sizeof browser->key, "%s", key + 4);
}

int browser_stop(struct browser *browser, int signal)
{
    int status = 0;
    assert_int_equal(kill(browser->process, signal), 0);
    assert_int_equal(waitpid(browser->process, &status, 0), browser->process);
    (void)close(browser->words);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* ---- requests ---- */

int browser_connect(const struct browser *browser)
{
    struct sockaddr_in place;
    memset(&place, 0, sizeof place);
    place.sin_family = AF_INET;
    place.sin_port = htons((uint16_t)browser->port);
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(descriptor >= 0);
    assert_int_equal(connect(descriptor, (const struct sockaddr *)&place, sizeof place), 0);
    return descriptor;
}

/* A server that refuses a long request may close before it has read it all. */
static void put(int descriptor, const char *data, size_t length)
{
    while (length > 0) {
        ssize_t sent = send(descriptor, data, length, MSG_NOSIGNAL);
        if (sent <= 0)
            return;
        data += sent;
        length -= (size_t)sent;
    }
}

static char *read_all(int descriptor, size_t *length)
{
    size_t size = 1 << 16;
    char *text = malloc(size);
    *length = 0;
    assert_non_null(text);
    for (ssize_t got; (got = recv(descriptor, text + *length, size - *length - 1, 0)) > 0;) {
        *length += (size_t)got;
        if (size - *length < 1 << 15)
            text = realloc(text, size *= 2);
        assert_non_null(text);
    }
    text[*length] = 0;
    return text;
}

struct browser_answer browser_send(const struct browser *browser, const void *data, size_t length)
{
    struct browser_answer answer = {0};
    size_t received;
    int descriptor = browser_connect(browser);
    put(descriptor, data, length);
    char *text = read_all(descriptor, &received);
    (void)close(descriptor);
    const char *end = strstr(text, "\r\n\r\n");
    size_t head = end ? (size_t)(end - text) + 4 : received;
    if (strncmp(text, "HTTP/1.1 ", 9) == 0)
        answer.status = (int)strtol(text + 9, NULL, 10);
    answer.length = received - head;
    answer.head = strndup(text, head);
    answer.body = malloc(answer.length + 1);
    assert_non_null(answer.head);
    assert_non_null(answer.body);
    memcpy(answer.body, text + head, answer.length + 1);
    free(text);
    return answer;
}

struct browser_answer browser_ask(const struct browser *browser, const char *method,
                                  const char *path)
{
    char request[500];
    int length = snprintf(request, sizeof request,
                          "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nCookie: thalweg-%d=%s\r\n"
                          "Connection: close\r\n\r\n",
                          method, path, browser->port, browser->port, browser->key);
    return browser_send(browser, request, (size_t)length);
}

/* The token is the page's first string of 32 hexadecimal digits. */
static void find_token(const struct browser *browser, char token[33])
{
    struct browser_answer page = browser_ask(browser, "GET", "/");
    const char *at = strstr(page.body, "<meta name=\"thalweg\" content=\"");
    assert_int_equal(page.status, 200);
    assert_non_null(at);
    snprintf(token, 33, "%s", at + strlen("<meta name=\"thalweg\" content=\""));
    assert_int_equal(strspn(token, "0123456789abcdef"), 32);
    browser_forget(&page);
}

struct browser_answer browser_post(const struct browser *browser, const char *path,
                                   const char *body)
{
    char request[4000], token[33];
    find_token(browser, token);
    int length = snprintf(request, sizeof request,
                          "POST %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nCookie: thalweg-%d=%s\r\n"
                          "Origin: http://127.0.0.1:%d\r\nX-Thalweg-Token: %s\r\n"
                          "Content-Type: application/json\r\nContent-Length: %zu\r\n"
                          "Connection: close\r\n\r\n%s",
                          path, browser->port, browser->port, browser->key, browser->port, token,
                          strlen(body), body);
    assert_true(length < (int)sizeof request);
    return browser_send(browser, request, (size_t)length);
}

void browser_forget(struct browser_answer *answer)
{
    free(answer->head);
    free(answer->body);
    *answer = (struct browser_answer){0};
}

json_t *browser_state(const struct browser *browser)
{
    struct browser_answer answer = browser_ask(browser, "GET", "/state.json");
    assert_int_equal(answer.status, 200);
    json_t *state = json_loadb(answer.body, answer.length, 0, NULL);
    assert_non_null(state);
    browser_forget(&answer);
    return state;
}

/* ---- events ---- */

/* As HTTP/1.0, whose answers have no chunks. */
int browser_listen(const struct browser *browser)
{
    char request[200];
    int descriptor = browser_connect(browser);
    int length =
        snprintf(request, sizeof request, "GET /events?k=%s HTTP/1.0\r\nHost: localhost:%d\r\n\r\n",
                 browser->key, browser->port);
    put(descriptor, request, (size_t)length);
    return descriptor;
}

/* Reads a line of any length: header fields and comments are lines too, but no events. The caller
 * frees it. */
static char *read_line(int descriptor)
{
    size_t length = 0, size = 1 << 12;
    char *line = malloc(size);
    do {
        assert_non_null(line);
        if (recv(descriptor, line + length, 1, 0) != 1)
            fail_msg("the server ended before an event");
        if (length + 2 > size - 1)
            line = realloc(line, size *= 2);
    } while (line[length++] != '\n');
    line[length] = 0;
    return line;
}

json_t *browser_read_event(int events, char name[32])
{
    json_t *event = NULL;
    name[0] = 0;
    while (!event) {
        char *line = read_line(events);
        if (strncmp(line, "event: ", 7) == 0)
            snprintf(name, 32, "%.*s", (int)strcspn(line + 7, "\n"), line + 7);
        else if (strncmp(line, "data: ", 6) == 0)
            event = json_loads(line + 6, 0, NULL);
        free(line);
    }
    return event;
}

static bool has_view(const struct browser *browser, const char *key)
{
    size_t i;
    json_t *view, *state = browser_state(browser);
    bool found = false;
    json_array_foreach(json_object_get(state, "views"), i, view)
    {
        found |= strcmp(json_string_value(json_object_get(view, "key")), key) == 0;
    }
    json_decref(state);
    return found;
}

void browser_await_view(const struct browser *browser, int events, const char *key)
{
    for (bool found = false; !found;) {
        char name[32];
        json_t *event = browser_read_event(events, name);
        const char *own = json_string_value(json_object_get(event, "key"));
        found = strcmp(name, "state") == 0
                    ? has_view(browser, key)
                    : strcmp(name, "view") == 0 && own && strcmp(own, key) == 0;
        json_decref(event);
    }
}

void browser_await_begin(int events, int revision)
{
    for (bool found = false; !found;) {
        char name[32];
        json_t *event = browser_read_event(events, name);
        found = strcmp(name, "begin") == 0 &&
                json_integer_value(json_object_get(event, "revision")) == revision;
        json_decref(event);
    }
}

static bool has_ended(const json_t *of, const char *running, int revision, int *at)
{
    *at = (int)json_integer_value(json_object_get(of, "revision"));
    return !json_is_true(json_object_get(of, running)) && *at >= revision;
}

int browser_await(const struct browser *browser, int events, int revision)
{
    for (;;) {
        char name[32];
        int at;
        json_t *event = browser_read_event(events, name);
        bool ended = strcmp(name, "end") == 0 && has_ended(event, "", revision, &at);
        json_decref(event);
        if (strcmp(name, "state") == 0) {
            json_t *state = browser_state(browser);
            ended = has_ended(state, "running", revision, &at) && at > 0;
            json_decref(state);
        }
        if (ended)
            return at;
    }
}
