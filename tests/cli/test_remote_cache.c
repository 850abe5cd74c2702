/* SPDX-License-Identifier: MIT */
/* The remote cache as users see it, with the server that the documents recommend: nginx, on
 * loopback, where it is installed. */
#include "support/command.h"
#include "support/harness.h"
#include "support/until.h"
#include "support/web_server.h"

#include <arpa/inet.h>
#include <jansson.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct command_result result;
static pid_t server; /* 0: none */

static const char recipe[] = "thalweg: 1\n"
                             "size: 64\n"
                             "nodes:\n"
                             "  noise:  {type: noise.midpoint}\n"
                             "  eroded: {type: erosion.olsen, in: noise}\n"
                             "outputs: {height: eroded}\n"
                             "export: {height.npy: height}\n";
static const char secret[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
                             "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210\n";
static const char token[] = "Basic b3BlbjpzZXNhbWU=\n";

static void expect(int code, const char *arguments)
{
    command_run(arguments, &result);
    if (result.code != code)
        fail_msg("thalweg %s: exit code %d, expected %d: %s", arguments, result.code, code,
                 result.err);
    assert_null(strstr(result.out, "0123456789abcdef0123"));
    assert_null(strstr(result.err, "0123456789abcdef0123"));
    assert_null(strstr(result.out, "b3Blbj"));
    assert_null(strstr(result.err, "b3Blbj"));
}

static int prepare(void **state)
{
    (void)state;
    command_enter();
    command_write("hills.yaml", recipe, sizeof recipe - 1);
    command_write("secret", secret, sizeof secret - 1);
    command_write("token", token, sizeof token - 1);
    assert_int_equal(chmod("secret", S_IRUSR | S_IWUSR), 0);
    assert_int_equal(chmod("token", S_IRUSR | S_IWUSR), 0);
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    if (server > 0) {
        kill(server, SIGTERM);
        waitpid(server, NULL, 0);
    }
    server = 0;
    command_leave();
    return 0;
}

static void mistakes_are_reported(void **state)
{
    static const struct {
        const char *arguments, *words;
    } rows[] = {
        {"run hills.yaml --cache-url http://h", "--cache-url needs --cache-secret-file"},
        {"run hills.yaml --cache-mode raed", "expected one of readwrite|read|off"},
        {"run hills.yaml --cache-url ftp://h --cache-secret-file secret", "cannot be used"},
        {"run hills.yaml --cache-url http://h --cache-secret-file secret --cache-token-file token",
         "in the clear"},
        {"run hills.yaml --cache-url http://h --cache-secret-file secret --cache-wait 0",
         "--cache-wait is 0"},
        {"cache push hills.yaml", "need --cache-url or THALWEG_CACHE_URL"},
        {"cache pull", "cache pull: an operand is missing; expected RECIPE..."},
        {"cache puhs", "did you mean 'push'?"},
        {"cache stats hills.yaml", "'hills.yaml' is one operand too many"},
        {"cache push hills.yaml --cache-url http://h --cache-mode off", "do nothing"},
        {"cache push hills.yaml --cache-url http://h --cache-mode read", "push does nothing"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expect(2, rows[i].arguments);
        command_expect_words(result.err, rows[i].words);
    }
    setenv("THALWEG_CACHE_MODE", "sometimes", 1);
    expect(2, "run hills.yaml");
    command_expect_words(result.err, "THALWEG_CACHE_MODE");
    unsetenv("THALWEG_CACHE_MODE");
    expect(0, "run --help");
    command_expect_words(result.out, "[$THALWEG_CACHE_URL]");
}

static void a_server_that_is_not_there_fails_push_and_pull_only(void **state)
{
    char arguments[256];
    int port = web_dead_port();
    (void)state;
    snprintf(arguments, sizeof arguments,
             "run hills.yaml --cache-url http://127.0.0.1:%d --cache-secret-file secret", port);
    expect(0, arguments);
    command_expect_words(result.err, "the remote cache is left alone from here on");
    snprintf(arguments, sizeof arguments,
             "cache push hills.yaml --cache-url http://127.0.0.1:%d --cache-secret-file secret",
             port);
    expect(4, arguments);
    snprintf(arguments, sizeof arguments,
             "run hills.yaml --quiet --cache-url http://127.0.0.1:%d --cache-secret-file secret "
             "--cache-mode off",
             port);
    expect(0, arguments);
    assert_string_equal(result.err, "");
    snprintf(arguments, sizeof arguments,
             "doctor --cache-url http://127.0.0.1:%d --cache-secret-file secret", port);
    expect(4, arguments);
    command_expect_words(result.out, "failed  cache server");
    expect(4, "doctor --cache-url http://h");
    command_expect_words(result.out, "a remote cache needs a file with the team's secret");
}

/* Of "folder" and "server", by all runs. */
static json_int_t count_of(const char *cache, const char *tier, const char *member)
{
    char arguments[100];
    json_int_t number = -1;
    size_t i;
    json_t *at;
    snprintf(arguments, sizeof arguments, "cache stats --json --cache-dir %s", cache);
    expect(0, arguments);
    json_t *root = json_loads(result.out, 0, NULL);
    json_array_foreach(json_object_get(root, "tiers"), i,
                       at) if (strcmp(json_string_value(json_object_get(at, "tier")), tier) == 0)
        number = json_integer_value(json_object_get(at, member));
    json_decref(root);
    return number;
}

static void runs_are_counted_by_tier(void **state)
{
    (void)state;
    expect(0, "run hills.yaml --quiet --cache-dir one");
    assert_int_equal(count_of("one", "folder", "requests"), 3); /* two nodes, an export */
    assert_int_equal(count_of("one", "folder", "misses"), 3);
    assert_true(count_of("one", "folder", "bytes_out") > 64 * 64 * 4);
    assert_int_equal(count_of("one", "folder", "bytes_in"), 0);
    expect(0, "run hills.yaml --quiet --cache-dir one -o other");
    assert_int_equal(count_of("one", "folder", "requests"), 6);
    assert_int_equal(count_of("one", "folder", "hits"), 3);
    assert_int_equal(count_of("one", "folder", "bytes_in"), 64 * 64 * 4);
    assert_int_equal(count_of("one", "server", "requests"), 0);
    expect(0, "cache stats --cache-dir one");
    command_expect_words(result.out, "folder            6          3          3");
    command_write("one/v1/counts", "torn", 4); /* counts from zero */
    expect(0, "run hills.yaml --quiet --cache-dir one -o other");
    assert_int_equal(count_of("one", "folder", "requests"), 3);
    expect(0, "cache clear --cache-dir one");
    assert_int_equal(count_of("one", "folder", "requests"), 0);
}

/* ---- nginx ---- */

static const char configuration[] =
    "%s daemon off; worker_processes 1; pid %s/pid; error_log %s/log;\n"
    "events { worker_connections 64; }\n"
    "http { access_log off; client_body_temp_path %s/tmp; proxy_temp_path %s/1;\n"
    "  fastcgi_temp_path %s/2; uwsgi_temp_path %s/3; scgi_temp_path %s/4;\n"
    "  server { listen 127.0.0.1:%d; root %s/objects; client_max_body_size 1g;\n"
    "    if ($http_authorization != \"Basic b3BlbjpzZXNhbWU=\") { return 401; }\n"
    "    location ~ \"^/(ac|cas)/[0-9a-f]{64}$\" {\n"
    "      dav_methods PUT; create_full_put_path on; limit_except GET PUT { deny all; } }\n"
    "    location / { return 404; } } }\n";

static const char *find_nginx(void)
{
    static const char *const places[] = {"/usr/sbin/nginx", "/usr/bin/nginx"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (access(places[i], X_OK) == 0)
            return places[i];
    return NULL;
}

static bool is_listening(int port)
{
    const struct sockaddr_in at = {.sin_family = AF_INET,
                                   .sin_port = htons((uint16_t)port),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int opened = socket(AF_INET, SOCK_STREAM, 0);
    bool ok = connect(opened, (const struct sockaddr *)&at, sizeof at) == 0;
    close(opened);
    return ok;
}

/* The process id, once it listens; 0 when nginx cannot run here. */
static pid_t start_nginx(const char *nginx, int port)
{
    char here[256], text[4096];
    assert_non_null(getcwd(here, sizeof here));
    int length = snprintf(text, sizeof text, configuration, geteuid() == 0 ? "user root;" : "",
                          here, here, here, here, here, here, here, port, here);
    command_write("nginx.conf", text, (size_t)length);
    assert_int_equal(mkdir("objects", S_IRWXU), 0);
    snprintf(text, sizeof text, "%s/nginx.conf", here);
    pid_t process = fork();
    if (process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (freopen("out", "w", stdout) && freopen("err", "w", stderr))
            execl(nginx, nginx, "-c", text, "-e", "stderr", (char *)NULL);
        _exit(127);
    }
    for (; !is_listening(port); until_pause())
        if (waitpid(process, NULL, WNOHANG) == process)
            return 0;
    return process;
}

static json_int_t number_of(const char *member)
{
    json_t *root = json_loads(result.out, 0, NULL);
    json_int_t number =
        json_integer_value(json_object_get(json_object_get(root, "remote"), member));
    assert_non_null(root);
    json_decref(root);
    return number;
}

static void two_machines_share_through_nginx(void)
{
    expect(0, "run hills.yaml --json --cache-dir one -o a");
    assert_true(number_of("sent") >= 3); /* the noise is computed faster than it would be sent */
    assert_int_equal(number_of("misses"), 2);
    assert_int_equal(count_of("one", "server", "misses"), 2);
    expect(0, "run hills.yaml --json --cache-dir one -o a");
    assert_int_equal(number_of("requests"), 0);
    expect(0, "run hills.yaml --explain --cache-dir two -o b");
    command_expect_words(result.out, "hit in the remote cache, its value was received");
    expect(0, "run hills.yaml --json --cache-dir three -o c");
    assert_int_equal(number_of("hits"), 3);
    command_expect_words(result.out, "\"value_from\": \"remote\"");
    assert_int_equal(count_of("three", "server", "requests"), 3);
    assert_int_equal(count_of("three", "server", "hits"), 3);
    assert_int_equal(count_of("three", "folder", "misses"), 3);
    assert_true(count_of("three", "server", "bytes_in") > 64 * 64 * 4);
    assert_true(count_of("one", "server", "bytes_out") > 64 * 64 * 4);
    expect(0, "diff a/height.npy b/height.npy");
}

static void push_and_pull_serve_machines_without_a_network(void)
{
    expect(0, "run hills.yaml --quiet --seed 7 --cache-dir one --cache-mode read -o a");
    expect(0, "cache push hills.yaml --cache-dir one");
    command_expect_words(result.out, "sent ");
    expect(0, "cache pull hills.yaml --cache-dir four");
    command_expect_words(result.out, "received ");
    assert_null(strstr(result.out, "received 0 objects"));
    expect(0, "cache pull hills.yaml --cache-dir four");
    command_expect_words(result.out, "received 0 objects");
    expect(0, "run hills.yaml --explain --cache-dir four --cache-url http://127.0.0.1:1 -o d");
    assert_null(strstr(result.out, "computed"));
    assert_null(strstr(result.err, "remote"));
    expect(0, "run hills.yaml --quiet --seed 7 --size 32 --cache-dir one --cache-mode read -o a");
    expect(0, "cache push hills.yaml --seed 7 --size 32 --cache-dir one");
    assert_null(strstr(result.out, "sent 0 objects"));
    assert_null(strstr(result.out, "not in the cache"));
    expect(0, "cache pull hills.yaml --seed 7 --size 32 --cache-dir seven");
    assert_null(strstr(result.out, "received 0 objects"));
    assert_null(strstr(result.out, "not on the server"));
}

static void a_missing_token_is_said(void)
{
    unsetenv("THALWEG_CACHE_TOKEN_FILE");
    expect(0, "run hills.yaml --cache-dir five -o e");
    command_expect_words(result.err, "it answered 401");
    expect(4, "cache pull hills.yaml --cache-dir six");
    expect(4, "doctor");
    command_expect_words(result.out, "failed  cache server");
    command_expect_words(result.out, "it answered 401");
}

static void doctor_tries_the_server(void)
{
    expect(0, "doctor");
    command_expect_words(result.out, "ok      cache server  an entry was sent and received again");
    command_expect_words(result.out, "; its clock agrees with this one");
    expect(0, "doctor --cache-mode read");
    command_expect_words(result.out, "nothing is sent");
    expect(0, "doctor --cache-mode off");
    command_expect_words(result.out, "cache server  none is named");
}

static void nginx_serves_a_team(void **state)
{
    const char *nginx = find_nginx();
    char url[64];
    int port = web_dead_port();
    (void)state;
    server = nginx ? start_nginx(nginx, port) : 0;
    if (server == 0)
        skip();
    snprintf(url, sizeof url, "http://127.0.0.1:%d", port);
    setenv("THALWEG_CACHE_URL", url, 1);
    setenv("THALWEG_CACHE_SECRET_FILE", "secret", 1);
    setenv("THALWEG_CACHE_TOKEN_FILE", "token", 1);
    setenv("THALWEG_CACHE_WAIT", "60", 1);
    two_machines_share_through_nginx();
    push_and_pull_serve_machines_without_a_network();
    doctor_tries_the_server();
    a_missing_token_is_said();
    unsetenv("THALWEG_CACHE_URL");
    unsetenv("THALWEG_CACHE_SECRET_FILE");
    unsetenv("THALWEG_CACHE_WAIT");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, prepare, clean_up)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(mistakes_are_reported),
        TEST(runs_are_counted_by_tier),
        TEST(a_server_that_is_not_there_fails_push_and_pull_only),
        TEST(nginx_serves_a_team),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
