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

static void send_text(const char *format, int status)
{
    char text[500];
    int length = snprintf(text, sizeof text, format, browser.port);
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
        snprintf(text, sizeof text, "GET / HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n",
                 rows[i].host);
        send_text(text, rows[i].status);
    }
    send_text("GET /events HTTP/1.1\r\nHost: evil.example:%d\r\nConnection: close\r\n\r\n", 403);
    send_text("GET / HTTP/1.0\r\nX: %d\r\n\r\n", 403);
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
    send_text("POST / HTTP/1.1\r\nHost: localhost:%d\r\nContent-Length: 3\r\n\r\na=1", 405);
    check_alive();
}

static void there_are_no_other_paths(void **state)
{
    static const char *const paths[] = {"/index.html",
                                        "/hills.yaml",
                                        "//",
                                        "/../../../../etc/passwd",
                                        "/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
                                        "/picture/../hills.yaml",
                                        "/picture/",
                                        "/picture/.png",
                                        "/picture/-full.png",
                                        "/picture/00000000000000000000000000000000.png",
                                        "/picture/%2e%2e%2fhills.yaml",
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
    int length = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost:%d\r\n\r\n",
                          path, server->port);
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

static void slow_readers_share_a_picture(void **state)
{
    enum { READERS = 100 };
    struct browser large;
    int readers[READERS];
    (void)state;
    browser_start(&large, "hills.yaml --size 2048" QUIET);
    int events = browser_listen(&large);
    assert_int_equal(browser_await(events, 1), 1);
    (void)close(events);
    json_t *now = browser_state(&large);
    const char *path = json_string_value(
        json_object_get(json_array_get(json_object_get(now, "views"), 0), "full"));
    assert_non_null(path);
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

/* Of those who listen there may be some at a time; those that have gone do not count for long. */
static void listeners_have_a_bound(void **state)
{
    enum { MOST = 32 };
    int events[MOST];
    (void)state;
    for (int i = 0; i < MOST; i++) {
        events[i] = browser_listen(&browser);
        assert_int_equal(browser_await(events[i], 1), 1);
    }
    send_text("GET /events HTTP/1.1\r\nHost: localhost:%d\r\n\r\n", 503);
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
    assert_int_equal(browser_await(events[0], 1), 1);
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
    assert_int_equal(run("serve hills.yaml hills.yaml"), 2);
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
    assert_int_equal(browser_await(events, 1), 1);
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
        cmocka_unit_test(other_methods_are_refused),
        cmocka_unit_test(there_are_no_other_paths),
        cmocka_unit_test(what_is_too_long_or_no_http_is_refused),
        cmocka_unit_test(listeners_have_a_bound),
        cmocka_unit_test(connections_that_say_nothing_are_given_up),
        cmocka_unit_test(connections_that_drip_are_given_up),
        cmocka_unit_test(slow_readers_share_a_picture),
        cmocka_unit_test(a_port_that_is_taken_is_an_error),
        cmocka_unit_test(the_usual_port_need_not_be_free),
        cmocka_unit_test(a_port_that_was_asked_for_is_taken),
    };
    if (tw_web_server_lacks())
        return 0;     /* test_serve.c says what is missing then */
    (void)alarm(600); /* an answer that never comes fails the test */
    return cmocka_run_group_tests(tests, start, stop);
}
