/* SPDX-License-Identifier: MIT */
/* What thalweg serve refuses, and what it survives: requests of other pages and of programs that
 * are no browsers, connections that say nothing, ports that are taken. */
#include "support/browser.h"
#include "support/command.h"
#include "support/gate.h"

#include "base/net/web_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>

#define QUIET " -q --cache-dir cache"

static struct browser browser;

static void check_alive(void)
{
    struct browser_answer answer = browser_ask(&browser, "GET", "/");
    assert_int_equal(answer.status, 200);
    browser_forget(&answer);
}

/* The format's only argument is the port; the key is put behind "?". */
static void send_text(const char *format, int status)
{
    char with[400], text[500];
    const char *query = strchr(format, '?');
    const int before = query ? (int)(query - format) + 1 : (int)strlen(format);
    snprintf(with, sizeof with, "%.*s%s%s%s", before, format, query ? "k=" : "",
             query ? browser.key : "", query ? query + 1 : "");
    int length = snprintf(text, sizeof text, with, browser.port);
    struct browser_answer answer = browser_send(&browser, text, (size_t)length);
    if (answer.status != status)
        fail_msg("%s: answered with %d", text, answer.status);
    browser_forget(&answer);
}

/* A page of another origin that has its name resolved to this machine sends that name. */
static void other_names_are_refused(void **state)
{
    static const struct {
        const char *host;
        int status;
    } rows[] = {
        {"127.0.0.1:%d", 200},
        {"localhost:%d", 200},
        {"LOCALHOST:%d", 200},
        {"[::1]:%d", 200},
        {"evil.example:%d", 403},
        {"localhost.evil.example:%d", 403},
        {"127.0.0.1.evil:%d", 403},
        {"127.0.0.1", 403},
        {"127.0.0.1:1%d", 403},
        {"127.0.0.2:%d", 403},
        {"0.0.0.0:%d", 403},
        {"user@localhost:%d", 403},
        {"", 403},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[200];
        snprintf(text, sizeof text, "GET /? HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n",
                 rows[i].host);
        send_text(text, rows[i].status);
    }
    send_text("GET /events? HTTP/1.1\r\nHost: evil.example:%d\r\nConnection: close\r\n\r\n", 403);
    send_text("GET /? HTTP/1.0\r\nX: %d\r\n\r\n", 403);
    check_alive();
}

/* Whatever is asked for, without the key in the address or the cookie there is nothing. */
static void without_the_key_there_is_nothing(void **state)
{
    static const char *const paths[] = {"/",       "/page.js", "/page.css", "/state.json",
                                        "/events", "/v/0",     "/nothing",  "/library.json"};
    char text[300];
    (void)state;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        snprintf(text, sizeof text,
                 "GET %s HTTP/1.1\r\nHost: localhost:%%d\r\nConnection: close\r\n\r\n", paths[i]);
        send_text(text, 403);
        snprintf(text, sizeof text,
                 "GET %s HTTP/1.1\r\nHost: localhost:%%d\r\nCookie: thalweg-%d=%.31s0\r\n"
                 "Connection: close\r\n\r\n",
                 paths[i], browser.port, "00000000000000000000000000000000");
        send_text(text, 403);
    }
    send_text("GET /state.json? HTTP/1.1\r\nHost: localhost:%d\r\nConnection: close\r\n\r\n", 200);
    struct browser_answer page = browser_ask(&browser, "GET", "/");
    lacks(page.head, "Set-Cookie");
    browser_forget(&page);
    snprintf(text, sizeof text, "/?k=%s", browser.key);
    page = browser_ask(&browser, "GET", text);
    contains(page.head, "; SameSite=Strict; HttpOnly; Path=/\r\n");
    browser_forget(&page);
}

/* A POST is from the server's own page, and has its token: each alone is refused. */
static void other_pages_change_nothing(void **state)
{
    static const struct {
        const char *origin, *token, *type, *cookie;
        int status;
    } rows[] = {{"http://localhost:%d", "", "application/json", "", 202},
                {"http://127.0.0.1:%d", "", "application/json; charset=utf-8", "", 202},
                {"http://evil.example:%d", "", "application/json", "", 403},
                {"https://127.0.0.1:%d", "", "application/json", "", 403},
                {"null", "", "application/json", "", 403},
                {NULL, "", "application/json", "", 403},
                {"http://127.0.0.1:%d", NULL, "application/json", "", 403},
                {"http://127.0.0.1:%d", "0", "application/json", "", 403},
                {"http://127.0.0.1:%d", "", "application/json", NULL, 403},
                {"http://127.0.0.1:%d", "", "text/plain", "", 415},
                {"http://127.0.0.1:%d", "", "application/jsonp", "", 415}};
    char token[33];
    (void)state;
    struct browser_answer page = browser_ask(&browser, "GET", "/");
    snprintf(token, sizeof token, "%s", strstr(page.body, "name=\"thalweg\" content=\"") + 24);
    browser_forget(&page);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[1000], origin[60] = "";
        if (rows[i].origin)
            snprintf(origin, sizeof origin, rows[i].origin, browser.port);
        snprintf(text, sizeof text,
                 "POST /run%s%s HTTP/1.1\r\nHost: localhost:%d\r\n%s%s\r\n%s%s\r\n"
                 "Content-Type: %s\r\nContent-Length: 14\r\nConnection: close\r\n\r\n"
                 "{\"values\": {}}",
                 rows[i].cookie ? "?k=" : "", rows[i].cookie ? browser.key : "", browser.port,
                 rows[i].origin ? "Origin: " : "X-No: ", origin,
                 rows[i].token ? "X-Thalweg-Token: " : "X-None: ",
                 rows[i].token && !rows[i].token[0] ? token : "0", rows[i].type);
        struct browser_answer answer = browser_send(&browser, text, strlen(text));
        if (answer.status != rows[i].status)
            fail_msg("row %zu: answered with %d", i, answer.status);
        lacks(answer.head, "Access-Control");
        browser_forget(&answer);
    }
}

static void post(const char *path, const char *body, int status)
{
    struct browser_answer answer = browser_post(&browser, path, body);
    if (answer.status != status)
        fail_msg("%s: answered with %d: %s", body, answer.status, answer.body);
    browser_forget(&answer);
}

static void bodies_that_are_no_requests_are_refused(void **state)
{
    static const char *const malformed[] = {
        "",
        "{",
        "[]",
        "{}",
        "{\"values\": []}",
        "{\"values\": {\"nodes.a.octaves\": 3}}",
        "{\"values\": {\"nodes.a.octaves\": \"3\", \"nodes.a.octaves\": \"4\"}}",
        "{\"values\": {}, \"want\": [1]}",
        "{\"values\": {}, \"draft\": 1}"};
    static const char *const unfit[] = {
        "{\"values\": {\"nodes.a.nothing\": \"3\"}}",
        "{\"values\": {\"nodes.b.octaves\": \"3\"}}",
        "{\"values\": {\"nodes.a.type\": \"noise.simplex\"}}",
        "{\"values\": {\"outputs.h\": \"b\"}}",
        "{\"values\": {\"nodes.a.octaves\": \"3\\n  b: {type: file.import}\"}}",
        "{\"values\": {\"nodes.a.octaves\": \"3, file: x\"}}",
        "{\"values\": {\"nodes.a.octaves\": \"${seed}\"}}",
        "{\"values\": {\"nodes.a.octaves\": \"*b\"}}",
        "{\"values\": {\"nodes.a.octaves\": \"1 # x\"}}",
        "{\"values\": {\"nodes.a.octaves\": \"\"}}",
        "{\"values\": {\"nodes.a.octaves\": \"11111111111111111111111111111111111111111\"}}"};
    static char text[TW_WEB_BODY_MAX + 400];
    char values[3000] = "{\"values\": {";
    (void)state;
    for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++)
        post("/run", malformed[i], 400);
    for (size_t i = 0; i < sizeof unfit / sizeof *unfit; i++) {
        post("/run", unfit[i], 422);
        post("/write", unfit[i], 422);
    }
    for (int i = 0; i <= 64; i++)
        snprintf(values + strlen(values), sizeof values - strlen(values), "%s\"n%d\": \"1\"",
                 i ? ", " : "", i);
    strcat(values, "}}");
    post("/run", values, 400);
    int head = snprintf(text, sizeof text,
                        "POST /run?k=%s HTTP/1.1\r\nHost: localhost:%d\r\nContent-Length: %d\r\n"
                        "Origin: http://localhost:%d\r\n\r\n",
                        browser.key, browser.port, TW_WEB_BODY_MAX + 1, browser.port);
    memset(text + head, ' ', TW_WEB_BODY_MAX + 1);
    struct browser_answer answer = browser_send(&browser, text, (size_t)head + TW_WEB_BODY_MAX + 1);
    assert_int_equal(answer.status, 403); /* for its token: its length does not matter */
    browser_forget(&answer);
    check_alive();
}

static void other_methods_are_refused(void **state)
{
    static const char *const methods[] = {"PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "get"};
    (void)state;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        struct browser_answer answer = browser_ask(&browser, methods[i], "/");
        assert_int_equal(answer.status, 405);
        contains(answer.head, "Allow: GET, HEAD\r\n");
        lacks(answer.head, "Access-Control");
        browser_forget(&answer);
    }
    send_text("POST /? HTTP/1.1\r\nHost: localhost:%d\r\nContent-Length: 3\r\n\r\na=1", 405);
    check_alive();
}

static void there_are_no_other_paths(void **state)
{
    static const char *const paths[] = {"/index.html",
                                        "/hills.yaml",
                                        "//",
                                        "/../../../../etc/passwd",
                                        "/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
                                        "/v/../hills.yaml",
                                        "/v/",
                                        "/p/-",
                                        "/t/00000000000000000000000000000000",
                                        "/v/%2e%2e%2fhills.yaml",
                                        "/v",
                                        "/page.html",
                                        "/events/",
                                        "/state.json/"};
    (void)state;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct browser_answer answer = browser_ask(&browser, "GET", paths[i]);
        if (answer.status != 404 && answer.status != 400)
            fail_msg("%s: answered with %d", paths[i], answer.status);
        lacks(answer.body, "noise.perlin");
        lacks(answer.body, "root:");
        browser_forget(&answer);
    }
    check_alive();
}

static void what_is_too_long_or_no_http_is_refused(void **state)
{
    enum { LONG = 1 << 18 };
    static char text[LONG + 200];
    (void)state;
    int head =
        snprintf(text, sizeof text, "GET / HTTP/1.1\r\nHost: localhost:%d\r\nX: ", browser.port);
    memset(text + head, 'a', LONG);
    memcpy(text + head + LONG, "\r\n\r\n", 4);
    struct browser_answer answer = browser_send(&browser, text, (size_t)head + LONG + 4);
    assert_true(answer.status == 0 || (answer.status >= 400 && answer.status < 500));
    browser_forget(&answer);
    memset(text, '/', LONG);
    memcpy(text, "GET ", 4);
    answer = browser_send(&browser, text, LONG);
    assert_true(answer.status == 0 || (answer.status >= 400 && answer.status < 500));
    browser_forget(&answer);
    send_text("\x16\x03\x01 nonsense %d\r\n\r\n", 400);
    check_alive();
}

/* More than there may be: they are given up after some seconds. */
static void connections_that_say_nothing_are_given_up(void **state)
{
    enum { SILENT = 150 };
    int silent[SILENT];
    (void)state;
    for (int i = 0; i < SILENT; i++) {
        silent[i] = browser_connect(&browser);
        if (i % 2 == 0)
            assert_int_equal(send(silent[i], "GET / HT", 8, MSG_NOSIGNAL), 8);
    }
    check_alive();
    for (int i = 0; i < SILENT; i++)
        (void)close(silent[i]);
}

/* A line of a head again and again, to more connections than there may be: each is closed without
 * an answer, those that waited for a place too. */
static void connections_that_drip_are_given_up(void **state)
{
    enum { DRIPPING = 140 };
    static const char line[] = "X: y\r\n";
    struct pollfd drips[DRIPPING];
    char unused[10];
    (void)state;
    for (int i = 0; i < DRIPPING; i++) {
        drips[i] = (struct pollfd){.fd = browser_connect(&browser), .events = POLLIN};
        assert_int_equal(send(drips[i].fd, "GET / HTTP/1.1\r\n", 16, MSG_NOSIGNAL), 16);
    }
    for (int open = DRIPPING; open > 0; (void)poll(drips, DRIPPING, 100))
        for (int i = 0; i < DRIPPING; i++)
            if (drips[i].fd >= 0 &&
                (drips[i].revents || send(drips[i].fd, line, sizeof line - 1, MSG_NOSIGNAL) < 0)) {
                assert_true(recv(drips[i].fd, unused, sizeof unused, 0) <= 0);
                (void)close(drips[i].fd);
                drips[i].fd = -1;
                open--;
            }
    check_alive();
}

/* ---- clients that do not read ---- */

static long resident_kilobytes(int process)
{
    char path[60], line[200];
    long kilobytes = -1;
    snprintf(path, sizeof path, "/proc/%d/status", process);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (kilobytes < 0 && fgets(line, sizeof line, file))
        if (strncmp(line, "VmRSS:", 6) == 0)
            kilobytes = strtol(line + 6, NULL, 10);
    (void)fclose(file);
    assert_true(kilobytes > 0);
    return kilobytes;
}

/* Asks for it, and reads one byte: the answer is under way then. */
static int begin_to_read(const struct browser *server, const char *path)
{
    const int small = 4096;
    char request[200], first;
    int descriptor = browser_connect(server);
    (void)setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    int length =
        snprintf(request, sizeof request, "GET %s?k=%s HTTP/1.1\r\nHost: localhost:%d\r\n\r\n",
                 path, server->key, server->port);
    assert_int_equal(send(descriptor, request, (size_t)length, MSG_NOSIGNAL), length);
    assert_int_equal(recv(descriptor, &first, 1, 0), 1);
    return descriptor;
}

static size_t length_of(const struct browser *server, const char *path)
{
    struct browser_answer answer = browser_ask(server, "GET", path);
    size_t length = answer.length;
    assert_int_equal(answer.status, 200);
    browser_forget(&answer);
    return length;
}

static void find_picture(const json_t *state, char path[60])
{
    size_t i;
    json_t *view;
    path[0] = 0;
    json_array_foreach(json_object_get(state, "views"), i, view)
    {
        if (strcmp(json_string_value(json_object_get(view, "kind")), "image") == 0)
            snprintf(path, 60, "/p/%s", json_string_value(json_object_get(view, "digest")));
    }
    assert_true(path[0]);
}

static void slow_readers_share_a_picture(void **state)
{
    enum { READERS = 100 };
    struct browser large;
    int readers[READERS];
    (void)state;
    write_text("large.yaml", "thalweg: 1\nsize: 3072\nnodes: {a: {type: noise.perlin}}\n"
                             "export: {a.png: {from: a, as: hillshade}}\n");
    browser_start(&large, "large.yaml" QUIET);
    int events = browser_listen(&large);
    assert_int_equal(browser_await(&large, events, 1), 1);
    (void)close(events);
    json_t *now = browser_state(&large);
    char path[60];
    find_picture(now, path);
    size_t length = length_of(&large, path);
    assert_true(length > 4 << 20); /* more than sockets buffer */
    long before = resident_kilobytes(large.process);
    for (int i = 0; i < READERS; i++)
        readers[i] = begin_to_read(&large, path);
    assert_true(resident_kilobytes(large.process) - before < (long)(length / 1024) * READERS / 10);
    for (int i = 0; i < READERS; i++)
        (void)close(readers[i]);
    assert_int_equal(length_of(&large, path), length);
    json_decref(now);
    assert_int_equal(browser_stop(&large, SIGTERM), 143);
}

/* It takes some kilobytes a second: after its first 30 seconds that is too little. */
static void a_slow_reader_is_given_up(void **state)
{
    struct browser large;
    char piece[1024];
    (void)state;
    write_text("long.yaml", "thalweg: 1\nsize: 3072\nnodes: {a: {type: noise.perlin}}\n"
                            "export: {a.png: {from: a, as: hillshade}}\n");
    browser_start(&large, "long.yaml" QUIET);
    int events = browser_listen(&large);
    assert_int_equal(browser_await(&large, events, 1), 1);
    (void)close(events);
    json_t *now = browser_state(&large);
    char path[60];
    find_picture(now, path);
    const size_t length = length_of(&large, path);
    int reader = begin_to_read(&large, path);
    size_t taken = 1;
    struct pollfd nothing = {.fd = -1};
    for (ssize_t got = 1; got > 0 && send(reader, "x", 1, MSG_NOSIGNAL) == 1;
         taken += (size_t)got) {
        (void)poll(&nothing, 1, 100); /* its own pace is what it tests */
        got = recv(reader, piece, sizeof piece, 0);
        got = got > 0 ? got : 0;
    }
    assert_true(taken < length);
    (void)close(reader);
    json_decref(now);
    assert_int_equal(browser_stop(&large, SIGTERM), 143);
}

/* Of those who listen there may be some at a time; those that have gone do not count for long. */
static void listeners_have_a_bound(void **state)
{
    enum { MOST = 32 };
    int events[MOST];
    (void)state;
    for (int i = 0; i < MOST; i++) {
        events[i] = browser_listen(&browser);
        assert_true(browser_await(&browser, events[i], 1) >= 1);
    }
    send_text("GET /events? HTTP/1.1\r\nHost: localhost:%d\r\n\r\n", 503);
    check_alive();
    for (int i = 0; i < MOST; i++)
        (void)close(events[i]);
    for (int status = 503; status == 503;) {
        struct browser_answer answer = browser_ask(&browser, "HEAD", "/events");
        status = answer.status;
        assert_true(status == 503 || status == 200);
        browser_forget(&answer);
    }
    events[0] = browser_listen(&browser);
    assert_true(browser_await(&browser, events[0], 1) >= 1);
    (void)close(events[0]);
}

/* ---- ports ---- */

/* One that somebody listens at; `port` 0: any. False where somebody else does; connections that
 * have ended do not count, as they do not for the server. */
static bool take_port(int *port, int *descriptor)
{
    const int one = 1;
    struct sockaddr_in place;
    socklen_t size = sizeof place;
    memset(&place, 0, sizeof place);
    place.sin_family = AF_INET;
    place.sin_port = htons((uint16_t)*port);
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    *descriptor = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(*descriptor >= 0);
    assert_int_equal(setsockopt(*descriptor, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one), 0);
    if (bind(*descriptor, (const struct sockaddr *)&place, sizeof place) != 0)
        return false;
    assert_int_equal(listen(*descriptor, 1), 0);
    assert_int_equal(getsockname(*descriptor, (struct sockaddr *)&place, &size), 0);
    *port = ntohs(place.sin_port);
    return true;
}

static void a_port_that_is_taken_is_an_error(void **state)
{
    char arguments[100], words[100];
    int port = 0, descriptor;
    (void)state;
    assert_true(take_port(&port, &descriptor));
    snprintf(arguments, sizeof arguments, "serve hills.yaml -q --port %d", port);
    snprintf(words, sizeof words, "error: port %d of 127.0.0.1 is taken; expected a free one\n",
             port);
    assert_int_equal(run(arguments), 4);
    contains(result.err, words);
    assert_string_equal(result.out, "");
    (void)close(descriptor);
    assert_int_equal(run("serve hills.yaml --port 65536"), 2);
    assert_int_equal(run("serve hills.yaml --port 0"), 2);
    assert_int_equal(run("serve -"), 2);
    contains(result.err, "serve: '-' is standard input, which has no name; expected a file");
    assert_int_equal(run("serve hills.yaml hills.yaml hills.yaml"), 2);
    assert_int_equal(run("serve hills.yaml hills.yaml --against a=1"), 2);
}

/* Whoever holds it: this test, or another server, which may end before ours has begun. */
static void the_usual_port_need_not_be_free(void **state)
{
    enum { USUAL_PORT = 8425 };
    bool is_held_here;
    int got;
    (void)state;
    do {
        struct browser other;
        int port = USUAL_PORT, descriptor;
        is_held_here = take_port(&port, &descriptor);
        browser_start(&other, "hills.yaml" QUIET);
        got = other.port;
        assert_int_equal(browser_stop(&other, SIGINT), 130);
        (void)close(descriptor);
    } while (!is_held_here && got == USUAL_PORT);
    assert_int_not_equal(got, USUAL_PORT);
}

static void a_port_that_was_asked_for_is_taken(void **state)
{
    struct browser other;
    char arguments[100];
    int port = 0, descriptor;
    (void)state;
    assert_true(take_port(&port, &descriptor));
    (void)close(descriptor);
    snprintf(arguments, sizeof arguments, "hills.yaml --port %d" QUIET, port);
    browser_start(&other, arguments);
    assert_int_equal(other.port, port);
    assert_int_equal(browser_stop(&other, SIGHUP), 129);
}

static int start(void **state)
{
    command_set_up(state);
    write_text("hills.yaml", "thalweg: 1\nsize: 16\nnodes: {a: {type: noise.perlin}}\n"
                             "outputs: {h: a}\n");
    browser_start(&browser, "hills.yaml" QUIET);
    int events = browser_listen(&browser);
    assert_int_equal(browser_await(&browser, events, 1), 1);
    (void)close(events);
    return 0;
}

static int stop(void **state)
{
    assert_int_equal(browser_stop(&browser, SIGTERM), 143);
    return command_tear_down(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_names_are_refused),
        cmocka_unit_test(without_the_key_there_is_nothing),
        cmocka_unit_test(other_pages_change_nothing),
        cmocka_unit_test(bodies_that_are_no_requests_are_refused),
        cmocka_unit_test(other_methods_are_refused),
        cmocka_unit_test(there_are_no_other_paths),
        cmocka_unit_test(what_is_too_long_or_no_http_is_refused),
        cmocka_unit_test(listeners_have_a_bound),
        cmocka_unit_test(connections_that_say_nothing_are_given_up),
        cmocka_unit_test(connections_that_drip_are_given_up),
        cmocka_unit_test(slow_readers_share_a_picture),
        cmocka_unit_test(a_slow_reader_is_given_up),
        cmocka_unit_test(a_port_that_is_taken_is_an_error),
        cmocka_unit_test(the_usual_port_need_not_be_free),
        cmocka_unit_test(a_port_that_was_asked_for_is_taken),
    };
    if (tw_web_server_lacks())
        return 0;     /* test_serve.c says what is missing then */
    (void)alarm(600); /* an answer that never comes fails the test */
    return cmocka_run_group_tests(tests, start, stop);
}
